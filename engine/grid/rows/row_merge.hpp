// Removes and adds many nodes of a row in one pass over it. Internal to the engine.
#pragma once

#include "row_store.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace throng {

/// A node that is added to a row.
struct AddedNode {
    std::uint64_t key; ///< cell in the upper half, id in the lower: canonical order
    std::uint32_t change;
    std::uint32_t slot; ///< where in the row it will be

    [[nodiscard]] std::uint32_t cell() const noexcept {
        return static_cast<std::uint32_t>(key >> 32);
    }
    [[nodiscard]] std::uint32_t id() const noexcept { return static_cast<std::uint32_t>(key); }
};

/// A run of nodes that stay: the slots [begin, end) go to `to`.
struct KeptRun {
    std::uint32_t begin, end, to;
};

/// The changes to one row.
struct RowMerge {
    std::uint32_t row = 0;
    std::uint32_t count = 0;                  ///< nodes of the row after the merge
    std::span<const std::uint32_t> removed{}; ///< slots, ascending
    std::span<const AddedNode> added{};       ///< ascending
    std::span<const KeptRun> kept{};
    const std::uint32_t* nodes = nullptr; ///< the words of the added nodes, node by node
};

/// Finds the slots of the added nodes, and the runs that stay: at most one more than the added and
/// removed nodes together. Returns how many runs it has written.
template <std::size_t Dim>
std::size_t lay_out(const RowStore<Dim>& store, std::uint32_t r,
                    std::span<const std::uint32_t> removed, std::span<AddedNode> added,
                    KeptRun* kept) noexcept;

/// Whether the row's own block and table can hold the merged row, which is not empty.
template <std::size_t Dim>
[[nodiscard]] bool fits_in_place(const RowStore<Dim>& store, const RowMerge& merge) noexcept;

/// Builds the merged row, which is not empty, in a block of its own with room to grow, for
/// RowStore::replace(); until then the caller owns its words, an Array. Throws std::bad_alloc.
template <std::size_t Dim>
[[nodiscard]] simd::Row merge_aside(const RowStore<Dim>& store, const RowMerge& merge);

/// Merges in the row's own block, which must have room. Rows may be changed concurrently.
template <std::size_t Dim>
void merge_in_place(RowStore<Dim>& store, const RowMerge& merge) noexcept;

} // namespace throng
