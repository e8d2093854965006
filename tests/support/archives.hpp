// Writes correct checksums into an archive of any bytes; docs/frozen.md describes the format.
#pragma once

#include <throng/engine/archive/archive.hpp>
#include <throng/engine/archive/checksum.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace throng::test {

inline constexpr std::size_t kArchiveSum = sizeof(std::uint64_t);
inline constexpr std::size_t kArchiveHeader = 32 + kArchiveSum;

template <class Value>
void put(std::vector<std::byte>& bytes, std::size_t at, const Value& value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

/// Writes the checksum of the present header.
inline void seal_header(std::vector<std::byte>& bytes) {
    Checksum sum(0);
    sum.add(bytes.data(), kArchiveHeader - kArchiveSum);
    put(bytes, kArchiveHeader - kArchiveSum, sum.value());
}

/// What to do with the padding behind the last word of a section.
enum class Padding : bool { as_it_is, zero };

/// Writes the checksum of each section that is whole, and returns the number of these. Lengths and
/// contents do not change.
inline std::uint32_t seal_sections(std::vector<std::byte>& bytes, Padding behind) {
    constexpr std::size_t kHead = 16;
    std::uint32_t sections = 0;
    for (std::size_t at = kArchiveHeader; at + kHead + kArchiveSum <= bytes.size();) {
        std::uint64_t count;
        std::memcpy(&count, bytes.data() + at + 8, sizeof count);
        const std::size_t room = bytes.size() - at - kHead - kArchiveSum;
        if (count > room / sizeof(std::uint32_t)) { break; }
        const auto words = static_cast<std::size_t>(count) * sizeof(std::uint32_t);
        const std::size_t padding = (kArchiveSum - words % kArchiveSum) % kArchiveSum;
        if (words + padding > room) { break; }
        if (behind == Padding::zero) { std::memset(bytes.data() + at + kHead + words, 0, padding); }
        Checksum sum(++sections);
        sum.add(bytes.data() + at, kHead + words + padding);
        at += kHead + words + padding;
        put(bytes, at, sum.value());
        at += kArchiveSum;
    }
    return sections;
}

/// Writes correct checksums, whatever the archive contains.
inline void seal(std::vector<std::byte>& bytes) {
    seal_sections(bytes, Padding::as_it_is);
    seal_header(bytes);
}

/// Also writes zeros into the padding, and a valid header for an index with this tag and this many
/// bytes.
template <std::size_t Dim>
void repair(std::vector<std::byte>& bytes, std::uint32_t tag) {
    if (bytes.size() < kArchiveHeader) { return; }
    const std::uint32_t sections = seal_sections(bytes, Padding::zero);
    std::memcpy(bytes.data(), "THRONG", 6);
    put(bytes, 6, std::uint16_t{0x0102});
    put(bytes, 8, kArchiveVersion);
    put(bytes, 12, tag);
    put(bytes, 16, static_cast<std::uint32_t>(Dim));
    put(bytes, 20, sections);
    put(bytes, 24, std::uint64_t{bytes.size()});
    seal_header(bytes);
}

} // namespace throng::test
