// A flat list that tests every agent: the oracle that every other structure must agree with.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../agents/agents.hpp"
#include "../agents/edit.hpp"
#include "../agents/filter.hpp"
#include "../agents/found.hpp"
#include "../agents/nearest.hpp"
#include "../answers/ask_by_visit.hpp"
#include "../answers/spatial_index.hpp"
#include "../core/executor.hpp"
#include "../core/id.hpp"
#include "../core/status.hpp"
#include "../memory/memory_use.hpp"
#include "../memory/vector.hpp"
#include "../shapes/shapes.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace throng {

/// Has the interface of RowGrid, and tests every agent in the simplest way. Its canonical order is
/// by id.
template <std::size_t Dim>
class THRONG_API BruteForce : public AskByVisit<BruteForce<Dim>, Dim> {
public:
    /// Sets which kind of agents insert() takes, as in RowGrid, and forgets all agents.
    Status configure(const CrowdKind<Dim>& kind);

    Status update(const Agents<Dim>& agents, Executor& executor = serial_executor());
    /// Inserts, erases or moves one agent. Keeps room for all ids up to the largest.
    Status insert(Id id, const Agent<Dim>& agent);
    Status erase(Id id);
    Status move(Id id, const Point<Dim>& position);
    // Deleted: a wider number would be truncated.
    Status insert(WiderThanId auto, const Agent<Dim>&) = delete;
    Status erase(WiderThanId auto) = delete;
    Status move(WiderThanId auto, const Point<Dim>&) = delete;
    Status edit(std::span<const Edit<Dim>> edits, Executor& executor = serial_executor());
    void clear() noexcept;

    /// Visits one id at a time, whatever `most` is.
    template <ShapeIn<Dim> Shape>
    Found visit(const Shape& shape, IndexVisitor visitor, const Filter& filter = {},
                std::size_t most = 1) const;
    Found visit_pairs(IndexPairVisitor visitor, std::uint32_t groups = kAllGroups) const;
    /// Visits one cell of infinite size with all agents, or none if there are no agents.
    void visit_cells(IndexCellVisitor<Dim> visitor) const;
    template <PathIn<Dim> Path>
    Found first(const Path& path, PathHit& hit, const Filter& filter = {}) const;
    template <PathIn<Dim> Path>
    Status hits(const Path& path, std::vector<PathHit>& out, const Filter& filter = {}) const;
    Found nearest(const Point<Dim>& point, const Nearest& nearest, std::span<Near> out,
                  const Filter& filter = {}) const;
    [[nodiscard]] std::size_t order(std::span<Id> out) const noexcept;

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool contains(Id id) const noexcept;
    bool contains(WiderThanId auto) const = delete;
    [[nodiscard]] const CrowdKind<Dim>& kind() const noexcept { return kind_; }
    [[nodiscard]] MemoryUse memory() const noexcept;
    [[nodiscard]] const char* validate() const;

private:
    struct Slot {
        Point<Dim> position, half_extent;
        std::uint32_t groups = kAllGroups;
        bool occupied = false;
    };

    template <class Test>
    [[nodiscard]] bool matches(Id id, const Test& test, const Filter& filter) const noexcept;

    CrowdKind<Dim> kind_{};
    Vector<Slot> slots_; // by id
    std::size_t size_ = 0;
};

extern template class BruteForce<2>;
extern template class BruteForce<3>;

} // namespace throng

#include "../../simd/isa/names_end.hpp"
