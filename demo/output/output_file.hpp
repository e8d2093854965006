// A file that is there when it is whole, and not before.
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace throng::demo {

/// The same for all spellings of a file, whether it is there or not: symbolic links are followed.
/// A name that the system refuses comes back as it is.
[[nodiscard]] std::filesystem::path file_meant_by(const std::string& name);

/// Written as <name>.<process>.part beside where it will be, and renamed by keep(). One that is not
/// kept leaves nothing behind, and other files are not touched before.
class OutputFile {
public:
    /// Throws std::runtime_error, with the reason, where it cannot be written: also what is there
    /// already and no regular file.
    explicit OutputFile(std::string name);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
    void write(std::span<const std::byte> bytes);
    /// Throws if anything was not written. Nothing is written after it.
    void finish();
    /// Gives what is finished its name.
    void keep();

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    /// Where another program may write in its stead.
    [[nodiscard]] const std::string& part() const noexcept { return part_; }

private:
    [[noreturn]] void fail(int error) const;

    struct Close {
        void operator()(std::FILE* file) const noexcept { (void)std::fclose(file); }
    };
    std::string name_;             // as it was given
    std::filesystem::path target_; // where that leads
    std::string part_;
    std::unique_ptr<std::FILE, Close> file_;
    bool kept_ = false;
};

} // namespace throng::demo
