// The hierarchical bitset with 10^8 numbers: finding, visiting, uniting and intersecting members.
#include "../benchmarks.hpp"
#include "../measure/measure.hpp"

#include "../../tests/support/random.hpp"
#include <throng/engine/memory/hierarchical_bitset.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace throng::bench {

namespace {

constexpr std::uint32_t kNumbers = 100'000'000;

/// A set, and its members in ascending order.
struct RandomSet {
    RandomSet(std::size_t count, std::uint64_t seed) : set(kNumbers) {
        scenes::Random random(seed);
        while (members.size() < count) {
            const std::uint32_t i = random.below(kNumbers);
            if (set.test(i)) { continue; }
            set.set(i);
            members.push_back(i);
        }
        std::sort(members.begin(), members.end());
    }
    HierarchicalBitset set;
    std::vector<std::size_t> members;
};

/// The visited members: how many, and a hash that depends on their order.
struct Trace {
    std::uint64_t count = 0, hash = 0;
    void add(std::size_t i) noexcept {
        ++count;
        hash = hash * 3 + i;
    }
    friend bool operator==(const Trace&, const Trace&) = default;
};

Trace trace_of(const std::vector<std::size_t>& members) {
    Trace trace;
    for (const std::size_t i : members) {
        trace.add(i);
    }
    return trace;
}

void report_members(benchmark::State& state, const Stopwatch& watch, std::size_t members) {
    state.counters["us"] = watch.nanoseconds() * 1e-3;
    state.counters["ns_per_member"] =
        members == 0 ? 0.0 : watch.nanoseconds() / static_cast<double>(members);
}

/// Times find(a, b), which must return `wanted`.
template <class Find>
void find_members(benchmark::State& state, const Trace& wanted, const Find& find) {
    Stopwatch watch;
    for (auto _ : state) {
        Trace found;
        watch.time([&] { found = find(); });
        if (found != wanted) {
            state.SkipWithError("the members are not those that were put in");
            return;
        }
        watch.end_iteration(state);
    }
    report_members(state, watch, wanted.count);
}

void visit(benchmark::State& state, std::size_t count) {
    const RandomSet random(count, 1);
    find_members(state, trace_of(random.members), [&] {
        Trace found;
        random.set.for_each([&](std::size_t i) { found.add(i); });
        return found;
    });
}

void visit_range(benchmark::State& state, std::size_t count) {
    const RandomSet random(count, 1);
    constexpr std::size_t kBegin = kNumbers / 4, kEnd = 3 * kBegin;
    Trace wanted;
    for (const std::size_t i : random.members) {
        if (kBegin <= i && i < kEnd) { wanted.add(i); }
    }
    find_members(state, wanted, [&] {
        Trace found;
        random.set.for_each(kBegin, kEnd, [&](std::size_t i) { found.add(i); });
        return found;
    });
}

void next(benchmark::State& state, std::size_t count) {
    const RandomSet random(count, 1);
    find_members(state, trace_of(random.members), [&] {
        Trace found;
        for (std::size_t i = random.set.next(0); i < kNumbers; i = random.set.next(i + 1)) {
            found.add(i);
        }
        return found;
    });
}

enum class Of : std::uint8_t { both, either };

/// Intersects or unites two sets. The copy of the first set is not timed.
void put_together(benchmark::State& state, std::size_t count, Of of) {
    const RandomSet a(count, 1), b(count, 2);
    std::vector<std::size_t> in_both;
    std::set_intersection(a.members.begin(), a.members.end(), b.members.begin(), b.members.end(),
                          std::back_inserter(in_both));
    const std::uint64_t common = in_both.size();
    const std::uint64_t wanted = of == Of::both ? common : 2 * count - common;
    HierarchicalBitset set = a.set;
    Stopwatch watch;
    for (auto _ : state) {
        set.clear();
        set |= a.set;
        watch.time([&] {
            if (of == Of::both) {
                set &= b.set;
            } else {
                set |= b.set;
            }
        });
        if (set.count() != wanted) {
            state.SkipWithError("the members are not those that were put in");
            return;
        }
        watch.end_iteration(state);
    }
    report_members(state, watch, 2 * count);
}

/// Adds and removes members in random order.
void edit(benchmark::State& state, std::size_t count) {
    RandomSet random(count, 1);
    scenes::Random shuffle(5);
    for (std::size_t i = count; i > 1; --i) {
        std::swap(random.members[i - 1],
                  random.members[shuffle.below(static_cast<std::uint32_t>(i))]);
    }
    HierarchicalBitset set(kNumbers);
    Stopwatch add, remove;
    for (auto _ : state) {
        add.time([&] {
            for (const std::size_t i : random.members) {
                set.set(i);
            }
        });
        const bool all = set == random.set;
        remove.time([&] {
            for (const std::size_t i : random.members) {
                set.reset(i);
            }
        });
        if (!all || !set.empty()) {
            state.SkipWithError("the members are not those that were put in");
            return;
        }
        add.end_iteration(state);
        remove.end_iteration();
    }
    report_members(state, add, count);
    state.counters["reset_ns"] = remove.nanoseconds() / static_cast<double>(count);
}

/// A thousand runs of 50,000 numbers each.
void ranges(benchmark::State& state) {
    constexpr std::size_t kRuns = 1'000, kLength = 50'000, kStep = kNumbers / kRuns;
    HierarchicalBitset set(kNumbers);
    Stopwatch add, count, remove;
    for (auto _ : state) {
        add.time([&] {
            for (std::size_t r = 0; r < kRuns; ++r) {
                set.set_range(r * kStep + 7, r * kStep + 7 + kLength);
            }
        });
        std::size_t members = 0;
        count.time([&] { members = set.count(kNumbers / 2, kNumbers); });
        remove.time([&] {
            for (std::size_t r = 0; r < kRuns; ++r) {
                set.reset_range(r * kStep, (r + 1) * kStep);
            }
        });
        if (members != kRuns / 2 * kLength || !set.empty()) {
            state.SkipWithError("the members are not those that were put in");
            return;
        }
        add.end_iteration(state);
        count.end_iteration();
        remove.end_iteration();
    }
    state.counters["us"] = add.nanoseconds() * 1e-3;
    state.counters["count_us"] = count.nanoseconds() * 1e-3;
    state.counters["reset_us"] = remove.nanoseconds() * 1e-3;
}

template <class Call>
void add(const std::string& name, const Call& call) {
    benchmark::RegisterBenchmark(name.c_str(), call)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
}

} // namespace

void register_bitset() {
    for (const std::size_t count : {1'000u, 1'000'000u}) {
        const auto of_members = [=](const char* name, const auto& body) {
            add(std::string("bitset/").append(name).append(1, '/') + std::to_string(count), body);
        };
        of_members("visit", [=](auto& state) { visit(state, count); });
        of_members("visit_range", [=](auto& state) { visit_range(state, count); });
        of_members("next", [=](auto& state) { next(state, count); });
        of_members("intersect", [=](auto& state) { put_together(state, count, Of::both); });
        of_members("unite", [=](auto& state) { put_together(state, count, Of::either); });
        of_members("edit", [=](auto& state) { edit(state, count); });
    }
    add("bitset/ranges", [](auto& state) { ranges(state); });
}

} // namespace throng::bench
