// Obstacles for Python.
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

/// Any number of threads may ask at once. Changes wait for each other, and never overlap a
/// question. Shapes are tuples of arrays, and answers are Blocks: the rows of near and hits are
/// words with the id, the distance or time, the point and the normal.
template <std::size_t Dim>
class OwnObstacles {
public:
    explicit OwnObstacles(const TeamKind& team) : team_(Team::of(team)) {}

    /// Replaces all obstacles; an argument that is None has no obstacles.
    void set(const py::object& boxes, const py::object& turned_boxes, const py::object& thin,
             py::handle groups);
    /// Inserts or replaces one obstacle; each array has only that one. `kind` is a box, a turned
    /// box, or kThin.
    void put(bool replace, std::uint32_t id, unsigned kind, const py::tuple& parts,
             std::uint32_t groups);
    void erase(std::uint32_t id);
    void clear();
    void release();

    [[nodiscard]] py::object nearest(py::handle points, float within, const Filter& filter);
    [[nodiscard]] py::object first(unsigned kind, const py::tuple& parts, const Filter& filter);
    [[nodiscard]] py::object sight(const py::tuple& parts, const Filter& filter);

    /// Questions with one shape:
    [[nodiscard]] py::object within(const py::tuple& parts, const Filter& filter);
    [[nodiscard]] py::object hits(unsigned kind, const py::tuple& parts, const Filter& filter);
    [[nodiscard]] py::object overlaps(unsigned kind, const py::tuple& parts, const Filter& filter);

    /// Calls work(obstacles) as a question, beside other questions.
    template <class Work>
    auto look(const Work& work) {
        const Turnstile::Inside inside(turnstile_, Turnstile::As::reader);
        return work(std::as_const(obstacles_));
    }

    [[nodiscard]] std::size_t size();
    [[nodiscard]] bool contains(std::uint32_t id);
    [[nodiscard]] std::size_t memory();
    [[nodiscard]] std::size_t threads() const noexcept { return team_->threads(); }
    [[nodiscard]] const char* executor() const noexcept { return name_of(team_->kind()); }

    /// Kinds that only obstacles have: walls or triangles, and moving shapes, whose last part is
    /// the array of their ways.
    static constexpr unsigned kThin = 100, kMovingBox = 101, kMovingOrientedBox = 102,
                              kMovingCapsule = 103;

private:
    using Thin = std::conditional_t<Dim == 2, Wall, Triangle>;

    struct Tools {
        PatientExecutor executor;
        ShapeArrays<Dim> shapes;
        std::vector<Thin> thin;
    };

    void read(ShapeKind kind, const py::tuple& parts, Tools& tools);
    /// Calls work(array) with paths, or with moving shapes.
    template <class Work>
    void with_ways(unsigned kind, const py::tuple& parts, Tools& tools, const Work& work);
    template <template <std::size_t> class Shape>
    [[nodiscard]] std::vector<Moving<Dim, Shape>> moving(ShapeKind kind, const py::tuple& parts,
                                                         Tools& tools);
    static void read_thin(const py::tuple& parts, std::vector<Thin>& to);
    /// The shape of a question that must have exactly one.
    template <class Shape>
    [[nodiscard]] const Shape& one_of(Tools& tools);
    /// Runs work(obstacles, tools), which returns a Status, with no other call inside.
    template <class Work>
    void change(const std::shared_ptr<Tools>& tools, const Work& work);
    /// Runs work(obstacles, executor), which returns a Found, as a question beside others.
    template <class Work>
    void ask(Tools& tools, const Work& work);

    std::shared_ptr<Team> team_;
    Turnstile turnstile_;
    Obstacles<Dim> obstacles_;
    Crowd<Dim> world_; ///< for reading shapes: has no origin
    Pool<Tools> tools_;
    Pool<std::vector<ObstacleNear<Dim>>> near_;
    Pool<std::vector<ObstacleHit<Dim>>> hits_;
    Pool<std::vector<std::uint8_t>> flags_;
    Pool<std::vector<Id>> ids_;
};

template <std::size_t Dim>
void define_obstacles(py::module_& module, const char* name);
extern template void define_obstacles<2>(py::module_&, const char*);
extern template void define_obstacles<3>(py::module_&, const char*);

} // namespace throng::python
