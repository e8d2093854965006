// Chains of buckets, against lists of their content.
#include "../../../engine/family/bucket_store.hpp"

#include "../../support/dims.hpp"
#include "../../support/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <new>
#include <vector>

namespace throng {
namespace {

template <std::size_t Dim>
struct Member {
    Point<Dim> position, half;
    std::uint32_t groups, slot;
    std::size_t chain;

    [[nodiscard]] static Member random(scenes::Random& random) {
        Member member{};
        for (std::size_t a = 0; a < Dim; ++a) {
            member.position[a] = random.unit();
            member.half[a] = random.unit();
        }
        member.groups = random.below(100);
        return member;
    }
};

template <std::size_t Dim>
class Chains {
public:
    Chains(const CrowdKind<Dim>& kind, std::size_t chains) : heads_(chains, kNoBucket) {
        store.configure(kind);
    }

    void add(Id id, const Member<Dim>& member, std::size_t chain) {
        store.reserve(store.buckets() + 1);
        Member<Dim> kept = member;
        kept.chain = chain;
        kept.slot = store.add(heads_[chain], id, member.position, member.half, member.groups);
        members[id] = kept;
    }
    void remove(Id id) {
        const Member<Dim> gone = members.at(id);
        members.erase(id);
        const Id moved = store.remove(heads_[gone.chain], gone.slot);
        if (moved != kNoId) { members.at(moved).slot = gone.slot; }
    }

    void check() const {
        std::size_t seen = 0, buckets = 0;
        for (std::size_t chain = 0; chain < heads_.size(); ++chain) {
            for (std::uint32_t b = heads_[chain]; b != kNoBucket; b = store.next(b)) {
                ++buckets;
                ASSERT_GT(store.count(b), 0u);
                if (b != heads_[chain]) { ASSERT_EQ(store.count(b), store.kRoom); }
                const simd::ScanSpan span = store.span(b);
                ASSERT_EQ(span.count, store.count(b));
                ASSERT_EQ(span.capacity, store.kRoom);
                ASSERT_EQ(span.nodes, store.words(b));
                for (std::uint32_t i = 0; i < store.count(b); ++i, ++seen) {
                    const std::uint32_t slot = b * store.kRoom + i;
                    const Id id = store.id(slot);
                    ASSERT_EQ(id, span.nodes[Dim * span.capacity + i]);
                    ASSERT_TRUE(members.contains(id));
                    const Member<Dim>& member = members.at(id);
                    ASSERT_EQ(member.chain, chain);
                    ASSERT_EQ(member.slot, slot);
                    ASSERT_EQ(store.position(slot), member.position);
                    ASSERT_EQ(store.half(slot), store.kind().own_half_extents
                                                    ? member.half
                                                    : store.kind().common_half_extent);
                    ASSERT_EQ(store.groups(slot), store.kind().groups ? member.groups : kAllGroups);
                }
            }
        }
        ASSERT_EQ(seen, members.size());
        ASSERT_EQ(buckets, store.buckets());
    }

    BucketStore<Dim> store;
    std::map<Id, Member<Dim>> members;

private:
    std::vector<std::uint32_t> heads_;
};

template <class D>
class Buckets : public testing::Test {};
TYPED_TEST_SUITE(Buckets, test::Dims, test::DimNames);

TYPED_TEST(Buckets, HoldWhatWasAddedUntilItIsRemoved) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const bool own_extents : {false, true}) {
        for (const bool groups : {false, true}) {
            const CrowdKind<kDim> kind{own_extents, groups, Point<kDim>::all(0.5f)};
            Chains<kDim> chains(kind, 7);
            scenes::Random random(own_extents * 2 + groups);
            std::size_t most = 0;
            for (Id step = 0; step < 3000; ++step) {
                // The store grows, then shrinks to nothing, and grows again.
                const bool grow = random.below(10) < (step / 700 % 2 == 0 ? 8u : 2u);
                if (grow) {
                    chains.add(step, Member<kDim>::random(random),
                               random.below(step % 2 == 0 ? 1 : 7));
                } else if (!chains.members.empty()) {
                    const auto at = chains.members.lower_bound(random.below(step));
                    chains.remove(at == chains.members.end() ? chains.members.begin()->first
                                                             : at->first);
                }
                most = std::max<std::size_t>(most, chains.store.buckets());
                ASSERT_LE(chains.store.begun(), most); // buckets are used again
                if (step % 50 == 0) { chains.check(); }
            }
            while (!chains.members.empty()) {
                chains.remove(chains.members.begin()->first);
            }
            chains.check();
            EXPECT_EQ(chains.store.buckets(), 0u);
        }
    }
}

TYPED_TEST(Buckets, ThatAreFilledAtOnceAreChains) {
    constexpr std::size_t kDim = TypeParam::value;
    BucketStore<kDim> store;
    store.configure({});
    store.reserve(3);
    const std::uint32_t first = store.take(2);
    for (std::uint32_t i = 0; i <= store.kRoom; ++i) {
        store.words(first + i / store.kRoom)[kDim * store.kRoom + i % store.kRoom] = i;
    }
    store.link(first, kNoBucket, store.kRoom);
    store.link(first + 1, first, 1);
    std::uint32_t head = first + 1;
    EXPECT_EQ(store.buckets(), 2u);
    EXPECT_EQ(store.remove(head, first * store.kRoom + 3), store.kRoom);
    EXPECT_EQ(head, first);
    EXPECT_EQ(store.id(first * store.kRoom + 3), store.kRoom);
    EXPECT_EQ(store.remove(head, first * store.kRoom + store.kRoom - 1), kNoId);
    EXPECT_EQ(store.add(head, 99, {}, {}, 0), first * store.kRoom + store.kRoom - 1);
    EXPECT_EQ(store.first_free(), first + 1);
}

TYPED_TEST(Buckets, AreReservedOfAnotherKindToo) {
    constexpr std::size_t kDim = TypeParam::value;
    Chains<kDim> chains({}, 1);
    scenes::Random random(3);
    for (Id id = 0; id < 100; ++id) {
        chains.add(id, Member<kDim>::random(random), 0);
    }
    const CrowdKind<kDim> larger{true, true, {}};
    chains.store.reserve(50, larger);
    chains.check(); // and the earlier content is still there
    const std::size_t memory = chains.store.memory();
    chains.store.configure(larger);
    std::uint32_t head = kNoBucket;
    for (Id id = 0; id < 50 * chains.store.kRoom; ++id) {
        const auto member = Member<kDim>::random(random);
        const std::uint32_t slot =
            chains.store.add(head, id, member.position, member.half, member.groups);
        ASSERT_EQ(chains.store.half(slot), member.half);
        ASSERT_EQ(chains.store.groups(slot), member.groups);
    }
    EXPECT_EQ(chains.store.memory(), memory);
    EXPECT_THROW(chains.store.reserve(BucketStore<kDim>::kMostBuckets + 1), std::bad_alloc);
}

} // namespace
} // namespace throng
