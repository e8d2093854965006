// A quadtree for values of any type that have a box: each in the smallest node that holds it.
#pragma once

#include "../../../simd/isa/names_begin.hpp"

#include "../../../simd/isa/compiler.hpp"
#include "../../core/status.hpp"
#include "../../memory/free_list.hpp"
#include "../../memory/vector.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ranges>
#include <type_traits>
#include <utility>

namespace throng {

/// All points with lo <= p <= hi on both axes, in the numbers of a NestedQuadtree.
template <class Float>
struct NestedBox {
    std::array<Float, 2> lo{}, hi{};

    friend constexpr bool operator==(const NestedBox&, const NestedBox&) noexcept = default;

    /// Whether two boxes overlap or touch. Neither may be inverted. Has no branches, since half of
    /// them would be mispredicted.
    [[nodiscard]] constexpr bool touches(const NestedBox& other) const noexcept {
        const int on_x = int{lo[0] <= other.hi[0]} & int{other.lo[0] <= hi[0]};
        const int on_y = int{lo[1] <= other.hi[1]} & int{other.lo[1] <= hi[1]};
        return (on_x & on_y) != 0;
    }
};

template <class Tree>
class NestedBuild;

/// A quadtree for values of your own, for example pointers, handles or small structs, with boxes of
/// any sizes in floats or doubles. Each value is stored once, in the smallest node that
/// wholly contains its box, so a huge box is no special case, and no value is found twice. Values
/// outside of the world are kept in the root, and found.
///
/// Do not take it for a large crowd that moves: a value that lies on the middle line of a node
/// stays in that node, and every search goes through the nodes near the root. Of n small boxes
/// about the square root of n lie on the first lines, so the time of a query grows with the square
/// root of n. So does the time for the pairs of each of those values: that search goes through all
/// nodes along the value's line. Many values outside of the world make every search slow.
///
/// `BoxOf` yields a value's box: anything with lo[0], lo[1], hi[0] and hi[1] of type Float. It is
/// called when the value is added, and the tree keeps the box; for remove() it must yield the same
/// box again. `Equal` tells values apart, for remove() only. Neither may throw. A value is plain
/// data, trivially copyable.
///
/// A leaf with more than kThreshold values becomes four, down to kMaxDepth levels below the root,
/// and four become one when they and their parent together hold at most kThreshold values. So the
/// nodes depend only on the values present, not on the calls that led there.
///
/// add() and rebuild() are all or nothing; nothing else allocates. Const calls may run on any
/// number of threads while no call changes the tree.
template <class Value, class BoxOf, class Equal = std::equal_to<Value>, class Float = float>
class NestedQuadtree {
    static_assert(std::is_trivially_copyable_v<Value>, "of larger values, keep pointers");
    static_assert(std::is_floating_point_v<Float>);

public:
    using Box = NestedBox<Float>;
    static constexpr std::size_t kThreshold = 16;
    static constexpr std::uint32_t kMaxDepth = 8;

    /// An empty tree over a world, which should be finite: its halves are the nodes.
    explicit NestedQuadtree(const Box& world = {}, BoxOf box_of = {}, Equal equal = {})
        : world_(world), box_of_(std::move(box_of)), equal_(std::move(equal)) {}

    /// Removes all values, and lays the nodes over another world. Refuses a world that is inverted
    /// or not finite; then nothing has changed.
    Status reset(const Box& world) noexcept;
    [[nodiscard]] static Status check_world(const Box& world) noexcept;

    /// Adds a value, a second time if it is there already. Refuses a box that is inverted or has a
    /// NaN; an infinite box is fine. Throws std::bad_alloc, or std::length_error at 2^32 values.
    Status add(const Value& value);

    /// Removes one value that is equal and has the same box. False if there is none.
    [[nodiscard]] bool remove(const Value& value) noexcept;

    /// Replaces all values by the values of any range that can be iterated twice, much faster than
    /// adding them one by one. The status names the first value whose box is refused. Throws as
    /// add() does.
    template <std::ranges::forward_range Values>
    Status rebuild(const Values& values);

    /// Removes all values, and keeps the memory.
    void clear() noexcept;

    /// Makes room for `values` values in all, wherever they lie. Throws as add() does.
    void reserve(std::size_t values);

    /// Calls visit(value) for each value whose box touches `box`, which may be of any type that
    /// BoxOf may yield; an inverted box touches no value. `visit` may return false to stop, and
    /// must not change the tree. Returns whether it went through to the end.
    template <class AnyBox, class Visit>
    bool query(const AnyBox& box, Visit&& visit) const {
        const Box asked = as_box(box);
        if (!is_sound(asked)) { return true; }
        return visit_where([&](const Box& region) { return asked.touches(region); },
                           [&](const Value& value, const Box& its) {
                               return !asked.touches(its) || carries_on(visit, value);
                           });
    }

    /// For searches with shapes other than boxes: calls visit(value, box) for all values in nodes
    /// that may_hold(region) does not rule out. A region contains the boxes of all values in a node
    /// and below it. may_hold() is not asked about the root, which has values outside of the world
    /// too.
    template <class MayHold, class Visit>
    bool visit_where(const MayHold& may_hold, Visit&& visit) const;

    /// Calls visit(a, b) once for each pair of values whose boxes touch, whether they are in one
    /// node or one is further down. A value that was added twice counts as two. Otherwise as
    /// query().
    template <class Visit>
    bool find_all_intersections(Visit&& visit) const {
        return find_intersections(PairPart{{&root_, world_, 0}, root_.first, root_.own, true},
                                  visit);
    }

    /// Some of the pairs, for several threads: each is in one part only. Parts are good until the
    /// tree is changed.
    class PairPart;
    /// Cuts all pairs into at least `parts` parts, if there are that many values and nodes; some
    /// parts are much longer than others. Throws std::bad_alloc.
    [[nodiscard]] Vector<PairPart> pair_parts(std::size_t parts) const;
    /// As find_all_intersections(), but only for one part.
    template <class Visit>
    bool find_intersections(const PairPart& part, Visit&& visit) const;

    /// Calls visit(box, depth, count) for each node, parents first; the root has depth 0. The count
    /// is that of the values in the node itself.
    template <class Visit>
    bool visit_nodes(Visit&& visit) const;

    [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
    [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
    [[nodiscard]] const Box& world() const noexcept { return world_; }

    /// Bytes of heap.
    [[nodiscard]] std::size_t memory() const noexcept {
        return entries_.memory() + blocks_.memory();
    }

    /// Checks every invariant, slowly. Returns null if all hold, else the first that does not.
    [[nodiscard]] const char* validate() const noexcept;

private:
    friend class NestedBuild<NestedQuadtree>; // builds the tree of a NestedIndex

    using Number = Float;
    using Index = std::uint32_t;
    static constexpr Index kNone = 0xFFFF'FFFFu;
    static constexpr unsigned kHere = 4; // no quadrant: on a middle line

    struct Entry {
        Box box;
        Value value;
        Index next; // the next entry of the same node
    };
    struct Node {
        Index children = kNone; // a block of four: low y first, then low x first
        Index first = kNone;
        std::uint32_t own = 0; // values in the node itself
        std::uint32_t all = 0; // values in the node and below it
    };
    using Block = std::array<Node, 4>;

    /// A node on the way down.
    struct Stop {
        const Node* node;
        Box box;
        std::uint32_t depth;
    };
    // A depth-first search has at most three nodes waiting on each level above.
    static constexpr std::size_t kStack = 3 * kMaxDepth + 1;
    class Walk;

    template <class AnyBox>
    static Box as_box(const AnyBox& box) noexcept {
        static_assert(std::is_same_v<std::remove_cvref_t<decltype(box.lo[0])>, Float>,
                      "a box in other numbers would be rounded");
        return {{box.lo[0], box.lo[1]}, {box.hi[0], box.hi[1]}};
    }
    [[nodiscard]] Box box_of(const Value& value) const noexcept { return as_box(box_of_(value)); }
    static bool is_sound(const Box& box) noexcept {
        return box.lo[0] <= box.hi[0] && box.lo[1] <= box.hi[1]; // false with a NaN
    }
    static Status check(const Box& box, std::size_t index) noexcept {
        if (is_sound(box)) { return {}; }
        bool numbers = true;
        for (std::size_t a = 0; a < 2; ++a) {
            numbers = numbers && box.lo[a] == box.lo[a] && box.hi[a] == box.hi[a];
        }
        return {numbers ? Cause::inverted : Cause::not_finite, Argument::box, index};
    }

    // Halves before adding: the sum of two large numbers may be infinite. Clamps, because halves of
    // the smallest numbers are zero, which may lie outside the box.
    static Float middle(const Box& box, std::size_t a) noexcept {
        return std::clamp(box.lo[a] / 2 + box.hi[a] / 2, box.lo[a], box.hi[a]);
    }
    /// The quadrant of a node for a box, or kHere: a box that touches a middle line stays in the
    /// node, so that boxes in different quadrants never touch.
    static unsigned quadrant(const Box& node, const Box& box) noexcept {
        const Float x = middle(node, 0);
        const Float y = middle(node, 1);
        // Without branches, as in touches().
        const unsigned right = box.lo[0] > x ? 1 : 0;
        const unsigned above = box.lo[1] > y ? 1 : 0;
        const unsigned aside = right | (box.hi[0] < x ? 1u : 0u);
        const unsigned apart = aside & (above | (box.hi[1] < y ? 1u : 0u));
        return apart != 0 ? right + 2 * above : kHere;
    }
    static Box quarter(const Box& node, unsigned at) noexcept {
        Box box = node;
        for (std::size_t a = 0; a < 2; ++a) {
            ((at >> a & 1) != 0 ? box.lo : box.hi)[a] = middle(node, a);
        }
        return box;
    }
    [[nodiscard]] bool in_world(const Box& box) const noexcept {
        return world_.lo[0] <= box.lo[0] && box.hi[0] <= world_.hi[0] &&
               world_.lo[1] <= box.lo[1] && box.hi[1] <= world_.hi[1];
    }
    /// quadrant() for a node of the tree: the root also keeps boxes outside of the world.
    [[nodiscard]] unsigned quadrant_of(const Box& node, std::uint32_t depth,
                                       const Box& box) const noexcept {
        return depth == 0 && !in_world(box) ? kHere : quadrant(node, box);
    }

    static bool splits(std::size_t values, std::uint32_t depth) noexcept {
        return values > kThreshold && depth < kMaxDepth;
    }
    void link(Node& node, Index entry) noexcept {
        entries_[entry].next = node.first;
        node.first = entry;
        ++node.own;
    }
    void split(Node& node, const Box& box, std::uint32_t depth) noexcept;
    void merge(Node& node) noexcept;
    void build(std::size_t values) noexcept;
    std::size_t blocks_for(std::size_t values) const noexcept;

    template <class Visit, class... Args>
    static bool carries_on(Visit& visit, const Args&... args) {
        if constexpr (std::is_void_v<std::invoke_result_t<Visit&, const Args&...>>) {
            visit(args...);
            return true;
        } else {
            return visit(args...);
        }
    }
    /// Calls call(entry) from one entry to the end of its list, until the call returns false. The
    /// next entry is mostly the next in memory, as build() stores them. The processor predicts that
    /// it is, and need not wait for `next` before it looks at the next entry.
    template <class Call>
    bool for_list(Index first, const Call& call) const {
        for (Index i = first; i != kNone;) {
            const Entry* entry = &entries_[i];
            while (true) {
                if (!call(*entry)) { return false; }
                if (entry->next != i + 1) { break; }
                entry = &entries_[++i];
            }
            i = entry->next;
        }
        return true;
    }
    /// The pairs of an entry of a node: with the later ones in the node, and with all further down.
    template <class Visit>
    bool pairs_of(const Stop& stop, const Entry& entry, Visit& visit) const;
    template <class Visit>
    bool pairs_below(const Stop& from, const Entry& entry, Visit& visit) const;

    Box world_;
    Node root_;
    FreeList<Entry> entries_;
    FreeList<Block> blocks_;
    THRONG_NO_UNIQUE_ADDRESS BoxOf box_of_;
    THRONG_NO_UNIQUE_ADDRESS Equal equal_;
};

} // namespace throng

#include "nested_quadtree_walks.hpp"

#include "../../../simd/isa/names_end.hpp"
