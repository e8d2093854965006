#include "output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace throng::demo {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
    throw std::runtime_error("cannot write '" + name + "': " + why);
}

} // namespace

fs::path file_meant_by(const std::string& name) {
    // Follows links one by one, since weakly_canonical() does not follow links to missing files.
    constexpr int kMostLinks = 40; // as many as Linux follows
    std::error_code error;
    fs::path target = name;
    for (int links = 0; links < kMostLinks && fs::is_symlink(target, error); ++links) {
        const fs::path next = fs::read_symlink(target, error);
        if (error) { return name; }
        target = target.parent_path() / next;
    }
    fs::path canonical = fs::weakly_canonical(target, error);
    // For a missing file in the current folder, weakly_canonical() returns the bare name.
    if (!error) { canonical = fs::absolute(canonical, error); }
    return error ? fs::path(name) : canonical;
}

OutputFile::OutputFile(std::string name)
    : name_(std::move(name)), target_(file_meant_by(name_)),
      part_(target_.string() + "." + std::to_string(::getpid()) + ".part") {
    std::error_code error;
    const fs::file_status there = fs::status(target_, error);
    if (!fs::status_known(there)) { fail(error.value()); } // for example circular links
    if (fs::is_directory(there)) { fail(EISDIR); }
    if (fs::exists(there) && !fs::is_regular_file(there)) {
        refuse(name_, "it is no regular file");
    }
    // Does not overwrite a file, and is not inherited by ffmpeg.
    file_.reset(std::fopen(part_.c_str(), "wbxe"));
    if (file_ == nullptr && errno == EEXIST) { refuse(name_, "'" + part_ + "' is in the way"); }
    if (file_ == nullptr) { fail(errno); }
}

OutputFile::~OutputFile() {
    if (kept_) { return; }
    std::error_code ignored;
    fs::remove(part_, ignored);
}

void OutputFile::fail(int error) const { refuse(name_, std::strerror(error)); }

void OutputFile::write(std::span<const std::byte> bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) { fail(errno); }
}

void OutputFile::finish() {
    if (std::fflush(file_.get()) != 0) { fail(errno); }
    // Some file systems write only at the close.
    if (std::fclose(file_.release()) != 0) { fail(errno); }
}

void OutputFile::keep() {
    std::error_code error;
    fs::rename(part_, target_, error);
    if (error) { fail(error.value()); }
    kept_ = true;
}

} // namespace throng::demo
