// Questions to a static tree: hands them to the kernels, and the kernels' ids to the caller.
#include "static_tree.hpp"

#include "../simd/tree_pairs.hpp"
#include "../simd/tree_walk.hpp"
#include "question_blocks.hpp"
#include "static_tree_state.hpp"
#include "walk_hits.hpp"

#include <algorithm>
#include <array>

namespace throng {

namespace {

/// Ids on their way to a visitor, or to a buffer with no room to spare; pairs too.
constexpr std::size_t kBuffer = 1024;

/// A filter that cannot leave anybody out is none.
template <std::size_t Dim>
simd::LeaveOut leave_out(const EditedTree<Dim>& tree, const Filter& filter) noexcept {
    simd::LeaveOut out;
    if (tree.store().kind.groups) { out.groups = filter.groups; }
    if (tree.contains(filter.without)) { out.without = filter.without; }
    return out;
}

} // namespace

/// The questions themselves, for every shape alike.
template <std::size_t Dim>
struct StaticTree<Dim>::Asking {
    template <simd::Form form, class Shape>
    static Found tally(const State& state, const Shape& shape, const Filter& filter) noexcept {
        const Phase::Reading reading(state.phase);
        const Status status = first_fault(std::span<const Shape>(&shape, 1));
        if (!status.ok() || state.has_nobody_for(filter.groups)) { return {0, status}; }
        BlockOf<Shape> block;
        put(block, 0, shape);
        const simd::TreeView<Dim>& view = state.tree.view();
        simd::Walk walk;
        simd::walk_tree<form>(view, block, leave_out(state.tree, filter), walk);
        return {form == simd::Form::any ? std::min<std::uint64_t>(walk.hits, 1) : walk.hits, {}};
    }

    template <class Shape>
    static Found query(const State& state, const Shape& shape, std::span<Id> out,
                       const Filter& filter) noexcept {
        const Phase::Reading reading(state.phase);
        const Status status = first_fault(std::span<const Shape>(&shape, 1));
        if (!status.ok() || state.has_nobody_for(filter.groups)) { return {0, status}; }
        BlockOf<Shape> block;
        put(block, 0, shape);
        const simd::TreeView<Dim>& view = state.tree.view();
        const simd::LeaveOut left_out = leave_out(state.tree, filter);
        std::array<Id, 4 * simd::kSlack> last;
        return {write_hits(
                    [&]<simd::Form form>(simd::Walk& walk) {
                        return simd::walk_tree<form>(view, block, left_out, walk);
                    },
                    out, last),
                {}};
    }

    template <class Shape>
    static Found visit(const State& state, const Shape& shape, IndexVisitor visitor,
                       const Filter& filter, std::size_t most) {
        const Phase::Reading reading(state.phase);
        const Status status = first_fault(std::span<const Shape>(&shape, 1));
        if (!status.ok() || state.has_nobody_for(filter.groups)) { return {0, status}; }
        BlockOf<Shape> block;
        put(block, 0, shape);
        const simd::TreeView<Dim>& view = state.tree.view();
        const simd::LeaveOut left_out = leave_out(state.tree, filter);
        std::array<Id, kBuffer> buffer;
        // A kernel wants room for a leaf, whoever wants shorter runs.
        const std::size_t room = std::clamp(most, 2 * simd::kSlack, kBuffer);
        const std::size_t longest = std::max<std::size_t>(most, 1);
        simd::Walk walk;
        std::size_t found = 0;
        for (bool done = false; !done;) {
            walk.out = buffer.data();
            walk.end = buffer.data() + room;
            done = simd::walk_tree<simd::Form::ids>(view, block, left_out, walk);
            std::span<const Id> ids(buffer.data(), walk.out);
            while (!ids.empty()) {
                const std::span<const Id> run = ids.first(std::min(ids.size(), longest));
                found += run.size();
                if (!visitor(run)) { return {found, {}}; }
                ids = ids.subspan(run.size());
            }
        }
        return {found, {}};
    }

    template <class Shape>
    static Status query_all(const State& state, std::span<const Shape> shapes, Hits& hits,
                            const Filter& filter) {
        const Phase::Reading reading(state.phase);
        const Status status = first_fault(shapes);
        if (!status.ok()) { return status; }
        hits.offsets.resize(shapes.size() + 1);
        hits.offsets[0] = 0;
        if (state.has_nobody_for(filter.groups)) {
            std::fill(hits.offsets.begin(), hits.offsets.end(), 0);
            return {};
        }
        const simd::TreeView<Dim>& view = state.tree.view();
        const simd::LeaveOut left_out = leave_out(state.tree, filter);
        answer_all(shapes, hits, [&](const auto& block, std::size_t count, simd::BatchOutput& out) {
            return select_block(view, block, count, left_out, out);
        });
        return {};
    }

private:
    template <class Block>
    static std::size_t select_block(const simd::TreeView<Dim>& view, const Block& block,
                                    std::size_t count, const simd::LeaveOut& left_out,
                                    simd::BatchOutput& out) noexcept {
        if constexpr (Block::kQueries > 1) {
            return simd::select_tree(view, block, count, left_out, out);
        } else {
            return select_one(
                [&]<simd::Form form>(simd::Walk& walk) {
                    return simd::walk_tree<form>(view, block, left_out, walk);
                },
                out);
        }
    }
};

template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found StaticTree<Dim>::query(const Shape& shape, std::span<Id> out, const Filter& filter) const {
    return Asking::query(*state_, shape, out, filter);
}
template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Status StaticTree<Dim>::query_all(std::span<const Shape> shapes, Hits& hits,
                                  const Filter& filter) const {
    return Asking::query_all(*state_, shapes, hits, filter);
}
template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found StaticTree<Dim>::visit(const Shape& shape, IndexVisitor visitor, const Filter& filter,
                             std::size_t most) const {
    return Asking::visit(*state_, shape, visitor, filter, most);
}
template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found StaticTree<Dim>::count(const Shape& shape, const Filter& filter) const {
    return Asking::template tally<simd::Form::count>(*state_, shape, filter);
}
template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found StaticTree<Dim>::any(const Shape& shape, const Filter& filter) const {
    return Asking::template tally<simd::Form::any>(*state_, shape, filter);
}

template <std::size_t Dim>
Found StaticTree<Dim>::visit_pairs(IndexPairVisitor visitor, std::uint32_t groups) const {
    const Phase::Reading reading(state_->phase);
    if (state_->has_nobody_for(groups)) { return {}; }
    const simd::TreeView<Dim>& view = state_->tree.view();
    std::array<Id, kBuffer> first;
    std::array<Id, kBuffer> second;
    static_assert(kBuffer >= 2 * simd::kTreePairs);
    simd::TreePairsAt at;
    std::size_t found = 0;
    for (bool done = false; !done;) {
        simd::PairsOutput out = {first.data(), second.data(), kBuffer, 0};
        done = simd::list_tree_pairs(view, groups, at, out);
        found += out.used;
        if (out.used != 0 && !visitor({first.data(), out.used}, {second.data(), out.used})) {
            break;
        }
    }
    return {found, {}};
}

template Found StaticTree<2>::visit_pairs(IndexPairVisitor, std::uint32_t) const;
template Found StaticTree<3>::visit_pairs(IndexPairVisitor, std::uint32_t) const;
#define THRONG_FOR_SHAPE(Shape, Dim)                                                               \
    template Found StaticTree<Dim>::query(const Shape<Dim>&, std::span<Id>, const Filter&) const;  \
    template Status StaticTree<Dim>::query_all(std::span<const Shape<Dim>>, Hits&, const Filter&)  \
        const;                                                                                     \
    template Found StaticTree<Dim>::visit(const Shape<Dim>&, IndexVisitor, const Filter&,          \
                                          std::size_t) const;                                      \
    template Found StaticTree<Dim>::count(const Shape<Dim>&, const Filter&) const;                 \
    template Found StaticTree<Dim>::any(const Shape<Dim>&, const Filter&) const;
THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_SHAPE

} // namespace throng
