// The nearest giants and statics: from the grid of their centres.
#include "large_elements.hpp"

#include "../core/access.hpp"
#include "../grid/state.hpp"
#include "../shapes/bounds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
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

    /// Calls body(id, position) for each node.
    template <class Body>
    void for_each(const Body& body) const {
        for (const Part& part : std::span(parts_).first(count_)) {
            for (std::uint32_t slot = part.span.begin; slot < part.span.end; ++slot) {
                const NodeWords<Dim> node = store_.node(*part.row, slot);
                body(Id{node[simd::Fields<Dim>::kId]}, position_of<Dim>(node));
            }
        }
    }

private:
    static constexpr std::size_t kRows = 3, kNodes = 64; // rows on an axis

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
std::size_t LargeElements<Dim>::nearest(const Point<Dim>& point, const Nearest& nearest,
                                        std::span<Near> out, const Filter& filter) const {
    std::size_t count = centres_.nearest(point, nearest, out, by_slot(filter)).count;
    const std::span<Near> found = out.first(count);
    for (Near& near : found) {
        near.id = names_[near.id];
    }
    if (!indexed_) { return count; }
    // Ties go by name, but the grid breaks them by slot, and edits have mixed up the two
    // orders: this matters for the last of k too.
    std::sort(found.begin(), found.end(), comes_before);
    if (count < nearest.k) { return count; }
    const float farthest = found.back().distance2;
    (void)centres_.visit(
        Ball<Dim>{point, radius_over(farthest)},
        [&](std::span<const Id> slots) {
            for (const Id slot : slots) {
                const Near near{distance2_between(point, position_of(slot)), names_[slot]};
                if (near.distance2 != farthest || !comes_before(near, found.back())) { continue; }
                const auto at = std::lower_bound(found.begin(), found.end(), near, comes_before);
                if (at->id == near.id) { continue; }
                std::move_backward(at, found.end() - 1, found.end());
                *at = near;
            }
            return true;
        },
        by_slot(filter));
    return count;
}

template <std::size_t Dim>
std::size_t LargeElements<Dim>::merge_nearest(const Point<Dim>& point, const Nearest& nearest,
                                              std::span<Near> best, std::size_t count,
                                              const Filter& filter) const {
    // Once there are k, the last of them is often nearer than a cell of the centres is wide. Then a
    // look into the cells takes a fraction of what a search takes.
    const Ball<Dim> ball{point, radius_among(best, count, nearest.radius)};
    const RowStore<Dim>& store = detail::state_of(centres_).store;
    if (const FewNodes<Dim> nodes(store, bounds_of(ball)); nodes) {
        nodes.for_each([&](Id slot, const Point<Dim>& centre) {
            if (!throng::contains(ball, centre)) { return; }
            const LargeElement<Dim> element = element_in(slot);
            if (!element.passes(filter)) { return; }
            const Near near{distance2_between(point, centre), element.name};
            count = throng::merge_nearest(best, count, {&near, 1});
        });
        return count;
    }
    return with_room_for(nearest.k, [&](std::span<Near> room) {
        const std::size_t found = this->nearest(point, {nearest.k, ball.radius}, room, filter);
        return throng::merge_nearest(best, count, room.first(found));
    });
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template std::size_t LargeElements<Dim>::nearest(const Point<Dim>&, const Nearest&,            \
                                                     std::span<Near>, const Filter&) const;        \
    template std::size_t LargeElements<Dim>::merge_nearest(                                        \
        const Point<Dim>&, const Nearest&, std::span<Near>, std::size_t, const Filter&) const;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
