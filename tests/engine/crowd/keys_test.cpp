// Keys of agents with handles, against a map from handles to keys.
#include "../../support/fail_each.hpp"
#include "../../support/random.hpp"
#include "../../support/threads/executors.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/frozen/frozen.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace throng {
namespace {

using Key = std::uint64_t;

Agent<2> somebody(scenes::Random& random) {
    // Cells are 2 wide, so one agent in five is a giant.
    const float half = random.below(5) == 0 ? random.between(1.5f, 9.0f) : 0.25f;
    return {{{random.between(0.0f, 50.0f), random.between(0.0f, 50.0f)}}, Point<2>::all(half), {}};
}

Key some_key(scenes::Random& random) {
    return std::uint64_t{random.below(0xFFFF'FFFFu)} << 32 | random.below(0xFFFF'FFFFu);
}

/// A crowd without agents, with cells that suit some hundreds, and that follow them.
Crowd<2> laid_crowd() {
    std::vector<float> x, y;
    for (int i = 0; i < 625; ++i) {
        x.push_back(static_cast<float>(2 * (i % 25)));
        y.push_back(static_cast<float>(2 * (i / 25)));
    }
    const std::vector<float> half(x.size(), 0.25f);
    Agents<2> agents;
    agents.positions = PointView<2>::separate({x.data(), y.data()}, x.size());
    agents.half_extents = PointView<2>::separate({half.data(), half.data()}, x.size());
    Crowd<2> crowd;
    EXPECT_EQ(crowd.update(agents), Status{});
    crowd.clear();
    return crowd;
}

/// A crowd with keys, and the keys that its agents should have.
class Keyed {
public:
    void add(std::size_t count, bool with_keys) {
        std::vector<Agent<2>> agents;
        std::vector<Key> keys;
        for (std::size_t i = 0; i < count; ++i) {
            agents.push_back(somebody(random_));
            keys.push_back(with_keys ? some_key(random_) : 0);
        }
        std::vector<Handle> handles(count);
        if (count == 1) {
            ASSERT_EQ(with_keys ? crowd_.add(agents[0], handles[0], keys[0])
                                : crowd_.add(agents[0], handles[0]),
                      Status{});
        } else {
            ASSERT_EQ(with_keys ? crowd_.add(agents, handles, keys) : crowd_.add(agents, handles),
                      Status{});
        }
        for (std::size_t i = 0; i < count; ++i) {
            keys_[handles[i]] = keys[i];
        }
    }

    void remove(std::size_t count) {
        std::vector<Handle> gone;
        for (std::size_t i = 0; i < count && !keys_.empty(); ++i) {
            gone.push_back(anybody());
            keys_.erase(gone.back());
        }
        ASSERT_EQ(gone.size() == 1 ? crowd_.remove(gone[0]) : crowd_.remove(gone), Status{});
    }

    void set_keys(std::size_t count) {
        std::vector<Handle> handles;
        std::vector<Key> keys;
        for (std::size_t i = 0; i < count && !keys_.empty(); ++i) {
            handles.push_back(anybody());
            keys.push_back(i % 4 == 0 ? 0 : some_key(random_));
            keys_[handles.back()] = keys.back(); // the last one counts
        }
        ASSERT_EQ(handles.size() == 1 ? crowd_.set_key(handles[0], keys[0])
                                      : crowd_.set_keys(handles, keys),
                  Status{});
    }

    /// Moves all agents; where they all go to one corner, the crowd lays other cells.
    void update(float side) {
        if (crowd_.slots() == 0) { return; } // empty arrays would have no extents
        std::array<std::vector<float>, 4> all;
        for (std::vector<float>& axis : all) {
            axis.resize(crowd_.slots());
        }
        for (const auto& [handle, key] : keys_) {
            const Agent<2> agent = somebody(random_);
            for (std::size_t a = 0; a < 2; ++a) {
                all[a][handle.slot] = agent.position[a] * side / 50.0f;
                all[2 + a][handle.slot] = (*agent.half_extent)[a] * side / 50.0f;
            }
        }
        Agents<2> agents;
        agents.positions = PointView<2>::separate({all[0].data(), all[1].data()}, all[0].size());
        agents.half_extents = PointView<2>::separate({all[2].data(), all[3].data()}, all[0].size());
        ASSERT_EQ(crowd_.update(agents), Status{});
    }

    /// The file knows the keys; handles have another owner then.
    void save_and_load() {
        std::vector<std::byte> bytes;
        ASSERT_EQ(save(crowd_, bytes), Status{});
        Crowd<2> other = laid_crowd();
        ASSERT_EQ(load(other, std::span<const std::byte>(bytes)), Status{});
        std::map<Handle, Key> keys;
        for (const auto& [handle, key] : keys_) {
            keys.emplace(other.handle_of(handle.slot), key);
        }
        keys_ = std::move(keys);
        crowd_ = std::move(other);
    }

    void clear() {
        crowd_.clear();
        keys_.clear();
    }
    void release() { crowd_.release_staging(); }

    void check() {
        ASSERT_STREQ(crowd_.validate(), nullptr);
        std::vector<Key> wanted(crowd_.slots() + 3);
        for (const auto& [handle, key] : keys_) {
            wanted[handle.slot] = key;
        }
        std::vector<Id> ids;
        for (Id id = 0; id < wanted.size(); ++id) {
            ids.push_back(id);
            ASSERT_EQ(crowd_.key_of(id), wanted[id]) << id;
        }
        std::vector<Key> keys(ids.size() + 1, 7);
        ASSERT_EQ(crowd_.keys(ids, keys), Status{});
        ASSERT_EQ(keys.back(), 7u);
        keys.pop_back();
        ASSERT_EQ(keys, wanted);
        const std::span<const Key> column = crowd_.keys_by_slot();
        ASSERT_LE(column.size(), crowd_.slots());
        wanted.resize(column.size());
        ASSERT_TRUE(std::equal(column.begin(), column.end(), wanted.begin()));
    }

    [[nodiscard]] scenes::Random& random() noexcept { return random_; }
    [[nodiscard]] std::size_t below(std::uint32_t most) { return random_.below(most); }

private:
    Handle anybody() {
        auto at = keys_.begin();
        std::advance(at, random_.below(static_cast<std::uint32_t>(keys_.size())));
        return at->first;
    }

    Crowd<2> crowd_ = laid_crowd();
    std::map<Handle, Key> keys_;
    scenes::Random random_{9};
};

TEST(CrowdKeys, AreThoseOfWhoLives) {
    Keyed keyed;
    for (int step = 0; step < 600; ++step) {
        switch (keyed.below(9)) {
        case 0:
            ASSERT_NO_FATAL_FAILURE(keyed.add(keyed.below(300), keyed.below(3) != 0));
            break;
        case 1:
            ASSERT_NO_FATAL_FAILURE(keyed.add(1, keyed.below(3) != 0));
            break;
        case 2:
        case 3:
            ASSERT_NO_FATAL_FAILURE(keyed.remove(keyed.below(150)));
            break;
        case 4:
            ASSERT_NO_FATAL_FAILURE(keyed.remove(1));
            break;
        case 5:
            ASSERT_NO_FATAL_FAILURE(keyed.set_keys(keyed.below(12)));
            break;
        case 6:
            ASSERT_NO_FATAL_FAILURE(keyed.update(keyed.below(2) == 0 ? 50.0f : 2.0f));
            break;
        case 7:
            ASSERT_NO_FATAL_FAILURE(keyed.save_and_load());
            break;
        default:
            if (keyed.below(12) == 0) { keyed.clear(); }
            keyed.release();
        }
        ASSERT_NO_FATAL_FAILURE(keyed.check()) << step;
    }
}

/// Agents with keys, statics, and the lists of what balls find.
struct Lists {
    Crowd<2> crowd = laid_crowd();
    std::vector<Handle> handles;
    std::map<Id, Key> keys;
    Hits hits;

    explicit Lists(std::size_t agents) : handles(agents) {
        scenes::Random random(3);
        std::vector<Agent<2>> all(agents);
        std::vector<Key> given(agents);
        for (std::size_t i = 0; i < agents; ++i) {
            all[i] = somebody(random);
            if (agents > 10'000) { all[i].half_extent = Point<2>::all(0.25f); }
            given[i] = some_key(random);
        }
        EXPECT_EQ(crowd.add(all, handles, given), Status{});
        for (std::size_t i = 0; i < agents; ++i) {
            keys[handles[i].slot] = given[i];
        }
        const float rock[] = {10.0f, 20.0f, 30.0f};
        Agents<2> rocks;
        rocks.positions = PointView<2>::separate({rock, rock}, 3);
        EXPECT_EQ(crowd.set_statics(rocks), Status{});
        for (std::size_t i = 0; i < 3; ++i) {
            keys[static_id(i)] = static_id(i);
        }
        std::vector<Ball<2>> balls;
        for (int i = 0; i < (agents > 10'000 ? 20 : 400); ++i) {
            balls.push_back({{{random.between(0.0f, 50.0f), random.between(0.0f, 50.0f)}},
                             random.between(0.0f, 12.0f)});
        }
        EXPECT_EQ(crowd.query(std::span<const Ball<2>>(balls), hits).status, Status{});
    }

    void check(const KeyHits& answer) const {
        ASSERT_EQ(answer.offsets, hits.offsets);
        ASSERT_EQ(answer.total(), hits.total());
        for (std::size_t q = 0; q + 1 < hits.offsets.size(); ++q) {
            const std::span<const Id> ids = hits.of(q);
            const std::span<const Key> found = answer.of(q);
            ASSERT_EQ(found.size(), ids.size());
            for (std::size_t i = 0; i < ids.size(); ++i) {
                ASSERT_EQ(found[i], keys.at(ids[i]));
            }
        }
    }
};

// With more keys than fit the cache, those to come are fetched ahead.
TEST(CrowdKeys, AnswerInListsOnEveryExecutor) {
    for (const std::size_t agents : {50u, 3000u, 140'000u}) {
        const Lists lists(agents);
        KeyHits answer;
        ASSERT_EQ(lists.crowd.keys(lists.hits, answer), Status{});
        ASSERT_NO_FATAL_FAILURE(lists.check(answer));
        for (const test::Fault fault : test::kEveryFault) {
            test::FaultyExecutor executor(fault, 0, 2);
            Status status;
            try {
                status = lists.crowd.keys(lists.hits, answer, executor);
            } catch (const test::ExecutorError&) { continue; }
            if (status.ok()) {
                ASSERT_NO_FATAL_FAILURE(lists.check(answer));
            } else {
                ASSERT_EQ(status.argument, Argument::executor);
            }
        }
        ASSERT_EQ(lists.crowd.keys(Hits{}, answer), Status{});
        ASSERT_EQ(answer.total(), 0u);
    }
}

TEST(CrowdKeys, OfNobodyAreZeroAndOfStaticsTheirIds) {
    Lists lists(100);
    std::vector<Id> ids = {static_id(1), 5, kNoId, 100, kFirstStatic - 1};
    std::vector<Key> keys(ids.size());
    const std::vector<Key> wanted = {static_id(1), lists.keys[5], kNoId, 0, 0};
    for (std::size_t i = 0; i < ids.size(); ++i) {
        EXPECT_EQ(lists.crowd.key_of(ids[i]), wanted[i]);
    }
    ASSERT_EQ(lists.crowd.keys(ids, keys), Status{});
    EXPECT_EQ(keys, wanted);
    // The same in the middle of a long list.
    ids.insert(ids.begin() + 2, 200, Id{7});
    keys.resize(ids.size());
    ASSERT_EQ(lists.crowd.keys(ids, keys), Status{});
    EXPECT_EQ(keys[0], wanted[0]);
    EXPECT_EQ(keys[101], lists.keys[7]);
    EXPECT_EQ(keys[202], wanted[2]);
    // A crowd named by the host's ids has no keys.
    Crowd<2> by_ids;
    const float place[] = {1.0f, 2.0f};
    Agents<2> two;
    two.positions = PointView<2>::separate({place, place}, 2);
    ASSERT_EQ(by_ids.update(two), Status{});
    ASSERT_EQ(by_ids.keys(ids, keys), Status{});
    EXPECT_EQ(keys[0], wanted[0]);
    EXPECT_EQ(keys[1], 0u);
    EXPECT_TRUE(by_ids.keys_by_slot().empty());
}

TEST(CrowdKeys, ThatAreRefusedChangeNothing) {
    Lists lists(100);
    Crowd<2>& crowd = lists.crowd;
    const auto unchanged = [&] {
        EXPECT_STREQ(crowd.validate(), nullptr);
        EXPECT_EQ(crowd.size(), 99u);
        for (std::size_t i = 0; i < 100; ++i) {
            EXPECT_EQ(crowd.key_of(lists.handles[i].slot), i == 40 ? 0 : lists.keys[Id(i)]);
        }
    };
    ASSERT_EQ(crowd.remove(lists.handles[40]), Status{});
    const std::vector<Key> keys(100, 77);
    EXPECT_EQ(crowd.set_keys(lists.handles, keys),
              (Status{Cause::handle_stale, Argument::handle, 40}));
    EXPECT_EQ(crowd.set_keys(std::span(lists.handles).first(40), keys),
              (Status{Cause::count_mismatch, Argument::keys}));
    EXPECT_EQ(crowd.set_key(Handle{}, 1).cause, Cause::handle_foreign);
    unchanged();
    std::vector<Agent<2>> agents(100, Agent<2>{Point<2>::all(1.0f), Point<2>::all(0.25f), {}});
    std::vector<Handle> handles(100);
    EXPECT_EQ(crowd.add(agents, handles, std::span(keys).first(99)),
              (Status{Cause::count_mismatch, Argument::keys}));
    agents[70].position[1] = std::numeric_limits<float>::infinity();
    EXPECT_EQ(crowd.add(agents, handles, keys).cause, Cause::not_finite);
    EXPECT_EQ(crowd.add(agents[70], handles[0], 5).cause, Cause::not_finite);
    unchanged();
    std::vector<Key> out(3, 7);
    EXPECT_EQ(crowd.keys(std::array<Id, 4>{}, out), (Status{Cause::no_room, Argument::keys, 4}));
    EXPECT_EQ(out, std::vector<Key>(3, 7));
}

TEST(CrowdKeys, CostNothingWhereThereAreNone) {
    scenes::Random random(4);
    std::vector<Agent<2>> agents(5000);
    for (Agent<2>& agent : agents) {
        agent = somebody(random);
    }
    std::vector<Handle> handles(agents.size());
    Crowd<2> crowd = laid_crowd(), same = laid_crowd();
    ASSERT_EQ(crowd.add(agents, handles), Status{});
    ASSERT_EQ(same.add(agents, handles, std::vector<Key>(agents.size(), 3)), Status{});
    const std::size_t without = crowd.memory().ids, with = same.memory().ids;
    EXPECT_GE(with, without + agents.size() * sizeof(Key));
    std::vector<std::byte> bytes, more;
    ASSERT_EQ(save(crowd, bytes), Status{});
    ASSERT_EQ(save(same, more), Status{});
    EXPECT_GE(more.size(), bytes.size() + agents.size() * sizeof(Key));
    same.clear();
    EXPECT_EQ(same.memory().ids, with);
    same.release_staging();
    EXPECT_EQ(same.memory().ids, without);
    // The first key of all, of an agent in the middle.
    ASSERT_EQ(crowd.set_key(crowd.handle_of(17), 5), Status{});
    EXPECT_EQ(crowd.keys_by_slot().size(), 18u);
    EXPECT_EQ(crowd.key_of(17), 5u);
    EXPECT_EQ(crowd.key_of(16), 0u);
    // Room that reserve() takes serves later keys.
    ASSERT_EQ(crowd.reserve(9000), Status{});
    EXPECT_GE(crowd.memory().ids, without + 9000 * sizeof(Key));
    EXPECT_STREQ(crowd.validate(), nullptr);
}

TEST(CrowdKeys, StayWhereMemoryRunsOut) {
    const test::AllocationsFail somewhere;
    std::vector<Handle> handles(40), more(300);
    std::vector<Agent<2>> agents(300, Agent<2>{Point<2>::all(1.0f), Point<2>::all(0.25f), {}});
    const std::vector<Key> keys(300, 77);
    const auto make = [&] {
        Crowd<2> crowd = laid_crowd();
        EXPECT_EQ(crowd.add(std::span(agents).first(40), handles), Status{});
        EXPECT_EQ(crowd.set_key(handles[3], 5), Status{});
        return crowd;
    };
    const auto say = [](const Crowd<2>& crowd) {
        EXPECT_STREQ(crowd.validate(), nullptr);
        std::vector<Key> said(crowd.keys_by_slot().begin(), crowd.keys_by_slot().end());
        said.push_back(crowd.size());
        said.push_back(crowd.slots());
        return said;
    };
    const auto fail_each = [&](const auto& call) {
        ASSERT_NO_FATAL_FAILURE(test::fail_each_allocation(make, call, say));
    };
    fail_each([&](Crowd<2>& crowd) { return crowd.add(agents, more, keys); });
    fail_each([&](Crowd<2>& crowd) { return crowd.add(agents[0], more[0], 9); });
    fail_each([&](Crowd<2>& crowd) {
        return crowd.set_keys(handles, std::span(keys).first(handles.size()));
    });
    fail_each([&](Crowd<2>& crowd) { return crowd.remove(std::span(handles).first(20)); });
    // Answers so long that several threads could turn them.
    const Hits hits{{0, 10'000}, std::vector<Id>(10'000, Id{3})};
    fail_each([&](Crowd<2>& crowd) {
        KeyHits answer;
        const Status status = crowd.keys(hits, answer);
        if (status.ok()) { EXPECT_EQ(answer.keys, std::vector<Key>(10'000, 5)); }
        return status;
    });
}

} // namespace
} // namespace throng
