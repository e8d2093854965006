// Sorts agents along a Hilbert curve. Internal to the engine.
#pragma once

#include "../../simd/kernels/tree_pack.hpp"

#include <cstddef>
#include <cstdint>

namespace throng {

/// A survey of no agents.
template <std::size_t Dim>
[[nodiscard]] simd::Survey<Dim> empty_survey() noexcept;

/// Lays a curve over these bounds, with cells enough that few agents share one, and without classes
/// of size. False if the bounds are too narrow for cells to be told apart.
template <std::size_t Dim>
bool lay_curve(simd::CurveMap<Dim>& curve, const float (&lo)[Dim], const float (&hi)[Dim],
               std::size_t agents) noexcept;

/// Records of agents, each in one piece: the key, the coordinates, and whatever else.
struct CurveRecords {
    const std::uint32_t* words;
    std::size_t record_words;
    std::size_t count;
};

/// How many words of scratch sort_along_curve() needs.
[[nodiscard]] std::size_t curve_sort_scratch(std::size_t records) noexcept;

/// The numbers of the records, sorted by key; many records with equal keys are sorted along curves
/// of their own. Records that are alike stay in order. The result lies in the scratch.
template <std::size_t Dim>
const std::uint32_t* sort_along_curve(const CurveRecords& records, std::uint32_t* scratch) noexcept;

} // namespace throng
