// The nearest giants and statics: centres from their grid, bodies from their tree.
#include "large_elements.hpp"

#include "../../../simd/kernels/tree/tree_seek.hpp"
#include "../../answers/nearest_checks.hpp"
#include "../../core/access.hpp"
#include "../../grid/store/state.hpp"
#include "../../loose_tree/state.hpp"
#include "../../shapes/bounds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace throng {

namespace {

/// The box of a ball, no smaller than that of its ShapeGate.
template <std::size_t Dim>
Box<Dim> bounds_of(const Ball<Dim>& ball) noexcept {
    float size = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        size = std::max(size, std::abs(ball.centre[a]));
    }
    const float reach = ball.radius + margin_of_ball(size + ball.radius);
    return Box<Dim>::around(ball.centre, Point<Dim>::all(reach));
}

/// The nodes in the cells that a box touches, if they are few.
template <std::size_t Dim>
class FewNodes {
public:
    FewNodes(const RowStore<Dim>& store, const Box<Dim>& box) noexcept : store_(store) {
        const GridShape<Dim>& shape = store.shape();
        std::array<std::uint32_t, 3> low{}, high{};
        for (std::size_t a = 0; a < Dim; ++a) {
            low[a] = shape.cell_on(a, box.lo[a]);
            high[a] = shape.cell_on(a, box.hi[a]);
        }
        if (high[1] - low[1] >= kRows || high[2] - low[2] >= kRows) { return; }
        std::size_t nodes = 0;
        for (std::uint32_t z = low[2]; z <= high[2]; ++z) {
            for (std::uint32_t y = low[1]; y <= high[1]; ++y) {
                const simd::Row& row = store.rows()[std::size_t{z} * shape.cells[1] + y];
                if (row.count == 0) { continue; }
                auto span = store.entry_span(row, low[0]);
                if (high[0] != low[0]) { span.end = store.entry_span(row, high[0]).end; }
                if (span.begin == span.end) { continue; }
                nodes += span.end - span.begin;
                parts_[count_++] = {&row, span};
            }
        }
        few_ = nodes <= kNodes;
    }

    [[nodiscard]] explicit operator bool() const noexcept { return few_; }

    /// Calls call(id, position) for each node.
    template <class Call>
    void for_each(const Call& call) const {
        for (const Part& part : std::span(parts_).first(count_)) {
            for (std::uint32_t slot = part.span.begin; slot < part.span.end; ++slot) {
                const NodeWords<Dim> node = store_.node(*part.row, slot);
                call(Id{node[simd::Fields<Dim>::kId]}, position_of<Dim>(node));
            }
        }
    }

private:
    static constexpr std::size_t kRows = 3, kNodes = 64; // at most: rows on an axis, and nodes

    /// Part of a row.
    struct Part {
        const simd::Row* row;
        typename RowStore<Dim>::Span span;
    };
    const RowStore<Dim>& store_;
    std::array<Part, kRows * kRows> parts_;
    std::size_t count_ = 0;
    bool few_ = false;
};

} // namespace

template <std::size_t Dim>
std::size_t LargeElements<Dim>::nearest(const NearestFrom<Dim>& from, const Nearest& nearest,
                                        std::span<Near> out, const Filter& filter) const {
    if (nearest.body != Body::centre) {
        std::fill(out.begin(), out.end(), Near{});
        return merge_bodies(from, nearest, out.first(nearest.k), 0, filter);
    }
    const Point<Dim>& point = from.point;
    // The grid knows slots in the place of names.
    Nearest by_slots = nearest;
    if (nearest.after.distance2 >= 0.0f) { by_slots.after = slot_after(nearest.after); }
    std::size_t count = centres_.nearest(point, by_slots, out, by_slot(filter)).count;
    const std::span<Near> found = out.first(count);
    for (Near& near : found) {
        near.id = names_[near.id];
    }
    if (!indexed_) { return count; }
    // Ties must be broken by name, but the grid breaks them by slot, and after edits these two
    // orders differ. So even which element is the k-th may be wrong.
    std::sort(found.begin(), found.end(), comes_before);
    if (nearest.after.distance2 >= 0.0f) {
        // Elements at the same distance as `after`: the grid was told to leave them out.
        visit_at(point, nearest.after.distance2, filter,
                 [&](const Near& near, const Point<Dim>& at) {
                     if (near.distance2 <= nearest.radius * nearest.radius &&
                         meets(nearest, point, at, near)) {
                         count = throng::merge_nearest(out.first(nearest.k), count, {&near, 1});
                     }
                 });
        // Ties at this distance are settled already, even at the k-th place.
        if (count < nearest.k || out[count - 1].distance2 == nearest.after.distance2) {
            return count;
        }
        return settle_last(point, nearest, out.first(count), filter);
    }
    return count < nearest.k ? count : settle_last(point, nearest, out.first(count), filter);
}

template <std::size_t Dim>
Near LargeElements<Dim>::slot_after(const Near& after) const noexcept {
    if (indexed_) { return {after.distance2, kNoId}; }
    // As there is no index, names ascend.
    const auto past = std::upper_bound(names_.begin(), names_.end(), after.id);
    if (past != names_.begin()) {
        return {after.distance2, static_cast<Id>(past - names_.begin() - 1)};
    }
    // No element at this distance is left out: the search starts after all slots at the next
    // smaller distance.
    return {after.distance2 == 0.0f
                ? -1.0f
                : std::nextafter(after.distance2, -std::numeric_limits<float>::infinity()),
            kNoId};
}

template <std::size_t Dim>
template <class Visit>
void LargeElements<Dim>::visit_at(const Point<Dim>& point, float distance2, const Filter& filter,
                                  const Visit& visit) const {
    if (!(distance2 <= kLargest * kLargest)) { return; }
    (void)centres_.visit(
        Ball<Dim>{point, std::min(radius_over(distance2), kLargest)},
        [&](std::span<const Id> slots) {
            for (const Id slot : slots) {
                const Point<Dim> at = position_of(slot);
                const Near near{distance2_between(point, at), names_[slot]};
                if (near.distance2 == distance2) { visit(near, at); }
            }
            return true;
        },
        by_slot(filter));
}

template <std::size_t Dim>
std::size_t LargeElements<Dim>::settle_last(const Point<Dim>& point, const Nearest& nearest,
                                            std::span<Near> found, const Filter& filter) const {
    visit_at(point, found.back().distance2, filter, [&](const Near& near, const Point<Dim>& at) {
        if (!comes_before(near, found.back()) || !meets(nearest, point, at, near)) { return; }
        const auto slot = std::lower_bound(found.begin(), found.end(), near, comes_before);
        if (slot->id == near.id) { return; }
        std::move_backward(slot, found.end() - 1, found.end());
        *slot = near;
    });
    return found.size();
}

template <std::size_t Dim>
std::size_t LargeElements<Dim>::merge_nearest(const NearestFrom<Dim>& from, const Nearest& nearest,
                                              std::span<Near> best, std::size_t count,
                                              const Filter& filter) const {
    if (is_hopeless(nearest)) { return count; }
    if (nearest.body != Body::centre) { return merge_bodies(from, nearest, best, count, filter); }
    const Point<Dim>& point = from.point;
    // Once `best` is full, its last is often nearer than a cell of the centres is wide. Then a look
    // into the cells takes a fraction of the time of a search.
    const Ball<Dim> ball{point, radius_among(best, count, nearest.radius)};
    const RowStore<Dim>& store = detail::state_of(centres_).store;
    const bool conditional = has_conditions(nearest);
    if (const FewNodes<Dim> nodes(store, bounds_of(ball)); nodes) {
        nodes.for_each([&](Id slot, const Point<Dim>& centre) {
            if (!throng::contains(ball, centre)) { return; }
            const LargeElement<Dim> element = element_in(slot);
            if (!element.passes(filter)) { return; }
            const Near near{distance2_between(point, centre), element.name};
            if (conditional && !meets(nearest, point, centre, near)) { return; }
            count = throng::merge_nearest(best, count, {&near, 1});
        });
        return count;
    }
    return with_room_for(nearest.k, [&](std::span<Near> room) {
        Nearest closer = nearest;
        closer.radius = ball.radius;
        const std::size_t found = this->nearest(point, closer, room, filter);
        return throng::merge_nearest(best, count, room.first(found));
    });
}

/// The best so far, and the limits that they give the tree's search.
template <std::size_t Dim>
struct LargeElements<Dim>::NearBodies {
    const LargeElements& set;
    const NearestFrom<Dim>& from;
    const Nearest& nearest;
    const Filter& filter;
    std::span<Near> best;
    std::size_t count;
    double beyond; ///< how far a body may be beyond the box that the tree knows

    /// The limit for boxes that may hold one of the best.
    [[nodiscard]] float limit() const noexcept {
        const double reach = radius_among(best, count, nearest.radius) + beyond;
        return simd::limit_within(reach * (1.0 + 0x1p-18));
    }
    static float test(void* context, std::uint32_t slot) noexcept {
        auto& self = *static_cast<NearBodies*>(context);
        const LargeElement<Dim> element = self.set.element_in(slot);
        if (!element.passes(self.filter)) { return self.limit(); }
        const Near near{
            self.from.distance2_to(self.nearest.body, element.position, element.half_extent),
            element.name};
        const float radius = self.nearest.radius;
        if (near.distance2 <= radius * radius &&
            meets(self.nearest, self.from.point, element.position, near)) {
            self.count = throng::merge_nearest(self.best, self.count, {&near, 1});
        }
        return self.limit();
    }
};

template <std::size_t Dim>
std::size_t LargeElements<Dim>::merge_bodies(const NearestFrom<Dim>& from, const Nearest& nearest,
                                             std::span<Near> best, std::size_t count,
                                             const Filter& filter) const noexcept {
    const auto& tree = detail::state_of(tree_).tree;
    if (tree.size() == 0 || best.empty()) { return count; }
    const simd::TreeView<Dim>& view = tree.view();
    // Discs may stick out of boxes, boxes are rounded as coordinates are, and the body that asks is
    // nearer than its centre by its own size.
    double out2 = 0.0, own2 = 0.0, size = 0.0;
    simd::NearSeek<Dim> seek;
    const bool discs = nearest.body == Body::disc;
    for (std::size_t a = 0; a < Dim; ++a) {
        seek.point[a] = from.point[a];
        const double out = discs ? view.disc[a] : 0.0f;
        out2 += out * out;
        const double own = discs && a != 0 ? 0.0f : from.half_extent[a];
        own2 += own * own;
        size += std::abs(from.point[a]) + 4.0 * (largest_[a] + double{from.half_extent[a]});
    }
    NearBodies bodies = {*this,
                         from,
                         nearest,
                         filter,
                         best,
                         count,
                         std::sqrt(out2) + std::sqrt(own2) + size * 0x1p-20};
    simd::seek_in_tree(view, seek, {}, bodies.limit(), {&bodies, NearBodies::test});
    return bodies.count;
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template std::size_t LargeElements<Dim>::nearest(const NearestFrom<Dim>&, const Nearest&,      \
                                                     std::span<Near>, const Filter&) const;        \
    template std::size_t LargeElements<Dim>::merge_bodies(const NearestFrom<Dim>&, const Nearest&, \
                                                          std::span<Near>, std::size_t,            \
                                                          const Filter&) const noexcept;           \
    template Near LargeElements<Dim>::slot_after(const Near&) const noexcept;                      \
    template std::size_t LargeElements<Dim>::settle_last(const Point<Dim>&, const Nearest&,        \
                                                         std::span<Near>, const Filter&) const;    \
    template std::size_t LargeElements<Dim>::merge_nearest(const NearestFrom<Dim>&,                \
                                                           const Nearest&, std::span<Near>,        \
                                                           std::size_t, const Filter&) const;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
