// Shared by the cases in C++: the yard, the small world in which they take place, and the text of a
// refusal.
#pragma once

#include "../../../family.hpp"
#include "../../../jobs.hpp"
#include "../../../throng.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace throng::refusals {

/// A row of the table: a name, and a call that is refused.
struct Case {
    const char* name;
    std::string (*sentence)();
};

// The rows for each part of the library.
std::span<const Case> crowd_cases();
std::span<const Case> edit_cases();
std::span<const Case> shape_cases();
std::span<const Case> batch_cases();
std::span<const Case> obstacle_cases();
std::span<const Case> family_cases();

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInfinite = std::numeric_limits<float>::infinity();
inline constexpr float kTooLarge = 2e18f;

using Places = std::vector<Point<2>>;

/// The places of the yard's three agents.
inline const Places kPlaces = {{{1, 1}}, {{2, 1}}, {{9, 9}}};

inline PointView<2> view(const Places& places) {
    return PointView<2>::interleaved(places.data()->axis.data(), places.size());
}

inline Agents<2> agents_at(const Places& places) {
    Agents<2> agents;
    agents.positions = view(places);
    return agents;
}

/// Cells of 2 x 2 in a world of 16 x 16.
inline CrowdSettings<2> yard_settings() {
    CrowdSettings<2> settings;
    settings.bounds = Box<2>{{{0, 0}}, {{16, 16}}};
    settings.cell = Point<2>{{2, 2}};
    return settings;
}

/// The yard without agents, and below with its three agents, which have neither sizes nor groups.
inline Crowd<2> empty_yard(const CrowdKind<2>& kind = {}) {
    Crowd<2> crowd;
    (void)crowd.configure(yard_settings(), kind);
    return crowd;
}
inline Crowd<2> yard() {
    Crowd<2> crowd = empty_yard();
    (void)crowd.update(agents_at(kPlaces));
    return crowd;
}

inline std::string said(const Status& status) { return to_string(status); }
inline std::string said(const Found& found) { return to_string(found.status); }

} // namespace throng::refusals
