// What a RowGrid is made of. Internal to the engine.
#pragma once

#include "../../../simd/kernels/grid/first_hit.hpp"
#include "../../../simd/views/query_block.hpp"
#include "../../core/access.hpp"
#include "../../core/access_check.hpp"
#include "../../core/assert.hpp"
#include "../../memory/checked_loop.hpp"
#include "../../memory/vector.hpp"
#include "../../memory/word_buffer.hpp"
#include "../planner/query_planner.hpp"
#include "../row_grid.hpp"
#include "../rows/row_store.hpp"
#include "../rows/slices.hpp"
#include "edit_staging.hpp"
#include "view.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace throng {

/// The row of every id, so that an agent is found by its id. Holds a few words more than ids,
/// because kernels write whole vectors.
struct RowOfId {
    WordBuffer words;
    std::size_t ids = 0;

    [[nodiscard]] std::uint32_t operator[](Id id) const noexcept {
        return id < ids ? words.data()[id] : kNoRow;
    }
    /// Makes room for `id` in memory. Throws std::bad_alloc, and then nothing has changed.
    void reserve(Id id);
    /// Extends the table to `id`, for which there must be room; the new ids have no rows yet.
    void cover(Id id) noexcept;
};

/// Scratch that an update, or a batch of edits, keeps for the next one.
struct Staging {
    RowOfId row_of;                    ///< becomes the grid's RowOfId
    WordBuffer records;                ///< agents in bands, a record each
    Vector<std::uint32_t> cursors;     ///< for each block and band: counts, then where to write
    Vector<std::size_t> band_begin;    ///< first record of each band, and the end
    Vector<std::size_t> band_words;    ///< where each band's part of the slab begins
    Vector<std::size_t> group_scratch; ///< where each group's part of the scratch begins
    WordBuffer scratch;
    Vector<float> block_max_half_extent; ///< largest half extent of each block, on each axis
    Vector<float> block_bounds; ///< the least and the greatest centre of each block, on each axis
    LoopClaims claims;
    EditStaging edits; ///< scratch of batches of edits

    [[nodiscard]] std::size_t bytes() const noexcept;
};

/// A page of hits, for kernels, that lies in `out`.
[[nodiscard]] inline simd::HitPage page_in(std::span<PathHit> out) noexcept {
    static_assert(sizeof(PathHit) == sizeof(simd::TimedHit) &&
                  offsetof(PathHit, time) == offsetof(simd::TimedHit, time) &&
                  offsetof(PathHit, id) == offsetof(simd::TimedHit, id));
    return {out.data(), out.size()};
}

/// Identifies the contents of a grid: no other contents in the process have the same edition.
struct Edition {
    std::uint64_t grid = 0, changes = 0;

    /// The edition of a grid that has just been made.
    [[nodiscard]] static Edition first() noexcept;
    friend constexpr bool operator==(const Edition&, const Edition&) noexcept = default;
};

template <std::size_t Dim>
struct RowGrid<Dim>::State : FromSource {
    RowStore<Dim> store;
    RowOfId row_of;
    std::size_t count = 0;
    Point<Dim> max_half_extent{}; ///< the common half extent, or a bound on agents' own
    Box<Dim> bounds = nowhere();  ///< of all centres, or wider
    Slices slices;
    Staging staging;
    View<Dim> view{store, max_half_extent}; ///< made anew after each change: see kernel_view()
    Edition edition = Edition::first();
    THRONG_NO_UNIQUE_ADDRESS AccessCheck access;

    /// Held by a call that changes the grid; its destructor renews the view and the edition.
    class Changing {
    public:
        explicit Changing(State& state) noexcept : alone_(state.access), state_(state) {}
        Changing(const Changing&) = delete;
        Changing& operator=(const Changing&) = delete;
        ~Changing() {
            state_.view = View<Dim>(state_.store, state_.max_half_extent);
            ++state_.edition.changes;
        }

    private:
        const AccessCheck::Changing alone_;
        State& state_;
    };

    /// The grid as kernels see it. It is kept, since making it takes as long as searching a row.
    [[nodiscard]] const View<Dim>& kernel_view() const noexcept {
        THRONG_ASSERT(view.shows(store, max_half_extent));
        return view;
    }

    /// Whether no agent can be found, whatever the shape.
    [[nodiscard]] bool is_empty_for(const Filter& filter) const noexcept {
        return count == 0 || filter.groups == 0;
    }

    [[nodiscard]] GridFacts<Dim> facts() const noexcept {
        return {store, bounds, max_half_extent, count};
    }

    /// The planner's choice for a valid query.
    [[nodiscard]] SearchPath path(const ShapesView<Dim>& one, const Filter& filter) const noexcept;

    // query() and tally() answer a valid query that is searched for as `path` says: query() writes
    // its hits, tally() only counts them.
    [[nodiscard]] std::size_t query(const ShapesView<Dim>& one, std::span<Id> out,
                                    const Filter& filter, SearchPath path) const noexcept;
    template <simd::Form form>
    [[nodiscard]] std::size_t tally(const ShapesView<Dim>& one, const Filter& filter,
                                    SearchPath path) const noexcept;

    /// Adds the hits of a valid path that come after `after` to a page.
    void add_hits_after(const PathHit& after, const ShapesView<Dim>& path, const Filter& filter,
                        simd::HitPage& page) const noexcept;

    /// The work of a count of a valid query, without predictions.
    [[nodiscard]] QueryStats stats_of(const ShapesView<Dim>& one,
                                      const Filter& filter) const noexcept;

    /// Writes the masks of the agents of slices begin ... end - 1, in storage order; there must be
    /// masks.
    void masks_range(std::size_t begin, std::size_t end,
                     std::span<std::uint32_t> out) const noexcept;

    /// Lays out cells of another shape, without agents, within a call that changes the grid; keeps
    /// the memory. Throws std::bad_alloc, and then the old cells are left, without agents.
    void lay(const GridShape<Dim>& shape, const CrowdKind<Dim>& kind) {
        forget_agents();
        store.lay(shape, kind);
        max_half_extent = kind.common_half_extent;
    }
    void forget_agents() noexcept {
        store.forget_all();
        row_of.ids = 0;
        count = 0;
        max_half_extent = store.kind().common_half_extent;
        bounds = nowhere();
        slices.clear();
    }

    /// Becomes a copy, down to the room that rows have: what save() writes, too, must not tell a
    /// copy. Throws std::bad_alloc, and then nothing has changed.
    void copy(const State& from);

    /// Bounds that hold no centre.
    [[nodiscard]] static Box<Dim> nowhere() noexcept {
        return {Point<Dim>::all(kLargest), Point<Dim>::all(-kLargest)};
    }
    /// Widens the bounds to hold the centre of an agent.
    void cover(const Point<Dim>& position) noexcept { widen(bounds, Box<Dim>::at(position)); }
    /// Widens a box, maybe nowhere(), to hold another.
    static void widen(Box<Dim>& box, const Box<Dim>& by) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            box.lo[a] = std::min(box.lo[a], by.lo[a]);
            box.hi[a] = std::max(box.hi[a], by.hi[a]);
        }
    }

    [[nodiscard]] bool configured() const noexcept { return store.shape().cells[0] != 0; }

    /// RowGrid::reserve() for agents of any kind.
    Status reserve(std::size_t agents, const CrowdKind<Dim>& kind, Executor& executor);

    // The calls of neighbours.cpp, pairs.cpp and nearest.cpp.
    struct NeighbourCalls;
    struct PairCalls;
    struct NearestCalls;

    /// For a grid that is destroyed or assigned to: no call may be running on it.
    void expect_idle() noexcept { const AccessCheck::Changing going(access); }
};

template <std::size_t Dim>
using GridState = detail::StateOf<RowGrid<Dim>>;

} // namespace throng
