// The sets of a crowd, and the ids of statics.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../core/id.hpp"

#include <cstddef>
#include <cstdint>

namespace throng {

/// Which parts of a crowd a question is about.
enum class Sets : std::uint8_t {
    none = 0,
    small = 1,  ///< agents that fit the grid
    giants = 2, ///< agents that are too large for the grid
    agents = small | giants,
    statics = 4, ///< what seldom moves
    all = agents | statics,
};

/// Which pairs of overlapping bodies are wanted, by the sets of the two.
enum class PairSets : std::uint8_t {
    none = 0,
    small_small = 1,
    small_giants = 2,
    giants_giants = 4,
    agents = small_small | small_giants | giants_giants,
    small_statics = 8,
    giants_statics = 16,
    statics = small_statics | giants_statics,
    all = agents | statics,
};

[[nodiscard]] constexpr Sets operator|(Sets a, Sets b) noexcept {
    return static_cast<Sets>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
[[nodiscard]] constexpr Sets operator&(Sets a, Sets b) noexcept {
    return static_cast<Sets>(static_cast<unsigned>(a) & static_cast<unsigned>(b));
}
[[nodiscard]] constexpr PairSets operator|(PairSets a, PairSets b) noexcept {
    return static_cast<PairSets>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

/// Whether some of `part` are among `sets`.
[[nodiscard]] constexpr bool has(Sets sets, Sets part) noexcept {
    return (static_cast<unsigned>(sets) & static_cast<unsigned>(part)) != 0;
}
[[nodiscard]] constexpr bool has(PairSets sets, PairSets part) noexcept {
    return (static_cast<unsigned>(sets) & static_cast<unsigned>(part)) != 0;
}

/// The upper half of all ids is for statics, so agents' ids stay below this.
inline constexpr Id kFirstStatic = 0x8000'0000u;

/// The most agents, or statics, of one crowd.
inline constexpr std::size_t kMostInCrowd = kFirstStatic - 64;

/// Whether an id in an answer is a static's. A number that is wider than an Id is no static's.
[[nodiscard]] constexpr bool is_static(std::uint64_t id) noexcept {
    return id >= kFirstStatic && id <= kNoId;
}
/// The id, in answers, of the static with this index in the arrays given to set_statics(); kNoId
/// for an index that no static has.
[[nodiscard]] constexpr Id static_id(std::size_t index) noexcept {
    return index < kMostInCrowd ? kFirstStatic | static_cast<Id>(index) : kNoId;
}
/// The index, in the arrays given to set_statics(), of the static with this id. Inserted statics
/// may have greater ones.
[[nodiscard]] constexpr std::size_t static_index(std::uint64_t id) noexcept {
    return static_cast<std::size_t>(id & ~std::uint64_t{kFirstStatic});
}

} // namespace throng

#include "../../simd/isa/names_end.hpp"
