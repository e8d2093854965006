// Sorts ids by a given order.
#include "canonical_order.hpp"

#include <algorithm>
#include <utility>

namespace throng::test {

CanonicalOrder::CanonicalOrder(Ids ids) : ids_(std::move(ids)) {
    if (!ids_.empty()) { rank_of_.resize(*std::max_element(ids_.begin(), ids_.end()) + 1u); }
    for (std::uint32_t rank = 0; rank < ids_.size(); ++rank) {
        rank_of_[ids_[rank]] = rank;
    }
}

Ids CanonicalOrder::sorted(Ids ids) const {
    std::sort(ids.begin(), ids.end(), [&](Id p, Id q) { return rank(p) < rank(q); });
    return ids;
}

Ids CanonicalOrder::from(Id id, Ids ids) const {
    std::erase_if(ids, [&](Id other) { return rank(other) < rank(id); });
    return ids;
}

} // namespace throng::test
