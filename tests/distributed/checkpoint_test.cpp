// Checkpoints: a run continues on any number of ranks, and after any failure a whole one remains.
#include "../support/folder.hpp"
#include "snapshot.hpp"
#include "starved.hpp"

#include <throng/distributed/checkpoint.hpp>
#include <throng/distributed/one_rank.hpp>

#include <filesystem>

#if defined(__unix__)
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>
#endif

namespace throng::test {
namespace {

Plan small_plan() {
    Plan plan;
    plan.agents = 40;
    plan.side = 6.0f;
    plan.own_half_extents = true;
    plan.groups = true;
    return plan;
}

/// Runs steps from ... to - 1. Loads a checkpoint first unless `from` is 0, and saves one at the
/// end unless the run is over. With `early`, agents that are born in step `to` are in it already.
template <std::size_t Dim>
std::uint64_t run(const Plan& plan, std::uint32_t ranks, int from, int to, const char* folder,
                  bool early) {
    Sum all;
    std::mutex mutex;
    ThreadRanks job(ranks, ranks);
    job.run([&](Ranks& self) {
        Flock<Dim> flock(self, plan);
        if (from == 0) {
            ASSERT_EQ(flock.crowd.configure(settings_of<Dim>(plan)), Status{});
        } else {
            ASSERT_EQ(load(flock.crowd, flock.mine, folder), Status{});
        }
        for (int step = from; step < to; ++step) {
            if (!(early && step == from && step > 0)) { flock.live_and_die(step); }
            ASSERT_EQ(flock.crowd.update(flock.mine), Status{});
            ASSERT_EQ(flock.answer(), Status{});
        }
        if (to < plan.steps) {
            if (early) { flock.live_and_die(to); }
            ASSERT_EQ(save(flock.crowd, flock.mine, folder), Status{});
        }
        const std::lock_guard lock(mutex);
        all.value += flock.sum.value;
    });
    return all.value;
}

template <std::size_t Dim>
void check_goes_on(const Plan& plan, bool early) {
    const std::uint64_t unbroken = plain_hash<Dim>(plan);
    for (const std::uint32_t before : {1u, 3u, 7u}) {
        for (const std::uint32_t after : {1u, 2u, 5u}) {
            const Folder folder;
            const std::string path = folder.file("run/checkpoint");
            const std::uint64_t first = run<Dim>(plan, before, 0, 3, path.c_str(), early);
            const std::uint64_t rest = run<Dim>(plan, after, 3, plan.steps, path.c_str(), early);
            ASSERT_EQ(first + rest, unbroken) << before << " ranks, then " << after;
        }
    }
}

TEST(Checkpoint, ARunGoesOnByAnyNumberOfRanks) {
    for (const Scene scene : {Scene::uniform, Scene::one_point, Scene::outside}) {
        Plan plan;
        plan.scene = scene;
        check_goes_on<2>(plan, false);
        check_goes_on<3>(plan, false);
        plan.own_half_extents = plan.groups = plan.births = true;
        check_goes_on<2>(plan, true);
        check_goes_on<3>(plan, true);
    }
}

TEST(Checkpoint, MoreThanOneBlock) {
    Plan plan;
    plan.agents = 40'000;
    plan.side = 200.0f;
    const std::uint64_t unbroken = plain_hash<2>(plan);
    const Folder folder;
    const std::string path = folder.file("c");
    const std::uint64_t first = run<2>(plan, 2, 0, 3, path.c_str(), false);
    // Six ranks load four blocks, so some ranks read none.
    EXPECT_EQ(first + run<2>(plan, 6, 3, plan.steps, path.c_str(), false), unbroken);
}

/// Calls `body` on each rank with a flock after two steps.
void with_flocks(std::uint32_t ranks, const std::function<void(Ranks&, Flock<2>&)>& body,
                 const RankFaults& faults = {}) {
    ThreadRanks job(ranks, 5, faults);
    job.run([&](Ranks& self) {
        Flock<2> flock(self, small_plan());
        Status status = flock.crowd.configure(settings_of<2>(small_plan()));
        for (int step = 0; step < 2 && status.ok(); ++step) {
            status = flock.step(step);
        }
        if (status.ok()) { body(self, flock); }
    });
}

/// The ages of all agents of a checkpoint, with ids; empty if it cannot be loaded.
std::vector<std::pair<GlobalId, std::uint32_t>> ages_in(const char* folder) {
    OneRank rank;
    Flock<2> flock(rank, small_plan());
    std::vector<std::pair<GlobalId, std::uint32_t>> ages;
    if (!load(flock.crowd, flock.mine, folder).ok()) { return ages; }
    for (std::size_t i = 0; i < flock.mine.owned(); ++i) {
        ages.emplace_back(flock.mine.ids[i], flock.mine[flock.age][i]);
    }
    return ages;
}

TEST(Checkpoint, TheOldOneIsRemovedWhenTheNewOneIsWhole) {
    const Folder folder;
    const std::string path = folder.file("");
    with_flocks(3, [&](Ranks&, Flock<2>& flock) {
        for (int i = 0; i < 3; ++i) {
            ASSERT_EQ(save(flock.crowd, flock.mine, path.c_str()), Status{});
        }
    });
    EXPECT_EQ(folder.files(), 4u);
    EXPECT_EQ(bytes_of(folder.file("3-0")).empty(), false);
    // Fewer ranks save into a folder with files of aborted jobs, which are deleted, and files of
    // the user, which are kept.
    std::vector<std::byte> bytes = bytes_of(folder.file("3-0"));
    const auto leave = [&](const char* name, std::uint64_t generation, std::size_t size) {
        std::memcpy(bytes.data(), &generation, sizeof generation);
        std::ofstream file(folder.file(name), std::ios::binary);
        file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(size));
    };
    leave("4-0", 4, bytes.size());
    leave("5-0", 5, bytes.size() / 2);
    leave("6-0", 6, 8);
    leave("6-1", 6, 0);
    leave("2026-11", 3, bytes.size());
    leave("notes", 3, bytes.size());
    with_flocks(2, [&](Ranks&, Flock<2>& flock) {
        ASSERT_EQ(save(flock.crowd, flock.mine, path.c_str()), Status{});
    });
    EXPECT_EQ(folder.files(), 5u);
    EXPECT_TRUE(std::filesystem::exists(folder.file("2027-1")));
    EXPECT_TRUE(std::filesystem::exists(folder.file("notes")));
    EXPECT_TRUE(std::filesystem::exists(folder.file("2026-11")));
    EXPECT_EQ(ages_in(path.c_str()).size(), small_plan().agents);
}

TEST(Checkpoint, EveryByteThatChangesIsNoticed) {
    const Folder folder;
    const std::string path = folder.file("");
    with_flocks(2, [&](Ranks& self, Flock<2>& flock) {
        ASSERT_EQ(save(flock.crowd, flock.mine, path.c_str()), Status{});
        const Snapshot before(flock);
        Flock<2> other(self, small_plan());
        // Rank 0 writes these bytes to a file. Loading them must be refused and change nothing.
        const auto check = [&](const char* name, std::span<const std::byte> bytes,
                               const std::vector<Cause>& causes) {
            if (self.rank() == 0) {
                std::ofstream file(folder.file(name), std::ios::binary);
                file.write(reinterpret_cast<const char*>(bytes.data()),
                           static_cast<std::streamsize>(bytes.size()));
            }
            std::uint64_t agents = 0;
            ASSERT_EQ(flock.crowd.size(agents), Status{}); // waits until it is written
            const Status status = load(flock.crowd, other.mine, path.c_str());
            ASSERT_NE(std::find(causes.begin(), causes.end(), status.cause), causes.end())
                << to_string(status);
            ASSERT_EQ(status.argument, Argument::file);
            ASSERT_TRUE(other.mine.ids.empty() && other.mine[other.age].empty());
            ASSERT_EQ(other.mine.owned() + other.mine.ghosts(), 0u);
        };
        for (const char* name : {"crowd", "1-0", "1-1"}) {
            const std::vector<std::byte> whole = bytes_of(folder.file(name));
            ASSERT_GT(whole.size(), 100u);
            std::vector<std::byte> bytes = whole;
            for (std::size_t at = 0; at < whole.size(); ++at) {
                SCOPED_TRACE(testing::Message() << name << ", byte " << at);
                bytes[at] ^= std::byte{static_cast<unsigned char>(1u << at % 8)};
                check(name, bytes,
                      {Cause::corrupted, Cause::truncated, Cause::not_an_index,
                       Cause::other_version});
                if (HasFatalFailure()) { return; }
                bytes[at] = whole[at];
            }
            for (const std::size_t size : {std::size_t{0}, whole.size() / 2, whole.size() - 1}) {
                check(name, std::span(whole).first(size), {Cause::truncated});
            }
            bytes.emplace_back();
            check(name, bytes, {Cause::truncated});
            bytes.pop_back();
            if (self.rank() == 0) {
                std::ofstream file(folder.file(name), std::ios::binary);
                file.write(reinterpret_cast<const char*>(bytes.data()),
                           static_cast<std::streamsize>(bytes.size()));
            }
        }
        EXPECT_TRUE(Snapshot(flock) == before);
        ASSERT_EQ(load(flock.crowd, other.mine, path.c_str()), Status{});
    });
}

// No rank needs such a file for agents, yet it must be there and empty.
TEST(Checkpoint, FilesWithoutAgentsHaveToBeThereAndEmpty) {
    for (const bool none : {true, false}) { // otherwise rank 0 has all agents
        const Folder folder;
        const std::string path = folder.file("");
        ThreadRanks job(3, 3);
        job.run([&](Ranks& self) {
            DistributedGrid<2> crowd(self);
            ASSERT_EQ(crowd.configure(settings_of<2>(small_plan())), Status{});
            Share<2> mine;
            if (!none && self.rank() == 0) {
                mine.ids = {5};
                mine.positions = {{1.0f, 1.0f}};
                mine.half_extents = {{}};
                mine.groups = {1};
            }
            ASSERT_EQ(save(crowd, mine, path.c_str()), Status{});
        });
        const auto expect_loaded = [&](const Status& wanted) {
            for (const std::uint32_t ranks : {1u, 2u, 5u}) {
                ThreadRanks other(ranks, ranks);
                other.run([&](Ranks& self) {
                    DistributedGrid<2> crowd(self);
                    Share<2> mine;
                    EXPECT_EQ(load(crowd, mine, path.c_str()), wanted) << ranks << " ranks";
                });
            }
        };
        expect_loaded({});
        for (const char* name : {"1-0", "1-1", "1-2"}) {
            const std::string file = folder.file(name);
            if (std::filesystem::file_size(file) != 0) { continue; }
            SCOPED_TRACE(name);
            std::filesystem::remove(file);
            expect_loaded({Cause::io_failed, Argument::file});
            std::ofstream(file, std::ios::binary) << 'x';
            expect_loaded({Cause::truncated, Argument::file});
            std::filesystem::resize_file(file, 0);
            expect_loaded({});
        }
    }
}

TEST(Checkpoint, AFileOfAnotherGeneration) {
    const Folder folder;
    const std::string path = folder.file("");
    const auto save_once = [&] {
        with_flocks(2, [&](Ranks&, Flock<2>& flock) {
            ASSERT_EQ(save(flock.crowd, flock.mine, path.c_str()), Status{});
        });
    };
    save_once();
    std::filesystem::copy(folder.file("1-0"), folder.file("old"));
    save_once();
    ASSERT_EQ(std::filesystem::file_size(folder.file("old")),
              std::filesystem::file_size(folder.file("2-0")));
    std::filesystem::rename(folder.file("old"), folder.file("2-0"));
    with_flocks(3, [&](Ranks& self, Flock<2>& flock) {
        Flock<2> other(self, small_plan());
        ASSERT_EQ(load(flock.crowd, other.mine, path.c_str()),
                  (Status{Cause::corrupted, Argument::file}));
    });
}

TEST(Checkpoint, WhatIsRefused) {
    const Folder folder;
    const std::string path = folder.file("a"), other_path = folder.file("b");
    with_flocks(2, [&](Ranks& self, Flock<2>& flock) {
        const bool odd = self.rank() == 1;
        const Snapshot before(flock);
        const Status no_file{Cause::io_failed, Argument::file};
        Flock<2> none(self, small_plan());
        EXPECT_EQ(load(flock.crowd, none.mine, path.c_str()), no_file);
        EXPECT_EQ(load(flock.crowd, none.mine, odd ? nullptr : path.c_str()), no_file);
        EXPECT_EQ(save(none.crowd, none.mine, path.c_str()), Status{Cause::not_configured});
        EXPECT_EQ(save(flock.crowd, flock.mine, odd ? nullptr : path.c_str()), no_file);
        EXPECT_EQ(flock.crowd.refused_by(), 1u);
        if (odd) { flock.mine[flock.age].push_back(0); }
        EXPECT_EQ(save(flock.crowd, flock.mine, path.c_str()),
                  (Status{Cause::count_mismatch, Argument::columns, 1}));
        if (odd) { flock.mine[flock.age].pop_back(); }
        ASSERT_EQ(save(flock.crowd, flock.mine, path.c_str()), Status{});
        EXPECT_EQ(load(flock.crowd, flock.mine, path.c_str()),
                  (Status{Cause::count_mismatch, Argument::positions}));
        if (odd) { none.mine.groups.push_back(1); }
        EXPECT_EQ(load(flock.crowd, none.mine, path.c_str()),
                  (Status{Cause::count_mismatch, Argument::positions}));
        none.mine.groups.clear();
        if (odd) { (void)none.mine.column<std::uint8_t>(Travels::with_owner); }
        EXPECT_EQ(load(flock.crowd, none.mine, path.c_str()),
                  (Status{Cause::count_mismatch, Argument::columns, 2}));
        Share<2> with_ghosts;
        (void)with_ghosts.column<Point<2>>(Travels::with_ghosts);
        (void)with_ghosts.column<std::uint32_t>(Travels::with_ghosts);
        EXPECT_EQ(load(flock.crowd, with_ghosts, path.c_str()),
                  (Status{Cause::count_mismatch, Argument::columns, 1}));
        // One rank loads another crowd's checkpoint than the others.
        ASSERT_EQ(save(flock.crowd, flock.mine, other_path.c_str()), Status{});
        ASSERT_EQ(save(flock.crowd, flock.mine, other_path.c_str()), Status{});
        Flock<2> empty(self, small_plan());
        EXPECT_EQ(load(flock.crowd, empty.mine, (odd ? path : other_path).c_str()),
                  Status{Cause::ranks_differ});
        DistributedGrid<3> space(self);
        Share<3> points;
        EXPECT_EQ(load(space, points, path.c_str()),
                  (Status{Cause::other_version, Argument::file}));
        EXPECT_TRUE(Snapshot(flock) == before);
    });
    with_flocks(2, [&](Ranks&, Flock<2>& flock) {
        // Two ranks save an agent of the same name, so the name is twice in the files.
        flock.mine.keep_only({});
        flock.mine.ids.push_back(77);
        flock.mine.positions.push_back({1.0f, 1.0f});
        flock.mine.half_extents.push_back({});
        flock.mine.groups.push_back(1);
        flock.mine[flock.speed].push_back({});
        flock.mine[flock.age].push_back(0);
        ASSERT_EQ(save(flock.crowd, flock.mine, path.c_str()), Status{});
    });
    with_flocks(2, [&](Ranks& self, Flock<2>& flock) {
        Flock<2> none(self, small_plan());
        EXPECT_EQ(load(flock.crowd, none.mine, path.c_str()),
                  (Status{Cause::id_taken, Argument::id, 77}));
        EXPECT_TRUE(none.mine.ids.empty());
    });
}

TEST(Checkpoint, AFileThatCannotBeWritten) {
    const Folder folder;
    const std::string path = folder.file("");
    with_flocks(3, [&](Ranks& self, Flock<2>& flock) {
        ASSERT_EQ(save(flock.crowd, flock.mine, path.c_str()), Status{});
        // A folder has the name of a file that the next generation would write, so this save may
        // fail.
        if (self.rank() == 0) { std::filesystem::create_directory(folder.file("2-1")); }
        std::uint64_t agents = 0;
        ASSERT_EQ(flock.crowd.size(agents), Status{});
        // The next save skips that generation's number.
        ASSERT_EQ(save(flock.crowd, flock.mine, path.c_str()), Status{});
        EXPECT_TRUE(std::filesystem::exists(folder.file("3-1")));
    });
    const auto ages = ages_in(path.c_str());
    EXPECT_EQ(ages.size(), small_plan().agents);
    // The last possible generation number is taken, so no save can succeed.
    const std::string last = folder.file("18446744073709551615-0");
    std::ofstream(last).put(' ');
    with_flocks(3, [&](Ranks&, Flock<2>& flock) {
        EXPECT_EQ(save(flock.crowd, flock.mine, path.c_str()),
                  (Status{Cause::io_failed, Argument::file}));
    });
    EXPECT_EQ(ages_in(path.c_str()), ages);
    std::filesystem::remove(last);
    with_flocks(3, [&](Ranks& self, Flock<2>& flock) {
        if (self.rank() == 0) {
            std::filesystem::remove(folder.file("crowd"));
            std::filesystem::create_directories(folder.file("crowd/in the way"));
        }
        std::uint64_t agents = 0;
        ASSERT_EQ(flock.crowd.size(agents), Status{});
        EXPECT_EQ(save(flock.crowd, flock.mine, path.c_str()),
                  (Status{Cause::io_failed, Argument::file}));
        EXPECT_EQ(flock.crowd.refused_by(), 0u);
    });
    EXPECT_FALSE(std::filesystem::exists(folder.file("4-1")));
}

TEST(Checkpoint, AnyAllocationThatFails) {
    for (const bool loads : {false, true}) {
        const Folder folder;
        const std::string path = folder.file("");
        bool failed = true;
        std::size_t refusals = 0;
        for (std::size_t n = 0; failed; ++n) {
            ASSERT_LT(n, 2000u);
            failed = false;
            std::vector<Status> statuses(3);
            ThreadRanks job(3, n);
            job.run([&](Ranks& plain) {
                Starved ranks(plain);
                Flock<2> flock(ranks, small_plan());
                ASSERT_EQ(flock.crowd.configure(settings_of<2>(small_plan())), Status{});
                ASSERT_EQ(flock.step(0), Status{});
                if (n == 0) { ASSERT_EQ(save(flock.crowd, flock.mine, path.c_str()), Status{}); }
                const Snapshot before(flock);
                Flock<2> other(ranks, small_plan());
                if (ranks.rank() == 1) { ranks.starve(n); }
                const Status status = loads ? load(flock.crowd, other.mine, path.c_str())
                                            : save(flock.crowd, flock.mine, path.c_str());
                if (ranks.rank() == 1) { failed = ranks.feed(); }
                statuses[ranks.rank()] = status;
                if (status.ok() && loads) { return; }
                EXPECT_TRUE(Snapshot(flock) == before);
                EXPECT_TRUE(other.mine.ids.empty());
            });
            for (const Status& status : statuses) {
                ASSERT_EQ(status, statuses[0]) << "allocation " << n;
            }
            const bool refused = !statuses[0].ok();
            ASSERT_LE(refused, failed);
            refusals += refused ? 1 : 0;
            ASSERT_EQ(ages_in(path.c_str()).size(), small_plan().agents) << "allocation " << n;
        }
        EXPECT_GT(refusals, 5u);
    }
}

TEST(Checkpoint, ARankThatIsLostAtAnyCall) {
    const Folder folder;
    const std::string path = folder.file("");
    with_flocks(3, [&](Ranks&, Flock<2>& flock) {
        ASSERT_EQ(save(flock.crowd, flock.mine, path.c_str()), Status{});
    });
    const auto before = ages_in(path.c_str());
    auto after = before;
    for (auto& age : after) {
        age.second += 1000;
    }
    bool lost = true, old = false, fresh = false;
    for (std::uint64_t call = 0; lost; ++call) {
        ASSERT_LT(call, 200u);
        RankFaults faults;
        faults.ends = {1, call};
        lost = true;
        with_flocks(
            3,
            [&](Ranks& self, Flock<2>& flock) {
                for (std::uint32_t& age : flock.mine[flock.age]) {
                    age += 1000;
                }
                const Status status = save(flock.crowd, flock.mine, path.c_str());
                if (self.rank() == 0) { lost = !status.ok(); }
            },
            faults);
        const auto now = ages_in(path.c_str());
        ASSERT_TRUE(now == before || now == after) << "call " << call;
        old = old || (lost && now == before);
        fresh = fresh || now == after;
    }
    EXPECT_TRUE(old && fresh);
}

#if defined(__unix__)
TEST(Checkpoint, AProcessThatIsKilled) {
    const Folder folder;
    const std::string path = folder.file("");
    // Saves ages that count up, once or without end.
    const auto save_from = [&](std::uint32_t age, bool once) {
        with_flocks(3, [&](Ranks&, Flock<2>& flock) {
            std::uint32_t next = age;
            do {
                flock.mine[flock.age].assign(flock.mine.ids.size(), next++);
                ASSERT_EQ(save(flock.crowd, flock.mine, path.c_str()), Status{});
            } while (!once);
        });
    };
    save_from(0, true);
    std::uint32_t latest = 0;
    scenes::Random random(3);
    // Kills later and later until a first save has succeeded: a busy machine may take that long.
    float patience = 1.0f;
    for (int kill_number = 0; kill_number < 20 || latest == 0; ++kill_number) {
        ASSERT_LT(kill_number, 100);
        if (latest == 0) { patience *= 1.1f; }
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) { save_from(latest + 1, false); }
        std::this_thread::sleep_for(
            std::chrono::microseconds(static_cast<int>(patience * (1e3f + 2e4f * random.unit()))));
        ASSERT_EQ(kill(child, SIGKILL), 0);
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status)) << "the child must not end by itself";
        const auto ages = ages_in(path.c_str());
        ASSERT_EQ(ages.size(), small_plan().agents);
        for (const auto& age : ages) {
            ASSERT_EQ(age.second, ages[0].second) << "two checkpoints are mixed";
        }
        ASSERT_GE(ages[0].second, latest);
        latest = ages[0].second;
    }
}
#endif

} // namespace
} // namespace throng::test
