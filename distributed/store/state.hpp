// The state of a distributed grid. Internal to distributed/.
#pragma once

#include "../../engine/agents/world_wrap.hpp"
#include "../../engine/crowd/store/part.hpp"
#include "../../engine/memory/checked_loop.hpp"
#include "../../engine/memory/vector.hpp"
#include "../../parallel/batch/batch.hpp"
#include "../agreement.hpp"
#include "../distributed_grid.hpp"
#include "../fingerprint.hpp"
#include "census.hpp"
#include "layout.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <vector>

namespace throng {

/// The kinds of collective calls. Ranks compare them, to see whether all make the same call.
enum class DistributedCall : std::uint8_t {
    configure,
    update,
    balance,
    count_pairs,
    size,
    name,
    check_names,
    save,
    load,
    set_statics,
    query,
    count,
    any,
    nearest,
    first,
    meetings,
    nearest_neighbours,
    round, ///< of a question
    none   ///< no call: no other rank makes this one
};

/// Names for messages about a rank that waits.
[[nodiscard]] constexpr const char* name_of(DistributedCall call) noexcept {
    constexpr const char* kNames[] = {"configure()",
                                      "update()",
                                      "balance()",
                                      "count_pairs()",
                                      "size()",
                                      "name()",
                                      "update()",
                                      "save()",
                                      "load()",
                                      "set_statics()",
                                      "query()",
                                      "count()",
                                      "any()",
                                      "nearest()",
                                      "first()",
                                      "meetings()",
                                      "nearest_neighbours()"};
    const auto number = static_cast<std::size_t>(call);
    return number < std::size(kNames) ? kNames[number] : "a question";
}

template <std::size_t Dim>
struct DistributedGrid<Dim>::State {
    explicit State(Ranks& job) : ranks(job) {}

    Ranks& ranks;
    std::uint64_t calls = 0; ///< collective calls so far
    std::uint32_t refused_by = 0;

    bool configured = false;
    std::uint64_t settings = 0; ///< a fingerprint
    Box<Dim> bounds{};
    Point<Dim> cell{};
    WorldWrap<Dim> world{};
    GridShape<Dim> whole{};
    /// The number of cells within reach on each axis, plus one.
    std::array<std::uint32_t, Dim> around{};
    Layout<Dim> layout;
    std::unique_ptr<Layout<Dim>> next_layout; ///< for the next update, if it has new bricks
    float reach = 0.0f;
    float largest_small = 0.0f; ///< agents with larger half extents of their own are giants
    std::size_t question_bytes = 0;
    float imbalance = 0.0f, most_agents = 0.0f;
    std::uint64_t updates = 0; ///< since configure()
    CrowdKind<Dim> kind{};

    CrowdPart<Dim> part; ///< the owned agents and the ghosts, small agents and giants
    Brick<Dim> window{};
    std::size_t owned = 0;
    /// The first ghost that stands beyond a border of a periodic world; all after it do so, too.
    std::size_t first_moved = 0;
    bool names_checked = false; ///< over all ranks, by the first update
    Census<Dim> census;
    DistributedStats stats{};

    // Kept from one update to the next.
    LoopClaims claims;
    std::vector<Arrival> arrivals;

    // For questions about all agents.
    Executor* executor = nullptr;
    std::optional<Batch<Dim>> batch;
    std::vector<std::uint32_t> counts;
    /// Answers to all agents of `part`: in the order of storage if lists_across(), else by ids.
    Hits answers;

    [[nodiscard]] bool is_giant(const Point<Dim>& half_extent) const noexcept {
        bool giant = false;
        for (std::size_t a = 0; a < Dim; ++a) {
            giant = giant || half_extent[a] > largest_small;
        }
        return giant;
    }
    /// The cell of a place that is not NaN.
    [[nodiscard]] std::array<std::uint32_t, Dim> cell_of(const Point<Dim>& place) const noexcept {
        std::array<std::uint32_t, Dim> at{};
        for (std::size_t a = 0; a < Dim; ++a) {
            at[a] = whole.cell_on(a, place[a]);
        }
        return at;
    }

    /// Half extents that no agent and no static exceeds.
    [[nodiscard]] Point<Dim> largest_of_all() const noexcept {
        Point<Dim> largest = part.largest_of_large();
        for (std::size_t a = 0; a < Dim; ++a) {
            largest[a] = std::max(largest[a], largest_half_extent()[a]);
        }
        return largest;
    }
    /// The largest half extent that small agents may have.
    [[nodiscard]] Point<Dim> largest_half_extent() const noexcept {
        return kind.own_half_extents ? Point<Dim>::all(0.5f * reach) : kind.common_half_extent;
    }
    /// The cells within reach of a place.
    [[nodiscard]] Brick<Dim> cells_near(const Point<Dim>& place) const noexcept {
        Brick<Dim> near;
        for (std::size_t a = 0; a < Dim; ++a) {
            const double far = reach_at(place[a], reach);
            near.first[a] = whole.cell_on(a, static_cast<float>(place[a] - far));
            const std::uint32_t last = whole.cell_on(a, static_cast<float>(place[a] + far));
            near.cells[a] = last - near.first[a] + 1;
        }
        return near;
    }

    /// The grid of owned agents and ghosts, without giants.
    [[nodiscard]] const RowGrid<Dim>& grid() const noexcept { return part.crowd().grid(); }

    [[nodiscard]] Batch<Dim>& batch_on(Executor& wanted) {
        if (executor != &wanted) {
            executor = nullptr; // the old batch is gone even if there is no memory for a new one
            batch.emplace(wanted);
            executor = &wanted;
        }
        return *batch;
    }

    /// Whether this agent of the part is a ghost beyond a border of a periodic world.
    [[nodiscard]] bool is_moved(Id name) const noexcept {
        return first_moved <= name && name < part.agents();
    }
    /// Of two agents near each other across a border, the one with the larger name has the other,
    /// as a ghost, in lists that have each pair once.
    [[nodiscard]] bool has_across(Id own, Id ghost) const noexcept {
        return own < owned && census.name(ghost) < census.name(own);
    }
    /// Whether a pair is this rank's.
    [[nodiscard]] bool has_pair(Id first, Id second) const noexcept {
        if (is_moved(first) || is_moved(second)) {
            return has_across(std::min(first, second), std::max(first, second));
        }
        return part.index_of(first) < owned;
    }
    /// Whether lists of neighbours need more than what the local grids find by themselves.
    [[nodiscard]] bool lists_across(const Neighbourhood& asked) const noexcept {
        return world.wraps && (asked.later_only || !part.giants().empty() ||
                               part.crowd().size(Sets::statics) != 0);
    }
    /// Whether half lists then need whole ones, because groups say which agents are found.
    [[nodiscard]] bool lists_whole(const Neighbourhood& asked) const noexcept {
        return kind.groups && asked.groups != kAllGroups;
    }
    class ListsAcross; // in lists_across.cpp
    /// Turns `answers`, which is used up, into lists of local ids, with giants and statics across a
    /// border. If it fails or throws, old answers in `hits` are intact.
    Status list_across(const Neighbourhood& asked, Sets sets, Executor& runs_on, Hits& hits);
    /// Adds pairs with giants and statics across a border.
    void add_across(PairSets sets, std::uint32_t groups, Body body, Pairs& pairs) const;
    void keep_owned(const Hits& all, Hits& hits) const;
    void keep_owned(Pairs& pairs) const;

    /// Whether this process may use an executor.
    [[nodiscard]] Status allow(const Executor& wanted) const noexcept {
        if (ranks.allows_threads() || wanted.kind() == ExecutorKind::serial) { return {}; }
        return {Cause::out_of_range, Argument::executor};
    }

    /// Configures a new state.
    Status lay_out(const DistributedSettings<Dim>& wanted);

    /// Part of a collective call: refuses two agents of one name, on any ranks, with
    /// Cause::id_taken. Each name goes to the rank that its hash chooses, which looks for equal
    /// ones.
    Status check_names(const Share<Dim>& mine);

    /// A hash of the next call, which must be equal on all ranks.
    [[nodiscard]] std::uint64_t next_call(DistributedCall call, std::uint64_t more = 0) noexcept {
        ranks.enters(name_of(call));
        Fingerprint all;
        all.add(++calls);
        all.add(static_cast<std::uint64_t>(call));
        all.add(settings);
        all.add(more);
        return all.value();
    }

    /// The status of all ranks for a call; `own` is this rank's.
    Status settle(std::uint64_t call, const Status& own) {
        Agreement agreement(ranks);
        const Status status = agreement.settle(call, own);
        refused_by = agreement.refused_by();
        return status;
    }

    /// Ends a collective call with the sum of one number of each rank.
    Status add_up(DistributedCall call, const Status& own, std::uint64_t number, std::uint64_t more,
                  std::uint64_t& sum);
};

} // namespace throng
