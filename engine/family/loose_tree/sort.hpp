// Sorts all agents into the leaves of a new tree, beside the old one. Internal to the engine.
#pragma once

#include "../../agents/agents.hpp"
#include "../../core/status.hpp"
#include "../../memory/vector.hpp"
#include "../../memory/word_buffer.hpp"
#include "../bucket_store.hpp"
#include "lattice.hpp"
#include "nodes.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace throng {

/// More agents than this do not stay in one leaf, unless it is as deep as leaves may be. Measured:
/// with 16 in the plane, updates and pairs take a third longer; with 48, pairs do where leaves are
/// full. In space a leaf that is split leaves an eighth to each child, which is little.
template <std::size_t Dim>
inline constexpr std::uint32_t kMostInLeaf = Dim == 2 ? 32 : 48;

/// A sort by Morton keys from the top: first all agents into some thousand squares, then each
/// square, which fits the first cache, as many levels down as it takes. A square with few enough
/// agents becomes a leaf, so sorting builds the tree.
template <std::size_t Dim>
class LooseTreeSort {
public:
    /// Sorts the agents, and builds the nodes over them; false if an index cannot hold a position.
    /// Throws std::bad_alloc.
    [[nodiscard]] bool sort(const Agents<Dim>& agents, const TreeLattice<Dim>& lattice,
                            unsigned deepest);

    /// How many buckets fill() takes.
    [[nodiscard]] std::size_t buckets() const noexcept { return buckets_; }

    /// Puts the agents into the store, which is empty and has room; notes the slot of each id and
    /// the leaf of each bucket. Then the nodes cover their agents and are complete. Returns the
    /// largest half extents.
    Point<Dim> fill(const Agents<Dim>& agents, BucketStore<Dim>& store, std::uint32_t* slot_of_id,
                    std::uint32_t* leaf_of_bucket) noexcept;

    [[nodiscard]] LooseBlocks<Dim>& blocks() noexcept { return blocks_; }

    [[nodiscard]] std::size_t memory() const noexcept;

private:
    using Key = std::conditional_t<Dim == 2, std::uint32_t, std::uint64_t>;
    static constexpr unsigned kDim = Dim;
    static constexpr unsigned kKeyBits = kDim * TreeLattice<Dim>::kLevels;
    struct Record {
        Key key;
        float position[Dim];
        Id id;
    };
    static_assert(std::is_trivially_copyable_v<Record>);

    /// Levels that are sorted in one go, at most: further down, and at the top.
    static constexpr unsigned kLevelsAtOnce = Dim == 2 ? 3 : 2;
    static constexpr unsigned kLevelsAtTop = Dim == 2 ? 6 : 4;
    static constexpr std::size_t kSquaresAtOnce = std::size_t{1} << (Dim * kLevelsAtOnce);
    static constexpr std::size_t kSquaresAtTop = std::size_t{1} << (Dim * kLevelsAtTop);

    /// Where the agents of each square begin, for squares sorted in one go; the last entry is where
    /// they end.
    struct KeyRange {
        unsigned end = 0; ///< the depth of the squares
        const std::uint32_t* begins = nullptr;
    };
    /// An inner node that has no children yet.
    struct Waiting {
        std::uint32_t node, begin, count;
        std::uint32_t square; ///< its number among those at its depth in its stretch
        std::uint16_t depth, range;
    };

    [[nodiscard]] Record* records() const noexcept {
        return reinterpret_cast<Record*>(records_.data());
    }
    [[nodiscard]] Record* scratch() const noexcept {
        return reinterpret_cast<Record*>(scratch_.data());
    }
    bool find_keys(const Agents<Dim>& agents, const TreeLattice<Dim>& lattice, unsigned levels);
    void scatter(const Agents<Dim>& agents, unsigned levels) noexcept;
    void sort_further(const Waiting& node, unsigned end, std::uint32_t* begins) noexcept;
    struct Extremes;
    static void fill_bucket(const Record* from, std::uint32_t count, std::uint32_t bucket,
                            std::uint32_t* words, std::uint32_t* slot_of_id,
                            Extremes& extremes) noexcept;
    static void fill_rest(const Agents<Dim>& agents, BucketStore<Dim>& store,
                          LooseBlock<Dim>& block, std::uint32_t c, Point<Dim>& largest) noexcept;
    void build(std::uint32_t count, unsigned levels, unsigned deepest);

    Vector<Key> keys_;
    Vector<std::uint32_t> top_; // begins
    std::array<std::array<std::uint32_t, kSquaresAtOnce + 1>, kDeepestLeaf> below_;
    WordBuffer records_, scratch_;
    std::size_t buckets_ = 0;
    LooseBlocks<Dim> blocks_;
};

extern template class LooseTreeSort<2>;
extern template class LooseTreeSort<3>;

} // namespace throng
