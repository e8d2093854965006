// The overhead of the C API over C++: the same batches on the same executor, alternately in one
// run.
//
// Prints medians in microseconds, and the median of the ratios of neighbouring turns. Crowds and
// batches are made several times, because the addresses of their arrays make a larger difference.
#include "../tests/support/scenes/scenes.hpp"

#include <throng/parallel/batch/batch.hpp>
#include <throng/throng.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

namespace throng::bench {

namespace {

constexpr std::size_t kRounds = 8; // even, so that each side begins equally often

/// Ends the program if `holds` is false, because its figures would then be of no use.
void demand(bool holds, const char* what) {
    if (holds) { return; }
    std::fprintf(stderr, "throng_c_overhead: %s\n", what);
    std::exit(EXIT_FAILURE);
}
void ok(const throng_status& status) { demand(status.code == THRONG_OK, status.argument); }
void ok(const Status& status) { demand(status.ok(), to_string(status).c_str()); }

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

template <class Call>
double microseconds(const Call& call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
        .count();
}

/// Times one question asked in C++ and in C.
class Duel {
public:
    explicit Duel(const char* name) : name_(name) {}

    /// `cpp` and `c` return their number of hits. The round decides which begins, and so allocates
    /// first.
    template <class Cpp, class C>
    void meet(std::size_t round, std::size_t turns, const Cpp& cpp, const C& c) {
        std::uint64_t by_cpp = 0, by_c = 0;
        for (std::size_t turn = 0; turn < turns + 2; ++turn) {
            double time_cpp = 0.0, time_c = 0.0;
            const auto ask_cpp = [&] { time_cpp = microseconds([&] { by_cpp = cpp(); }); };
            const auto ask_c = [&] { time_c = microseconds([&] { by_c = c(); }); };
            if ((turn + round) % 2 == 0) {
                ask_cpp();
                ask_c();
            } else {
                ask_c();
                ask_cpp();
            }
            demand(by_cpp == by_c, "the answers differ");
            if (turn < 2) { continue; } // arrays still grow
            cpp_.push_back(time_cpp);
            c_.push_back(time_c);
            ratio_.push_back(time_c / time_cpp);
        }
    }

    void print(std::size_t dim, std::size_t count) const {
        std::printf("%-20s %zuD %7zu  C++ %9.1f us  C %9.1f us  ratio %.3f\n", name_, dim, count,
                    median(cpp_), median(c_), median(ratio_));
    }

private:
    const char* name_;
    std::vector<double> cpp_, c_, ratio_;
};

/// Batches of `count` questions about a crowd of `count` agents.
template <std::size_t Dim>
class Contest {
public:
    explicit Contest(std::size_t count)
        : turns_(count <= 10'000 ? 41 : 9), scene_(scenes::make_uniform<Dim>(count)) {
        for (std::size_t i = 0; i < count; ++i) {
            const Point<Dim> at = scene_.position_of(i);
            balls_.push_back({at, 1.0f});
            boxes_.push_back(Box<Dim>::around(at, Point<Dim>::all(0.6f)));
            points_.push_back(at);
        }
        offsets_.resize(count + 1);
        ids_.resize(64 * count);
        seconds_.resize(ids_.size());
        near_.resize(kNear * count);
        counts_.resize(count);
    }

    void run() {
        for (std::size_t round = 0; round < kRounds; ++round) {
            one_round(round);
        }
        for (const Duel* duel : {&update_, &balls_into_, &boxes_into_, &boxes_list_, &count_,
                                 &neighbours_, &pairs_, &nearest_, &everybody_}) {
            duel->print(Dim, balls_.size());
        }
    }

private:
    static constexpr std::uint32_t kNear = 4;

    void one_round(std::size_t round) {
        const std::size_t count = balls_.size();
        Crowd<Dim> crowd;
        Batch<Dim> batch;
        Hits hits;
        throng_crowd* crowd_in_c = nullptr;
        throng_batch* batch_in_c = nullptr;
        throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
        settings.dimension = Dim;
        ok(throng_crowd_create(&settings, &crowd_in_c));
        // C++ calls without an executor run on the calling thread, those of C on the default
        // executor.
        throng_executor* serial = nullptr;
        ok(throng_executor_create_kind(THRONG_SERIAL, 1, &serial));
        ok(throng_batch_create(serial, &batch_in_c));
        const Agents<Dim> agents = scene_.agents();
        const throng_agents agents_in_c = in_c(agents);
        update_.meet(
            round, turns_,
            [&] {
                ok(crowd.update(agents));
                return crowd.size();
            },
            [&] {
                ok(throng_crowd_update(crowd_in_c, &agents_in_c, serial));
                return count;
            });

        const HitsOutput out = {offsets_, ids_};
        throng_hits_room room = THRONG_HITS_ROOM_INIT;
        room.offsets = offsets_.data();
        room.offset_room = offsets_.size();
        room.ids = ids_.data();
        room.id_room = ids_.size();
        const auto questions = [&](std::uint32_t shape, const void* shapes) {
            throng_questions asked = THRONG_QUESTIONS_INIT;
            asked.shape = shape;
            asked.shapes = shapes;
            asked.count = count;
            return asked;
        };
        const throng_questions balls = questions(THRONG_BALL2 - 2 + Dim, balls_.data());
        const throng_questions boxes = questions(THRONG_BOX2 - 2 + Dim, boxes_.data());
        const auto into = [&](Duel& duel, const auto& shapes, const throng_questions& asked) {
            duel.meet(
                round, turns_, [&] { return batch.query(crowd, shapes, out).count; },
                [&] {
                    ok(throng_query_into(batch_in_c, crowd_in_c, &asked, &room));
                    return room.total;
                });
        };
        into(balls_into_, balls_, balls);
        into(boxes_into_, boxes_, boxes);
        boxes_list_.meet(
            round, turns_,
            [&] {
                ok(batch.query(crowd, boxes_, hits));
                return hits.total();
            },
            [&] {
                throng_hits found = THRONG_HITS_INIT;
                ok(throng_query(batch_in_c, crowd_in_c, &boxes, &found));
                return found.total;
            });
        count_.meet(
            round, turns_, [&] { return batch.count(crowd, boxes_, counts_).count; },
            [&] {
                std::uint64_t sum = 0;
                ok(throng_count(batch_in_c, crowd_in_c, &boxes, counts_.data(), count, &sum));
                return sum;
            });

        throng_neighbourhood near = THRONG_NEIGHBOURHOOD_INIT;
        near.radius = 1.0f;
        neighbours_.meet(
            round, turns_, [&] { return batch.neighbours(crowd, {1.0f}, out).count; },
            [&] {
                ok(throng_neighbours_into(batch_in_c, crowd_in_c, &near, &room));
                return room.total;
            });

        throng_pairs_room pairs = THRONG_PAIRS_ROOM_INIT;
        pairs.first = ids_.data();
        pairs.second = seconds_.data();
        pairs.room = ids_.size();
        pairs_.meet(
            round, turns_,
            [&] {
                return batch.pairs(crowd, PairsOutput{ids_, seconds_}).count;
            },
            [&] {
                ok(throng_find_pairs_into(batch_in_c, crowd_in_c, nullptr, &pairs));
                return pairs.total;
            });

        throng_points points = THRONG_POINTS_INIT;
        points.dimension = Dim;
        points.coordinates = points_[0].axis.data();
        points.count = count;
        throng_nearest nearest = THRONG_NEAREST_INIT;
        nearest.k = kNear;
        throng_near_room places = THRONG_NEAR_ROOM_INIT;
        // Both sides write to the same array, because its address matters.
        places.nearest = static_cast<throng_near*>(static_cast<void*>(near_.data()));
        places.near_room = near_.size();
        places.counts = counts_.data();
        places.count_room = count;
        const NearOutput near_out = {near_, counts_};
        const std::span<const Point<Dim>> from(points_);
        nearest_.meet(
            round, turns_, [&] { return batch.nearest(crowd, from, {kNear}, near_out).count; },
            [&] {
                ok(throng_find_nearest_into(batch_in_c, crowd_in_c, &points, &nearest, &places));
                return places.total;
            });
        everybody_.meet(
            round, turns_, [&] { return batch.nearest_neighbours(crowd, {kNear}, near_out).count; },
            [&] {
                ok(throng_nearest_neighbours_into(batch_in_c, crowd_in_c, &nearest, &places));
                return places.total;
            });
        ok(throng_batch_destroy(batch_in_c));
        ok(throng_crowd_destroy(crowd_in_c));
        ok(throng_executor_destroy(serial));
    }

    static throng_agents in_c(const Agents<Dim>& agents) {
        throng_agents same = THRONG_AGENTS_INIT;
        same.dimension = Dim;
        same.count = agents.positions.count;
        for (std::size_t a = 0; a < Dim; ++a) {
            same.position[a] = agents.positions.axis[a];
            same.position_stride[a] = agents.positions.stride[a];
            same.common_half_extent[a] = agents.common_half_extent[a];
        }
        return same;
    }

    std::size_t turns_;
    scenes::Scene<Dim> scene_;
    std::vector<Ball<Dim>> balls_;
    std::vector<Box<Dim>> boxes_;
    std::vector<Point<Dim>> points_;
    std::vector<std::uint64_t> offsets_;
    std::vector<Id> ids_, seconds_;
    std::vector<Near> near_;
    std::vector<std::uint32_t> counts_;
    Duel update_{"update"}, balls_into_{"balls into"}, boxes_into_{"boxes into"},
        boxes_list_{"boxes"}, count_{"boxes counted"}, neighbours_{"neighbours into"},
        pairs_{"pairs into"}, nearest_{"nearest into"}, everybody_{"nearest neighbours"};
};

} // namespace

} // namespace throng::bench

int main() {
    for (const std::size_t count : {10'000u, 100'000u}) {
        throng::bench::Contest<2>(count).run();
        throng::bench::Contest<3>(count).run();
    }
}
