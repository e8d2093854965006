// Where the answers of packets of queries go. For *.kernel.cpp files only.
#pragma once

#include "../isa/packed_lanes.hpp"
#include "../shapes/row_spans.hpp"
#include "../views/query_block.hpp"

#include <cstddef>

namespace throng::simd {

/// Writes the ids of a packet's hits, one query after another.
template <class Arch>
struct NearIds {
    static constexpr bool kCountsOnly = false;
    std::uint32_t* next; ///< where the next hit goes
    std::uint32_t* end;  ///< no more than kSlack ids are written from here on
    std::uint32_t* done; ///< where the hits of the last finished query end
    const std::uint32_t* ids;
    std::uint64_t* offsets; ///< how far from `ids` each query's hits end
    GoingApart apart;       ///< as in BatchOutput

    [[gnu::always_inline]] bool goes_apart() noexcept { return apart.next(); }
    [[gnu::always_inline]] void went(bool together) noexcept { apart.went(together); }
    [[gnu::always_inline]] bool has_room_for(std::ptrdiff_t count) const noexcept {
        return end - next >= count;
    }
    template <class Shape>
    [[gnu::always_inline]] void begin_query(const Shape&) noexcept {}
    [[gnu::always_inline]] void take(const NodeArrays& row, std::uint32_t field, std::uint32_t i,
                                     std::uint32_t bits) noexcept {
        next = compress_store<Arch>(next, words_at<Arch>(row, field, i), bits);
    }
    [[gnu::always_inline]] void finish_query() noexcept {
        done = next;
        *offsets++ = static_cast<std::uint64_t>(next - ids);
    }
};

/// Writes the number of each query's hits; with `first_only`, 1 if there are any.
template <class Arch>
struct NearCounts {
    static constexpr bool kCountsOnly = true;
    std::uint32_t* counts;
    bool first_only;
    std::uint32_t hits = 0;

    [[gnu::always_inline]] static constexpr bool goes_apart() noexcept { return false; }
    [[gnu::always_inline]] static constexpr void went(bool) noexcept {}
    [[gnu::always_inline]] bool has_room_for(std::ptrdiff_t) const noexcept { return true; }
    template <class Shape>
    [[gnu::always_inline]] void begin_query(const Shape&) noexcept {}
    [[gnu::always_inline]] void take(const NodeArrays&, std::uint32_t, std::uint32_t,
                                     std::uint32_t bits) noexcept {
        hits += static_cast<std::uint32_t>(__builtin_popcount(bits));
    }
    [[gnu::always_inline]] void finish_query() noexcept {
        *counts++ = first_only && hits > 1 ? 1 : hits;
        hits = 0;
    }
};

} // namespace throng::simd
