// Sorts agents along a Hilbert curve. Internal to the engine.
#pragma once

#include "../../simd/kernels/tree/tree_pack.hpp"

#include <cstddef>
#include <cstdint>

namespace throng {

/// A survey of no agents.
template <std::size_t Dim>
[[nodiscard]] simd::Survey<Dim> empty_survey() noexcept;

/// Lays a curve over these bounds, with so many cells that few agents share one, and without
/// classes of size. False if the bounds are too narrow for cells to be told apart.
template <std::size_t Dim>
bool lay_curve(simd::CurveMap<Dim>& curve, const float (&lo)[Dim], const float (&hi)[Dim],
               std::size_t agents) noexcept;

/// Classes agents by size; leaves are about `leaf_edge` wide. One huge agent would bring nearly
/// every query into its leaf, so huge agents get leaves of their own. Returns the number of bits of
/// a key that hold the class.
template <std::size_t Dim>
unsigned class_by_size(simd::CurveMap<Dim>& curve, float leaf_edge) noexcept;

/// Records of agents, each in one piece: the key, the coordinates, then other words.
struct CurveRecords {
    const std::uint32_t* words;
    std::size_t record_words;
    std::size_t count;
};

/// More agents than this in one cell of the curve get a curve of their own.
inline constexpr std::size_t kMostInCell = 32;

/// How many words of scratch sort_along_curve() needs.
[[nodiscard]] constexpr std::size_t curve_sort_scratch(std::size_t records) noexcept {
    return 4 * records + 2 * (records / kMostInCell + 1);
}

/// The numbers of the records, sorted by key; more than kMostInCell records with equal keys are
/// sorted along a curve of their own. Records that no curve tells apart keep their order. The
/// result lies in the scratch.
template <std::size_t Dim>
const std::uint32_t* sort_along_curve(const CurveRecords& records, std::uint32_t* scratch) noexcept;

} // namespace throng
