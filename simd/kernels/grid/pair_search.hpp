// The search for all agents that some agents overlap: their partners. For *.kernel.cpp files only.
#pragma once

#include "../../isa/packed_lanes.hpp"
#include "../../search/search_rows.hpp"
#include "../../shapes/box_lanes.hpp"
#include "../../shapes/packet_cells.hpp"
#include "pair_packet.hpp"
#include "pairs.hpp"

namespace throng::simd {

/// Writes pairs, or counts them: one sink, so that searches are compiled once. It is a sink as
/// described in sinks.hpp for the partners of one agent, and can also take() the pairs of a packet.
template <class Arch>
struct PairSink {
    std::uint32_t* first;  ///< where the next pair's first id goes
    std::uint32_t* second; ///< where the next pair's second id goes
    std::uint32_t* end;    ///< the end of the second ids: nothing is written from here on
    bool counts = false;   ///< pairs are only counted, and nothing is written
    std::uint64_t pairs = 0;
    std::uint32_t id = 0; ///< the agent whose partners are looked for

    [[gnu::always_inline]] bool full() const noexcept {
        return !counts && end - second < static_cast<std::ptrdiff_t>(kLanes<Arch>);
    }
    [[gnu::always_inline]] bool enough() const noexcept { return false; }
    [[gnu::always_inline]] bool takes_ids() const noexcept { return !counts; }
    [[gnu::always_inline]] static constexpr bool one_is_enough() noexcept { return false; }
    [[gnu::always_inline]] void look_at(std::uint32_t) noexcept {}
    [[gnu::always_inline]] void enter_row() noexcept {}
    [[gnu::always_inline]] void take(const NodeArrays& row, std::uint32_t id_field, std::uint32_t i,
                                     std::uint32_t bits) noexcept {
        if (counts) {
            pairs += static_cast<std::uint32_t>(__builtin_popcount(bits));
            return;
        }
        take(words_at<Arch>(row, id_field, i), bits);
    }
    [[gnu::always_inline]] std::uint32_t copy(const std::uint32_t* ids,
                                              std::uint32_t count) noexcept {
        if (counts) {
            pairs += count;
            return count;
        }
        if (static_cast<std::uint64_t>(end - second) >= std::uint64_t{count} + kLanes<Arch>) {
            for (std::uint32_t i = 0; i < count; i += kLanes<Arch>) {
                Words<Arch>(id).store_unaligned(first + i);
                Words<Arch>::load_unaligned(ids + i).store_unaligned(second + i);
            }
            first += count;
            second += count;
            return count;
        }
        std::uint32_t taken = 0;
        for (; taken < count && second != end; ++taken) {
            *first++ = id;
            *second++ = ids[taken];
        }
        return taken;
    }

    /// Returns false, and takes nothing, if the pairs of a packet do not fit.
    template <class Packet, std::size_t Dim>
    [[gnu::always_inline]] bool take(const GridView<Dim>& grid, const Packet& packet) noexcept {
        constexpr std::uint32_t kAgents = Packet::kAgents;
        const std::uint32_t ahead = packet.ahead();
        const std::uint32_t others = packet.others();
        const std::uint32_t parts = (others + 31) / 32;
        // For each agent of the packet, a bit for each other agent that it touches.
        std::uint32_t in_row[kMostAhead / 32][kAgents], elsewhere[kMostOthers / 32][kAgents];
        std::uint32_t rest = 0;
        using Bits = Words<Arch>[Packet::kVectors];
        const auto collect = [&](std::uint32_t(&to)[kAgents], std::uint32_t count,
                                 const auto& touching, const auto& drop) {
            Bits bits;
            for (std::uint32_t v = 0; v < Packet::kVectors; ++v) {
                bits[v] = Words<Arch>(0u);
            }
            for (std::uint32_t i = 0; i < count; ++i) {
                for (std::uint32_t v = 0; v < Packet::kVectors; ++v) {
                    bits[v] = with_bit<Arch>(bits[v], touching(v, i), 1u << i);
                }
            }
            drop(bits);
            for (std::uint32_t v = 0; v < Packet::kVectors; ++v) {
                bits[v].store_unaligned(to + v * Packet::kLane);
                rest |= lane_bits<Arch>(bits[v] != Words<Arch>(0u)) << v * Packet::kLane;
            }
        };
        const auto collect_ahead = [&](std::uint32_t done, std::uint32_t count) {
            const auto touching = [&](std::uint32_t v, std::uint32_t i) {
                return packet.touching_ahead(grid, v, done + i + 1);
            };
            // Drops agents outside the groups, and what lies behind the row's last agent. With
            // sixteen lanes that costs less than to ask whether there are any.
            collect(in_row[done / 32], count, touching, [&](Bits& bits) {
                if (kLanes<Arch> < 16 && packet.meets_all_ahead()) { return; }
                for (std::uint32_t v = 0; v < Packet::kVectors; ++v) {
                    bits[v] =
                        bits[v] & bits_from<Arch>(packet.in_row(done / 32), v * Packet::kLane + 1);
                }
            });
        };
        // Mostly there are no more than 32 agents ahead: these need no loop.
        collect_ahead(0, ahead < 32 ? ahead : 32);
        for (std::uint32_t done = 32; done < ahead; done += 32)
            [[unlikely]] { collect_ahead(done, ahead - done < 32 ? ahead - done : 32); }
        for (std::uint32_t part = 0; part < parts; ++part) {
            const std::uint32_t done = 32 * part;
            const auto touching = [&](std::uint32_t v, std::uint32_t i) {
                return packet.touching_other(v, done + i);
            };
            collect(elsewhere[part], others - done < 32 ? others - done : 32, touching,
                    [](Bits&) {});
        }
        rest &= packet.lanes();
        // Pairs to be written are counted first only if they might not fit.
        const std::ptrdiff_t room = end - second - std::ptrdiff_t{2 * kSlack};
        if (counts || room < static_cast<std::ptrdiff_t>(kAgents * (ahead + others))) {
            int here = 0;
            for (std::uint32_t lanes = rest; lanes != 0; lanes &= lanes - 1) {
                const auto lane = static_cast<std::uint32_t>(__builtin_ctz(lanes));
                here += __builtin_popcount(in_row[0][lane]);
                for (std::uint32_t part = 1; 32 * part < ahead; ++part) {
                    here += __builtin_popcount(in_row[part][lane]);
                }
                for (std::uint32_t part = 0; part < parts; ++part) {
                    here += __builtin_popcount(elsewhere[part][lane]);
                }
            }
            if (counts) {
                pairs += static_cast<std::uint32_t>(here);
                return true;
            }
            if (room < here) { return false; }
        }
        // Turns the bits into ids, agent by agent, so that pairs are in order.
        PairSink list = *this;
        for (; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
            const std::uint32_t* const agent = packet.ids() + lane;
            list.id = *agent;
            // No vector may begin behind the row: it would reach beyond the slack.
            const std::uint32_t behind = packet.left() - lane - 1;
            const std::uint32_t last = ahead < behind ? ahead : behind;
            list.take_bits(agent + 1, in_row[0][lane], last);
            for (std::uint32_t done = 32; done < last; done += 32)
                [[unlikely]] {
                    list.take_bits(agent + 1 + done, in_row[done / 32][lane], last - done);
                }
            for (std::uint32_t part = 0; part < parts; ++part) {
                list.take_bits(packet.other_ids() + 32 * part, elsewhere[part][lane],
                               others - 32 * part);
            }
        }
        *this = list;
        return true;
    }

private:
    [[gnu::always_inline]] void take(const Words<Arch>& ids, std::uint32_t bits) noexcept {
        Words<Arch>(id).store_unaligned(first);
        std::uint32_t* const next = compress_store<Arch>(second, ids, bits);
        first += next - second;
        second = next;
    }
    /// Takes the ids whose bit is set, among the first `count` ids, at most 32.
    [[gnu::always_inline]] void take_bits(const std::uint32_t* ids, std::uint32_t bits,
                                          std::uint32_t count) noexcept {
        constexpr std::uint32_t kAll = (1u << kLanes<Arch>)-1;
        for (std::uint32_t i = 0; i < 32 && i < count; i += kLanes<Arch>) {
            take(Words<Arch>::load_unaligned(ids + i), bits >> i & kAll);
        }
    }
};

/// Counts pairs of boxes: unlike PairSink, without noting which agents touch.
template <class Arch>
struct PairCount {
    std::uint64_t pairs = 0;
    std::uint32_t id = 0;

    [[gnu::always_inline]] bool full() const noexcept { return false; }
    [[gnu::always_inline]] bool enough() const noexcept { return false; }
    [[gnu::always_inline]] static constexpr bool takes_ids() noexcept { return false; }
    [[gnu::always_inline]] static constexpr bool one_is_enough() noexcept { return false; }
    [[gnu::always_inline]] void look_at(std::uint32_t) noexcept {}
    [[gnu::always_inline]] void enter_row() noexcept {}
    [[gnu::always_inline]] void take(const NodeArrays&, std::uint32_t, std::uint32_t,
                                     std::uint32_t bits) noexcept {
        pairs += static_cast<std::uint32_t>(__builtin_popcount(bits));
    }
    [[gnu::always_inline]] std::uint32_t copy(const std::uint32_t*, std::uint32_t count) noexcept {
        pairs += count;
        return count;
    }

    template <class Packet, std::size_t Dim>
    [[gnu::always_inline]] bool take(const GridView<Dim>& grid, const Packet& packet) noexcept {
        std::uint32_t hits = 0;
        const auto add = [&](std::uint32_t lanes, const auto& touching) {
            for (std::uint32_t v = 0; v < Packet::kVectors; ++v) {
                hits += static_cast<std::uint32_t>(
                    __builtin_popcount(lane_bits<Arch>(touching(v)) & lanes >> v * Packet::kLane));
            }
        };
        for (std::uint32_t i = 1; i <= packet.ahead(); ++i) {
            add(packet.lanes() & static_cast<std::uint32_t>(packet.in_row(i / 32) >> i % 32),
                [&](std::uint32_t v) { return packet.touching_ahead(grid, v, i); });
        }
        for (std::uint32_t i = 0; i < packet.others(); ++i) {
            add(packet.lanes(), [&](std::uint32_t v) { return packet.touching_other(v, i); });
        }
        pairs += hits;
        return true;
    }
};

/// Takes all partners of a packet's agents. Returns false, and takes nothing, if the partners are
/// too many or too far away for a packet, or do not fit.
template <class Bodies, class Sink, std::size_t Dim>
[[gnu::noinline]] bool search_packet(const GridView<Dim>& grid, RowSlot at, std::uint32_t count,
                                     const PairQuestion& question, Sink& sink) noexcept {
    PairPacket<Bodies> packet(grid, at, count, question);
    return packet.gather(grid, at.row) && sink.take(grid, packet);
}

/// Hands the agents that a shape finds, from `second` on, to the sink. False when the sink is full:
/// then `second` says where to go on.
template <class Arch, class Shape, class Sink, std::size_t Dim>
[[gnu::always_inline]] inline bool
search_partners(const GridView<Dim>& grid, const Shape& shape, const CellBox<Dim>& cells,
                const KernelFilter& kernel_filter, RowSlot& second, Sink& sink) noexcept {
    QueryCursor cursor;
    cursor.row = second.row;
    cursor.slot = second.slot;
    // Two copies of the search: with the branch for groups in it, lists of dense crowds took a
    // fifth longer.
    const NodeFilter<Arch, Dim, Skips::groups> filter(grid, kernel_filter, 0);
    const bool done =
        filter.by_group
            ? search_rows<Skips::groups, Arch>(grid, shape, cells, kernel_filter, sink, cursor)
            : search_rows<Skips::nothing, Arch>(grid, shape, cells, kernel_filter, sink, cursor);
    if (!done) { second = {cursor.row, cursor.slot}; }
    return done;
}

/// The same for the box of a node.
template <class Arch, bool own_extents, class Sink, std::size_t Dim>
[[gnu::always_inline]] inline bool
search_partners_of_box(const GridView<Dim>& grid, const NodeArrays& arrays, std::uint32_t slot,
                       const KernelFilter& kernel_filter, RowSlot& second, Sink& sink) noexcept {
    using Shape = BoxLanes<Arch, Dim, own_extents ? Extents::own : Extents::common>;
    BoxBlock<Dim> box;
    for (std::size_t a = 0; a < Dim; ++a) {
        const Floats<Arch> x = floats_at<Arch>(arrays, Fields<Dim>::kPosition + a, slot);
        const Floats<Arch> h = own_extents
                                   ? floats_at<Arch>(arrays, Fields<Dim>::kHalfExtent + a, slot)
                                   : Floats<Arch>(grid.max_half_extent[a]);
        (x - h).store_unaligned(box.lo[a]);
        (x + h).store_unaligned(box.hi[a]);
    }
    const auto cells = PacketCells<Arch, Dim>::template of<Shape>(grid, box, 0, 1);
    return search_partners<Arch>(grid, Shape(grid, box, 0), cells.box(0), kernel_filter, second,
                                 sink);
}

/// The same for a disc.
template <class Arch, class Sink, std::size_t Dim>
[[gnu::always_inline]] inline bool
search_partners_of_disc(const GridView<Dim>& grid, const PairDisc<Dim>& disc,
                        const KernelFilter& kernel_filter, RowSlot& second, Sink& sink) noexcept {
    using Shape = LoneDisc<Arch, Dim>;
    sink.id = disc.id;
    return search_partners<Arch>(grid, Shape(grid, disc), Shape::cells(grid, disc), kernel_filter,
                                 second, sink);
}

/// Goes on with the partners of agent `at.first` from `at.second` on, wherever they are and however
/// many there are. When all are found, moves on to the next agent. False when the sink is full.
template <Body body, bool own_extents, class Arch, class Sink, std::size_t Dim>
[[gnu::noinline]] bool search_agent(const GridView<Dim>& grid, const KernelFilter& kernel_filter,
                                    PairsAt& at, Sink& sink) noexcept {
    const NodeArrays arrays = arrays_of<Arch>(grid, grid.rows[at.first.row]);
    const std::uint32_t slot = at.first.slot;
    const NodeFilter<Arch, Dim, Skips::groups> filter(grid, kernel_filter, 0);
    if (!filter.by_group || (filter.keep(arrays, slot) & 1u) != 0) {
        const auto word = [&](std::size_t field) {
            return arrays.nodes[field * arrays.capacity + slot];
        };
        bool done = true;
        if constexpr (body == Body::box) {
            sink.id = word(Fields<Dim>::kId);
            done = search_partners_of_box<Arch, own_extents>(grid, arrays, slot, kernel_filter,
                                                             at.second, sink);
        } else {
            PairDisc<Dim> disc;
            for (std::size_t a = 0; a < Dim; ++a) {
                disc.centre[a] = __builtin_bit_cast(float, word(Fields<Dim>::kPosition + a));
            }
            disc.radius = grid.own_extents
                              ? __builtin_bit_cast(float, word(Fields<Dim>::kHalfExtent))
                              : grid.max_half_extent[0];
            disc.id = word(Fields<Dim>::kId);
            done = search_partners_of_disc<Arch>(grid, disc, kernel_filter, at.second, sink);
        }
        if (!done) { return false; }
    }
    at = {{at.first.row, at.first.slot + 1}, {}};
    return true;
}

} // namespace throng::simd
