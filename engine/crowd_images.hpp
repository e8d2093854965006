// How a crowd is asked whose world is periodic. Internal to the engine.
#pragma once

#include "ask_by_visit.hpp"
#include "crowd_state.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace throng {

/// Every question to a crowd whose world wraps: asked for each image of the shape, set by set, and
/// who is hit by several images is reported once. Borrows the crowd's state.
template <std::size_t Dim>
class Crowd<Dim>::Images : public AskByVisit<typename Crowd<Dim>::Images, Dim> {
public:
    Images(const State& state, Sets sets) noexcept : state_(state), sets_(sets) {}

    template <ShapeIn<Dim> Shape>
    Found visit(const Shape& shape, IndexVisitor visitor, const Filter& filter,
                std::size_t most = kLongestRun) const;

    /// As AskByVisit has it, but sets count where nobody can be hit twice.
    template <ShapeIn<Dim> Shape>
    Found count(const Shape& shape, const Filter& filter) const;

    /// All are looked at before any is asked, as by a crowd that does not wrap.
    template <ShapeIn<Dim> Shape>
    Status query_all(std::span<const Shape> shapes, Hits& hits, const Filter& filter) const;

    template <PathIn<Dim> Path>
    Found first(const Path& path, Meeting& meeting, const Filter& filter) const;
    template <PathIn<Dim> Path>
    Status meetings(const Path& path, std::vector<Meeting>& meetings, const Filter& filter) const;

    Found nearest(const Point<Dim>& point, const Nearest& nearest, std::span<Near> out,
                  const Filter& filter) const;

    /// The pairs that overlap only across a border.
    static Found visit_pairs(const State& state, PairSets sets, PairVisitor visitor,
                             std::uint32_t groups);

    /// Where somebody is, and how large, who must be there.
    [[nodiscard]] static Agent<Dim> agent_of(const RowGrid<Dim>& grid, Id id) noexcept;
    template <class Tree>
    [[nodiscard]] static Agent<Dim> agent_of(const LargeSet<Dim, Tree>& set, Id id) noexcept {
        return set.agent(id);
    }

    /// Whether everybody is in the world.
    [[nodiscard]] static bool all_inside(const State& state) noexcept;

private:
    [[nodiscard]] static const Point<Dim>& largest_of(const RowGrid<Dim>& grid) noexcept;
    template <class Tree>
    [[nodiscard]] static const Point<Dim>& largest_of(const LargeSet<Dim, Tree>& set) noexcept {
        return set.largest();
    }

    class BorderPairs;

    template <class Set, class Near, class Add>
    static bool add_each(const Set& set, const Near& near, const Filter& filter, const Add& add);

    /// Calls ask(set) for every set that is asked and not empty, until it returns false.
    template <class Ask>
    void for_each_set(Ask&& ask) const {
        if (has(sets_, Sets::small) && state_.grid.size() != 0 && !ask(state_.grid)) { return; }
        state_.for_each_large(sets_, ask);
    }

    const State& state_;
    Sets sets_;
};

} // namespace throng
