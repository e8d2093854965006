// Scratch for batches of edits. Internal to the engine.
#pragma once

#include "../../core/id.hpp"
#include "../../memory/index_map.hpp"
#include "../../memory/vector.hpp"
#include "../../memory/word_buffer.hpp"
#include "../rows/row_merge.hpp"
#include "../rows/row_store.hpp"

#include <cstddef>
#include <cstdint>

namespace throng {

/// The result of a list of edits for one agent.
struct AgentChange {
    static constexpr std::size_t kNoEdit = ~std::size_t{0};

    std::uint32_t id = 0;
    std::uint32_t from = kNoRow, to = kNoRow; ///< its row before and after; kNoRow: not there
    std::uint32_t left = 0, entered = 0;      ///< indices of these rows in EditStaging::touched
    std::uint32_t slot = 0;                   ///< its slot in the row before
    bool stays = false;             ///< whether it keeps its slot, since its cell is the same
    std::size_t placed = kNoEdit;   ///< the last edit that gives its position
    std::size_t inserted = kNoEdit; ///< the edit that gives its extent and mask, if any
};

/// A row that gains or loses agents.
struct TouchedRow {
    std::uint32_t row = kNoRow;
    std::size_t removed_end = 0, added_end = 0; ///< ends of its parts of the arrays below
    std::size_t leaving = 0, coming = 0; ///< how many of each, first in these parts, do not stay
    std::size_t kept = 0;                ///< its number of runs
    std::uint32_t count = 0;             ///< its agents after the edits
    Array<std::uint32_t> words{};        ///< the words of a new block; null: none is needed
    simd::Row built{};                   ///< the row in that block
};

struct EditStaging {
    IndexMap ids; ///< id -> its index in `changes`
    Vector<AgentChange> changes;
    IndexMap rows; ///< row -> its index in `touched`
    Vector<TouchedRow> touched;

    // Entries lie row after row; a batch may use only the front of these vectors.
    Vector<std::uint32_t> removed; ///< changes whose agents leave the row
    Vector<std::uint32_t> slots;   ///< the slots of these agents, ascending
    Vector<AddedNode> added;
    Vector<KeptRun> kept;
    WordBuffer nodes; ///< the words of the added nodes, one after another

    // For a list of many edits: arrays by id, one for each field of a node; whether an id has an
    // agent; and the ids that have none.
    WordBuffer arrays;
    Vector<std::uint8_t> is_there;
    Vector<Id> missing;

    [[nodiscard]] std::size_t bytes() const noexcept;
};

} // namespace throng
