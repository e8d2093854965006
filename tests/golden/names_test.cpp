// What crowds say of agents that hosts name by keys, or one by one, as hashes.
#include "../support/dims.hpp"
#include "named_hash.hpp"
#include "walkers.hpp"

#include <throng/engine/frozen/frozen.hpp>
#include <throng/parallel/batch/batch.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace throng::test {
namespace {

constexpr NamedHash kNameHashes[] = {
#include "hashes/names.txt"
};

template <class D>
class NamesGolden : public testing::Test {};
TYPED_TEST_SUITE(NamesGolden, Dims, DimNames);

/// The keys of all neighbours, and those of their lists.
template <std::size_t Dim>
void add_keys(Hash& hash, const Crowd<Dim>& crowd, Executor& executor) {
    Batch<Dim> batch(executor);
    Hits hits;
    KeyHits keys;
    EXPECT_EQ(batch.neighbours(crowd, {0.75f}, hits), Status{});
    EXPECT_EQ(crowd.keys(hits, keys, executor), Status{});
    EXPECT_EQ(keys.offsets, hits.offsets);
    for (std::size_t q = 0; q + 1 < keys.offsets.size(); ++q) {
        hash.add(std::uint64_t{keys.of(q).size()});
        for (std::size_t i = 0; i < keys.of(q).size(); ++i) {
            EXPECT_EQ(keys.of(q)[i], crowd.key_of(hits.of(q)[i]));
            hash.add(keys.of(q)[i]);
        }
    }
}

/// Agents with keys and without come, go, and get other keys; a file keeps them.
TYPED_TEST(NamesGolden, KeysNeverChange) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const Around around : kEveryAround) {
        check_everywhere(kNameHashes, name_of<kDim>("keys", around), [&](Executor& executor) {
            Walkers<kDim> walkers(around, executor);
            Crowd<kDim>& crowd = walkers.crowd;
            std::vector<Agent<kDim>> agents;
            std::vector<std::uint64_t> keys;
            for (Id id = 0; id < walkers.kAgents; ++id) {
                agents.push_back({walkers.walking.position_of(id),
                                  walkers.walking.half_extent_of(id), walkers.walking.groups[id]});
                keys.push_back((id + 1) * 0x9E37'79B9'7F4A'7C15u);
            }
            std::vector<Handle> handles(agents.size());
            const std::span<const Agent<kDim>> all(agents);
            const std::span<Handle> named(handles);
            crowd.clear();
            EXPECT_EQ(
                crowd.add(all.first(200), named.first(200), std::span(keys).first(200), executor),
                Status{});
            EXPECT_EQ(crowd.add(all.subspan(200), named.subspan(200), executor), Status{});
            Hash hash;
            add_keys(hash, crowd, executor);
            for (std::size_t round = 0; round < 3; ++round) {
                const std::size_t from = 90 * round;
                EXPECT_EQ(crowd.remove(named.subspan(from, 50), executor), Status{});
                EXPECT_EQ(crowd.set_keys(named.subspan(from + 50, 40),
                                         std::span(keys).subspan(from / 2, 40)),
                          Status{});
                EXPECT_EQ(crowd.add(all.subspan(from, 20), named.subspan(from, 20),
                                    std::span(keys).subspan(from + 10, 20), executor),
                          Status{});
                add_keys(hash, crowd, executor);
            }
            std::vector<std::byte> file;
            Crowd<kDim> loaded;
            EXPECT_EQ(save(crowd, file), Status{});
            EXPECT_EQ(load(loaded, std::span<const std::byte>(file)), Status{});
            Hash before, after;
            add_keys(before, crowd, executor);
            add_keys(after, loaded, executor);
            EXPECT_EQ(after.value(), before.value());
            return hash.value();
        });
    }
}

/// Arrays in an order of the host's own, with ids that leave gaps.
TYPED_TEST(NamesGolden, UpdatesByNamesNeverChange) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const Around around : kEveryAround) {
        check_everywhere(kNameHashes, name_of<kDim>("updates", around), [&](Executor& executor) {
            Walkers<kDim> walkers(around, executor);
            Batch<kDim> batch(executor);
            std::vector<Id> names;
            for (Id i = 0; i < walkers.kAgents; ++i) {
                names.push_back(i * 7 % walkers.kAgents * 3 + 1); // 330 is no multiple of 7
            }
            Hash hash;
            for (int frame = 0; frame < 4; ++frame) {
                walkers.walk(0.25f);
                EXPECT_EQ(walkers.crowd.update(walkers.walking.agents(), names, executor),
                          Status{});
                Hits hits;
                const Neighbourhood near{0.75f, true, 3u, false, Body::disc};
                EXPECT_EQ(batch.neighbours(walkers.crowd, near, hits), Status{});
                std::vector<Id> order(walkers.crowd.size());
                EXPECT_EQ(walkers.crowd.order(order), walkers.kAgents);
                hash.add(order);
                for (std::size_t q = 0; q < order.size(); ++q) {
                    hash.add(hits.of(q));
                }
            }
            return hash.value();
        });
    }
}

} // namespace
} // namespace throng::test
