// Many questions at once on any executor must have the answers of single calls.
#include "../support/random.hpp"
#include "../support/scenes/scenes.hpp"
#include "../support/threads/executors.hpp"
#include "fuzz.hpp"

#include <throng/parallel/batch/batch.hpp>
#include <throng/parallel/executors/thread_pool.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace throng::fuzz {
namespace {

using Ids = std::vector<Id>;
using IdPairs = std::vector<std::pair<Id, Id>>;

constexpr std::size_t kMostCalls = 6;
constexpr std::size_t kMostQuestions = 20;

/// Agents on a lattice or anywhere; with `giants` a few of them may be giants.
template <std::size_t Dim>
scenes::Scene<Dim> crowd_of(Input& input, std::size_t most, bool giants) {
    scenes::Scene<Dim> scene;
    // Large crowds, which need several blocks, are rare, because they take longer.
    const std::size_t count = input.below(64) == 0 ? input.below(1500) : input.below(40);
    const bool masks = input.flip(), lattice = input.flip(), own = giants && input.flip();
    scenes::Random random(input.raw<std::uint16_t>());
    scene.common_half_extent = Point<Dim>::all(lattice ? 0.5f : 0.3f);
    for (std::size_t i = 0; i < std::min(count, most); ++i) {
        Point<Dim> at, half;
        for (std::size_t a = 0; a < Dim; ++a) {
            const float x = random.between(-2.0f, 26.0f);
            at[a] = lattice ? static_cast<float>(static_cast<int>(x)) : x;
            half[a] = random.below(20) == 0 ? random.between(0.0f, 6.0f) : 0.25f;
        }
        own ? scene.add(at, half) : scene.add(at);
        if (masks) { scene.groups.push_back(random.below(16)); }
    }
    return scene;
}

/// An index and its batch. The last arguments of the index's calls, `sets`, are the sets, or
/// nothing.
template <std::size_t Dim, class Index, class Batched>
class Batches {
    static constexpr bool kIsCrowd = std::is_same_v<Index, Crowd<Dim>>;

public:
    Batches(Input& input, const Index& index, const scenes::Scene<Dim>& scene, Executor& executor)
        : input_(input), index_(index), scene_(scene), batch_(executor) {}

    void run() {
        for (std::size_t c = 0; c < kMostCalls && !input_.empty(); ++c) {
            if constexpr (kIsCrowd) {
                static constexpr Sets kSets[] = {Sets::all,     Sets::small,  Sets::giants,
                                                 Sets::statics, Sets::agents, Sets::none};
                call(input_.any_of(kSets));
            } else {
                call();
            }
        }
    }

private:
    template <class... Which>
    void call(Which... sets) {
        switch (input_.below(5)) {
        case 0:
            return check_neighbours(sets...);
        case 1:
            return check_nearest(sets...);
        case 2:
            return check_nearest_neighbours(sets...);
        case 3:
            return check_pairs();
        default:
            return input_.with_sane_shape<Dim>(
                [&](const auto& shape) { check_questions(shape, sets...); });
        }
    }

    [[nodiscard]] Id bound() const noexcept {
        return static_cast<Id>(std::max<std::size_t>(scene_.size(), 1));
    }
    /// Room for no answer, for some of `total` answers, or for more than all.
    [[nodiscard]] std::size_t room_for(std::uint64_t total) {
        return std::min<std::size_t>(input_.below(0x1'0000), total + 3);
    }

    /// The same question at other places; some of these are invalid.
    template <class Shape, class... Which>
    void check_questions(const Shape& first, Which... sets) {
        std::vector<Shape> shapes{first};
        for (std::size_t left = input_.below(kMostQuestions); left > 0; --left) {
            Shape next = first;
            shift(next, input_.coordinate());
            shapes.push_back(next);
        }
        std::vector<Filter> each;
        for (std::size_t q = 0; q < shapes.size(); ++q) {
            each.push_back(input_.filter(bound()));
        }
        const bool alike = input_.flip();
        if (alike) { std::fill(each.begin(), each.end(), each[0]); }
        const Filters filters = alike ? Filters(each[0]) : Filters(each);

        Status status;
        std::vector<Ids> wanted;
        for (std::size_t q = 0; q < shapes.size() && status.ok(); ++q) {
            wanted.emplace_back(index_.count(shapes[q], each[q], sets...).count);
            status = index_.query(shapes[q], wanted.back(), each[q], sets...).status;
            status.index = q;
        }
        const Status got = batch_.query({index_, sets...}, shapes, hits_, filters);
        if (!status.ok()) {
            ASSERT_EQ(got, status);
            ASSERT_EQ(hits_.total(), 0u);
            return;
        }
        ASSERT_EQ(got, Status{});
        check_hits(wanted);
        check_buffer(wanted, [&](const HitsOutput& out) {
            return batch_.query({index_, sets...}, shapes, out, filters);
        });

        std::vector<std::uint32_t> counts(shapes.size());
        std::size_t sum = 0, some = 0;
        for (const Ids& ids : wanted) {
            sum += ids.size();
            some += ids.empty() ? 0 : 1;
        }
        ASSERT_EQ(batch_.count({index_, sets...}, shapes, counts, filters).count, sum);
        for (std::size_t q = 0; q < shapes.size(); ++q) {
            ASSERT_EQ(counts[q], wanted[q].size()) << "question " << q;
        }
        ASSERT_EQ(batch_.any({index_, sets...}, shapes, counts, filters).count, some);
        for (std::size_t q = 0; q < shapes.size(); ++q) {
            ASSERT_EQ(counts[q], wanted[q].empty() ? 0u : 1u) << "question " << q;
        }
        if constexpr (PathIn<Shape, Dim>) {
            std::vector<PathHit> path_hits(shapes.size());
            ASSERT_EQ(batch_.first({index_, sets...}, shapes, path_hits, filters).count, some);
            for (std::size_t q = 0; q < shapes.size(); ++q) {
                PathHit hit;
                (void)index_.first(shapes[q], hit, each[q], sets...);
                if (!wanted[q].empty()) { ASSERT_EQ(path_hits[q], hit) << "question " << q; }
                ASSERT_EQ(path_hits[q].id == kNoId, wanted[q].empty()) << "question " << q;
            }
        }
    }

    /// Moves a shape by its first number; what kind of number that is does not matter.
    template <class Shape>
    static void shift(Shape& shape, float by) {
        float first;
        std::memcpy(&first, &shape, sizeof first);
        first += by;
        std::memcpy(static_cast<void*>(&shape), &first, sizeof first);
    }

    template <class... Which>
    void check_neighbours(Which... sets) {
        const Neighbourhood near = {input_.length(), input_.flip(), input_.filter(1).groups,
                                    input_.flip()};
        const Order order = input_.flip() ? Order::ids : Order::storage;
        // The places of askers in storage order: to search all askers for each neighbour would be
        // slow.
        std::unordered_map<Id, std::size_t> ranks;
        for (const Id id : askers(Order::storage)) {
            ranks.emplace(id, ranks.size());
        }
        std::vector<Ids> wanted;
        for (const Id id : askers(order)) {
            Ids& ids = wanted.emplace_back();
            if (id == kNoId) { continue; }
            const Ball<Dim> ball{scene_.position_of(id), near.radius};
            const Filter filter{near.groups, near.with_self ? kNoId : id};
            ids.resize(index_.count(ball, filter, sets...).count);
            (void)index_.query(ball, ids, filter, sets...);
            if (near.later_only) {
                const std::size_t self = ranks.at(id);
                std::erase_if(ids, [&](Id other) {
                    const auto rank = ranks.find(other);
                    return rank != ranks.end() && rank->second < self;
                });
            }
        }
        ASSERT_EQ(batch_.neighbours({index_, sets...}, near, hits_, order), Status{});
        check_hits(wanted);
        check_buffer(wanted, [&](const HitsOutput& out) {
            return batch_.neighbours({index_, sets...}, near, out, order);
        });
        std::vector<std::uint32_t> counts(wanted.size());
        ASSERT_EQ(batch_.count_neighbours({index_, sets...}, near, counts, order).count,
                  hits_.total());
        for (std::size_t q = 0; q < wanted.size(); ++q) {
            ASSERT_EQ(counts[q], wanted[q].size()) << "answer " << q;
        }
    }

    [[nodiscard]] Ids askers(Order order) const {
        Ids ids(order == Order::storage ? index_.size() : index_.id_bound(), kNoId);
        if (order == Order::storage) {
            (void)index_.order(ids);
        } else {
            for (Id id = 0; id < ids.size(); ++id) {
                if (index_.contains(id)) { ids[id] = id; }
            }
        }
        return ids;
    }

    /// Sorts giants and statics: neighbour searches may find them in another order than a single
    /// question.
    static Ids settled(std::span<const Id> answer, const Index& index) {
        Ids ids(answer.begin(), answer.end());
        if constexpr (kIsCrowd) {
            const auto large = std::find_if(ids.begin(), ids.end(), [&](Id id) {
                return is_static(id) || index.contains(id, Sets::giants);
            });
            std::sort(large, ids.end());
        }
        return ids;
    }
    void check_hits(const std::vector<Ids>& wanted) {
        ASSERT_EQ(hits_.offsets.size(), wanted.size() + 1);
        for (std::size_t q = 0; q < wanted.size(); ++q) {
            ASSERT_EQ(settled(hits_.of(q), index_), settled(wanted[q], index_)) << "answer " << q;
        }
    }
    /// Arrays that are too short hold the first ids of `hits_`.
    template <class Ask>
    void check_buffer(const std::vector<Ids>& wanted, const Ask& ask) {
        const auto total = static_cast<std::size_t>(hits_.total());
        const std::size_t room = room_for(total);
        std::vector<std::uint64_t> offsets(wanted.size() + 1);
        Ids ids(room);
        const Found found = ask(HitsOutput{offsets, ids});
        ASSERT_EQ(found.status, Status{});
        ASSERT_EQ(found.count, total);
        ASSERT_EQ(offsets, hits_.offsets);
        ids.resize(std::min(room, total));
        ASSERT_EQ(ids, Ids(hits_.ids.begin(),
                           hits_.ids.begin() + static_cast<std::ptrdiff_t>(ids.size())));
    }

    template <class... Which>
    void check_nearest(Which... sets) {
        const Nearest nearest = {input_.below(9), input_.length()};
        const Filter filter = input_.filter(bound());
        std::vector<Point<Dim>> points(input_.below(kMostQuestions));
        for (Point<Dim>& point : points) {
            point = input_.point<Dim>();
        }
        const Status status = batch_.nearest({index_, sets...}, std::span<const Point<Dim>>(points),
                                             nearest, near_hits_, filter);
        check_near(status, points.size(), nearest.k, [&](std::size_t q, std::span<Near> out) {
            return index_.nearest(points[q], nearest, out, filter, sets...);
        });
    }

    template <class... Which>
    void check_nearest_neighbours(Which... sets) {
        const NearestNeighbours nearest = {input_.below(9), input_.length(), input_.flip(),
                                           input_.filter(1).groups};
        const Order order = input_.flip() ? Order::ids : Order::storage;
        const Ids ids = askers(order);
        const Status status =
            batch_.nearest_neighbours({index_, sets...}, nearest, near_hits_, order);
        check_near(status, ids.size(), nearest.k, [&](std::size_t q, std::span<Near> out) {
            if (ids[q] == kNoId) { return Found{}; }
            return index_.nearest(scene_.position_of(ids[q]), {nearest.k, nearest.radius}, out,
                                  {nearest.groups, nearest.with_self ? kNoId : ids[q]}, sets...);
        });
    }

    template <class Ask>
    void check_near(const Status& status, std::size_t questions, std::size_t k, const Ask& ask) {
        ASSERT_EQ(status, Status{});
        ASSERT_EQ(near_hits_.counts.size(), questions);
        std::vector<Near> wanted(k);
        for (std::size_t q = 0; q < questions; ++q) {
            const Found found = ask(q, wanted);
            ASSERT_EQ(found.status, Status{});
            const auto got = near_hits_.of(q);
            ASSERT_TRUE(std::equal(got.begin(), got.end(), wanted.begin(),
                                   wanted.begin() + static_cast<std::ptrdiff_t>(found.count)))
                << "answer " << q;
        }
    }

    // A crowd's calls take PairSets, a grid's calls do not.
    Found visit_pairs(PairSets sets, IndexPairVisitor visitor, std::uint32_t groups) const {
        if constexpr (kIsCrowd) {
            return index_.visit_pairs(sets, visitor, groups);
        } else {
            return index_.visit_pairs(visitor, groups);
        }
    }
    template <class Out>
    auto find_pairs(PairSets sets, Out&& out, std::uint32_t groups) {
        if constexpr (kIsCrowd) {
            return batch_.pairs({index_, sets}, out, groups);
        } else {
            return batch_.pairs(index_, out, groups);
        }
    }
    Found count_pairs(PairSets sets, std::uint32_t groups) {
        if constexpr (kIsCrowd) {
            return batch_.count_pairs({index_, sets}, groups);
        } else {
            return batch_.count_pairs(index_, groups);
        }
    }

    void check_pairs() {
        const auto sets = static_cast<PairSets>(input_.below(32));
        const std::uint32_t groups = input_.filter(1).groups;
        IdPairs wanted, got;
        (void)visit_pairs(
            sets,
            [&](std::span<const Id> first, std::span<const Id> second) {
                for (std::size_t i = 0; i < first.size(); ++i) {
                    wanted.push_back(std::minmax(first[i], second[i]));
                }
                return true;
            },
            groups);
        ASSERT_EQ(find_pairs(sets, pairs_, groups), Status{});
        ASSERT_EQ(pairs_.count, wanted.size());
        for (std::size_t p = 0; p < pairs_.count; ++p) {
            got.push_back(std::minmax(pairs_.first[p], pairs_.second[p]));
        }
        std::sort(wanted.begin(), wanted.end());
        std::sort(got.begin(), got.end());
        ASSERT_EQ(got, wanted);
        ASSERT_EQ(count_pairs(sets, groups).count, wanted.size());

        const std::size_t room = room_for(pairs_.count);
        Ids first(room), second(room + input_.below(3));
        const Found found = find_pairs(sets, PairsOutput{first, second}, groups);
        ASSERT_EQ(found.status, Status{});
        ASSERT_EQ(found.count, pairs_.count);
        for (std::size_t p = 0; p < std::min<std::size_t>(room, pairs_.count); ++p) {
            ASSERT_EQ(first[p], pairs_.first[p]) << "pair " << p;
            ASSERT_EQ(second[p], pairs_.second[p]) << "pair " << p;
        }
    }

    Input& input_;
    const Index& index_;
    const scenes::Scene<Dim>& scene_;
    Batched batch_;
    Hits hits_;
    NearHits near_hits_;
    Pairs pairs_;
};

/// A loop that fails is reported, and the next call works.
template <std::size_t Dim>
void check_fault(Input& input, const Crowd<Dim>& crowd) {
    static constexpr test::Fault kFaults[] = {
        test::Fault::drop,    test::Fault::repeat,       test::Fault::repeat_for_drop,
        test::Fault::nothing, test::Fault::throw_before, test::Fault::throw_after};
    const test::Fault fault = input.any_of(kFaults);
    test::FaultyExecutor faulty(fault, input.below(6), input.raw<std::uint8_t>());
    Batch<Dim> wrong(faulty), right;
    const Neighbourhood near = {input.length(), input.flip(), kAllGroups};
    Hits wanted, got;
    ASSERT_EQ(right.neighbours(crowd, near, wanted), Status{});
    Status status;
    bool threw = false;
    try {
        status = wrong.neighbours(crowd, near, got);
    } catch (const test::ExecutorError&) { threw = true; }
    if (threw || !status.ok()) {
        ASSERT_TRUE(faulty.failed());
        ASSERT_TRUE(threw || status.cause == Cause::executor_failed);
        ASSERT_EQ(got.total(), 0u);
        ASSERT_EQ(wrong.neighbours(crowd, near, got), Status{});
    } else {
        // A repeated block runs once, so its result is right.
        ASSERT_TRUE(!faulty.failed() || fault == test::Fault::repeat);
    }
    ASSERT_EQ(got.offsets, wanted.offsets);
    for (std::size_t q = 0; q + 1 < wanted.offsets.size(); ++q) {
        const auto g = got.of(q), w = wanted.of(q);
        ASSERT_TRUE(std::equal(g.begin(), g.end(), w.begin(), w.end())) << "answer " << q;
    }
}

template <std::size_t Dim>
void ask(Input& input) {
    static ThreadPool pool(2);
    test::ShuffleExecutor shuffled(input.raw<std::uint8_t>());
    Executor* const executors[] = {&serial_executor(), &shuffled, &pool};
    Executor& executor = *input.any_of(executors);

    const bool is_crowd = input.below(4) != 0;
    auto scene = crowd_of<Dim>(input, 1500, is_crowd);
    const Box<Dim> world{Point<Dim>::all(0.0f), Point<Dim>::all(24.0f)};
    const Point<Dim> cell = Point<Dim>::all(input.flip() ? 1.0f : 3.0f);
    if (!is_crowd) {
        RowGrid<Dim> grid;
        ASSERT_EQ(grid.configure(world, cell), Status{});
        ASSERT_EQ(grid.update(scene.agents(), executor), Status{});
        Batches<Dim, RowGrid<Dim>, Batch<Dim>>(input, grid, scene, executor).run();
        return;
    }
    Crowd<Dim> crowd;
    CrowdSettings<Dim> settings;
    settings.bounds = world;
    settings.cell = cell;
    auto standing = crowd_of<Dim>(input, 40, true);
    ASSERT_EQ(crowd.configure(settings), Status{});
    ASSERT_EQ(crowd.update(scene.agents(), executor), Status{});
    ASSERT_EQ(crowd.set_statics(standing.agents(), executor), Status{});
    if (input.below(8) == 0) { check_fault(input, crowd); }
    Batches<Dim, Crowd<Dim>, Batch<Dim>>(input, crowd, scene, executor).run();
}

} // namespace

void run(Input& input) { input.flip() ? ask<3>(input) : ask<2>(input); }

} // namespace throng::fuzz
