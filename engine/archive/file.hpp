// Files by name. Names are UTF-8 on every system.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>

namespace throng {

struct CloseFile {
    void operator()(std::FILE* file) const noexcept { (void)std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// Opens a file to read. Null: there is none of this name, or it may not be read.
[[nodiscard]] File open_file(const char* name);

/// A new file, to write. Null: errno says why, and is EEXIST where there is one of this name.
[[nodiscard]] File create_file(const char* name);

/// In bytes; nullopt for what has no size, such as a folder.
[[nodiscard]] std::optional<std::uint64_t> size_of(std::FILE* file) noexcept;

/// Renames in one step; if there is a file of the new name, it is replaced.
[[nodiscard]] bool rename_file(const char* name, const char* new_name);

void remove_file(const char* name);

} // namespace throng
