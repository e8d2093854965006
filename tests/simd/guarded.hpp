// Memory that ends where a page begins that nobody may touch.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <type_traits>

namespace throng::test {

/// Room for `count` values; one more, read or written, is a segmentation fault.
template <class T>
class Guarded {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    explicit Guarded(std::size_t count) : count_(count) {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        usable_ = (count * sizeof(T) + page - 1) / page * page;
        bytes_ = usable_ + page;
        void* const pages =
            mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages == MAP_FAILED) { std::abort(); }
        pages_ = static_cast<char*>(pages);
        if (mprotect(pages_ + usable_, page, PROT_NONE) != 0) { std::abort(); }
    }
    ~Guarded() { munmap(pages_, bytes_); }
    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;

    [[nodiscard]] T* begin() const noexcept {
        return reinterpret_cast<T*>(pages_ + usable_) - count_;
    }
    [[nodiscard]] T* end() const noexcept { return begin() + count_; }

    /// The last `count` values.
    [[nodiscard]] T* last(std::size_t count) const noexcept { return end() - count; }

private:
    char* pages_;
    std::size_t count_, usable_, bytes_;
};

} // namespace throng::test
