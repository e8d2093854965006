// What a RowGrid is made of. Internal to the engine.
#pragma once

#include "checked_loop.hpp"
#include "edit_staging.hpp"
#include "phase.hpp"
#include "query_planner.hpp"
#include "row_grid.hpp"
#include "row_store.hpp"
#include "slices.hpp"
#include "vector.hpp"
#include "word_buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace throng {

/// The row of every id, so that an agent is found by name. Holds a few words more than ids, because
/// kernels write whole vectors.
struct RowOfId {
    WordBuffer words;
    std::size_t ids = 0;

    [[nodiscard]] std::uint32_t operator[](Id id) const noexcept {
        return id < ids ? words.data()[id] : kNoRow;
    }
    /// Makes room for `id` in memory. Throws std::bad_alloc, and then nothing has changed.
    void reserve(Id id);
    /// Takes up `id` and those below it, for which there is room, as yet without rows.
    void cover(Id id) noexcept;
};

/// How an update cuts its work. Depends on the agents and the shape alone, never on threads.
struct UpdatePlan {
    std::size_t agents = 0;
    std::size_t block = 0, blocks = 0; ///< agents in each, and how many
    unsigned band_shift = 0;           ///< a band has 2^band_shift rows
    std::size_t bands = 0;
    unsigned cell_bits = 0; ///< of a record's key; the rows of the band above them
    std::size_t groups = 0; ///< of neighbouring bands, each sorted by one task
};

/// Scratch that an update, or a batch of edits, keeps for the next one.
struct Staging {
    RowOfId row_of;                    ///< becomes the grid's
    WordBuffer records;                ///< agents in bands, a record each
    Vector<std::uint32_t> cursors;     ///< block by band: counts, then where to write
    Vector<std::size_t> band_begin;    ///< first record of each band, and the end
    Vector<std::size_t> band_words;    ///< where each band's part of the slab begins
    Vector<std::size_t> group_scratch; ///< where each group's part of the scratch begins
    WordBuffer scratch;
    Vector<float> block_reach;  ///< largest half extent of each block, on each axis
    Vector<float> block_bounds; ///< the least and the greatest centre of each, on each axis
    LoopClaims claims;
    EditStaging edits; ///< of batches of edits

    [[nodiscard]] std::size_t bytes() const noexcept;
};

template <std::size_t Dim>
struct RowGrid<Dim>::State : FromSource {
    RowStore<Dim> store;
    RowOfId row_of;
    std::size_t count = 0;
    Point<Dim> reach{};          ///< the common half extent, or no less than the largest
    Box<Dim> bounds = nowhere(); ///< of all centres, or wider
    Slices slices;
    Staging staging;
    [[no_unique_address]] Phase phase;

    /// Whether nobody can be found, whatever the question.
    [[nodiscard]] bool has_nobody_for(const Filter& filter) const noexcept {
        return count == 0 || filter.groups == 0;
    }

    /// What a planner may know.
    [[nodiscard]] GridFacts<Dim> facts() const noexcept { return {store, bounds, reach, count}; }

    /// What holds no centre.
    [[nodiscard]] static Box<Dim> nowhere() noexcept {
        return {Point<Dim>::all(kLargest), Point<Dim>::all(-kLargest)};
    }
    /// Someone has come to a place.
    void cover(const Point<Dim>& position) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            bounds.lo[a] = std::min(bounds.lo[a], position[a]);
            bounds.hi[a] = std::max(bounds.hi[a], position[a]);
        }
    }

    [[nodiscard]] bool configured() const noexcept { return store.shape().cells[0] != 0; }

    /// Of a grid that goes, or becomes another: nobody may be in it.
    static void expect_nobody(const std::unique_ptr<State>& state) noexcept {
        if (state != nullptr) { const Phase::Changing going(state->phase); }
    }
};

} // namespace throng
