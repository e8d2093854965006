// One update of a distributed grid, on one rank. Internal to distributed/.
#pragma once

#include "state.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace throng {

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
        : state_(state), mine_(mine), executor_(executor) {}

    Status run();

private:
    /// Agents of another rank, by their place among the agents of this one in the order of ids.
    struct Leaver {
        std::size_t at;
        std::uint32_t to;
    };
    struct Copy {
        Id agent;
        std::uint32_t to;
    };
    /// What a block of agents comes to.
    struct Seen {
        Vector<Leaver> leavers;
        Vector<Copy> ghosts;
        Status fault;
    };
    /// What has come from a rank, or, first of all, what was here.
    struct Source {
        const std::byte* bytes = nullptr; ///< behind the head; null: the arrays of this rank
        std::size_t movers = 0, ghosts = 0;
    };
    /// Somebody new: an element of a source.
    struct Newcomer {
        GlobalId id;
        std::uint32_t source, index;
        friend bool operator<(const Newcomer& a, const Newcomer& b) noexcept { return a.id < b.id; }
    };
    /// Elements of a source that stay next to each other.
    struct Run {
        std::uint32_t source, first;
        std::size_t count;
    };

    // share_update.cpp: where all agents are.
    [[nodiscard]] Status look();
    [[nodiscard]] Status check_arrays();
    [[nodiscard]] Status put_in_order();
    void find_inner();
    void look_at(std::size_t block, Seen& seen) const;
    [[nodiscard]] Status look_closely(std::size_t at, Seen& seen) const;
    [[nodiscard]] Outgoing& to(std::uint32_t rank);
    [[nodiscard]] std::uint64_t layout();

    // share_parcels.cpp: what goes, and what comes.
    [[nodiscard]] Status pack();
    void pack(Outgoing& out);
    Status exchange(bool routed);
    [[nodiscard]] Status unpack(std::span<const Arrival> arrivals);

    // share_merge.cpp: what this rank will have.
    [[nodiscard]] Status merge();
    void merge_owned();
    void merge_ghosts();
    void add_own(std::size_t from, std::size_t to);
    void add(std::uint32_t source, std::uint32_t first, std::size_t count);
    void copy(detail::ShareArray& array, std::size_t which);
    [[nodiscard]] Status widen_window();
    [[nodiscard]] Status commit(std::uint64_t call);

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
    Share<Dim>& mine_;
    Executor& executor_;

    Vector<Id> order_; ///< agents by id; empty if they are in order
    /// Whoever is within these bounds stays, and is a ghost nowhere.
    std::array<float, Dim> inner_low_{}, inner_high_{};
    Vector<Seen> seen_;
    std::vector<Outgoing> strangers_; ///< by rank
    Vector<Id> own_ghosts_;           ///< agents that leave and stay near
    Vector<std::size_t> left_;        ///< places of leavers, ascending

    std::vector<Arrival> routed_;
    Vector<Source> sources_;
    Vector<Run> runs_;
    std::size_t next_owned_ = 0, next_ghosts_ = 0, came_ = 0;
    bool unchanged_ = false; ///< the arrays may stay as they are
    bool widened_ = false;
    Brick<Dim> next_window_{};
};

} // namespace throng
