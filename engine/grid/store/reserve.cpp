// Takes memory for later updates, and touches its pages.
//
// All steps that can fail work on new memory, which is then swapped in.
#include "../row_grid.hpp"

#include "../../../simd/isa/slack.hpp"
#include "../../agents/validation.hpp"
#include "../../memory/zero_words.hpp"
#include "../rows/band_sort.hpp"
#include "state.hpp"
#include "update.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace throng {

namespace {

/// The most that any update of up to some number of agents needs, on any number of threads. For
/// `scratch`, which sorting uses, this holds if agents are spread evenly.
struct Needs {
    std::size_t blocks = 0, bands = 0, groups = 0;
    std::size_t scratch = 0; ///< words
};

template <std::size_t Dim>
Needs needs_of(std::size_t agents, const GridShape<Dim>& shape) noexcept {
    Needs needs;
    needs.blocks = UpdatePlan::most_blocks(agents);
    // Fewer agents may need more scratch, since their bands are longer. Of all crowds with the same
    // length of bands the largest needs most.
    for (std::size_t count = agents;;) {
        const UpdatePlan plan = plan_for(count, shape, 0);
        const std::size_t rows =
            std::min<std::size_t>(std::size_t{1} << plan.band_shift, std::size_t{shape.rows()});
        const std::size_t mean =
            count / shape.rows() * rows + count % shape.rows() * rows / shape.rows();
        // For an even crowd this is more than eleven standard deviations above the mean.
        const std::size_t most = std::min(count, mean + mean / 8 + 256);
        const std::size_t words = band_scratch_words({0, rows, most}, plan.cell_bits);
        needs.bands = std::max(needs.bands, plan.bands);
        needs.groups = std::max(needs.groups, plan.groups);
        needs.scratch = std::max(needs.scratch, plan.groups * words);
        const std::size_t next = std::min(count, plan.bands * UpdatePlan::kBandAgents) - 1;
        if (plan.bands == 1 || count <= 1 || plan_for(next, shape, 0).bands == plan.bands) {
            return needs;
        }
        count = next;
    }
}

/// A buffer of `size` words if `now` is too small; else an empty one.
WordBuffer larger_than(const WordBuffer& now, std::size_t size) {
    return WordBuffer(size > now.size() ? size : 0);
}
/// The same for a vector whose contents do not matter.
template <class T>
Vector<T> larger_than(const Vector<T>& now, std::size_t size) {
    return Vector<T>(size > now.capacity() ? size : 0);
}

void take(WordBuffer& now, WordBuffer& larger) noexcept {
    if (larger.size() != 0) { std::swap(now, larger); }
}
template <class T>
void take(Vector<T>& now, Vector<T>& larger) noexcept {
    if (!larger.empty()) { now.swap(larger); }
}

} // namespace

template <std::size_t Dim>
Status RowGrid<Dim>::State::reserve(std::size_t agents, const CrowdKind<Dim>& kind,
                                    Executor& executor) {
    const AccessCheck::Changing alone(access);
    if (!configured()) { return {Cause::not_configured}; }
    if (agents > kMaxAgents) { return {Cause::too_many, Argument::positions, kMaxAgents}; }
    if (agents == 0) { return {}; }

    const std::size_t rows = store.shape().rows();
    const std::size_t fields = simd::Fields<Dim>::count(kind.own_half_extents, kind.groups);
    const Needs needs = needs_of(agents, store.shape());
    // Computed as in measure_group() and needs_slab(), with as many rows in use as there can be.
    const std::size_t used = std::min(rows, agents);
    const std::size_t slab_words = fields * (agents + 3 * used) +
                                   TableForm::most_words(agents, used, store.shape().cells[0]) +
                                   4 * needs.bands + simd::kSlack;

    WordBuffer more_row_of = larger_than(row_of.words, agents + simd::kSlack);
    WordBuffer next_row_of = larger_than(staging.row_of.words, agents + simd::kSlack);
    WordBuffer records = larger_than(staging.records, agents * (fields + 1));
    WordBuffer scratch = larger_than(staging.scratch, needs.scratch);
    WordBuffer slab = larger_than(store.slab(), slab_words);
    auto cursors = larger_than(staging.cursors, needs.blocks * needs.bands);
    auto band_begin = larger_than(staging.band_begin, needs.bands + 1);
    auto band_words = larger_than(staging.band_words, needs.bands + 1);
    auto group_scratch = larger_than(staging.group_scratch, needs.groups + 1);
    auto block_extents = larger_than(staging.block_max_half_extent, needs.blocks * Dim);
    auto block_bounds = larger_than(staging.block_bounds, needs.blocks * 2 * Dim);
    LoopClaims more_claims;
    const std::size_t tasks = std::max(needs.blocks, needs.groups);
    const bool claims_suffice = staging.claims.room() >= tasks;
    LoopClaims& claims = claims_suffice ? staging.claims : more_claims;
    claims.prepare(tasks);
    const std::array<const WordBuffer*, 5> all = {&more_row_of, &next_row_of, &records, &scratch,
                                                  &slab};
    const Status status = zero_words(all, claims, executor);
    if (!status.ok()) { return status; }
    slices.reserve(std::max(agents, count));
    // Whether tiles pay is known only when the agents come. Tiles are small: they get memory now.
    if (OccupancyTiles::may_pay(agents, rows)) { store.touch_tiles(); }
    // From here on nothing fails.

    if (more_row_of.size() != 0) {
        std::copy_n(row_of.words.data(), row_of.ids, more_row_of.data());
        take(row_of.words, more_row_of);
    }
    take(staging.row_of.words, next_row_of);
    take(staging.records, records);
    take(staging.scratch, scratch);
    if (slab.size() != 0) { store.move_slab(std::move(slab)); }
    take(staging.cursors, cursors);
    take(staging.band_begin, band_begin);
    take(staging.band_words, band_words);
    take(staging.group_scratch, group_scratch);
    take(staging.block_max_half_extent, block_extents);
    take(staging.block_bounds, block_bounds);
    if (!claims_suffice) { std::swap(more_claims, staging.claims); }
    // Memory has moved, so kernels need a new view. The agents are the same, so the edition stays,
    // and what was packed from them stays valid.
    view = View<Dim>(store, max_half_extent);
    return {};
}

template <std::size_t Dim>
Status RowGrid<Dim>::reserve(std::size_t agents, Executor& executor) {
    return state_->reserve(agents, kind(), executor);
}

template Status RowGrid<2>::State::reserve(std::size_t, const CrowdKind<2>&, Executor&);
template Status RowGrid<3>::State::reserve(std::size_t, const CrowdKind<3>&, Executor&);
template Status RowGrid<2>::reserve(std::size_t, Executor&);
template Status RowGrid<3>::reserve(std::size_t, Executor&);

} // namespace throng
