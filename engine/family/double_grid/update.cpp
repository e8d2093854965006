// update() sorts all agents into bands of cells, and each band, while it is in the cache, into the
// buckets of its cells. Every step keeps the order of ids, so the result depends neither on the
// number of blocks nor on which threads run them, or when. Before commit() only staging memory is
// written, and room is made in the grid.
//
// The covers of the next frame are found while the agents of each cell are counted. So the numbers
// of buckets and links, and where each band writes, are known before the old frame is given up.
#include "double_grid.hpp"

#include "../../../simd/isa/isa.hpp"
#include "../../agents/cell_map.hpp"
#include "../../agents/validation.hpp"
#include "../../core/profile_scope.hpp"
#include "agent_bands.hpp"
#include "cell_size.hpp"
#include "plan.hpp"
#include "state.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace throng {

namespace {

/// Nanoseconds for an agent in each loop, good enough to choose the number of threads.
constexpr double kCover = 2.5, kFill = 4.0;
/// Nanoseconds for a cell, with agents or without.
constexpr double kCell = 1.5;
/// Nanoseconds to list a link.
constexpr double kList = 3.0;

/// One update of one grid, step by step, for agents of kFields fields.
template <std::size_t Dim, class State, std::size_t kFields>
class Update {
public:
    Update(const Agents<Dim>& agents, State& state, Executor& executor) noexcept
        : kind_(kind_of(agents)), state_(state), staging_(state.staging), executor_(executor),
          plan_(DoubleGridPlan::of(agents.positions.count, state.cells.size(), executor.threads())),
          bands_(agents, state.shape, plan_, staging_, executor) {}

    /// Does everything that can fail: works in staging, and makes room in the grid.
    Status prepare() {
        staging_.cells.resize(plan_.cells);
        staging_.groups.resize(plan_.groups);
        staging_.cursors.reserve(plan_.groups << plan_.shift);
        staging_.claims.prepare(std::max(plan_.groups, plan_.parts));
        Status status = bands_.sort();
        if (!status.ok()) { return status; }
        const auto cover = [&](std::size_t group) { cover_group(group); };
        status = run_blocks(executor_, plan_.groups, cover, staging_.claims, cost_of(kCover));
        if (!status.ok()) { return status; }
        number_buckets_and_links();
        state_.agents.reserve(buckets_, kind_);
        state_.tight.reserve(links_);
        if (shared()) { staging_.tight_cells.reserve(links_); }
        return {};
    }

    /// Fills the buckets. Cannot fail.
    void commit() noexcept {
        state_.agents.configure(kind_);
        state_.agents.take(static_cast<std::uint32_t>(buckets_));
        state_.slack.clear();
        if (shared()) {
            state_.tight.restart(level_links_);
        } else {
            state_.tight.clear();
        }
        const auto fill = [&](std::size_t group) { fill_group(group); };
        finish_blocks(executor_, plan_.groups, fill, staging_.claims, cost_of(kFill));
        if (shared()) { list_links(); }
        std::swap(state_.cells, staging_.cells);
        state_.count = plan_.agents;
        state_.max_half_extent = bands_.max_half_extent();
        state_.slots_noted = false;
    }

private:
    using Bands = AgentBands<Dim, kFields>;

    [[nodiscard]] LoopCost cost_of(double agent) const noexcept {
        return {static_cast<double>(plan_.agents) * agent +
                static_cast<double>(plan_.cells) * kCell};
    }
    /// Whether a loop of its own lists the links. A single task lists them while it fills buckets.
    [[nodiscard]] bool shared() const noexcept { return plan_.groups > 1; }

    void cover_group(std::size_t group) noexcept {
        BandGroup<Dim> sums;
        for (std::size_t band = plan_.first_band(group); band < plan_.first_band(group + 1);
             ++band) {
            cover_band(band, sums);
        }
        staging_.groups[group] = sums;
    }

    /// Finds the number of agents and the cover of each cell of a band.
    void cover_band(std::size_t band, BandGroup<Dim>& sums) noexcept {
        LooseCell<Dim>* const cells = staging_.cells.data() + plan_.first_cell(band);
        const std::size_t count = plan_.cells_of(band);
        for (std::size_t c = 0; c < count; ++c) {
            cells[c] = LooseCell<Dim>::empty();
            cells[c].head = 0;
        }
        const std::uint32_t* const end = bands_.record_of(band + 1);
        for (const std::uint32_t* record = bands_.record_of(band); record != end;
             record += Bands::kRecord) {
            LooseCell<Dim>& cell = cells[record[0]];
            ++cell.head;
            cell.cover = united(cell.cover, covered_by(record));
        }
        for (std::size_t c = 0; c < count; ++c) {
            LooseCell<Dim>& cell = cells[c];
            if (cell.head == 0) { continue; }
            if constexpr (!Bands::kOwnExtents) {
                // Rounding keeps the order of numbers, so the outermost centres give the outermost
                // sides.
                cell.cover.lo = cover_of(cell.cover.lo, kind_.common_half_extent).lo;
                cell.cover.hi = cover_of(cell.cover.hi, kind_.common_half_extent).hi;
            }
            sums.buckets += buckets_for(cell.head);
            const CoarseRange<Dim> range = state_.range_of(cell.cover);
            const std::size_t level = state_.tight.level_of(range);
            const CoarseRange<Dim> tight = state_.tight.on_level(level, range);
            sums.level_links[level] += state_.tight.cells_in(tight);
            const auto& its_level = state_.tight.level(level);
            sums.least = std::min(sums.least, state_.tight.number_of(its_level, tight.lo));
            sums.greatest = std::max(sums.greatest, state_.tight.number_of(its_level, tight.hi));
        }
    }

    /// Gives each group buckets and links behind those of the groups before it, as if groups took
    /// buckets and links one after another.
    void number_buckets_and_links() noexcept {
        buckets_ = links_ = 0;
        level_links_ = {};
        for (BandGroup<Dim>& group : staging_.groups) {
            group.links = links_;
            for (std::size_t level = 0; level < level_links_.size(); ++level) {
                level_links_[level] += group.level_links[level];
                links_ += group.level_links[level];
            }
            buckets_ += std::exchange(group.buckets, buckets_);
        }
    }

    /// The cover of an agent. If all agents have one size, only its centre: cover_band() then adds
    /// the extent to a whole cell's cover.
    [[nodiscard]] static Box<Dim> covered_by(const std::uint32_t* record) noexcept {
        const auto point_at = [&](std::size_t field) {
            Point<Dim> point;
            for (std::size_t a = 0; a < Dim; ++a) {
                point[a] = std::bit_cast<float>(record[field + a]);
            }
            return point;
        };
        if constexpr (Bands::kOwnExtents) { return cover_of(point_at(1), point_at(2 + Dim)); }
        return Box<Dim>::at(point_at(1));
    }

    void fill_group(std::size_t group) noexcept {
        auto bucket = static_cast<std::uint32_t>(staging_.groups[group].buckets);
        auto link = static_cast<std::uint32_t>(staging_.groups[group].links);
        std::uint32_t* const cursors = staging_.cursors.data() + (group << plan_.shift);
        for (std::size_t band = plan_.first_band(group); band < plan_.first_band(group + 1);
             ++band) {
            fill_band(band, cursors, bucket, link);
        }
    }

    /// Fills consecutive buckets in the order of cells, from `bucket` on; agents of a cell are in
    /// the order of ids.
    void fill_band(std::size_t band, std::uint32_t* cursors, std::uint32_t& bucket,
                   std::uint32_t& link) noexcept {
        constexpr std::uint32_t kRoom = BucketStore<Dim>::kRoom;
        LooseCell<Dim>* const cells = staging_.cells.data() + plan_.first_cell(band);
        const std::size_t count = plan_.cells_of(band);
        for (std::size_t c = 0; c < count; ++c) {
            LooseCell<Dim>& cell = cells[c];
            cursors[c] = bucket * kRoom;
            std::uint32_t left = std::exchange(cell.head, kNoBucket);
            if (left == 0) { continue; }
            for (; left > 0; ++bucket) {
                const std::uint32_t here = std::min(left, kRoom);
                // Prefetches the bucket: buckets are written in no order, and should be in the
                // cache by then.
                for (std::size_t f = 0; f < kFields; ++f) {
                    __builtin_prefetch(state_.agents.words(bucket) + f * kRoom, 1);
                }
                state_.agents.link(bucket, cell.head, here);
                cell.head = bucket;
                left -= here;
            }
            const auto number = static_cast<std::uint32_t>(plan_.first_cell(band) + c);
            const CoarseRange<Dim> range = state_.range_of(cell.cover);
            if (shared()) {
                link = state_.tight.write_links(link, number, range, staging_.tight_cells.data());
            } else {
                state_.tight.link(number, range);
            }
        }
        std::uint32_t* const words = state_.agents.words(0);
        const std::uint32_t* const end = bands_.record_of(band + 1);
        for (const std::uint32_t* record = bands_.record_of(band); record != end;
             record += Bands::kRecord) {
            const std::uint32_t slot = cursors[record[0]]++;
            std::uint32_t* const to =
                words + std::size_t{slot / kRoom} * (kRoom * kFields) + slot % kRoom;
            for (std::size_t f = 0; f < kFields; ++f) {
                to[f * kRoom] = record[1 + f];
            }
        }
    }

    /// Lists all links, in one task for each part of the tight cells.
    void list_links() noexcept {
        const std::size_t cells = state_.tight.tight_cells();
        const auto list = [&](std::size_t part) {
            const auto from = static_cast<std::uint32_t>(part * cells / plan_.parts);
            const auto to = static_cast<std::uint32_t>((part + 1) * cells / plan_.parts);
            for (std::size_t group = 0; group < plan_.groups; ++group) {
                const BandGroup<Dim>& its = staging_.groups[group];
                if (its.greatest < from || its.least >= to) { continue; }
                const std::size_t past =
                    group + 1 < plan_.groups ? staging_.groups[group + 1].links : links_;
                state_.tight.list_links(static_cast<std::uint32_t>(its.links),
                                        static_cast<std::uint32_t>(past),
                                        staging_.tight_cells.data(), from, to);
            }
        };
        finish_blocks(executor_, plan_.parts, list, staging_.claims, LoopCost::of(links_, kList));
        state_.tight.finish_lists();
    }

    [[nodiscard]] static std::uint32_t buckets_for(std::uint32_t agents) noexcept {
        constexpr std::uint32_t kRoom = BucketStore<Dim>::kRoom;
        return agents / kRoom + (agents % kRoom != 0 ? 1 : 0);
    }

    const CrowdKind<Dim> kind_;
    State& state_;
    DoubleGridStaging<Dim>& staging_;
    Executor& executor_;
    const DoubleGridPlan plan_;
    Bands bands_;
    std::size_t buckets_ = 0, links_ = 0;
    typename CoarseGrid<Dim>::LevelLinks level_links_{};
};

template <std::size_t kFields, std::size_t Dim, class State>
Status update_fields(const Agents<Dim>& agents, State& state, Executor& executor) {
    Update<Dim, State, kFields> update(agents, state, executor);
    const Status status = update.prepare();
    if (status.ok()) { update.commit(); }
    return status;
}

} // namespace

template <std::size_t Dim>
Status DoubleGrid<Dim>::update(const Agents<Dim>& agents, Executor& executor) {
    const ProfileScope profiled("DoubleGrid::update");
    if (active_isa() == Isa::none) { return {Cause::no_such_isa, Argument::environment}; }
    if (const Status views = check_views(agents); !views.ok()) { return views; }
    if (!state_->configured && agents.positions.count != 0) {
        if (const Status status = check_agents(agents); !status.ok()) { return status; }
        const Box<Dim> bounds = bounds_of(agents.positions);
        DoubleGrid fitted;
        Status status = fitted.configure(bounds, cell_size_for(agents, bounds), kind_of(agents));
        if (status.ok()) { status = fitted.update(agents, executor); }
        if (status.ok()) { *this = std::move(fitted); }
        return status;
    }
    switch (const CrowdKind<Dim> kind = kind_of(agents);
            simd::Fields<Dim>::count(kind.own_half_extents, kind.groups)) {
    case Dim + 1:
        return update_fields<Dim + 1>(agents, *state_, executor);
    case Dim + 2:
        return update_fields<Dim + 2>(agents, *state_, executor);
    case 2 * Dim + 1:
        return update_fields<2 * Dim + 1>(agents, *state_, executor);
    default:
        return update_fields<2 * Dim + 2>(agents, *state_, executor);
    }
}

template Status DoubleGrid<2>::update(const Agents<2>&, Executor&);
template Status DoubleGrid<3>::update(const Agents<3>&, Executor&);

} // namespace throng
