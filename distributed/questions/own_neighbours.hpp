// The nearest neighbours of the agents of a rank. Internal to distributed/.
#pragma once

#include "../../engine/agents/nearest.hpp"
#include "../../engine/memory/vector.hpp"
#include "../global_answers.hpp"
#include "rank_view.hpp"
#include "rounds.hpp"

#include <cstddef>
#include <span>

namespace throng {

/// The nearest neighbours of a rank's own agents, as far as known here, and the agents to ask other
/// ranks about.
template <std::size_t Dim>
class OwnNeighbours {
public:
    OwnNeighbours(const NearestNeighbours& nearest, float reach) noexcept
        : nearest_(nearest), reach_(reach) {}

    Status look(RankView<Dim>& here);
    /// Looks among giants and statics for the neighbours of the doubtful.
    Status look_at_large(RankView<Dim>& here);
    [[nodiscard]] std::size_t doubtful() const noexcept { return doubtful_.size(); }
    Status ask(RankView<Dim>& here, Rounds& rounds);

    GlobalNearHits hits;

private:
    /// The question for each doubtful agent.
    [[nodiscard]] GlobalNearest each() const noexcept {
        return {nearest_.k, nearest_.radius, nearest_.least, nearest_.band};
    }
    [[nodiscard]] bool is_sure(RankView<Dim>& here, const Point<Dim>& place,
                               std::span<Near> near) const noexcept;
    [[nodiscard]] bool is_sure_across(const RankView<Dim>& here, const Point<Dim>& place,
                                      std::span<Near> near) const noexcept;
    void find_homes(RankView<Dim>& here);

    const NearestNeighbours nearest_;
    const float reach_;
    Vector<Point<Dim>> own_places_; ///< of all agents of this rank
    /// For each ghost beyond a border the agent that it is a ghost of, if that is this rank's.
    /// Empty if giants, statics or conditions on distances leave no agent near a border sure.
    Vector<Id> homes_;
    Vector<Id> doubtful_; ///< local ids of agents to ask other ranks about
    Vector<Point<Dim>> places_;
    Vector<GlobalFilter> filters_;
    GlobalNearHits answers_;
};

extern template class OwnNeighbours<2>;
extern template class OwnNeighbours<3>;

} // namespace throng
