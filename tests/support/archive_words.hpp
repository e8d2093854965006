// Finds the sections of an archive, and changes words in them.
#pragma once

#include "archives.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace throng::test {

struct ArchiveSection {
    std::string tag;
    std::size_t at = 0, words = 0; ///< offset of its words, and their number
};

/// The sections of a sound archive.
inline std::vector<ArchiveSection> sections_of(const std::vector<std::byte>& bytes) {
    constexpr std::size_t kHead = 16;
    std::vector<ArchiveSection> sections;
    for (std::size_t at = kArchiveHeader; at + kHead <= bytes.size();) {
        ArchiveSection section{std::string(4, ' '), at + kHead, 0};
        std::memcpy(section.tag.data(), bytes.data() + at, 4);
        std::uint64_t count = 0;
        std::memcpy(&count, bytes.data() + at + 8, sizeof count);
        section.words = static_cast<std::size_t>(count);
        const std::size_t size = section.words * sizeof(std::uint32_t);
        at = section.at + (size + kArchiveSum - 1) / kArchiveSum * kArchiveSum + kArchiveSum;
        sections.push_back(section);
    }
    return sections;
}

/// The sets of large elements of a crowd, in the order of the archive.
enum class LargeSetOf : std::size_t { giants, statics };

/// Gives the last element of a set a larger name, in a crowd whose elements were all given at once.
/// Changes the name, and the bound of all names.
inline void rename_last(std::vector<std::byte>& bytes, LargeSetOf set, std::uint32_t name) {
    constexpr std::size_t kBound = 9; // its word, behind five flags and two counts
    std::size_t numbers = 0, names = 0;
    for (const ArchiveSection& section : sections_of(bytes)) {
        if (section.tag == "SNUM" && numbers++ == static_cast<std::size_t>(set)) {
            put(bytes, section.at + kBound * sizeof name, std::uint64_t{name} + 1);
        }
        if (section.tag == "NAME" && names++ == static_cast<std::size_t>(set)) {
            put(bytes, section.at + (section.words - 1) * sizeof name, name);
        }
    }
    seal(bytes);
}

inline std::uint32_t word_of(const std::vector<std::byte>& bytes, std::size_t at) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    return word;
}

} // namespace throng::test
