// Any structure, behind the interface that scenes need.
#pragma once

#include "../stage/stage.hpp"
#include "fused.hpp"
#include "people.hpp"

#include <throng/engine/agents/found.hpp>
#include <throng/engine/answers/spatial_index.hpp>
#include <throng/engine/core/executor.hpp>
#include <throng/engine/core/function_ref.hpp>
#include <throng/engine/core/status.hpp>
#include <throng/engine/memory/memory_use.hpp>
#include <throng/engine/obstacles/obstacles.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace throng::demo {

/// Keeps people by their indices. It reads their arrays at every update, and borrows them until the
/// next update.
template <std::size_t Dim>
class Structure {
public:
    /// Gets an agent and the agents near it, without the agent itself; called by several threads at
    /// once.
    using NearVisitor = FunctionRef<void(Id agent, std::span<const Id> near)>;
    /// Gets pairs first[i] and second[i]; called by several threads at once.
    using PairVisitor = FunctionRef<void(std::span<const Id> first, std::span<const Id> second)>;

    virtual ~Structure() = default;

    [[nodiscard]] virtual StructureKind kind() const noexcept = 0;

    /// Takes new positions.
    virtual Status update(const People<Dim>& people) = 0;

    /// Counts the other agents within the radius of each agent.
    virtual Status count_neighbours(float radius, std::span<std::uint32_t> counts) = 0;
    virtual Status visit_neighbours(float radius, NearVisitor visitor) = 0;
    /// Finds the agents in each ball.
    virtual Status find(std::span<const Ball<Dim>> balls, Hits& hits) = 0;

    /// All pairs of agents whose boxes overlap.
    virtual Found visit_pairs(PairVisitor visitor) = 0;

    /// Visits neighbours like visit_neighbours(), without those that an obstacle hides.
    virtual Status visit_seen(const Obstacles<Dim>& obstacles, float radius,
                              NearVisitor visitor) = 0;

    /// Runs the fused kernel; returns nothing if the structure has none.
    virtual std::optional<Status> steer(const Flock& flock, float radius) = 0;
    virtual std::optional<Status> steer(const Walkers& walkers, float radius) = 0;

    virtual void visit_cells(IndexCellVisitor<Dim> visitor) const = 0;
    [[nodiscard]] virtual Brushed ask(const Brush& brush) const = 0;
    [[nodiscard]] virtual MemoryUse memory() const noexcept = 0;

    /// A number for each agent's colour, if the structure shows something by it; see Sight::hues.
    [[nodiscard]] virtual std::span<const std::uint8_t> hues() const noexcept { return {}; }
};

/// Makes an empty structure over the people's world, with their walls. Throws std::runtime_error if
/// the library refuses that.
template <std::size_t Dim>
[[nodiscard]] std::unique_ptr<Structure<Dim>>
make_structure(StructureKind kind, const People<Dim>& people, Executor& executor);

extern template std::unique_ptr<Structure<2>> make_structure(StructureKind, const People<2>&,
                                                             Executor&);
extern template std::unique_ptr<Structure<3>> make_structure(StructureKind, const People<3>&,
                                                             Executor&);

/// Throws std::runtime_error with the text of the status, unless it is ok.
void must(const Status& status);

} // namespace throng::demo
