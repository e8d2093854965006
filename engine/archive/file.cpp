#include "file.hpp"

#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#include <share.h>
#include <string>
#include <sys/stat.h>
#include <windows.h>
#else
#include <sys/stat.h>
#endif

namespace throng {

#if defined(_WIN32)

namespace {

/// The name in UTF-16, as Windows wants it; empty, which names no file, if `name` is not UTF-8.
std::wstring wide(const char* name) {
    const int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, name, -1, nullptr, 0);
    if (length <= 0) { return {}; }
    std::wstring wide(static_cast<std::size_t>(length), L'\0');
    MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, name, -1, wide.data(), length);
    wide.pop_back(); // the final zero, which `length` includes
    return wide;
}

} // namespace

File open_file(const char* name) { return File(_wfopen(wide(name).c_str(), L"rb")); }

// Older libraries of Windows do not know the x of fopen(), and would write over another file.
File create_file(const char* name) {
    const int file =
        _wsopen(wide(name).c_str(), _O_CREAT | _O_EXCL | _O_WRONLY | _O_BINARY | _O_NOINHERIT,
                _SH_DENYWR, _S_IREAD | _S_IWRITE);
    if (file < 0) { return {}; }
    File stream(_fdopen(file, "wb"));
    if (stream == nullptr) { _close(file); }
    return stream;
}

std::optional<std::uint64_t> size_of(std::FILE* file) noexcept {
    const auto size = _filelengthi64(_fileno(file));
    if (size < 0) { return {}; }
    return static_cast<std::uint64_t>(size);
}

bool rename_file(const char* name, const char* new_name) {
    return MoveFileExW(wide(name).c_str(), wide(new_name).c_str(), MOVEFILE_REPLACE_EXISTING) != 0;
}

void remove_file(const char* name) { (void)_wremove(wide(name).c_str()); }

#else

File open_file(const char* name) { return File(std::fopen(name, "rb")); }

File create_file(const char* name) { return File(std::fopen(name, "wbx")); }

std::optional<std::uint64_t> size_of(std::FILE* file) noexcept {
    struct stat facts {};
    if (fstat(fileno(file), &facts) != 0 || !S_ISREG(facts.st_mode)) { return {}; }
    return static_cast<std::uint64_t>(facts.st_size);
}

bool rename_file(const char* name, const char* new_name) {
    return std::rename(name, new_name) == 0;
}

void remove_file(const char* name) { (void)std::remove(name); }

#endif

} // namespace throng
