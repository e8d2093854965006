// Questions to giants and to statics: to their tree, or to the grid of their centres.
#include "large_elements.hpp"

#include "../../agents/body.hpp"
#include "../../core/access.hpp"
#include "../../loose_tree/state.hpp"
#include "../../shapes/agent_test.hpp"
#include "../../shapes/with_shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace throng {

template <std::size_t Dim>
Found LargeElements<Dim>::visit(const ShapesView<Dim>& shape, IndexVisitor visitor,
                                const Filter& filter, std::size_t most) const {
    const auto by_name = [&](std::span<const Id> slots) {
        std::array<Id, kLongestRun> names;
        std::transform(slots.begin(), slots.end(), names.begin(),
                       [&](Id slot) { return names_[slot]; });
        return visitor({names.data(), slots.size()});
    };
    if (finds_centres(shape.kind)) { return centres_.visit(shape, by_name, by_slot(filter)); }
    return tree_.visit(shape, by_name, by_slot(filter), most);
}

template <std::size_t Dim>
Found LargeElements<Dim>::count(const ShapesView<Dim>& shape, const Filter& filter) const {
    return with_index_for(shape.kind,
                          [&](const auto& index) { return index.count(shape, by_slot(filter)); });
}

template <std::size_t Dim>
Found LargeElements<Dim>::any(const ShapesView<Dim>& shape, const Filter& filter) const {
    return with_index_for(shape.kind,
                          [&](const auto& index) { return index.any(shape, by_slot(filter)); });
}

template <std::size_t Dim>
Found LargeElements<Dim>::query(const ShapesView<Dim>& shape, std::span<Id> out,
                                const Filter& filter) const {
    std::size_t seen = 0;
    return visit(
        shape,
        [&](std::span<const Id> run) {
            if (seen < out.size()) {
                std::copy_n(run.data(), std::min(run.size(), out.size() - seen), out.data() + seen);
            }
            seen += run.size();
            return true;
        },
        filter);
}

template <std::size_t Dim>
Box<Dim> LargeElements<Dim>::box_around_disc(const Point<Dim>& centre,
                                             float radius) const noexcept {
    const simd::TreeView<Dim>& view = detail::state_of(tree_).tree.view();
    Box<Dim> box;
    for (std::size_t a = 0; a < Dim; ++a) {
        // Discs may stick out of their boxes, and tests of discs round differently from boxes.
        const double reach = double{radius} + double{view.disc[a]};
        const double size =
            std::abs(double{centre[a]}) + reach + double{largest_[0]} + double{largest_[a]};
        const double wide = reach + size * 0x1p-20 + 1e-18;
        constexpr double kMost = kLargest;
        box.lo[a] = static_cast<float>(std::clamp(centre[a] - wide, -kMost, kMost));
        box.hi[a] = static_cast<float>(std::clamp(centre[a] + wide, -kMost, kMost));
    }
    return box;
}

template <std::size_t Dim>
void LargeElements<Dim>::visit_discs(const Point<Dim>& centre, float radius, IndexVisitor visitor,
                                     std::uint32_t groups) const {
    if (size_ == 0) { return; }
    const auto keep = [&](std::span<const Id> slots) {
        std::array<Id, kLongestRun> names;
        std::size_t count = 0;
        for (const Id slot : slots) {
            names[count] = names_[slot];
            count += discs_overlap(centre, radius, position_of(slot), half_[0][slot]) ? 1 : 0;
        }
        return count == 0 || visitor({names.data(), count});
    };
    (void)tree_.visit(box_around_disc(centre, radius), keep, Filter{groups, kNoId});
}

template <std::size_t Dim>
template <class Visit>
void LargeElements<Dim>::for_each_path_hit(const ShapesView<Dim>& path, const Filter& filter,
                                           const Visit& visit) const {
    with_paths(path, [&]<class Path>(std::span<const Path> paths) {
        const AgentTest<Path> test(paths[0]);
        (void)tree_.visit(
            path,
            [&](std::span<const Id> slots) {
                for (const Id slot : slots) {
                    visit(PathHit{test.time(position_of(slot), half_of(slot)), names_[slot]});
                }
                return true;
            },
            by_slot(filter));
    });
}

template <std::size_t Dim>
PathHit LargeElements<Dim>::first(const ShapesView<Dim>& path, const Filter& filter, PathHit best,
                                  const PathHit& after) const {
    for_each_path_hit(path, filter, [&](const PathHit& hit) {
        if (after < hit) { best = std::min(best, hit); }
    });
    return best;
}

template <std::size_t Dim>
void LargeElements<Dim>::add_hits_after(const PathHit& after, const ShapesView<Dim>& path,
                                        const Filter& filter, simd::HitPage& page) const {
    for_each_path_hit(path, filter, [&](const PathHit& hit) {
        const simd::TimedHit next = {hit.time, hit.id};
        if (after < hit && simd::comes_before(next, page.bound())) { page.add(next); }
    });
}

template <std::size_t Dim>
void LargeElements<Dim>::hits(const ShapesView<Dim>& path, const Filter& filter,
                              std::vector<PathHit>& all) const {
    for_each_path_hit(path, filter, [&](const PathHit& hit) { all.push_back(hit); });
}

template <std::size_t Dim>
std::optional<std::size_t> LargeElements<Dim>::elements_in(ShapeKind kind, const Box<Dim>& box,
                                                           std::span<LargeElement<Dim>> out) const {
    std::size_t count = 0;
    bool fit = true;
    const auto note = [&](std::span<const Id> slots) {
        fit = count + slots.size() <= out.size();
        for (std::size_t i = 0; fit && i < slots.size(); ++i) {
            out[count++] = element_in(slots[i]);
        }
        return fit;
    };
    (void)with_index_for(kind, [&](const auto& index) { return index.visit(box, note); });
    return fit ? std::optional(count) : std::nullopt;
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Box<Dim> LargeElements<Dim>::box_around_disc(const Point<Dim>&, float)                \
        const noexcept;                                                                            \
    template void LargeElements<Dim>::visit_discs(const Point<Dim>&, float, IndexVisitor,          \
                                                  std::uint32_t) const;                            \
    template Found LargeElements<Dim>::visit(const ShapesView<Dim>&, IndexVisitor, const Filter&,  \
                                             std::size_t) const;                                   \
    template Found LargeElements<Dim>::count(const ShapesView<Dim>&, const Filter&) const;         \
    template Found LargeElements<Dim>::any(const ShapesView<Dim>&, const Filter&) const;           \
    template Found LargeElements<Dim>::query(const ShapesView<Dim>&, std::span<Id>, const Filter&) \
        const;                                                                                     \
    template PathHit LargeElements<Dim>::first(const ShapesView<Dim>&, const Filter&, PathHit,     \
                                               const PathHit&) const;                              \
    template void LargeElements<Dim>::add_hits_after(const PathHit&, const ShapesView<Dim>&,       \
                                                     const Filter&, simd::HitPage&) const;         \
    template void LargeElements<Dim>::hits(const ShapesView<Dim>&, const Filter&,                  \
                                           std::vector<PathHit>&) const;                           \
    template std::optional<std::size_t> LargeElements<Dim>::elements_in(                           \
        ShapeKind, const Box<Dim>&, std::span<LargeElement<Dim>>) const;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
