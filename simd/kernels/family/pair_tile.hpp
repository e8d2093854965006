// The pairs of a span's agents with other agents, a tile at a time. For *.kernel.cpp files only.
#pragma once

#include "../../isa/packed_lanes.hpp"
#include "span_pairs.hpp"

namespace throng::simd {

/// The agents of one span, and as many agents that may touch them as there is room for, copied side
/// by side, so that a whole vector of agents is tested at a time. Most agents of neighbouring cells
/// are out of reach and are not copied.
template <class Arch, std::size_t Dim, bool own_extents, bool with_groups>
class PairTile {
public:
    static constexpr std::uint32_t kRoom = kLeastSpanPairs - kSlack;
    static constexpr std::uint32_t kLane = static_cast<std::uint32_t>(kLanes<Arch>);

    [[gnu::always_inline]] explicit PairTile(const SpanPairs<Dim>& spans) noexcept
        : groups_(spans.groups) {
        for (std::size_t a = 0; a < Dim; ++a) {
            max_half_extent_[a] = Floats<Arch>(spans.max_half_extent[a]);
            box_lo_[a] = Floats<Arch>(spans.lo[a]);
            box_hi_[a] = Floats<Arch>(spans.hi[a]);
        }
    }

    [[gnu::always_inline]] std::uint32_t count() const noexcept { return count_; }
    [[gnu::always_inline]] bool has_room() const noexcept { return count_ + kSpanAgents <= kRoom; }

    /// Replaces the contents by the agents of a span.
    [[gnu::always_inline]] void begin_with(const ScanSpan& span) noexcept {
        count_ = 0;
        add<false>(span);
    }

    /// Adds the agents of a span that overlap the box.
    [[gnu::always_inline]] void add_near(const ScanSpan& span) noexcept { add<true>(span); }

    /// Computes all boxes. To be called after the last agent is added.
    [[gnu::always_inline]] void close() noexcept {
        for (std::uint32_t i = 0; i < count_; i += kLane) {
            for (std::size_t a = 0; a < Dim; ++a) {
                const Floats<Arch> x = Floats<Arch>::load_unaligned(position(a) + i);
                const Floats<Arch> h =
                    own_extents ? Floats<Arch>::load_unaligned(extent(a) + i) : max_half_extent_[a];
                (x - h).store_unaligned(lo_[a] + i);
                (x + h).store_unaligned(hi_[a] + i);
            }
        }
        // Boxes behind the last agent begin at infinity, so that they touch no agent.
        Floats<Arch>(__builtin_huge_valf()).store_unaligned(lo_[0] + count_);
    }

    /// Lists the pairs of agents i ... own - 1 with all agents after them, or, if `apart`, with the
    /// agents behind the first `own` only. Returns the first agent whose pairs might no longer fit,
    /// or `own`.
    [[gnu::always_inline]] std::uint32_t list(std::uint32_t i, std::uint32_t own, bool apart,
                                              SpanPairsOutput& out) const noexcept {
        // Most tiles have a vector or two of agents: these boxes stay in registers.
        if (count_ <= kLane) { return list_few<1>(i, own, apart, out); }
        if (kLane > 1 && count_ <= 2 * kLane) { return list_few<2>(i, own, apart, out); }
        Pairs to(out);
        for (; i < own && to.has_room(); ++i) {
            const Box box(*this, i);
            const std::uint32_t begin = apart ? own : i + 1;
            std::uint32_t at = begin / kLane * kLane;
            std::uint32_t wanted = ~0u << begin % kLane;
            for (; at < count_; at += kLane) {
                to.add(box.id, ids(at), bits_of(box, Others(*this, at)) & wanted);
                wanted = ~0u;
            }
        }
        to.finish(out);
        return i;
    }

private:
    using View = Fields<Dim>;

    [[gnu::always_inline]] const float* position(std::size_t a) const noexcept {
        return reinterpret_cast<const float*>(words_[View::kPosition + a]);
    }
    [[gnu::always_inline]] const float* extent(std::size_t a) const noexcept {
        return reinterpret_cast<const float*>(words_[View::kHalfExtent + a]);
    }

    /// The agents of one vector.
    struct Others {
        Floats<Arch> lo[Dim], hi[Dim];
        [[gnu::always_inline]] Others() noexcept = default;
        [[gnu::always_inline]] Others(const PairTile& tile, std::uint32_t at) noexcept {
            for (std::size_t a = 0; a < Dim; ++a) {
                lo[a] = Floats<Arch>::load_unaligned(tile.lo_[a] + at);
                hi[a] = Floats<Arch>::load_unaligned(tile.hi_[a] + at);
            }
        }
    };
    /// One agent, in every lane.
    struct Box {
        Floats<Arch> lo[Dim], hi[Dim];
        Words<Arch> id;
        [[gnu::always_inline]] Box(const PairTile& tile, std::uint32_t i) noexcept
            : id(tile.words_[Dim][i]) {
            for (std::size_t a = 0; a < Dim; ++a) {
                lo[a] = Floats<Arch>(tile.lo_[a][i]);
                hi[a] = Floats<Arch>(tile.hi_[a][i]);
            }
        }
    };
    /// The output, as plain pointers.
    struct Pairs {
        std::uint32_t *first, *second, *begin, *end;
        [[gnu::always_inline]] explicit Pairs(const SpanPairsOutput& out) noexcept
            : first(out.first + out.used), second(out.second + out.used), begin(out.second),
              end(out.second + out.capacity) {}
        [[gnu::always_inline]] bool has_room() const noexcept {
            return end - second >= static_cast<std::ptrdiff_t>(kLeastSpanPairs);
        }
        [[gnu::always_inline]] void add(const Words<Arch>& id, const Words<Arch>& others,
                                        std::uint32_t bits) noexcept {
            id.store_unaligned(first);
            std::uint32_t* const next = compress_store<Arch>(second, others, bits);
            first += next - second;
            second = next;
        }
        [[gnu::always_inline]] void finish(SpanPairsOutput& out) const noexcept {
            out.used = static_cast<std::size_t>(second - begin);
        }
    };

    [[gnu::always_inline]] Words<Arch> ids(std::uint32_t at) const noexcept {
        return Words<Arch>::load_unaligned(words_[Dim] + at);
    }

    /// if (box overlaps other), in every lane.
    [[gnu::always_inline]] static std::uint32_t bits_of(const Box& box,
                                                        const Others& others) noexcept {
        FloatMask<Arch> touching = others.lo[0] <= box.hi[0];
        touching = touching & (box.lo[0] <= others.hi[0]);
        for (std::size_t a = 1; a < Dim; ++a) {
            touching = touching & (others.lo[a] <= box.hi[a]);
            touching = touching & (box.lo[a] <= others.hi[a]);
        }
        return lane_bits<Arch>(touching);
    }

    template <std::uint32_t kVectors>
    [[gnu::always_inline]] std::uint32_t list_few(std::uint32_t i, std::uint32_t own, bool apart,
                                                  SpanPairsOutput& out) const noexcept {
        Others others[kVectors];
        Words<Arch> id[kVectors];
        for (std::uint32_t v = 0; v < kVectors; ++v) {
            others[v] = Others(*this, v * kLane);
            id[v] = ids(v * kLane);
        }
        Pairs to(out);
        // 64 bits, since two vectors may have 32 lanes, and a shift by 32 needs a wider word.
        std::uint64_t wanted = ~std::uint64_t{0} << (apart ? own : i + 1);
        for (; i < own && to.has_room(); ++i) {
            const Box box(*this, i);
            for (std::uint32_t v = 0; v < kVectors; ++v) {
                to.add(box.id, id[v],
                       bits_of(box, others[v]) & static_cast<std::uint32_t>(wanted >> v * kLane));
            }
            wanted <<= apart ? 0 : 1;
        }
        to.finish(out);
        return i;
    }

    template <bool near>
    [[gnu::always_inline]] void add(const ScanSpan& span) noexcept {
        for (std::uint32_t i = 0; i < span.count; i += kLane) {
            const auto word = [&](std::size_t field) {
                return span.nodes + field * span.capacity + i;
            };
            const auto number = [&](std::size_t field) {
                return Floats<Arch>::load_unaligned(reinterpret_cast<const float*>(word(field)));
            };
            std::uint32_t bits = (1u << kLane) - 1u;
            if constexpr (near) {
                FloatMask<Arch> in = Floats<Arch>(0.0f) <= Floats<Arch>(0.0f);
                for (std::size_t a = 0; a < Dim; ++a) {
                    const Floats<Arch> x = number(View::kPosition + a);
                    const Floats<Arch> h =
                        own_extents ? number(View::kHalfExtent + a) : max_half_extent_[a];
                    in = in & ((x - h) <= box_hi_[a]);
                    in = in & (box_lo_[a] <= (x + h));
                }
                bits = lane_bits<Arch>(in);
            }
            bits = first_lanes<Arch>(bits, span.count - i);
            if constexpr (with_groups) {
                const Words<Arch> common =
                    Words<Arch>::load_unaligned(word(View::groups(own_extents))) &
                    Words<Arch>(groups_);
                bits &= lane_bits<Arch>(common != Words<Arch>(0u));
            }
            for (std::size_t f = 0; f < View::count(own_extents, false); ++f) {
                compress_store<Arch>(words_[f] + count_, Words<Arch>::load_unaligned(word(f)),
                                     bits);
            }
            count_ += static_cast<std::uint32_t>(__builtin_popcount(bits));
            if constexpr (kLane >= kSpanAgents) { break; }
        }
    }

    static constexpr std::uint32_t kWords = kRoom + 2 * kSlack;
    alignas(64) std::uint32_t words_[View::count(own_extents, false)][kWords];
    alignas(64) float lo_[Dim][kWords];
    alignas(64) float hi_[Dim][kWords];
    Floats<Arch> max_half_extent_[Dim], box_lo_[Dim], box_hi_[Dim];
    std::uint32_t groups_;
    std::uint32_t count_ = 0;
};

template <bool own_extents, bool with_groups, class Arch, std::size_t Dim>
[[gnu::always_inline]] inline bool list_all(const SpanPairs<Dim>& spans, SpanPairsAt& at,
                                            SpanPairsOutput& out) noexcept {
    PairTile<Arch, Dim, own_extents, with_groups> tile(spans);
    const std::uint32_t all = spans.own_count + spans.other_count;
    for (; at.span < spans.own_count; ++at.span, at.other = 0) {
        do {
            tile.begin_with(spans.own[at.span]);
            const std::uint32_t own = tile.count();
            const bool at_first = at.other == 0 && !spans.others_only;
            const std::uint32_t begin = spans.others_only ? spans.own_count : at.span + 1;
            std::uint32_t next = at.other == 0 ? begin : at.other;
            for (; next < spans.own_count && tile.has_room(); ++next) {
                tile.add_near(spans.own[next]);
            }
            for (; next < all && tile.has_room(); ++next) {
                tile.add_near(spans.others[next - spans.own_count]);
            }
            tile.close();
            at.agent = tile.list(at.agent, own, !at_first, out);
            if (at.agent < own) { return false; }
            at.agent = 0;
            at.other = next;
        } while (at.other < all);
    }
    return true;
}

/// Calls call<own_extents, with_groups>(), where with_groups is false if all groups are wanted.
template <class Arch, class Call>
[[gnu::always_inline]] inline bool with_pair_kind(bool own_extents, bool with_groups,
                                                  std::uint32_t groups, const Call& call) noexcept {
    if (groups == 0) { return true; } // no group, no pairs: also in a crowd without masks
    if (with_groups && groups != ~0u) {
        return own_extents ? call.template operator()<true, true>()
                           : call.template operator()<false, true>();
    }
    return own_extents ? call.template operator()<true, false>()
                       : call.template operator()<false, false>();
}

} // namespace throng::simd
