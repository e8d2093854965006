// A rank's state and answers, to compare before and after.
#pragma once

#include "flock.hpp"

namespace throng::test {

/// A rank's state and its answers.
struct Snapshot {
    std::vector<GlobalId> ids;
    std::vector<std::uint32_t> numbers; ///< the bits of all floats, masks and columns
    std::size_t owned = 0, ghosts = 0;
    std::vector<std::uint64_t> offsets;
    std::vector<Id> near, first, second;

    explicit Snapshot(Flock<2>& flock)
        : ids(flock.mine.ids), owned(flock.mine.owned()), ghosts(flock.mine.ghosts()) {
        for (const auto* points :
             {&flock.mine.positions, &flock.mine.half_extents, &flock.mine[flock.speed]}) {
            for (const Point<2>& point : *points) {
                for (const float x : point.axis) {
                    numbers.push_back(std::bit_cast<std::uint32_t>(x));
                }
            }
        }
        for (const auto* words : {&flock.mine.groups, &flock.mine[flock.age]}) {
            numbers.insert(numbers.end(), words->begin(), words->end());
        }
        Hits hits;
        Pairs pairs;
        EXPECT_EQ(flock.crowd.neighbours({1.0f}, hits), Status{});
        EXPECT_EQ(flock.crowd.pairs(pairs), Status{});
        EXPECT_STREQ(flock.crowd.local().validate(), nullptr);
        offsets = hits.offsets;
        near.assign(hits.ids.begin(), hits.ids.begin() + static_cast<std::ptrdiff_t>(hits.total()));
        first.assign(pairs.first.begin(),
                     pairs.first.begin() + static_cast<std::ptrdiff_t>(pairs.count));
        second.assign(pairs.second.begin(),
                      pairs.second.begin() + static_cast<std::ptrdiff_t>(pairs.count));
    }
    friend bool operator==(const Snapshot&, const Snapshot&) = default;
};

} // namespace throng::test
