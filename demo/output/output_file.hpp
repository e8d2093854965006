// A file that gets its name only when it is complete.
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace throng::demo {

/// The same path for all spellings of a file, whether it exists or not: follows symbolic links. A
/// name that the system refuses is returned unchanged.
[[nodiscard]] std::filesystem::path file_meant_by(const std::string& name);

/// The file is written as <name>.<process>.part beside its target, and renamed by keep(). If it is
/// not kept, nothing remains of it, and no other file is touched.
class OutputFile {
public:
    /// Throws std::runtime_error with the reason if the file cannot be written, or if the target
    /// exists and is not a regular file.
    explicit OutputFile(std::string name);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
    void write(std::span<const std::byte> bytes);
    /// Throws if anything was not written. No writes may follow.
    void finish();
    /// Gives the finished file its name.
    void keep();

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    /// The path at which another program may write instead.
    [[nodiscard]] const std::string& part() const noexcept { return part_; }

private:
    [[noreturn]] void fail(int error) const;

    struct Close {
        void operator()(std::FILE* file) const noexcept { (void)std::fclose(file); }
    };
    std::string name_;             // as given
    std::filesystem::path target_; // the path that it leads to
    std::string part_;
    std::unique_ptr<std::FILE, Close> file_;
    bool kept_ = false;
};

} // namespace throng::demo
