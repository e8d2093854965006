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

/// To read. Null: there is none of this name, or it is kept from us.
[[nodiscard]] File open_file(const char* name);

/// A new file, to write. Null: errno says why, and is EEXIST where there is one of this name.
[[nodiscard]] File create_file(const char* name);

/// In bytes. What has no size, such as a folder, has none.
[[nodiscard]] std::optional<std::uint64_t> size_of(std::FILE* file) noexcept;

/// In one step, also where there is a file of the new name, which then is gone.
[[nodiscard]] bool rename_file(const char* name, const char* new_name);

void remove_file(const char* name);

} // namespace throng
