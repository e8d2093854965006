// What a query leaves out.
#pragma once

#include "id.hpp"

#include <cstdint>

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

} // namespace throng
