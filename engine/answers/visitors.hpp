// The visitors that receive results of an index.
#pragma once

#include "../core/function_ref.hpp"
#include "../core/id.hpp"

#include <cstddef>
#include <span>

namespace throng {

/// Runs of ids are no longer than this, and runs of pairs no longer than twice this.
inline constexpr std::size_t kLongestRun = 1024;

/// Receives ids, a run at a time; returns false to stop.
using IndexVisitor = FunctionRef<bool(std::span<const Id>)>;

/// Receives pairs, first[i] and second[i]; returns false to stop.
using IndexPairVisitor = FunctionRef<bool(std::span<const Id> first, std::span<const Id> second)>;

/// Defined in spatial_index.hpp, to draw an index.
template <std::size_t Dim>
struct IndexCell;

/// Receives cells; returns false to stop.
template <std::size_t Dim>
using IndexCellVisitor = FunctionRef<bool(const IndexCell<Dim>&)>;

} // namespace throng
