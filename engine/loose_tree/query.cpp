// Queries to a loose tree: hands them to the kernels, and the kernels' ids to the caller.
#include "loose_tree.hpp"

#include "../../simd/kernels/tree/tree_walk.hpp"
#include "../answers/write_hits.hpp"
#include "../shapes/single_shape.hpp"
#include "state.hpp"

#include <algorithm>
#include <array>

namespace throng {

namespace {

/// Room for ids on their way to a visitor.
constexpr std::size_t kBuffer = 1024;

/// The filter, as kernels take it. Drops `without` if no such agent is in the tree.
template <std::size_t Dim>
simd::KernelFilter kernel_filter_of(const EditedTree<Dim>& tree, const Filter& filter) noexcept {
    simd::KernelFilter out;
    if (tree.store().kind.groups) { out.groups = filter.groups; }
    if (tree.contains(filter.without)) { out.without = filter.without; }
    return out;
}

/// A single query, as kernels take it. Borrows the tree.
template <std::size_t Dim>
struct TreeQuestion {
    const simd::TreeView<Dim>& view;
    simd::KernelFilter kernel_filter;
    AnyBlock<Dim> block;

    TreeQuestion(const EditedTree<Dim>& tree, const ShapesView<Dim>& one,
                 const Filter& filter) noexcept
        : view(tree.view()), kernel_filter(kernel_filter_of(tree, filter)) {
        put_single(block, one);
    }

    /// Continues the query from where the cursor is.
    template <simd::Form form>
    bool ask(simd::QueryCursor& cursor) const noexcept {
        return with_block(block, [&](const auto& of_type) {
            return simd::query_tree<form>(view, of_type, kernel_filter, cursor);
        });
    }
};

template <simd::Form form, std::size_t Dim, class State>
Found tally(const State& state, const ShapesView<Dim>& shape, const Filter& filter) noexcept {
    const AccessCheck::Reading reading(state.access);
    const Status status = check_single(shape);
    if (!status.ok() || state.is_empty_for(filter.groups)) { return {0, status}; }
    simd::QueryCursor cursor;
    TreeQuestion<Dim>(state.tree, shape, filter).template ask<form>(cursor);
    return Found::of(form == simd::Form::any ? std::min<std::uint64_t>(cursor.hits, 1)
                                             : cursor.hits);
}

template <std::size_t Dim>
std::size_t select_block(const simd::TreeView<Dim>& view, const AnyBlock<Dim>& any,
                         std::size_t count, const simd::KernelFilter& kernel_filter,
                         simd::BatchOutput& out) noexcept {
    return with_block(any, [&]<class Block>(const Block& block) {
        if constexpr (Block::kQueries > 1) {
            return simd::query_tree_block(view, block, count, kernel_filter, out);
        } else {
            return select_one(
                [&]<simd::Form form>(simd::QueryCursor& cursor) {
                    return simd::query_tree<form>(view, block, kernel_filter, cursor);
                },
                out);
        }
    });
}

} // namespace

template <std::size_t Dim>
Found LooseTree<Dim>::count(const ShapesView<Dim>& shape, const Filter& filter) const {
    return tally<simd::Form::count>(*state_, shape, filter);
}

template <std::size_t Dim>
Found LooseTree<Dim>::any(const ShapesView<Dim>& shape, const Filter& filter) const {
    return tally<simd::Form::any>(*state_, shape, filter);
}

template <std::size_t Dim>
Found LooseTree<Dim>::query(const ShapesView<Dim>& shape, std::span<Id> out,
                            const Filter& filter) const {
    const AccessCheck::Reading reading(state_->access);
    const Status status = check_single(shape);
    if (!status.ok() || state_->is_empty_for(filter.groups)) { return {0, status}; }
    const TreeQuestion<Dim> question(state_->tree, shape, filter);
    std::array<Id, 4 * simd::kSlack> last;
    return {
        write_hits([&]<simd::Form form>(
                       simd::QueryCursor& cursor) { return question.template ask<form>(cursor); },
                   out, last),
        {}};
}

template <std::size_t Dim>
Found LooseTree<Dim>::visit(const ShapesView<Dim>& shape, IndexVisitor visitor,
                            const Filter& filter, std::size_t most) const {
    const AccessCheck::Reading reading(state_->access);
    const Status status = check_single(shape);
    if (!status.ok() || state_->is_empty_for(filter.groups)) { return {0, status}; }
    const TreeQuestion<Dim> question(state_->tree, shape, filter);
    std::array<Id, kBuffer> buffer;
    // A kernel needs room for a leaf, even where the caller wants shorter runs.
    const std::size_t room = std::clamp(most, 2 * simd::kSlack, kBuffer);
    const std::size_t longest = std::max<std::size_t>(most, 1);
    simd::QueryCursor cursor;
    std::size_t found = 0;
    for (bool done = false; !done;) {
        cursor.out = buffer.data();
        cursor.end = buffer.data() + room;
        done = question.template ask<simd::Form::ids>(cursor);
        std::span<const Id> ids(buffer.data(), cursor.out);
        while (!ids.empty()) {
            const std::span<const Id> run = ids.first(std::min(ids.size(), longest));
            found += run.size();
            if (!visitor(run)) { return {found, {}}; }
            ids = ids.subspan(run.size());
        }
    }
    return {found, {}};
}

template <std::size_t Dim>
Found LooseTree<Dim>::query(const ShapesView<Dim>& shapes, Hits& hits, const Filter& filter) const {
    const AccessCheck::Reading reading(state_->access);
    const Status status = first_fault(shapes);
    if (!status.ok()) { return {0, status}; }
    hits.offsets.resize(shapes.count + 1);
    hits.offsets[0] = 0;
    if (state_->is_empty_for(filter.groups)) {
        std::fill(hits.offsets.begin(), hits.offsets.end(), 0);
        return {};
    }
    const simd::TreeView<Dim>& view = state_->tree.view();
    const simd::KernelFilter kernel_filter = kernel_filter_of(state_->tree, filter);
    answer_all(shapes, hits,
               [&](const AnyBlock<Dim>& block, std::size_t count, simd::BatchOutput& out) {
                   return select_block(view, block, count, kernel_filter, out);
               });
    return Found::of(hits.total());
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Found LooseTree<Dim>::query(const ShapesView<Dim>&, std::span<Id>, const Filter&)     \
        const;                                                                                     \
    template Found LooseTree<Dim>::query(const ShapesView<Dim>&, Hits&, const Filter&) const;      \
    template Found LooseTree<Dim>::visit(const ShapesView<Dim>&, IndexVisitor, const Filter&,      \
                                         std::size_t) const;                                       \
    template Found LooseTree<Dim>::count(const ShapesView<Dim>&, const Filter&) const;             \
    template Found LooseTree<Dim>::any(const ShapesView<Dim>&, const Filter&) const;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
