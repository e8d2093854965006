#include "../asker_copies.hpp"

#include "../../answers/nearest_checks.hpp"
#include "../store/state.hpp"

#include <algorithm>

namespace throng {

template <std::size_t Dim>
OrStatus<simd::AskerCopies<Dim>> asker_copies(const Crowd<Dim>& crowd,
                                              const Neighbourhood& neighbourhood) noexcept {
    const auto& inside = detail::state_of(crowd);
    const AccessCheck::Reading reading(inside.access);
    OrStatus<simd::AskerCopies<Dim>> made{};
    made.status = check_neighbourhood(neighbourhood);
    if (!made.status.ok()) { return made; }
    float reach = neighbourhood.radius;
    if (neighbourhood.body != Body::centre) {
        const Point<Dim> largest = inside.largest(Sets::all);
        const bool box = neighbourhood.body == Body::box;
        reach +=
            2.0f * (box ? *std::max_element(largest.axis.begin(), largest.axis.end()) : largest[0]);
        reach += reach * 0x1p-20f; // more than rounding takes away
    }
    if (inside.world.wraps && !inside.world.is_narrow(reach)) {
        made.status = {Cause::wraps, Argument::radius};
        return made;
    }
    const Box<Dim> alone = inside.world.without_borders(reach);
    for (std::size_t a = 0; a < Dim; ++a) {
        made.value.low[a] = alone.lo[a];
        made.value.high[a] = alone.hi[a];
        made.value.period[a] = inside.world.period[a];
    }
    return made;
}

template OrStatus<simd::AskerCopies<2>> asker_copies(const Crowd<2>&,
                                                     const Neighbourhood&) noexcept;
template OrStatus<simd::AskerCopies<3>> asker_copies(const Crowd<3>&,
                                                     const Neighbourhood&) noexcept;

} // namespace throng
