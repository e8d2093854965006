// What becomes of hits. For *.kernel.cpp files only.
//
// A sink has room() for a number of ids, take()s the hits among a vector of nodes, copy()s a span
// of them that all hit, and says when it is full() or has had enough(). One that measures is handed
// the nodes themselves instead: it has measure() in place of take() and copy().
#pragma once

#include "lanes.hpp"
#include "query.hpp"

namespace throng::simd {

/// Whether a sink measures.
template <class Sink>
inline constexpr bool kMeasures = false;

/// Writes ids.
template <class Arch>
struct IdSink {
    std::uint32_t* out;
    std::uint32_t* end; ///< nothing is written from here on

    [[gnu::always_inline]] std::uint64_t room() const noexcept {
        return static_cast<std::uint64_t>(end - out);
    }
    [[gnu::always_inline]] bool full() const noexcept { return room() < kLanes<Arch>; }
    [[gnu::always_inline]] bool enough() const noexcept { return false; }
    [[gnu::always_inline]] void look_at(std::uint32_t) noexcept {}
    [[gnu::always_inline]] void enter_row() noexcept {}

    /// Writes a whole vector: look at room() or full() first.
    [[gnu::always_inline]] void take(const std::uint32_t* ids, std::uint32_t bits) noexcept {
        out = compress_store<Arch>(out, Words<Arch>::load_unaligned(ids), bits);
    }
    /// Returns how many it took.
    [[gnu::always_inline]] std::uint32_t copy(const std::uint32_t* ids,
                                              std::uint32_t count) noexcept {
        const std::uint32_t taken = room() < count ? static_cast<std::uint32_t>(room()) : count;
        __builtin_memcpy(out, ids, taken * sizeof(std::uint32_t));
        out += taken;
        return taken;
    }
};

/// Counts; with `first_only` stops at the first hit; with `costs` counts its steps too.
template <class Arch, bool first_only, bool costs>
struct CountSink {
    Walk& walk;

    [[gnu::always_inline]] bool full() const noexcept { return enough(); }
    [[gnu::always_inline]] bool enough() const noexcept { return first_only && walk.hits != 0; }
    [[gnu::always_inline]] void look_at(std::uint32_t nodes) noexcept {
        if constexpr (costs) { walk.tested += nodes; }
    }
    [[gnu::always_inline]] void enter_row() noexcept {
        if constexpr (costs) { ++walk.rows; }
    }
    [[gnu::always_inline]] void take(const std::uint32_t*, std::uint32_t bits) noexcept {
        walk.hits += static_cast<std::uint32_t>(__builtin_popcount(bits));
    }
    [[gnu::always_inline]] std::uint32_t copy(const std::uint32_t*, std::uint32_t count) noexcept {
        walk.hits += count;
        if constexpr (costs) { walk.copied += count; }
        return count;
    }
};

} // namespace throng::simd
