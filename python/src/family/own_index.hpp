// A structure of throng::family that Python can ask and change.
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

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace throng::python {

/// Any number of threads may ask at once. Changes wait for each other, and never overlap a
/// question.
template <class Index, std::size_t Dim>
class OwnIndex {
public:
    /// The filter of questions.
    struct Leaving {
        py::handle groups, without;

        [[nodiscard]] Filter filter() const {
            return {uint32_from(groups, "groups"), uint32_from(without, "without")};
        }
    };

    OwnIndex(py::handle threads, py::handle executor)
        : team_(Team::of(TeamKind::from(threads, executor))) {}

    /// Runs work(index, executor), which returns a Status, without the GIL and with no other call
    /// inside.
    template <class Work>
    void change(Work&& work) {
        const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
        PatientExecutor executor;
        check(work_without_gil(team_, executor, [&] { return work(index_, executor); }));
    }
    /// Returns the result of work(index), which runs without the GIL.
    template <class Work>
    auto ask(Work&& work) const {
        const Turnstile::Inside inside(turnstile_, Turnstile::As::reader);
        const WithoutGil without_gil;
        return work(index_);
    }
    /// Reads shapes, and returns work(index, array of shapes), which runs without the GIL.
    template <class Work>
    auto ask_with(ShapeKind kind, const py::tuple& parts, Work&& work) const {
        const std::shared_ptr<ShapeArrays<Dim>> shapes = shapes_.lend();
        read_shapes(kind, parts, anywhere_, Doubles::never, *shapes);
        return ask([&](const Index& index) {
            return with_shapes(kind, *shapes,
                               [&](const auto& of_kind) { return work(index, of_kind); });
        });
    }

    void update(py::handle positions, py::handle half_extents, py::handle groups) {
        const AllAgents<Dim> agents(positions, half_extents, groups, Doubles::never);
        change([&](Index& index, Executor& executor) {
            return index.update(agents.floats(), executor);
        });
    }
    void insert(std::uint32_t id, py::handle position, py::handle half_extent, py::handle group) {
        const OneAgent<Dim> agent(position, half_extent, group);
        change([&](Index& index, Executor&) {
            return index.insert(id, {agent.place.point(), agent.half_extent, agent.groups});
        });
    }
    void erase(std::uint32_t id) {
        change([&](Index& index, Executor&) { return index.erase(id); });
    }
    void move(std::uint32_t id, py::handle position) {
        const Numbers<Dim> place(position, "position");
        change([&](Index& index, Executor&) { return index.move(id, place.point()); });
    }
    void clear() {
        change([](Index& index, Executor&) {
            index.clear();
            return Status();
        });
    }

    [[nodiscard]] py::tuple query(ShapeKind kind, const py::tuple& parts, const Leaving& leaving) {
        const Filter filter = leaving.filter();
        const std::shared_ptr<Hits> hits = hits_.lend();
        check(ask_with(kind, parts, [&](const Index& index, const auto& shapes) {
            return index.query(shapes, *hits, filter);
        }));
        return blocks_of(hits);
    }
    /// The number of agents that each shape finds; with `any`, 1 if there is one and otherwise 0.
    [[nodiscard]] py::object count(ShapeKind kind, const py::tuple& parts, const Leaving& leaving,
                                   bool any) {
        const Filter filter = leaving.filter();
        const std::shared_ptr<std::vector<std::uint32_t>> counts = counts_.lend();
        check(ask_with(kind, parts, [&](const Index& index, const auto& shapes) {
            counts->resize(shapes.size());
            for (std::size_t q = 0; q < shapes.size(); ++q) {
                Found found = any ? index.any(shapes[q], filter) : index.count(shapes[q], filter);
                found.status.index = q;
                if (!found.status.ok()) { return found.status; }
                (*counts)[q] = static_cast<std::uint32_t>(found.count);
            }
            return Status();
        }));
        return block_of(counts, counts->data(), counts->size());
    }

    [[nodiscard]] py::tuple pairs(std::uint32_t groups, py::handle body) {
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
        return py::make_tuple(block_of(pairs, pairs->first.data(), pairs->first.size()),
                              block_of(pairs, pairs->second.data(), pairs->second.size()));
    }

    [[nodiscard]] py::tuple cells() const {
        return blocks_of(ask([](const Index& index) { return cells_of<Dim>(index); }));
    }
    [[nodiscard]] bool contains(std::uint32_t id) const {
        return ask([&](const Index& index) { return index.contains(id); });
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
    /// None, or a text about the first violated invariant.
    [[nodiscard]] py::object validate() const {
        const char* const fault = ask([](const Index& index) { return index.validate(); });
        return fault == nullptr ? py::object(py::none()) : py::object(py::str(fault));
    }
    /// The number of threads, and the kind of executor.
    [[nodiscard]] py::tuple team() const {
        return py::make_tuple(team_->threads(), name_of(team_->kind()));
    }

private:
    Index index_;
    std::shared_ptr<Team> team_;
    mutable Turnstile turnstile_;
    mutable Pool<ShapeArrays<Dim>> shapes_;
    Pool<Hits> hits_;
    Pool<Pairs> pairs_;
    Pool<std::vector<std::uint32_t>> counts_;
    const Crowd<Dim> anywhere_; ///< its coordinates are those of shapes
};

/// Defines the class in Python, with the calls that all structures have.
template <class Index, std::size_t Dim, class Self = OwnIndex<Index, Dim>>
py::class_<Self> define_index(py::module_& module, const char* name) {
    using Leaving = typename Self::Leaving;
    return py::class_<Self>(module, name, "A structure of throng::family.")
        .def("update", &Self::update)
        .def("insert",
             [](Self& self, py::handle id, py::handle position, py::handle half_extent,
                py::handle group) {
                 self.insert(uint32_from(id, "id"), position, half_extent, group);
             })
        .def("erase", [](Self& self, py::handle id) { self.erase(uint32_from(id, "id")); })
        .def("move", [](Self& self, py::handle id,
                        py::handle position) { self.move(uint32_from(id, "id"), position); })
        .def("clear", &Self::clear)
        .def("query",
             [](Self& self, unsigned kind, const py::tuple& parts, py::handle groups,
                py::handle without) {
                 return self.query(kind_from(kind), parts, Leaving{groups, without});
             })
        .def("count",
             [](Self& self, unsigned kind, const py::tuple& parts, py::handle groups,
                py::handle without, bool any) {
                 return self.count(kind_from(kind), parts, Leaving{groups, without}, any);
             })
        .def("pairs",
             [](Self& self, py::handle groups, py::handle body) {
                 return self.pairs(uint32_from(groups, "groups"), body);
             })
        .def("cells", &Self::cells)
        .def("contains",
             [](Self& self, py::handle id) { return self.contains(uint32_from(id, "id")); })
        .def("size", &Self::size)
        .def("memory", &Self::memory)
        .def("validate", &Self::validate)
        .def("team", &Self::team);
}

} // namespace throng::python
