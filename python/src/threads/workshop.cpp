#include "workshop.hpp"

namespace throng::python {

template <std::size_t Dim>
std::pair<std::size_t, std::size_t> Workshop<Dim>::memory() const {
    std::size_t scratch = 0;
    tools.for_each([&](const Tools<Dim>& one) {
        scratch += one.batch.memory() + one.sight.memory() + one.neighbours.memory() +
                   one.listed_sums.memory() + one.shapes.memory() +
                   one.filters.capacity() * sizeof(Filter);
    });
    std::size_t answers = 0;
    const auto add = [&](const auto& array) { answers += array.capacity() * sizeof(array[0]); };
    hits.for_each([&](const Hits& one) { add(one.offsets), add(one.ids); });
    pairs.for_each([&](const Pairs& one) { add(one.first), add(one.second); });
    near_hits.for_each([&](const NearHits& one) { add(one.nearest), add(one.counts); });
    path_hits.for_each(add);
    numbers.for_each(add);
    floats.for_each(add);
    measured_hits.for_each([&](const MeasuredHits<Dim>& one) { answers += one.memory(); });
    return {scratch, answers};
}

template <std::size_t Dim>
void Workshop<Dim>::release() noexcept {
    tools.clear();
    hits.clear();
    pairs.clear();
    near_hits.clear();
    path_hits.clear();
    numbers.clear();
    floats.clear();
    measured_hits.clear();
}

template struct Workshop<2>;
template struct Workshop<3>;

} // namespace throng::python
