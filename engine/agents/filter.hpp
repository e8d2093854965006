// The agents that a query leaves out.
#pragma once

#include "../core/id.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace throng {

/// Agents outside `groups`, and the one agent `without`, are not found.
///
/// An agent is in the groups when (its mask & groups) != 0. A crowd without masks is in every
/// group, so there only `groups` = 0 leaves any agents out.
struct Filter {
    std::uint32_t groups = kAllGroups;
    Id without = kNoId;

    friend constexpr bool operator==(const Filter&, const Filter&) noexcept = default;
};

/// For a batch: filters[q] is the filter of query q. There must be one for each query.
struct FilterEach {
    explicit constexpr FilterEach(std::span<const Filter> of_queries) noexcept
        : filters(of_queries) {}
    std::span<const Filter> filters;
};

/// The filters of a batch: one Filter for all queries, or a FilterEach, which is borrowed.
class Filters {
public:
    constexpr Filters() noexcept = default;
    // Implicit, so that calls take a Filter or a FilterEach.
    constexpr Filters(const Filter& of_all) noexcept : of_all_(of_all) {}
    constexpr Filters(const FilterEach& of_each) noexcept
        : of_each_(of_each.filters), one_each_(true) {}

    /// Whether each query has a filter of its own, and the filter of a query.
    [[nodiscard]] constexpr bool one_each() const noexcept { return one_each_; }
    [[nodiscard]] constexpr const Filter& of(std::size_t query) const noexcept {
        return one_each_ ? of_each_[query] : of_all_;
    }
    /// Whether there are filters for this many queries.
    [[nodiscard]] constexpr bool fit(std::size_t queries) const noexcept {
        return !one_each_ || of_each_.size() == queries;
    }
    /// The filters of `count` queries from `first` on.
    [[nodiscard]] constexpr Filters part(std::size_t first, std::size_t count) const noexcept {
        return one_each_ ? Filters(FilterEach(of_each_.subspan(first, count))) : *this;
    }

private:
    Filter of_all_{};
    std::span<const Filter> of_each_;
    bool one_each_ = false;
};

} // namespace throng
