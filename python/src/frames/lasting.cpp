// Lists that last.
#include "../arrays/out.hpp"
#include "../classes.hpp"
#include "../crowd.hpp"

#include <throng/engine/agents/validation.hpp>
#include <throng/parallel/frames/lasting_neighbours.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace throng::python {

namespace {

/// Calls wait for each other. Answers are copies: lists change while NumPy arrays stay as they are.
template <std::size_t Dim>
class LastingOf {
public:
    LastingOf(const Around& around, py::handle skin)
        : lists_({around.neighbourhood, float_from(skin, "skin"), around.sets}, executor_) {
        check(check_length(around.neighbourhood.radius, Argument::radius));
        check(check_length(float_from(skin, "skin"), Argument::skin));
    }

    void update(OwnCrowd<Dim>& crowd, py::handle positions, py::handle half_extents,
                py::handle groups) {
        const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
        team_ = crowd.update_lists(lists_, executor_, positions, half_extents, groups);
        doubles_ = crowd.takes_doubles() ? Doubles::allowed : Doubles::no_origin;
    }
    /// Offsets and ids, like the candidates.
    [[nodiscard]] py::tuple neighbours(py::handle positions) {
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
    [[nodiscard]] py::tuple candidates() {
        const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
        const std::shared_ptr<Hits> hits = hits_.lend();
        const Hits& all = lists_.candidates();
        // Lists that were released have no offsets, not even the first.
        hits->offsets.assign(std::max<std::size_t>(all.offsets.size(), 1), 0);
        std::copy(all.offsets.begin(), all.offsets.end(), hits->offsets.begin());
        hits->ids.assign(all.ids.data(), all.ids.data() + all.total());
        return blocks_of(hits);
    }
    [[nodiscard]] py::object order() {
        const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
        const std::shared_ptr<std::vector<Id>> order = orders_.lend();
        order->assign(lists_.order().begin(), lists_.order().end());
        return block_of(order, *order);
    }
    /// made(), lasted() and moved().
    [[nodiscard]] py::tuple frames() {
        const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
        return py::make_tuple(lists_.made(), lists_.lasted(), lists_.moved());
    }
    [[nodiscard]] std::size_t memory() {
        const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
        return lists_.memory();
    }
    void release() {
        const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
        lists_.release();
        hits_.clear();
        orders_.clear();
    }

private:
    Turnstile turnstile_;
    PatientExecutor executor_;
    LastingNeighbours<Dim> lists_;
    std::shared_ptr<Team> team_ = Team::of({}); ///< of the last crowd
    Doubles doubles_ = Doubles::no_origin;      ///< whether that takes them
    Pool<Hits> hits_;
    Pool<std::vector<Id>> orders_;
};

template <std::size_t Dim>
void lasting_class(py::module_& module, const char* name) {
    using Self = LastingOf<Dim>;
    py::class_<Self>(module, name, "Lists that last.")
        .def(py::init<const Around&, py::handle>())
        .def("update", &Self::update)
        .def("neighbours", &Self::neighbours)
        .def("candidates", &Self::candidates)
        .def("order", &Self::order)
        .def("frames", &Self::frames)
        .def("memory", &Self::memory)
        .def("release", &Self::release);
}

} // namespace

void define_lasting(py::module_& module) {
    lasting_class<2>(module, "Lasting2");
    lasting_class<3>(module, "Lasting3");
}

} // namespace throng::python
