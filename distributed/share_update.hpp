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

/// Calls call(size), with a constant where elements have a usual size: to copy one is then an
/// instruction or two.
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

/// In order: looks where all agents are; agrees with the other ranks that nothing is wrong, while
/// the parcels are packed; exchanges them; puts together what this rank will have; sorts that into
/// the local grid, and agrees once more before anything is replaced.
///
/// From the first agreement on a rank takes part in all that follows, whatever goes wrong here: it
/// sends parcels with nothing in them, and refuses in the second.
template <std::size_t Dim>
class ShareUpdate {
public:
    using State = typename DistributedGrid<Dim>::State;

    ShareUpdate(State& state, Share<Dim>& mine, Executor& executor) noexcept
        : state_(state), layout_(state.next_layout != nullptr ? *state.next_layout : state.layout),
          mine_(mine), executor_(executor) {}
    ShareUpdate(const ShareUpdate&) = delete;
    ShareUpdate& operator=(const ShareUpdate&) = delete;
    /// Undoes what an update has begun that has not come to its end.
    ~ShareUpdate();

    Status run();

private:
    /// Where something goes: the number of a neighbour, or this and another rank.
    static constexpr std::uint32_t kStranger = 1u << 31;

    /// Agents of another rank, by their place among the agents of this one in the order of ids.
    struct Leaver {
        std::size_t at;
        std::uint32_t to; ///< a target
    };
    struct Copy {
        Id agent;
        std::uint32_t to; ///< a target
    };
    /// What a block of agents comes to.
    struct Seen {
        Vector<Leaver> leavers;
        Vector<Copy> copies;
        Status fault;
    };
    /// What has come from a rank, or what stays here of those who leave.
    struct Source {
        const std::byte* bytes = nullptr; ///< behind the head
        std::size_t movers = 0, ghosts = 0;
    };
    /// Where a source has the elements of an array.
    struct Part {
        const std::byte* movers;
        const std::byte* ghosts;
    };
    /// How an array becomes the next one.
    struct NextArray {
        bool in_place = false;
        Vector<std::byte> saved; ///< what it takes to undo that
    };
    /// An agent that comes, or a ghost.
    struct Newcomer {
        GlobalId id;
        std::uint32_t source, index;
        friend bool operator<(const Newcomer& a, const Newcomer& b) noexcept { return a.id < b.id; }
    };
    /// Where an element of a source goes.
    struct Arriving {
        Id to;
        std::uint32_t source, index;
    };
    /// Elements of this rank that stay next to each other.
    struct Run {
        Id from, to;
        std::uint32_t count;
    };

    // share_update.cpp: where all agents are.
    [[nodiscard]] Status look();
    [[nodiscard]] Status put_in_order();
    void look_at(std::size_t block, Seen& seen) const;
    void look_along(std::size_t at, std::size_t past, Seen& seen) const;
    [[nodiscard]] Status look_closely(std::size_t at, Seen& seen) const;
    void copy_giant(std::size_t at, Seen& seen) const;
    [[nodiscard]] std::uint32_t target(std::uint32_t rank) const noexcept;
    [[nodiscard]] Outgoing& to(std::uint32_t target);
    [[nodiscard]] std::uint64_t layout();

    // share_parcels.cpp: what goes, and what comes.
    [[nodiscard]] Status pack();
    void pack(Outgoing& out);
    Status exchange(bool routed);
    [[nodiscard]] Status unpack(std::uint32_t from, std::span<const std::byte> bytes);

    // share_merge.cpp: what this rank will have.
    [[nodiscard]] Status merge();
    void find_parts();
    void list(std::size_t Source::*count, const std::byte* Part::*part);
    void merge_owned();
    void merge_ghosts();
    void add_own(std::size_t from, std::size_t to);
    void add(Id first, std::size_t count);
    void widen_window();
    [[nodiscard]] Status commit(std::uint64_t call);

    // share_copy.cpp: the arrays of that.
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

    /// The local id of the agent in place `at` of the order of ids.
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
    Layout<Dim>& layout_; ///< that this update is to come to
    Share<Dim>& mine_;
    Executor& executor_;

    Vector<Id> order_; ///< agents by id; empty if they are in order
    Vector<Seen> seen_;
    std::vector<Outgoing> strangers_; ///< by rank
    Outgoing staying_;                ///< agents that leave and stay near: to this rank, as ghosts
    Vector<std::size_t> left_;        ///< places of leavers, ascending

    std::vector<Arrival> routed_;
    Vector<Source> sources_;
    std::vector<detail::ShareArray*> arrays_;
    Vector<Part> parts_;             ///< of each array, by source
    Vector<Newcomer> come_, merged_; ///< scratch
    Vector<Run> runs_;
    Vector<Arriving> movers_, ghosts_;
    std::size_t next_owned_ = 0, next_ghosts_ = 0;
    Vector<NextArray> new_;  ///< of each array
    std::size_t had_ = 0;    ///< agents and ghosts before
    bool moved_ = false;     ///< the arrays that the grid reads and that stay in place
    bool unchanged_ = false; ///< the arrays may stay as they are
    bool widened_ = false;
    Brick<Dim> next_window_{};
};

} // namespace throng
