// Shared by the cases in C: the yard, the small world in which they take place. Every call is one
// of throng.h; only the tables and lambdas are C++.
#pragma once

#include "../../../throng.h"
#include "../../../throng_family.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace throng_refusals {

/// A row of the table: a name, and a call that is refused.
struct Case {
    const char* name;
    throng_status (*status)();
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

/// x and y of each place.
using Places = std::vector<float>;

/// The places of the yard's three agents.
inline const Places kPlaces = {1, 1, 2, 1, 9, 9};

/// The places must live as long as what points to them.
inline throng_agents agents_at(const Places& places) {
    return throng_agents_interleaved(2, places.data(), places.size() / 2, 8);
}
throng_agents agents_at(Places&&) = delete;

inline throng_points points_at(const Places& places) {
    throng_points points = THRONG_POINTS_INIT;
    points.coordinates = places.data();
    points.count = places.size() / 2;
    return points;
}
throng_points points_at(Places&&) = delete;

/// Cells of 2 x 2 in a world of 16 x 16.
inline throng_crowd_settings yard_settings() {
    throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
    settings.given = THRONG_GIVEN_BOUNDS | THRONG_GIVEN_CELL;
    settings.hi[0] = settings.hi[1] = 16;
    settings.cell[0] = settings.cell[1] = 2;
    return settings;
}

/// A crowd, and a batch for questions about it.
struct Yard {
    /// The yard with its three agents, which have neither sizes nor groups.
    Yard() : Yard(yard_settings()) { (void)update(kPlaces); }
    /// A crowd with these settings and without agents.
    explicit Yard(const throng_crowd_settings& settings) {
        (void)throng_crowd_create(&settings, &crowd);
        (void)throng_batch_create(nullptr, &batch);
    }
    ~Yard() {
        (void)throng_crowd_destroy(crowd);
        (void)throng_batch_destroy(batch);
    }
    Yard(const Yard&) = delete;
    Yard& operator=(const Yard&) = delete;

    throng_status update(const Places& places) const {
        const throng_agents agents = agents_at(places);
        return throng_crowd_update(crowd, &agents, nullptr);
    }

    throng_crowd* crowd = nullptr;
    throng_batch* batch = nullptr;
};

template <class Shape>
throng_questions questions(std::uint32_t kind, const std::vector<Shape>& shapes) {
    throng_questions questions = THRONG_QUESTIONS_INIT;
    questions.shape = kind;
    questions.shapes = shapes.data();
    questions.count = shapes.size();
    return questions;
}

} // namespace throng_refusals
