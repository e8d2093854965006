#include "../classes.hpp"
#include "../meetings.hpp"
#include "own_index.hpp"

#include <throng/engine/agents/nearest.hpp>
#include <throng/engine/answers/nearest_checks.hpp>
#include <throng/engine/family/brute_force.hpp>

#include <algorithm>
#include <ranges>

namespace throng::python {

namespace {

/// Besides, it answers what only crowds and grids do.
template <std::size_t Dim>
class OwnBruteForce : public OwnIndex<BruteForce<Dim>, Dim> {
    using Index = BruteForce<Dim>;

public:
    using OwnIndex<Index, Dim>::OwnIndex;

    /// All that each path meets: offsets, ids and times.
    [[nodiscard]] py::tuple meetings(const GivenShapes& given, const Leaving& leaving) {
        const Filter filter = leaving.one();
        const auto met = std::make_shared<Meetings>();
        met->offsets.assign(1, 0);
        check(this->ask_with(given.as_paths(), [&](const Index& index, const auto& shapes) {
            using Shape = std::ranges::range_value_t<decltype(shapes)>;
            if constexpr (PathIn<Shape, Dim>) {
                std::vector<PathHit> of_path;
                for (std::size_t q = 0; q < shapes.size(); ++q) {
                    Status status = index.hits(shapes[q], of_path, filter);
                    status.index = q;
                    if (!status.ok()) { return status; }
                    met->hits.insert(met->hits.end(), of_path.begin(), of_path.end());
                    met->offsets.push_back(met->hits.size());
                }
            }
            return Status();
        }));
        return blocks_of(met);
    }

    [[nodiscard]] py::tuple nearest(py::handle points, const Keywords& named) {
        const Nearest nearest = nearest_from(named);
        const Filter filter = {named.whole("groups"), named.whole("without")};
        const Points<Dim> from(points, "points", Doubles::never, One::allowed);
        const auto hits = std::make_shared<NearHits>();
        check(this->ask([&](const Index& index) {
            const std::size_t questions = from.count();
            const Status status = check_nearest<Dim>(nearest);
            if (!status.ok()) { return status; }
            hits->k = nearest.k;
            hits->nearest.assign(questions * nearest.k, Near{});
            hits->counts.resize(questions);
            for (std::size_t q = 0; q < questions; ++q) {
                const Point<Dim> point = {at(from.floats(), q)};
                const std::span<Near> out =
                    std::span(hits->nearest).subspan(q * nearest.k, nearest.k);
                Found found = index.nearest(point, nearest, out, filter);
                found.status.index = q;
                if (!found.status.ok()) { return found.status; }
                hits->counts[q] = static_cast<std::uint32_t>(std::min(found.count, out.size()));
            }
            return Status();
        }));
        return blocks_of(hits);
    }
};

template <std::size_t Dim>
void brute_force_class(py::module_& module, const char* name) {
    using Self = OwnBruteForce<Dim>;
    define_index<BruteForce<Dim>, Dim, Self>(module, name)
        .def("meetings", &Self::meetings)
        .def("nearest", &Self::nearest)
        .def("order", &Self::order);
}

} // namespace

void define_brute_force(py::module_& module) {
    brute_force_class<2>(module, "BruteForce2");
    brute_force_class<3>(module, "BruteForce3");
}

} // namespace throng::python
