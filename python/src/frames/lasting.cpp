#include "lasting.hpp"

#include "../arrays/out.hpp"

#include <throng/engine/agents/validation.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace throng::python {

template <std::size_t Dim>
LastingOf<Dim>::LastingOf(const LastingSettings& settings) : lists_(settings, executor_) {
    check(check_length(settings.neighbourhood.radius, Argument::radius));
    check(check_length(settings.skin, Argument::skin));
}

template <std::size_t Dim>
void LastingOf<Dim>::update(OwnCrowd<Dim>& crowd, py::handle positions, py::handle half_extents,
                            py::handle groups) {
    const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
    team_ = crowd.update_lists(lists_, executor_, positions, half_extents, groups);
    doubles_ = crowd.takes_doubles() ? Doubles::allowed : Doubles::no_origin;
}

template <std::size_t Dim>
py::tuple LastingOf<Dim>::neighbours(py::handle positions) {
    const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
    const Points<Dim> points(positions, "positions", doubles_);
    const std::shared_ptr<Hits> hits = hits_.lend();
    check(work_without_gil(team_, executor_, [&] {
        if (points.in_doubles()) {
            return lists_.neighbours(WorldAgents<Dim>(points.doubles()), *hits);
        }
        Agents<Dim> agents;
        agents.positions = points.floats();
        return lists_.neighbours(agents, *hits);
    }));
    return blocks_of(hits);
}

template <std::size_t Dim>
py::tuple LastingOf<Dim>::candidates() {
    const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
    const std::shared_ptr<Hits> hits = hits_.lend();
    const Hits& all = lists_.candidates();
    // After release() there are no offsets, not even the first.
    hits->offsets.assign(std::max<std::size_t>(all.offsets.size(), 1), 0);
    std::copy(all.offsets.begin(), all.offsets.end(), hits->offsets.begin());
    hits->ids.assign(all.ids.data(), all.ids.data() + all.total());
    return blocks_of(hits);
}

template <std::size_t Dim>
py::object LastingOf<Dim>::order() {
    const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
    const std::shared_ptr<std::vector<Id>> order = orders_.lend();
    order->assign(lists_.order().begin(), lists_.order().end());
    return block_of(order, order->data(), order->size());
}

template <std::size_t Dim>
py::tuple LastingOf<Dim>::frames() {
    const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
    return py::make_tuple(lists_.made(), lists_.lasted(), lists_.moved());
}

template <std::size_t Dim>
std::size_t LastingOf<Dim>::memory() {
    const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
    return lists_.memory();
}

template <std::size_t Dim>
void LastingOf<Dim>::release() {
    const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
    lists_.release();
    hits_.clear();
    orders_.clear();
}

template <std::size_t Dim>
void define_lasting(py::module_& module, const char* name) {
    using Self = LastingOf<Dim>;
    py::class_<Self>(module, name, "Lists that last.")
        .def(py::init([](py::handle radius, py::handle skin, py::handle with_self,
                         py::handle groups, py::handle later_only, py::handle sets) {
            LastingSettings settings;
            settings.neighbourhood =
                neighbourhood_from(radius, with_self, groups, later_only, Body::centre);
            settings.skin = float_from(skin, "skin");
            settings.sets = sets_from(uint32_from(sets, "sets"));
            return std::make_unique<Self>(settings);
        }))
        .def("update", &Self::update)
        .def("neighbours", &Self::neighbours)
        .def("candidates", &Self::candidates)
        .def("order", &Self::order)
        .def("frames", &Self::frames)
        .def("memory", &Self::memory)
        .def("release", &Self::release);
}

template void define_lasting<2>(py::module_&, const char*);
template void define_lasting<3>(py::module_&, const char*);

} // namespace throng::python
