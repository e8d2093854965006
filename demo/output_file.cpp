#include "output_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace throng::demo {

OutputFile::OutputFile(std::string name) : name_(std::move(name)) {
    std::error_code ignored;
    if (std::filesystem::is_directory(name_, ignored)) { fail(EISDIR); }
    file_.reset(std::fopen(part().c_str(), "wb"));
    if (file_ == nullptr) { fail(errno); }
}

OutputFile::~OutputFile() {
    if (kept_ || file_ == nullptr) { return; }
    std::error_code ignored;
    std::filesystem::remove(part(), ignored);
}

void OutputFile::fail(int error) const {
    throw std::runtime_error("cannot write '" + name_ + "': " + std::strerror(error));
}

void OutputFile::write(std::span<const std::byte> bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) { fail(errno); }
}

void OutputFile::keep() {
    if (std::fflush(file_.get()) != 0) { fail(errno); }
    std::error_code error;
    std::filesystem::rename(part(), name_, error);
    if (error) { fail(error.value()); }
    kept_ = true;
}

} // namespace throng::demo
