// Finds the span of nodes that lie in a range of cells. For *.kernel.cpp files only.
#pragma once

#include "../isa/lanes.hpp"
#include "../views/grid_view.hpp"

namespace throng::simd {

/// Nodes begin ... end - 1 of a row.
struct Span {
    std::uint32_t begin, end;
};

/// Where the arrays of a row's fields lie: field f of node i is nodes[f * capacity + i].
struct NodeArrays {
    const std::uint32_t* nodes;
    std::uint32_t capacity;
};

/// Whether the row has agents and a full table: nearly always, so test this first.
template <class Arch>
[[gnu::always_inline]] inline bool is_full(const Row& row) noexcept {
    return static_cast<std::int32_t>(row.capacity_and_form) >= 0;
}

template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline NodeArrays arrays_of(const GridView<Dim>& grid,
                                                   const Row& row) noexcept {
    return {row.words +
                (is_full<Arch>(row) ? grid.full_table : trimmed_table_words<Arch>(row.words[2])),
            row.capacity_and_form & ~Row::kTrimmed};
}

/// The vector of a field that starts at node `i`.
template <class Arch>
[[gnu::always_inline]] inline Floats<Arch> floats_at(const NodeArrays& row, std::size_t field,
                                                     std::uint32_t i) noexcept {
    return Floats<Arch>::load_unaligned(reinterpret_cast<const float*>(row.nodes) +
                                        field * row.capacity + i);
}
/// The same for numbers that are used more than once. Compilers would load them for each use, which
/// takes no extra instruction, but is slow because most such vectors lie in two cache lines. On x86
/// an empty assembly statement holds them in a register.
template <class Arch>
[[gnu::always_inline]] inline Floats<Arch> floats_once_at(const NodeArrays& row, std::size_t field,
                                                          std::uint32_t i) noexcept {
    Floats<Arch> numbers = floats_at<Arch>(row, field, i);
#if defined(__x86_64__) && !defined(THRONG_MEMORY_SANITIZER)
    if constexpr (!std::is_same_v<Arch, Scalar>) { __asm__("" : "+v"(numbers.data)); }
#endif
    return numbers;
}
template <class Arch>
[[gnu::always_inline]] inline Words<Arch> words_at(const NodeArrays& row, std::size_t field,
                                                   std::uint32_t i) noexcept {
    return Words<Arch>::load_unaligned(row.nodes + field * row.capacity + i);
}

/// The nodes of cells first ... last of a row with agents. Where table entries cover several cells,
/// nodes of adjacent cells may be included; with `within`, only the nodes of table entries that
/// cover none but these cells are included.
template <class Arch, bool within = false>
[[gnu::always_inline]] inline Span span_of(const Row& row, std::uint32_t first,
                                           std::uint32_t last) noexcept {
    if (is_full<Arch>(row)) { return {row.words[first], row.words[last + 1]}; }
    const std::uint32_t lowest = row.words[0];
    const std::uint32_t shift = row.words[1];
    const std::uint32_t entries = row.words[2];
    const std::uint32_t* const start = row.words + kTrimmedWords;

    // Cells are counted from `lowest`, in signed numbers: a query may begin before `lowest`.
    const std::int32_t low = static_cast<std::int32_t>(first - lowest);
    const std::int32_t past = static_cast<std::int32_t>(last + 1 - lowest);
    const std::int32_t round = (std::int32_t{1} << shift) - 1;
    const std::int32_t begin = (within ? low + round : low) >> shift;
    const std::int32_t end = (within ? past : past + round) >> shift;
    const std::int32_t limit = static_cast<std::int32_t>(entries);
    const std::int32_t b = begin < 0 ? 0 : begin > limit ? limit : begin;
    const std::int32_t e = end < b ? b : end > limit ? limit : end;
    return {start[b], start[e]};
}

} // namespace throng::simd
