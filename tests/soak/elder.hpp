// A crowd that lives as long as the soak, with agents that come and go by handles.
#pragma once

#include "../support/random.hpp"
#include "agree.hpp"

#include <throng/engine/crowd/crowd.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace throng::soak {

template <std::size_t Dim>
class Elder {
public:
    explicit Elder(std::uint64_t seed) : random_(seed) {
        const CrowdSettings<Dim> settings{Box<Dim>{{}, Point<Dim>::all(kSide)},
                                          Point<Dim>::all(2.0f)};
        sound_ = crowd_.configure(settings, {true, false, {}}).ok() && build_walls();
    }

    /// Makes a few thousand changes; returns the failure, or null.
    const char* season() {
        for (int i = 0; i < 3000 && sound_; ++i) {
            change();
        }
        if (random_.below(4) == 0) { sound_ = build_walls() && sound_; }
        if (!sound_) { return "a change of the old crowd is refused"; }
        if (const char* const broken = crowd_.validate()) { return broken; }
        if (crowd_.size() != agents_.size()) { return "the old crowd has lost an agent"; }
        return answers() ? nullptr : "wrong answers of the old crowd";
    }

    [[nodiscard]] std::size_t memory() const { return crowd_.memory().total(); }

private:
    static constexpr float kSide = 100.0f;
    static constexpr std::size_t kMost = 3000, kWalls = 200;

    struct Alive {
        Handle handle;
        Agent<Dim> agent;
    };

    /// Keeps kMost agents, or one less, so that its memory does not depend on the moment of
    /// measuring.
    void change() {
        if (agents_.size() < kMost) {
            Alive born{{}, agent()};
            sound_ = crowd_.add(born.agent, born.handle).ok();
            agents_.push_back(born);
            return;
        }
        Alive& one = agents_[random_.below(static_cast<std::uint32_t>(agents_.size()))];
        if (random_.below(4) == 0) {
            sound_ = crowd_.remove(one.handle).ok() &&
                     crowd_.remove(one.handle).cause == Cause::handle_stale;
            one = agents_.back();
            agents_.pop_back();
        } else {
            one.agent.position = somewhere();
            sound_ = crowd_.move(one.handle, one.agent.position).ok();
        }
    }

    Agent<Dim> agent() {
        const float half = random_.below(100) == 0 ? random_.between(2.0f, 40.0f) : 0.3f;
        return {somewhere(), Point<Dim>::all(half), {}};
    }

    Point<Dim> somewhere() {
        Point<Dim> point;
        for (float& x : point.axis) {
            x = random_.between(0.0f, kSide);
        }
        return point;
    }

    bool build_walls() {
        std::array<std::vector<float>, Dim> place;
        std::array<const float*, Dim> columns;
        for (std::size_t a = 0; a < Dim; ++a) {
            for (std::size_t i = 0; i < kWalls; ++i) {
                place[a].push_back(random_.between(0.0f, kSide));
            }
            columns[a] = place[a].data();
        }
        Agents<Dim> walls;
        walls.positions = PointView<Dim>::separate(columns, kWalls);
        walls.common_half_extent = Point<Dim>::all(0.5f);
        return crowd_.set_statics(walls).ok() && walls_.set_statics(walls).ok();
    }

    /// Checks a few questions against the oracle.
    [[nodiscard]] bool answers() {
        test::Truth<Dim> truth = walls_;
        if (!truth.configure(crowd_.kind()).ok()) { return false; }
        for (const Alive& one : agents_) {
            if (!truth.insert(one.handle.slot, one.agent).ok()) { return false; }
        }
        for (int q = 0; q < 8; ++q) {
            const Point<Dim> place = somewhere();
            const Box<Dim> box =
                Box<Dim>::around(place, Point<Dim>::all(random_.between(0.0f, 9.0f)));
            if (ids_of(crowd_, box) != truth.ids_in(box)) { return false; }
        }
        return true;
    }

    scenes::Random random_;
    Crowd<Dim> crowd_;
    test::Truth<Dim> walls_; // the statics; agents are added to a copy
    std::vector<Alive> agents_;
    bool sound_ = true;
};

} // namespace throng::soak
