// Range calls, and the answers of brute force for a whole crowd.
#pragma once

#include "../../simd/kernels/guarded.hpp"
#include "../../support/answers.hpp"

#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/family/brute_force.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng::test {

using Ids = std::vector<Id>;
inline constexpr Id kCanary = 0xC0FF'EE00u;

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
    const std::size_t kWords = RowGrid<Dim>::range_scratch();
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
[[nodiscard]] PairLists pairs_of(const Call& call) {
    const Found needed = call(PairsBuffer{});
    EXPECT_EQ(needed.status, Status{});
    PairLists pairs{Ids(needed.count, kCanary), Ids(needed.count, kCanary)};
    EXPECT_EQ(call(PairsBuffer{pairs.first, pairs.second}).count, needed.count);
    return pairs;
}

template <std::size_t Dim>
[[nodiscard]] PairLists pairs_in(const RowGrid<Dim>& grid, std::size_t begin, std::size_t end,
                                 std::uint32_t groups = kAllGroups) {
    const Scratch<Dim> scratch;
    return pairs_of([&](const PairsBuffer& buffer) {
        return grid.pairs_range(begin, end, scratch.words(), buffer, groups);
    });
}
template <std::size_t Dim>
[[nodiscard]] PairLists pairs_with(const RowGrid<Dim>& grid, const RowGrid<Dim>& others,
                                   std::size_t begin, std::size_t end,
                                   std::uint32_t groups = kAllGroups) {
    const Scratch<Dim> scratch;
    return pairs_of([&](const PairsBuffer& buffer) {
        return grid.pairs_range(others, begin, end, scratch.words(), buffer, groups);
    });
}
template <std::size_t Dim>
[[nodiscard]] Lists neighbours_in(const RowGrid<Dim>& grid, const Neighbourhood& asked,
                                  std::size_t begin, std::size_t end) {
    const Scratch<Dim> scratch;
    return lists_of(grid.agents_in(begin, end), [&](const HitsBuffer& buffer) {
        return grid.neighbours_range(asked, begin, end, scratch.words(), buffer);
    });
}
template <std::size_t Dim>
[[nodiscard]] std::vector<std::uint32_t> neighbour_counts_in(const RowGrid<Dim>& grid,
                                                             const Neighbourhood& asked,
                                                             std::size_t begin, std::size_t end) {
    const Scratch<Dim> scratch;
    std::vector<std::uint32_t> counts(grid.agents_in(begin, end), 77);
    const Found found = grid.count_neighbours_range(asked, begin, end, scratch.words(), counts);
    EXPECT_EQ(found.status, Status{});
    std::size_t sum = 0;
    for (const std::uint32_t count : counts) {
        sum += count;
    }
    EXPECT_EQ(found.count, sum);
    return counts;
}

/// A crowd as brute force and the oracle of the order need it: everything by id.
template <std::size_t Dim>
struct Crowd {
    BruteForce<Dim> brute_force;
    std::vector<Point<Dim>> position, half_extent;
    std::vector<std::uint32_t> groups;

    Crowd() = default;
    explicit Crowd(scenes::Scene<Dim>& scene) {
        EXPECT_EQ(brute_force.update(scene.agents()), Status{});
        for (std::size_t i = 0; i < scene.size(); ++i) {
            position.push_back(scene.position_of(i));
            half_extent.push_back(scene.has_own_half_extents() ? scene.half_extent_of(i)
                                                               : scene.common_half_extent);
        }
        groups = scene.groups;
        groups.resize(scene.size(), kAllGroups);
    }

    void insert(Id id, const Agent<Dim>& agent) {
        EXPECT_EQ(brute_force.insert(id, agent), Status{});
        const std::size_t size = std::max<std::size_t>(position.size(), id + 1);
        position.resize(size);
        half_extent.resize(size);
        groups.resize(size, kAllGroups);
        position[id] = agent.position;
        half_extent[id] = agent.half_extent.value_or(brute_force.kind().common_half_extent);
        groups[id] = agent.groups.value_or(kAllGroups);
    }
    void move(Id id, const Point<Dim>& to) {
        EXPECT_EQ(brute_force.move(id, to), Status{});
        position[id] = to;
    }
    void erase(Id id) { EXPECT_EQ(brute_force.erase(id), Status{}); }

    [[nodiscard]] bool takes_part(Id id, std::uint32_t wanted) const {
        return wanted == kAllGroups || (groups[id] & wanted) != 0;
    }
    [[nodiscard]] Box<Dim> box_of(Id id) const {
        return Box<Dim>::around(position[id], half_extent[id]);
    }

    /// All ids as a grid of that shape lists them.
    [[nodiscard]] Ids order(const GridShape<Dim>& shape) const {
        Ids ids(brute_force.size());
        (void)brute_force.order(ids);
        oracle::sort_canonically(shape, std::span<const Point<Dim>>(position), ids);
        return ids;
    }

    /// For each id, the agents that it touches or has within a radius, and itself: the same both
    /// ways.
    [[nodiscard]] std::vector<Ids> touching() const {
        return relation([&](Id id) { return box_of(id); });
    }
    [[nodiscard]] std::vector<Ids> within(float radius) const {
        return relation([&](Id id) { return Ball<Dim>{position[id], radius}; });
    }

    /// The answers of neighbours_range() for all agents, in `order`.
    [[nodiscard]] Lists neighbours(const Ids& order, const std::vector<Ids>& within,
                                   const Neighbourhood& asked) const {
        std::vector<Ids> found(position.size());
        for (const Id near : order) {
            if (!takes_part(near, asked.groups)) { continue; }
            for (const Id id : within[near]) {
                if (id != near || asked.with_self) { found[id].push_back(near); }
            }
        }
        Lists lists;
        for (const Id id : order) {
            lists.append({{0, found[id].size()}, found[id]});
        }
        return lists;
    }
    [[nodiscard]] PairLists pairs(const Ids& order, const std::vector<Ids>& touching,
                                  std::uint32_t wanted = kAllGroups) const {
        std::vector<Ids> found(position.size());
        std::vector<std::uint32_t> rank(position.size());
        for (std::uint32_t i = 0; i < order.size(); ++i) {
            rank[order[i]] = i;
        }
        for (const Id second : order) {
            if (!takes_part(second, wanted)) { continue; }
            for (const Id id : touching[second]) {
                if (rank[id] < rank[second] && takes_part(id, wanted)) {
                    found[id].push_back(second);
                }
            }
        }
        PairLists pairs;
        for (const Id id : order) {
            pairs.append({Ids(found[id].size(), id), found[id]});
        }
        return pairs;
    }

private:
    template <class ShapeOf>
    [[nodiscard]] std::vector<Ids> relation(const ShapeOf& shape_of) const {
        std::vector<Ids> found(position.size());
        for (Id id = 0; id < position.size(); ++id) {
            if (brute_force.contains(id)) { found[id] = ask(brute_force, shape_of(id)); }
        }
        return found;
    }
};

} // namespace throng::test
