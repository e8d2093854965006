// The k nearest to each query of a packet, with a lane for each query. For *.kernel.cpp files only.
#pragma once

#include "../../search/search_together.hpp"
#include "nearest_select.hpp"

namespace throng::simd {

/// The largest k for which the queries of a packet are searched for together. With four lanes,
/// k = 16 took up to 1.1 times as long together as query by query.
template <class Arch>
inline constexpr std::uint32_t kMostNearTogether = kLanes<Arch> >= 8 ? 16 : 8;

/// How a packet was answered.
struct NearAnswered {
    bool all = false;        ///< false: no query was answered; query by query is faster
    std::uint32_t few = 0;   ///< a bit for each query whose ball holds fewer than k
    std::uint32_t level = 0; ///< how many other queries find agents about equally near
};

/// Answers queries q ... q + kLanes - 1 of a block of balls around points together.
///
/// A key is a squared distance with its last bits replaced by the candidate's place in the list, so
/// that minima and maxima alone keep the least keys in order. Keys cannot order distances that
/// differ only in those bits; then all candidates of the query are looked at.
template <class Arch, std::size_t Dim>
class NearestTogether {
    static constexpr auto kLane = static_cast<std::uint32_t>(kLanes<Arch>);
    // Skips::some for all filters, since ids are read in any case.
    using Search = TogetherSearch<Skips::some, Arch, BallLanes<Arch, Dim>, 1>;
    using Keys = std::uint32_t[kMostNearTogether<Arch> + 1][kLane];

public:
    [[gnu::always_inline]] NearestTogether(const GridView<Dim>& grid, const BallBlock<Dim>& balls,
                                           std::size_t q,
                                           const KernelFilter& kernel_filter) noexcept
        : grid_(grid), balls_(balls), q_(q), kernel_filter_(kernel_filter),
          search_(grid, balls, q, kernel_filter) {}

    /// Lists the agents that any of the queries may find. False if they do not fit.
    [[gnu::always_inline]] bool list(const PacketWindow<Dim>& window) noexcept {
        bool fits = true;
        const auto full = [&] {
            list_.count = 0;
            fits = false;
        };
        for_each_row_in<Arch>(grid_, window,
                              [&](std::uint32_t, const NodeArrays& arrays, const Span& span) {
                                  search_.template add<true>(arrays, span, list_, full);
                                  return fits;
                              });
        return fits;
    }

    /// Writes the k nearest agents of each query, or all that its ball holds; `room` is for the
    /// candidates of one query.
    [[gnu::always_inline]] NearAnswered answer(std::uint32_t k, const Candidates<Arch>& room,
                                               unsigned char* near,
                                               std::uint32_t* counts) noexcept {
        // Enough bits for all places and a spare place, which keys without an agent name.
        place_ = (2u << (31 - __builtin_clz(list_.count | 1))) - 1;
        if (list_.count <= kMostNearTogether<Arch>) {
            for (std::size_t a = 0; a < Dim; ++a) {
                list_.number[a][place_] = 0;
            }
            list_.id[place_] = ~0u;
        }
        Keys keys;
        if (kMostNearTogether<Arch> == 8 || k <= 8) {
            select_keys<8>(keys);
        } else {
            select_keys<kMostNearTogether<Arch>>(keys);
        }
        NearAnswered result = {.all = true};
        for (std::uint32_t lane = 0; lane < kLane; ++lane, near += std::size_t{k} * kNearBytes) {
            counts[lane] = k;
            if (!write(keys, lane, k, near)) [[unlikely]] {
                const std::uint32_t n = candidates_of(lane, room);
                write_one_answer<Arch>(room, n, k, near, counts[lane]);
                result.few |= (n < k ? 1u : 0u) << lane;
                result.level += n < k ? 0 : 1;
            }
        }
        return result;
    }

private:
    /// The least keys of each lane, in order: one more than the largest k, since the key after the
    /// k-th tells whether the k-th is certain.
    template <std::uint32_t slots>
    [[gnu::always_inline]] void select_keys(Keys& keys) const noexcept {
        Words<Arch> best[slots + 1];
        for (Words<Arch>& slot : best) {
            slot = Words<Arch>(Search::kLeftOut);
        }
        const Words<Arch> distance_bits(~place_);
        search_.distances(
            list_, [&](std::uint32_t j, const Words<Arch>& distance)
                       __attribute__((always_inline)) {
                           const Words<Arch> key = (distance & distance_bits) | Words<Arch>(j);
                           for (std::uint32_t s = slots; s > 0; --s) {
                               best[s] = larger<Arch>(best[s - 1], smaller<Arch>(best[s], key));
                           }
                           best[0] = smaller<Arch>(best[0], key);
                       });
        for (std::uint32_t s = 0; s <= slots; ++s) {
            best[s].store_unaligned(keys[s]);
        }
    }

    /// Writes the agents that a lane's keys name, with distances computed again, rounded as in
    /// lanes. False if the keys leave the order open, or name fewer than k agents.
    [[gnu::always_inline]] bool write(const Keys& keys, std::uint32_t lane, std::uint32_t k,
                                      unsigned char* near) const noexcept {
        float centre[Dim];
        for (std::size_t a = 0; a < Dim; ++a) {
            centre[a] = balls_.centre[a][q_ + lane];
        }
        float last = -1.0f;
        bool ascending = true;
        for (std::uint32_t s = 0; s < k; ++s) {
            const std::uint32_t j = keys[s][lane] & place_;
            float distance2 = 0.0f;
            for (std::size_t a = 0; a < Dim; ++a) {
                const float offset = __builtin_bit_cast(float, list_.number[a][j]) - centre[a];
                distance2 = a == 0 ? offset * offset : distance2 + offset * offset;
            }
            ascending = ascending & (last < distance2);
            last = distance2;
            write_near<Arch>(near + kNearBytes * s, __builtin_bit_cast(std::uint32_t, distance2),
                             list_.id[j]);
        }
        // Also false if the k-th key has an agent left out, or no agent: then the next key has an
        // equal distance.
        const bool certain = ((keys[k - 1][lane] ^ keys[k][lane]) & ~place_) != 0;
        return ascending & certain & (last <= balls_.radius2[q_ + lane]);
    }

    /// Writes all candidates of one query to `room`. Returns how many there are.
    [[gnu::always_inline]] std::uint32_t candidates_of(std::uint32_t lane,
                                                       const Candidates<Arch>& room) noexcept {
        const std::size_t q = q_ + lane;
        const Words<Arch> own(kernel_filter_.each != nullptr ? kernel_filter_.each[q] : ~0u);
        Candidates<Arch> next = room;
        for (std::uint32_t j = 0; j < list_.count; j += kLane) {
            Floats<Arch> distance2(0.0f);
            for (std::size_t a = 0; a < Dim; ++a) {
                float number[kLane];
                __builtin_memcpy(number, list_.number[a] + j, sizeof number);
                const Floats<Arch> offset =
                    Floats<Arch>::load_unaligned(number) - Floats<Arch>(balls_.centre[a][q]);
                distance2 = a == 0 ? offset * offset : distance2 + offset * offset;
            }
            const auto id = Words<Arch>::load_unaligned(list_.id + j);
            const std::uint32_t bits =
                first_lanes<Arch>(lane_bits<Arch>(distance2 <= Floats<Arch>(balls_.radius2[q])) &
                                      lane_bits<Arch>(id != own),
                                  list_.count - j);
            next.distances = compress_store<Arch>(next.distances, bits_of<Arch>(distance2), bits);
            next.ids = compress_store<Arch>(next.ids, id, bits);
        }
        return static_cast<std::uint32_t>(next.ids - room.ids);
    }

    const GridView<Dim>& grid_;
    const BallBlock<Dim>& balls_;
    const std::size_t q_;
    const KernelFilter& kernel_filter_;
    const Search search_;
    typename Search::List list_;
    std::uint32_t place_ = 0; ///< the bits of a key that are a place in the list
};

/// Answers kLanes queries from q on like NearestTogether::answer(), or no query if there are too
/// many agents to list.
template <class Arch, std::size_t Dim>
[[gnu::noinline]] NearAnswered
nearest_together(const GridView<Dim>& grid, const BallBlock<Dim>& balls, std::size_t q,
                 const PacketWindow<Dim>& window, const KernelFilter& kernel_filter,
                 std::uint32_t k, const Candidates<Arch>& room, unsigned char* near,
                 std::uint32_t* counts) noexcept {
    NearestTogether<Arch, Dim> together(grid, balls, q, kernel_filter);
    return together.list(window) ? together.answer(k, room, near, counts) : NearAnswered{};
}

} // namespace throng::simd
