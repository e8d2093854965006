// Memory that ends or begins at a guard page.
#pragma once

#include "../../support/system/pages.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

namespace throng::test {

/// Arrays have up to kLongest elements and begin at kOffsets offsets, so at every alignment to a
/// register.
inline constexpr std::uint32_t kLongest = 130, kOffsets = 16;

/// Which end of the memory touches a guard page; behind the other end is the rest of a page.
enum class Edge : std::uint8_t { end, begin };

/// Room for `count` values. Access to one more at the guarded end is a segmentation fault.
template <class T>
class Guarded {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    explicit Guarded(std::size_t count, Edge edge = Edge::end) : count_(count) {
        const std::size_t page = page_size();
        const std::size_t usable = (count * sizeof(T) + page - 1) / page * page;
        bytes_ = usable + 2 * page;
        pages_ = static_cast<char*>(take_pages(bytes_));
        if (pages_ == nullptr) { std::abort(); }
        char* const first = pages_ + page;
        if (usable != 0 && !open_pages(first, usable)) { std::abort(); }
        begin_ =
            reinterpret_cast<T*>(edge == Edge::begin ? first : first + usable - count * sizeof(T));
    }
    ~Guarded() { drop_pages(pages_, bytes_); }
    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;

    [[nodiscard]] T* begin() const noexcept { return begin_; }
    [[nodiscard]] T* end() const noexcept { return begin() + count_; }

    /// The last `count` values.
    [[nodiscard]] T* last(std::size_t count) const noexcept { return end() - count; }

private:
    char* pages_;
    T* begin_;
    std::size_t count_, bytes_;
};

} // namespace throng::test
