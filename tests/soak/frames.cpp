#include "../support/allocation_counter.hpp"
#include "../support/random.hpp"
#include "agree.hpp"
#include "elder.hpp"
#include "memory.hpp"
#include "soak.hpp"
#include "watchdog.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/memory/capped_memory.hpp>
#include <throng/parallel/batch/batch.hpp>
#include <throng/parallel/executors/thread_pool.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

namespace throng::soak {

namespace {

/// In a run of this many seconds, a tenth is enough for crowds to become about as full as they ever
/// will.
constexpr double kSettledAfter = 300.0;
/// A process may grow by a tenth, and by this many bytes.
constexpr std::size_t kLittle = 128 << 10;

bool has_grown(std::size_t resident, std::size_t resident_before, std::size_t old,
               std::size_t old_before) {
    return resident > resident_before / 10 * 11 + kLittle || old > old_before / 10 * 11;
}

/// What is special in a series of frames.
enum class Trouble : std::uint32_t { none, giants, one_place, empty, far_away, count };

/// A world and a crowd of random size, for 1000 frames on a random number of threads.
template <std::size_t Dim>
class Episode {
public:
    Episode(std::uint64_t seed, MemorySource& memory)
        : random_(seed), memory_(memory), pool_(1 + random_.below(8)),
          count_(1 + random_.below(4000)) {
        const float side = std::exp2(random_.between(-3.0f, 12.0f));
        world_ = {Point<Dim>::all(-0.5f * side), Point<Dim>::all(0.5f * side)};
        cell_ = side / static_cast<float>(1 + random_.below(Dim == 2 ? 200 : 30));
        for (std::size_t a = 0; a < Dim; ++a) {
            place_[a].resize(count_);
            half_[a].resize(count_);
        }
    }

    /// Runs the episode. Returns what failed, or null.
    const char* run(Watchdog& watchdog) {
        CrowdSettings<Dim> settings{world_, Point<Dim>::all(cell_)};
        settings.memory = &memory_;
        settings.periodic[0] = random_.below(4) == 0;
        if (!crowd_.configure(settings, {true, false, {}}).ok()) { return "configure() refuses"; }
        for (std::size_t frame = 0; frame < kFrames; ++frame) {
            if (frame % kStretch == 0) {
                begin_stretch(static_cast<Trouble>(
                    random_.below(static_cast<std::uint32_t>(Trouble::count))));
            }
            step();
            if (!crowd_.update(agents(), pool_).ok()) { return "update() refuses"; }
            if (frame % 20 == 0) {
                if (!answers()) { return "wrong answers"; }
            }
            if (!neighbours_agree()) { return "neighbours do not agree"; }
            watchdog.beat(crowd_.wraps() ? "a frame of a periodic world" : "a frame");
        }
        if (const char* const broken = crowd_.validate()) { return broken; }
        return steady();
    }

    [[nodiscard]] std::size_t agents_seen() const noexcept { return seen_; }

private:
    static constexpr std::size_t kFrames = 1000;
    static constexpr std::size_t kStretch = 25;

    void begin_stretch(Trouble trouble) {
        shown_ = trouble == Trouble::empty ? 0 : count_;
        const Point<Dim> spot = somewhere();
        const float side = world_.hi[0] - world_.lo[0];
        for (std::size_t i = 0; i < count_; ++i) {
            Point<Dim> place = trouble == Trouble::one_place ? spot : somewhere();
            float size = random_.between(0.0f, 0.4f * cell_);
            // Few giants, so that a frame takes some milliseconds only.
            if (trouble == Trouble::giants && random_.below(200) == 0) {
                size = random_.between(0.0f, side);
            }
            if (trouble == Trouble::one_place) { size = 0.0f; }
            if (trouble == Trouble::far_away && random_.below(8) == 0) {
                for (float& x : place.axis) {
                    x *= 1000.0f;
                }
            }
            for (std::size_t a = 0; a < Dim; ++a) {
                place_[a][i] = place[a];
                half_[a][i] = size;
            }
        }
    }

    void step() {
        for (std::size_t a = 0; a < Dim; ++a) {
            for (std::size_t i = 0; i < shown_; ++i) {
                place_[a][i] += random_.between(-0.2f, 0.2f) * cell_;
            }
        }
        seen_ += shown_;
    }

    [[nodiscard]] Agents<Dim> agents() const {
        std::array<const float*, Dim> place;
        std::array<const float*, Dim> half;
        for (std::size_t a = 0; a < Dim; ++a) {
            place[a] = place_[a].data();
            half[a] = half_[a].data();
        }
        Agents<Dim> agents;
        agents.positions = PointView<Dim>::separate(place, shown_);
        agents.half_extents = PointView<Dim>::separate(half, shown_);
        return agents;
    }

    /// Checks a few questions against the oracle; only one in a periodic world, where the oracle
    /// tests many copies.
    [[nodiscard]] bool answers() {
        test::Truth<Dim> truth({world_, crowd_.settings().periodic});
        if (!truth.update(agents()).ok() || truth.size() != crowd_.size()) { return false; }
        for (int q = 0; q < (crowd_.wraps() ? 1 : 4); ++q) {
            const Point<Dim> place = somewhere();
            const float size = random_.between(0.0f, 4.0f * cell_);
            if (!agree(crowd_, truth, place, size)) { return false; }
        }
        return true;
    }

    /// Whether balls asked in a batch find the agents that they find alone.
    [[nodiscard]] bool neighbours_agree() {
        balls_.clear();
        for (int q = 0; q < 8; ++q) {
            balls_.push_back({somewhere(), random_.between(0.0f, cell_)});
        }
        if (!batch_.query(crowd_, std::span<const Ball<Dim>>(balls_), hits_).ok()) { return false; }
        for (std::size_t q = 0; q < balls_.size(); ++q) {
            alone_.resize(crowd_.count(balls_[q]).count);
            (void)crowd_.query(balls_[q], std::span<Id>(alone_));
            if (!std::ranges::equal(hits_.of(q), alone_)) { return false; }
        }
        return true;
    }

    /// A crowd that moves to and fro, with the same questions, must allocate nothing after some
    /// frames.
    const char* steady() {
        begin_stretch(Trouble::none);
        const auto balls = std::span<const Ball<Dim>>(balls_);
        std::size_t before = 0;
        for (int frame = 0; frame < 12; ++frame) {
            if (frame == 8) { before = test::allocations(); }
            const float way = frame % 2 == 0 ? 0.125f : -0.125f;
            for (std::size_t a = 0; a < Dim; ++a) {
                for (float& x : place_[a]) {
                    x += way * cell_;
                }
            }
            if (!crowd_.update(agents(), pool_).ok()) { return "update() refuses"; }
            if (!batch_.query(crowd_, balls, hits_).ok()) { return "query() refuses"; }
        }
        return test::allocations() == before ? nullptr : "a steady frame allocates";
    }

    Point<Dim> somewhere() {
        Point<Dim> point;
        for (std::size_t a = 0; a < Dim; ++a) {
            point[a] = random_.between(world_.lo[a], world_.hi[a]);
        }
        return point;
    }

    scenes::Random random_;
    MemorySource& memory_;
    ThreadPool pool_;
    std::size_t count_;
    std::size_t shown_ = 0;
    std::size_t seen_ = 0;
    Box<Dim> world_{};
    float cell_ = 0.0f;
    std::array<std::vector<float>, Dim> place_, half_;
    std::vector<Ball<Dim>> balls_;
    Hits hits_;
    std::vector<Id> alone_;
    Crowd<Dim> crowd_;
    Batch<Dim> batch_{pool_};
};

} // namespace

bool frames(double seconds, std::uint64_t seed, std::size_t hoarded) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const auto spent = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    Watchdog watchdog;
    std::size_t episodes = 0;
    std::size_t agents = 0;
    std::vector<std::vector<std::byte>> hoard;
    std::size_t resident = 0, old = 0; // bytes of the process and the old crowds after a tenth
    Elder<2> in_the_plane(seed);
    Elder<3> in_space(seed);
    const auto memory_of_old = [&] { return in_the_plane.memory() + in_space.memory(); };
    const auto grow_older = [&](auto& elder) {
        const char* const broken = elder.season();
        if (broken != nullptr) { std::printf("%s\n", broken); }
        watchdog.beat("a season of the old crowd");
        return broken == nullptr;
    };
    const auto play = [&]<std::size_t Dim>() {
        const std::uint64_t own = seed + episodes;
        const char* broken = nullptr;
        CappedMemory memory(std::size_t{1} << 30);
        {
            Episode<Dim> episode(own, memory);
            broken = episode.run(watchdog);
            agents += episode.agents_seen();
        }
        if (broken == nullptr && memory.used() != 0) { broken = "memory was not given back"; }
        if (broken != nullptr) {
            std::printf("episode of seed %llu in %zuD: %s\n", static_cast<unsigned long long>(own),
                        Dim, broken);
        }
        ++episodes;
        return broken == nullptr;
    };
    bool sound = true;
    do {
        sound = play.operator()<2>() && play.operator()<3>() && grow_older(in_the_plane) &&
                grow_older(in_space);
        if (hoarded != 0) { hoard.emplace_back(hoarded, std::byte{1}); }
        if (spent() < 0.1 * seconds || resident == 0) {
            resident = resident_bytes();
            old = memory_of_old();
        }
    } while (sound && spent() < seconds);
    const std::size_t resident_now = resident_bytes(), old_now = memory_of_old();
    std::printf("%zu episodes of 1000 frames, %zu agents placed, %.0f s; %zu KiB resident after a "
                "tenth, %zu at the end; old crowds %zu KiB and %zu\n",
                episodes, agents, spent(), resident / 1024, resident_now / 1024, old / 1024,
                old_now / 1024);
    // In a short run, crowds may still become fuller after the first tenth, so growth proves
    // nothing.
    const bool grown = (seconds >= kSettledAfter || hoarded != 0) &&
                       has_grown(resident_now, resident, old_now, old);
    if (grown) { std::printf("it grows\n"); }
    return sound && !grown;
}

} // namespace throng::soak
