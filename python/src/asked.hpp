// A crowd to ask: a crowd of Python's, or a frame of a published crowd.
#pragma once

#include "arithmetic/reductions.hpp"
#include "obstacles.hpp"
#include "shapes.hpp"
#include "threads/turnstile.hpp"
#include "threads/workshop.hpp"

#include <throng/engine/agents/filter.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/grid/query_stats.hpp>
#include <throng/parallel/batch/batch.hpp>
#include <throng/parallel/frames/contacts.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace throng::python {

/// Reads the arguments of neighbours().
[[nodiscard]] Neighbourhood neighbourhood_from(py::handle radius, py::handle with_self,
                                               py::handle groups, py::handle later_only, Body body);
/// Reads the arguments of nearest(). `band` is None or (axis, below, above), `after` is None or
/// (squared distance, id).
[[nodiscard]] Nearest nearest_from(py::handle k, py::handle radius, py::handle least,
                                   py::handle band, py::handle after, py::handle body);
/// Raises ValueError if this is not a kind of shape.
[[nodiscard]] ShapeKind kind_from(unsigned kind);
/// Raises ValueError if this is not a combination of Sets.
[[nodiscard]] Sets sets_from(unsigned sets);
/// Raises ValueError if this is not a combination of PairSets.
[[nodiscard]] PairSets pair_sets_from(unsigned sets);
/// Blocks of offsets and ids, over the memory of these hits.
[[nodiscard]] py::tuple blocks_of(const std::shared_ptr<Hits>& hits);
/// Blocks of ids, squared distances and counts.
[[nodiscard]] py::tuple blocks_of(const std::shared_ptr<NearHits>& hits);

/// The questions of Python. Answers are Blocks. Any number of threads may ask at once.
template <std::size_t Dim>
class Asked {
public:
    Asked(std::shared_ptr<Workshop<Dim>> workshop, bool takes_doubles)
        : workshop_(std::move(workshop)), takes_doubles_(takes_doubles) {}
    Asked(const Asked&) = delete;
    Asked& operator=(const Asked&) = delete;
    virtual ~Asked() = default;

    /// The filters of questions, in Python's form: each is a number for all questions, or an array
    /// with one number for each.
    struct Leaving {
        py::object groups, without;
        unsigned sets;
    };

    /// The pairs asked for: with bodies `within` a distance, or with bodies that overlap.
    struct Pairing {
        unsigned sets;
        std::uint32_t groups;
        std::optional<float> within;
        Body body = Body::centre;
    };

    [[nodiscard]] py::tuple query(ShapeKind kind, const py::tuple& parts, const Leaving& leaving);
    [[nodiscard]] std::size_t query_into(ShapeKind kind, const py::tuple& parts,
                                         const Leaving& leaving, py::handle offsets,
                                         py::handle ids);
    /// Writes into `out`, or into a new array if that is None.
    [[nodiscard]] py::object count(ShapeKind kind, const py::tuple& parts, const Leaving& leaving,
                                   py::handle out);
    [[nodiscard]] py::object any(ShapeKind kind, const py::tuple& parts, const Leaving& leaving,
                                 py::handle out);
    [[nodiscard]] py::tuple first(ShapeKind kind, const py::tuple& parts, const Leaving& leaving);
    /// All agents that each path meets: offsets, ids and times.
    [[nodiscard]] py::tuple meetings(ShapeKind kind, const py::tuple& parts,
                                     const Leaving& leaving);
    [[nodiscard]] py::dict explain(ShapeKind kind, const py::tuple& parts, const Leaving& leaving);

    [[nodiscard]] py::tuple neighbours(const Neighbourhood& neighbourhood, Order order,
                                       unsigned sets);
    [[nodiscard]] std::size_t neighbours_into(const Neighbourhood& neighbourhood, Order order,
                                              unsigned sets, py::handle offsets, py::handle ids);
    [[nodiscard]] py::object count_neighbours(const Neighbourhood& neighbourhood, Order order,
                                              unsigned sets, py::handle out);
    /// The lists of neighbours(), the distances of their hits, and the offsets to them; the last
    /// two are empty if not requested.
    [[nodiscard]] py::tuple measured_neighbours(const Neighbourhood& neighbourhood, Order order,
                                                unsigned sets, bool distances, bool ways);
    /// Returns an array by id. `values` is an array, or one number for all agents; None reduces the
    /// offsets to neighbours.
    [[nodiscard]] py::object reduce(const Neighbourhood& neighbourhood, Reduction reduction,
                                    py::handle values);
    /// A compiled function; its arguments are an agent, the ids of its neighbours, their number,
    /// and the caller's data.
    using Kernel = void (*)(std::uint32_t agent, const std::uint32_t* ids, std::uint64_t count,
                            void* data);
    /// Calls the function for each agent, on several threads at once.
    void visit_neighbours(const Neighbourhood& neighbourhood, unsigned sets, Kernel kernel,
                          void* data);
    /// The obstacles that hide agents: only those in `groups`.
    struct Hiding {
        OwnObstacles<Dim>& obstacles;
        std::uint32_t groups;
    };
    /// The answers of query() without agents hidden by obstacles.
    [[nodiscard]] py::tuple query_in_sight(const Hiding& hiding, ShapeKind kind,
                                           const py::tuple& parts, const Leaving& leaving);
    [[nodiscard]] py::object count_in_sight(const Hiding& hiding, ShapeKind kind,
                                            const py::tuple& parts, const Leaving& leaving,
                                            py::handle out);
    [[nodiscard]] py::tuple neighbours_in_sight(const Hiding& hiding,
                                                const Neighbourhood& neighbourhood, Order order,
                                                unsigned sets);
    [[nodiscard]] py::object count_neighbours_in_sight(const Hiding& hiding,
                                                       const Neighbourhood& neighbourhood,
                                                       Order order, unsigned sets, py::handle out);
    [[nodiscard]] py::tuple nearest(py::handle points, const Nearest& nearest,
                                    const Leaving& leaving);
    [[nodiscard]] py::tuple nearest_neighbours(const NearestNeighbours& nearest, Order order,
                                               unsigned sets);
    [[nodiscard]] py::tuple pairs(const Pairing& pairing);
    [[nodiscard]] std::size_t pairs_into(const Pairing& pairing, py::handle first,
                                         py::handle second);
    [[nodiscard]] std::size_t count_pairs(const Pairing& pairing);

    /// Calls contacts.update() on `executor`, to which the contacts refer, and then copy().
    void next_frame(Contacts<Dim>& contacts, PatientExecutor& executor, const Pairing& pairing,
                    FunctionRef<void()> copy);

    [[nodiscard]] py::object order();
    /// For drawings: corners, depths and counts of cells, and how many of the cells are the grid's.
    [[nodiscard]] py::tuple cells();
    /// Ids, positions, half extents and groups.
    [[nodiscard]] py::tuple agents(unsigned sets);
    [[nodiscard]] bool contains(std::uint32_t id);
    [[nodiscard]] bool is_giant(std::uint32_t id);
    [[nodiscard]] std::size_t size();
    [[nodiscard]] py::dict stats();
    [[nodiscard]] py::dict settings();
    [[nodiscard]] py::dict memory();

    void save(const char* path);
    [[nodiscard]] py::bytes to_bytes();

    [[nodiscard]] std::size_t threads() const noexcept { return workshop_->team->threads(); }
    [[nodiscard]] const char* executor() const noexcept { return name_of(workshop_->team->kind()); }
    void set_team(const TeamKind& kind) { workshop_->team = Team::of(kind); }
    void release() noexcept { workshop_->release(); }
    [[nodiscard]] bool takes_doubles() const noexcept { return takes_doubles_; }

protected:
    [[nodiscard]] virtual const Crowd<Dim>& crowd() const noexcept = 0;

    [[nodiscard]] Doubles doubles() const noexcept {
        return takes_doubles_ ? Doubles::allowed : Doubles::no_origin;
    }

    /// Runs work(crowd, tools, run) as a reader of the crowd.
    template <class Work>
    auto ask(Work&& work);
    /// The same with shapes, which it reads first.
    template <class Work>
    auto ask_with(ShapeKind kind, const py::tuple& parts, const Leaving& leaving, Work&& work);
    /// The same with shapes and obstacles.
    template <class Work>
    auto see_with(const Hiding& hiding, ShapeKind kind, const py::tuple& parts,
                  const Leaving& leaving, Work&& work);
    template <class Work>
    auto look(Work&& work);
    /// One filter for all questions, or one for each, which are then stored in `each`.
    [[nodiscard]] static Filters filters_from(const Leaving& leaving, std::size_t questions,
                                              std::vector<Filter>& each);

    std::shared_ptr<Workshop<Dim>> workshop_;
    Turnstile turnstile_;
    bool takes_doubles_;
};

/// Runs work with the GIL held, for short looks at the crowd.
template <std::size_t Dim>
template <class Work>
auto Asked<Dim>::look(Work&& work) {
    const Turnstile::Inside inside(turnstile_, Turnstile::As::reader);
    return work(crowd());
}

template <std::size_t Dim>
template <class Work>
auto Asked<Dim>::ask(Work&& work) {
    const std::shared_ptr<Tools<Dim>> tools = workshop_->tools.lend();
    const std::shared_ptr<Team> team = workshop_->team;
    const Turnstile::Inside inside(turnstile_, Turnstile::As::reader);
    // Runs the question without the GIL, and returns its answer.
    const auto run = [&](auto&& question) {
        return work_without_gil(team, *tools,
                                [&](Tools<Dim>& with) { return question(with.batch); });
    };
    return work(crowd(), *tools, run);
}

extern template class Asked<2>;
extern template class Asked<3>;

/// Reads the pairs to ask for. Without a body: boxes that overlap, or centres within the distance.
template <std::size_t Dim>
[[nodiscard]] typename Asked<Dim>::Pairing pairing_from(py::handle sets, py::handle groups,
                                                        py::handle within, py::handle body);

/// Defines the class in Python.
template <std::size_t Dim>
void define_asked(py::module_& module, const char* name);
extern template void define_asked<2>(py::module_&, const char*);
extern template void define_asked<3>(py::module_&, const char*);

} // namespace throng::python
