// Whole pages of memory, and who may touch them.
#pragma once

#include <cstddef>

namespace throng::test {

[[nodiscard]] std::size_t page_size() noexcept;
/// Pages that may not be touched; null where there are none.
[[nodiscard]] void* take_pages(std::size_t bytes) noexcept;
/// Lets some of them be read and written. False where that cannot be.
[[nodiscard]] bool open_pages(void* pages, std::size_t bytes) noexcept;
/// Gives back all that were taken together.
void drop_pages(void* pages, std::size_t bytes) noexcept;

} // namespace throng::test
