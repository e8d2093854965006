// The common base of scenes' structures.
#pragma once

#include "structure.hpp"

#include <throng/engine/loose_tree/loose_tree.hpp>

#include <cstddef>
#include <optional>

namespace throng::demo {

/// Refers to its people, and to the executor for questions.
template <std::size_t Dim>
class Keeper : public Structure<Dim> {
public:
    Keeper(StructureKind kind, const People<Dim>& people, Executor& executor)
        : people_(&people), executor_(executor), kind_(kind) {}

    [[nodiscard]] StructureKind kind() const noexcept override { return kind_; }
    std::optional<Status> steer(const Flock&, float) override { return std::nullopt; }
    std::optional<Status> steer(const Walkers&, float) override { return std::nullopt; }

protected:
    const People<Dim>* people_;
    Executor& executor_;

private:
    StructureKind kind_;
};

/// A base for structures without walls, which keeps the walls in a separate tree.
template <std::size_t Dim>
class BesideWalls : public Keeper<Dim> {
public:
    BesideWalls(StructureKind kind, const People<Dim>& people, Executor& executor)
        : Keeper<Dim>(kind, people, executor) {
        if (!people.wall[0].empty()) { must(walls_.update(people.walls(), executor)); }
    }

protected:
    [[nodiscard]] std::size_t wall_memory() const noexcept { return walls_.memory().index(); }

    LooseTree<Dim> walls_;
};

} // namespace throng::demo
