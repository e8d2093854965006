// Shapes made from corners.
#include "../engine/shapes/convex.hpp"
#include "arrays.hpp"

#include <algorithm>
#include <array>
#include <cstring>

using namespace throng::c;

throng_status throng_polygon(const float* corners, size_t count, throng_convex2* out) {
    return guarded([&] {
        const auto given = array_of<const throng::Point<2>>(corners, count, "corners", "count");
        check_out(out, "out");
        const throng::OrStatus<throng::Convex<2>> made = throng::polygon(given);
        if (made.status.ok()) { std::memcpy(out, &made.value, sizeof *out); }
        return status_of(made.status);
    });
}

throng_status throng_frustum(const float corners[24], throng_convex3* out) {
    return guarded([&] {
        std::array<throng::Point<3>, 8> given;
        const auto all =
            array_of<const throng::Point<3>>(corners, given.size(), "corners", "corners");
        check_out(out, "out");
        std::copy(all.begin(), all.end(), given.begin());
        const throng::OrStatus<throng::Convex<3>> made = throng::frustum(given);
        if (made.status.ok()) { std::memcpy(out, &made.value, sizeof *out); }
        return status_of(made.status);
    });
}
