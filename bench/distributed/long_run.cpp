#include "long_run.hpp"

#include "walk.hpp"

#include <throng/distributed/checkpoint.hpp>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <vector>

namespace throng::bench {

namespace {

/// The number of an agent's steps, and their hash. Both travel with the agent, also into
/// checkpoints, so nothing is lost with a rank.
struct Past {
    std::uint64_t hash, steps;
};

/// The number of steps so far, and the hash of all agents' steps. Collective.
Past past_of_all(Ranks& ranks, const std::vector<Past>& agents, std::size_t owned) {
    std::array<std::uint64_t, 2> own{};
    for (std::size_t i = 0; i < owned; ++i) {
        own[0] += agents[i].hash;
        own[1] = agents[i].steps; // the same for all agents
    }
    std::vector<std::uint64_t> all(own.size() * ranks.size());
    expect_ok(ranks.gather(own, all));
    Past past{};
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        past.hash += all[2 * rank];
        past.steps = std::max(past.steps, all[2 * rank + 1]); // a rank without agents has 0
    }
    return past;
}

} // namespace

std::uint64_t run_to_its_end(Ranks& ranks, const LongRun& run) {
    Walking walking(ranks);
    const Column<Past> pasts = walking.mine.column<Past>(Travels::with_owner);
    if (!run.folder.empty() && std::filesystem::exists(run.folder + "/crowd")) {
        expect_ok(load(walking.crowd, walking.mine, run.folder.c_str()));
    } else {
        walking.begin(Walk(run.agents, run.clustered));
        walking.mine[pasts].resize(walking.mine.ids.size());
    }
    int made =
        static_cast<int>(past_of_all(ranks, walking.mine[pasts], walking.mine.owned()).steps);
    if (made > 0 && ranks.rank() == 0) {
        std::printf("goes on after step %d\n", made);
        std::fflush(stdout); // the process may be killed
    }
    std::vector<std::uint64_t> hashes;
    while (made < run.steps) {
        walking.update();
        walking.step(&hashes);
        for (std::size_t i = 0; i < hashes.size(); ++i) {
            Past& past = walking.mine[pasts][i];
            past = {past.hash + hashes[i], past.steps + 1};
        }
        const bool last = ranks.rank() + 1 == ranks.size();
        if (run.killed && last && made == run.steps / 2) { std::raise(SIGKILL); }
        ++made;
        if (!run.folder.empty() && made % std::max(run.steps / 8, 1) == 0) {
            expect_ok(save(walking.crowd, walking.mine, run.folder.c_str()));
        }
    }
    return past_of_all(ranks, walking.mine[pasts], walking.mine.owned()).hash;
}

} // namespace throng::bench
