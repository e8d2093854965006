#include "../support/random.hpp"
#include "soak.hpp"
#include "watchdog.hpp"

#include <throng/engine/crowd/published_crowd.hpp>
#include <throng/parallel/executors/thread_pool.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <span>
#include <thread>
#include <vector>

namespace throng::soak {

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Collects times and summarises them.
class Times {
public:
    void add(double milliseconds) { all_.push_back(milliseconds); }
    void add(const Times& other) { all_.insert(all_.end(), other.all_.begin(), other.all_.end()); }

    /// Prints the slowest thousandth: its least, its mean and the worst time.
    void print(const char* what) {
        if (all_.empty()) { return; }
        std::sort(all_.begin(), all_.end());
        const std::size_t slow = std::max<std::size_t>(all_.size() / 1000, 1);
        double sum = 0.0;
        for (std::size_t i = all_.size() - slow; i < all_.size(); ++i) {
            sum += all_[i];
        }
        std::printf(
            "%-9s %9zu  median %8.3f ms  99 %% %8.3f  slowest 0.1 %%: from %8.3f, mean %8.3f, "
            "worst %8.3f\n",
            what, all_.size(), at(0.5), at(0.99), all_[all_.size() - slow],
            sum / static_cast<double>(slow), all_.back());
    }

private:
    [[nodiscard]] double at(double part) const {
        return all_[static_cast<std::size_t>(part * static_cast<double>(all_.size() - 1))];
    }

    std::vector<double> all_;
};

/// Asks a hundred balls, a hundred times a second, of the newest frame. Asks some of them again of
/// a frame that it holds until another is published, and whose answers must not have changed.
class Reader {
public:
    Reader(const PublishedCrowd<2>& crowd, std::size_t agents, float side, std::uint64_t seed)
        : crowd_(crowd), agents_(agents), side_(side), random_(seed), thread_([this] { read(); }) {}
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader() {
        if (thread_.joinable()) { stop(); }
    }

    void stop() {
        end_ = true;
        thread_.join();
    }
    [[nodiscard]] const Times& times() const noexcept { return times_; }
    [[nodiscard]] bool sound() const noexcept { return sound_; }

private:
    static constexpr std::size_t kQuestions = 100, kAskedAgain = 10;

    struct Held {
        Snapshot<Crowd<2>> frame;
        std::vector<Ball<2>> balls;
        std::vector<std::vector<Id>> answers;
    };

    Ball<2> ball() { return {{random_.between(0.0f, side_), random_.between(0.0f, side_)}, 2.0f}; }

    void read() {
        std::uint64_t last = 0;
        Held held;
        std::vector<Ball<2>> balls(kQuestions);
        while (!end_) {
            for (Ball<2>& asked : balls) {
                asked = ball();
            }
            const auto start = Clock::now();
            const Snapshot<Crowd<2>> frame = crowd_.acquire();
            for (const Ball<2>& asked : balls) {
                sound_ = frame->count(asked).status.ok() && sound_;
            }
            times_.add(milliseconds_since(start));
            // Each frame must be whole, and never older than the last one.
            sound_ = frame->size() == agents_ && frame.frame() >= last && sound_;
            last = frame.frame();
            if (!held.frame || held.frame.frame() != last) {
                sound_ = answers_of(held) == held.answers && sound_;
                held = {frame, {balls.begin(), balls.begin() + kAskedAgain}, {}};
                held.answers = answers_of(held);
            }
            std::this_thread::sleep_until(start + std::chrono::milliseconds(10));
        }
    }

    static std::vector<std::vector<Id>> answers_of(const Held& held) {
        std::vector<std::vector<Id>> answers;
        for (const Ball<2>& asked : held.balls) {
            answers.emplace_back(held.frame->count(asked).count);
            (void)held.frame->query(asked, std::span<Id>(answers.back()));
        }
        return answers;
    }

    const PublishedCrowd<2>& crowd_;
    std::size_t agents_;
    float side_;
    scenes::Random random_;
    Times times_;
    bool sound_ = true;
    std::atomic<bool> end_{false};
    std::thread thread_; // last: it uses all other members
};

} // namespace

bool load(std::size_t agents, std::size_t frames, std::size_t readers, std::uint64_t seed) {
    const float side = std::sqrt(static_cast<float>(agents));
    scenes::Random random(seed);
    std::vector<float> x(agents), y(agents), dx(agents), dy(agents);
    for (std::size_t i = 0; i < agents; ++i) {
        x[i] = random.between(0.0f, side);
        y[i] = random.between(0.0f, side);
        dx[i] = random.between(-0.1f, 0.1f);
        dy[i] = random.between(-0.1f, 0.1f);
    }
    Agents<2> views;
    views.positions = PointView<2>::separate({x.data(), y.data()}, agents);
    views.common_half_extent = Point<2>::all(0.25f);

    ThreadPool pool;
    PublishedCrowd<2> crowd;
    if (!crowd
             .configure({Box<2>{{}, Point<2>::all(side)}, Point<2>::all(1.0f)},
                        {false, false, views.common_half_extent})
             .ok() ||
        !crowd.update(views, pool).ok()) {
        return false;
    }
    Watchdog watchdog;
    std::vector<std::unique_ptr<Reader>> listeners;
    for (std::size_t r = 0; r < readers; ++r) {
        listeners.push_back(std::make_unique<Reader>(crowd, agents, side, seed + 1 + r));
    }
    const auto step = [side](std::vector<float>& place, std::vector<float>& way) {
        for (std::size_t i = 0; i < place.size(); ++i) {
            place[i] += way[i];
            // Turns round at the border of the world.
            way[i] = place[i] < 0.0f || place[i] > side ? -way[i] : way[i];
        }
    };
    Times updates;
    Times growing; // in memory that is new: the system has to find it first
    bool sound = true;
    for (std::size_t frame = 0; frame < frames; ++frame) {
        step(x, dx);
        step(y, dy);
        const std::size_t frames_before = crowd.frames();
        const auto start = Clock::now();
        sound = crowd.update(views, pool).ok() && sound;
        const double took = milliseconds_since(start);
        updates.add(took);
        if (crowd.frames() > frames_before) { growing.add(took); }
        watchdog.beat("a frame");
    }
    Times questions;
    for (const auto& listener : listeners) {
        listener->stop();
        sound = listener->sound() && sound;
        questions.add(listener->times());
    }
    std::printf("%zu agents on %zu threads, %zu readers, %zu frames in memory\n", agents,
                pool.threads(), readers, crowd.frames());
    updates.print("frames");
    growing.print(" in new");
    questions.print("100 balls");
    const Snapshot<Crowd<2>> last = crowd.acquire();
    for (int q = 0; q < 20; ++q) {
        const Ball<2> ball{{random.between(0.0f, side), random.between(0.0f, side)}, 2.0f};
        std::size_t wanted = 0;
        for (std::size_t i = 0; i < agents; ++i) {
            wanted += contains(ball, Point<2>{x[i], y[i]}) ? 1u : 0u;
        }
        sound = last->count(ball).count == wanted && sound;
    }
    return sound && last->validate() == nullptr && last->size() == agents;
}

} // namespace throng::soak
