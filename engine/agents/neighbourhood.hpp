// The query that all agents of a crowd ask at once.
#pragma once

#include "../core/id.hpp"

#include <cstdint>

namespace throng {

/// For each agent: which agents' centres lie in the ball of `radius` around its own?
struct Neighbourhood {
    float radius = 0.0f;
    bool with_self = false;
    std::uint32_t groups = kAllGroups; ///< of those to be found, as in Filter; all agents ask

    friend constexpr bool operator==(const Neighbourhood&, const Neighbourhood&) noexcept = default;
};

} // namespace throng
