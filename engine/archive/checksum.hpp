// A checksum: a number that shows whether bytes have changed. Internal to the engine.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace throng {

/// Words of 64 bits go to eight lanes in turn, which do not wait for each other's multiplications.
/// Each step is one to one in the lane for any word, and in the word for any lane; so is the last
/// step, which joins the lanes. So data that differ in one word only never have the same checksum,
/// and other data hardly ever do by accident. It finds accidents, not forgeries.
class Checksum {
public:
    explicit Checksum(std::uint64_t seed) noexcept {
        for (std::size_t i = 0; i < kLanes; ++i) {
            lanes_[i] = (seed + i + 1) * kFactor;
        }
    }

    /// The sum does not depend on how the bytes are split between calls.
    void add(const void* data, std::size_t size) noexcept {
        const auto* bytes = static_cast<const std::byte*>(data);
        length_ += size;
        if (held_ != 0) {
            const std::size_t some = size < kBlock - held_ ? size : kBlock - held_;
            std::memcpy(block_.data() + held_, bytes, some);
            held_ += some;
            bytes += some;
            size -= some;
            if (held_ < kBlock) { return; }
            take_blocks(block_.data(), 1);
            held_ = 0;
        }
        take_blocks(bytes, size / kBlock);
        held_ = size % kBlock;
        if (held_ != 0) { std::memcpy(block_.data(), bytes + (size - held_), held_); }
    }

    /// The checksum of all bytes so far.
    [[nodiscard]] std::uint64_t value() const noexcept {
        Checksum last = *this;
        std::memset(last.block_.data() + held_, 0, kBlock - held_);
        last.take_blocks(last.block_.data(), 1);
        std::uint64_t value = length_;
        for (const std::uint64_t lane : last.lanes_) {
            value = step(value, lane);
        }
        return value ^ value >> 32;
    }

private:
    static constexpr std::size_t kLanes = 8;
    static constexpr std::size_t kBlock = kLanes * sizeof(std::uint64_t);
    static constexpr std::uint64_t kFactor = 0x9E37'79B9'7F4A'7C15u; // odd

    static std::uint64_t step(std::uint64_t lane, std::uint64_t word) noexcept {
        return std::rotl((lane ^ word) * kFactor, 29);
    }

    void take_blocks(const std::byte* bytes, std::size_t blocks) noexcept {
        std::array<std::uint64_t, kLanes> lanes = lanes_;
        for (std::size_t b = 0; b < blocks; ++b, bytes += kBlock) {
            std::array<std::uint64_t, kLanes> words;
            std::memcpy(words.data(), bytes, kBlock);
            for (std::size_t i = 0; i < kLanes; ++i) {
                lanes[i] = step(lanes[i], words[i]);
            }
        }
        lanes_ = lanes;
    }

    std::array<std::uint64_t, kLanes> lanes_;
    std::array<std::byte, kBlock> block_{}; // the last bytes, not yet a whole block
    std::size_t held_ = 0;
    std::uint64_t length_ = 0;
};

} // namespace throng
