// A file that is there when it is whole, and not before.
#pragma once

#include <cstddef>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace throng::demo {

/// Written as <name>.part beside where it will be, and renamed by keep(). One that is not kept
/// leaves nothing behind.
class OutputFile {
public:
    /// Throws std::runtime_error, with the reason, where it cannot be written.
    explicit OutputFile(std::string name);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
    void write(std::span<const std::byte> bytes);
    /// Throws if anything was not written, and then there is no file.
    void keep();

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    /// Where another program may write in its stead.
    [[nodiscard]] std::string part() const { return name_ + ".part"; }

private:
    [[noreturn]] void fail(int error) const;

    struct Close {
        void operator()(std::FILE* file) const noexcept { (void)std::fclose(file); }
    };
    std::string name_;
    std::unique_ptr<std::FILE, Close> file_;
    bool kept_ = false;
};

} // namespace throng::demo
