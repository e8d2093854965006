// The answers of all agents, in the order in which grids and batches list them.
#pragma once

#include "../canonical_order.hpp"
#include "../ids.hpp"

#include <throng/engine/agents/found.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace throng::test {

/// All answers joined into one list.
[[nodiscard]] Hits joined(const std::vector<Ids>& answers);

/// Answers given by id, in storage order, and below in the order of ids.
[[nodiscard]] Hits in_storage_order(const std::vector<Ids>& by_id, const CanonicalOrder& order);
[[nodiscard]] Hits in_id_order(std::vector<Ids> by_id, const CanonicalOrder& order);

/// Pairs made from the agents that each agent touches, by id. In a pair within one crowd, the agent
/// that is earlier in the order comes first.
[[nodiscard]] Pairs pairs_within(const std::vector<Ids>& touching, const CanonicalOrder& order);
[[nodiscard]] Pairs pairs_between(const std::vector<Ids>& touching, const CanonicalOrder& order,
                                  const CanonicalOrder& order_of_others);

/// The length of each answer.
[[nodiscard]] std::vector<std::uint32_t> lengths(const Hits& hits);

/// Empty if both are equal, otherwise their first difference.
[[nodiscard]] std::string difference(const Hits& got, const Hits& wanted);
[[nodiscard]] std::string difference(const Pairs& got, const Pairs& wanted);

} // namespace throng::test
