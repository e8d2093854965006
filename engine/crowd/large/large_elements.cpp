// How a set of large elements changes.
#include "large_elements.hpp"

#include "../../agents/validation.hpp"
#include "../../core/access.hpp"
#include "../../core/assert.hpp"
#include "../../grid/store/state.hpp"
#include "../../loose_tree/state.hpp"
#include "centre_shape.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace throng {

template <std::size_t Dim>
Status LargeElements<Dim>::configure(const Box<Dim>& world, bool groups) {
    clear();
    world_ = world;
    groups_kept_ = groups;
    return lay(shape_over_world());
}

template <std::size_t Dim>
bool LargeElements<Dim>::is_as_new(bool groups) const noexcept {
    return names_.empty() && !indexed_ && groups_kept_ == groups && world_ &&
           centres_.shape() == shape_over_world().value;
}

template <std::size_t Dim>
Status LargeElements<Dim>::update(const Agents<Dim>& agents, const CrowdKind<Dim>& kind,
                                  std::span<const Id> chosen, std::span<const Id> names,
                                  Executor& executor, const Progress& progress) {
    clear();
    groups_kept_ = kind.groups;
    gather(agents, chosen, kind);
    names_.assign(names.begin(), names.end());
    size_ = names_.size();
    bound_ = names_.empty() ? 0 : std::size_t{names_.back()} + 1;
    if (size_ == 0 && !world_) { return {}; }
    const Agents<Dim> mine = views();
    if (const Status status = check_agents(mine); !status.ok()) { return status; }
    if (const Status laid = lay(wanted_shape()); !laid.ok() || size_ == 0) { return laid; }
    const Status status = tree_.update(mine, executor, progress);
    return status.ok() ? centres_.update(centres(), executor) : status;
}

template <std::size_t Dim>
Status LargeElements<Dim>::copy(const LargeElements& other) {
    clear();
    world_ = other.world_; // first: if memory runs out below, a later update() needs it
    position_ = other.position_;
    half_ = other.half_;
    groups_ = other.groups_;
    names_ = other.names_;
    free_ = other.free_;
    by_name_ = other.by_name_;
    indexed_ = other.indexed_;
    bound_ = other.bound_;
    size_ = other.size_;
    largest_ = other.largest_;
    groups_kept_ = other.groups_kept_;
    detail::state_of(tree_).tree.copy(detail::state_of(other.tree_).tree);
    detail::state_of(centres_).copy(detail::state_of(other.centres_));
    return {};
}

// Edits first take the steps that may fail, each of which changes nothing if it fails.

template <std::size_t Dim>
Status LargeElements<Dim>::insert(Id name, const Point<Dim>& position, const Point<Dim>& half,
                                  std::uint32_t groups) {
    by_name_.reserve(std::max(names_.size(), size_ + 1));
    if (free_.empty()) { reserve_slot(); }
    const Id slot = free_.empty() ? static_cast<Id>(names_.size()) : free_.back();
    Agent<Dim> agent{position, half, {}};
    Agent<Dim> centre{position, {}, {}};
    if (groups_kept_) { agent.groups = centre.groups = groups; }
    if (const Status status = detail::state_of(tree_).tree.prepare_edit(slot); !status.ok()) {
        return status;
    }
    if (const Status placed = centres_.insert(slot, centre); !placed.ok()) { return placed; }
    const Status status = tree_.insert(slot, agent);
    THRONG_ASSERT(status.ok() && "it has been prepared, and its values have been checked");
    index_names();
    if (free_.empty()) {
        add_slot();
    } else {
        free_.pop_back();
    }
    put(slot, name, position, half, groups);
    by_name_.insert(slot, names_);
    bound_ = std::max(bound_, std::size_t{name} + 1);
    ++size_;
    return status;
}

template <std::size_t Dim>
Status LargeElements<Dim>::erase(Id name) {
    by_name_.reserve(names_.size());
    free_.reserve(room_for(free_, names_.size()));
    const Id slot = find(name);
    const Status status = tree_.erase(slot);
    if (!status.ok()) { return status; }
    (void)centres_.erase(slot); // takes no memory
    index_names();
    by_name_.erase(slot, names_);
    names_[slot] = kNoId;
    free_.push_back(slot);
    --size_;
    return {};
}

template <std::size_t Dim>
Status LargeElements<Dim>::move(Id name, const Point<Dim>& position) {
    const Id slot = find(name);
    if (const Status status = detail::state_of(tree_).tree.prepare_edit(slot); !status.ok()) {
        return status;
    }
    const Status status = centres_.move(slot, position);
    if (!status.ok()) { return status; }
    for (std::size_t a = 0; a < Dim; ++a) {
        position_[a][slot] = position[a];
    }
    return tree_.move(slot, position);
}

template <std::size_t Dim>
void LargeElements<Dim>::clear() noexcept {
    tree_.clear();
    centres_.clear();
    for (std::size_t a = 0; a < Dim; ++a) {
        position_[a].clear();
        half_[a].clear();
    }
    groups_.clear();
    names_.clear();
    free_.clear();
    by_name_.clear();
    indexed_ = false;
    bound_ = 0;
    size_ = 0;
    largest_ = {};
}

template <std::size_t Dim>
void LargeElements<Dim>::index_names() noexcept {
    if (indexed_) { return; }
    for (std::size_t slot = 0; slot < names_.size(); ++slot) {
        by_name_.insert(static_cast<Id>(slot), names_);
    }
    indexed_ = true;
}

template <std::size_t Dim>
void LargeElements<Dim>::reserve_slot() {
    const std::size_t slots = names_.size() + 1;
    for (std::size_t a = 0; a < Dim; ++a) {
        position_[a].reserve(room_for(position_[a], slots));
        half_[a].reserve(room_for(half_[a], slots));
    }
    if (groups_kept_) { groups_.reserve(room_for(groups_, slots)); }
    names_.reserve(room_for(names_, slots));
}

template <std::size_t Dim>
void LargeElements<Dim>::add_slot() noexcept {
    for (std::size_t a = 0; a < Dim; ++a) {
        position_[a].push_back(0.0f);
        half_[a].push_back(0.0f);
    }
    if (groups_kept_) { groups_.push_back(0); }
    names_.push_back(kNoId);
}

template <std::size_t Dim>
void LargeElements<Dim>::gather(const Agents<Dim>& agents, std::span<const Id> chosen,
                                const CrowdKind<Dim>& kind) {
    const auto gather_one = [&](auto& to, const auto& from) {
        to.resize(chosen.size());
        for (std::size_t slot = 0; slot < chosen.size(); ++slot) {
            to[slot] = from[chosen[slot]];
        }
    };
    for (std::size_t a = 0; a < Dim; ++a) {
        gather_one(position_[a], agents.positions.values(a));
        if (kind.own_half_extents) {
            gather_one(half_[a], agents.half_extents.values(a));
        } else {
            half_[a].assign(chosen.size(), kind.common_half_extent[a]);
        }
        for (const float half : half_[a]) {
            largest_[a] = std::max(largest_[a], half);
        }
    }
    if (kind.groups) { gather_one(groups_, agents.groups); }
}

template <std::size_t Dim>
void LargeElements<Dim>::put(std::size_t slot, Id name, const Point<Dim>& position,
                             const Point<Dim>& half, std::uint32_t groups) noexcept {
    for (std::size_t a = 0; a < Dim; ++a) {
        position_[a][slot] = position[a];
        half_[a][slot] = half[a];
        largest_[a] = std::max(largest_[a], half[a]);
    }
    if (groups_kept_) { groups_[slot] = groups; }
    names_[slot] = name;
}

template <std::size_t Dim>
Agents<Dim> LargeElements<Dim>::views() const noexcept {
    Agents<Dim> agents = centres();
    std::array<const float*, Dim> half;
    for (std::size_t a = 0; a < Dim; ++a) {
        half[a] = half_[a].data();
    }
    agents.half_extents = PointView<Dim>::separate(half, names_.size());
    return agents;
}

template <std::size_t Dim>
Agents<Dim> LargeElements<Dim>::centres() const noexcept {
    std::array<const float*, Dim> position;
    for (std::size_t a = 0; a < Dim; ++a) {
        position[a] = position_[a].data();
    }
    Agents<Dim> agents;
    agents.positions = PointView<Dim>::separate(position, names_.size());
    if (groups_kept_) { agents.groups = {groups_.data(), sizeof(std::uint32_t), names_.size()}; }
    return agents;
}

template <std::size_t Dim>
OrStatus<GridShape<Dim>> LargeElements<Dim>::wanted_shape() const noexcept {
    if (!world_) { return shape_for(centres()); }
    return size_ < kFew ? shape_over_world() : shape_of_centres(centres().positions);
}

template <std::size_t Dim>
OrStatus<GridShape<Dim>> LargeElements<Dim>::shape_over_world() const noexcept {
    Point<Dim> cell;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float side = (world_->hi[a] - world_->lo[a]) / kCellsOfWorld;
        cell[a] = side > 1.0f / kLargest ? side : 1.0f;
    }
    return shape_over(*world_, cell);
}

template <std::size_t Dim>
Status LargeElements<Dim>::lay(const OrStatus<GridShape<Dim>>& cells) {
    if (!cells.status.ok()) { return cells.status; }
    const CrowdKind<Dim> boxes{true, groups_kept_, {}};
    const CrowdKind<Dim> points{false, groups_kept_, {}};
    if (const Status status = tree_.configure({}, boxes); !status.ok()) { return status; }
    if (centres_.shape() == cells.value && centres_.kind() == points) { return {}; }
    auto& grid = detail::state_of(centres_);
    const typename detail::StateOf<RowGrid<Dim>>::Changing changing(grid);
    grid.lay(cells.value, points);
    return {};
}

template class LargeElements<2>;
template class LargeElements<3>;

} // namespace throng
