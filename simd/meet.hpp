// The walk of a stretch of agents past all their neighbours. For *.kernel.cpp files and fused/
// only.
//
// Lanes are agents next to each other in storage order. Everyone who may be near any of them is
// looked at once for all, in canonical order, so each lane adds up its own neighbours in that order
// on every instruction set, however many lanes there are.
#pragma once

#include "agent_window.hpp"
#include "meeting.hpp"
#include "meeting_lanes.hpp"
#include "stretch.hpp"

namespace throng::simd {

/// A kernel, which is a set of such functions (see docs/fused.md), and all that the walk needs.
template <class V, bool filtered, class Kernel>
class Walker {
public:
    using Arch = typename V::Arch;
    static constexpr std::size_t kDim = V::kDim;
    static constexpr auto kLane = static_cast<std::uint32_t>(kLanes<Arch>);

    [[gnu::always_inline]] Walker(const GridView<kDim>& grid, const Meeting& meeting,
                                  const Kernel& kernel) noexcept
        : grid_(grid), meeting_(meeting), kernel_(kernel), look_(grid, meeting.radius) {}

    /// Goes along the stretch for at most `most` agents. Returns how many it was, and moves
    /// stretch.at behind them.
    [[gnu::always_inline]] std::uint64_t walk(MeetingStretch& stretch, std::uint64_t most) const {
        std::uint64_t planned = 0;
        // A packet's window takes as long as a quarter of its neighbours, one step waiting for the
        // other; while the neighbours of the packet before are met, there is time for it.
        Packet packets[2];
        unsigned turn = 0;
        const auto plan = [&](Place place, std::uint32_t count) __attribute__((always_inline)) {
            if (most - planned < kLane && most - planned < count) { return false; }
            while (count > 0) {
                const Packet& packet = packets[turn];
                turn ^= 1;
                Packet& next = packets[turn];
                plan_packet(next, place, count, stretch.first + planned);
                place.slot += next.count;
                count -= next.count;
                planned += next.count;
                stretch.at = place;
                if (packet.count != 0) { meet(packet); }
            }
            return true;
        };
        for_each_few<Arch, kLane>(grid_, stretch.at, stretch.end, plan);
        if (packets[turn].count != 0) { meet(packets[turn]); }
        stretch.first += planned;
        return planned;
    }

private:
    struct Packet {
        Place at{};
        std::uint32_t count = 0;
        std::uint64_t first = 0;
        PacketWindow<kDim> window{};
    };

    /// As many of the next `count` agents of a row as go together.
    [[gnu::always_inline]] void plan_packet(Packet& packet, Place at, std::uint32_t count,
                                            std::uint64_t first) const noexcept {
        const NodeArrays arrays = arrays_of<Arch>(grid_, grid_.rows[at.row]);
        Floats<Arch> position[kDim];
        for (std::size_t a = 0; a < kDim; ++a) {
            position[a] = floats_at<Arch>(arrays, Fields<kDim>::kPosition + a, at.slot);
        }
        packet.at.row = at.row;
        packet.at.slot = at.slot;
        packet.count = count;
        packet.first = first;
        look_.find(packet.window, position, count);
        if (meeting_.groups == 0) { packet.window.cells[kDim - 1] = CellRange::none(); }
        if (count > 1 && look_.is_wide(packet.window, count)) [[unlikely]] { shorten(packet); }
    }

    /// Leaves out agents as long as the others together look at much more than each alone.
    [[gnu::noinline]] void shorten(Packet& packet) const noexcept {
        const NodeArrays arrays = arrays_of<Arch>(grid_, grid_.rows[packet.at.row]);
        Floats<Arch> position[kDim];
        for (std::size_t a = 0; a < kDim; ++a) {
            position[a] = floats_at<Arch>(arrays, Fields<kDim>::kPosition + a, packet.at.slot);
        }
        while (packet.count > 1 && look_.is_wide(packet.window, packet.count) &&
               sees_many(packet.window, 4 * packet.count)) {
            packet.count = (packet.count + 1) / 2;
            look_.find(packet.window, position, packet.count);
        }
    }

    [[gnu::noinline]] bool sees_many(const PacketWindow<kDim>& window,
                                     std::uint32_t many) const noexcept {
        std::uint32_t seen = 0;
        return !for_each_row_in<Arch>(grid_, window,
                                      [&](std::uint32_t, const NodeArrays&, const Span& span) {
                                          // A row may hold as many as a word can say.
                                          if (span.end - span.begin > many) { return false; }
                                          seen += span.end - span.begin;
                                          return seen <= many;
                                      });
    }

    [[gnu::noinline, gnu::flatten]] void meet(const Packet& packet) const {
        const NodeArrays own = arrays_of<Arch>(grid_, grid_.rows[packet.at.row]);
        typename V::Agents agents;
        agents.count = packet.count;
        agents.first = packet.first;
        agents.ids = own.nodes + std::size_t{Fields<kDim>::kId} * own.capacity + packet.at.slot;
        for (std::size_t a = 0; a < kDim; ++a) {
            agents.position[a] = floats_at<Arch>(own, Fields<kDim>::kPosition + a, packet.at.slot);
            if (packet.count < kLane) {
                agents.position[a] =
                    select<Arch>(lanes_below<Arch>(packet.count), agents.position[a],
                                 Floats<Arch>(__builtin_inff()));
            }
        }
        typename Kernel::template Lanes<V> lanes(kernel_, agents);
        const bool with_self = meeting_.with_self;
        const Place at = packet.at;
        for_each_row_in<Arch>(grid_, packet.window,
                              [&](std::uint32_t r, const NodeArrays& arrays, const Span& span) {
                                  const Sight sight(*this, agents, r, arrays);
                                  std::uint32_t i = span.begin;
                                  if (r == at.row && !with_self) {
                                      for (; i < at.slot; ++i) {
                                          lanes.meet(kernel_, sight.of(i));
                                      }
                                      const std::uint32_t past = at.slot + packet.count;
                                      for (; i < past; ++i) {
                                          typename V::Other other = sight.of(i);
                                          other.near = other.near & lanes_but<Arch>(i - at.slot);
                                          lanes.meet(kernel_, other);
                                      }
                                  }
                                  for (; i < span.end; ++i) {
                                      lanes.meet(kernel_, sight.of(i));
                                  }
                                  return true;
                              });
        lanes.finish(kernel_, agents);
    }

    /// The agents of a row, as the packet sees them.
    class Sight {
    public:
        [[gnu::always_inline]] Sight(const Walker& walker, const typename V::Agents& agents,
                                     std::uint32_t row, const NodeArrays& arrays) noexcept
            : agents_(agents), limit_(walker.meeting_.radius * walker.meeting_.radius),
              ids_(field(arrays, Fields<kDim>::kId)) {
            for (std::size_t a = 0; a < kDim; ++a) {
                x_[a] = reinterpret_cast<const float*>(field(arrays, Fields<kDim>::kPosition + a));
            }
            if constexpr (filtered) {
                groups_ = field(arrays, Fields<kDim>::groups(walker.grid_.own_extents));
                wanted_ = walker.meeting_.groups;
                limits_[1] = walker.meeting_.radius * walker.meeting_.radius;
            }
            if constexpr (V::kInOrder) {
                const RowStarts& starts = walker.meeting_.starts;
                const std::uint64_t before =
                    walker.grid_.occupied[0][row / 64] & ((std::uint64_t{1} << row % 64) - 1);
                row_start_ = starts.start[starts.rank[row / 64] +
                                          static_cast<std::uint32_t>(__builtin_popcountll(before))];
            }
        }

        [[gnu::always_inline]] typename V::Other of(std::uint32_t i) const noexcept {
            typename V::Other other;
            for (std::size_t a = 0; a < kDim; ++a) {
                other.offset[a] = Floats<Arch>(x_[a][i]) - agents_.position[a];
            }
            other.distance2 = other.offset[0] * other.offset[0];
            for (std::size_t a = 1; a < kDim; ++a) {
                other.distance2 = other.distance2 + other.offset[a] * other.offset[a];
            }
            if constexpr (filtered) {
                // Nobody is nearer than less than nothing.
                other.near =
                    other.distance2 <= Floats<Arch>(limits_[(groups_[i] & wanted_) != 0 ? 1 : 0]);
            } else {
                other.near = other.distance2 <= limit_;
            }
            other.id_at = ids_ + i;
            other.slot = i;
            other.row_start = row_start_;
            return other;
        }

    private:
        [[gnu::always_inline]] static const std::uint32_t* field(const NodeArrays& arrays,
                                                                 std::size_t f) noexcept {
            return arrays.nodes + f * arrays.capacity;
        }

        const typename V::Agents& agents_;
        const Floats<Arch> limit_;
        const float* x_[kDim];
        const std::uint32_t* ids_;
        const std::uint32_t* groups_ = nullptr;
        std::uint32_t wanted_ = 0;
        float limits_[2] = {-1.0f, 0.0f};
        std::uint32_t row_start_ = 0;
    };

    const GridView<kDim>& grid_;
    const Meeting& meeting_;
    const Kernel& kernel_;
    const AgentWindow<Arch, kDim> look_;
};

/// Lets `kernel` meet the neighbours of at most `most` agents of the stretch. Returns of how many,
/// and moves stretch.at behind them.
template <class Arch, bool in_storage_order, class Kernel, std::size_t Dim>
std::uint64_t meet_neighbours(const GridView<Dim>& grid, const Meeting& meeting,
                              MeetingStretch& stretch, const Kernel& kernel, std::uint64_t most) {
    using V = MeetingVectors<Arch, Dim, in_storage_order>;
    if (meeting.groups == ~0u || !grid.groups) {
        return Walker<V, false, Kernel>(grid, meeting, kernel).walk(stretch, most);
    }
    return Walker<V, true, Kernel>(grid, meeting, kernel).walk(stretch, most);
}

} // namespace throng::simd
