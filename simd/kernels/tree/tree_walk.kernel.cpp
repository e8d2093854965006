// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "tree_walk.hpp"

#include "../../search/sinks.hpp"
#include "../../search/tree_search.hpp"
#include "../../shapes/shape_dispatch.hpp"

namespace throng::simd {

/// Passes hits among the agents of leaves to a sink. Tells the search to stop when the sink has
/// enough, or when it may not have room for another leaf: then `next` is that leaf.
template <class Arch, class Shape, class Filter, class Sink, std::size_t Dim>
struct LeafHits {
    const TreeView<Dim>& tree;
    const Shape& shape;
    const Filter& filter;
    Sink& sink;
    bool counts; ///< whether agents that are sure to be hits are only counted, not looked at
    std::uint32_t next = 0;

    [[gnu::always_inline]] bool ready(std::uint32_t n) noexcept {
        if constexpr (requires { sink.room(); }) {
            if (sink.room() < kTreeWidth) {
                next = n;
                return false;
            }
        }
        return !sink.enough();
    }

    [[gnu::always_inline]] bool leaf(std::uint32_t n, std::uint32_t leaf) noexcept {
        if (!ready(n)) { return false; }
        const NodeArrays arrays = leaf_of<Arch>(tree, leaf);
        for (std::uint32_t i = 0; i < kTreeWidth; i += kLanes<Arch>) {
            const std::uint32_t bits = shape.hits(arrays, i) & filter.keep(arrays, i);
            sink.take(arrays, Fields<Dim>::kId, i, bits);
        }
        return true;
    }

    /// Takes agents that are all hits.
    [[gnu::always_inline]] bool agents(std::uint32_t count) noexcept {
        sink.copy(nullptr, count);
        return !sink.enough();
    }

    /// Takes leaves that hold nothing but hits.
    [[gnu::always_inline]] bool leaves(LeafSpan span) noexcept {
        for (std::uint32_t n = span.begin; n < span.end; ++n) {
            const std::uint32_t page = tree.page_of[n / kTreeWidth];
            if (page == kNoPage) {
                n |= kTreeWidth - 1;
                continue;
            }
            const std::uint32_t leaf = page * kTreeWidth + n % kTreeWidth;
            const std::uint32_t filled = tree.filled[leaf];
            if (filled == 0) { continue; }
            if (!ready(n)) { return false; }
            const NodeArrays arrays = leaf_of<Arch>(tree, leaf);
            if constexpr (Filter::kSkips == Skips::nothing && requires { sink.room(); }) {
                // There is room for a whole leaf.
                __builtin_memcpy(sink.out, arrays.nodes + Fields<Dim>::kId * kTreeWidth,
                                 kTreeWidth * sizeof(std::uint32_t));
                sink.out += filled;
                continue;
            }
            for (std::uint32_t i = 0; i < kTreeWidth; i += kLanes<Arch>) {
                const std::uint32_t there = (1u << filled) - 1u;
                const std::uint32_t bits =
                    there >> i & ((1u << kLanes<Arch>)-1u) & filter.keep(arrays, i);
                sink.take(arrays, Fields<Dim>::kId, i, bits);
            }
        }
        return true;
    }
};

/// Searches from leaf `next` on. False when the sink is full: then `next` says where to go on.
///
/// A function of its own, so that all searches with the same template arguments share it: this is
/// most of the code here. It works on a copy of the sink, which can stay in registers.
template <Skips skips, class Arch, class Shape, class Sink, std::size_t Dim>
[[gnu::noinline]] bool search_tree(const TreeView<Dim>& tree, const typename Shape::Block& query,
                                   std::size_t q, const KernelFilter& kernel_filter, Sink& callers,
                                   std::uint32_t& next) noexcept {
    Sink sink = callers;
    const Shape shape(tree.grid, query, q);
    const TreeGate<Shape> gate(tree, shape);
    if (!gate.sound()) { return true; }
    using Filter = NodeFilter<Arch, Dim, skips>;
    const Filter filter(tree.grid, kernel_filter, q);
    // A sink for ids must look at each agent.
    constexpr bool kCounts = skips == Skips::nothing && !requires { sink.room(); };
    LeafHits<Arch, Shape, Filter, Sink, Dim> hits = {tree, shape, filter, sink, kCounts};
    bool done = true;
    if constexpr (Shape::kFrequent) {
        // The test for children that hold nothing but hits pays only if there may be such children.
        done = gate.may_hold(tree) ? for_each_leaf<true, Arch>(tree, gate, next, hits)
                                   : for_each_leaf<false, Arch>(tree, gate, next, hits);
    } else {
        done = for_each_leaf<false, Arch>(tree, gate, next, hits);
    }
    next = hits.next;
    if constexpr (requires { sink.out; }) { callers.out = sink.out; }
    return done || sink.enough();
}

template <class Arch, class Shape, class Sink, std::size_t Dim>
[[gnu::always_inline]] inline bool
answer(const TreeView<Dim>& tree, const typename Shape::Block& query,
       const KernelFilter& kernel_filter, Sink& sink, std::uint32_t& next) noexcept {
    // Only boxes and balls, the most frequent shapes, have a copy of their own for searches that
    // leave out no agent.
    if constexpr (Shape::kFrequent) {
        if (kernel_filter.nothing()) {
            return search_tree<Skips::nothing, Arch, Shape>(tree, query, 0, kernel_filter, sink,
                                                            next);
        }
    }
    return search_tree<Skips::told, Arch, Shape>(tree, query, 0, kernel_filter, sink, next);
}

template <Form form, class Arch, class Block>
bool query_tree_on(Arch, const TreeView<Block::kDim>& tree, const Block& query,
                   const KernelFilter& kernel_filter, QueryCursor& cursor) noexcept {
    return with_shape<Arch>(tree.grid, query, [&]<class Shape>() {
        if constexpr (!Shape::kFrequent) {
            FormSink<Arch> sink(cursor, form);
            const bool done = answer<Arch, Shape>(tree, query, kernel_filter, sink, cursor.row);
            if (form == Form::ids) { cursor.out = sink.out; }
            return done;
        } else if constexpr (form == Form::ids) {
            IdSink<Arch> sink = {cursor.out, cursor.end};
            const bool done = answer<Arch, Shape>(tree, query, kernel_filter, sink, cursor.row);
            cursor.out = sink.out;
            return done;
        } else {
            TallySink<Arch> sink = {cursor, form == Form::any};
            return answer<Arch, Shape>(tree, query, kernel_filter, sink, cursor.row);
        }
    });
}

template <class Shape, class Arch>
[[gnu::always_inline]] inline auto ids_to(QueryCursor& cursor) noexcept {
    if constexpr (Shape::kFrequent) {
        return IdSink<Arch>{cursor.out, cursor.end};
    } else {
        return FormSink<Arch>(cursor, Form::ids);
    }
}

template <Skips skips, class Arch, class Shape, std::size_t Dim>
std::size_t select_each(const TreeView<Dim>& tree, const typename Shape::Block& queries,
                        std::size_t count, const KernelFilter& kernel_filter,
                        BatchOutput& out) noexcept {
    QueryCursor cursor;
    cursor.out = out.ids + out.used;
    cursor.end = out.ids + out.capacity;
    auto sink = ids_to<Shape, Arch>(cursor);
    for (std::size_t q = 0; q < count; ++q) {
        std::uint32_t next = 0;
        if (!search_tree<skips, Arch, Shape>(tree, queries, q, kernel_filter, sink, next)) {
            return q;
        }
        out.used = static_cast<std::uint64_t>(sink.out - out.ids);
        out.offsets[q + 1] = out.used;
    }
    return count;
}

template <class Arch, class Block>
std::size_t query_tree_block_on(Arch, const TreeView<Block::kDim>& tree, const Block& queries,
                                std::size_t count, const KernelFilter& kernel_filter,
                                BatchOutput& out) noexcept {
    return with_shape<Arch>(tree.grid, queries, [&]<class Shape>() {
        if constexpr (Shape::kFrequent) {
            if (kernel_filter.nothing()) {
                return select_each<Skips::nothing, Arch, Shape>(tree, queries, count, kernel_filter,
                                                                out);
            }
        }
        return select_each<Skips::told, Arch, Shape>(tree, queries, count, kernel_filter, out);
    });
}

using KernelArch = THRONG_KERNEL_ARCH;
#define THRONG_FOR_FORM(form, Block, Dim)                                                          \
    template bool query_tree_on<form>(KernelArch, const TreeView<Dim>&, const Block<Dim>&,         \
                                      const KernelFilter&, QueryCursor&) noexcept;
#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    THRONG_FOR_FORM(Form::ids, Block, Dim)                                                         \
    THRONG_FOR_FORM(Form::count, Block, Dim)                                                       \
    THRONG_FOR_FORM(Form::any, Block, Dim)
THRONG_FOR_EACH_QUERY_BLOCK(THRONG_FOR_BLOCK)
#undef THRONG_FOR_BLOCK
#undef THRONG_FOR_FORM

#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    template std::size_t query_tree_block_on(KernelArch, const TreeView<Dim>&, const Block<Dim>&,  \
                                             std::size_t, const KernelFilter&,                     \
                                             BatchOutput&) noexcept;
THRONG_FOR_EACH_FULL_BLOCK(THRONG_FOR_BLOCK)
#undef THRONG_FOR_BLOCK

} // namespace throng::simd
