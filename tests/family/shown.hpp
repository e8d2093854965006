// All that an index shows of itself, to compare before and after.
#pragma once

#include "../support/random.hpp"
#include "questions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace throng::test {

template <std::size_t Dim>
struct Shown {
    std::size_t size = 0;
    CrowdKind<Dim> kind;
    std::vector<Ids> answers; // in the index's own order, here and below
    IdPairs pairs;
    std::vector<Box<Dim>> cells;

    friend bool operator==(const Shown&, const Shown&) = default;

    /// The part that does not depend on where the index keeps each agent.
    [[nodiscard]] Shown sorted() const {
        Shown sorted = *this;
        for (Ids& ids : sorted.answers) {
            std::sort(ids.begin(), ids.end());
        }
        for (auto& pair : sorted.pairs) {
            pair = std::minmax(pair.first, pair.second);
        }
        std::sort(sorted.pairs.begin(), sorted.pairs.end());
        sorted.cells.clear();
        return sorted;
    }
};

/// Asks for all agents, for several shapes of each of some kinds, for all pairs and for the cells.
template <std::size_t Dim, class Index>
Shown<Dim> shown(const Index& index) {
    Shown<Dim> shown{index.size(), index.kind(), {}, {}, {}};
    const auto add = [&](const auto& shape, const Filter& filter) {
        shown.answers.push_back(visited(index, shape, filter));
    };
    scenes::Random random(9);
    add(Box<Dim>{Point<Dim>::all(-kLargest), Point<Dim>::all(kLargest)}, {});
    for (int i = 0; i < 20; ++i) {
        Point<Dim> centre;
        for (std::size_t a = 0; a < Dim; ++a) {
            centre[a] = random.between(-10.0f, 40.0f);
        }
        const float size = random.between(0.0f, 15.0f);
        add(Box<Dim>::around(centre, Point<Dim>::all(size)), {});
        add(Ball<Dim>{centre, size}, {0x3u, 7});
        add(Capsule<Dim>{centre, Point<Dim>::all(10.0f), size * 0.2f}, {});
    }
    (void)index.visit_pairs([&](std::span<const Id> first, std::span<const Id> second) {
        for (std::size_t i = 0; i < first.size(); ++i) {
            shown.pairs.emplace_back(first[i], second[i]);
        }
        return true;
    });
    index.visit_cells([&](const IndexCell<Dim>& cell) {
        shown.cells.push_back(cell.box);
        return true;
    });
    return shown;
}

/// As shown(), and the index must be sound.
template <std::size_t Dim, class Index>
Shown<Dim> shown_sound(const Index& index) {
    EXPECT_STREQ(index.validate(), nullptr);
    return shown<Dim>(index);
}

} // namespace throng::test
