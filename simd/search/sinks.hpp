// Sinks receive the hits of a search, and write or count them. For *.kernel.cpp files only.
//
// A search passes hits to take(), a vector of nodes at a time, or to copy(), a span of nodes that
// are all hits. full() says that the sink has no room for a vector of ids, enough() that it wants
// no more hits. If takes_ids(), the search prefetches ids; if one_is_enough(), it looks up few rows
// at first. It calls enter_row() for each row, and look_at() with the number of nodes that it
// tests.
#pragma once

#include "../isa/packed_lanes.hpp"
#include "../shapes/row_spans.hpp"
#include "../views/query_one.hpp"

namespace throng::simd {

/// Whether a sink has copy(); if not, it takes all hits a vector at a time.
template <class Sink>
inline constexpr bool kCopies = true;

/// Writes ids.
template <class Arch>
struct IdSink {
    std::uint32_t* out;
    std::uint32_t* end; ///< nothing is written from here on

    [[gnu::always_inline]] std::uint64_t room() const noexcept {
        return static_cast<std::uint64_t>(end - out);
    }
    [[gnu::always_inline]] bool full() const noexcept { return room() < kLanes<Arch>; }
    /// Whether the hits among this many nodes can be taken before the sink is full().
    [[gnu::always_inline]] bool has_room(std::uint32_t nodes) const noexcept {
        return room() >= std::uint64_t{nodes} + kLanes<Arch>;
    }
    [[gnu::always_inline]] bool enough() const noexcept { return false; }
    [[gnu::always_inline]] static constexpr bool takes_ids() noexcept { return true; }
    [[gnu::always_inline]] static constexpr bool one_is_enough() noexcept { return false; }
    [[gnu::always_inline]] void look_at(std::uint32_t) noexcept {}
    [[gnu::always_inline]] void enter_row() noexcept {}

    /// Writes a whole vector, so there must be room: callers test has_room() or full() first.
    [[gnu::always_inline]] void take(const NodeArrays& row, std::uint32_t id_field, std::uint32_t i,
                                     std::uint32_t bits) noexcept {
        out = compress_store<Arch>(out, words_at<Arch>(row, id_field, i), bits);
    }
    /// Copies as many of the ids as there is room for. Returns how many it copied.
    [[gnu::always_inline]] std::uint32_t copy(const std::uint32_t* ids,
                                              std::uint32_t count) noexcept {
        if (count <= kFewVectors * kLanes<Arch> && has_room(count)) {
            for (std::uint32_t i = 0; i < count; i += kLanes<Arch>) {
                Words<Arch>::load_unaligned(ids + i).store_unaligned(out + i);
            }
            out += count;
            return count;
        }
        const std::uint32_t taken = room() < count ? static_cast<std::uint32_t>(room()) : count;
        __builtin_memcpy(out, ids, taken * sizeof(std::uint32_t));
        out += taken;
        return taken;
    }

private:
    /// Copying this many vectors or fewer takes less time than a call of memcpy().
    static constexpr std::uint32_t kFewVectors = 16;
};

/// Counts; with `first_only` stops at the first hit.
template <class Arch>
struct CountSink {
    QueryCursor& cursor;
    bool first_only;

    [[gnu::always_inline]] bool full() const noexcept { return enough(); }
    [[gnu::always_inline]] bool has_room(std::uint32_t) const noexcept { return true; }
    [[gnu::always_inline]] bool enough() const noexcept { return first_only && cursor.hits != 0; }
    [[gnu::always_inline]] static constexpr bool takes_ids() noexcept { return false; }
    [[gnu::always_inline]] bool one_is_enough() const noexcept { return first_only; }
    [[gnu::always_inline]] void look_at(std::uint32_t) noexcept {}
    [[gnu::always_inline]] void enter_row() noexcept {}
    [[gnu::always_inline]] void take(const NodeArrays&, std::uint32_t, std::uint32_t,
                                     std::uint32_t bits) noexcept {
        cursor.hits += static_cast<std::uint32_t>(__builtin_popcount(bits));
    }
    [[gnu::always_inline]] std::uint32_t copy(const std::uint32_t*, std::uint32_t count) noexcept {
        cursor.hits += count;
        return count;
    }
};

/// A CountSink that also counts the nodes tested, the nodes copied and the rows: for trees.
template <class Arch>
struct TallySink : CountSink<Arch> {
    [[gnu::always_inline]] TallySink(QueryCursor& state, bool first) noexcept
        : CountSink<Arch>{state, first} {}
    [[gnu::always_inline]] void look_at(std::uint32_t nodes) noexcept {
        this->cursor.tested += nodes;
    }
    [[gnu::always_inline]] void enter_row() noexcept { ++this->cursor.rows; }
    [[gnu::always_inline]] std::uint32_t copy(const std::uint32_t*, std::uint32_t count) noexcept {
        this->cursor.hits += count;
        this->cursor.copied += count;
        return count;
    }
};

/// A sink for any Form, chosen at run time: searches of shapes that are asked less often are
/// compiled once, not once for each form.
template <class Arch>
struct FormSink {
    QueryCursor& cursor;
    std::uint32_t* out;
    std::uint32_t* end;
    bool ids, first_only;

    [[gnu::always_inline]] FormSink(QueryCursor& state, Form form) noexcept
        : cursor(state), out(state.out), end(state.end), ids(form == Form::ids),
          first_only(form == Form::any) {}
    /// For how many ids there is room: without limit for counts, which need none.
    [[gnu::always_inline]] std::uint64_t room() const noexcept {
        return ids ? static_cast<std::uint64_t>(end - out) : ~std::uint64_t{0};
    }
    [[gnu::always_inline]] bool enough() const noexcept { return first_only && cursor.hits != 0; }
    [[gnu::always_inline]] bool full() const noexcept { return room() < kLanes<Arch> || enough(); }
    [[gnu::always_inline]] bool takes_ids() const noexcept { return ids; }
    [[gnu::always_inline]] bool one_is_enough() const noexcept { return first_only; }
    [[gnu::always_inline]] void look_at(std::uint32_t nodes) noexcept { cursor.tested += nodes; }
    [[gnu::always_inline]] void enter_row() noexcept { ++cursor.rows; }
    [[gnu::always_inline]] void take(const NodeArrays& row, std::uint32_t id_field, std::uint32_t i,
                                     std::uint32_t bits) noexcept {
        if (ids) {
            out = compress_store<Arch>(out, words_at<Arch>(row, id_field, i), bits);
        } else {
            cursor.hits += static_cast<std::uint32_t>(__builtin_popcount(bits));
        }
    }
    [[gnu::always_inline]] std::uint32_t copy(const std::uint32_t* from,
                                              std::uint32_t count) noexcept {
        if (!ids) {
            cursor.hits += count;
            cursor.copied += count;
            return count;
        }
        const std::uint32_t taken = room() < count ? static_cast<std::uint32_t>(room()) : count;
        __builtin_memcpy(out, from, taken * sizeof(std::uint32_t));
        out += taken;
        return taken;
    }
};

} // namespace throng::simd
