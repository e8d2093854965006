// Agents that walk about in a plain or a periodic world with walls: half of them on a lattice of
// quarters, where many pairs are exactly on the rim.
#pragma once

#include "../support/random.hpp"
#include "../support/scenes/periodic.hpp"
#include "../support/scenes/scenes.hpp"
#include "../support/truth.hpp"

#include <throng/engine/crowd/crowd.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <string>

namespace throng::test {

/// On which axes worlds are periodic.
enum class Around : std::uint8_t { none, first, all };
inline constexpr Around kEveryAround[] = {Around::none, Around::first, Around::all};

template <std::size_t Dim>
std::string name_of(const std::string& what, Around around) {
    constexpr const char* kNames[] = {"_plain_", "_first_", "_all_"};
    return what + kNames[static_cast<std::size_t>(around)] + std::to_string(Dim) + "d";
}

template <std::size_t Dim>
class Walkers {
public:
    static constexpr float kSide = Dim == 2 ? 16.0f : 8.0f;
    static constexpr Id kAgents = 330, kStatics = 30;

    scenes::Scene<Dim> walking, standing;
    Crowd<Dim> crowd;

    Walkers(Around around, Executor& executor, std::uint64_t seed = 5) : random_(seed) {
        settings_.bounds = Box<Dim>{{}, Point<Dim>::all(kSide)};
        settings_.cell = Point<Dim>::all(1.0f);
        for (std::size_t a = 0; a < Dim; ++a) {
            settings_.periodic[a] = around == Around::all || (around == Around::first && a == 0);
        }
        EXPECT_EQ(crowd.configure(settings_), Status{});
        fill(walking, kAgents);
        fill(standing, kStatics);
        update(executor);
        EXPECT_EQ(crowd.set_statics(standing.agents(), executor), Status{});
    }

    void update(Executor& executor) {
        EXPECT_EQ(crowd.update(walking.agents(), executor), Status{});
    }
    /// Moves most agents a little, in quarters of `most` where they are on the lattice; some leave
    /// the world, in which they are kept if it is periodic.
    void walk(float most) {
        for (std::size_t i = 0; i < walking.size(); ++i) {
            for (std::size_t a = 0; a < Dim; ++a) {
                const float by = random_.between(-most, most);
                walking.position[a][i] +=
                    i % 2 == 0 ? std::round(4.0f * by / most) / 4.0f * most : by;
            }
        }
    }
    /// An oracle with the agents of the last update. Nothing here reaches farther than a period, so
    /// one copy on each side is enough.
    [[nodiscard]] Truth<Dim> truth() {
        Truth<Dim> truth(Periodic<Dim>{*settings_.bounds, settings_.periodic}, 1);
        EXPECT_EQ(truth.update(walking.agents()), Status{});
        EXPECT_EQ(truth.set_statics(standing.agents()), Status{});
        truth.go_by(crowd);
        return truth;
    }

private:
    void fill(scenes::Scene<Dim>& scene, Id count) {
        for (Id i = 0; i < count; ++i) {
            Point<Dim> at;
            for (float& x : at.axis) {
                x = random_.between(0.0f, kSide);
                if (i % 2 == 0) { x = std::floor(x * 4.0f) / 4.0f; }
            }
            const float half = i % 41 == 7 ? 1.25f : 0.125f * static_cast<float>(1 + i % 3);
            scene.add(at, Point<Dim>::all(half));
            scene.groups.push_back(1u << i % 3);
        }
    }

    scenes::Random random_;
    CrowdSettings<Dim> settings_;
};

} // namespace throng::test
