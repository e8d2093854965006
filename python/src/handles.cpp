// Agents that are named by handles.
#include "arrays/block.hpp"
#include "crowd.hpp"
#include "edits.hpp"

#include <span>
#include <type_traits>
#include <vector>

namespace throng::python {

static_assert(std::is_standard_layout_v<Handle> && sizeof(Handle) == 3 * sizeof(std::uint32_t));

Handle handle_from(py::handle handle) {
    const auto parts = py::reinterpret_borrow<py::tuple>(handle);
    return {uint32_from(parts[0], "handle"), uint32_from(parts[1], "handle"),
            uint32_from(parts[2], "handle")};
}

template <std::size_t Dim>
py::tuple OwnCrowd<Dim>::add(py::handle position, py::handle half_extent, py::handle group) {
    const OneAgent<Dim> given(position, half_extent, group);
    const bool far = given.place.in_doubles && this->takes_doubles();
    Handle handle;
    change([&](Crowd<Dim>& crowd, PatientExecutor&) {
        const Point<Dim> place = far ? kept_at(crowd, given.place.value) : given.place.point();
        return crowd.add({place, given.half_extent, given.groups}, handle);
    });
    return py::make_tuple(handle.slot, handle.generation, handle.owner);
}

template <std::size_t Dim>
py::object OwnCrowd<Dim>::add_many(py::handle positions, py::handle half_extents,
                                   py::handle groups) {
    const NewAgents<Dim> given(positions, half_extents, groups, this->doubles(),
                               {"positions", "half_extents", "groups", "positions"});
    const auto handles = std::make_shared<std::vector<Handle>>(given.size());
    change([&](Crowd<Dim>& crowd, PatientExecutor& executor) {
        std::vector<Agent<Dim>> agents;
        agents.reserve(given.size());
        for (std::size_t i = 0; i < given.size(); ++i) {
            agents.push_back(given.agent(i, crowd));
        }
        return crowd.add(agents, *handles, executor);
    });
    std::uint32_t* const first = handles->empty() ? nullptr : &handles->front().slot;
    return block_of_rows(handles, first, handles->size(), 3, sizeof(std::uint32_t));
}

template <std::size_t Dim>
void OwnCrowd<Dim>::remove(const Handle& handle) {
    change([&](Crowd<Dim>& crowd, PatientExecutor&) { return crowd.remove(handle); });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::remove_many(py::handle handles) {
    const Expected expected = {"handles", "an array of handles"};
    const Array rows(handles, expected);
    const auto memory = rows.in_one_piece();
    if (rows.element() != Element::uint32) { refuse_type(expected, handles); }
    if (!memory || rows.dimensions() != 2 || rows.extent(1) != 3) {
        refuse_shape(expected, handles);
    }
    const std::span all(rows.template data<Handle>(), rows.extent(0));
    change(
        [&](Crowd<Dim>& crowd, PatientExecutor& executor) { return crowd.remove(all, executor); });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::move(const Handle& handle, py::handle position) {
    const Numbers<Dim> place(position, "position");
    const bool far = place.in_doubles && this->takes_doubles();
    change([&](Crowd<Dim>& crowd, PatientExecutor&) {
        return crowd.move(handle, far ? kept_at(crowd, place.value) : place.point());
    });
}

template <std::size_t Dim>
void OwnCrowd<Dim>::check_handle(const Handle& handle) {
    check(this->look([&](const Crowd<Dim>& crowd) { return crowd.check(handle); }));
}

template <std::size_t Dim>
bool OwnCrowd<Dim>::has_handle(const Handle& handle) {
    return this->look([&](const Crowd<Dim>& crowd) { return crowd.check(handle).ok(); });
}

template <std::size_t Dim>
py::object OwnCrowd<Dim>::handle_of(std::uint32_t id) {
    const Handle handle = this->look([&](const Crowd<Dim>& crowd) { return crowd.handle_of(id); });
    if (handle.is_null()) { return py::none(); }
    return py::make_tuple(handle.slot, handle.generation, handle.owner);
}

template <std::size_t Dim>
std::size_t OwnCrowd<Dim>::slots() {
    return this->look([](const Crowd<Dim>& crowd) { return crowd.slots(); });
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template py::tuple OwnCrowd<Dim>::add(py::handle, py::handle, py::handle);                     \
    template py::object OwnCrowd<Dim>::add_many(py::handle, py::handle, py::handle);               \
    template void OwnCrowd<Dim>::remove(const Handle&);                                            \
    template void OwnCrowd<Dim>::remove_many(py::handle);                                          \
    template void OwnCrowd<Dim>::move(const Handle&, py::handle);                                  \
    template void OwnCrowd<Dim>::check_handle(const Handle&);                                      \
    template bool OwnCrowd<Dim>::has_handle(const Handle&);                                        \
    template py::object OwnCrowd<Dim>::handle_of(std::uint32_t);                                   \
    template std::size_t OwnCrowd<Dim>::slots();
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng::python
