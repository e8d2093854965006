// Who is near whom in a crowd, and who is nearest.
#include "crowd_batch.hpp"

#include "../engine/crowd_small.hpp"
#include "batch_asking_nearest.hpp"
#include "crowd_batch_state.hpp"

#include <memory>
#include <vector>

namespace throng {

namespace {

/// So many giants are a block: each of them asks alone, and may have many neighbours.
constexpr std::size_t kGiants = 64;

} // namespace

/// All agents of a crowd as they ask, a block at a time: the slices of the grid, then giants by id.
template <std::size_t Dim>
template <class Source>
struct CrowdBatch<Dim>::Everyone {
    using BatchState = typename Batch<Dim>::State;

    Source source;
    const Crowd<Dim>& crowd;
    std::span<const Id> giants; ///< in ascending order

    Everyone(const Source& asked, std::vector<Id>& giants_of_crowd)
        : source(asked), crowd(asked.crowd) {
        giants_of_crowd.resize(crowd.state_->giants.size());
        (void)crowd.state_->giants.names(giants_of_crowd);
        giants = giants_of_crowd;
    }

    [[nodiscard]] std::size_t blocks() const noexcept {
        return slices() + (giants.size() + kGiants - 1) / kGiants;
    }
    [[nodiscard]] std::size_t size() const noexcept { return crowd.state_->size(); }
    [[nodiscard]] std::size_t answers(Order order) const noexcept {
        return order == Order::storage ? size() : crowd.id_bound();
    }
    void count_before(std::vector<std::uint64_t>& before) const {
        BatchState::count_before(grid(), before);
        for (std::size_t block = slices(); block < blocks(); ++block) {
            before.push_back(before.back() + giants_of(block).size());
        }
    }
    void note_askers(std::size_t block, JoinedPart& part) const {
        if (block < slices()) { return BatchState::note_askers(grid(), block, part); }
        const std::span<const Id> ids = giants_of(block);
        part.askers.assign(ids.begin(), ids.end());
    }

    Found neighbours(const Neighbourhood& neighbourhood, std::size_t block, JoinedPart& part,
                     const HitsBuffer& out) const {
        const auto around = note_balls(neighbourhood.radius, block, part);
        if constexpr (kTogether) {
            if (block < slices()) {
                return source.neighbours(neighbourhood, block, around, part, out);
            }
        }
        if (around.empty()) { return {}; }
        return one_by_one().query(
            around, part, out,
            filters_for(neighbourhood.with_self, neighbourhood.groups, block, part));
    }
    Found count_neighbours(const Neighbourhood& neighbourhood, std::size_t block, JoinedPart& part,
                           std::span<std::uint32_t> counts) const {
        const auto around = note_balls(neighbourhood.radius, block, part);
        if constexpr (kTogether) {
            if (block < slices()) {
                return source.count_neighbours(neighbourhood, block, around, part, counts);
            }
        }
        return one_by_one().count(
            around, part, counts,
            filters_for(neighbourhood.with_self, neighbourhood.groups, block, part));
    }
    Found nearest_neighbours(const NearestNeighbours& nearest, std::size_t block, JoinedPart& part,
                             const NearBuffer& out) const {
        const auto places = note_places(block, part);
        if constexpr (kTogether) {
            if (block < slices()) {
                return source.nearest_neighbours(nearest, block, places, part, out);
            }
        }
        return one_by_one().nearest(places, {nearest.k, nearest.radius}, part, out,
                                    filters_for(nearest.with_self, nearest.groups, block, part));
    }

private:
    static constexpr bool kTogether = std::is_same_v<Source, Together>;

    [[nodiscard]] const RowGrid<Dim>& grid() const noexcept { return crowd.state_->grid; }
    [[nodiscard]] std::size_t slices() const noexcept { return grid().slices(); }
    [[nodiscard]] OneByOne one_by_one() const noexcept { return {crowd, source.sets}; }
    [[nodiscard]] std::span<const Id> giants_of(std::size_t block) const noexcept {
        const std::size_t begin = (block - slices()) * kGiants;
        return giants.subspan(begin, std::min(kGiants, giants.size() - begin));
    }

    /// Calls visit(id, position) for those who ask in a block.
    template <class Visit>
    void for_each_asker(std::size_t block, const Visit& visit) const {
        if (block >= slices()) {
            for (const Id giant : giants_of(block)) {
                visit(giant, crowd.state_->giants.agent(giant).position);
            }
            return;
        }
        crowd.state_->for_each_small(block, block + 1, [&](const SmallAgent<Dim>& agent) {
            visit(agent.id, agent.position);
        });
    }
    [[nodiscard]] std::size_t askers_in(std::size_t block) const noexcept {
        return block < slices() ? grid().agents_in(block, block + 1) : giants_of(block).size();
    }

    /// What they ask, in the part's own memory.
    template <class Question, class Make>
    std::span<const Question> note_questions(std::size_t block, JoinedPart& part,
                                             const Make& make) const {
        const std::size_t askers = askers_in(block);
        part.queries.resize(askers * sizeof(Question));
        // Allocated with new, hence aligned for any question.
        auto* const questions = reinterpret_cast<Question*>(part.queries.data());
        auto* next = questions;
        for_each_asker(block,
                       [&](Id, const Point<Dim>& at) { std::construct_at(next++, make(at)); });
        return {questions, askers};
    }
    std::span<const Ball<Dim>> note_balls(float radius, std::size_t block, JoinedPart& part) const {
        return note_questions<Ball<Dim>>(block, part, [radius](const Point<Dim>& at) {
            return Ball<Dim>{at, radius};
        });
    }
    std::span<const Point<Dim>> note_places(std::size_t block, JoinedPart& part) const {
        return note_questions<Point<Dim>>(block, part, [](const Point<Dim>& at) { return at; });
    }
    /// Whom they leave out.
    Filters filters_for(bool with_self, std::uint32_t groups, std::size_t block,
                        JoinedPart& part) const {
        if (with_self) { return Filter{groups}; }
        part.filters.clear();
        for_each_asker(block, [&](Id id, const Point<Dim>&) {
            part.filters.push_back({groups, id});
        });
        return FilterEach(part.filters);
    }
};

/// Everyone's neighbours, laid end to end.
template <std::size_t Dim>
template <class Source>
struct CrowdBatch<Dim>::Neighbours {
    using BatchState = typename Batch<Dim>::State;

    BatchState& state;
    typename BatchState::Asking asking;
    Everyone<Source> everyone;
    Neighbourhood neighbourhood;
    Order order;

    Neighbours(const char* name, BatchState& of_batch, const Source& source,
               const Neighbourhood& asked, Order wanted)
        : state(of_batch), asking(name, state, source.crowd.grid()), everyone(source, state.order),
          neighbourhood(asked), order(wanted) {}

    [[nodiscard]] Status refused() const noexcept {
        const Status status = check_shape(Ball<Dim>{{}, neighbourhood.radius});
        return status.ok() ? status : Status{status.cause, Argument::radius};
    }
    [[nodiscard]] std::size_t answers() const noexcept { return everyone.answers(order); }

    Found list(HitsOutput& out) const {
        if (const Status status = refused(); !status.ok()) { return {0, status}; }
        return BatchState::refusable([&] {
            const auto answer = [&](std::size_t block, JoinedPart& part, const HitsBuffer& buffer) {
                return BatchState::checked(everyone.neighbours(neighbourhood, block, part, buffer));
            };
            if (order == Order::ids) {
                const auto prepare = [&](std::size_t block, JoinedPart& part) {
                    everyone.note_askers(block, part);
                };
                return state.join_scattered(everyone.blocks(), prepare, answer, out);
            }
            everyone.count_before(state.before);
            const auto questions = [&](std::size_t block) {
                return std::pair(state.before[block],
                                 state.before[block + 1] - state.before[block]);
            };
            return state.join(everyone.blocks(), answer, questions, out);
        });
    }
    Status list(Hits& hits) const {
        return fill_hits(hits, answers(), [&](HitsOutput& out) { return list(out).status; });
    }
    Found list(const HitsBuffer& buffer) const {
        if (answers() == 0 && buffer.offsets.empty()) { return {}; }
        if (buffer.offsets.size() <= answers()) { return {0, {Cause::no_room, Argument::offsets}}; }
        HitsOutput out = {buffer.offsets.first(answers() + 1), buffer.ids};
        return list(out);
    }

    Found count(std::span<std::uint32_t> counts) const {
        if (const Status status = refused(); !status.ok()) { return {0, status}; }
        if (counts.size() < answers()) { return {0, {Cause::no_room, Argument::counts}}; }
        if (order == Order::storage) {
            everyone.count_before(state.before);
        } else {
            std::fill_n(counts.data(), answers(), 0u); // ids that nobody has
        }
        return BatchState::refusable([&] {
            return state.add_up(everyone.blocks(), [&](std::size_t block, JoinedPart& part) {
                if (order == Order::storage) {
                    const std::uint64_t first = state.before[block];
                    return BatchState::checked(everyone.count_neighbours(
                        neighbourhood, block, part,
                        counts.subspan(first, state.before[block + 1] - first)));
                }
                everyone.note_askers(block, part);
                part.counts.resize(part.askers.size());
                const std::uint64_t sum = BatchState::checked(
                    everyone.count_neighbours(neighbourhood, block, part, part.counts));
                for (std::size_t i = 0; i < part.askers.size(); ++i) {
                    counts[part.askers[i]] = part.counts[i];
                }
                return sum;
            });
        });
    }
};

template <std::size_t Dim>
Status CrowdBatch<Dim>::neighbours(const Crowd<Dim>& crowd, const Neighbourhood& neighbourhood,
                                   Hits& hits, Order order, Sets sets) {
    const Phase::Reading reading(crowd.state_->phase);
    if (Asked::agents_alone(crowd, sets)) {
        return batch_.neighbours(crowd.grid(), neighbourhood, hits, order);
    }
    return Asked::with_source(crowd, sets, [&]<class Source>(const Source& source) {
        return Neighbours<Source>("CrowdBatch::neighbours", *batch_.state_, source, neighbourhood,
                                  order)
            .list(hits);
    });
}
template <std::size_t Dim>
Found CrowdBatch<Dim>::neighbours(const Crowd<Dim>& crowd, const Neighbourhood& neighbourhood,
                                  const HitsBuffer& out, Order order, Sets sets) {
    const Phase::Reading reading(crowd.state_->phase);
    if (Asked::agents_alone(crowd, sets)) {
        return batch_.neighbours(crowd.grid(), neighbourhood, out, order);
    }
    return Asked::with_source(crowd, sets, [&]<class Source>(const Source& source) {
        return Neighbours<Source>("CrowdBatch::neighbours", *batch_.state_, source, neighbourhood,
                                  order)
            .list(out);
    });
}
template <std::size_t Dim>
Found CrowdBatch<Dim>::count_neighbours(const Crowd<Dim>& crowd, const Neighbourhood& neighbourhood,
                                        std::span<std::uint32_t> counts, Order order, Sets sets) {
    const Phase::Reading reading(crowd.state_->phase);
    if (Asked::agents_alone(crowd, sets)) {
        return batch_.count_neighbours(crowd.grid(), neighbourhood, counts, order);
    }
    return Asked::with_source(crowd, sets, [&]<class Source>(const Source& source) {
        return Neighbours<Source>("CrowdBatch::count_neighbours", *batch_.state_, source,
                                  neighbourhood, order)
            .count(counts);
    });
}

template <std::size_t Dim>
Status CrowdBatch<Dim>::nearest(const Crowd<Dim>& crowd, std::span<const Point<Dim>> points,
                                const Nearest& nearest, NearHits& hits, const Filter& filter,
                                Sets sets) {
    const Phase::Reading reading(crowd.state_->phase);
    if (Asked::grid_alone(crowd, sets)) {
        return batch_.nearest(crowd.grid(), points, nearest, hits, filter);
    }
    return Asked::with_source(crowd, sets, [&]<class Source>(const Source& source) {
        const AskingNearest<Source> all{{"CrowdBatch::nearest", *batch_.state_, crowd.grid()},
                                        source};
        return NearPlaces::fill(hits, nearest.k, points.size(), [&](const NearBuffer& out) {
            return all.points(points, nearest, out, filter);
        });
    });
}
template <std::size_t Dim>
Found CrowdBatch<Dim>::nearest(const Crowd<Dim>& crowd, std::span<const Point<Dim>> points,
                               const Nearest& nearest, const NearBuffer& out, const Filter& filter,
                               Sets sets) {
    const Phase::Reading reading(crowd.state_->phase);
    if (Asked::grid_alone(crowd, sets)) {
        return batch_.nearest(crowd.grid(), points, nearest, out, filter);
    }
    return Asked::with_source(crowd, sets, [&]<class Source>(const Source& source) {
        return AskingNearest<Source>{{"CrowdBatch::nearest", *batch_.state_, crowd.grid()}, source}
            .points(points, nearest, out, filter);
    });
}
template <std::size_t Dim>
Status CrowdBatch<Dim>::nearest_neighbours(const Crowd<Dim>& crowd,
                                           const NearestNeighbours& nearest, NearHits& hits,
                                           Order order, Sets sets) {
    const Phase::Reading reading(crowd.state_->phase);
    if (Asked::agents_alone(crowd, sets)) {
        return batch_.nearest_neighbours(crowd.grid(), nearest, hits, order);
    }
    return Asked::with_source(crowd, sets, [&]<class Source>(const Source& source) {
        typename Batch<Dim>::State& state = *batch_.state_;
        const AskingNearest<Everyone<Source>> all{
            {"CrowdBatch::nearest_neighbours", state, crowd.grid()}, {source, state.order}};
        return NearPlaces::fill(
            hits, nearest.k, all.source.answers(order),
            [&](const NearBuffer& out) { return all.everyone(nearest, out, order); });
    });
}
template <std::size_t Dim>
Found CrowdBatch<Dim>::nearest_neighbours(const Crowd<Dim>& crowd, const NearestNeighbours& nearest,
                                          const NearBuffer& out, Order order, Sets sets) {
    const Phase::Reading reading(crowd.state_->phase);
    if (Asked::agents_alone(crowd, sets)) {
        return batch_.nearest_neighbours(crowd.grid(), nearest, out, order);
    }
    return Asked::with_source(crowd, sets, [&]<class Source>(const Source& source) {
        typename Batch<Dim>::State& state = *batch_.state_;
        const AskingNearest<Everyone<Source>> all{
            {"CrowdBatch::nearest_neighbours", state, crowd.grid()}, {source, state.order}};
        return all.everyone(nearest, out, order);
    });
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Status CrowdBatch<Dim>::neighbours(const Crowd<Dim>&, const Neighbourhood&, Hits&,    \
                                                Order, Sets);                                      \
    template Found CrowdBatch<Dim>::neighbours(const Crowd<Dim>&, const Neighbourhood&,            \
                                               const HitsBuffer&, Order, Sets);                    \
    template Found CrowdBatch<Dim>::count_neighbours(const Crowd<Dim>&, const Neighbourhood&,      \
                                                     std::span<std::uint32_t>, Order, Sets);       \
    template Status CrowdBatch<Dim>::nearest(const Crowd<Dim>&, std::span<const Point<Dim>>,       \
                                             const Nearest&, NearHits&, const Filter&, Sets);      \
    template Found CrowdBatch<Dim>::nearest(const Crowd<Dim>&, std::span<const Point<Dim>>,        \
                                            const Nearest&, const NearBuffer&, const Filter&,      \
                                            Sets);                                                 \
    template Status CrowdBatch<Dim>::nearest_neighbours(                                           \
        const Crowd<Dim>&, const NearestNeighbours&, NearHits&, Order, Sets);                      \
    template Found CrowdBatch<Dim>::nearest_neighbours(                                            \
        const Crowd<Dim>&, const NearestNeighbours&, const NearBuffer&, Order, Sets);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
