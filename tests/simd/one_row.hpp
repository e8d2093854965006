// The end of the memory of a grid: a row behind which there is nothing but the slack.
#pragma once

#include "../../simd/grid_view.hpp"
#include "../../simd/slack.hpp"
#include "guarded.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace throng::test {

/// Agents 0 ... count - 1, as many in each cell, where they touch each other and nobody else; with
/// extents of their own or a common one. To read further behind the last array than kernels may is
/// a segmentation fault.
template <std::size_t Dim>
class OneRow {
public:
    OneRow(std::uint32_t count, std::uint32_t cells, bool own_extents)
        : words_(simd::full_table_words<OneRow>(cells) + capacity(count) * fields(own_extents) +
                 simd::kSlack) {
        std::uint32_t* const words = words_.begin();
        view.full_table = simd::full_table_words<OneRow>(cells);
        std::uint32_t* const nodes = words + view.full_table;
        // What lies behind the agents would be found, too.
        std::fill(nodes, words_.end(), std::bit_cast<std::uint32_t>(0.25f));
        words[cells] = count;
        for (std::uint32_t i = count; i-- > 0;) {
            const std::uint32_t cell = i * cells / count;
            std::fill(words, words + cell + 1, i);
            nodes[i] = std::bit_cast<std::uint32_t>(static_cast<float>(cell) + 0.25f);
            nodes[simd::Fields<Dim>::kId * capacity(count) + i] = i;
        }
        row_ = {words, count, capacity(count)};

        view.rows = &row_;
        view.occupied = levels_;
        view.occupied_depth = 1;
        view.row_count = 1;
        for (std::size_t a = 0; a < Dim; ++a) {
            view.inverse_cell[a] = 1.0f;
            view.cells[a] = a == 0 ? cells : 1;
            view.last_cell[a] = static_cast<float>(view.cells[a] - 1);
            view.reach[a] = 0.25f;
        }
        view.own_extents = own_extents;
    }
    OneRow(const OneRow&) = delete;
    OneRow& operator=(const OneRow&) = delete;

    /// Where the agents of agent i's cell begin and end.
    [[nodiscard]] std::uint32_t cell_begin(std::uint32_t i) const noexcept {
        return row_.words[i * view.cells[0] / row_.count];
    }
    [[nodiscard]] std::uint32_t cell_end(std::uint32_t i) const noexcept {
        return row_.words[i * view.cells[0] / row_.count + 1];
    }

    simd::GridView<Dim> view{};

private:
    static constexpr std::uint32_t capacity(std::uint32_t count) noexcept {
        return (count + 3) & ~3u;
    }
    static constexpr std::uint32_t fields(bool own_extents) noexcept {
        return simd::Fields<Dim>::count(own_extents, false);
    }

    Guarded<std::uint32_t> words_;
    simd::Row row_;
    std::uint64_t occupied_ = 1;
    const std::uint64_t* levels_[1] = {&occupied_};
};

} // namespace throng::test
