// What answers in keys of the host's cost beside answers in ids, for crowds of handles.
#include "benchmarks.hpp"
#include "measure/measure.hpp"

#include "../tests/support/random.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/parallel/batch/batch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace throng::bench {

namespace {

/// Lists in ids; the same and then in keys; and in ids which a host looks up.
enum class Wanted { ids, keys, map };

/// Whether agents have come in an order that has nothing to do with where they are, or neighbours
/// together, as a host's arrays have them after reorder().
enum class Came { anyhow, together };

constexpr float kCell = 2.5f;

/// Agents with keys in the plane, and the lists of their neighbours.
class Keyed {
public:
    Keyed(std::size_t agents, Came came) {
        scenes::Random random(5);
        const float side = std::sqrt(static_cast<float>(agents));
        std::vector<Agent<2>> all(agents);
        std::vector<std::uint64_t> keys(agents);
        std::vector<Handle> handles(agents);
        for (std::size_t i = 0; i < agents; ++i) {
            all[i].position = {{random.between(0.0f, side), random.between(0.0f, side)}};
        }
        if (came == Came::together) {
            std::sort(all.begin(), all.end(), [](const Agent<2>& a, const Agent<2>& b) {
                const auto place = [](const Point<2>& at) {
                    return std::pair(std::floor(at[1] / kCell), at[0]);
                };
                return place(a.position) < place(b.position);
            });
        }
        for (std::size_t i = 0; i < agents; ++i) {
            keys[i] = std::uint64_t{i} * 0x9E37'79B9'7F4A'7C15u;
        }
        CrowdSettings<2> settings;
        settings.bounds = Box<2>{{{0.0f, 0.0f}}, {{side, side}}};
        settings.cell = Point<2>::all(kCell);
        note(crowd_.configure(settings));
        note(crowd_.add(all, handles, keys));
        for (std::size_t i = 0; i < agents; ++i) {
            map_.emplace(handles[i].slot, keys[i]);
        }
    }

    void ask(Wanted wanted) {
        note(batch_.neighbours(crowd_, {kCell}, hits_));
        if (wanted == Wanted::keys) { note(crowd_.keys(hits_, answer_)); }
        if (wanted == Wanted::map) {
            answer_.keys.resize(hits_.total());
            for (std::size_t i = 0; i < hits_.total(); ++i) {
                answer_.keys[i] = map_.find(hits_.ids[i])->second;
            }
        }
    }

    [[nodiscard]] bool is_right(Wanted wanted) const {
        bool right = sound_;
        for (std::size_t i = 0; wanted != Wanted::ids && i < hits_.total(); ++i) {
            right = right && answer_.keys[i] == map_.at(hits_.ids[i]);
        }
        return right;
    }
    [[nodiscard]] double hits() const noexcept { return static_cast<double>(hits_.total()); }

private:
    void note(const Status& status) noexcept { sound_ = sound_ && status.ok(); }

    throng::Crowd<2> crowd_;
    Batch<2> batch_;
    std::unordered_map<Id, std::uint64_t> map_; ///< as a host has it that finds keys by itself
    Hits hits_;
    KeyHits answer_;
    bool sound_ = true;
};

void run(benchmark::State& state, Wanted wanted, std::size_t agents, Came came) {
    Keyed keyed(agents, came);
    keyed.ask(wanted); // arrays grow
    Stopwatch watch;
    for (auto _ : state) {
        watch.time([&] { keyed.ask(wanted); });
        watch.end_iteration(state);
    }
    if (!keyed.is_right(wanted)) { state.SkipWithError("a key is wrong, or a call was refused"); }
    state.counters["ns_per_agent"] = watch.nanoseconds() / static_cast<double>(agents);
    state.counters["ns_per_hit"] = watch.nanoseconds() / keyed.hits();
}

} // namespace

void register_keys() {
    for (const std::size_t agents : {5'000u, 100'000u, 1'000'000u}) {
        for (const Came came : {Came::anyhow, Came::together}) {
            for (const Wanted wanted : {Wanted::ids, Wanted::keys, Wanted::map}) {
                const char* const name = wanted == Wanted::ids    ? "ids"
                                         : wanted == Wanted::keys ? "keys"
                                                                  : "map";
                std::string full = "keys/" + std::to_string(agents) + "/neighbours_" + name;
                if (came == Came::together) { full += "/together"; }
                benchmark::RegisterBenchmark(full.c_str(), [=](benchmark::State& state) {
                    run(state, wanted, agents, came);
                })->UseManualTime();
            }
        }
    }
}

} // namespace throng::bench
