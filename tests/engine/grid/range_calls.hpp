// Range calls, and the lists that they yield.
#pragma once

#include "../../../engine/grid/grid_parts.hpp"
#include "../../simd/kernels/guarded.hpp"
#include "../../support/answers.hpp"
#include "../../support/numbers.hpp"
#include "../../support/scenes/everyone.hpp"
#include "../../support/truth.hpp"

#include <throng/engine/grid/row_grid.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng::test {

using Ids = std::vector<Id>;

/// Exactly as much scratch as range calls ask for: a word more is a segmentation fault, and a word
/// before it a failure.
template <std::size_t Dim>
class Scratch {
public:
    Scratch() { std::fill(words_.begin(), words_.end(), kCanary); }
    ~Scratch() { EXPECT_EQ(std::count(words_.begin(), words().data(), kCanary), kBefore); }
    [[nodiscard]] std::span<std::uint32_t> words() const { return {words_.last(kWords), kWords}; }

private:
    static constexpr std::ptrdiff_t kBefore = 32;
    const std::size_t kWords = GridParts<Dim>::scratch();
    Guarded<std::uint32_t> words_{kWords + kBefore};
};

/// The answers to a number of questions, one after another.
struct Lists {
    std::vector<std::uint64_t> offsets{0};
    Ids ids;

    void append(const Lists& more) {
        for (std::size_t i = 1; i < more.offsets.size(); ++i) {
            offsets.push_back(ids.size() + more.offsets[i]);
        }
        ids.insert(ids.end(), more.ids.begin(), more.ids.end());
    }
    [[nodiscard]] std::vector<std::uint32_t> counts() const {
        std::vector<std::uint32_t> counts;
        for (std::size_t i = 1; i < offsets.size(); ++i) {
            counts.push_back(static_cast<std::uint32_t>(offsets[i] - offsets[i - 1]));
        }
        return counts;
    }
    friend bool operator==(const Lists&, const Lists&) = default;
};

struct PairLists {
    Ids first, second;

    void append(const PairLists& more) {
        first.insert(first.end(), more.first.begin(), more.first.end());
        second.insert(second.end(), more.second.begin(), more.second.end());
    }
    friend bool operator==(const PairLists&, const PairLists&) = default;
};

/// The answers of call(HitsBuffer) to `asked` questions, in a buffer that fits.
template <class Call>
[[nodiscard]] Lists lists_of(std::size_t asked, const Call& call) {
    Lists lists;
    lists.offsets.assign(asked + 1, 77);
    const Found needed = call(HitsBuffer{lists.offsets, {}});
    EXPECT_EQ(needed.status, Status{});
    EXPECT_EQ(needed.count, lists.offsets.back());
    const std::vector<std::uint64_t> offsets = lists.offsets;
    lists.offsets.assign(asked + 1, 77);
    lists.ids.assign(needed.count, kCanary);
    EXPECT_EQ(call(HitsBuffer{lists.offsets, lists.ids}).count, needed.count);
    EXPECT_EQ(lists.offsets, offsets) << "they must not depend on the room";
    return lists;
}

/// The pairs of call(PairsBuffer), in a buffer that fits.
template <class Call>
[[nodiscard]] PairLists pairs_told(const Call& call) {
    const Found needed = call(PairsBuffer{});
    EXPECT_EQ(needed.status, Status{});
    PairLists pairs{Ids(needed.count, kCanary), Ids(needed.count, kCanary)};
    EXPECT_EQ(call(PairsBuffer{pairs.first, pairs.second}).count, needed.count);
    return pairs;
}

template <std::size_t Dim>
[[nodiscard]] PairLists pairs_in(const RowGrid<Dim>& grid, std::size_t begin, std::size_t end,
                                 std::uint32_t groups = kAllGroups, Body body = Body::box) {
    const Scratch<Dim> scratch;
    return pairs_told([&](const PairsBuffer& buffer) {
        return grid.parts().pairs(begin, end, scratch.words(), buffer, groups, body);
    });
}
template <std::size_t Dim>
[[nodiscard]] PairLists pairs_with(const RowGrid<Dim>& grid, const RowGrid<Dim>& others,
                                   std::size_t begin, std::size_t end,
                                   std::uint32_t groups = kAllGroups, Body body = Body::box) {
    const Scratch<Dim> scratch;
    return pairs_told([&](const PairsBuffer& buffer) {
        return grid.parts().pairs(others, begin, end, scratch.words(), buffer, groups, body);
    });
}
template <std::size_t Dim>
[[nodiscard]] Lists neighbours_in(const RowGrid<Dim>& grid, const Neighbourhood& asked,
                                  std::size_t begin, std::size_t end) {
    const Scratch<Dim> scratch;
    return lists_of(grid.parts().agents_in(begin, end), [&](const HitsBuffer& buffer) {
        return grid.parts().neighbours(asked, begin, end, scratch.words(), buffer);
    });
}
template <std::size_t Dim>
[[nodiscard]] std::vector<std::uint32_t> neighbour_counts_in(const RowGrid<Dim>& grid,
                                                             const Neighbourhood& asked,
                                                             std::size_t begin, std::size_t end) {
    const Scratch<Dim> scratch;
    std::vector<std::uint32_t> counts(grid.parts().agents_in(begin, end), 77);
    const Found found = grid.parts().count_neighbours(asked, begin, end, scratch.words(), counts);
    EXPECT_EQ(found.status, Status{});
    std::size_t sum = 0;
    for (const std::uint32_t count : counts) {
        sum += count;
    }
    EXPECT_EQ(found.count, sum);
    return counts;
}

/// The oracle's answers, as lists.
[[nodiscard]] inline Lists lists_of(const Hits& hits) { return {hits.offsets, hits.ids}; }
[[nodiscard]] inline PairLists lists_of(const Pairs& pairs) { return {pairs.first, pairs.second}; }

} // namespace throng::test
