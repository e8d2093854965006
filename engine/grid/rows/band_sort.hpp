// Sorts the agents of a band of rows into their rows and cells. Internal to the engine.
#pragma once

#include "../../agents/agents.hpp"
#include "../../agents/skipped_ids.hpp"
#include "row_store.hpp"

#include <cstddef>
#include <cstdint>

namespace throng {

/// Which rows a band has, and how many agents.
struct BandExtent {
    std::uint32_t first_row;
    std::size_t rows;
    std::size_t agents;
};

/// Whether a band has so many agents that a counter for each of its cells is best.
[[nodiscard]] bool is_dense(const BandExtent& extent, unsigned cell_bits) noexcept;

/// How many words of scratch sort_band() needs.
[[nodiscard]] std::size_t band_scratch_words(const BandExtent& extent, unsigned cell_bits) noexcept;

/// An upper bound on a band's rows with agents; exact for a sparse band, where the difference
/// matters. Records are `record_words` long and begin with their keys.
[[nodiscard]] std::size_t used_rows(const BandExtent& extent, unsigned cell_bits,
                                    std::size_t record_words, const std::uint32_t* records,
                                    std::uint32_t* scratch) noexcept;

/// Places all rows of a band in `store`, writing their blocks to `words` one after another.
///
/// A record is a key (row within the band, then cell in the lowest `cell_bits` bits) and the fields
/// of the node. Records with equal keys keep their order.
template <std::size_t Dim>
void sort_band(RowStore<Dim>& store, const BandExtent& extent, unsigned cell_bits,
               const std::uint32_t* records, std::uint32_t* words, std::uint32_t* scratch) noexcept;

/// The same for a dense band that is the whole store, straight from the caller's arrays: keys[id],
/// the key of agent `id`, is its row times the cells of a row, plus its cell. Needs no more scratch
/// than sort_band().
template <std::size_t Dim>
void sort_all(RowStore<Dim>& store, const Agents<Dim>& agents, SkippedIds skipped,
              const std::uint32_t* keys, std::uint32_t* words, std::uint32_t* scratch) noexcept;

extern template void sort_band(RowStore<2>&, const BandExtent&, unsigned, const std::uint32_t*,
                               std::uint32_t*, std::uint32_t*) noexcept;
extern template void sort_band(RowStore<3>&, const BandExtent&, unsigned, const std::uint32_t*,
                               std::uint32_t*, std::uint32_t*) noexcept;
extern template void sort_all(RowStore<2>&, const Agents<2>&, SkippedIds, const std::uint32_t*,
                              std::uint32_t*, std::uint32_t*) noexcept;
extern template void sort_all(RowStore<3>&, const Agents<3>&, SkippedIds, const std::uint32_t*,
                              std::uint32_t*, std::uint32_t*) noexcept;

} // namespace throng
