// The part of a crowd that one of many processes has. Internal to the library.
#pragma once

#include "../../../simd/isa/export.hpp"
#include "../../agents/agents.hpp"
#include "../../agents/found.hpp"
#include "../../agents/grid_shape.hpp"
#include "../../agents/nearest.hpp"
#include "../../agents/world_wrap.hpp"
#include "../../core/executor.hpp"
#include "../../core/function_ref.hpp"
#include "../../core/id.hpp"
#include "../../core/status.hpp"
#include "../../memory/vector.hpp"
#include "../crowd.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace throng {

/// Some of the small agents of a larger crowd, all of its giants and all of its statics.
///
/// Questions are asked of crowd(), where small agents are called by their index in the arrays of
/// the latest update, and giant g by agents() + g. Giants are in the order of keys, so that all
/// parts have them in the same order. Their order in answers depends on the giants alone, as that
/// of a Crowd does after an update.
template <std::size_t Dim>
class THRONG_API CrowdPart {
public:
    /// Forgets all agents. `shape` is `whole`, or a window of it; giants are laid over the whole.
    Status use(const GridShape<Dim>& shape, const GridShape<Dim>& whole,
               const CrowdKind<Dim>& kind);

    /// Crowd::update(); asks `commits` as RowGrid::update() does. Each agent has a key of its own.
    Status update(const Agents<Dim>& agents, std::span<const std::uint64_t> keys,
                  Executor& executor, FunctionRef<Status()> commits);

    /// Shares the statics of another crowd from now on.
    void take_statics(const Crowd<Dim>& from) noexcept;

    [[nodiscard]] const Crowd<Dim>& crowd() const noexcept { return crowd_; }

    /// Hands over the pairs of these sets that overlap only across a border of the world of the
    /// larger crowd, but for those of two small agents. A part's own world does not wrap: small
    /// agents beyond a border are there as others that have moved.
    void visit_pairs_across(const WorldWrap<Dim>& world, PairSets sets, IndexPairVisitor visitor,
                            std::uint32_t groups, Body body) const;
    /// Crowd::nearest() in the world of the larger crowd: agents in this world are found as there.
    /// Of small agents beyond its borders some may be left out, or seem farther.
    Found nearest(const WorldWrap<Dim>& world, const Point<Dim>& point, const Nearest& nearest,
                  std::span<Near> out, const Filter& filter, Sets sets) const;
    /// The largest half extents of giants and statics.
    [[nodiscard]] Point<Dim> largest_of_large() const noexcept;
    /// How many agents the latest update had: the name of the first giant.
    [[nodiscard]] std::size_t agents() const noexcept { return agents_; }
    /// The giants' indices in the arrays of the latest update, in the order of keys.
    [[nodiscard]] std::span<const Id> giants() const noexcept { return giants_; }
    /// The index of an agent, small or giant, by its name; a static keeps its name.
    [[nodiscard]] Id index_of(Id name) const noexcept {
        return name < agents_ || is_static(name) ? name : giants_[name - agents_];
    }
    /// Calls call(index, name) for each giant.
    template <class Call>
    void for_each_giant(const Call& call) const {
        for (std::size_t giant = 0; giant < giants_.size(); ++giant) {
            call(giants_[giant], static_cast<Id>(agents_ + giant));
        }
    }
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    Crowd<Dim> crowd_;
    std::size_t agents_ = 0;
    Vector<Id> giants_, next_giants_;
};

/// The largest half extent of small agents in cells of this shape, on every axis: an agent with a
/// larger one of its own is a giant.
template <std::size_t Dim>
[[nodiscard]] THRONG_API float largest_small(const GridShape<Dim>& shape) noexcept;

extern template class CrowdPart<2>;
extern template class CrowdPart<3>;

} // namespace throng
