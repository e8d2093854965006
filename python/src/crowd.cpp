#include "crowd.hpp"

#include "arrays/block.hpp"
#include "changes.hpp"
#include "classes.hpp"
#include "edits.hpp"

#include <throng/engine/frozen/frozen.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace throng::python {

std::shared_ptr<CappedMemory> budget_of(py::handle cap) {
    if (cap.is_none()) { return nullptr; }
    constexpr auto kMost = std::numeric_limits<std::size_t>::max();
    return std::make_shared<CappedMemory>(
        static_cast<std::size_t>(whole_from(cap, "memory_cap", kMost)));
}

Reserved Reserved::from(py::handle agents) {
    const std::uint32_t count = uint32_from(agents, "agents");
    // The library would blame positions, which reserve() does not have.
    if (count > kMostInCrowd) {
        check({Cause::too_many, Argument::positions}, {Argument::positions, "agents"});
    }
    return {count};
}

template <std::size_t Dim>
OneAgent<Dim>::OneAgent(py::handle position, py::handle extent, py::handle group)
    : place(position, "position") {
    if (!extent.is_none()) {
        half_extent = is_number(extent) ? Point<Dim>::all(float_from(extent, "half_extent"))
                                        : Numbers<Dim>(extent, "half_extent").point();
    }
    if (!group.is_none()) { groups = uint32_from(group, "group"); }
}

template <std::size_t Dim>
OwnCrowd<Dim>::OwnCrowd(const Keywords& world)
    : Asked<Dim>(std::make_shared<Workshop<Dim>>(TeamKind::from(world.all())),
                 !world["origin"].is_none()),
      budget_(budget_of(world["memory_cap"])) {
    CrowdSettings<Dim> settings = settings_from<Dim>(world);
    settings.memory = budget_.get();
    check(crowd_.configure(settings));
}

static_assert(std::is_standard_layout_v<Handle> && sizeof(Handle) == 3 * sizeof(std::uint32_t));

namespace {

/// A whole array of ids or of keys.
template <class T>
struct WholeArray {
    WholeArray(py::handle object, const char* argument)
        : expected{argument, sizeof(T) == 8 ? "a contiguous uint64 array of shape (n,)"
                                            : "a contiguous uint32 array of shape (n,)"},
          array(fitting(object, expected, sizeof(T) == 8 ? Element::uint64 : Element::uint32)) {
        if (array.dimensions() != 1 || !array.in_one_piece()) { refuse_shape(expected, object); }
        values = {array.data<T>(), array.extent(0)};
    }

    Expected expected;
    Array array;
    std::span<const T> values;
};

std::uint64_t key_from(py::handle key) {
    return whole_from(key, "key", std::numeric_limits<std::uint64_t>::max());
}

/// Copies of handles that are given as rows of three numbers: arrays may lie anywhere, and another
/// thread may write to them.
std::vector<Handle> handles_from(py::handle handles, const char* argument) {
    const Expected expected = {argument, "an array of handles"};
    const Array rows(handles, expected);
    const auto memory = rows.in_one_piece();
    if (rows.element() != Element::uint32) { refuse_type(expected, handles); }
    if (!memory || rows.dimensions() != 2 || rows.extent(1) != 3) {
        refuse_shape(expected, handles);
    }
    std::vector<Handle> all(rows.extent(0));
    if (!all.empty()) { std::memcpy(all.data(), memory->data(), all.size() * sizeof(Handle)); }
    return all;
}

std::vector<Id> ids_from(py::handle names) {
    const Values<std::uint32_t> given(names, "names", std::nullopt);
    if (given.one_for_all()) {
        refuse_type({"names", "a uint32 array of shape (n,), or handles"}, names);
    }
    const ValueView<std::uint32_t> view = given.view();
    std::vector<Id> ids(view.count); // the views of C++ have no strides for names
    for (std::size_t i = 0; i < ids.size(); ++i) {
        ids[i] = view[i];
    }
    return ids;
}

} // namespace

template <std::size_t Dim>
void OwnCrowd<Dim>::update(py::handle positions, py::handle half_extents, py::handle groups) {
    const AllAgents<Dim> all_agents(positions, half_extents, groups, this->doubles());
    change([&](Crowd<Dim>& crowd, PatientExecutor& executor) {
        return all_agents.give([&](const auto& agents) { return crowd.update(agents, executor); });
    });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::update_ids(py::handle positions, py::handle half_extents, py::handle groups,
                               py::handle names) {
    update_named(positions, half_extents, groups, ids_from(names));
}

template <std::size_t Dim>
void OwnCrowd<Dim>::update_handles(py::handle positions, py::handle half_extents, py::handle groups,
                                   py::handle names) {
    update_named(positions, half_extents, groups, handles_from(names, "names"));
}

template <std::size_t Dim>
void OwnCrowd<Dim>::update_named(py::handle positions, py::handle half_extents, py::handle groups,
                                 const Names& names) {
    const AllAgents<Dim> all_agents(positions, half_extents, groups, this->doubles());
    change([&](Crowd<Dim>& crowd, PatientExecutor& executor) {
        return all_agents.give(
            [&](const auto& agents) { return crowd.update(agents, names, executor); });
    });
}

template <std::size_t Dim>
std::shared_ptr<Team> OwnCrowd<Dim>::update_lists(LastingNeighbours<Dim>& lists,
                                                  PatientExecutor& executor, py::handle positions,
                                                  py::handle half_extents, py::handle groups) {
    const AllAgents<Dim> all_agents(positions, half_extents, groups, this->doubles());
    std::shared_ptr<Team> team = this->workshop_->team;
    const Turnstile::Inside inside(this->turnstile_, Turnstile::As::writer);
    check(work_without_gil(team, executor, [&] {
        return all_agents.give([&](const auto& agents) { return lists.update(crowd_, agents); });
    }));
    return team;
}

template <std::size_t Dim>
void OwnCrowd<Dim>::set_statics(py::handle positions, py::handle half_extents, py::handle groups) {
    const AllAgents<Dim> all_agents(positions, half_extents, groups, this->doubles());
    change([&](Crowd<Dim>& crowd, PatientExecutor& executor) {
        return all_agents.give(
            [&](const auto& statics) { return crowd.set_statics(statics, executor); });
    });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::insert(GivenId id, py::handle position, py::handle half_extent,
                           py::handle group) {
    const OneAgent<Dim> agent(position, half_extent, group);
    const Numbers<Dim>& place = agent.place;
    const bool far = place.in_doubles && this->takes_doubles();
    change([&](Crowd<Dim>& crowd, PatientExecutor&) {
        return far ? crowd.insert(id.id, WorldAgent<Dim>{WorldPoint<Dim>(place.value),
                                                         agent.half_extent, agent.groups})
                   : crowd.insert(id.id,
                                  Agent<Dim>{place.point(), agent.half_extent, agent.groups});
    });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::move(GivenId id, py::handle position) {
    const Numbers<Dim> place(position, "position");
    const bool far = place.in_doubles && this->takes_doubles();
    change([&](Crowd<Dim>& crowd, PatientExecutor&) {
        return far ? crowd.move(id.id, WorldPoint<Dim>(place.value))
                   : crowd.move(id.id, place.point());
    });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::move_ids(py::handle names, py::handle positions) {
    move_named(ids_from(names), positions);
}

template <std::size_t Dim>
void OwnCrowd<Dim>::move_handles(py::handle names, py::handle positions) {
    move_named(handles_from(names, "names"), positions);
}

template <std::size_t Dim>
void OwnCrowd<Dim>::move_named(const Names& names, py::handle positions) {
    const Points<Dim> places(positions, "positions", this->doubles());
    change([&](Crowd<Dim>& crowd, PatientExecutor& executor) {
        return places.in_doubles() ? crowd.move(names, places.doubles(), executor)
                                   : crowd.move(names, places.floats(), executor);
    });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::edit(py::handle erased, py::handle moved, py::handle moved_positions,
                         py::handle inserted, py::handle positions, py::handle half_extents,
                         py::handle groups) {
    const Edits<Dim> edits(erased, moved, moved_positions, inserted, positions, half_extents,
                           groups, this->doubles());
    change([&](Crowd<Dim>& crowd, PatientExecutor& executor) {
        return crowd.edit(edits.all(crowd), executor);
    });
}

// Agents that are named by handles.

GivenHandle GivenHandle::from(py::handle handle) {
    const auto parts = py::reinterpret_borrow<py::tuple>(handle);
    const auto part = [&](std::size_t i) { return uint32_from(parts[i], "handle"); };
    return {{part(0), part(1), part(2)}};
}

template <std::size_t Dim>
py::tuple OwnCrowd<Dim>::add(py::handle position, py::handle half_extent, py::handle group,
                             py::handle key) {
    const OneAgent<Dim> given(position, half_extent, group);
    std::optional<std::uint64_t> own;
    if (!key.is_none()) { own = key_from(key); }
    const bool far = given.place.in_doubles && this->takes_doubles();
    Handle handle;
    change([&](Crowd<Dim>& crowd, PatientExecutor&) {
        const Point<Dim> place = far ? kept_at(crowd, given.place.value) : given.place.point();
        const Agent<Dim> agent{place, given.half_extent, given.groups};
        return own ? crowd.add(agent, handle, *own) : crowd.add(agent, handle);
    });
    return py::make_tuple(handle.slot, handle.generation, handle.owner);
}

template <std::size_t Dim>
py::object OwnCrowd<Dim>::add_many(py::handle positions, py::handle half_extents, py::handle groups,
                                   py::handle keys) {
    const NewAgents<Dim> given(positions, half_extents, groups, this->doubles(),
                               {"positions", "half_extents", "groups", "positions"});
    std::optional<WholeArray<std::uint64_t>> own;
    if (!keys.is_none()) { own.emplace(keys, "keys"); }
    const auto handles = std::make_shared<std::vector<Handle>>(given.size());
    change([&](Crowd<Dim>& crowd, PatientExecutor& executor) {
        std::vector<Agent<Dim>> agents;
        agents.reserve(given.size());
        for (std::size_t i = 0; i < given.size(); ++i) {
            agents.push_back(given.agent(i, crowd));
        }
        return own ? crowd.add(agents, *handles, own->values, executor)
                   : crowd.add(agents, *handles, executor);
    });
    std::uint32_t* const first = handles->empty() ? nullptr : &handles->front().slot;
    return block_of_rows(handles, first, handles->size(), 3, sizeof(std::uint32_t));
}

template <std::size_t Dim>
void OwnCrowd<Dim>::remove_many(py::handle handles) {
    const std::vector<Handle> all = handles_from(handles, "handles");
    change(
        [&](Crowd<Dim>& crowd, PatientExecutor& executor) { return crowd.remove(all, executor); });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::move_handle(const GivenHandle& handle, py::handle position) {
    const Numbers<Dim> place(position, "position");
    const bool far = place.in_doubles && this->takes_doubles();
    change([&](Crowd<Dim>& crowd, PatientExecutor&) {
        return crowd.move(handle, far ? kept_at(crowd, place.value) : place.point());
    });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::set_key(const GivenHandle& handle, py::handle key) {
    const std::uint64_t own = key_from(key);
    change([&](Crowd<Dim>& crowd, PatientExecutor&) { return crowd.set_key(handle, own); });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::set_keys(py::handle handles, py::handle keys) {
    const std::vector<Handle> all = handles_from(handles, "handles");
    const WholeArray<std::uint64_t> own(keys, "keys");
    change([&](Crowd<Dim>& crowd, PatientExecutor&) { return crowd.set_keys(all, own.values); });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::keys(py::handle ids, py::handle out) {
    const WholeArray<Id> given(ids, "ids");
    const Array to = out_array(out, "out", Element::uint64, given.values.size());
    this->ask([&](const Crowd<Dim>& crowd, Tools<Dim>& tools, const auto& run) {
        check(run([&](Batch<Dim>&) {
            return crowd.keys(given.values, to.written<std::uint64_t>(), tools.executor);
        }));
    });
}

template <std::size_t Dim>
py::object OwnCrowd<Dim>::handle_of(GivenId id) {
    const Handle handle =
        this->look([&](const Crowd<Dim>& crowd) { return crowd.handle_of(id.id); });
    if (handle.is_null()) { return py::none(); }
    return py::make_tuple(handle.slot, handle.generation, handle.owner);
}

template <std::size_t Dim>
template <class Load>
void OwnCrowd<Dim>::replace(Load&& load) {
    change([&](Crowd<Dim>& crowd, PatientExecutor& executor) {
        return load(crowd, [&](float) {
            executor.patience().check();
            return true;
        });
    });
    const std::array<double, Dim>& origin = crowd_.settings().origin;
    this->takes_doubles_ = this->takes_doubles_ || std::any_of(origin.begin(), origin.end(),
                                                               [](double x) { return x != 0.0; });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::load(const char* path) {
    replace([&](Crowd<Dim>& crowd, const auto& progress) {
        return throng::load(crowd, path, progress);
    });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::load_bytes(py::handle bytes) {
    const Expected expected = {"data", "bytes, or what holds some in one piece"};
    const Array array(bytes, expected);
    const auto memory = array.in_one_piece();
    if (!memory) { refuse_shape(expected, bytes); }
    replace([&](Crowd<Dim>& crowd, const auto& progress) {
        return throng::load(crowd, *memory, progress);
    });
}

namespace {

template <std::size_t Dim>
void own_crowd_class(py::module_& module, const char* name) {
    using Self = OwnCrowd<Dim>;
    py::class_<Self, Asked<Dim>>(module, name, "A crowd that can be asked and changed.")
        .def(py::init<const Keywords&>())
        .def("update", &Self::update)
        .def("update_ids", &Self::update_ids)
        .def("update_handles", &Self::update_handles)
        .def("set_statics", &Self::set_statics)
        .def("insert", &Self::insert)
        .def("erase", &Self::erase)
        .def("move", &Self::move)
        .def("move_ids", &Self::move_ids)
        .def("move_handles", &Self::move_handles)
        .def("edit", &Self::edit)
        .def("add", &Self::add)
        .def("add_many", &Self::add_many)
        .def("remove", &Self::remove)
        .def("remove_many", &Self::remove_many)
        .def("move_handle", &Self::move_handle)
        .def("check", &Self::check_handle)
        .def("has_handle", &Self::has_handle)
        .def("handle_of", &Self::handle_of)
        .def("set_key", &Self::set_key)
        .def("set_keys", &Self::set_keys)
        .def("key_of", &Self::key_of)
        .def("keys", &Self::keys)
        .def("slots", &Self::slots)
        .def("reserve", &Self::reserve)
        .def("clear", &Self::clear)
        .def("release_all", &Self::release_all)
        .def("memory_cap", &Self::memory_cap)
        .def("load", &Self::load)
        .def("load_bytes", &Self::load_bytes);
}

} // namespace

void define_own_crowd(py::module_& module) {
    own_crowd_class<2>(module, "Crowd2");
    own_crowd_class<3>(module, "Crowd3");
}

template struct OneAgent<2>;
template struct OneAgent<3>;
template class OwnCrowd<2>;
template class OwnCrowd<3>;

} // namespace throng::python
