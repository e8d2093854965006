// Single edits of a loose tree: the cost of each, and how much slower later questions are than in a
// newly packed tree of the same agents.
#include "benchmarks.hpp"

#include "../tests/support/random.hpp"

#include <throng/engine/loose_tree/loose_tree.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

namespace throng::bench {

namespace {

enum class Life : std::uint8_t {
    step,     ///< an agent moves a little
    jump,     ///< an agent moves anywhere
    turnover, ///< an agent is erased, and one is inserted anywhere
    corner,   ///< an agent moves into a tenth of the world on each axis
    growth,   ///< agents are inserted into an empty tree, one by one
    march,    ///< growth, from one end of the world to the other
};

constexpr float kHalf = 0.25f;
constexpr std::size_t kQuestions = 2000;
constexpr int kLooks = 15; // in the course of 1.5 edits per agent

template <class Call>
double nanoseconds_of(const Call& call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    const std::chrono::duration<double, std::nano> passed =
        std::chrono::steady_clock::now() - start;
    return passed.count();
}

template <std::size_t Dim>
class TreeLife {
public:
    TreeLife(Life life, std::size_t count) : life_(life), count_(count) {
        const double room = static_cast<double>(count);
        side_ = static_cast<float>(Dim == 2 ? std::sqrt(room) : std::cbrt(room));
        for (std::size_t i = 0; i < count; ++i) {
            positions_.push_back(anywhere(side_));
        }
        if (life == Life::march) {
            std::sort(positions_.begin(), positions_.end(),
                      [](const auto& one, const auto& other) { return one[0] < other[0]; });
        }
        kind_.common_half_extent = Point<Dim>::all(kHalf);
        (void)tree_.configure({Point<Dim>::all(0.0f), Point<Dim>::all(side_)}, kind_);
        if (life < Life::growth) { (void)tree_.update(agents()); }
    }

    /// Makes one part of the edits; returns the time per edit.
    double edit(int part) {
        const std::size_t edits = count_ / 10;
        const double all = nanoseconds_of([&] {
            for (std::size_t i = 0; i < edits; ++i) {
                const auto turn = static_cast<Id>(static_cast<std::size_t>(part) * edits + i);
                if (life_ >= Life::growth) {
                    if (turn < count_) {
                        sound_ &= tree_.insert(turn, {positions_[turn], {}, {}}).ok();
                    }
                    continue;
                }
                const Id id = random_.below(static_cast<std::uint32_t>(count_));
                positions_[id] = next_place(positions_[id]);
                if (life_ == Life::turnover) {
                    sound_ &= tree_.erase(id).ok();
                    sound_ &= tree_.insert(id, {positions_[id], {}, {}}).ok();
                } else {
                    sound_ &= tree_.move(id, positions_[id]).ok();
                }
            }
        });
        return all / static_cast<double>(edits);
    }

    /// The time of questions of this size, divided by the time in a newly packed tree.
    double look(float half) {
        if (tree_.size() < count_) { return 1.0; }
        (void)fresh_.update(agents());
        std::vector<Box<Dim>> boxes;
        for (std::size_t q = 0; q < kQuestions; ++q) {
            boxes.push_back(
                Box<Dim>::around(positions_[random_.below(static_cast<std::uint32_t>(count_))],
                                 Point<Dim>::all(half)));
        }
        double edited = 0.0, packed = 0.0;
        for (int round = 0; round < 5; ++round) {
            const double one = nanoseconds_of([&] { (void)tree_.query(boxes, hits_); });
            const std::uint64_t found = hits_.offsets.back();
            const double other = nanoseconds_of([&] { (void)fresh_.query(boxes, hits_); });
            sound_ &= found == hits_.offsets.back();
            edited = round == 0 ? one : std::min(edited, one);
            packed = round == 0 ? other : std::min(packed, other);
        }
        return edited / packed;
    }

    [[nodiscard]] float side() const noexcept { return side_; }
    [[nodiscard]] bool sound() const noexcept { return sound_; }
    [[nodiscard]] double bytes() const {
        return static_cast<double>(tree_.memory().index()) / static_cast<double>(count_);
    }

private:
    [[nodiscard]] Point<Dim> anywhere(float side) {
        Point<Dim> place;
        for (std::size_t a = 0; a < Dim; ++a) {
            place[a] = random_.between(0.0f, side);
        }
        return place;
    }
    [[nodiscard]] Point<Dim> next_place(const Point<Dim>& from) {
        if (life_ == Life::corner) { return anywhere(side_ / 10.0f); }
        if (life_ != Life::step) { return anywhere(side_); }
        Point<Dim> to = from;
        for (std::size_t a = 0; a < Dim; ++a) {
            to[a] = std::clamp(to[a] + random_.between(-1.0f, 1.0f), 0.0f, side_);
        }
        return to;
    }
    [[nodiscard]] Agents<Dim> agents() const {
        Agents<Dim> all;
        all.positions =
            PointView<Dim>::interleaved(positions_.data()->axis.data(), positions_.size());
        all.common_half_extent = kind_.common_half_extent;
        return all;
    }

    Life life_;
    std::size_t count_;
    float side_;
    CrowdKind<Dim> kind_;
    std::vector<Point<Dim>> positions_;
    scenes::Random random_{17};
    LooseTree<Dim> tree_, fresh_;
    Hits hits_;
    bool sound_ = true;
};

template <std::size_t Dim>
void run_life(benchmark::State& state, Life life, std::size_t count) {
    double small = 0.0, large = 0.0, edits = 0.0, bytes = 0.0;
    for (auto _ : state) {
        TreeLife<Dim> tree(life, count);
        small = large = edits = 0.0;
        for (int part = 0; part < kLooks; ++part) {
            const double one = tree.edit(part);
            if (life >= Life::growth && part >= 10) { break; }
            edits = std::max(edits, one);
            small = std::max(small, tree.look(1.0f));
            large = std::max(large, tree.look(tree.side() / 40.0f));
        }
        bytes = tree.bytes();
        if (!tree.sound()) { state.SkipWithError("an edit was refused, or an answer was wrong"); }
        state.SetIterationTime(edits * 1e-9);
    }
    state.counters["ns_per_edit"] = edits;
    state.counters["small_boxes"] = small;
    state.counters["large_boxes"] = large;
    state.counters["bytes_per_agent"] = bytes;
}

template <std::size_t Dim>
void add_lives() {
    for (const auto& [life, name] : {std::pair{Life::step, "step"},
                                     {Life::jump, "jump"},
                                     {Life::turnover, "turnover"},
                                     {Life::corner, "corner"},
                                     {Life::growth, "growth"},
                                     {Life::march, "march"}}) {
        for (const std::size_t count :
             {std::size_t{2'000}, std::size_t{100'000}, std::size_t{1'000'000}}) {
            benchmark::RegisterBenchmark(("tree_edits/" + std::string(name) + "/" +
                                          std::to_string(Dim) + "d/" + std::to_string(count))
                                             .c_str(),
                                         [life = life, count](benchmark::State& state) {
                                             run_life<Dim>(state, life, count);
                                         })
                ->UseManualTime()
                ->Iterations(1);
        }
    }
}

} // namespace

void register_tree_edits() {
    add_lives<2>();
    add_lives<3>();
}

} // namespace throng::bench
