// The walk of a range of agents past all their neighbours. For *.kernel.cpp files and fused/
// only.
//
// Lanes are agents next to each other in storage order. Every agent that may be near any of them is
// looked at once for all lanes, in canonical order. So each lane adds up its own neighbours in that
// order on every instruction set, however many lanes there are.
#pragma once

#include "../views/neighbour_query.hpp"
#include "neighbour_grids.hpp"
#include "neighbour_lanes.hpp"
#include "packet_copies.hpp"
#include "storage_order.hpp"

namespace throng::simd {

/// Kernels that must not be called for agents near none of the lanes have a member static constexpr
/// bool kMeetsNearOnly = true.
template <class Kernel>
concept MeetsNearOnly = requires {
    requires Kernel::kMeetsNearOnly;
};

/// The walk for one kernel; docs/fused.md says which functions a kernel has. Grids is OwnGrid or
/// ManyGrids: the grids in which the agents of `grid` look for neighbours. A kernel with a function
/// stopped() can end the walk early, after the packet that is planned already.
template <class V, class Grids, class Kernel>
class NeighbourWalk {
public:
    using Arch = typename V::Arch;
    static constexpr std::size_t kDim = V::kDim;
    static constexpr auto kLane = static_cast<std::uint32_t>(kLanes<Arch>);

    [[gnu::always_inline]] NeighbourWalk(const GridView<kDim>& grid,
                                         const typename Grids::Query& query,
                                         const Kernel& kernel) noexcept
        : grid_(grid), query_(query), kernel_(kernel), grids_(grid, query) {
        for (std::size_t g = 0; g < grids_.count(); ++g) {
            limits2_[g] = query.radius * query.radius;
            if constexpr (Grids::kBodies) {
                if (query.body == Body::disc && is_common(g)) {
                    limits2_[g] = disc_limit2<Arch>(query.radius,
                                                    grids_.own_largest()[0] + grids_.largest(g)[0]);
                }
            }
        }
    }

    /// Goes along the range for at most `most` agents. Returns how many agents it visited, and
    /// moves range.at behind them.
    [[gnu::always_inline]] std::uint64_t run(AgentRange& range, std::uint64_t most) const {
        std::uint64_t planned = 0;
        // Finding a packet's window takes as long as the work on a quarter of its neighbours, and
        // each step waits for the step before. So the next packet's window is found before the
        // neighbours of the current packet are visited: the processor overlaps the two.
        Packet packets[2];
        unsigned turn = 0;
        const auto plan = [&](RowSlot start, std::uint32_t count) __attribute__((always_inline)) {
            if constexpr (requires { kernel_.stopped(); }) {
                if (kernel_.stopped()) { return false; }
            }
            if (most - planned < kLane && most - planned < count) { return false; }
            while (count > 0) {
                const Packet& packet = packets[turn];
                turn ^= 1;
                Packet& next = packets[turn];
                plan_packet(next, start, count, range.first + planned);
                start.slot += next.count;
                count -= next.count;
                planned += next.count;
                range.at = start;
                if (packet.count != 0) { visit(packet); }
            }
            return true;
        };
        for_each_few<Arch, kLane>(grid_, range.at, range.end, plan);
        if (packets[turn].count != 0) { visit(packets[turn]); }
        range.first += planned;
        return planned;
    }

private:
    struct Packet {
        RowSlot at{};
        std::uint32_t count = 0;
        std::uint64_t first = 0;
        PacketWindow<kDim> windows[Grids::kMost]{}; // one for each grid
    };

    /// Makes a packet of the next `count` agents of a row, or of fewer if they are spread out.
    [[gnu::always_inline]] void plan_packet(Packet& packet, RowSlot at, std::uint32_t count,
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
        find_windows(packet, position);
        if (count > 1 && is_spread_out(packet)) [[unlikely]] { shorten(packet); }
    }

    [[gnu::always_inline]] void find_windows(Packet& packet,
                                             const Floats<Arch> (&position)[kDim]) const noexcept {
        for (std::size_t g = 0; g < grids_.count(); ++g) {
            grids_.find(g, packet.windows[g], position, packet.count);
        }
    }
    /// Whether the packet's agents may look at many more cells together than each alone.
    [[gnu::always_inline]] bool is_spread_out(const Packet& packet) const noexcept {
        bool spread_out = false;
        for (std::size_t g = 0; g < grids_.count(); ++g) {
            spread_out |= grids_.look(g).is_spread_out(packet.windows[g], packet.count);
        }
        return spread_out;
    }
    /// Whether a spread-out packet really looks at too many agents: counts the agents in its
    /// windows.
    [[gnu::always_inline]] bool sees_too_much(const Packet& packet) const noexcept {
        for (std::size_t g = 0; g < grids_.count(); ++g) {
            if (grids_.look(g).is_spread_out(packet.windows[g], packet.count) &&
                sees_many(grids_.view(g), packet.windows[g], 4 * packet.count)) {
                return true;
            }
        }
        return false;
    }

    /// Halves the packet while its agents look at much more together than each alone.
    [[gnu::noinline]] void shorten(Packet& packet) const noexcept {
        const NodeArrays arrays = arrays_of<Arch>(grid_, grid_.rows[packet.at.row]);
        Floats<Arch> position[kDim];
        for (std::size_t a = 0; a < kDim; ++a) {
            position[a] = floats_at<Arch>(arrays, Fields<kDim>::kPosition + a, packet.at.slot);
        }
        while (packet.count > 1 && sees_too_much(packet)) {
            packet.count = (packet.count + 1) / 2;
            find_windows(packet, position);
        }
    }

    [[gnu::noinline]] static bool sees_many(const GridView<kDim>& grid,
                                            const PacketWindow<kDim>& window,
                                            std::uint32_t many) noexcept {
        std::uint32_t seen = 0;
        return !for_each_row_in<Arch>(grid, window,
                                      [&](std::uint32_t, const NodeArrays&, const Span& span) {
                                          // Tested before the sum, which may overflow: a row may
                                          // hold as many agents as a word can count.
                                          if (span.end - span.begin > many) { return false; }
                                          seen += span.end - span.begin;
                                          return seen <= many;
                                      });
    }

    [[gnu::noinline, gnu::flatten]] void visit(const Packet& packet) const {
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
        [[maybe_unused]] std::uint32_t names[kLane];
        if constexpr (Grids::kNamed) {
            if (query_.names != nullptr) {
                for (std::uint32_t i = 0; i < packet.count; ++i) {
                    names[i] = query_.names[agents.ids[i]];
                }
                agents.ids = names;
            }
        }
        typename Kernel::template Lanes<V> lanes(kernel_, agents);
        if constexpr (Grids::kMayCopy) {
            PacketCopies<Arch, kDim> copies(query_.copies, agents.position, agents.count);
            Floats<Arch> position[kDim];
            do {
                for (std::size_t a = 0; a < kDim; ++a) {
                    position[a] = agents.position[a];
                    if (!copies.at_home()) {
                        position[a] = position[a] + Floats<Arch>(copies.offset(a));
                    }
                }
                for (std::size_t g = 0; g < grids_.count(); ++g) {
                    PacketWindow<kDim> window = packet.windows[g];
                    if (!copies.at_home()) {
                        if (query_.later_only && grids_.is_own(g) && !copies.rises()) { continue; }
                        grids_.find(g, window, position, agents.count);
                    }
                    visit_grid(g, {packet, agents, position, copies.at_home()}, window, lanes);
                }
            } while (copies.next());
        } else {
            for (std::size_t g = 0; g < grids_.count(); ++g) {
                visit_grid(g, {packet, agents, agents.position, true}, packet.windows[g], lanes);
            }
        }
        lanes.finish(kernel_, agents);
    }

    /// Whether all agents that look share their half extents, and all agents of grid g share
    /// theirs.
    [[gnu::always_inline]] bool is_common(std::size_t g) const noexcept {
        return !grid_.own_extents && grids_.own_extents_by_id(0) == nullptr &&
               !grids_.view(g).own_extents && grids_.extents_by_id(g, 0) == nullptr;
    }

    /// The half extents of the packet's agents.
    [[gnu::always_inline]] void find_half_extents(Floats<Arch> (&half)[kDim], const Packet& packet,
                                                  const typename V::Agents& agents) const noexcept {
        const NodeArrays own = arrays_of<Arch>(grid_, grid_.rows[packet.at.row]);
        for (std::size_t a = 0; a < kDim; ++a) {
            if (const float* const by_id = grids_.own_extents_by_id(a); by_id != nullptr) {
                const std::uint32_t* const ids =
                    own.nodes + std::size_t{Fields<kDim>::kId} * own.capacity + packet.at.slot;
                float lane[kLane];
                for (std::uint32_t i = 0; i < kLane; ++i) {
                    lane[i] = by_id[ids[i < agents.count ? i : 0]];
                }
                half[a] = Floats<Arch>::load_unaligned(lane);
            } else if (grid_.own_extents) {
                half[a] = floats_at<Arch>(own, Fields<kDim>::kHalfExtent + a, packet.at.slot);
            } else {
                half[a] = Floats<Arch>(grids_.own_largest()[a]);
            }
            // In lanes without an agent there may be any number: an infinite one would be near all.
            if (packet.count < kLane) {
                half[a] =
                    select<Arch>(lanes_below<Arch>(packet.count), half[a], Floats<Arch>(0.0f));
            }
        }
    }

    /// What is known at compile time of the half extents of the agents that a packet looks at: all
    /// have the same, rows hold them, or nothing. A kernel is compiled into every loop over agents,
    /// so there are loops for the usual cases, and one for all others.
    enum class Sizes { common, own, any };

    /// A packet, and where it looks from.
    struct Looking {
        const Packet& packet;
        const typename V::Agents& agents;
        const Floats<Arch> (&position)[kDim];
        bool at_home;
    };

    /// A row of a grid that a packet passes.
    struct Passing {
        std::size_t g;
        const Floats<Arch> (&position)[kDim];
        const Floats<Arch> (&half)[kDim];
        std::uint32_t row;
        const NodeArrays& arrays;
        std::uint32_t first; ///< the slot of the packet's first agent, if `own` is not 0
        std::uint32_t own; ///< the packet's size if lanes leave out some agents of this row, else 0
    };

    /// Visits all agents in the packet's window of one grid.
    template <class Lanes>
    [[gnu::always_inline]] void visit_grid(std::size_t g, const Looking& looking,
                                           const PacketWindow<kDim>& window, Lanes& lanes) const {
        const Packet& packet = looking.packet;
        Floats<Arch> half[kDim];
        if constexpr (Grids::kBodies) { find_half_extents(half, packet, looking.agents); }
        const bool among_own = grids_.is_own(g) && looking.at_home;
        const bool later_only = among_own && query_.later_only;
        const bool leaves_out = among_own && !query_.with_self;
        const RowSlot at = packet.at;
        const std::uint32_t first_row = later_only ? at.row : 0;
        // The packet's own row, if each lane leaves out some agents of it.
        const std::uint32_t own_row = later_only || leaves_out ? at.row : ~0u;
        bool usual = !Grids::kMayFilter || grids_.groups(g) == ~0u;
        bool common = false;
        if constexpr (Grids::kBodies) {
            common = is_common(g);
            usual =
                usual &&
                (common || (grids_.extents_by_id(g, 0) == nullptr && grids_.view(g).own_extents));
        }
        for_each_row_in<Arch>(
            grids_.view(g), window, [&](std::uint32_t r, const NodeArrays& arrays, Span span) {
                if (r < first_row) { return true; }
                Passing passing = {g, looking.position, half, r, arrays, at.slot, 0};
                if (r == own_row) {
                    passing.own = packet.count;
                    if (later_only) { span.begin = at.slot + (leaves_out ? 1 : 0); }
                }
                if constexpr (!Grids::kBodies) {
                    visit_body<Body::centre>(passing, span, usual, true, lanes);
                } else if (query_.body == Body::box) {
                    visit_body<Body::box>(passing, span, usual, common, lanes);
                } else {
                    visit_body<Body::disc>(passing, span, usual, common, lanes);
                }
                return true;
            });
    }

    /// Visits a row with the loop that was compiled for its case.
    template <Body body, class Lanes>
    [[gnu::always_inline]] void visit_body(const Passing& passing, const Span& span, bool usual,
                                           bool common, Lanes& lanes) const {
        // For centres in the agents' own grid, the type Grids already says whether masks are
        // tested.
        constexpr bool kFilters = Grids::kFiltered && !Grids::kMayFilter;
        if (usual && common) [[likely]] {
            visit_row<body, Sizes::common, kFilters>(passing, span, lanes);
        } else if constexpr (Grids::kMayFilter) {
            if (usual) {
                visit_row<body, Sizes::own, false>(passing, span, lanes);
            } else if (common) {
                visit_some<body, Sizes::common, true>(passing, span, lanes);
            } else {
                visit_some<body, Sizes::any, true>(passing, span, lanes);
            }
        }
    }
    template <class Lanes>
    [[gnu::always_inline]] void meet(Lanes& lanes, const typename V::Other& other) const {
        if constexpr (MeetsNearOnly<Kernel>) {
            if (!V::any(other.near)) { return; }
        }
        lanes.visit(kernel_, other);
    }
    template <Body body, Sizes sizes, bool filtered, class Lanes>
    [[gnu::always_inline]] void visit_row(const Passing& passing, const Span& span,
                                          Lanes& lanes) const {
        if (passing.own != 0) [[unlikely]] {
            visit_some<body, sizes, filtered>(passing, span, lanes);
            return;
        }
        const RowOfOthers<body, sizes, filtered> others(*this, passing);
        for (std::uint32_t i = span.begin; i < span.end; ++i) {
            meet(lanes, others.of(i));
        }
    }
    /// Visits a row that may be the packet's own.
    template <Body body, Sizes sizes, bool filtered, class Lanes>
    [[gnu::always_inline]] void visit_some(const Passing& passing, const Span& span,
                                           Lanes& lanes) const {
        const RowOfOthers<body, sizes, filtered> others(*this, passing);
        for (std::uint32_t i = span.begin; i < span.end; ++i) {
            typename V::Other other = others.of(i);
            // If n is less than passing.own, this is agent n of the packet itself.
            const std::uint32_t n = i - passing.first;
            if (n < passing.own) {
                other.near = other.near &
                             (query_.later_only ? lanes_below<Arch>(n + (query_.with_self ? 1 : 0))
                                                : lanes_but<Arch>(n));
            }
            meet(lanes, other);
        }
    }

    /// The agents of a row of a grid, as the packet sees them.
    template <Body body, Sizes sizes, bool filtered>
    class RowOfOthers {
        static constexpr bool kBodies = body != Body::centre;

    public:
        [[gnu::always_inline]] RowOfOthers(const NeighbourWalk& walk,
                                           const Passing& passing) noexcept
            : from_(passing.position), limit_(walk.limits2_[passing.g]),
              ids_(field(passing.arrays, Fields<kDim>::kId)) {
            const std::size_t g = passing.g;
            const NodeArrays& arrays = passing.arrays;
            for (std::size_t a = 0; a < kDim; ++a) {
                x_[a] = reinterpret_cast<const float*>(field(arrays, Fields<kDim>::kPosition + a));
            }
            if constexpr (filtered) {
                wanted_ = walk.grids_.groups(g);
                limits_[1] = walk.limits2_[g];
                groups_ = field(arrays, Fields<kDim>::groups(walk.grids_.view(g).own_extents));
                if constexpr (sizes == Sizes::any) {
                    if (wanted_ == ~0u) {
                        groups_ = kAnyGroup;
                        each_group_ = 0;
                    }
                }
            }
            for (std::size_t a = 0; kBodies && a < kDim; ++a) {
                half_[a] = passing.half[a];
                if constexpr (sizes == Sizes::common) {
                    half_[a] = half_[a] + Floats<Arch>(walk.grids_.largest(g)[a]);
                } else {
                    extents_[a] = reinterpret_cast<const float*>(
                        field(arrays, Fields<kDim>::kHalfExtent + a));
                }
            }
            if constexpr (kBodies && sizes == Sizes::any) {
                by_id_ = walk.grids_.extents_by_id(g, 0) != nullptr;
                each_ = by_id_ || walk.grids_.view(g).own_extents ? ~0u : 0;
                for (std::size_t a = 0; a < kDim; ++a) {
                    if (by_id_) { extents_[a] = walk.grids_.extents_by_id(g, a); }
                    if (each_ == 0) { extents_[a] = walk.grids_.largest(g) + a; }
                }
            }
            if constexpr (Grids::kNamed) { names_ = walk.grids_.names(g); }
            if constexpr (V::kInOrder) {
                const RowStarts& starts = walk.query_.starts;
                const std::uint64_t before = walk.grid_.occupied[0][passing.row / 64] &
                                             ((std::uint64_t{1} << passing.row % 64) - 1);
                row_start_ = starts.start[starts.rank[passing.row / 64] +
                                          static_cast<std::uint32_t>(__builtin_popcountll(before))];
            }
        }

        [[gnu::always_inline]] typename V::Other of(std::uint32_t i) const noexcept {
            typename V::Other other;
            for (std::size_t a = 0; a < kDim; ++a) {
                other.offset[a] = Floats<Arch>(x_[a][i]) - from_[a];
            }
            if constexpr (!kBodies) {
                other.distance2 = squares_of<Arch>(other.offset);
            } else if constexpr (sizes == Sizes::common) {
                other.distance2 = body_distance2<Arch>(body, other.offset, half_);
            } else {
                const std::uint32_t at = by_id_ ? ids_[i] : i & each_;
                Floats<Arch> sum[kDim];
                for (std::size_t a = 0; a < kDim; ++a) {
                    sum[a] = half_[a] + Floats<Arch>(extents_[a][at]);
                }
                other.distance2 = body_distance2<Arch>(body, other.offset, sum);
            }
            Floats<Arch> tested2 = other.distance2;
            if constexpr (body == Body::disc && sizes == Sizes::common) {
                tested2 = squares_of<Arch>(other.offset);
            }
            if constexpr (filtered) {
                // No distance is within a limit of -1.
                const std::uint32_t groups =
                    sizes == Sizes::any ? groups_[i & each_group_] : groups_[i];
                other.near = tested2 <= Floats<Arch>(limits_[(groups & wanted_) != 0 ? 1 : 0]);
            } else {
                other.near = tested2 <= limit_;
            }
            other.id_at = names_ == nullptr ? ids_ + i : names_ + ids_[i];
            other.slot = i;
            other.row_start = row_start_;
            return other;
        }

    private:
        [[gnu::always_inline]] static const std::uint32_t* field(const NodeArrays& arrays,
                                                                 std::size_t f) noexcept {
            return arrays.nodes + f * arrays.capacity;
        }
        static constexpr std::uint32_t kAnyGroup[1] = {~0u};

        const Floats<Arch> (&from_)[kDim]; // where the packet looks from
        const Floats<Arch> limit_;
        const float* x_[kDim];
        const std::uint32_t* ids_;
        const std::uint32_t* names_ = nullptr;
        const std::uint32_t* groups_ = nullptr;
        std::uint32_t wanted_ = 0, each_group_ = ~0u;
        float limits_[2] = {-1.0f, 0.0f};
        std::uint32_t row_start_ = 0;
        // For boxes and discs. half_: the half extents of the packet's agents, plus those of the
        // row's agents if Sizes::common. extents_: otherwise the half extents of the row's agents,
        // by slot or by id.
        Floats<Arch> half_[kBodies ? kDim : 1];
        const float* extents_[kBodies && sizes != Sizes::common ? kDim : 1];
        std::uint32_t each_ = ~0u; // zero if all agents of the row have the same half extents
        bool by_id_ = false;
    };

    const GridView<kDim>& grid_;
    const typename Grids::Query& query_;
    const Kernel& kernel_;
    const Grids grids_;
    // The limit on the square of a distance: the distance between bodies, except for discs of
    // common size, where it is the distance between centres and needs no root.
    float limits2_[Grids::kMost];
};

/// Passes the neighbours of at most `most` agents of the range to `kernel`. Returns the number of
/// agents whose neighbours it passed, and moves range.at behind these agents. With `bodies` the
/// query's body is a box or a disc, else the centre.
template <class Arch, bool in_storage_order, bool bodies, class Kernel, std::size_t Dim>
std::uint64_t walk_neighbours(const GridView<Dim>& grid, const NeighbourQuery& query,
                              AgentRange& range, const Kernel& kernel, std::uint64_t most) {
    using V = NeighbourVectors<Arch, Dim, in_storage_order>;
    if (!bodies && (query.groups == ~0u || !grid.groups)) {
        return NeighbourWalk<V, OwnGrid<Arch, Dim, false, bodies>, Kernel>(grid, query, kernel)
            .run(range, most);
    }
    return NeighbourWalk<V, OwnGrid<Arch, Dim, true, bodies>, Kernel>(grid, query, kernel)
        .run(range, most);
}

/// The same for neighbours in each of several grids; with `copies` also those that the copies of
/// agents find.
template <class Arch, bool bodies, bool copies, class Kernel, std::size_t Dim>
std::uint64_t walk_neighbours_across(const GridView<Dim>& grid,
                                     const NeighbourQueryAcross<Dim>& query, AgentRange& range,
                                     const Kernel& kernel, std::uint64_t most) {
    using V = NeighbourVectors<Arch, Dim, false>;
    return NeighbourWalk<V, ManyGrids<Arch, Dim, bodies, copies>, Kernel>(grid, query, kernel)
        .run(range, most);
}

} // namespace throng::simd
