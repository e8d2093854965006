// A scene: its agents at the start, their questions, and their movement.
#pragma once

#include "../stage/random.hpp"
#include "../structures/people.hpp"
#include "../structures/structure.hpp"

#include <throng/engine/agents/found.hpp>
#include <throng/engine/core/executor.hpp>
#include <throng/engine/core/status.hpp>

#include <cmath>
#include <cstddef>
#include <memory>
#include <string_view>

namespace throng::demo {

/// A frame is move(), an update of the structure, look() and collide(). A scene is the same with
/// any number of threads and on every instruction set.
template <std::size_t Dim>
class Scene {
public:
    explicit Scene(std::uint64_t seed) noexcept : random_(seed) {}
    virtual ~Scene() = default;

    [[nodiscard]] virtual const char* name() const noexcept = 0;

    /// Called once, before all others. Fills empty people: the world, the places of `agents`
    /// agents, and walls.
    virtual void begin(std::size_t agents, People<Dim>& people) = 0;

    /// Moves all agents by a step, and uses up the results that agents had since the last step.
    virtual void move(People<Dim>& people, std::size_t frame, Executor& executor) = 0;

    /// Asks the agents' questions about each other, always including their numbers of neighbours.
    virtual Status look(People<Dim>& people, Structure<Dim>& structure, Executor& executor) {
        (void)executor;
        return structure.count_neighbours(people.radius, people.neighbours);
    }

    /// Visits all overlapping pairs, and returns their number.
    virtual Found collide(People<Dim>& people, Structure<Dim>& structure) {
        (void)people;
        return structure.visit_pairs([](std::span<const Id>, std::span<const Id>) {});
    }

    /// Sets the sums of look() and collide() to zero. Called before these are first called, and
    /// before they are repeated without a step in between.
    virtual void forget(People<Dim>& people) { (void)people; }

protected:
    Random random_;
};

/// Throws std::invalid_argument if there is no such scene of this dimension.
template <std::size_t Dim>
[[nodiscard]] std::unique_ptr<Scene<Dim>> make_scene(std::string_view name, std::uint64_t seed);

template <>
std::unique_ptr<Scene<2>> make_scene(std::string_view name, std::uint64_t seed);
template <>
std::unique_ptr<Scene<3>> make_scene(std::string_view name, std::uint64_t seed);

/// A world of proportions 16 by 9 with this density of agents.
[[nodiscard]] inline Box<2> wide_world(std::size_t agents, float density) noexcept {
    const float height =
        std::max(std::sqrt(static_cast<float>(agents) / density * (9.0f / 16.0f)), 8.0f);
    return {{{0.0f, 0.0f}}, {{height * (16.0f / 9.0f), height}}};
}

/// Places all agents in rows, shifted a little by chance, so that neighbours are near in memory
/// too, as in programs that sort their agents now and then.
void place_in_rows(People<2>& people, const Random& random);

/// Moves an even crowd by a few waves, so that it is dense along lines, like light at the bottom of
/// a pool.
void draw_together(People<2>& people);

/// Puts an agent that has left the world back on its edge, and turns it round.
void turn_back(People<2>& people, std::size_t agent) noexcept;

[[nodiscard]] inline float length(const Point<2>& p) noexcept {
    return std::sqrt(p[0] * p[0] + p[1] * p[1]);
}
/// The vector shortened to a length of at most `most`.
[[nodiscard]] inline Point<2> shortened(const Point<2>& p, float most) noexcept {
    const float l = length(p);
    const float share = l > most ? most / l : 1.0f;
    return {{p[0] * share, p[1] * share}};
}

} // namespace throng::demo
