// Builds a nested quadtree of many values at once: finds their nodes, sorts the values by node, and
// puts them there. Internal to the engine.
#pragma once

#include "../../agents/agent_blocks.hpp"
#include "../../core/executor.hpp"
#include "../../core/status.hpp"
#include "../../memory/checked_loop.hpp"
#include "../../memory/radix_sort.hpp"
#include "../../memory/vector.hpp"
#include "nested_quadtree.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace throng {

/// Builds a NestedQuadtree of values that have numbers, on an executor: the same tree to the bit on
/// any number of threads.
///
/// A node's number has a digit for each level below the root: on the way down to the node, one more
/// than the quadrant; below the node, 0. So values sorted by the number of the deepest node that
/// holds them, and within a node by their own number, lie in the order of a walk over the tree,
/// whatever nodes there are: first the values of a node, then those of each quadrant. Values are
/// put into buckets by the first digits, and each bucket is sorted and turned into nodes on its
/// own.
///
/// Exchanging values in place, node by node, as NestedQuadtree::rebuild() does, takes twice as long
/// on one thread for a million agents, and few threads could share the nodes near the root.
template <class Tree>
class NestedBuild {
public:
    using Box = typename Tree::Box;

    /// Sorts `count` values for a tree over `world`; their boxes box_at(i) must be sound. Changes
    /// no tree. Returns and throws what run_blocks() does.
    template <class BoxAt>
    Status plan(std::size_t count, const Box& world, const BoxAt& box_at, Executor& executor,
                LoopClaims& claims);
    /// Fills the tree with the values value_at(i), whose boxes must still be the same. reserve()
    /// must have made room in it.
    template <class ValueAt>
    void fill(Tree& tree, const ValueAt& value_at, Executor& executor, LoopClaims& claims) noexcept;

    /// Bytes of heap: 16 a value, and up to 2.5 KiB a block of values.
    [[nodiscard]] std::size_t memory() const noexcept {
        return (in_block_.capacity() + bucket_begin_.capacity()) * sizeof(std::uint32_t) +
               parts_.capacity() * sizeof(Part) +
               (keys_.capacity() + order_.capacity() + bucket_keys_.capacity() +
                bucket_order_.capacity()) *
                   sizeof(std::uint32_t);
    }

private:
    using Node = typename Tree::Node;
    using Index = std::uint32_t;
    static constexpr std::uint32_t kDepth = Tree::kMaxDepth;
    static constexpr std::uint32_t kMostDigits = 4;
    static constexpr Index kNone = Tree::kNone;
    static constexpr std::size_t kCells = std::size_t{1} << kDepth;
    /// Nanoseconds for a value on one thread, good enough to choose the number of threads.
    static constexpr double kFind = 15.0, kScatter = 3.0, kSort = 8.0, kPut = 15.0;

    static constexpr std::uint32_t power(std::uint32_t digits) noexcept {
        std::uint32_t product = 1;
        for (; digits > 0; --digits) {
            product *= 5;
        }
        return product;
    }

    /// The node that has all values of a bucket in it or below it, and the blocks below that node.
    struct Part {
        Index node = kNone; ///< the node's number; kNone is the root
        Index first_block = 0;
        Index blocks = 0;
        bool there = false; ///< whether the tree has that node
    };

    /// The values of a node: its own ones, and then those of its children.
    struct Range {
        Index begin, own_end, end;
    };

    void lay_lines(const Box& world) noexcept;
    [[nodiscard]] std::uint32_t key_of(const Box& box) const noexcept;
    /// How many lines of an axis lie before a coordinate, which must be in the world.
    template <class Before>
    [[nodiscard]] std::uint32_t lines_before(std::size_t a, typename Tree::Number coordinate,
                                             const Before& before) const noexcept;
    void add_up(std::size_t blocks) noexcept;
    KeyedOrder sort_in(std::size_t begin, std::size_t count) noexcept;
    void sort_bucket(std::size_t bucket) noexcept;
    template <class OnNode>
    void walk_below(std::size_t bucket, Node* root, const OnNode& on_node) const noexcept;
    template <class OnNode>
    void walk_above(const OnNode& on_node) noexcept;
    [[nodiscard]] static Node& node_of(Tree& tree, Index number) noexcept {
        return number == kNone ? tree.root_ : tree.blocks_[number / 4][number % 4];
    }

    Box world_;
    std::array<std::array<typename Tree::Number, kCells + 1>, 2> lines_; ///< edges of all leaves
    std::array<typename Tree::Number, 2> scale_;
    std::size_t count_ = 0;
    std::uint32_t digits_ = 0;       ///< how many first digits of a number choose the bucket
    Index blocks_ = 0;               ///< blocks of nodes in the whole tree
    Vector<std::uint32_t> in_block_; ///< block by bucket: counts of values, then where to write
    Vector<std::uint32_t> bucket_begin_;
    Vector<Part> parts_; ///< by bucket
    // Keys and values, in the order of values, then in the order of buckets. sort_by_digits() may
    // leave the sorted ones in either pair.
    Vector<std::uint32_t> keys_, order_, bucket_keys_, bucket_order_;
    KeyedOrder sorted_{};
};

/// Computes where nodes of the deepest level would end on each axis: halves of halves, as on the
/// way down.
template <class Tree>
void NestedBuild<Tree>::lay_lines(const Box& world) noexcept {
    using Number = typename Tree::Number;
    world_ = world;
    for (std::size_t a = 0; a < 2; ++a) {
        auto& lines = lines_[a];
        lines.front() = world.lo[a];
        lines.back() = world.hi[a];
        for (std::size_t step = kCells; step > 1; step /= 2) {
            for (std::size_t i = 0; i < kCells; i += step) {
                Box node;
                node.lo[a] = lines[i];
                node.hi[a] = lines[i + step];
                lines[i + step / 2] = Tree::middle(node, a);
            }
        }
        const Number scale = static_cast<Number>(kCells) / (world.hi[a] - world.lo[a]);
        // In a world with no width, or hardly any, the search for a line starts at the first one.
        scale_[a] = scale - scale == 0 ? scale : 0;
    }
}

template <class Tree>
template <class Before>
std::uint32_t NestedBuild<Tree>::lines_before(std::size_t a, typename Tree::Number coordinate,
                                              const Before& before) const noexcept {
    // All lines except the edges of the world, between which every box here lies.
    const auto* const lines = lines_[a].data() + 1;
    constexpr std::uint32_t kLines = kCells - 1;
    // A first guess: rounding makes it wrong by one now and then.
    const auto guess = static_cast<std::uint32_t>((coordinate - world_.lo[a]) * scale_[a]);
    std::uint32_t count = std::min(guess, kLines);
    while (count > 0 && !before(lines[count - 1])) {
        --count;
    }
    while (count < kLines && before(lines[count])) {
        ++count;
    }
    return count;
}

/// The number of the deepest node that holds a box: the one to which Tree::quadrant_of() leads.
template <class Tree>
std::uint32_t NestedBuild<Tree>::key_of(const Box& box) const noexcept {
    // A coordinate's part of each digit: x counts once, y twice.
    constexpr auto kDigits = [] {
        std::array<std::uint32_t, kCells> digits{};
        for (std::uint32_t cell = 0; cell < kCells; ++cell) {
            for (std::uint32_t bit = 0; bit < kDepth; ++bit) {
                digits[cell] += (cell >> bit & 1u) * power(bit);
            }
        }
        return digits;
    }();
    // A 1 in every digit down to each depth, since a digit is one more than its quadrant.
    constexpr auto kOnes = [] {
        std::array<std::uint32_t, kDepth + 1> ones{};
        for (std::uint32_t depth = 0; depth < kDepth; ++depth) {
            ones[depth + 1] = ones[depth] + power(kDepth - 1 - depth);
        }
        return ones;
    }();
    if (!(world_.lo[0] <= box.lo[0] && box.hi[0] <= world_.hi[0] && world_.lo[1] <= box.lo[1] &&
          box.hi[1] <= world_.hi[1])) {
        return 0;
    }
    std::array<std::uint32_t, 2> first;
    std::uint32_t differ = 0;
    for (std::size_t a = 0; a < 2; ++a) {
        // A box that touches a line counts as on the line, on neither side.
        first[a] = lines_before(a, box.lo[a], [&](auto line) { return line < box.lo[a]; });
        differ |=
            first[a] ^ lines_before(a, box.hi[a], [&](auto line) { return line <= box.hi[a]; });
    }
    // The highest bit of `differ` stands for the line of least depth on which the box lies.
    const auto below = static_cast<std::uint32_t>(std::bit_width(differ));
    const std::uint32_t known = ~std::uint32_t{0} << below;
    return kOnes[kDepth - below] + kDigits[first[0] & known] + 2 * kDigits[first[1] & known];
}

template <class Tree>
template <class BoxAt>
Status NestedBuild<Tree>::plan(std::size_t count, const Box& world, const BoxAt& box_at,
                               Executor& executor, LoopClaims& claims) {
    constexpr std::size_t kInBucket = 256;
    lay_lines(world);
    count_ = count;
    digits_ = 0;
    while (digits_ < kMostDigits && count >> 2 * (digits_ + 1) >= kInBucket) {
        ++digits_;
    }
    const std::size_t buckets = power(digits_);
    const std::uint32_t unit = power(kDepth - digits_);
    const AgentBlocks blocks(count, executor, LoopCost::of(count, kFind));
    for (Vector<std::uint32_t>* const values : {&keys_, &order_, &bucket_keys_, &bucket_order_}) {
        if (count > values->size()) {
            *values = {};
            values->resize(count);
        }
    }
    in_block_.resize(std::max(in_block_.size(), blocks.count() * buckets));
    bucket_begin_.resize(buckets + 1);
    parts_.assign(buckets, Part{});
    Status status = run_blocks(
        executor, blocks.count(),
        [&](std::size_t block) {
            std::uint32_t* const counts = in_block_.data() + block * buckets;
            std::fill_n(counts, buckets, 0u);
            for (std::size_t i = blocks.begin(block); i < blocks.end(block); ++i) {
                const std::uint32_t key = key_of(box_at(i));
                keys_[i] = key;
                ++counts[key / unit];
            }
        },
        claims, LoopCost::of(count, kFind));
    if (!status.ok()) { return status; }
    add_up(blocks.count());
    status = run_blocks(
        executor, blocks.count(),
        [&](std::size_t block) {
            std::uint32_t* const next = in_block_.data() + block * buckets;
            for (std::size_t i = blocks.begin(block); i < blocks.end(block); ++i) {
                const std::uint32_t at = next[keys_[i] / unit]++;
                bucket_keys_[at] = keys_[i] % unit;
                bucket_order_[at] = static_cast<std::uint32_t>(i);
            }
        },
        claims, LoopCost::of(count, kScatter));
    if (!status.ok()) { return status; }
    // All buckets take the same number of sorting steps, so sorting nothing tells which arrays will
    // have the results.
    sorted_ = sort_in(0, 0);
    status = run_blocks(
        executor, buckets, [&](std::size_t bucket) { sort_bucket(bucket); }, claims,
        LoopCost::of(count, kSort));
    if (!status.ok()) { return status; }
    walk_above([](Index, const Range&, Index) {});
    claims.prepare(buckets);
    return {};
}

/// Turns counts into the places where each block writes its part of each bucket.
template <class Tree>
void NestedBuild<Tree>::add_up(std::size_t blocks) noexcept {
    const std::size_t buckets = parts_.size();
    std::uint32_t* const begin = bucket_begin_.data();
    std::fill_n(begin, buckets + 1, 0u);
    for (std::size_t block = 0; block < blocks; ++block) {
        std::uint32_t* const counts = in_block_.data() + block * buckets;
        for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
            const std::uint32_t count = counts[bucket];
            counts[bucket] = begin[bucket + 1]; // the sum of the blocks before
            begin[bucket + 1] += count;
        }
    }
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
        begin[bucket + 1] += begin[bucket];
    }
    for (std::size_t block = 0; block < blocks; ++block) {
        std::uint32_t* const counts = in_block_.data() + block * buckets;
        for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
            counts[bucket] += begin[bucket];
        }
    }
}

/// Sorts a bucket by the remaining digits; equal keys keep the order of their values.
template <class Tree>
KeyedOrder NestedBuild<Tree>::sort_in(std::size_t begin, std::size_t count) noexcept {
    const auto bits = static_cast<unsigned>(std::bit_width(power(kDepth - digits_) - 1));
    return sort_by_digits<6>(count, bits,
                             {bucket_keys_.data() + begin, bucket_order_.data() + begin},
                             {keys_.data() + begin, order_.data() + begin});
}

template <class Tree>
void NestedBuild<Tree>::sort_bucket(std::size_t bucket) noexcept {
    const std::size_t begin = bucket_begin_[bucket];
    (void)sort_in(begin, bucket_begin_[bucket + 1] - begin);
    Index blocks = 0;
    walk_below(bucket, nullptr, [&](Node*, const Range&, bool splits) -> Node* {
        blocks += splits ? 1 : 0;
        return nullptr;
    });
    parts_[bucket].blocks = blocks;
}

/// Calls on_node(node, range, splits) for a bucket's node and the nodes below it, each before its
/// children; on_node() returns the first child, or null.
template <class Tree>
template <class OnNode>
void NestedBuild<Tree>::walk_below(std::size_t bucket, Node* root,
                                   const OnNode& on_node) const noexcept {
    struct Stop {
        Node* node;
        Index begin, end;
        std::uint32_t key, depth; ///< `key` is the lowest key in the node
    };
    std::array<Stop, Tree::kStack> waiting;
    std::size_t count = 0;
    waiting[count++] = {root, bucket_begin_[bucket], bucket_begin_[bucket + 1], 0, digits_};
    while (count > 0) {
        const Stop at = waiting[--count];
        if (!Tree::splits(at.end - at.begin, at.depth)) {
            (void)on_node(at.node, Range{at.begin, at.end, at.end}, false);
            continue;
        }
        const std::uint32_t unit = power(kDepth - 1 - at.depth);
        std::array<Index, 6> begin;
        begin[0] = at.begin;
        begin[5] = at.end;
        for (std::uint32_t digit = 1; digit < 5; ++digit) {
            const std::uint32_t* const keys = sorted_.key;
            begin[digit] = static_cast<Index>(
                std::lower_bound(keys + begin[digit - 1], keys + at.end, at.key + digit * unit) -
                keys);
        }
        Node* const children = on_node(at.node, Range{at.begin, begin[1], at.end}, true);
        for (std::uint32_t digit = 5; digit-- > 1;) {
            Node* const child = children == nullptr ? nullptr : children + (digit - 1);
            waiting[count++] = {child, begin[digit], begin[digit + 1], at.key + digit * unit,
                                at.depth + 1};
        }
    }
}

/// Calls on_node(number, range, block of its children) for all nodes above those of the buckets,
/// and places the nodes of the buckets, in the order of a walk over the tree.
template <class Tree>
template <class OnNode>
void NestedBuild<Tree>::walk_above(const OnNode& on_node) noexcept {
    struct Stop {
        Index node;
        std::uint32_t bucket, depth; ///< `bucket` is the first bucket in the node
    };
    std::array<Stop, Tree::kStack> waiting;
    std::size_t count = 0;
    blocks_ = 0;
    waiting[count++] = {kNone, 0, 0};
    while (count > 0) {
        const Stop at = waiting[--count];
        if (at.depth == digits_) {
            Part& part = parts_[at.bucket];
            part.there = true;
            part.node = at.node;
            part.first_block = blocks_;
            blocks_ += part.blocks;
            continue;
        }
        const std::uint32_t unit = power(digits_ - 1 - at.depth);
        const Index begin = bucket_begin_[at.bucket];
        const Index end = bucket_begin_[at.bucket + 5 * unit];
        if (!Tree::splits(end - begin, at.depth)) {
            on_node(at.node, Range{begin, end, end}, kNone);
            continue;
        }
        const Index children = blocks_++;
        on_node(at.node, Range{begin, bucket_begin_[at.bucket + unit], end}, children);
        for (std::uint32_t digit = 5; digit-- > 1;) {
            waiting[count++] = {4 * children + digit - 1, at.bucket + digit * unit, at.depth + 1};
        }
    }
}

template <class Tree>
template <class ValueAt>
void NestedBuild<Tree>::fill(Tree& tree, const ValueAt& value_at, Executor& executor,
                             LoopClaims& claims) noexcept {
    tree.world_ = world_;
    tree.root_ = {};
    tree.entries_.assign_unwritten(count_);
    tree.blocks_.assign_unwritten(blocks_);
    const auto put = [&](Node& node, const Range& range, Index children) {
        const bool any = range.begin != range.own_end;
        node = {children, any ? range.begin : kNone, range.own_end - range.begin,
                range.end - range.begin};
        if (any) { tree.entries_[range.own_end - 1].next = kNone; }
    };
    finish_blocks(
        executor, parts_.size(),
        [&](std::size_t bucket) {
            for (Index i = bucket_begin_[bucket]; i < bucket_begin_[bucket + 1]; ++i) {
                const auto& value = value_at(sorted_.order[i]);
                tree.entries_[i] = {tree.box_of(value), value, i + 1};
            }
            const Part& part = parts_[bucket];
            if (!part.there) { return; }
            Index next = part.first_block;
            walk_below(bucket, &node_of(tree, part.node),
                       [&](Node* node, const Range& range, bool splits) -> Node* {
                           const Index children = splits ? next++ : kNone;
                           put(*node, range, children);
                           return splits ? tree.blocks_[children].data() : nullptr;
                       });
        },
        claims, LoopCost::of(count_, kPut));
    walk_above([&](Index number, const Range& range, Index children) {
        put(node_of(tree, number), range, children);
    });
}

} // namespace throng
