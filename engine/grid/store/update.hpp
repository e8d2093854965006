// One update of a grid, loop by loop. Internal to the engine.
#pragma once

#include "../../../simd/isa/slack.hpp"
#include "../../../simd/kernels/grid/locate.hpp"
#include "../../agents/agents.hpp"
#include "../../agents/float_tile.hpp"
#include "../../agents/grid_shape.hpp"
#include "../../agents/skipped_ids.hpp"
#include "../../memory/loop_sequence.hpp"
#include "../rows/band_sort.hpp"
#include "state.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace throng {

/// How an update cuts its work. Its blocks also depend on the number of threads; no result does.
struct UpdatePlan {
    /// The usual length of a block. Blocks are shorter if there would be too few for the threads,
    /// and longer if there would be too many, since each has a counter for every band.
    static constexpr std::size_t kBlock = 16384;
    static constexpr std::size_t kShortestBlock = 2048;
    static constexpr std::size_t kBlocksOfThread = 4;
    static constexpr std::size_t kBlocks = 512;

    /// Bands of about this many agents fit the second-level cache. More bands than kBands would be
    /// more write streams than the first-level cache and the TLB can hold.
    static constexpr std::size_t kBandAgents = 2048;
    static constexpr std::size_t kBands = 2048;

    /// Neighbouring bands are sorted by one task, which reuses its scratch.
    static constexpr std::size_t kGroups = 256;

    /// The most blocks of any update of this many agents.
    [[nodiscard]] static constexpr std::size_t most_blocks(std::size_t agents) noexcept {
        return std::min(kBlocks, agents / kShortestBlock + std::size_t{1});
    }

    std::size_t agents = 0;
    std::size_t block = 0, blocks = 0; ///< agents in each, and how many
    unsigned band_shift = 0;           ///< a band has 2^band_shift rows
    std::size_t bands = 0;
    unsigned cell_bits = 0; ///< low bits of a key, for the cell; the row in the band is above
    std::size_t groups = 0; ///< number of tasks, each of which sorts neighbouring bands
};

/// `threads` is how many may work on a loop; 0: not known.
template <std::size_t Dim>
UpdatePlan plan_for(std::size_t agents, const GridShape<Dim>& shape, std::size_t threads) noexcept {
    UpdatePlan plan;
    plan.agents = agents;
    const std::size_t shared =
        threads < 2 ? UpdatePlan::kBlock : agents / (UpdatePlan::kBlocksOfThread * threads);
    const std::size_t length =
        std::max(std::clamp(shared, UpdatePlan::kShortestBlock, UpdatePlan::kBlock),
                 agents / UpdatePlan::kBlocks + 1);
    plan.block = (length + kFloatTile - 1) / kFloatTile * kFloatTile;
    plan.blocks = (agents + plan.block - 1) / plan.block;
    plan.cell_bits = static_cast<unsigned>(std::bit_width(shape.cells[0] - 1));
    const std::size_t wanted =
        std::clamp<std::size_t>(agents / UpdatePlan::kBandAgents, 1, UpdatePlan::kBands);
    while (((shape.rows() - 1) >> plan.band_shift) + 1 > wanted) {
        ++plan.band_shift;
    }
    // A record's key numbers the cells of its band in 32 bits.
    plan.band_shift = std::min(plan.band_shift, 32 - plan.cell_bits);
    plan.bands = ((shape.rows() - 1) >> plan.band_shift) + 1;
    plan.groups = std::min(plan.bands, UpdatePlan::kGroups);
    return plan;
}

/// Replaces all agents: a two-level counting sort of all agents into rows and cells.
///
/// Blocks of agents are split into bands of rows, and then each band is sorted by cell while it is
/// in the cache. Both steps keep the order of ids, so the result depends neither on the number of
/// blocks nor on which threads run them, or when. Until the bands are sorted only scratch memory is
/// touched. A crowd of one block and one band needs no records: it is sorted once.
template <std::size_t Dim>
class Update final : public LoopSequence {
public:
    using State = GridState<Dim>;

    /// The grid must have a shape. The first steps check the agents, so the access check takes a
    /// refused update for a change, too. `threads` is how many may work on a loop; 0: not known.
    /// `commits`, unless null, is called just before the old agents are dropped, and may refuse.
    Update(State& state, const Agents<Dim>& agents, SkippedIds skipped, std::size_t threads,
           const FunctionRef<Status()>* commits = nullptr) noexcept;

    Status next(Loop& loop) override;
    void run(std::size_t block) noexcept override;

private:
    /// The loop that runs; none: before the first loop.
    enum class Step : std::uint8_t {
        none,
        count,   ///< blocks: the row of each agent, and how many each band has
        add_up,  ///< bands: the place of each block's part
        scatter, ///< blocks: agents, with their cells, to the bands
        measure, ///< groups of bands: how many words they take in the slab
        zero,    ///< groups: zeros in a new slab
        sort,    ///< groups: bands into rows
        fill,    ///< groups: tiles, with the marks of occupied rows
        done,
    };

    /// Ends a step and begins the next; its loop may have no blocks.
    Status advance(Loop& loop);
    void allocate();
    [[nodiscard]] Status fault_of_agents() const;

    void count_block(std::size_t block) noexcept;
    void write_keys(std::size_t first, const float* x, std::size_t count) noexcept;
    [[nodiscard]] bool are_sound(std::size_t first, std::size_t count) const noexcept;
    [[nodiscard]] bool measure_block(std::size_t block, std::size_t begin,
                                     std::size_t end) noexcept;

    void add_up(std::size_t part) noexcept;
    void begin_bands() noexcept;
    [[nodiscard]] bool rows_fit() const noexcept;
    void allocate_scratch();

    // In scatter.cpp.
    void scatter_block(std::size_t block) noexcept;
    template <std::size_t kFields>
    void scatter_fields(std::size_t block) noexcept;
    template <std::size_t kFields>
    void extend_record(std::uint32_t* record, std::size_t id) const noexcept;

    void measure_group(std::size_t group) noexcept;
    [[nodiscard]] bool needs_slab();
    void zero_group(std::size_t group) noexcept;
    void sort_group(std::size_t group) noexcept;
    void fill_group(std::size_t group) noexcept;
    void finish() noexcept;

    [[nodiscard]] Box<Dim> bounds() const noexcept;
    [[nodiscard]] Point<Dim> max_half_extent() const noexcept;

    [[nodiscard]] const std::uint32_t* records_of(std::size_t band) const noexcept {
        return staging_.records.data() + staging_.band_begin[band] * record_words();
    }
    [[nodiscard]] std::uint32_t* scratch_of(std::size_t group) const noexcept {
        return staging_.scratch.data() + staging_.group_scratch[group];
    }
    /// Whether all agents are one block and one dense band.
    [[nodiscard]] bool is_small() const noexcept {
        return count_ != 0 && plan_.blocks == 1 && plan_.bands == 1 &&
               is_dense({0, store_.shape().rows(), count_}, plan_.cell_bits);
    }
    [[nodiscard]] BandExtent extent_of(std::size_t band) const noexcept;
    [[nodiscard]] std::size_t first_band(std::size_t group) const noexcept {
        return group * plan_.bands / plan_.groups;
    }
    [[nodiscard]] std::size_t record_words() const noexcept { return fields_ + 1; }

    const typename State::Changing changing_;
    State& state_;
    const Agents<Dim> agents_;
    const SkippedIds skipped_;
    const CrowdKind<Dim> kind_;
    RowStore<Dim>& store_;
    Staging& staging_;
    const UpdatePlan plan_;
    const simd::CellMap<Dim> map_;
    const std::size_t count_; // agents, less those that are left out
    const bool direct_;       // sorted straight from the caller's arrays
    const std::uint32_t fields_;
    const bool tiles_;
    const FunctionRef<Status()>* const commits_;
    Step step_ = Step::none;
    std::atomic<bool> sound_ = true;
    WordBuffer slab_; // the next slab, if that of the store is too small
};

extern template class Update<2>;
extern template class Update<3>;

} // namespace throng
