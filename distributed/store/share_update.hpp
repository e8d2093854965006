// One update of a distributed grid, on one rank. Internal to distributed/.
#pragma once

#include "state.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace throng {

/// Calls call(size), with a constant for usual sizes: copying an element is then an instruction or
/// two.
template <class Call>
void with_size(std::size_t bytes, const Call& call) {
    switch (bytes) {
    case 4:
        return call(std::integral_constant<std::size_t, 4>());
    case 8:
        return call(std::integral_constant<std::size_t, 8>());
    case 12:
        return call(std::integral_constant<std::size_t, 12>());
    case 16:
        return call(std::integral_constant<std::size_t, 16>());
    default:
        return call(bytes);
    }
}

/// An update looks where all agents are; packs the parcels while it agrees with the other ranks
/// that nothing is wrong; exchanges the parcels; merges the agents that stay and come; sorts these
/// into the local grid, and agrees once more before anything is replaced.
///
/// From the first agreement on, a rank takes part in every step, whatever goes wrong here: it sends
/// empty parcels, and refuses in the second agreement.
template <std::size_t Dim>
class ShareUpdate {
public:
    using State = typename DistributedGrid<Dim>::State;

    ShareUpdate(State& state, Share<Dim>& mine, Executor& executor) noexcept
        : state_(state), layout_(state.next_layout != nullptr ? *state.next_layout : state.layout),
          mine_(mine), executor_(executor) {}
    ShareUpdate(const ShareUpdate&) = delete;
    ShareUpdate& operator=(const ShareUpdate&) = delete;
    /// Undoes an update that has begun and not ended.
    ~ShareUpdate();

    Status run();

private:
    /// A target is the number of a neighbour in the layout, or this bit and any rank.
    static constexpr std::uint32_t kStranger = 1u << 31;

    /// An agent that another rank owns from now on. `at` is its place in the order of ids.
    struct Leaver {
        std::size_t at;
        std::uint32_t to; ///< a target
    };
    struct Copy {
        Id agent;
        std::uint32_t to; ///< a target
    };
    /// A ghost beyond a border of a periodic world.
    struct MovedCopy {
        Copy copy;
        Point<Dim> place;
    };
    /// An agent that was outside of a periodic world, and its place there.
    struct Outsider {
        Id agent;
        Point<Dim> place;
    };
    /// What look_at() found in a block of agents.
    struct Seen {
        Vector<Leaver> leavers;
        Vector<Copy> copies;
        Vector<MovedCopy> moved;
        Vector<Outsider> outsiders;
        Status fault;
    };
    /// Agents in a parcel from another rank, or leavers of this rank that stay near, as its ghosts.
    struct Source {
        const std::byte* bytes = nullptr; ///< past the head
        std::size_t movers = 0, ghosts = 0;
        std::size_t moved = 0; ///< so many of the ghosts, the last ones, are beyond a border
    };
    /// Elements first ... past - 1 of those of a source.
    struct Range {
        std::size_t first, past;
    };
    /// The elements of an array in a source.
    struct Part {
        const std::byte* movers;
        const std::byte* ghosts;
    };
    /// How an array is changed to the next one.
    struct NextArray {
        bool in_place = false;
        Vector<std::byte> saved; ///< elements that undoing needs
    };
    /// An arriving agent or ghost.
    struct Newcomer {
        GlobalId id;
        std::uint32_t source, index;
        friend bool operator<(const Newcomer& a, const Newcomer& b) noexcept { return a.id < b.id; }
    };
    /// The place to which an element of a source goes.
    struct Arriving {
        Id to;
        std::uint32_t source, index;
    };
    /// Elements that stay on this rank, next to each other.
    struct Run {
        Id from, to;
        std::uint32_t count;
    };

    // share_update.cpp: finds where all agents are.
    [[nodiscard]] Status look();
    [[nodiscard]] Status put_in_order();
    void look_at(std::size_t block, Seen& seen) const;
    void wrap(std::size_t at, std::size_t past, Seen& seen) const;
    void look_along(std::size_t at, std::size_t past, Seen& seen) const;
    [[nodiscard]] Status look_closely(std::size_t at, Seen& seen) const;
    void copy_across(Id id, Seen& seen) const;
    void copy_giant(std::size_t at, Seen& seen) const;
    [[nodiscard]] std::uint32_t target(std::uint32_t rank) const noexcept;
    [[nodiscard]] Outgoing<Dim>& to(std::uint32_t target);
    [[nodiscard]] std::uint64_t layout();

    // share_parcels.cpp: sends and receives.
    [[nodiscard]] Status pack();
    void pack(Outgoing<Dim>& out);
    Status exchange(bool routed);
    [[nodiscard]] Status unpack(std::uint32_t from, std::span<const std::byte> bytes);

    // share_merge.cpp: lists this rank's next agents and ghosts.
    [[nodiscard]] Status merge();
    void find_parts();
    template <class RangeOf>
    void list(const std::byte* Part::*part, const RangeOf& range_of);
    void merge_owned();
    void merge_ghosts();
    void add_own(std::size_t from, std::size_t to);
    void add(Id first, std::size_t count);
    void widen_window();
    [[nodiscard]] Status commit(std::uint64_t call);

    // share_copy.cpp: changes the arrays to the next agents and ghosts.
    [[nodiscard]] Status begin_arrays();
    void end_arrays() noexcept;
    [[nodiscard]] bool may_stay(const detail::ShareArray& array) const noexcept;
    [[nodiscard]] bool grid_reads(const detail::ShareArray& array) const noexcept;
    [[nodiscard]] LoopCost cost_of_arrays() const noexcept;
    void copy(std::size_t which);
    void move(std::size_t which) noexcept;
    void move_runs(std::byte* data, std::size_t bytes, bool back) const noexcept;
    void add_newcomers(std::byte* data, std::size_t which) const noexcept;
    void save(std::size_t which);
    void put_back(std::size_t which) noexcept;

    /// The local id of the agent at place `at` in the order of ids.
    [[nodiscard]] Id agent(std::size_t at) const noexcept {
        if (!order_.empty()) { return order_[at]; }
        return static_cast<Id>(at < mine_.owned_ ? at : at + mine_.ghosts_);
    }
    [[nodiscard]] std::size_t agents() const noexcept { return mine_.ids.size() - mine_.ghosts_; }
    template <class Call>
    void for_each_array(const Call& call) {
        mine_.for_each_array(state_.kind.own_half_extents, state_.kind.groups, call);
    }

    State& state_;
    Layout<Dim>& layout_; ///< the layout after this update
    Share<Dim>& mine_;
    Executor& executor_;

    Vector<Id> order_; ///< local ids in the order of ids; empty if that is the order already
    Vector<Seen> seen_;
    std::vector<Outgoing<Dim>> strangers_; ///< by rank
    Outgoing<Dim> staying_;    ///< ghosts of this rank: leavers that stay near, and across a border
    Vector<std::size_t> left_; ///< places of leavers in the order of ids, ascending

    std::vector<Arrival> routed_;
    Vector<Source> sources_;
    std::vector<detail::ShareArray*> arrays_;
    Vector<Part> parts_;             ///< for each array, by source
    Vector<Newcomer> come_, merged_; ///< scratch
    Vector<Run> runs_;
    Vector<Arriving> movers_, ghosts_;
    std::size_t next_owned_ = 0, next_ghosts_ = 0, next_moved_ = 0;
    Vector<NextArray> new_;  ///< for each array
    std::size_t had_ = 0;    ///< agents and ghosts before the update
    bool moved_ = false;     ///< arrays that the grid reads and that stay in place have moved
    bool unchanged_ = false; ///< no array needs to change
    bool widened_ = false;
    bool done_ = false; ///< nothing is to be undone
    Brick<Dim> next_window_{};
};

} // namespace throng
