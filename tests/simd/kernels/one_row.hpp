// A row at the end of a grid's memory, with only the slack behind it.
#pragma once

#include "../../../simd/isa/slack.hpp"
#include "../../../simd/views/grid_view.hpp"
#include "../../../simd/views/scan_span.hpp"
#include "guarded.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace throng::test {

/// Which fields agents have, and which end of the row's memory touches a guard page.
struct RowKind {
    bool own_extents = false;
    bool groups = false; ///< every other agent is in group 2
    Edge edge = Edge::end;
};

/// Agents of a few cells, which touch only agents of their own cell; with common or own extents. A
/// read further past the last array than kernels may go, or before the first array, is a
/// segmentation fault.
template <std::size_t Dim>
class OneRow {
public:
    /// Agents 0 ... count - 1, equally many in each cell. All agents of a cell are in one place.
    OneRow(std::uint32_t count, std::uint32_t cells, bool own_extents)
        : OneRow(count, cells, RowKind{own_extents}, [=](std::uint32_t i, float* at) {
              at[0] = static_cast<float>(i * cells / count) + 0.25f;
          }) {}

    /// `offset` agents in cell 0, and `length` in cell 1, too far away for questions about cell 0.
    /// One in three stands aside; those touch only each other.
    OneRow(std::uint32_t offset, std::uint32_t length, const RowKind& kind)
        : OneRow(offset + length, 2, kind, [=](std::uint32_t i, float* at) {
              at[0] = i < offset ? 0.75f : 1.75f;
              if (is_aside(i)) { at[1] = 0.85f; }
          }) {}
    [[nodiscard]] static bool is_aside(std::uint32_t i) noexcept {
        return i * 2'654'435'761u >> 16 & 1 ? i % 3 == 0 : i % 3 == 1;
    }

    OneRow(const OneRow&) = delete;
    OneRow& operator=(const OneRow&) = delete;

    /// The range of the agents in agent i's cell.
    [[nodiscard]] std::uint32_t cell_begin(std::uint32_t i) const noexcept {
        return row_.words[cell_of(i)];
    }
    [[nodiscard]] std::uint32_t cell_end(std::uint32_t i) const noexcept {
        return row_.words[cell_of(i) + 1];
    }

    /// The same agents, as kernels for spans see them.
    [[nodiscard]] simd::ScanSpan span() const noexcept {
        return {words_.begin() + view.full_table, capacity(row_.count), row_.count};
    }

    simd::GridView<Dim> view{};

private:
    static constexpr std::uint32_t capacity(std::uint32_t count) noexcept {
        return (count + 3) & ~3u;
    }
    static constexpr std::uint32_t fields(const RowKind& kind) noexcept {
        return simd::Fields<Dim>::count(kind.own_extents, kind.groups);
    }

    /// place(i, at) sets the coordinates of agent i, which are 0.25 before the call.
    template <class Place>
    OneRow(std::uint32_t count, std::uint32_t cells, const RowKind& kind, const Place& place)
        : words_(simd::full_table_words<OneRow>(cells) + capacity(count) * fields(kind) +
                     simd::kSlack,
                 kind.edge) {
        std::uint32_t* const words = words_.begin();
        view.full_table = simd::full_table_words<OneRow>(cells);
        std::uint32_t* const nodes = words + view.full_table;
        // Nodes behind the agents would be hits, too.
        std::fill(nodes, words_.end(), std::bit_cast<std::uint32_t>(0.25f));
        std::fill(words, words + cells + 1, count);
        for (std::uint32_t i = count; i-- > 0;) {
            float at[Dim];
            std::fill_n(at, Dim, 0.25f);
            place(i, at);
            std::fill(words, words + static_cast<std::uint32_t>(at[0]) + 1, i);
            for (std::size_t a = 0; a < Dim; ++a) {
                nodes[a * capacity(count) + i] = std::bit_cast<std::uint32_t>(at[a]);
            }
            nodes[simd::Fields<Dim>::kId * capacity(count) + i] = i;
            if (kind.groups) {
                nodes[simd::Fields<Dim>::groups(kind.own_extents) * capacity(count) + i] =
                    1 + i % 2;
            }
        }
        if (count != 0) {
            row_ = {words, count, capacity(count)};
            occupied_ = 1;
        }

        view.rows = &row_;
        view.occupied = levels_;
        view.occupied_depth = 1;
        view.row_count = 1;
        for (std::size_t a = 0; a < Dim; ++a) {
            view.inverse_cell[a] = 1.0f;
            view.cells[a] = a == 0 ? cells : 1;
            view.last_cell[a] = static_cast<float>(view.cells[a] - 1);
            view.max_half_extent[a] = 0.25f;
        }
        view.own_extents = kind.own_extents;
        view.groups = kind.groups;
    }

    [[nodiscard]] std::uint32_t cell_of(std::uint32_t i) const noexcept {
        return static_cast<std::uint32_t>(std::bit_cast<float>(row_.words[view.full_table + i]));
    }

    Guarded<std::uint32_t> words_;
    simd::Row row_;
    std::uint64_t occupied_ = 0;
    const std::uint64_t* levels_[1] = {&occupied_};
};

} // namespace throng::test
