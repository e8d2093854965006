// Sorts the agents of a few pages along a curve, and fills pages with them. Internal to the engine.
#pragma once

#include "../memory/word_buffer.hpp"
#include "curve_sort.hpp"
#include "tree_store.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace throng {

/// A few pages, one behind the other.
struct PageRun {
    /// A full page shares its agents among this many pages, itself included. One more may be added.
    static constexpr std::uint32_t kShared = 3;

    std::array<std::uint32_t, kShared + 1> page;
    std::uint32_t count = 0;

    void add(std::uint32_t one) noexcept { page[count++] = one; }
};

/// The space in which the agents of a run are sorted along the curve.
struct PackSpace {
    std::uint32_t *records, *sorting, *axes, *keys;
};

/// Memory for a PackSpace.
struct PageScratch {
    WordBuffer records, sorting, axes, keys;

    /// Makes room for n agents. Throws std::bad_alloc.
    template <std::size_t Dim>
    void reserve(const TreeStore<Dim>& store, std::size_t n);
    [[nodiscard]] PackSpace space() const noexcept {
        return {records.data(), sorting.data(), axes.data(), keys.data()};
    }
    [[nodiscard]] std::size_t bytes() const noexcept {
        return records.bytes() + sorting.bytes() + axes.bytes() + keys.bytes();
    }
};

/// Room for the agents of one page, for calls that may not fail: some 20 kB.
template <std::size_t Dim>
struct OnePageSpace {
    static constexpr std::size_t kAgents = TreeLayout::kPageSlots;
    std::array<std::uint32_t, kAgents*(2 * Dim + 3)> records;
    std::array<std::uint32_t, curve_sort_scratch(kAgents)> sorting;
    std::array<std::uint32_t, 2 * Dim*(kAgents + simd::kSlack)> axes;
    std::array<std::uint32_t, kAgents + simd::kSlack> keys;

    [[nodiscard]] PackSpace space() noexcept {
        return {records.data(), sorting.data(), axes.data(), keys.data()};
    }
};

/// Sorts the agents of `from`, whose pages are in order, and puts them into the pages `to`, about
/// the same number into each, leaf by leaf. Both runs have the same first page, and it keeps its
/// key. Makes neither covers nor nodes.
template <std::size_t Dim>
void pack_run(TreeStore<Dim>& store, const PageRun& from, const PageRun& to,
              const PackSpace& space) noexcept;

/// Gives all pages in use new places, in the same order and with room for more pages. Puts page
/// `added` after page `behind`; kNoPage: adds none.
template <std::size_t Dim>
void lay_pages(TreeStore<Dim>& store, std::uint32_t added, std::uint32_t behind) noexcept;

} // namespace throng
