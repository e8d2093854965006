// std::atomic_ref, also where the standard library has none: libc++ before version 19.
#pragma once

#include <atomic>

namespace throng {

#if defined(__cpp_lib_atomic_ref)

/// An element of a shared array, for one atomic operation.
template <class T>
[[nodiscard]] std::atomic_ref<T> atomic_of(T& element) noexcept {
    return std::atomic_ref<T>(element);
}

#else

/// The part of std::atomic_ref that the library uses. The values of std::memory_order are those of
/// the builtins.
template <class T>
class AtomicRef {
public:
    explicit AtomicRef(T& element) noexcept : element_(&element) {}

    [[nodiscard]] T load(std::memory_order order) const noexcept {
        return __atomic_load_n(element_, static_cast<int>(order));
    }
    void store(T value, std::memory_order order) const noexcept {
        __atomic_store_n(element_, value, static_cast<int>(order));
    }
    T fetch_add(T value, std::memory_order order) const noexcept {
        return __atomic_fetch_add(element_, value, static_cast<int>(order));
    }
    T fetch_or(T value, std::memory_order order) const noexcept {
        return __atomic_fetch_or(element_, value, static_cast<int>(order));
    }
    T fetch_and(T value, std::memory_order order) const noexcept {
        return __atomic_fetch_and(element_, value, static_cast<int>(order));
    }
    bool compare_exchange_strong(T& expected, T value, std::memory_order order) const noexcept {
        const int failed = order == std::memory_order_acq_rel   ? __ATOMIC_ACQUIRE
                           : order == std::memory_order_release ? __ATOMIC_RELAXED
                                                                : static_cast<int>(order);
        return __atomic_compare_exchange_n(element_, &expected, value, false,
                                           static_cast<int>(order), failed);
    }

private:
    T* element_;
};

template <class T>
[[nodiscard]] AtomicRef<T> atomic_of(T& element) noexcept {
    return AtomicRef<T>(element);
}

#endif

} // namespace throng
