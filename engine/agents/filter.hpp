// The agents that a query leaves out.
#pragma once

#include "../core/id.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>

namespace throng {

/// Agents outside `groups`, and the one agent `without`, are not found.
///
/// An agent is in the groups when (its mask & groups) != 0. Agents of a crowd without masks are in
/// every group: there any `groups` other than 0 finds them all.
struct Filter {
    std::uint32_t groups = kAllGroups;
    Id without = kNoId;

    friend constexpr bool operator==(const Filter&, const Filter&) noexcept = default;
};

/// The filters of a batch: one Filter for all queries; or a span, a vector or an array with one for
/// each query, which is borrowed.
struct Filters {
    Filter all;
    std::span<const Filter> each;
    bool one_each = false; ///< whether `each` is meant

    constexpr Filters() noexcept = default;
    // Implicit, so that calls take filters as they are.
    constexpr Filters(const Filter& of_all) noexcept : all(of_all) {}
    template <std::ranges::contiguous_range OfEach>
    requires(std::same_as<std::ranges::range_value_t<OfEach>, Filter>) constexpr Filters(
        const OfEach& of_each) noexcept
        : each(of_each), one_each(true) {}

    [[nodiscard]] constexpr const Filter& of(std::size_t query) const noexcept {
        return one_each ? each[query] : all;
    }
};

namespace detail {

/// Whether there are filters for this many queries.
[[nodiscard]] constexpr bool fit(const Filters& filters, std::size_t queries) noexcept {
    return !filters.one_each || filters.each.size() == queries;
}
/// The filters of `count` queries from `first` on.
[[nodiscard]] constexpr Filters part_of(const Filters& filters, std::size_t first,
                                        std::size_t count) noexcept {
    return filters.one_each ? Filters(filters.each.subspan(first, count)) : filters;
}

} // namespace detail

} // namespace throng
