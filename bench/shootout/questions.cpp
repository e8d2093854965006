#include "questions.hpp"

#include "subject.hpp"

#include "../../tests/support/random.hpp"

#include <throng/engine/shapes/ray_test.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace throng::shootout {

namespace {

constexpr std::size_t kSegments = 5'000;
constexpr std::size_t kLarge = 200;
constexpr std::size_t kSwept = 2'000;
/// Large boxes have about this many hits, or a tenth of the crowd.
constexpr std::size_t kLargeHits = 10'000;

/// Each check tests every agent, so only as many answers are checked as make about this many tests,
/// for each kind of question.
constexpr std::size_t kLookedAt = 20'000'000;

/// Sizes that give six to fourteen hits with one small agent for each unit.
template <std::size_t Dim>
constexpr float kBoxHalf = Dim == 2 ? 1.0f : 0.75f;
template <std::size_t Dim>
constexpr float kBallRadius = Dim == 2 ? 2.0f : 1.5f;

std::uint64_t sum_of(const Hits& hits) {
    std::uint64_t sum = 0;
    for (std::size_t q = 0; q + 1 < hits.offsets.size(); ++q) {
        for (const Id id : hits.of(q)) {
            sum += ((std::uint64_t{id} + 1) * 0x9E37'79B9'7F4A'7C15u >> 7) * (2 * q + 1);
        }
    }
    return sum;
}

/// All agents, or at most `most`: then in runs of a thousand from all parts of the array, so that
/// consecutive askers are neighbours as in the whole array.
std::vector<Id> in_runs(const std::vector<Id>& order, std::size_t most) {
    if (order.size() <= most) { return order; }
    const std::size_t run_length = std::min<std::size_t>(most, 1000);
    const std::size_t runs = most / run_length;
    std::vector<Id> some;
    for (std::size_t run = 0; run < runs; ++run) {
        const auto begin = order.begin() + static_cast<std::ptrdiff_t>(order.size() / runs * run);
        some.insert(some.end(), begin, begin + static_cast<std::ptrdiff_t>(run_length));
    }
    return some;
}

std::vector<Id> anywhere(std::size_t agents, std::size_t most) {
    std::vector<Id> ids(agents);
    std::iota(ids.begin(), ids.end(), 0u);
    scenes::Random random(17);
    const std::size_t wanted = std::min(agents, most);
    for (std::size_t i = 0; i < wanted; ++i) {
        std::swap(ids[i], ids[i + random.below(static_cast<std::uint32_t>(agents - i))]);
    }
    ids.resize(wanted);
    return ids;
}

template <class Shape, std::size_t Dim>
bool finds(const Shape& shape, const Point<Dim>& position, const Point<Dim>& half) {
    if constexpr (std::same_as<Shape, Box<Dim>>) {
        return overlaps(shape, position, half);
    } else if constexpr (std::same_as<Shape, Ball<Dim>>) {
        return contains(shape, position);
    } else {
        return meets(detail::ray_test(shape), position, half);
    }
}

/// The half extent for which boxes around these centres have about `hits` hits on average.
template <std::size_t Dim>
float half_for(std::size_t hits, std::span<const Point<Dim>> centres, const Crowd<Dim>& crowd,
               float largest) {
    float low = 0.0f;
    float high = largest;
    for (int step = 0; step < 24; ++step) {
        const float half = 0.5f * (low + high);
        std::size_t found = 0;
        for (const Point<Dim>& centre : centres) {
            found += crowd.count(Box<Dim>::around(centre, Point<Dim>::all(half))).count;
        }
        (found > hits * centres.size() ? high : low) = half;
    }
    return high;
}

} // namespace

template <std::size_t Dim>
Questions<Dim>::Questions(const Walkers<Dim>& walkers, const Crowd<Dim>& crowd, std::size_t most,
                          bool with_sweep)
    : walkers_(walkers) {
    std::vector<Id> order(walkers.size());
    (void)crowd.order(order);
    const std::vector<Id> askers = in_runs(order, most);
    const std::vector<Id> random = anywhere(walkers.size(), most);
    const auto box = [&](Id id, float half) {
        return Box<Dim>::around(walkers.position_of(id), Point<Dim>::all(half));
    };
    for (const Id id : askers) {
        boxes.questions.push_back(box(id, kBoxHalf<Dim>));
        balls.questions.push_back({walkers.position_of(id), kBallRadius<Dim>});
        points.questions.push_back(walkers.position_of(id));
    }
    for (const Id id : random) {
        shuffled.questions.push_back(box(id, kBoxHalf<Dim>));
    }

    std::vector<Point<Dim>> centres;
    for (std::size_t i = 0; i < std::min(kLarge, random.size()); ++i) {
        centres.push_back(walkers.position_of(random[i]));
    }
    const float side = walkers.world().hi[0] - walkers.world().lo[0];
    const float half = half_for<Dim>(
        std::min(kLargeHits, walkers.size() / 10),
        std::span(centres).first(std::min<std::size_t>(20, centres.size())), crowd, side);
    for (const Point<Dim>& centre : centres) {
        large.questions.push_back(Box<Dim>::around(centre, Point<Dim>::all(half)));
    }

    // Each begins at an agent, has a quarter of the world's side as its length, and any direction.
    scenes::Random directions(23);
    for (std::size_t i = 0; i < std::min(kSegments, random.size()); ++i) {
        Point<Dim> way;
        double length2 = 0.0;
        for (std::size_t a = 0; a < Dim; ++a) {
            way[a] = directions.between(-1.0f, 1.0f);
            length2 += static_cast<double>(way[a]) * static_cast<double>(way[a]);
        }
        const auto scale = static_cast<float>(0.25 * static_cast<double>(side) /
                                              std::sqrt(std::max(length2, 1e-6)));
        Segment<Dim> segment;
        segment.from = walkers.position_of(random[i]);
        for (std::size_t a = 0; a < Dim; ++a) {
            segment.to[a] = segment.from[a] + way[a] * scale;
        }
        segments.questions.push_back(segment);
    }

    if (with_sweep) {
        for (float reach = 0.25f; reach < side; reach *= 2.0f) {
            SweptBoxes<Dim> swept{reach, {}};
            for (std::size_t i = 0; i < std::min(kSwept, random.size()); ++i) {
                swept.asked.questions.push_back(box(random[i], reach));
            }
            // Fewer boxes if their size gives thousands of hits.
            std::size_t found = 0;
            for (std::size_t i = 0; i < std::min<std::size_t>(20, random.size()); ++i) {
                found += crowd.count(swept.asked.questions[i]).count;
            }
            const std::size_t enough = std::max<std::size_t>(20, 20'000'000 / (found + 1));
            swept.asked.questions.resize(std::min(swept.asked.questions.size(), enough));
            find_truth(swept.asked, crowd);
            sweep.push_back(std::move(swept));
        }
    }
    find_truth(boxes, crowd);
    find_truth(shuffled, crowd);
    find_truth(balls, crowd);
    find_truth(points, crowd);
    find_truth(large, crowd);
    find_truth(segments, crowd);
    PairTally tally(Answers::Purpose::checking);
    (void)crowd.visit_pairs([&](std::span<const Id> first, std::span<const Id> second) {
        tally.take(first, second);
        return true;
    });
    pairs = tally.count();
    pair_sum = tally.sum();
}

template <std::size_t Dim>
template <class Question>
void Questions<Dim>::find_truth(Asked<Question>& asked, const Crowd<Dim>& crowd) {
    Answers answers(Answers::Purpose::checking, walkers_.size());
    for (const Question& question : asked.questions) {
        if constexpr (std::same_as<Question, Point<Dim>>) {
            std::array<Near, kNearest> near;
            const Found found = crowd.nearest(question, {kNearest}, near);
            answers.take(found.count, [&](std::size_t i) { return near[i].id; });
        } else {
            answers.take(crowd.query(question, answers.room()).count);
        }
    }
    look_at_all(asked, answers.kept());
    asked.truth.hits = answers.hits();
    if constexpr (std::same_as<Question, Point<Dim>>) {
        asked.truth.distances = distances(asked.questions, answers.kept());
    } else {
        asked.truth.sum = sum_of(answers.kept());
    }
}

template <std::size_t Dim>
template <class Question>
void Questions<Dim>::look_at_all(const Asked<Question>& asked, const Hits& hits) const {
    const std::size_t count = asked.questions.size();
    const std::size_t samples =
        std::min(count, std::max<std::size_t>(4, kLookedAt / 50 / walkers_.size()));
    for (std::size_t s = 0; s < samples; ++s) {
        const std::size_t q = s * (count / samples);
        std::vector<Id> given(hits.of(q).begin(), hits.of(q).end());
        if constexpr (std::same_as<Question, Point<Dim>>) {
            std::vector<Near> all(walkers_.size());
            for (std::size_t i = 0; i < all.size(); ++i) {
                all[i] = {distance2_between(asked.questions[q], walkers_.position_of(i)),
                          static_cast<Id>(i)};
            }
            const std::size_t k = std::min(kNearest, all.size());
            std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k), all.end(),
                              [](const Near& a, const Near& b) {
                                  return a.distance2 < b.distance2 ||
                                         (a.distance2 == b.distance2 && a.id < b.id);
                              });
            const auto same = [](Id id, const Near& near) { return id == near.id; };
            if (!std::equal(given.begin(), given.end(), all.begin(),
                            all.begin() + static_cast<std::ptrdiff_t>(k), same)) {
                throw std::runtime_error("looking at everyone finds others that are nearer");
            }
        } else {
            std::sort(given.begin(), given.end());
            std::vector<Id> wanted;
            for (std::size_t i = 0; i < walkers_.size(); ++i) {
                if (finds(asked.questions[q], walkers_.position_of(i), walkers_.half_of(i))) {
                    wanted.push_back(static_cast<Id>(i));
                }
            }
            if (given != wanted) { throw std::runtime_error("looking at everyone finds others"); }
        }
    }
}

template <std::size_t Dim>
std::vector<float> Questions<Dim>::distances(std::span<const Point<Dim>> from,
                                             const Hits& hits) const {
    std::vector<float> all(from.size() * kNearest, std::numeric_limits<float>::infinity());
    for (std::size_t q = 0; q < from.size(); ++q) {
        float* const own = all.data() + q * kNearest;
        const std::span<const Id> ids = hits.of(q);
        for (std::size_t i = 0; i < std::min(ids.size(), kNearest); ++i) {
            own[i] = distance2_between(from[q], walkers_.position_of(ids[i]));
        }
        std::sort(own, own + kNearest);
    }
    return all;
}

template <std::size_t Dim>
template <class Question>
bool Questions<Dim>::right(const Asked<Question>& asked, const Answers& answers) const {
    const Truth& truth = asked.truth;
    if (answers.hits() != truth.hits ||
        answers.kept().offsets.size() != asked.questions.size() + 1) {
        return false;
    }
    if constexpr (std::same_as<Question, Point<Dim>>) {
        const std::vector<float> found = distances(asked.questions, answers.kept());
        // A contender that rounds distances differently may choose the other of two nearly equal
        // agents.
        return std::equal(found.begin(), found.end(), truth.distances.begin(),
                          [](float a, float b) { return std::abs(a - b) <= 1e-6f * b; });
    } else {
        return sum_of(answers.kept()) == truth.sum;
    }
}

#define THRONG_SHOOTOUT_QUESTIONS(DIM)                                                             \
    template class Questions<DIM>;                                                                 \
    template bool Questions<DIM>::right(const Asked<Box<DIM>>&, const Answers&) const;             \
    template bool Questions<DIM>::right(const Asked<Ball<DIM>>&, const Answers&) const;            \
    template bool Questions<DIM>::right(const Asked<Point<DIM>>&, const Answers&) const;           \
    template bool Questions<DIM>::right(const Asked<Segment<DIM>>&, const Answers&) const;
THRONG_SHOOTOUT_QUESTIONS(2)
THRONG_SHOOTOUT_QUESTIONS(3)
#undef THRONG_SHOOTOUT_QUESTIONS

} // namespace throng::shootout
