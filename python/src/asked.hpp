// A crowd that can be asked: a crowd of Python's, or a frame of a published crowd.
#pragma once

#include "arguments.hpp"
#include "arrays/out.hpp"
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
#include <utility>
#include <vector>

namespace throng::python {

/// Ids, squares of distances and counts.
[[nodiscard]] py::tuple blocks_of(const std::shared_ptr<NearHits>& hits);
template <class Near, class Answer>
[[nodiscard]] py::tuple blocks_of_near(const std::shared_ptr<Answer>& hits) {
    Near* const first = hits->nearest.data();
    const auto rows = [&](auto* member) {
        return block_of_rows(hits, member, hits->counts.size(), hits->k, sizeof(Near));
    };
    return py::make_tuple(rows(first == nullptr ? nullptr : &first->id),
                          rows(first == nullptr ? nullptr : &first->distance2),
                          block_of(hits, hits->counts));
}

/// The questions; answers are Blocks. Any number of threads may ask at once.
template <std::size_t Dim>
class Asked {
public:
    Asked(std::shared_ptr<Workshop<Dim>> workshop, bool takes_doubles)
        : workshop_(std::move(workshop)), takes_doubles_(takes_doubles) {}
    Asked(const Asked&) = delete;
    Asked& operator=(const Asked&) = delete;
    virtual ~Asked() = default;

    /// Offsets and ids; or they are written to the two arrays of `out`, unless that is None, and
    /// then it is the number of ids. Without the agents that obstacles hide, if there are any: then
    /// `out` must be None.
    [[nodiscard]] py::object query(const GivenShapes& given, const Leaving& leaving, py::handle out,
                                   OwnObstacles<Dim>* obstacles);
    /// Writes into `out`, or into a new array if that is None.
    [[nodiscard]] py::object count(const GivenShapes& given, const Leaving& leaving, py::handle out,
                                   OwnObstacles<Dim>* obstacles);
    [[nodiscard]] py::object any(const GivenShapes& given, const Leaving& leaving, py::handle out);
    [[nodiscard]] py::tuple first(const GivenShapes& given, const Leaving& leaving);
    /// All that each path meets: offsets, ids and times.
    [[nodiscard]] py::tuple meetings(const GivenShapes& given, const Leaving& leaving);
    [[nodiscard]] py::dict explain(const GivenShapes& given, const Leaving& leaving);

    [[nodiscard]] py::object neighbours(const Around& around, py::handle out,
                                        OwnObstacles<Dim>* obstacles);
    [[nodiscard]] py::object count_neighbours(const Around& around, py::handle out,
                                              OwnObstacles<Dim>* obstacles);
    /// Lists as of neighbours(), the distances of their hits, and the ways to them; empty where
    /// they are not wanted.
    [[nodiscard]] py::tuple measured_neighbours(const Around& around, bool distances, bool ways);
    /// An array by id. `values` are an array, or one number that all agents have; None: the ways to
    /// neighbours are reduced.
    [[nodiscard]] py::object reduce(const Keywords& named, py::handle values);
    /// Calls a compiled function at this address for each agent, on several threads at once.
    void visit_neighbours(const Around& around, py::handle kernel, py::handle data);

    [[nodiscard]] py::tuple nearest(py::handle points, const Keywords& named);
    [[nodiscard]] py::tuple nearest_neighbours(const Keywords& named);
    /// The firsts and the seconds; `out` is as that of query().
    [[nodiscard]] py::object pairs(const Pairing& pairing, py::handle out);
    [[nodiscard]] std::size_t count_pairs(const Pairing& pairing);

    /// Calls contacts.update() on `executor`, from which they borrow, and copy() after it.
    void next_frame(Contacts<Dim>& contacts, PatientExecutor& executor, const Pairing& pairing,
                    FunctionRef<void()> copy);

    [[nodiscard]] py::object order();
    /// The images of positions, seen from points: a bytearray with a number for each axis.
    [[nodiscard]] py::bytearray images(py::handle points, py::handle positions);
    /// For drawings: corners, depths and counts of cells, and how many cells are those of the grid.
    [[nodiscard]] py::tuple cells();
    /// Ids, positions, half extents and groups.
    [[nodiscard]] py::tuple agents(py::handle sets);
    [[nodiscard]] bool contains(GivenId id) {
        return look([&](const auto& crowd) { return crowd.contains(id.id); });
    }
    [[nodiscard]] bool is_giant(GivenId id) {
        return look([&](const auto& crowd) { return crowd.contains(id.id, Sets::giants); });
    }
    [[nodiscard]] std::size_t size() {
        return look([](const auto& crowd) { return crowd.size(); });
    }
    [[nodiscard]] py::dict stats();
    [[nodiscard]] py::dict cell_stats();
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

    /// Runs work(crowd, tools, run) as a reader.
    template <class Work>
    auto ask(Work&& work);
    /// The same with shapes, which it reads first: work(questions, run).
    template <class Work>
    auto ask_with(const GivenShapes& given, const Leaving& leaving, Work&& work);
    /// Runs plain(batch), or where there are obstacles past(them), which may look at them
    /// meanwhile.
    template <class Run, class Plain, class Past>
    static Found run_past(OwnObstacles<Dim>* obstacles, const Run& run, const Plain& plain,
                          const Past& past) {
        if (obstacles == nullptr) { return run(plain); }
        return obstacles->look(
            [&](const Obstacles<Dim>& all) { return run([&](Batch<Dim>&) { return past(all); }); });
    }
    /// Looks at the crowd for a moment, with the GIL held.
    template <class Work>
    auto look(const Work& work) {
        const Turnstile::Inside inside(turnstile_, Turnstile::As::reader);
        return work(crowd());
    }
    /// One filter for all questions, or one for each, which are then in `each`.
    [[nodiscard]] static Filters filters_from(const Leaving& leaving, std::size_t questions,
                                              std::vector<Filter>& each);

    std::shared_ptr<Workshop<Dim>> workshop_;
    Turnstile turnstile_;
    bool takes_doubles_;
};

template <std::size_t Dim>
template <class Work>
auto Asked<Dim>::ask(Work&& work) {
    const std::shared_ptr<Tools<Dim>> tools = workshop_->tools.lend();
    const std::shared_ptr<Team> team = workshop_->team;
    const Turnstile::Inside inside(turnstile_, Turnstile::As::reader);
    // Asks the question without the GIL, and returns the answer.
    const auto run = [&](auto&& question) {
        return work_without_gil(team, *tools,
                                [&](Tools<Dim>& with) { return question(with.batch); });
    };
    return work(crowd(), *tools, run);
}

} // namespace throng::python
