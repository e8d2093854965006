// A structure of throng::family that Python asks and changes.
#pragma once

#include "../changes.hpp"
#include "../crowd.hpp"
#include "../drawing.hpp"
#include "../shapes.hpp"
#include "../threads/gil.hpp"
#include "../threads/pool.hpp"
#include "../threads/team.hpp"
#include "../threads/turnstile.hpp"

#include <throng/engine/agents/filter.hpp>
#include <throng/engine/agents/found.hpp>
#include <throng/engine/answers/spatial_index.hpp>
#include <throng/engine/shapes/with_shapes.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace throng::python {

/// Any number of threads may ask at once; changes come one after another, and never during a
/// question.
template <class Index, std::size_t Dim>
class OwnIndex {
public:
    explicit OwnIndex(const TeamKind& team) : team_(Team::of(team)) {}

    /// Runs work(index, executor), which returns a Status, as the only call inside and without the
    /// GIL.
    template <class Work>
    void change(Work&& work) {
        const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
        PatientExecutor executor;
        check(work_without_gil(team_, executor, [&] { return work(index_, executor); }));
    }
    /// The same for work(index), which cannot fail.
    template <class Work>
    void always(Work&& work) {
        change([&](Index& index, Executor&) {
            work(index);
            return Status();
        });
    }
    /// Returns work(index), which runs without the GIL.
    template <class Work>
    auto ask(Work&& work) const {
        const Turnstile::Inside inside(turnstile_, Turnstile::As::reader);
        const WithoutGil without_gil;
        return work(index_);
    }
    /// The same with shapes, which it reads first: work(index, array of shapes).
    template <class Work>
    auto ask_with(const GivenShapes& given, Work&& work) const {
        const std::shared_ptr<ShapeArrays<Dim>> arrays = shapes_.lend();
        const auto shapes = read_shapes(given, anywhere_, Doubles::never, *arrays);
        return ask([&](const Index& index) {
            return with_shapes(shapes, [&](const auto& of_kind) { return work(index, of_kind); });
        });
    }

    void update(py::handle positions, py::handle half_extents, py::handle groups) {
        const AllAgents<Dim> agents(positions, half_extents, groups, Doubles::never);
        change([&](Index& index, Executor& executor) {
            return index.update(agents.floats(), executor);
        });
    }
    void insert(GivenId id, py::handle position, py::handle half_extent, py::handle group) {
        const OneAgent<Dim> agent(position, half_extent, group);
        change([&](Index& index, Executor&) {
            return index.insert(id.id, {agent.place.point(), agent.half_extent, agent.groups});
        });
    }
    void erase(GivenId id) {
        change([&](Index& index, Executor&) { return index.erase(id.id); });
    }
    void move(GivenId id, py::handle position) {
        const Numbers<Dim> place(position, "position");
        change([&](Index& index, Executor&) { return index.move(id.id, place.point()); });
    }
    void clear() {
        always([](Index& index) { index.clear(); });
    }
    /// Gives back the memory that is kept for the next update().
    void release() {
        always([](Index& index) { index.release_staging(); });
    }

    [[nodiscard]] py::tuple query(const GivenShapes& given, const Leaving& leaving) {
        const Filter filter = leaving.one();
        const std::shared_ptr<Hits> hits = hits_.lend();
        check(ask_with(given, [&](const Index& index, const auto& shapes) {
            return index.query(shapes, *hits, filter);
        }));
        return blocks_of(hits);
    }
    /// How many agents each shape finds, or whether it finds any: 1 or 0.
    [[nodiscard]] py::object count(const GivenShapes& given, const Leaving& leaving, bool any) {
        const Filter filter = leaving.one();
        const std::shared_ptr<std::vector<std::uint32_t>> counts = counts_.lend();
        check(ask_with(given, [&](const Index& index, const auto& shapes) {
            counts->resize(shapes.size());
            for (std::size_t q = 0; q < shapes.size(); ++q) {
                Found found = any ? index.any(shapes[q], filter) : index.count(shapes[q], filter);
                found.status.index = q;
                if (!found.status.ok()) { return found.status; }
                (*counts)[q] = static_cast<std::uint32_t>(found.count);
            }
            return Status();
        }));
        return block_of(counts, *counts);
    }

    [[nodiscard]] py::tuple pairs(py::handle mask, py::handle body) {
        const std::uint32_t groups = uint32_from(mask, "groups");
        const std::shared_ptr<Pairs> pairs = pairs_.lend();
        pairs->first.clear();
        pairs->second.clear();
        const auto take = [&](std::span<const Id> first, std::span<const Id> second) {
            pairs->first.insert(pairs->first.end(), first.begin(), first.end());
            pairs->second.insert(pairs->second.end(), second.begin(), second.end());
            return true;
        };
        const Body of = body_from(body);
        check(ask([&](const Index& index) {
            if constexpr (requires { index.visit_pairs(take, groups, of); }) {
                return index.visit_pairs(take, groups, of).status;
            } else {
                return index.visit_pairs(take, groups).status;
            }
        }));
        return py::make_tuple(block_of(pairs, pairs->first), block_of(pairs, pairs->second));
    }

    /// The ids of all agents, in the order of the index.
    [[nodiscard]] py::object order() {
        const auto ids = std::make_shared<std::vector<std::uint32_t>>();
        ask([&](const Index& index) {
            ids->resize(index.size());
            return index.order(*ids);
        });
        return block_of(ids, *ids);
    }
    [[nodiscard]] py::tuple cells() const {
        return blocks_of(ask([](const Index& index) { return cells_of<Dim>(index); }));
    }
    [[nodiscard]] bool contains(GivenId id) const {
        return ask([&](const Index& index) { return index.contains(id.id); });
    }
    [[nodiscard]] std::size_t size() const {
        return ask([](const Index& index) { return index.size(); });
    }
    [[nodiscard]] py::dict memory() const {
        const MemoryUse use = ask([](const Index& index) { return index.memory(); });
        using namespace py::literals;
        return py::dict("nodes"_a = use.nodes, "tables"_a = use.tables, "rows"_a = use.rows,
                        "marks"_a = use.marks, "ids"_a = use.ids, "staging"_a = use.staging);
    }
    /// None, or the first invariant that does not hold.
    [[nodiscard]] py::object validate() const {
        const char* const fault = ask([](const Index& index) { return index.validate(); });
        return fault == nullptr ? py::object(py::none()) : py::object(py::str(fault));
    }
    [[nodiscard]] std::size_t threads() const { return team_->threads(); }
    [[nodiscard]] const char* executor() const { return name_of(team_->kind()); }

private:
    Index index_;
    std::shared_ptr<Team> team_;
    mutable Turnstile turnstile_;
    mutable Pool<ShapeArrays<Dim>> shapes_;
    Pool<Hits> hits_;
    Pool<Pairs> pairs_;
    Pool<std::vector<std::uint32_t>> counts_;
    const Crowd<Dim> anywhere_; ///< whose coordinates are those of shapes
};

/// Makes the class known to Python, with what all structures can do.
template <class Index, std::size_t Dim, class Self = OwnIndex<Index, Dim>>
py::class_<Self> define_index(py::module_& module, const char* name) {
    return py::class_<Self>(module, name, "A structure of throng::family.")
        .def(py::init<const TeamKind&>())
        .def("update", &Self::update)
        .def("insert", &Self::insert)
        .def("erase", &Self::erase)
        .def("move", &Self::move)
        .def("clear", &Self::clear)
        .def("query", &Self::query)
        .def("count", &Self::count)
        .def("pairs", &Self::pairs)
        .def("cells", &Self::cells)
        .def("contains", &Self::contains)
        .def("size", &Self::size)
        .def("memory", &Self::memory)
        .def("validate", &Self::validate)
        .def("threads", &Self::threads)
        .def("executor", &Self::executor);
}

} // namespace throng::python
