// Whole pages of memory, with access control.
#pragma once

#include <cstddef>

namespace throng::test {

[[nodiscard]] std::size_t page_size() noexcept;
/// Takes pages without access; null if there are none.
[[nodiscard]] void* take_pages(std::size_t bytes) noexcept;
/// Allows reads and writes in some of the pages. Returns whether that worked.
[[nodiscard]] bool open_pages(void* pages, std::size_t bytes) noexcept;
/// Gives back all pages of one take_pages().
void drop_pages(void* pages, std::size_t bytes) noexcept;

} // namespace throng::test
