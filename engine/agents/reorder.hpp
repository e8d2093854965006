// Sorts the caller's own arrays, for example into the order in which an index stores its agents.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../core/executor.hpp"
#include "../core/id.hpp"
#include "../core/status.hpp"

#include <array>
#include <cstddef>
#include <ranges>
#include <span>
#include <type_traits>

namespace throng {

namespace detail {

/// An array of the caller's: `count` elements of `bytes` bytes each.
struct AgentArray {
    void* data;
    std::size_t count, bytes;
};

THRONG_API Status reorder(std::span<const Id> order, std::span<const AgentArray> arrays,
                          Executor& executor);

} // namespace detail

/// Puts arrays in another order: the element at order[i] moves to i.
///
///     std::vector<throng::Id> order(crowd.size());
///     (void)crowd.order(order);
///     throng::Status status = throng::reorder(order, executor, x, y, velocity, state);
///     if (status.ok()) { status = crowd.update(agents); }
///
/// With the order of an index, agents then lie in the arrays as they do in its rows, and after the
/// next update() their ids follow the same order. Neighbours in space are then neighbours in
/// memory, so reads and writes by id are faster, until agents have moved away from where they were.
///
/// Every array must have as many elements as `order`, and `order` must name each element once:
/// otherwise the status names the array, or the entry of `order`, at fault. No array may overlap
/// another or `order`; that is not checked. Takes as much memory as the largest array, and throws
/// std::bad_alloc where there is none. Whether refused or thrown, nothing has changed.
template <std::ranges::contiguous_range... Arrays>
requires((std::ranges::sized_range<Arrays> && std::ranges::borrowed_range<Arrays> &&
          !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<Arrays>>>)&&...)
    Status reorder(std::span<const Id> order, Executor& executor, Arrays&&... arrays) {
    static_assert((std::is_trivially_copyable_v<std::ranges::range_value_t<Arrays>> && ...),
                  "elements are copied as bytes");
    const std::array<detail::AgentArray, sizeof...(Arrays)> all = {detail::AgentArray{
        std::ranges::data(arrays), static_cast<std::size_t>(std::ranges::size(arrays)),
        sizeof(std::ranges::range_value_t<Arrays>)}...};
    return detail::reorder(order, all, executor);
}

} // namespace throng

#include "../../simd/isa/names_end.hpp"
