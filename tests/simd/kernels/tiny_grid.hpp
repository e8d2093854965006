// A grid so small that tests can try every place in it, in the form that kernels see.
#pragma once

#include "../../../engine/grid/rows/row_store.hpp"
#include "../../../simd/views/grid_view.hpp"
#include "../../support/random.hpp"

#include <throng/engine/agents/box.hpp>
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/shapes/ball.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace throng::test {

using Ids = std::vector<std::uint32_t>;

/// One width of a TinyGrid's cells gives rows a full table, the other a trimmed one.
inline constexpr float kCellWidths[] = {1.0f, 0.01f};

/// Room for more than the agents of a TinyGrid's knot.
inline constexpr std::size_t kLargestRoom = 300;

/// A few rows, made without an update: some empty, some with few agents in many cells, some full,
/// and a knot of agents, four fifths in one row and the rest in the next.
template <std::size_t Dim>
struct TinyGrid {
    static constexpr std::size_t kSpread = 200, kAgents = 400;
    static Point<Dim> knot() noexcept {
        Point<Dim> point = Point<Dim>::all(3.0f);
        point[1] = 3.86f;
        return point;
    }

    std::vector<Point<Dim>> position;         // by id
    std::vector<Point<Dim>> own_half;         // by id; empty if all share `half`
    std::vector<std::uint32_t> groups;        // by id; empty without groups
    Ids order;                                // by row, cell, id
    Point<Dim> half = Point<Dim>::all(0.25f); // common, or at least the largest
    RowStore<Dim> store;
    std::array<const std::uint64_t*, HierarchicalBitset::kMaxLevels> levels{};
    simd::GridView<Dim> view{};

    explicit TinyGrid(float cell_width, bool own_extents = false, bool with_groups = false) {
        scenes::Random random(17);
        Point<Dim> cell = Point<Dim>::all(2.0f);
        cell[0] = cell_width;
        const auto made = shape_over<Dim>({Point<Dim>::all(0.0f), Point<Dim>::all(8.0f)}, cell);
        const GridShape<Dim>& shape = made.value;
        for (std::size_t i = 0; i < kAgents; ++i) {
            Point<Dim> point;
            for (float& x : point.axis) {
                // A third of the agents in a few rows, which become long.
                x = i % 3 == 0 ? random.between(5.0f, 6.9f) : random.between(0.0f, 8.0f);
            }
            if (i >= kSpread) {
                for (std::size_t a = 0; a < Dim; ++a) {
                    point[a] = knot()[a] + random.between(-0.2f, 0.22f);
                }
            }
            if (point[1] >= 6.0f) { point[1] -= 4.0f; } // the last row of each plane stays empty
            position.push_back(point);
            order.push_back(static_cast<std::uint32_t>(i));
        }
        for (std::size_t i = 0; own_extents && i < kAgents; ++i) {
            own_half.push_back(Point<Dim>::all(random.between(0.0f, i % 9 == 0 ? 0.6f : 0.2f)));
            half = Point<Dim>::all(0.6f);
        }
        for (std::size_t i = 0; with_groups && i < kAgents; ++i) {
            groups.push_back(random.below(4));
        }
        const auto key = [&](std::uint32_t id) {
            const Point<Dim>& p = position[id];
            return std::tuple(shape.row_of(p), shape.cell_on(0, p[0]), id);
        };
        std::sort(order.begin(), order.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });

        const CrowdKind<Dim> kind{own_extents, with_groups, own_extents ? Point<Dim>{} : half};
        store = RowStore<Dim>(shape, kind);
        WordBuffer slab;
        slab.reserve(16'384);
        std::fill_n(slab.data(), slab.size(), std::bit_cast<std::uint32_t>(3.0f)); // all would hit
        std::uint32_t* words = slab.data();
        store.restart(kind, std::move(slab));
        for (std::size_t i = 0; i < order.size();) {
            const std::uint32_t r = shape.row_of(position[order[i]]);
            std::size_t past = i;
            while (past < order.size() && shape.row_of(position[order[past]]) == r) {
                ++past;
            }
            const auto cell_of = [&](std::size_t at) {
                return shape.cell_on(0, position[order[at]][0]);
            };
            const auto count = static_cast<std::uint32_t>(past - i);
            words +=
                store.place(r, words, count,
                            TableForm::of(count, cell_of(i), cell_of(past - 1), shape.cells[0]));
            const simd::Row& row = store.rows()[r];
            for (std::uint32_t slot = 0; slot < count; ++slot) {
                const std::uint32_t id = order[i + slot];
                for (std::size_t a = 0; a < Dim; ++a) {
                    store.field(row, a)[slot] = std::bit_cast<std::uint32_t>(position[id][a]);
                }
                store.field(row, simd::Fields<Dim>::kId)[slot] = id;
                for (std::size_t a = 0; own_extents && a < Dim; ++a) {
                    store.field(row, simd::Fields<Dim>::kHalfExtent + a)[slot] =
                        std::bit_cast<std::uint32_t>(own_half[id][a]);
                }
                if (with_groups) {
                    store.field(row, simd::Fields<Dim>::groups(own_extents))[slot] = groups[id];
                }
            }
            store.write_table(row);
            i = past;
        }
        store.all_placed();
        see();
    }

    void see() {
        levels = store.occupied().levels();
        view.rows = store.rows().data();
        view.occupied = levels.data();
        view.occupied_depth = store.occupied().depth();
        view.row_count = static_cast<std::uint32_t>(store.rows().size());
        const GridShape<Dim>& shape = store.shape();
        for (std::size_t a = 0; a < Dim; ++a) {
            view.origin[a] = shape.origin[a];
            view.inverse_cell[a] = shape.inverse_cell[a];
            view.last_cell[a] = static_cast<float>(shape.cells[a] - 1);
            view.cells[a] = shape.cells[a];
            view.max_half_extent[a] = half[a];
        }
        view.own_extents = !own_half.empty();
        view.groups = !groups.empty();
        view.full_table = TableForm{}.words(shape.cells[0]);
    }

    template <class Shape>
    [[nodiscard]] Ids wanted(const Shape& shape) const {
        Ids ids;
        for (const std::uint32_t id : order) {
            if (hits(shape, position[id])) { ids.push_back(id); }
        }
        return ids;
    }
    [[nodiscard]] const Point<Dim>& half_of(std::uint32_t id) const {
        return own_half.empty() ? half : own_half[id];
    }
    [[nodiscard]] bool takes_part(std::uint32_t id, std::uint32_t wanted) const {
        return groups.empty() || wanted == ~0u || (groups[id] & wanted) != 0;
    }
    [[nodiscard]] bool hits(const Box<Dim>& box, const Point<Dim>& p) const {
        return overlaps(box, p, half);
    }
    [[nodiscard]] bool hits(const Ball<Dim>& ball, const Point<Dim>& p) const {
        return contains(ball, p);
    }
};

} // namespace throng::test
