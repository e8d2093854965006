// Inserts, replaces and erases single obstacles, and checks all invariants.
#include "../../core/access.hpp"
#include "../../loose_tree/state.hpp"
#include "state.hpp"

#include <vector>

namespace throng {

namespace {

/// Makes room for one more element, so that push_back() cannot fail.
template <class T>
void make_room(Vector<T>& vector) {
    constexpr std::size_t kFew = 16;
    if (vector.size() == vector.capacity()) {
        vector.reserve(std::max(kFew, vector.size() + vector.size() / 2));
    }
}

} // namespace

template <std::size_t Dim>
Status Obstacles<Dim>::State::put(const Record& record, std::uint32_t groups, std::uint32_t old) {
    make_room(records);
    make_room(free);
    if (record.id >= slots.size()) {
        if (record.id >= slots.capacity()) {
            slots.reserve(std::max(record.id + std::size_t{1}, slots.size() + slots.size() / 2));
        }
        slots.resize(record.id + std::size_t{1}, obstacle::kNowhere);
    }
    const bool reuses = !free.empty();
    const auto slot = reuses ? free.back() : static_cast<std::uint32_t>(records.size());
    const obstacle::Place<Dim> place = obstacle::place_of(record);
    Status status = tree.insert(slot, {place.position, place.half_extent, groups});
    if (!status.ok()) {
        if (status.argument == Argument::id) { status.index = record.id; }
        return status;
    }
    // Nothing can fail from here on: insert() has made the table that the tree's erase() needs.
    if (reuses) {
        free.pop_back();
        records[slot] = record;
    } else {
        records.push_back(record);
    }
    slots[record.id] = slot;
    around.include(place.position, place.half_extent);
    if (old != obstacle::kNowhere) {
        (void)tree.erase(old);
        free.push_back(old);
    }
    return {};
}

template <std::size_t Dim>
Status Obstacles<Dim>::State::erase(Id id) {
    const std::uint32_t slot = slot_of(id);
    if (slot == obstacle::kNowhere) { return {Cause::id_unknown, Argument::id, id}; }
    make_room(free);
    if (const Status status = tree.erase(slot); !status.ok()) { return status; }
    slots[id] = obstacle::kNowhere;
    free.push_back(slot);
    return {};
}

template <std::size_t Dim>
template <ObstacleIn<Dim> Shape>
Status Obstacles<Dim>::insert(Id id, const Shape& shape, std::uint32_t groups) {
    const AccessCheck::Changing changing(state_->access);
    Shape admitted = shape;
    const Status status = obstacle::admit<Dim>(state_->around.world, admitted, 0);
    if (!status.ok()) { return status; }
    if (id >= kMaxAgents) { return {Cause::too_many, Argument::id, id}; }
    if (state_->slot_of(id) != obstacle::kNowhere) { return {Cause::id_taken, Argument::id, id}; }
    return state_->put(obstacle::Record<Dim>::of(id, admitted), groups, obstacle::kNowhere);
}

template <std::size_t Dim>
template <ObstacleIn<Dim> Shape>
Status Obstacles<Dim>::replace(Id id, const Shape& shape, std::uint32_t groups) {
    const AccessCheck::Changing changing(state_->access);
    Shape admitted = shape;
    const Status status = obstacle::admit<Dim>(state_->around.world, admitted, 0);
    if (!status.ok()) { return status; }
    const std::uint32_t old = state_->slot_of(id);
    if (old == obstacle::kNowhere) { return {Cause::id_unknown, Argument::id, id}; }
    return state_->put(obstacle::Record<Dim>::of(id, admitted), groups, old);
}

template <std::size_t Dim>
Status Obstacles<Dim>::erase(Id id) {
    const AccessCheck::Changing changing(state_->access);
    return state_->erase(id);
}

template <std::size_t Dim>
const char* Obstacles<Dim>::State::validate() const {
    if (const char* const fault = tree.validate(); fault != nullptr) { return fault; }
    if (records.size() != tree.size() + free.size()) {
        return "not every slot is either in the tree or free";
    }
    std::size_t named = 0;
    for (std::size_t id = 0; id < slots.size(); ++id) {
        const std::uint32_t slot = slots[id];
        if (slot == obstacle::kNowhere) { continue; }
        ++named;
        if (slot >= records.size() || records[slot].id != id) { return "an id has a wrong slot"; }
        if (!tree.contains(slot)) { return "an obstacle is not in the tree"; }
    }
    if (named != tree.size()) { return "an obstacle has no id"; }
    std::vector<bool> is_free(records.size());
    for (const std::uint32_t slot : free) {
        if (slot >= records.size() || tree.contains(slot) || is_free[slot]) {
            return "a slot is free by mistake";
        }
        is_free[slot] = true;
    }
    const char* fault = nullptr;
    const TreeStore<Dim>& store = detail::state_of(tree).tree.store();
    store.for_each_slot([&](std::uint32_t at) {
        const Record& record = records[store.id(at)];
        const obstacle::Place<Dim> place = obstacle::place_of(record);
        if (store.position(at) != place.position || store.half_extent(at) != place.half_extent) {
            fault = "an obstacle is elsewhere in the tree";
        }
        obstacle::Surroundings<Dim> more = around;
        more.include(place.position, place.half_extent);
        if (more.size != around.size) { fault = "an obstacle is larger than all"; }
        if (more.spread != around.spread) { fault = "an obstacle is around all"; }
        if (!is_at_home(around.world, place)) { fault = "an obstacle is outside of the world"; }
    });
    return fault;
}

#define THRONG_FOR_SHAPE(Shape, Dim)                                                               \
    template Status Obstacles<Dim>::insert(Id, const Shape&, std::uint32_t);                       \
    template Status Obstacles<Dim>::replace(Id, const Shape&, std::uint32_t);
#define THRONG_FOR_DIM(Dim)                                                                        \
    template const char* Obstacles<Dim>::State::validate() const;                                  \
    template Status Obstacles<Dim>::erase(Id);                                                     \
    THRONG_FOR_SHAPE(Box<Dim>, Dim)                                                                \
    THRONG_FOR_SHAPE(OrientedBox<Dim>, Dim)                                                        \
    THRONG_FOR_SHAPE(obstacle::Thin<Dim>, Dim)
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM
#undef THRONG_FOR_SHAPE

} // namespace throng
