// The nodes of a loose tree, as many together as a node has children. Internal to the engine.
#pragma once

#include "../../../simd/isa/words4.hpp"
#include "../../agents/box.hpp"
#include "../../memory/free_list.hpp"
#include "lattice.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace throng {

/// A node is block * kChildren + child. Block 0 has one node only: the root.
inline constexpr std::uint32_t kNoNode = ~0u;

/// The most steps from the root to a leaf.
inline constexpr unsigned kDeepestLeaf = 16;

/// The children of one node. Their covers lie together, an array for each side, so that all are
/// gated with one look; in the plane they fill one line of the cache.
template <std::size_t Dim>
struct alignas(16) LooseBlock {
    static constexpr std::uint32_t kChildren = 1u << Dim;
    static constexpr float kFar = std::numeric_limits<float>::infinity();

    float lo[Dim][kChildren];       ///< what each child covers; if empty, infinity ...
    float hi[Dim][kChildren];       ///< ... to minus infinity
    std::uint32_t first[kChildren]; ///< of an inner node its block; of a leaf its first bucket
    std::uint32_t count[kChildren]; ///< the agents of a leaf, or below an inner node
    std::uint32_t parent;           ///< the node whose children these are
    std::uint8_t depth;             ///< of the children
    std::uint8_t inner;             ///< a bit for each child that is no leaf
    std::uint8_t changed;           ///< a bit for each child that a cleanup must visit

    /// A block of empty leaves.
    [[nodiscard]] static LooseBlock empty(std::uint32_t parent, unsigned depth,
                                          std::uint32_t first) noexcept {
        LooseBlock block;
        for (std::uint32_t c = 0; c < kChildren; ++c) {
            block.first[c] = first;
            block.count[c] = 0;
            block.uncover(c);
        }
        block.parent = parent;
        block.depth = static_cast<std::uint8_t>(depth);
        block.inner = 0;
        block.changed = 0;
        return block;
    }

    [[nodiscard]] bool is_inner(std::uint32_t c) const noexcept { return (inner >> c & 1u) != 0; }

    [[nodiscard]] Box<Dim> cover(std::uint32_t c) const noexcept {
        Box<Dim> box;
        for (std::size_t a = 0; a < Dim; ++a) {
            box.lo[a] = lo[a][c];
            box.hi[a] = hi[a][c];
        }
        return box;
    }
    void set_cover(std::uint32_t c, const Box<Dim>& box) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            lo[a][c] = box.lo[a];
            hi[a][c] = box.hi[a];
        }
    }
    void uncover(std::uint32_t c) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            lo[a][c] = kFar;
            hi[a][c] = -kFar;
        }
    }
    /// False if the child covered all of it before.
    bool grow(std::uint32_t c, const Box<Dim>& box) noexcept {
        bool grown = false;
        for (std::size_t a = 0; a < Dim; ++a) {
            grown = grown || box.lo[a] < lo[a][c] || box.hi[a] > hi[a][c];
            lo[a][c] = std::min(lo[a][c], box.lo[a]);
            hi[a][c] = std::max(hi[a][c], box.hi[a]);
        }
        return grown;
    }
    /// What all children cover.
    [[nodiscard]] Box<Dim> cover_of_all() const noexcept {
        Box<Dim> box;
        for (std::size_t a = 0; a < Dim; ++a) {
            box.lo[a] = *std::min_element(lo[a], lo[a] + kChildren);
            box.hi[a] = *std::max_element(hi[a], hi[a] + kChildren);
        }
        return box;
    }
    /// A bit for each child whose cover overlaps `box`.
    [[nodiscard]] std::uint32_t touching(const Box<Dim>& box) const noexcept {
        std::uint32_t bits = 0;
        for (std::uint32_t c = 0; c < kChildren; c += 4) {
            auto meets = simd::load_floats(lo[0] + c) <= simd::four_times(box.hi[0]);
            meets &= simd::four_times(box.lo[0]) <= simd::load_floats(hi[0] + c);
            for (std::size_t a = 1; a < Dim; ++a) {
                meets &= simd::load_floats(lo[a] + c) <= simd::four_times(box.hi[a]);
                meets &= simd::four_times(box.lo[a]) <= simd::load_floats(hi[a] + c);
            }
            bits |= simd::bits_of_mask(meets) << c;
        }
        return bits;
    }
};

template <std::size_t Dim>
using LooseBlocks = FreeList<LooseBlock<Dim>>;

/// Room on a stack of nodes still to be visited, where a node's children replace it: all but the
/// last child of every node on the way to a leaf, and that last one.
template <std::size_t Dim>
inline constexpr std::size_t kMostWaiting = ((std::size_t{1} << Dim) - 1) * (kDeepestLeaf + 1) + 1;

} // namespace throng
