// More than a hundred thousand agents on rims, where the last bit of a float decides.
#pragma once

#include "../support/scenes/scenes.hpp"
#include "batch_hash.hpp"

#include <throng/parallel/batch/batch.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::test {

template <std::size_t Dim>
float distance2(const Point<Dim>& one, const Point<Dim>& other) {
    float sum = (one[0] - other[0]) * (one[0] - other[0]);
    for (std::size_t a = 1; a < Dim; ++a) {
        sum = sum + (one[a] - other[a]) * (one[a] - other[a]);
    }
    return sum;
}

/// Two crowds: agents on the rims of a few balls or one float beside them; and a lattice, where
/// every agent is exactly on the rims and sides of its neighbours and on edges of cells.
template <std::size_t Dim>
struct Boundary {
    static constexpr std::size_t kLeast = 100'000;
    static constexpr std::uint32_t kSide = Dim == 2 ? 330 : 48;

    scenes::Scene<Dim> rim = scenes::make<Dim>("rim", 160'000);
    scenes::Scene<Dim> lattice;

    Boundary() {
        lattice.world = {Point<Dim>::all(0.0f), Point<Dim>::all(static_cast<float>(kSide - 1))};
        lattice.cell = Point<Dim>::all(1.0f);
        lattice.common_half_extent = Point<Dim>::all(0.5f);
        std::uint32_t count = kSide;
        for (std::size_t a = 1; a < Dim; ++a) {
            count *= kSide;
        }
        for (std::uint32_t i = 0; i < count; ++i) {
            // Ids are not in the order of places.
            std::uint32_t place = static_cast<std::uint32_t>(std::uint64_t{i} * 7919 % count);
            Point<Dim> point;
            for (float& x : point.axis) {
                x = static_cast<float>(place % kSide);
                place /= kSide;
            }
            lattice.add(point);
        }
    }

    /// How many agents have a squared distance at most one float from a ball's squared radius.
    [[nodiscard]] std::size_t on_rims() const {
        std::size_t count = 0;
        for (std::size_t i = 0; i < rim.size(); ++i) {
            const Point<Dim> point = rim.position_of(i);
            for (const Ball<Dim>& ball : rim.balls) {
                const float radius2 = ball.radius * ball.radius;
                const float square = distance2(point, ball.centre);
                if (square >= std::nextafter(radius2, 0.0f) &&
                    square <= std::nextafter(radius2, 1e9f)) {
                    ++count;
                    break;
                }
            }
        }
        return count;
    }

    /// The hash of all answers when both crowds are updated and asked on an executor.
    [[nodiscard]] std::uint64_t hash(Executor& executor) {
        test::Hash hash;
        Batch<Dim> batch(executor);
        const RowGrid<Dim> rims = laid_out(rim, executor);
        hash.add(order_of(rims));
        EXPECT_EQ(batch.query(rims, rim.balls, hits_), Status{});
        add(hash, hits_);

        const RowGrid<Dim> grid = laid_out(lattice, executor);
        hash.add(order_of(grid));
        EXPECT_EQ(batch.neighbours(grid, {1.0f}, hits_), Status{});
        add(hash, hits_);
        EXPECT_EQ(batch.pairs(grid, pairs_), Status{});
        add(hash, pairs_);
        return hash.value();
    }

    /// How many neighbours the lattice had in the last hash(), and below, how many pairs.
    [[nodiscard]] std::size_t neighbours() const noexcept { return hits_.offsets.back(); }
    [[nodiscard]] std::size_t pairs() const noexcept { return pairs_.count; }

private:
    static RowGrid<Dim> laid_out(scenes::Scene<Dim>& scene, Executor& executor) {
        RowGrid<Dim> grid;
        EXPECT_EQ(grid.configure(scene.world, scene.cell), Status{});
        EXPECT_EQ(grid.update(scene.agents(), executor), Status{});
        return grid;
    }
    static std::vector<Id> order_of(const RowGrid<Dim>& grid) {
        std::vector<Id> order(grid.size());
        (void)grid.order(order);
        return order;
    }

    Hits hits_;
    Pairs pairs_;
};

struct BoundaryHash {
    std::size_t dim;
    std::uint64_t hash;
};
constexpr BoundaryHash kBoundaryHashes[] = {
#include "hashes/boundary.txt"
};

/// The hash that every executor, instruction set and compiler must give.
template <std::size_t Dim>
std::uint64_t boundary_hash() {
    for (const BoundaryHash& golden : kBoundaryHashes) {
        if (golden.dim == Dim) { return golden.hash; }
    }
    ADD_FAILURE() << "no golden hash";
    return 0;
}

} // namespace throng::test
