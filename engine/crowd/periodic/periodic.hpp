// Questions to a crowd in a periodic world. Internal to the engine.
#pragma once

#include "../store/state.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace throng {

/// Answers questions to a crowd whose world wraps. It asks with each copy of the shape, and reports
/// an agent that several copies hit only once. Borrows the crowd's state, and the world.
template <std::size_t Dim>
class Crowd<Dim>::State::PeriodicCopies {
public:
    PeriodicCopies(const State& state, Sets sets) noexcept
        : PeriodicCopies(state, sets, state.world) {}
    /// Of a part of a crowd: `world` is that of the whole crowd.
    PeriodicCopies(const State& state, Sets sets, const WorldWrap<Dim>& world) noexcept
        : state_(state), sets_(sets), world_(world) {}

    [[nodiscard]] Status refusal_of(const ShapesView<Dim>& shape) const noexcept;

    Found visit(const ShapesView<Dim>& shape, IndexVisitor visitor, const Filter& filter) const;
    Found query(const ShapesView<Dim>& shape, std::span<Id> out, const Filter& filter) const;
    /// All shapes are checked before any is asked, as by a crowd that does not wrap.
    Status query(const ShapesView<Dim>& shapes, Hits& hits, const Filter& filter) const;
    Found any(const ShapesView<Dim>& shape, const Filter& filter) const;
    Found count(const ShapesView<Dim>& shape, const Filter& filter) const;
    /// Only counts what the shape finds.
    CrowdStats explain(const ShapesView<Dim>& shape, const Filter& filter) const;

    Found first(const ShapesView<Dim>& path, PathHit& hit, const Filter& filter,
                const PathHit& after) const;
    /// As many hits as fit, if there is room for kFewHits and memory to list them; else one.
    Found hits_after(const PathHit& after, const ShapesView<Dim>& path, std::span<PathHit> out,
                     const Filter& filter) const;
    Status hits(const ShapesView<Dim>& path, std::vector<PathHit>& out, const Filter& filter) const;

    Found nearest(const NearestFrom<Dim>& from, const Nearest& nearest, std::span<Near> out,
                  const Filter& filter) const;

    /// Whether copies of a point in the world may find something that its `count` nearest in `best`
    /// lack. Only for centres.
    [[nodiscard]] bool may_gain(const Point<Dim>& home, const Nearest& nearest,
                                std::span<const Near> best, std::size_t count) const noexcept {
        const float room = world_.room_around(home);
        const bool full = count == nearest.k && best.back().distance2 < room * room;
        return !(room > 0.0f && (full || nearest.radius < room));
    }
    /// The copies of a ball.
    [[nodiscard]] NarrowCopies<Dim> around(const Point<Dim>& home, float radius) const noexcept {
        return {world_, home, radius};
    }

    /// Merges what other copies find into the `count` nearest in `best`, which has room for as many
    /// as are wanted, and holds what `home`, a place in the world, finds. Returns how many `best`
    /// has then. The question must have been checked, and have neither `least` nor `after`.
    std::size_t beyond(const NearestFrom<Dim>& home, const Nearest& nearest, std::span<Near> best,
                       std::size_t count, const Filter& filter) const;

    /// Hands over the pairs that overlap only across a border, of one kind, of which the first is
    /// in slices begin ... past - 1 of the grid (small_small), or of which the giant, or else the
    /// static, is in these slots. Returns false if the visitor has enough. The world is the
    /// crowd's, but for a part of a crowd.
    static bool visit_pairs(const State& state, const WorldWrap<Dim>& world, PairSets kind,
                            std::size_t begin, std::size_t past, PairVisitor visitor,
                            std::uint32_t groups, Body body);

    /// Position and extents of an agent, which must be there.
    [[nodiscard]] static Agent<Dim> agent_of(const RowGrid<Dim>& grid, Id id) noexcept;
    [[nodiscard]] static Agent<Dim> agent_of(const LargeElements<Dim>& set, Id id) noexcept {
        return set.agent(id);
    }

    /// Whether all agents and statics are in the world.
    [[nodiscard]] static bool all_inside(const State& state) noexcept;

private:
    Found nearest_anywhere(const NearestFrom<Dim>& from, const Nearest& nearest,
                           std::span<Near> out, const Filter& filter) const;
    [[nodiscard]] static const Point<Dim>& largest_of(const RowGrid<Dim>& grid) noexcept;
    [[nodiscard]] static const Point<Dim>& largest_of(const LargeElements<Dim>& set) noexcept {
        return set.largest();
    }

    class BorderPairs;

    /// If fewer hits of a path are wanted, they are looked for one after another: listing all hits
    /// takes memory, and a search along the whole path.
    static constexpr std::size_t kFewHits = 64;

    /// hits_after() by listing all hits; nullopt if there is no memory for the list.
    [[nodiscard]] std::optional<std::size_t> list_after(const PathHit& after,
                                                        const ShapesView<Dim>& path,
                                                        std::span<PathHit> out,
                                                        const Filter& filter) const;

    /// The sets, which answer one copy.
    [[nodiscard]] PlainSets plain() const noexcept;

    /// Returns the sum of what ask(copy) finds for a shape and each of its copies; nullopt if the
    /// shape is not narrow.
    template <class Ask>
    std::optional<Found> sum_of_narrow(const ShapesView<Dim>& shape, const Ask& ask) const;

    /// Calls ask(set, i) for each copy i and each set that it may hit, copy by copy, until ask()
    /// returns false.
    template <class Near, class Ask>
    void for_each_copy(const Near& near, const Ask& ask) const;

    /// Merges what the copies from number `first` on find into the nearest.
    std::size_t among_copies(std::size_t first, const NearestFrom<Dim>& home,
                             const Nearest& nearest, std::span<Near> best, std::size_t count,
                             const Filter& filter) const;

    template <class Set, class Near>
    static PathHit first_earliest(const Set& set, const Near& near, std::size_t i,
                                  const Filter& filter, const PathHit& best, PathHit after);

    template <class Set, class Near>
    static bool is_earliest(const Set& set, const Near& near, const PathHit& hit) noexcept;

    const State& state_;
    Sets sets_;
    const WorldWrap<Dim>& world_;
};

} // namespace throng
