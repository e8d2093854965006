// The question that everyone in a crowd asks at once.
#pragma once

#include "id.hpp"

#include <cstdint>

namespace throng {

/// Who is near each agent: whose centres lie in the ball of `radius` around its own?
struct Neighbourhood {
    float radius = 0.0f;
    bool with_self = false;
    std::uint32_t groups = kAllGroups; ///< of those to be found, as in Filter; everybody asks

    friend constexpr bool operator==(const Neighbourhood&, const Neighbourhood&) noexcept = default;
};

} // namespace throng
