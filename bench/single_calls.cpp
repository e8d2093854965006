// Single calls, one after another, of the grid that most people write, RowGrid, Crowd and the C
// API. Agents are points in the plane, one for each unit of area; questions are at random places.
//
// All answers are compared before anything is timed: if one is wrong, there are no figures. Then
// all sides are timed alternately, and each begins equally often.
#include "../tests/support/random.hpp"
#include "../tests/support/scenes/scenes.hpp"
#include "machine/disturbance.hpp"
#include "machine/machine.hpp"
#include "measure/arguments.hpp"
#include "plain_grid.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/grid/row_grid.hpp>
#include <throng/simd/isa/isa.hpp>
#include <throng/throng.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numbers>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace throng::bench {

namespace {

/// Room for the longest answer, and for what kernels and the C API may write behind it.
constexpr std::size_t kRoom = 512;

constexpr std::size_t kSides = 4;
constexpr std::array<const char*, kSides> kNames = {"plain_grid", "row_grid", "crowd", "c_api"};
constexpr std::array<const char*, kSides> kTitles = {"plain grid", "RowGrid", "Crowd", "C API"};

/// Ends the program if `holds` is false, because its figures would then be of no use.
void demand(bool holds, const std::string& what) {
    if (holds) { return; }
    std::fprintf(stderr, "throng_single_calls: %s\n", what.c_str());
    std::exit(EXIT_FAILURE);
}
void ok(const throng_status& status) { demand(status.code == THRONG_OK, status.argument); }
void ok(const Status& status) { demand(status.ok(), to_string(status)); }

enum class Format : std::uint8_t { table, rows };

struct Options {
    std::vector<std::size_t> agents = {1'000, 10'000, 1'000'000};
    /// Too many for branch predictors to learn the answers: with 1,000 repeated questions the plain
    /// grid takes a fifth of the time.
    std::size_t questions = 65'536;
    std::size_t turns = 28; ///< a multiple of kSides
    Format format = Format::table;
};

/// RowGrid or Crowd, which have the same calls.
template <class Index>
class InCpp {
public:
    explicit InCpp(const Agents<2>& agents) { ok(index_.update(agents)); }

    template <class Shape>
    std::size_t query(const Shape& shape, std::span<Id> out) const {
        return index_.query(shape, out).count;
    }
    std::size_t count(const Box<2>& box) const { return index_.count(box).count; }
    bool any(const Box<2>& box) const { return index_.any(box).count != 0; }
    Id nearest(const Point<2>& point) const {
        std::array<Near, 1> out;
        (void)index_.nearest(point, {1}, out);
        return out[0].id;
    }

private:
    Index index_;
};

/// A crowd through the C API.
class InC {
public:
    explicit InC(const Agents<2>& agents) {
        throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
        settings.dimension = 2;
        ok(throng_crowd_create(&settings, &crowd_));
        throng_agents same = THRONG_AGENTS_INIT;
        same.dimension = 2;
        same.count = agents.positions.count;
        for (std::size_t a = 0; a < 2; ++a) {
            same.position[a] = agents.positions.axis[a];
            same.position_stride[a] = agents.positions.stride[a];
            same.common_half_extent[a] = agents.common_half_extent[a];
        }
        ok(throng_crowd_update(crowd_, &same, nullptr));
    }
    InC(const InC&) = delete;
    InC& operator=(const InC&) = delete;
    ~InC() { (void)throng_crowd_destroy(crowd_); }

    std::size_t query(const Box<2>& box, std::span<Id> out) const {
        return query(THRONG_BOX2, &box, out);
    }
    std::size_t query(const Ball<2>& ball, std::span<Id> out) const {
        return query(THRONG_BALL2, &ball, out);
    }
    std::size_t count(const Box<2>& box) const {
        const throng_questions asked = one(THRONG_BOX2, &box);
        std::uint64_t count = 0;
        (void)throng_count_one(crowd_, &asked, &count);
        return count;
    }
    bool any(const Box<2>& box) const {
        const throng_questions asked = one(THRONG_BOX2, &box);
        std::uint32_t found = 0;
        (void)throng_any_one(crowd_, &asked, &found);
        return found != 0;
    }
    Id nearest(const Point<2>& point) const {
        throng_points points = THRONG_POINTS_INIT;
        points.dimension = 2;
        points.coordinates = point.axis.data();
        points.count = 1;
        const throng_nearest nearest = THRONG_NEAREST_INIT;
        throng_near near = {};
        std::uint64_t total = 0;
        (void)throng_find_nearest_one(crowd_, &points, &nearest, &near, 1, &total);
        return near.id;
    }

private:
    static throng_questions one(std::uint32_t shape, const void* shapes) {
        throng_questions asked = THRONG_QUESTIONS_INIT;
        asked.shape = shape;
        asked.shapes = shapes;
        asked.count = 1;
        return asked;
    }
    std::size_t query(std::uint32_t shape, const void* shapes, std::span<Id> out) const {
        const throng_questions asked = one(shape, shapes);
        std::uint64_t total = 0;
        (void)throng_query_one(crowd_, &asked, out.data(), out.size(), &total);
        return total;
    }

    throng_crowd* crowd_ = nullptr;
};

/// The nanoseconds per call, for each turn.
class Times {
public:
    void add(double nanoseconds) { all_.push_back(nanoseconds); }
    [[nodiscard]] double of_turn(std::size_t turn) const { return all_[turn]; }
    /// The smallest time that this fraction of the times does not exceed.
    [[nodiscard]] double quantile(double share) const {
        std::vector<double> sorted = all_;
        std::sort(sorted.begin(), sorted.end());
        const auto rank =
            static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
        return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
    }
    /// The median of the turns' ratios to `other`.
    [[nodiscard]] double over(const Times& other) const {
        Times ratios;
        for (std::size_t turn = 0; turn < all_.size(); ++turn) {
            ratios.add(all_[turn] / other.of_turn(turn));
        }
        return ratios.quantile(0.5);
    }

private:
    std::vector<double> all_;
};

/// One kind of question.
struct Line {
    const char *work, *title;
    float size; ///< half the side of a box, or the radius of a ball; 0 for the nearest
};

/// How an answer is checked, beside its number of hits.
enum class Tells : std::uint8_t { ids, number };

class Contest {
public:
    Contest(std::size_t agents, const Options& options)
        : agents_(agents), options_(options), scene_(points(agents)),
          plain_(scene_.world, scene_.positions()), grid_(scene_.agents()), crowd_(scene_.agents()),
          c_(scene_.agents()) {
        scenes::Random random(agents);
        for (std::size_t i = 0; i < options_.questions; ++i) {
            const float x = random.between(scene_.world.lo[0], scene_.world.hi[0]);
            const float y = random.between(scene_.world.lo[1], scene_.world.hi[1]);
            places_.push_back({x, y});
        }
    }

    void hold() {
        for (const float hits : {1.6f, 7.0f}) {
            const float half = 0.5f * std::sqrt(hits);
            std::vector<Box<2>> boxes;
            for (const Point<2>& place : places_) {
                boxes.push_back(Box<2>::around(place, Point<2>::all(half)));
            }
            ask({"single_box", "box, ids", half}, Tells::ids, boxes,
                [](const auto& side, const Box<2>& box, std::span<Id> out) {
                    return side.query(box, out);
                });
            ask({"single_count", "box, count", half}, Tells::number, boxes,
                [](const auto& side, const Box<2>& box, std::span<Id>) { return side.count(box); });
            ask({"single_any", "box, any", half}, Tells::number, boxes,
                [](const auto& side, const Box<2>& box, std::span<Id>) {
                    return std::size_t{side.any(box)};
                });
            const float radius = std::sqrt(hits / std::numbers::pi_v<float>);
            std::vector<Ball<2>> balls;
            for (const Point<2>& place : places_) {
                balls.push_back({place, radius});
            }
            ask({"single_ball", "ball, ids", radius}, Tells::ids, balls,
                [](const auto& side, const Ball<2>& ball, std::span<Id> out) {
                    return side.query(ball, out);
                });
        }
        ask({"single_nearest", "the nearest", 0.0f}, Tells::ids, places_,
            [](const auto& side, const Point<2>& place, std::span<Id> out) {
                out[0] = side.nearest(place);
                return std::size_t{1};
            });
    }

private:
    static scenes::Scene<2> points(std::size_t agents) {
        scenes::Scene<2> scene = scenes::make_uniform<2>(agents);
        scene.common_half_extent = {};
        return scene;
    }

    /// Times ask(side, question, out), which answers one question and returns the number of hits.
    template <class Question, class Ask>
    void ask(const Line& line, Tells tells, const std::vector<Question>& questions,
             const Ask& ask) {
        const std::uint64_t hits = check(line, tells, questions, ask);
        std::array<Times, kSides> times;
        const std::array<std::function<std::uint64_t()>, kSides> sides = {
            all_through(plain_, questions, ask), all_through(grid_, questions, ask),
            all_through(crowd_, questions, ask), all_through(c_, questions, ask)};
        for (std::size_t turn = 0; turn < options_.turns; ++turn) {
            for (std::size_t k = 0; k < kSides; ++k) {
                const std::size_t side = (turn + k) % kSides;
                const auto start = std::chrono::steady_clock::now();
                const std::uint64_t found = sides[side]();
                const std::chrono::duration<double, std::nano> passed =
                    std::chrono::steady_clock::now() - start;
                demand(found == hits, std::string("another answer of ") + kTitles[side]);
                times[side].add(passed.count() / static_cast<double>(questions.size()));
            }
        }
        options_.format == Format::table ? print_table(line, hits, times)
                                         : print_rows(line, hits, times);
    }

    template <class Side, class Question, class Ask>
    std::function<std::uint64_t()>
    all_through(const Side& side, const std::vector<Question>& questions, const Ask& ask) {
        return [this, &side, &questions, &ask] {
            std::uint64_t hits = 0;
            for (const Question& question : questions) {
                hits += ask(side, question, std::span<Id>(room_));
            }
            return hits;
        };
    }

    /// Compares all answers; returns the sum of all hits.
    template <class Question, class Ask>
    std::uint64_t check(const Line& line, Tells tells, const std::vector<Question>& questions,
                        const Ask& ask) {
        std::uint64_t hits = 0;
        std::array<Id, kRoom> expected{};
        for (const Question& question : questions) {
            const std::size_t found = ask(plain_, question, std::span<Id>(expected));
            const std::size_t ids = tells == Tells::ids ? found : 0;
            std::sort(expected.data(), expected.data() + ids);
            const auto same = [&](const auto& side) {
                if (ask(side, question, std::span<Id>(room_)) != found) { return false; }
                std::sort(room_.data(), room_.data() + ids); // each side has its own order
                return std::equal(room_.data(), room_.data() + ids, expected.data());
            };
            demand(same(grid_) && same(crowd_) && same(c_),
                   std::string("the answers differ: ") + line.title);
            hits += found;
        }
        return hits;
    }

    /// Prints a row of the table; docs/figures/performance.md has some of them.
    void print_table(const Line& line, std::uint64_t hits,
                     const std::array<Times, kSides>& times) const {
        std::printf("| %s | %.2f | %.1f | %zu |", line.title, 2.0 * static_cast<double>(line.size),
                    static_cast<double>(hits) / static_cast<double>(options_.questions), agents_);
        for (std::size_t side = 0; side < kSides; ++side) {
            std::printf(" %.1f |", times[side].quantile(0.5));
            if (side != 0) { std::printf(" %.2f |", times[side].over(times[0])); }
        }
        std::printf("\n");
        std::fflush(stdout);
    }

    /// Prints rows of shootout.csv.
    void print_rows(const Line& line, std::uint64_t hits,
                    const std::array<Times, kSides>& times) const {
        for (std::size_t side = 0; side < kSides; ++side) {
            std::printf("%s,%s,2,uniform,%s,,%zu,1,%zu,%llu,%.3f,,%.3f,%.3f,%.3f,%zu,,yes\n",
                        kNames[side], side == 0 ? "plain" : "ours", line.work, agents_,
                        options_.questions, static_cast<unsigned long long>(hits),
                        static_cast<double>(line.size), times[side].quantile(0.5),
                        times[side].quantile(0.0), times[side].quantile(0.99), options_.turns);
        }
    }

    std::size_t agents_;
    const Options& options_;
    scenes::Scene<2> scene_;
    PlainGrid plain_;
    InCpp<RowGrid<2>> grid_;
    InCpp<throng::Crowd<2>> crowd_;
    InC c_;
    std::vector<Point<2>> places_;
    std::array<Id, kRoom> room_{};
};

void run(const Options& options) {
    const Disturbance others;
    if (options.format == Format::table) {
        std::printf("%s, %s; medians of %zu turns of %zu questions, nanoseconds a call\n\n",
                    this_machine().name.c_str(), to_string(active_isa()), options.turns,
                    options.questions);
        std::printf(
            "| question | width | hits | agents | plain grid | RowGrid | | Crowd | | C API | |\n"
            "|---|---|---|---|---|---|---|---|---|---|---|\n");
    }
    for (const std::size_t agents : options.agents) {
        Contest(agents, options).hold();
    }
    if (options.format == Format::table) {
        std::printf("\nOther programs used %.1f %% of the processors meanwhile.\n",
                    100.0 * others.share());
    }
}

constexpr const char* kUsage =
    R"(usage: throng_single_calls [--quick] [--rows] [--questions <n>]

Times single calls through a plain grid, RowGrid, Crowd and the C API, and prints a table: medians
in nanoseconds a call, and how many times as long as the plain grid each takes.

  --quick           1000 and 10000 agents only, and fewer turns
  --rows            prints rows for shootout.csv instead, as scripts/report needs them
  --questions <n>   how many different ones, asked in every turn (65536). Few are soon known to the
                    branch predictor, as no host's are.
)";

} // namespace

} // namespace throng::bench

int main(int argc, char** argv) try {
    throng::bench::Options options;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--quick") == 0) {
            options.agents = {1'000, 10'000};
            options.turns = throng::bench::kSides;
        } else if (std::strcmp(argv[i], "--rows") == 0) {
            options.format = throng::bench::Format::rows;
        } else if (std::strcmp(argv[i], "--questions") == 0 && i + 1 < argc) {
            options.questions =
                throng::bench::number<std::size_t>(argv[i], argv[i + 1], 1, 10'000'000);
            ++i;
        } else {
            throng::bench::refuse("an option", argv[i]);
        }
    }
    if (throng::active_isa() == throng::Isa::none) {
        std::fprintf(stderr, "throng_single_calls: this machine has no set of the build, or not "
                             "the one in THRONG_FORCE_ISA\n");
        return 77;
    }
    // Fewer questions are asked more often, so that the number of calls stays the same.
    options.turns *=
        std::max<std::size_t>(1, throng::bench::Options{}.questions / options.questions);
    throng::bench::run(options);
} catch (const std::invalid_argument& wrong) {
    std::fprintf(stderr, "throng_single_calls: %s\n%s", wrong.what(), throng::bench::kUsage);
    return 2;
}
