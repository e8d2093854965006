// The kernel that finds which candidates of kept lists are within a radius now.
#pragma once

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// Candidates in places close together: bit i of `lanes`, with i below kPlacesInRun, says that
/// place first + i has a candidate. The last run of a list has the bit kEndsList, too; an empty
/// list has one run without candidates.
struct PlaceRun {
    std::uint32_t first;
    std::uint32_t lanes;
};
inline constexpr std::uint32_t kPlacesInRun = 16;
inline constexpr std::uint32_t kEndsList = 1u << 31;

/// Lists of candidates, and the present positions of all agents. A place is an index into
/// `position` and `ids`. The list of the agent in place k has the runs offsets[k] ... offsets[k +
/// 1] - 1.
template <std::size_t Dim>
struct KeptLists {
    const float* position[Dim];   ///< by place, with kSlack more
    const std::uint32_t* ids;     ///< by place, with kSlack more
    const PlaceRun* runs;         ///< the runs of all lists
    const std::uint64_t* offsets; ///< one more than there are lists
    float radius2;                ///< the square of the radius
    bool wraps;                   ///< whether any axis is periodic
    float period[Dim];            ///< of each periodic axis; zero on others
    /// In a periodic world: agents between these, on all axes, are farther from the borders than
    /// the radius, and have no neighbours behind them.
    float low[Dim], high[Dim];
};

/// Writes the ids of neighbours to `out`, list by list from `begin` on and before `end`, in the
/// order of their runs. Writes to ends[i] where the i-th of these lists ends, if the first list
/// begins at `used`; returns where the last list ends. `out` has room for as many ids as these
/// lists have candidates, and kSlack more.
template <std::size_t Dim>
std::uint64_t filter_lists(const KeptLists<Dim>& lists, std::size_t begin, std::size_t end,
                           std::uint64_t used, std::uint32_t* out, std::uint64_t* ends) noexcept;

/// The same on one instruction set; each is compiled from kept_lists.kernel.cpp.
template <class Arch, std::size_t Dim>
std::uint64_t filter_lists_on(Arch, const KeptLists<Dim>& lists, std::size_t begin, std::size_t end,
                              std::uint64_t used, std::uint32_t* out, std::uint64_t* ends) noexcept;

} // namespace throng::simd
