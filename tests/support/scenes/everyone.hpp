// What all agents are answered together, put in the order in which grids and batches list it.
#pragma once

#include "../canonical_order.hpp"
#include "../ids.hpp"

#include <throng/engine/agents/found.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace throng::test {

/// Laid end to end.
[[nodiscard]] Hits joined(const std::vector<Ids>& answers);

/// Answers by id, as they come in storage order, and in the order of ids.
[[nodiscard]] Hits in_storage_order(const std::vector<Ids>& by_id, const CanonicalOrder& order);
[[nodiscard]] Hits in_id_order(std::vector<Ids> by_id, const CanonicalOrder& order);

/// From the agents that each agent touches, by id. Within a crowd the first of each pair is the one
/// that comes first.
[[nodiscard]] Pairs pairs_within(const std::vector<Ids>& touching, const CanonicalOrder& order);
[[nodiscard]] Pairs pairs_between(const std::vector<Ids>& touching, const CanonicalOrder& order,
                                  const CanonicalOrder& order_of_others);

/// How long each answer is.
[[nodiscard]] std::vector<std::uint32_t> lengths(const Hits& hits);

/// Empty when both say the same, else where they first differ.
[[nodiscard]] std::string difference(const Hits& got, const Hits& wanted);
[[nodiscard]] std::string difference(const Pairs& got, const Pairs& wanted);

} // namespace throng::test
