// Obstacles that Python holds.
#pragma once

#include "shapes.hpp"
#include "threads/pool.hpp"
#include "threads/team.hpp"
#include "threads/turnstile.hpp"

#include <throng/engine/obstacles/obstacles.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace throng::python {

/// Any number of threads may ask at once; changes come one after another, and never during a
/// question. Shapes come as tuples of arrays, and answers are Blocks: near and hits are rows of
/// words, the id, the distance or time, the point and the normal.
template <std::size_t Dim>
class OwnObstacles {
public:
    explicit OwnObstacles(const TeamKind& team) : team_(Team::of(team)) {}

    /// Takes the bounds and periodic axes of a crowd's settings. Forgets all obstacles.
    void configure(const Keywords& world);
    /// Parts that are None have no obstacles.
    void set(const py::object& boxes, const py::object& turned_boxes, const py::object& thin,
             py::handle groups);
    /// Inserts or replaces one obstacle, the only one of its arrays: boxes, turned boxes, or kThin.
    void put(bool replace, GivenId id, const GivenShapes& given, py::handle groups);
    void erase(GivenId id);
    void clear();
    void release();

    void save(const char* path);
    [[nodiscard]] py::bytes to_bytes();
    void load(const char* path);
    void load_bytes(py::handle bytes);

    [[nodiscard]] py::object nearest(py::handle points, py::handle within, const Leaving& leaving);
    [[nodiscard]] py::object first(const GivenShapes& given, const Leaving& leaving);
    [[nodiscard]] py::object sight(const GivenShapes& segments, const Leaving& leaving);

    /// Offsets, and rows of near, those of all balls.
    [[nodiscard]] py::tuple within_each(const GivenShapes& given, const Leaving& leaving);

    /// Of one shape.
    [[nodiscard]] py::object within(const GivenShapes& ball, const Leaving& leaving);
    [[nodiscard]] py::object hits(const GivenShapes& given, const Leaving& leaving);
    [[nodiscard]] py::object overlaps(const GivenShapes& given, const Leaving& leaving);

    /// Calls work(obstacles), among other questions.
    template <class Work>
    auto look(const Work& work) {
        const Turnstile::Inside inside(turnstile_, Turnstile::As::reader);
        return work(std::as_const(obstacles_));
    }

    [[nodiscard]] std::size_t size() {
        return look([](const auto& obstacles) { return obstacles.size(); });
    }
    [[nodiscard]] bool contains(GivenId id) {
        return look([&](const auto& obstacles) { return obstacles.contains(id.id); });
    }
    [[nodiscard]] std::size_t memory() {
        return look([](const auto& obstacles) { return obstacles.memory().total(); });
    }
    [[nodiscard]] std::size_t threads() const noexcept { return team_->threads(); }
    [[nodiscard]] const char* executor() const noexcept { return name_of(team_->kind()); }

    /// Kinds that only obstacles know: walls or triangles, and shapes that move, whose last part is
    /// the array of their ways.
    static constexpr unsigned kThin = 100, kMovingBox = 101, kMovingOrientedBox = 102,
                              kMovingCapsule = 103;

private:
    using Thin = std::conditional_t<Dim == 2, Wall, Triangle>;

    struct Tools {
        PatientExecutor executor;
        ShapeArrays<Dim> shapes;
        std::vector<Thin> thin;

        /// Lets Ctrl-C end a call.
        [[nodiscard]] auto progress() noexcept {
            return [this](float) {
                executor.patience().check();
                return true;
            };
        }
    };

    [[nodiscard]] ShapesView<Dim> read(ShapeKind kind, const py::tuple& parts, Tools& tools);
    /// Calls work(array) with paths, or with shapes that move.
    template <class Work>
    void with_ways(const GivenShapes& given, Tools& tools, const Work& work);
    template <template <std::size_t> class Shape>
    [[nodiscard]] std::vector<Moving<Dim, Shape>> moving(ShapeKind kind, const py::tuple& parts,
                                                         Tools& tools);
    static void read_thin(const py::tuple& parts, std::vector<Thin>& to);
    /// Runs work(obstacles, tools), which returns a Status, as the only call inside.
    template <class Work>
    void change(const std::shared_ptr<Tools>& tools, const Work& work);
    /// Runs work(obstacles, executor), which returns a Found, among other questions.
    template <class Work>
    void ask(Tools& tools, const Work& work);
    template <class To>
    void save_to(To&& to);

    std::shared_ptr<Team> team_;
    Turnstile turnstile_;
    Obstacles<Dim> obstacles_;
    Crowd<Dim> world_; ///< in whose coordinates shapes are read: it has no origin
    Pool<Tools> tools_;
    Pool<std::vector<ObstacleNear<Dim>>> near_;
    Pool<ObstaclesWithin<Dim>> within_;
    Pool<std::vector<ObstacleHit<Dim>>> hits_;
    Pool<std::vector<std::uint8_t>> flags_;
    Pool<std::vector<Id>> ids_;
};

} // namespace throng::python
