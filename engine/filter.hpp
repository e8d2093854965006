// What a query leaves out.
#pragma once

#include "id.hpp"

#include <cstdint>
#include <span>

namespace throng {

/// Agents outside `groups`, and the one agent `without`, are not found.
///
/// An agent is in the groups when (its mask & groups) != 0. A crowd without masks is in every
/// group, so there only `groups` = 0 leaves anybody out.
struct Filter {
    std::uint32_t groups = kAllGroups;
    Id without = kNoId;

    friend constexpr bool operator==(const Filter&, const Filter&) noexcept = default;
};

/// For a batch: filters[q] is that of query q. There must be as many as there are queries.
struct FilterEach {
    explicit constexpr FilterEach(std::span<const Filter> of_queries) noexcept
        : filters(of_queries) {}
    std::span<const Filter> filters;
};

} // namespace throng
