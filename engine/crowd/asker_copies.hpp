// Where the agents of a periodic crowd look for neighbours across its borders.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../../simd/views/neighbour_query.hpp"
#include "../agents/nearest.hpp"
#include "../core/status.hpp"
#include "crowd.hpp"

#include <cstddef>

namespace throng {

/// The copies by which the agents of a crowd find their neighbours across periodic borders: for
/// NeighbourLoop::run_among() with the crowd's grids. Valid until the crowd changes. A crowd that
/// is not periodic has none.
///
/// Refuses what Batch::neighbours() refuses, and, with Cause::wraps, a world that is not wider than
/// twice the reach: there an agent would find another one several times.
template <std::size_t Dim>
[[nodiscard]] THRONG_API OrStatus<simd::AskerCopies<Dim>>
asker_copies(const Crowd<Dim>& crowd, const Neighbourhood& neighbourhood) noexcept;

extern template OrStatus<simd::AskerCopies<2>> asker_copies(const Crowd<2>&,
                                                            const Neighbourhood&) noexcept;
extern template OrStatus<simd::AskerCopies<3>> asker_copies(const Crowd<3>&,
                                                            const Neighbourhood&) noexcept;

} // namespace throng

#include "../../simd/isa/names_end.hpp"
