// What an index tells about its memory.
#pragma once

#include <cstddef>

namespace throng {

/// How many bytes of heap an index holds, part by part: all that it has taken, used or not.
struct MemoryUse {
    std::size_t nodes = 0;   ///< positions, ids, and extents and masks where kept
    std::size_t tables = 0;  ///< where each cell of a row starts
    std::size_t rows = 0;    ///< a header for each row, empty ones included
    std::size_t marks = 0;   ///< which rows have agents
    std::size_t ids = 0;     ///< the row of every id
    std::size_t staging = 0; ///< scratch that update() keeps for its next call

    /// The memory that the index needs to answer.
    [[nodiscard]] constexpr std::size_t index() const noexcept {
        return nodes + tables + rows + marks + ids;
    }
    [[nodiscard]] constexpr std::size_t total() const noexcept { return index() + staging; }
};

} // namespace throng
