// Questions to a crowd. PeriodicCopies answers those that have copies in a periodic world,
// PlainSets all others.
#include "../crowd.hpp"

#include "../periodic/sources.hpp"
#include "../store/state.hpp"

#include <algorithm>
#include <cstddef>

namespace throng {

template <std::size_t Dim>
Found Crowd<Dim>::visit(const ShapesView<Dim>& shape, Visitor visitor, const Filter& filter,
                        Sets sets) const {
    const State& state = *state_;
    return state.answer(state.is_plain(shape, sets), sets,
                        [&](const auto& source) { return source.visit(shape, visitor, filter); });
}

// Nearly always the grid has the whole answer; then query(), count() and any() only pass on the
// call.

template <std::size_t Dim>
Found Crowd<Dim>::query(const ShapesView<Dim>& shape, std::span<Id> out, const Filter& filter,
                        Sets sets) const {
    const State& state = *state_;
    const AccessCheck::Reading reading(state.access);
    const bool plain = state.is_plain(shape, sets);
    if (plain && state.only_grid(sets)) { return state.grid.query(shape, out, filter); }
    return state.answer(plain, sets,
                        [&](const auto& source) { return source.query(shape, out, filter); });
}

template <std::size_t Dim>
Found Crowd<Dim>::query(const ShapesView<Dim>& shape, std::vector<Id>& ids, const Filter& filter,
                        Sets sets) const {
    std::size_t filled = 0;
    const auto take = [&](std::span<const Id> run) {
        ids.resize(std::max(ids.size(), filled + run.size()));
        std::copy(run.begin(), run.end(), ids.begin() + static_cast<std::ptrdiff_t>(filled));
        filled += run.size();
        return true;
    };
    const Found found = visit(shape, take, filter, sets);
    if (found.status.ok()) { ids.resize(filled); }
    return found;
}

template <std::size_t Dim>
Found Crowd<Dim>::query(const ShapesView<Dim>& shapes, Hits& hits, const Filter& filter,
                        Sets sets) const {
    const State& state = *state_;
    const Status status = state.answer(!state.world.wraps, sets, [&](const auto& source) {
        return source.query(shapes, hits, filter);
    });
    return Found::of(hits.total(), status);
}

template <std::size_t Dim>
Found Crowd<Dim>::count(const ShapesView<Dim>& shape, const Filter& filter, Sets sets) const {
    const State& state = *state_;
    const AccessCheck::Reading reading(state.access);
    const bool plain = state.is_plain(shape, sets);
    if (plain && state.only_grid(sets)) { return state.grid.count(shape, filter); }
    return state.answer(plain, sets,
                        [&](const auto& source) { return source.count(shape, filter); });
}

template <std::size_t Dim>
Found Crowd<Dim>::any(const ShapesView<Dim>& shape, const Filter& filter, Sets sets) const {
    const State& state = *state_;
    const AccessCheck::Reading reading(state.access);
    const bool plain = state.is_plain(shape, sets);
    if (plain && state.only_grid(sets)) { return state.grid.any(shape, filter); }
    return state.answer(plain, sets, [&](const auto& source) { return source.any(shape, filter); });
}

template <std::size_t Dim>
CrowdStats Crowd<Dim>::explain(const ShapesView<Dim>& shape, const Filter& filter,
                               Sets sets) const {
    const State& state = *state_;
    return state.answer(!state.world.wraps, sets,
                        [&](const auto& source) { return source.explain(shape, filter); });
}

template <std::size_t Dim>
Found Crowd<Dim>::nearest(const Point<Dim>& point, const Nearest& nearest, std::span<Near> out,
                          const Filter& filter, Sets sets) const {
    const State& state = *state_;
    return state.answer(!state.world.wraps, sets, [&](const auto& source) {
        return source.nearest(point, nearest, out, filter);
    });
}

template <std::size_t Dim>
Found Crowd<Dim>::first(const ShapesView<Dim>& path, PathHit& hit, const Filter& filter,
                        Sets sets) const {
    return first_after(kBeforeAllHits, path, hit, filter, sets);
}

template <std::size_t Dim>
Found Crowd<Dim>::first_after(const PathHit& after, const ShapesView<Dim>& path, PathHit& hit,
                              const Filter& filter, Sets sets) const {
    const State& state = *state_;
    return state.answer(state.is_plain(path, sets), sets,
                        [&](const auto& source) { return source.first(path, hit, filter, after); });
}

template <std::size_t Dim>
Found Crowd<Dim>::hits_after(const PathHit& after, const ShapesView<Dim>& path,
                             std::span<PathHit> out, const Filter& filter, Sets sets) const {
    const State& state = *state_;
    return state.answer(state.is_plain(path, sets), sets, [&](const auto& source) {
        return source.hits_after(after, path, out, filter);
    });
}

template <std::size_t Dim>
Found Crowd<Dim>::hits(const ShapesView<Dim>& path, std::vector<PathHit>& out, const Filter& filter,
                       Sets sets) const {
    const State& state = *state_;
    const Status status = state.answer(state.is_plain(path, sets), sets, [&](const auto& source) {
        return source.hits(path, out, filter);
    });
    return Found::of(out.size(), status);
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Found Crowd<Dim>::query(const ShapesView<Dim>&, std::span<Id>, const Filter&, Sets)   \
        const;                                                                                     \
    template Found Crowd<Dim>::query(const ShapesView<Dim>&, std::vector<Id>&, const Filter&,      \
                                     Sets) const;                                                  \
    template Found Crowd<Dim>::query(const ShapesView<Dim>&, Hits&, const Filter&, Sets) const;    \
    template Found Crowd<Dim>::visit(const ShapesView<Dim>&, Visitor, const Filter&, Sets) const;  \
    template Found Crowd<Dim>::count(const ShapesView<Dim>&, const Filter&, Sets) const;           \
    template Found Crowd<Dim>::any(const ShapesView<Dim>&, const Filter&, Sets) const;             \
    template CrowdStats Crowd<Dim>::explain(const ShapesView<Dim>&, const Filter&, Sets) const;    \
    template Found Crowd<Dim>::nearest(const Point<Dim>&, const Nearest&, std::span<Near>,         \
                                       const Filter&, Sets) const;                                 \
    template Found Crowd<Dim>::first(const ShapesView<Dim>&, PathHit&, const Filter&, Sets) const; \
    template Found Crowd<Dim>::first_after(const PathHit&, const ShapesView<Dim>&, PathHit&,       \
                                           const Filter&, Sets) const;                             \
    template Found Crowd<Dim>::hits_after(const PathHit&, const ShapesView<Dim>&,                  \
                                          std::span<PathHit>, const Filter&, Sets) const;          \
    template Found Crowd<Dim>::hits(const ShapesView<Dim>&, std::vector<PathHit>&, const Filter&,  \
                                    Sets) const;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
