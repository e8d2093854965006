// The definitions of NestedQuadtree's members. nested_quadtree.hpp includes this file.
#pragma once

#include "../../../simd/isa/names_begin.hpp"

#include "nested_quadtree.hpp"

namespace throng {

/// Nodes that wait to be visited: parents before their children, and children in order.
template <class Value, class BoxOf, class Equal, class Float>
class NestedQuadtree<Value, BoxOf, Equal, Float>::Walk {
public:
    Walk(const NestedQuadtree& tree, const Stop& first) noexcept : tree_(tree) {
        waiting_[count_++] = first;
    }
    [[nodiscard]] bool over() const noexcept { return count_ == 0; }
    Stop take() noexcept { return waiting_[--count_]; }

    /// Adds the children for which goes_on(box) holds, without empty ones unless `empty_too`.
    template <class GoesOn>
    void descend(const Stop& stop, const GoesOn& goes_on, bool empty_too = false) noexcept {
        if (stop.node->children == kNone) { return; }
        const Block& block = tree_.blocks_[stop.node->children];
        for (unsigned at = 4; at-- > 0;) {
            if (block[at].all == 0 && !empty_too) { continue; }
            const Box box = quarter(stop.box, at);
            if (goes_on(box)) { waiting_[count_++] = {&block[at], box, stop.depth + 1}; }
        }
    }

private:
    const NestedQuadtree& tree_;
    std::size_t count_ = 0;
    std::array<Stop, kStack> waiting_;
};

template <class Value, class BoxOf, class Equal, class Float>
Status NestedQuadtree<Value, BoxOf, Equal, Float>::check_world(const Box& world) noexcept {
    for (std::size_t a = 0; a < 2; ++a) {
        // Infinity minus itself is NaN, and so is NaN minus itself.
        if (!(world.lo[a] - world.lo[a] == 0) || !(world.hi[a] - world.hi[a] == 0)) {
            return {Cause::not_finite, Argument::bounds};
        }
        if (world.lo[a] > world.hi[a]) { return {Cause::inverted, Argument::bounds}; }
    }
    return {};
}

template <class Value, class BoxOf, class Equal, class Float>
Status NestedQuadtree<Value, BoxOf, Equal, Float>::reset(const Box& world) noexcept {
    if (const Status status = check_world(world); !status.ok()) { return status; }
    clear();
    world_ = world;
    return {};
}

template <class Value, class BoxOf, class Equal, class Float>
void NestedQuadtree<Value, BoxOf, Equal, Float>::clear() noexcept {
    root_ = {};
    entries_.clear();
    blocks_.clear();
}

/// The most blocks of four nodes that `values` values can need: on each level, no more nodes are
/// split than the level has, and each of them has more values than the threshold in it and below.
template <class Value, class BoxOf, class Equal, class Float>
std::size_t
NestedQuadtree<Value, BoxOf, Equal, Float>::blocks_for(std::size_t values) const noexcept {
    std::size_t blocks = 0;
    for (std::uint32_t depth = 0; depth < kMaxDepth; ++depth) {
        blocks += std::min(std::size_t{1} << 2 * depth, values / (kThreshold + 1));
    }
    return blocks;
}

template <class Value, class BoxOf, class Equal, class Float>
void NestedQuadtree<Value, BoxOf, Equal, Float>::reserve(std::size_t values) {
    blocks_.reserve(blocks_for(values));
    entries_.reserve(values);
}

template <class Value, class BoxOf, class Equal, class Float>
Status NestedQuadtree<Value, BoxOf, Equal, Float>::add(const Value& value) {
    const Box box = box_of(value);
    if (const Status status = check(box, 0); !status.ok()) { return status; }
    // Room for a split on every level, so that nothing fails once the value is in.
    if (blocks_.capacity() - blocks_.size() < kMaxDepth) {
        blocks_.reserve(2 * blocks_.capacity() + kMaxDepth);
    }
    const Index entry = entries_.add({box, value, kNone});

    Node* node = &root_;
    Box here = world_;
    std::uint32_t depth = 0;
    for (;; ++depth) {
        ++node->all;
        const unsigned at = node->children == kNone ? kHere : quadrant_of(here, depth, box);
        if (at == kHere) { break; }
        here = quarter(here, at);
        node = &blocks_[node->children][at];
    }
    link(*node, entry);
    // The leaf has one value too many. If a child then has too many, it has all of them, so at most
    // one child splits in turn.
    while (node->children == kNone && splits(node->own, depth)) {
        split(*node, here, depth);
        Block& block = blocks_[node->children];
        for (unsigned at = 0; at < 4; ++at) {
            if (splits(block[at].own, depth + 1)) {
                here = quarter(here, at);
                node = &block[at];
                ++depth;
                break;
            }
        }
    }
    return {};
}

template <class Value, class BoxOf, class Equal, class Float>
void NestedQuadtree<Value, BoxOf, Equal, Float>::split(Node& node, const Box& box,
                                                       std::uint32_t depth) noexcept {
    node.children = blocks_.add({}); // room is reserved: no node moves
    Block& block = blocks_[node.children];
    Index entry = std::exchange(node.first, kNone);
    node.own = 0;
    while (entry != kNone) {
        const Index next = entries_[entry].next;
        const unsigned at = quadrant_of(box, depth, entries_[entry].box);
        link(at == kHere ? node : block[at], entry);
        if (at != kHere) { ++block[at].all; }
        entry = next;
    }
}

template <class Value, class BoxOf, class Equal, class Float>
bool NestedQuadtree<Value, BoxOf, Equal, Float>::remove(const Value& value) noexcept {
    const Box box = box_of(value);
    if (!is_sound(box)) { return false; }
    std::array<Node*, kMaxDepth + 1> way;
    std::size_t depth = 0;
    way[0] = &root_;
    for (Box here = world_;;) {
        Node& node = *way[depth];
        const auto level = static_cast<std::uint32_t>(depth);
        const unsigned at = node.children == kNone ? kHere : quadrant_of(here, level, box);
        if (at == kHere) { break; }
        here = quarter(here, at);
        way[++depth] = &blocks_[node.children][at];
    }
    Index* link = &way[depth]->first;
    while (*link != kNone &&
           !(entries_[*link].box == box && equal_(entries_[*link].value, value))) {
        link = &entries_[*link].next;
    }
    if (*link == kNone) { return false; }
    const Index entry = *link;
    *link = entries_[entry].next;
    entries_.remove(entry);
    --way[depth]->own;
    for (std::size_t d = 0; d <= depth; ++d) {
        --way[d]->all;
    }
    for (std::size_t d = 0; d <= depth; ++d) {
        if (way[d]->children != kNone && way[d]->all <= kThreshold) {
            merge(*way[d]); // merges all nodes below into this one
            break;
        }
    }
    return true;
}

template <class Value, class BoxOf, class Equal, class Float>
void NestedQuadtree<Value, BoxOf, Equal, Float>::merge(Node& node) noexcept {
    std::array<Index, kStack> waiting;
    std::size_t count = 0;
    waiting[count++] = std::exchange(node.children, kNone);
    while (count > 0) {
        const Index block = waiting[--count];
        for (Node& child : blocks_[block]) {
            while (child.first != kNone) {
                const Index entry = std::exchange(child.first, entries_[child.first].next);
                link(node, entry);
            }
            if (child.children != kNone) { waiting[count++] = child.children; }
        }
        blocks_.remove(block);
    }
}

template <class Value, class BoxOf, class Equal, class Float>
template <std::ranges::forward_range Values>
Status NestedQuadtree<Value, BoxOf, Equal, Float>::rebuild(const Values& values) {
    std::size_t count = 0;
    for (const Value& value : values) {
        if (const Status status = check(box_of(value), count); !status.ok()) { return status; }
        ++count;
    }
    reserve(count);
    clear();
    for (const Value& value : values) {
        (void)entries_.add({box_of(value), value, kNone});
    }
    build(count);
    return {};
}

/// Makes nodes of entries 0 ... values - 1, and sorts the entries: a node's own first, then those
/// of each quadrant, so that entries searched together lie together.
template <class Value, class BoxOf, class Equal, class Float>
void NestedQuadtree<Value, BoxOf, Equal, Float>::build(std::size_t values) noexcept {
    struct Part {
        Node* node;
        Box box;
        std::uint32_t depth;
        Index begin, end;
    };
    std::array<Part, kStack> waiting;
    std::size_t count = 0;
    waiting[count++] = {&root_, world_, 0, 0, static_cast<Index>(values)};
    while (count > 0) {
        const Part part = waiting[--count];
        Node& node = *part.node;
        node.all = part.end - part.begin;
        Index own_end = part.end;
        if (splits(node.all, part.depth)) {
            // Group 0 stays, group 1 + q goes to quadrant q.
            const auto group_of = [&](Index i) {
                return (quadrant_of(part.box, part.depth, entries_[i].box) + 1) % 5;
            };
            std::array<Index, 6> first{};
            for (Index i = part.begin; i < part.end; ++i) {
                ++first[group_of(i) + 1];
            }
            first[0] = part.begin;
            for (unsigned g = 0; g < 5; ++g) {
                first[g + 1] += first[g];
            }
            // Swaps each entry into the next place of its own group.
            std::array<Index, 5> next;
            std::copy_n(first.begin(), 5, next.begin());
            for (unsigned g = 0; g < 5; ++g) {
                while (next[g] < first[g + 1]) {
                    const unsigned home = group_of(next[g]);
                    if (home != g) { std::swap(entries_[next[g]], entries_[next[home]]); }
                    ++next[home];
                }
            }
            own_end = first[1];
            node.children = blocks_.add({}); // room is reserved: no node moves
            for (unsigned at = 4; at-- > 0;) {
                waiting[count++] = {&blocks_[node.children][at], quarter(part.box, at),
                                    part.depth + 1, first[at + 1], first[at + 2]};
            }
        }
        for (Index i = own_end; i-- > part.begin;) {
            link(node, i);
        }
    }
}

template <class Value, class BoxOf, class Equal, class Float>
template <class MayHold, class Visit>
bool NestedQuadtree<Value, BoxOf, Equal, Float>::visit_where(const MayHold& may_hold,
                                                             Visit&& visit) const {
    Walk walk(*this, {&root_, world_, 0});
    while (!walk.over()) {
        const Stop stop = walk.take();
        const auto hand_over = [&](const Entry& entry) {
            return carries_on(visit, entry.value, entry.box);
        };
        if (!for_list(stop.node->first, hand_over)) { return false; }
        walk.descend(stop, may_hold);
    }
    return true;
}

/// The pairs of a node's own values and of all values below the node; or only the pairs of some of
/// the node's own values.
template <class Value, class BoxOf, class Equal, class Float>
class NestedQuadtree<Value, BoxOf, Equal, Float>::PairPart {
    friend NestedQuadtree;
    PairPart(const Stop& at, Index from, std::uint32_t values, bool with_below) noexcept
        : stop_(at), first_(from), count_(values), whole_(with_below) {}

    Stop stop_;
    Index first_;
    std::uint32_t count_;
    bool whole_;
};

/// Splits nodes from the root down: values of nodes near the root lie on the longest lines, and
/// each has to be compared with many others.
template <class Value, class BoxOf, class Equal, class Float>
auto NestedQuadtree<Value, BoxOf, Equal, Float>::pair_parts(std::size_t parts) const
    -> Vector<PairPart> {
    constexpr std::uint32_t kRun = 32;
    Vector<PairPart> some{PairPart{{&root_, world_, 0}, root_.first, root_.own, true}};
    for (std::size_t next = 0; next < some.size() && some.size() < parts; ++next) {
        const Stop stop = some[next].stop_;
        // Replaces a node that is no leaf by its children and by runs of its own values.
        if (!some[next].whole_ || stop.node->children == kNone) { continue; }
        some[next].whole_ = false;
        some[next].count_ = std::min(stop.node->own, kRun);
        Index entry = stop.node->first;
        for (std::uint32_t i = 0; i < stop.node->own; ++i) {
            if (i != 0 && i % kRun == 0) {
                some.push_back({stop, entry, std::min(stop.node->own - i, kRun), false});
            }
            entry = entries_[entry].next;
        }
        Walk walk(*this, stop);
        walk.descend(walk.take(), [](const Box&) { return true; });
        while (!walk.over()) {
            const Stop child = walk.take();
            some.push_back({child, child.node->first, child.node->own, true});
        }
    }
    return some;
}

template <class Value, class BoxOf, class Equal, class Float>
template <class Visit>
bool NestedQuadtree<Value, BoxOf, Equal, Float>::find_intersections(const PairPart& part,
                                                                    Visit&& visit) const {
    if (!part.whole_) {
        Index entry = part.first_;
        for (std::uint32_t i = 0; i < part.count_; ++i, entry = entries_[entry].next) {
            if (!pairs_of(part.stop_, entries_[entry], visit)) { return false; }
        }
        return true;
    }
    Walk walk(*this, part.stop_);
    while (!walk.over()) {
        const Stop stop = walk.take();
        const auto with_others = [&](const Entry& entry) { return pairs_of(stop, entry, visit); };
        if (!for_list(stop.node->first, with_others)) { return false; }
        walk.descend(stop, [](const Box&) { return true; });
    }
    return true;
}

template <class Value, class BoxOf, class Equal, class Float>
template <class Visit>
bool NestedQuadtree<Value, BoxOf, Equal, Float>::pairs_of(const Stop& stop, const Entry& entry,
                                                          Visit& visit) const {
    const auto with = [&](const Entry& other) {
        return !entry.box.touches(other.box) || carries_on(visit, entry.value, other.value);
    };
    return for_list(entry.next, with) &&
           (stop.node->children == kNone || pairs_below(stop, entry, visit));
}

/// Goes down from a value on a line to the values that it touches, instead of up from each of
/// these: most nodes are not touched by any of the values on the lines above them.
template <class Value, class BoxOf, class Equal, class Float>
template <class Visit>
bool NestedQuadtree<Value, BoxOf, Equal, Float>::pairs_below(const Stop& from, const Entry& entry,
                                                             Visit& visit) const {
    const auto touched = [&](const Box& box) { return entry.box.touches(box); };
    Walk walk(*this, from);
    walk.descend(walk.take(), touched);
    while (!walk.over()) {
        const Stop stop = walk.take();
        const auto with = [&](const Entry& other) {
            return !entry.box.touches(other.box) || carries_on(visit, entry.value, other.value);
        };
        if (!for_list(stop.node->first, with)) { return false; }
        walk.descend(stop, touched);
    }
    return true;
}

template <class Value, class BoxOf, class Equal, class Float>
template <class Visit>
bool NestedQuadtree<Value, BoxOf, Equal, Float>::visit_nodes(Visit&& visit) const {
    Walk walk(*this, {&root_, world_, 0});
    while (!walk.over()) {
        const Stop stop = walk.take();
        if (!carries_on(visit, stop.box, stop.depth, stop.node->own)) { return false; }
        walk.descend(
            stop, [](const Box&) { return true; }, true);
    }
    return true;
}

template <class Value, class BoxOf, class Equal, class Float>
const char* NestedQuadtree<Value, BoxOf, Equal, Float>::validate() const noexcept {
    if (const char* const fault = entries_.validate()) { return fault; }
    if (const char* const fault = blocks_.validate()) { return fault; }
    std::size_t entries = 0, blocks = 0;
    Walk walk(*this, {&root_, world_, 0});
    while (!walk.over()) {
        const Stop stop = walk.take();
        const Node& node = *stop.node;
        if (stop.depth > kMaxDepth) { return "a node below the deepest level"; }
        if (splits(node.all, stop.depth) != (node.children != kNone)) {
            return "a leaf with too many values, or four nodes with too few";
        }
        std::size_t own = 0;
        for (Index i = node.first; i != kNone; i = entries_[i].next) {
            if (entries_.is_free(i)) { return "a value that was removed"; }
            if (++entries > entries_.size()) { return "a value in more than one place"; }
            const Box& box = entries_[i].box;
            if (!is_sound(box)) { return "a box that should have been refused"; }
            if (stop.depth > 0 && !(stop.box.lo[0] <= box.lo[0] && box.hi[0] <= stop.box.hi[0] &&
                                    stop.box.lo[1] <= box.lo[1] && box.hi[1] <= stop.box.hi[1])) {
                return "a value outside of its node";
            }
            if (node.children != kNone && quadrant_of(stop.box, stop.depth, box) != kHere) {
                return "a value that fits into a smaller node";
            }
            ++own;
        }
        std::size_t all = own;
        if (node.children != kNone) {
            if (blocks_.is_free(node.children)) { return "four nodes that were removed"; }
            if (++blocks > blocks_.size()) { return "four nodes in more than one place"; }
            for (const Node& child : blocks_[node.children]) {
                all += child.all;
            }
        }
        if (own != node.own || all != node.all) { return "a count that is not that of the values"; }
        walk.descend(
            stop, [](const Box&) { return true; }, true);
    }
    if (entries != entries_.size()) { return "a value that is in no node"; }
    return blocks == blocks_.size() ? nullptr : "four nodes that belong to no node";
}

} // namespace throng

#include "../../../simd/isa/names_end.hpp"
