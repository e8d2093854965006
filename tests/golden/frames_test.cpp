// What contacts, lasting lists, edited frames and crowds that lay other cells say over several
// frames, as hashes.
#include "../parallel/frames/frames_model.hpp"
#include "../support/dims.hpp"
#include "named_hash.hpp"
#include "walkers.hpp"

#include <throng/engine/crowd/published_crowd.hpp>
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

constexpr NamedHash kFrameHashes[] = {
#include "hashes/frames.txt"
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

void add(Hash& hash, const FrameAnswers& answers) {
    add(hash, answers.pairs);
    add(hash, answers.ended);
    hash.add(answers.previous);
    hash.add(answers.began);
    hash.add(answers.ended_previous);
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
        check_everywhere(kFrameHashes, name_of<kDim>("contacts", around), [&](Executor& executor) {
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
                add(hash, answers);
            }
            return hash.value();
        });
    }
}

TYPED_TEST(FramesGolden, LastingListsNeverChange) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const Around around : kEveryAround) {
        check_everywhere(kFrameHashes, name_of<kDim>("lasting", around), [&](Executor& executor) {
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

/// In every frame other agents get the slots of some that are gone: then the ids of a pair may
/// last, and the pair does not.
TYPED_TEST(FramesGolden, ContactsByHandlesNeverChange) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const Around around : kEveryAround) {
        check_everywhere(kFrameHashes, name_of<kDim>("handles", around), [&](Executor& executor) {
            Walkers<kDim> walkers(around, executor);
            Crowd<kDim>& crowd = walkers.crowd;
            const auto somebody = [&](std::size_t i) {
                return Agent<kDim>{walkers.walking.position_of(i),
                                   walkers.walking.half_extent_of(i), walkers.walking.groups[i]};
            };
            std::vector<Agent<kDim>> agents;
            for (std::size_t i = 0; i < walkers.kAgents; ++i) {
                agents.push_back(somebody(i));
            }
            std::vector<Handle> handles(agents.size());
            crowd.clear();
            EXPECT_EQ(crowd.add(agents, handles, executor), Status{});
            Contacts<kDim> contacts(executor);
            FramesModel<kDim> model;
            Hash hash;
            for (std::size_t frame = 0; frame < kFrames; ++frame) {
                walkers.walk(0.0625f);
                walkers.update(executor);
                std::vector<Handle> gone;
                for (std::size_t i = frame; i < handles.size(); i += 9) {
                    gone.push_back(handles[i]);
                }
                std::vector<Handle> born(gone.size());
                EXPECT_EQ(crowd.remove(gone, executor), Status{});
                agents.resize(gone.size());
                for (std::size_t i = 0; i < gone.size(); ++i) {
                    agents[i] = somebody(gone[i].slot);
                }
                EXPECT_EQ(crowd.add(agents, born, executor), Status{});
                for (const Handle& handle : born) {
                    handles[handle.slot] = handle;
                    hash.add(std::uint64_t{handle.slot} << 32 | handle.generation);
                }
                FrameKind<kDim> asked{&crowd, nullptr, {}, PairSets::all};
                EXPECT_EQ(asked.update(contacts), Status{});
                const FrameAnswers answers = answers_of(contacts);
                EXPECT_TRUE(answers == model.next(asked)) << frame;
                add(hash, answers);
            }
            return hash.value();
        });
    }
}

/// The order of all agents, and what boxes find, in the order of answers.
template <std::size_t Dim>
void add(Hash& hash, const Crowd<Dim>& crowd, const std::vector<Point<Dim>>& places) {
    std::vector<Id> ids(crowd.size());
    hash.add(std::span<const Id>(ids).first(crowd.order(ids)));
    std::vector<Box<Dim>> boxes;
    for (std::size_t i = 0; i < places.size(); i += 8) {
        boxes.push_back(Box<Dim>::around(places[i], Point<Dim>::all(1.0f)));
    }
    Hits hits;
    EXPECT_EQ(crowd.query(boxes, hits).status, Status{});
    for (std::size_t q = 0; q < boxes.size(); ++q) {
        hash.add(hits.of(q));
    }
}

/// Short lists of edits, of statics too, are made again on a frame that has missed them; after long
/// lists, and while readers hold frames, agents are copied.
TYPED_TEST(FramesGolden, FramesByEditsNeverChange) {
    constexpr std::size_t kDim = TypeParam::value;
    using Change = Edit<kDim>;
    for (const Around around : kEveryAround) {
        check_everywhere(kFrameHashes, name_of<kDim>("edits", around), [&](Executor& executor) {
            Walkers<kDim> walkers(around, executor);
            PublishedCrowd<kDim> crowd;
            EXPECT_EQ(crowd.configure(walkers.crowd.settings(), walkers.crowd.kind()), Status{});
            EXPECT_EQ(crowd.set_statics(walkers.standing.agents(), executor), Status{});
            EXPECT_EQ(crowd.update(walkers.walking.agents(), executor), Status{});
            std::vector<Snapshot<Crowd<kDim>>> held;
            Hash hash;
            for (Id frame = 1; frame < 2 * kFrames; ++frame) {
                walkers.walk(0.25f);
                std::vector<Change> edits;
                for (Id id = frame; id < 300; id += frame % 4 == 0 ? 2 : 60) {
                    edits.push_back(Change::move(id, walkers.walking.position_of(id)));
                }
                const Agent<kDim> born{walkers.walking.position_of(frame),
                                       Point<kDim>::all(frame % 3 == 0 ? 1.25f : 0.25f), 2u};
                const Id wall = static_id(frame % walkers.kStatics);
                edits.push_back(Change::insert(walkers.kAgents + frame, born));
                edits.push_back(Change::erase(walkers.kAgents - frame));
                edits.push_back(Change::insert(static_id(walkers.kStatics + 7 * frame), born));
                edits.push_back(frame % 2 == 0 ? Change::erase(wall)
                                               : Change::move(wall, born.position));
                EXPECT_EQ(crowd.edit(edits, executor), Status{});
                EXPECT_EQ(walkers.crowd.edit(edits, executor), Status{});
                held.push_back(crowd.acquire());
                if (frame % 5 == 0) { held.clear(); }
                Hash frames, alone;
                add(frames, *crowd.acquire(), walkers.walking.positions());
                add(alone, walkers.crowd, walkers.walking.positions());
                EXPECT_EQ(frames.value(), alone.value()) << frame;
                hash.add(frames.value());
            }
            return hash.value();
        });
    }
}

/// The crowd spreads, and gathers again.
TYPED_TEST(FramesGolden, OtherCellsNeverChange) {
    constexpr std::size_t kDim = TypeParam::value;
    check_everywhere(kFrameHashes, "cells_" + std::to_string(kDim) + "d", [](Executor& executor) {
        Walkers<kDim> walkers(Around::none, executor);
        EXPECT_EQ(walkers.crowd.configure({}), Status{});
        Hash hash;
        std::size_t laid = 0;
        for (int frame = 0; frame < 120; ++frame) {
            const GridShape<kDim> before = walkers.crowd.grid().shape();
            walkers.update(executor);
            laid += walkers.crowd.grid().shape() == before ? 0 : 1;
            add(hash, walkers.crowd, walkers.walking.positions());
            for (std::vector<float>& axis : walkers.walking.position) {
                for (float& x : axis) {
                    x *= frame < 60 ? 1.0625f : 0.9375f;
                }
            }
        }
        EXPECT_GT(laid, 4u);
        return hash.value();
    });
}

} // namespace
} // namespace throng::test
