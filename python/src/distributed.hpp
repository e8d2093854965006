// Crowds over the ranks of a job, for Python.
#pragma once

#include "shapes.hpp"
#include "share.hpp"
#include "threads/pool.hpp"
#include "threads/team.hpp"
#include "threads/turnstile.hpp"

#include <throng/distributed/checkpoint.hpp>
#include <throng/distributed/distributed_grid.hpp>
#include <throng/distributed/ranks.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace throng::python {

/// A distributed crowd for Python. Calls wait for each other. Ctrl-C does not end a collective
/// call, because the other ranks would wait.
template <std::size_t Dim>
class OwnDistributed {
public:
    OwnDistributed(std::shared_ptr<Ranks> ranks, const TeamKind& team);

    /// The filters of a rank's questions: each is a number for all of them, or an array with one
    /// number for each.
    struct Leaving {
        py::object groups, without;
        Sets sets;
    };

    void configure(const py::dict& settings);
    void name(OwnShare<Dim>& mine);
    void update(OwnShare<Dim>& mine);
    void set_statics(py::handle positions, py::handle half_extents, py::handle groups);
    void balance(py::handle work);
    void save(OwnShare<Dim>& mine, const std::string& folder);
    void load(OwnShare<Dim>& mine, const std::string& folder);

    // Questions of all agents; their answers have local ids.
    [[nodiscard]] py::tuple neighbours(const Neighbourhood& neighbourhood, Sets sets);
    [[nodiscard]] py::object count_neighbours(const Neighbourhood& neighbourhood, Sets sets);
    [[nodiscard]] py::tuple pairs(std::uint32_t groups, PairSets sets, Body body);
    [[nodiscard]] std::uint64_t count_pairs(std::uint32_t groups, PairSets sets, Body body);
    [[nodiscard]] std::uint64_t size();

    // Questions about any place; their answers have global ids.
    [[nodiscard]] py::tuple query(ShapeKind kind, const py::tuple& parts, const Leaving& leaving);
    /// Counts; with `any`, 1 if there is an agent and otherwise 0.
    [[nodiscard]] py::object count(bool any, ShapeKind kind, const py::tuple& parts,
                                   const Leaving& leaving);
    [[nodiscard]] py::tuple nearest(py::handle points, const GlobalNearest& nearest,
                                    const Leaving& leaving);
    [[nodiscard]] py::tuple nearest_neighbours(const NearestNeighbours& nearest, Sets sets);
    [[nodiscard]] py::tuple first(ShapeKind kind, const py::tuple& parts, const Leaving& leaving);
    /// Returns blocks of offsets, times and ids.
    [[nodiscard]] py::tuple meetings(ShapeKind kind, const py::tuple& parts,
                                     const Leaving& leaving);

    /// Called instead of a collective call if a rank's arguments are unusable, so that the others
    /// do not wait.
    void abstain();

    [[nodiscard]] std::uint32_t owner_of(py::handle point);
    [[nodiscard]] py::tuple brick();
    [[nodiscard]] py::dict stats();
    [[nodiscard]] std::size_t memory();

private:
    /// Runs work(crowd, executor), which returns a Status, without the GIL and with no other call
    /// inside.
    template <class Work>
    void run(const Work& work, const char* radius = "radius");
    /// Reads shapes, and runs work(crowd, array of shapes, filters, executor) in the same way.
    template <class Work>
    void ask(ShapeKind kind, const py::tuple& parts, const Leaving& leaving, const Work& work);
    /// Reads the filters of this many questions.
    void leave_out(const Leaving& leaving, std::size_t questions);

    std::shared_ptr<Ranks> ranks_;
    std::shared_ptr<Team> team_;
    Turnstile turnstile_;
    DistributedGrid<Dim> crowd_;
    Crowd<Dim> world_; ///< for reading shapes: has no origin
    ShapeArrays<Dim> shapes_;
    std::vector<GlobalFilter> filters_;
};

/// Defines the base class of ranks, from which other modules derive.
void define_ranks(py::module_& module);
template <std::size_t Dim>
void define_distributed(py::module_& module, const char* name);
extern template void define_distributed<2>(py::module_&, const char*);
extern template void define_distributed<3>(py::module_&, const char*);

} // namespace throng::python
