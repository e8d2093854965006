// Batches against the same questions asked one by one, with questions that are neighbours in space,
// and with scattered ones.
#include "../engine/grid/grid_parts.hpp"
#include "benchmarks.hpp"
#include "measure/measure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

namespace throng::bench {

namespace {

constexpr std::size_t kLookedAt = 20;

/// Makes a shape with about `hits` hits in a crowd of one agent for each unit of area or volume.
template <std::size_t Dim>
void around(const Point<Dim>& point, double hits, Box<Dim>& box) {
    const double side = Dim == 2 ? std::sqrt(hits) : std::cbrt(hits);
    box = Box<Dim>::around(point, Point<Dim>::all(static_cast<float>(side / 2 - 0.25)));
}
template <std::size_t Dim>
void around(const Point<Dim>& point, double hits, Ball<Dim>& ball) {
    const double radius = Dim == 2 ? std::sqrt(hits / std::numbers::pi)
                                   : std::cbrt(hits / (4.0 / 3.0 * std::numbers::pi));
    ball = {point, static_cast<float>(radius)};
}

/// How questions are asked: one by one or as packets through RowGrid, or through Batch, which may
/// sort them.
enum class Asked : std::uint8_t { single, packets, batch };

/// Asks the questions of all agents, and sums the answers, so that all ways can be compared.
template <template <std::size_t> class Shape, std::size_t Dim>
class Panel {
public:
    Panel(const RowGrid<Dim>& grid, PacketForm form)
        : grid_(grid), form_(form), counts_(grid.size()), ids_(1024),
          scratch_(GridParts<Dim>::scratch()) {}

    /// Returns nanoseconds per question.
    double ask(std::span<const Shape<Dim>> shapes, std::span<const Id> askers, Asked asked) {
        Stopwatch watch;
        sum_ = {};
        sound_ = true;
        if (form_ == PacketForm::ids && asked == Asked::batch) {
            watch.time([&] { sound_ = batch_.query(grid_, shapes, hits_).ok(); });
            add_hits(askers);
        } else if (asked == Asked::batch) {
            watch.time([&] {
                sound_ = (form_ == PacketForm::count ? batch_.count(grid_, shapes, counts_)
                                                     : batch_.any(grid_, shapes, counts_))
                             .status.ok();
            });
            add_counts(askers);
        } else {
            for (std::size_t begin = 0; begin < shapes.size(); begin += kChunk) {
                const std::size_t count = std::min(kChunk, shapes.size() - begin);
                const std::span<const Shape<Dim>> chunk = shapes.subspan(begin, count);
                watch.time(
                    [&] { asked == Asked::single ? ask_single(chunk) : ask_packets(chunk); });
                if (form_ == PacketForm::ids && asked == Asked::packets) {
                    add_hits(askers.subspan(begin, count));
                } else {
                    add_counts(askers.subspan(begin, count));
                }
            }
        }
        return watch.running_nanoseconds() / static_cast<double>(shapes.size());
    }

    [[nodiscard]] bool sound() const noexcept { return sound_; }
    [[nodiscard]] const Checksum& sum() const noexcept { return sum_; }

private:
    void ask_single(std::span<const Shape<Dim>> shapes) {
        std::size_t used = 0;
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            Found found;
            if (form_ == PacketForm::count) {
                found = grid_.count(shapes[i]);
            } else if (form_ == PacketForm::any) {
                found = grid_.any(shapes[i]);
            } else {
                found = grid_.query(shapes[i], std::span<Id>(ids_).subspan(used));
                used += found.count;
                if (used > ids_.size()) {
                    used -= found.count;
                    ids_.resize(2 * (used + found.count));
                    --i;
                    continue;
                }
            }
            counts_[i] = static_cast<std::uint32_t>(found.count);
            sound_ = sound_ && found.status.ok();
        }
    }
    void ask_packets(std::span<const Shape<Dim>> shapes) {
        if (form_ == PacketForm::ids) {
            sound_ = grid_.query(shapes, hits_).ok() && sound_;
            return;
        }
        const Found found = form_ == PacketForm::count
                                ? grid_.parts().count(shapes, 0, shapes.size(), scratch_, counts_)
                                : grid_.parts().any(shapes, 0, shapes.size(), scratch_, counts_);
        sound_ = found.status.ok() && sound_;
    }

    void add_hits(std::span<const Id> askers) {
        for (std::size_t i = 0; i < askers.size(); ++i) {
            sum_.add(askers[i], hits_.of(i));
        }
    }
    /// For ids of single questions, adds the ids too.
    void add_counts(std::span<const Id> askers) {
        const Id* next = ids_.data();
        for (std::size_t i = 0; i < askers.size(); ++i) {
            if (form_ == PacketForm::ids) {
                sum_.add(askers[i], {next, counts_[i]});
                next += counts_[i];
            } else {
                sum_.add(askers[i], std::span<const Id>(&counts_[i], 1));
            }
        }
    }

    const RowGrid<Dim>& grid_;
    PacketForm form_;
    Batch<Dim> batch_;
    std::vector<std::uint32_t> counts_;
    std::vector<Id> ids_;
    Hits hits_;
    std::vector<std::uint32_t> scratch_;
    Checksum sum_;
    bool sound_ = true;
};

/// Checks the answers to a few questions by a test of all agents.
template <template <std::size_t> class Shape, std::size_t Dim>
bool are_right(const Crowd<Shape, Dim>& crowd, std::span<const Shape<Dim>> shapes) {
    for (std::size_t i = 0; i < kLookedAt; ++i) {
        const Shape<Dim>& shape = shapes[i * shapes.size() / kLookedAt];
        if (crowd.grid().count(shape).count != crowd.look_at_all(shape).size()) { return false; }
    }
    return true;
}

} // namespace

template <template <std::size_t> class Shape, std::size_t Dim>
void compare_packets(benchmark::State& state, Crowd<Shape, Dim>& crowd, PacketForm form,
                     double hits) {
    // Questions in random order, which a batch leaves unsorted or sorts.
    struct Case {
        const char* name;
        Order order;
        Asked asked;
    };
    constexpr std::array kCases = {Case{"single", Order::storage, Asked::single},
                                   Case{"packets", Order::storage, Asked::packets},
                                   Case{"batch", Order::storage, Asked::batch},
                                   Case{"shuffled_single", Order::callers, Asked::single},
                                   Case{"shuffled_packets", Order::callers, Asked::packets},
                                   Case{"shuffled_batch", Order::callers, Asked::batch}};
    const auto questions = [&](std::span<const Id> askers) {
        std::vector<Shape<Dim>> shapes(askers.size());
        for (std::size_t i = 0; i < askers.size(); ++i) {
            around(crowd.position_of(askers[i]), hits, shapes[i]);
        }
        return shapes;
    };
    const std::vector<Shape<Dim>> stored = questions(crowd.in_storage_order());
    const std::vector<Shape<Dim>> shuffled = questions(crowd.in_callers_order());
    if (!are_right<Shape, Dim>(crowd, stored)) {
        state.SkipWithError("an answer differs from what looking at all agents finds");
        return;
    }
    Panel<Shape, Dim> panel(crowd.grid(), form);
    std::optional<Checksum> wanted;
    std::array<std::vector<double>, kCases.size()> times;
    const auto ask = [&](std::size_t c) {
        const bool in_order = kCases[c].order == Order::storage;
        const double time = panel.ask(
            in_order ? stored : shuffled,
            in_order ? crowd.in_storage_order() : crowd.in_callers_order(), kCases[c].asked);
        if (!wanted.has_value()) { wanted = panel.sum(); }
        if (!panel.sound() || panel.sum() != *wanted) {
            state.SkipWithError("the ways of asking do not agree");
        }
        return time;
    };
    // The first time does not count, because arrays grow.
    for (std::size_t c = 0; c < kCases.size(); ++c) {
        (void)ask(c);
    }
    for (auto _ : state) {
        double all = 0.0;
        for (std::size_t c = 0; c < kCases.size(); ++c) {
            times[c].push_back(ask(c));
            all += times[c].back();
        }
        state.SetIterationTime(all * 1e-9 * static_cast<double>(stored.size()));
    }
    std::array<double, kCases.size()> middle{};
    for (std::size_t c = 0; c < kCases.size(); ++c) {
        if (times[c].empty()) { return; }
        std::nth_element(times[c].begin(),
                         times[c].begin() + static_cast<std::ptrdiff_t>(times[c].size() / 2),
                         times[c].end());
        middle[c] = times[c][times[c].size() / 2];
        state.counters[std::string("ns_") + kCases[c].name] = middle[c];
    }
    for (const std::size_t c : {1u, 2u}) {
        state.counters[std::string("times_") + kCases[c].name] = middle[0] / middle[c];
    }
    for (const std::size_t c : {4u, 5u}) {
        state.counters[std::string("times_") + kCases[c].name] = middle[3] / middle[c];
    }
}

template <template <std::size_t> class Shape, std::size_t Dim>
void packets_apart(benchmark::State& state, Crowd<Shape, Dim>& crowd, double hits,
                   std::size_t apart) {
    std::vector<Shape<Dim>> shapes;
    std::vector<Id> askers;
    for (std::size_t i = 0; i < crowd.in_storage_order().size(); i += apart) {
        askers.push_back(crowd.in_storage_order()[i]);
        around(crowd.position_of(askers.back()), hits, shapes.emplace_back());
    }
    Panel<Shape, Dim> panel(crowd.grid(), PacketForm::count);
    (void)panel.ask(shapes, askers, Asked::single);
    const Checksum wanted = panel.sum();
    std::vector<double> times;
    for (auto _ : state) {
        times.push_back(panel.ask(shapes, askers, Asked::packets));
        state.SetIterationTime(times.back() * 1e-9 * static_cast<double>(shapes.size()));
        if (!panel.sound() || panel.sum() != wanted) {
            state.SkipWithError("the ways of asking do not agree");
            return;
        }
    }
    std::sort(times.begin(), times.end());
    state.counters["ns"] = times[times.size() / 2];
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template void compare_packets(benchmark::State&, Crowd<Box, Dim>&, PacketForm, double);        \
    template void packets_apart(benchmark::State&, Crowd<Box, Dim>&, double, std::size_t);         \
    template void packets_apart(benchmark::State&, Crowd<Ball, Dim>&, double, std::size_t);        \
    template void compare_packets(benchmark::State&, Crowd<Ball, Dim>&, PacketForm, double);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng::bench
