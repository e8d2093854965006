// Arrays in a parcel, one behind another. Internal to distributed/.
#pragma once

#include "../../engine/memory/vector.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace throng {

/// Aligns each array for any type, if the parcel itself is aligned to this.
inline constexpr std::size_t kParcelStep = 16;

[[nodiscard]] constexpr std::size_t padded(std::size_t bytes) noexcept {
    return (bytes + kParcelStep - 1) / kParcelStep * kParcelStep;
}

/// Throws std::bad_alloc.
class ParcelWriter {
public:
    /// Adds an array of zeros. Returns its bytes, valid until the next call.
    [[nodiscard]] std::byte* add(std::size_t size) {
        const std::size_t begin = bytes_.size();
        bytes_.resize(begin + padded(size));
        return bytes_.data() + begin;
    }
    template <class T>
    void put(std::span<const T> all) {
        static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= kParcelStep);
        std::byte* const to = add(all.size_bytes());
        if (!all.empty()) { std::memcpy(to, all.data(), all.size_bytes()); }
    }
    template <class T>
    void put(const Vector<T>& all) {
        put(std::span<const T>(all));
    }
    template <class T>
    void put_one(const T& value) {
        put(std::span<const T>(&value, 1));
    }
    void clear() noexcept { bytes_.clear(); }
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }

private:
    Vector<std::byte> bytes_;
};

/// Takes the arrays out again; refuses if there are fewer bytes than an array needs.
class ParcelReader {
public:
    explicit ParcelReader(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

    [[nodiscard]] bool take(std::size_t size, const std::byte*& begin) noexcept {
        if (size > bytes_.size() || padded(size) > bytes_.size()) { return false; }
        begin = bytes_.data();
        bytes_ = bytes_.subspan(padded(size));
        return true;
    }
    template <class T>
    [[nodiscard]] bool take(std::uint64_t count, std::span<const T>& all) noexcept {
        const std::byte* begin = nullptr;
        if (count > bytes_.size() / sizeof(T) || !take(count * sizeof(T), begin)) { return false; }
        all = {reinterpret_cast<const T*>(begin), static_cast<std::size_t>(count)};
        return true;
    }
    template <class T>
    [[nodiscard]] bool take_one(T& value) noexcept {
        const std::byte* begin = nullptr;
        if (!take(sizeof value, begin)) { return false; }
        std::memcpy(&value, begin, sizeof value);
        return true;
    }
    /// Whether all bytes have been taken.
    [[nodiscard]] bool empty() const noexcept { return bytes_.empty(); }

private:
    std::span<const std::byte> bytes_;
};

} // namespace throng
