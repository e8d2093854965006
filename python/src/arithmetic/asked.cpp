// Reductions over neighbours, and lists with distances.
#include "../asked.hpp"
#include "../arrays/block.hpp"
#include "../refusal.hpp"
#include "reductions.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace throng::python {

template <std::size_t Dim>
py::tuple Asked<Dim>::measured_neighbours(const Around& around, bool distances, bool ways) {
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>& tools, const auto& run) {
        const std::shared_ptr<MeasuredHits<Dim>> found = workshop_->measured_hits.lend();
        check(run([&](Batch<Dim>& batch) {
            const Status status = batch.neighbours({crowd, around.sets}, around.neighbourhood,
                                                   found->hits, around.order);
            if (status.ok()) {
                found->measure(crowd, around.order, distances, ways, tools.executor);
            }
            return status;
        }));
        // Each of the blocks keeps all of this memory alive.
        const std::shared_ptr<Hits> hits(found, &found->hits);
        const py::tuple lists = blocks_of(hits);
        float* const first = found->ways.empty() ? nullptr : found->ways[0].axis.data();
        return py::make_tuple(lists[0], lists[1], block_of(found, found->distances),
                              block_of_rows(found, first, found->ways.size(), Dim, sizeof(float)));
    });
}

template <std::size_t Dim>
py::object Asked<Dim>::reduce(const Keywords& named, py::handle values) {
    const Neighbourhood neighbourhood = Around::from(named.all()).neighbourhood;
    Reduction reduction;
    reduction.how = static_cast<Reduced>(named.whole("how"));
    reduction.weight = static_cast<Weight>(named.whole("weight"));
    reduction.less_own = named.truth("less_own");
    reduction.empty = named.number("empty");
    reduction.scale = named.number("scale");
    return ask([&](const Crowd<Dim>& crowd, Tools<Dim>& tools, const auto& run) {
        const std::size_t agents = crowd.id_bound();
        std::optional<Array> array;
        std::shared_ptr<std::vector<float>> alike; // one number for all agents, repeated
        if (values.is_none()) {
            reduction.columns = Dim;
        } else if (is_number(values)) {
            alike = workshop_->floats.lend();
            alike->assign(agents, float_from(values, "values"));
            reduction.values = alike->data();
        } else {
            const Expected expected = {"values", "a contiguous float32 array of shape (n,) or "
                                                 "(n, columns), with n at least " +
                                                     std::to_string(agents)};
            array.emplace(values, expected);
            if (array->element() != Element::float32) { refuse_type(expected, values); }
            if (array->dimensions() < 1 || array->dimensions() > 2 || !array->in_one_piece() ||
                array->extent(0) < agents) {
                refuse_shape(expected, values);
            }
            reduction.columns = array->dimensions() == 1 ? 1 : array->extent(1);
            reduction.values = array->template data<float>();
        }
        const bool gradient = reduction.how == Reduced::gradient;
        const bool one_axis = !gradient && (alike || (array && array->dimensions() == 1));
        if (gradient) { reduction.columns = Dim; }
        const std::shared_ptr<std::vector<float>> out = workshop_->floats.lend();
        out->resize(agents * reduction.columns);
        if (crowd.size() != agents) { // no kernel writes for ids without agents
            std::fill(out->begin(), out->end(),
                      reduction.how == Reduced::sum || gradient ? 0.0f : reduction.empty);
        }
        reduction.out = out->data();
        // For a world that is too narrow for kernels.
        const std::shared_ptr<MeasuredHits<Dim>> lists =
            crowd.wraps() ? workshop_->measured_hits.lend() : nullptr;
        check(run([&](Batch<Dim>& batch) {
            Status status = python::reduce(tools.neighbours, crowd, neighbourhood, reduction);
            if (status.cause != Cause::wraps) { return status; }
            status = batch.neighbours({crowd, Sets::agents}, neighbourhood, lists->hits);
            if (status.ok()) {
                lists->measure(crowd, Order::storage, false, true, tools.executor);
                tools.listed_sums.reduce(crowd, neighbourhood, *lists, reduction, tools.executor);
            }
            return status;
        }));
        if (one_axis) { return block_of(out, out->data(), agents); }
        return block_of_rows(out, out->data(), agents, reduction.columns, sizeof(float));
    });
}

template <std::size_t Dim>
void Asked<Dim>::visit_neighbours(const Around& around, py::handle kernel, py::handle data) {
    // An agent, the ids of its neighbours, how many, and the caller's data.
    using Kernel = void (*)(std::uint32_t, const std::uint32_t*, std::uint64_t, void*);
    const auto address = [](py::handle number, const char* argument) {
        return reinterpret_cast<void*>(whole_from(number, argument, ~std::uintptr_t{0}));
    };
    const auto call = reinterpret_cast<Kernel>(address(kernel, "kernel"));
    void* const given = address(data, "data");
    ask([&](const Crowd<Dim>& crowd, Tools<Dim>& tools, const auto& run) {
        const std::shared_ptr<Hits> hits = workshop_->hits.lend();
        const std::shared_ptr<std::vector<std::uint32_t>> agents = workshop_->numbers.lend();
        agents->resize(crowd.size());
        check(run([&](Batch<Dim>& batch) {
            const Status status =
                batch.neighbours({crowd, around.sets}, around.neighbourhood, *hits);
            if (!status.ok()) { return status; }
            (void)crowd.order(*agents);
            constexpr std::size_t kAgents = 256;
            const std::size_t count = agents->size();
            tools.executor.run((count + kAgents - 1) / kAgents, [&](std::size_t block) {
                const std::size_t end = std::min(count, (block + 1) * kAgents);
                for (std::size_t i = block * kAgents; i < end; ++i) {
                    const std::span<const Id> ids = hits->of(i);
                    call((*agents)[i], ids.data(), ids.size(), given);
                }
            });
            return status;
        }));
    });
}

template py::tuple Asked<2>::measured_neighbours(const Around&, bool, bool);
template py::tuple Asked<3>::measured_neighbours(const Around&, bool, bool);
template py::object Asked<2>::reduce(const Keywords&, py::handle);
template py::object Asked<3>::reduce(const Keywords&, py::handle);
template void Asked<2>::visit_neighbours(const Around&, py::handle, py::handle);
template void Asked<3>::visit_neighbours(const Around&, py::handle, py::handle);

} // namespace throng::python
