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

/// Opens a file for reading. Null: there is no file of this name, or it may not be read.
[[nodiscard]] File open_file(const char* name);

/// Creates a file for writing. Null: errno says why; it is EEXIST if there is a file of this name.
[[nodiscard]] File create_file(const char* name);

/// The size in bytes; nullopt if there is none, as for a folder.
[[nodiscard]] std::optional<std::uint64_t> size_of(std::FILE* file) noexcept;

/// Renames in one step; if there is a file of the new name, it is replaced.
[[nodiscard]] bool rename_file(const char* name, const char* new_name);

void remove_file(const char* name);

} // namespace throng
