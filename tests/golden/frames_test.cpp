// What contacts and lasting lists say over several frames, as hashes.
#include "../parallel/frames/frames_model.hpp"
#include "../support/dims.hpp"
#include "named_hash.hpp"
#include "walkers.hpp"

#include <throng/parallel/frames/contacts.hpp>
#include <throng/parallel/frames/lasting_neighbours.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace throng::test {
namespace {

constexpr NamedHash kGolden[] = {
#include "frames_hashes.txt"
};
constexpr int kFrames = 10;

template <class D>
class FramesGolden : public testing::Test {};
TYPED_TEST_SUITE(FramesGolden, Dims, DimNames);

void add(Hash& hash, const std::vector<Contact>& pairs) {
    hash.add(std::uint64_t{pairs.size()});
    for (const Contact& pair : pairs) {
        hash.add(std::uint64_t{pair.first} << 32 | pair.second);
    }
}

/// Pairs of each kind in turn, so that some frames are about another kind than the last; every few
/// frames agents die and others are born.
TYPED_TEST(FramesGolden, ContactsNeverChange) {
    constexpr std::size_t kDim = TypeParam::value;
    struct Kind {
        std::optional<float> radius;
        Body body;
    };
    constexpr Kind kKinds[] = {{{}, Body::disc},
                               {{}, Body::box},
                               {0.5f, Body::centre},
                               {0.25f, Body::box},
                               {0.25f, Body::disc}};
    for (const Around around : kEveryAround) {
        check_everywhere(kGolden, name_of<kDim>("contacts", around), [&](Executor& executor) {
            Walkers<kDim> walkers(around, executor);
            Contacts<kDim> contacts(executor);
            FramesModel<kDim> model;
            Hash hash;
            for (std::size_t frame = 0; frame < 2 * std::size(kKinds); ++frame) {
                walkers.walk(0.25f);
                walkers.update(executor);
                if (frame % 3 == 2) {
                    for (Id id = static_cast<Id>(frame); id < walkers.kAgents; id += 9) {
                        EXPECT_EQ(walkers.crowd.erase(id), Status{});
                        EXPECT_EQ(walkers.crowd.insert(id + walkers.kAgents,
                                                       {walkers.walking.position_of(id),
                                                        Point<kDim>::all(0.25f), 1u}),
                                  Status{});
                    }
                }
                const Kind& kind = kKinds[frame / 2];
                FrameKind<kDim> asked{&walkers.crowd, nullptr, kind.radius, PairSets::all};
                asked.overlapping = asked.near = kind.body;
                EXPECT_EQ(asked.update(contacts), Status{});
                const FrameAnswers answers = answers_of(contacts);
                EXPECT_TRUE(answers == model.next(asked)) << frame;
                add(hash, answers.pairs);
                add(hash, answers.ended);
                hash.add(answers.previous);
                hash.add(answers.began);
                hash.add(answers.ended_previous);
            }
            return hash.value();
        });
    }
}

TYPED_TEST(FramesGolden, LastingListsNeverChange) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const Around around : kEveryAround) {
        check_everywhere(kGolden, name_of<kDim>("lasting", around), [&](Executor& executor) {
            Hash hash;
            for (const bool half : {false, true}) {
                Walkers<kDim> walkers(around, executor);
                LastingSettings settings;
                settings.neighbourhood = {kDim == 2 ? 1.5f : 1.0f, false, half ? 5u : kAllGroups,
                                          half};
                settings.skin = 0.5f;
                LastingNeighbours<kDim> lists(settings, executor);
                Hits hits;
                std::uint64_t lasted = 0;
                for (int frame = 0; frame < kFrames; ++frame) {
                    EXPECT_EQ(lists.update(walkers.crowd, walkers.walking.agents()), Status{});
                    EXPECT_EQ(lists.neighbours(walkers.walking.agents(), hits), Status{});
                    hash.add(lists.order());
                    for (std::size_t k = 0; k < lists.order().size(); ++k) {
                        hash.add(hits.of(k));
                        hash.add(std::uint64_t{lists.candidates().of(k).size()});
                    }
                    add_bits(hash, lists.moved());
                    hash.add(lists.made());
                    lasted += lists.lasted() != 0;
                    walkers.walk(0.0625f);
                }
                EXPECT_GT(lasted, 3u);
                EXPECT_GT(lists.made(), 1u);
            }
            return hash.value();
        });
    }
}

} // namespace
} // namespace throng::test
