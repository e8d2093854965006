// An order of ids, and the rank of each id in it.
#pragma once

#include "ids.hpp"

#include <cstdint>
#include <vector>

namespace throng::test {

/// All ids of a crowd in a grid's canonical order, by which answers can be sorted.
class CanonicalOrder {
public:
    CanonicalOrder() = default;
    explicit CanonicalOrder(Ids ids);

    [[nodiscard]] const Ids& ids() const noexcept { return ids_; }
    [[nodiscard]] std::uint32_t rank(Id id) const noexcept { return rank_of_[id]; }
    [[nodiscard]] Ids sorted(Ids ids) const;
    /// Those of `ids` that come after `id` in this order, and `id` itself.
    [[nodiscard]] Ids from(Id id, Ids ids) const;

private:
    Ids ids_;
    std::vector<std::uint32_t> rank_of_; // by id
};

} // namespace throng::test
