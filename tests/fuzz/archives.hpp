// Makes an archive of any bytes, as far as its sums go: docs/frozen.md has the format.
#pragma once

#include <throng/engine/archive.hpp>
#include <throng/engine/checksum.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace throng::fuzz {

/// Writes the header that such an index in so many bytes would have, and the sum of each section.
/// All else stays: which sections there are, how long they are, and what they hold.
template <std::size_t Dim>
void repair(std::vector<std::byte>& bytes, std::uint32_t tag) {
    constexpr std::size_t kHeader = 40, kHead = 16, kSum = sizeof(std::uint64_t);
    if (bytes.size() < kHeader) { return; }
    const auto put = [&](std::size_t at, const auto& value) {
        std::memcpy(bytes.data() + at, &value, sizeof value);
    };
    std::uint32_t sections = 0;
    for (std::size_t at = kHeader; at + kHead + kSum <= bytes.size();) {
        std::uint64_t count;
        std::memcpy(&count, bytes.data() + at + 8, sizeof count);
        const std::size_t room = bytes.size() - at - kHead - kSum;
        if (count > room / sizeof(std::uint32_t)) { break; }
        const auto words = static_cast<std::size_t>(count) * sizeof(std::uint32_t);
        const std::size_t padding = (kSum - words % kSum) % kSum;
        if (words + padding > room) { break; }
        std::memset(bytes.data() + at + kHead + words, 0, padding);
        Checksum sum(++sections);
        sum.add(bytes.data() + at, kHead + words + padding);
        at += kHead + words + padding;
        put(at, sum.value());
        at += kSum;
    }
    std::memcpy(bytes.data(), "THRONG", 6);
    put(6, std::uint16_t{0x0102});
    put(8, std::uint32_t{1});
    put(12, tag);
    put(16, static_cast<std::uint32_t>(Dim));
    put(20, sections);
    put(24, std::uint64_t{bytes.size()});
    Checksum sum(0);
    sum.add(bytes.data(), kHeader - kSum);
    put(kHeader - kSum, sum.value());
}

} // namespace throng::fuzz
