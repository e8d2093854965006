// Indexes with one fault each, to prove that sequences find it.
#pragma once

#include "among_statics.hpp"

#include <throng/engine/answers/ask_by_visit.hpp>
#include <throng/engine/answers/spatial_index.hpp>
#include <throng/engine/family/brute_force.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace throng::test {

enum class Mistake : std::uint8_t {
    none,
    third_insert,  ///< the third insert is forgotten
    edge,          ///< an agent that moves onto an edge of a cell on x is forgotten
    open_rim,      ///< balls end just short of their radius
    moved_anew,    ///< a moved agent loses its own extent and groups
    smaller_frame, ///< an update of fewer agents than before loses the last of them
    back_again,    ///< an agent erased and inserted in one list is lost
};

/// Brute force with this mistake.
template <Mistake kMistake>
class Planted : public AskByVisit<Planted<kMistake>, 2> {
public:
    Status configure(const Box<2>& world, const Point<2>& cell, const CrowdKind<2>& kind) {
        world_ = world;
        cell_ = cell;
        return truth_.configure(kind);
    }

    Status update(const Agents<2>& agents) {
        const std::size_t count = agents.positions.count;
        const bool smaller = kMistake == Mistake::smaller_frame && check_agents(agents).ok() &&
                             count != 0 && count < truth_.size();
        return truth_.update(first_of(agents, smaller ? count - 1 : count));
    }

    Status insert(Id id, const Agent<2>& agent) {
        const Status status = truth_.insert(id, agent);
        if (!status.ok()) { return status; }
        ++inserts_;
        const float cells = (agent.position[0] - world_.lo[0]) / cell_[0];
        const bool forgotten = (kMistake == Mistake::third_insert && inserts_ == 3) ||
                               (kMistake == Mistake::edge && cells == std::floor(cells));
        return forgotten ? truth_.erase(id) : status;
    }
    Status erase(Id id) { return truth_.erase(id); }
    Status move(Id id, const Point<2>& position) {
        const Status status = truth_.move(id, position);
        if (kMistake != Mistake::moved_anew || !status.ok()) { return status; }
        Agent<2> anew{position, {}, {}};
        if (kind().own_half_extents) { anew.half_extent = Point<2>{}; }
        if (kind().groups) { anew.groups = 0u; }
        const Status gone = truth_.erase(id);
        return gone.ok() ? truth_.insert(id, anew) : gone;
    }
    Status edit(std::span<const Edit<2>> edits) {
        if constexpr (kMistake != Mistake::back_again) { return truth_.edit(edits); }
        const Status status = truth_.edit(edits);
        for (std::size_t i = 0; status.ok() && i < edits.size(); ++i) {
            const auto came = [&](const Edit<2>& later) {
                return later.id == edits[i].id && later.kind == Edit<2>::Kind::insert;
            };
            if (edits[i].kind == Edit<2>::Kind::erase && truth_.contains(edits[i].id) &&
                std::any_of(edits.begin() + static_cast<std::ptrdiff_t>(i), edits.end(), came)) {
                return truth_.erase(edits[i].id);
            }
        }
        return status;
    }
    void clear() noexcept { truth_.clear(); }

    template <ShapeIn<2> Shape>
    Found visit(const Shape& shape, IndexVisitor visitor, const Filter& filter = {},
                std::size_t most = 1) const {
        Shape asked = shape;
        if constexpr (kMistake == Mistake::open_rim && std::is_same_v<Shape, Ball<2>>) {
            if (asked.radius > 0.0f) { asked.radius = std::nextafter(asked.radius, 0.0f); }
        }
        return truth_.visit(asked, visitor, filter, most);
    }
    Found visit_pairs(IndexPairVisitor visitor, std::uint32_t groups = kAllGroups) const {
        return truth_.visit_pairs(visitor, groups);
    }
    void visit_cells(IndexCellVisitor<2> visitor) const { truth_.visit_cells(visitor); }

    [[nodiscard]] std::size_t size() const noexcept { return truth_.size(); }
    [[nodiscard]] bool contains(Id id) const noexcept { return truth_.contains(id); }
    [[nodiscard]] const CrowdKind<2>& kind() const noexcept { return truth_.kind(); }
    [[nodiscard]] MemoryUse memory() const noexcept { return truth_.memory(); }
    [[nodiscard]] const char* validate() const { return truth_.validate(); }

private:
    BruteForce<2> truth_;
    Box<2> world_;
    Point<2> cell_;
    std::size_t inserts_ = 0;
};

template <Mistake kMistake>
struct InPlanted : Family<Planted<kMistake>, 2> {
    static constexpr const char* kName = "planted";
    static Status lay_out(Planted<kMistake>& index, const scenes::Scene<2>& scene,
                          const CrowdKind<2>& kind) {
        return index.configure(scene.world, scene.cell, kind);
    }
};

/// With kComing, the last of new statics is lost; otherwise, all statics are lost when they should
/// stay.
template <bool kComing>
class Forgetful final : public CrowdAmongStatics<2> {
public:
    Status update(const Agents<2>& agents) {
        const Status status = CrowdAmongStatics<2>::update(agents);
        const std::size_t statics = this->size(Sets::statics);
        if (!status.ok() || statics == 0 || has_stood() != kComing) { return status; }
        return this->set_statics(first_of(agents, kComing ? statics - 1 : 0));
    }
    [[nodiscard]] const char* validate() const { return Crowd<2>::validate(); }
};
template <bool kComing>
struct InForgetful : Family<Forgetful<kComing>, 2> {
    static constexpr const char* kName = "forgetful";
};

} // namespace throng::test
