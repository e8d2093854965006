// The nearest of a list of candidates, in order. For *.kernel.cpp files only.
//
// Distances are kept as the bits of floats, which are not negative and so sort like whole numbers
// below 2^31.
#pragma once

#include "../../isa/packed_lanes.hpp"
#include "nearest.hpp"

namespace throng::simd {

/// Two arrays; kSlack words after the last candidate of each may be read and written.
template <class Arch>
struct Candidates {
    std::uint32_t* distances;
    std::uint32_t* ids;

    [[nodiscard]] Candidates from(std::uint32_t i) const noexcept {
        return {distances + i, ids + i};
    }
    /// Whether candidate i comes before candidate j in answers.
    [[nodiscard]] bool less(std::uint32_t i, std::uint32_t j) const noexcept {
        return distances[i] != distances[j] ? distances[i] < distances[j] : ids[i] < ids[j];
    }
    void swap(std::uint32_t i, std::uint32_t j) const noexcept {
        const std::uint32_t distance = distances[i];
        const std::uint32_t id = ids[i];
        distances[i] = distances[j];
        ids[i] = ids[j];
        distances[j] = distance;
        ids[j] = id;
    }
};

/// Up to this many candidates are ranked: each is compared with all.
inline constexpr std::uint32_t kMostRanked = 128;

template <class Arch>
[[gnu::always_inline]] inline void write_near(unsigned char* to, std::uint32_t distance,
                                              std::uint32_t id) noexcept {
    // As one word: all machines that kernels are compiled for are little-endian.
    const std::uint64_t record = std::uint64_t{id} << 32 | distance;
    __builtin_memcpy(to, &record, sizeof record);
}

/// Copies `count` records, and not a byte more.
template <class Arch>
[[gnu::always_inline]] inline void copy_near(unsigned char* to, const unsigned char* from,
                                             std::uint32_t count) noexcept {
    constexpr std::size_t kVector = 16;
    std::size_t left = count * kNearBytes;
    for (; left >= kVector; left -= kVector, to += kVector, from += kVector) {
        __builtin_memcpy(to, from, kVector);
    }
    if (left != 0) { __builtin_memcpy(to, from, kNearBytes); }
}

/// Writes the k nearest of n candidates, n <= kMostRanked. The rank of a candidate is the number of
/// nearer candidates. Without `by_id` ids are not compared: then returns false if two distances are
/// equal, and the records are of no use.
template <bool by_id, class Arch>
[[gnu::always_inline]] inline bool write_ranked(const Candidates<Arch>& all, std::uint32_t n,
                                                std::uint32_t k, unsigned char* near) noexcept {
    constexpr std::uint32_t kLane = kLanes<Arch>;
    constexpr std::uint32_t kTogether = 4;
    std::uint32_t ranks[kMostRanked + kTogether * kLane];
    std::uint32_t i = 0;
    if constexpr (!by_id) {
        // Several vectors at a time are compared with each candidate. Lanes behind the last
        // candidate do not count, and lie within the two arrays.
        for (; n - i > 2 * kLane && i < n; i += kTogether * kLane) {
            Words<Arch> mine[kTogether];
            Words<Arch> rank[kTogether];
            for (std::uint32_t v = 0; v < kTogether; ++v) {
                mine[v] = Words<Arch>::load_unaligned(all.distances + i + v * kLane);
                rank[v] = Words<Arch>(0u);
            }
            for (std::uint32_t j = 0; j < n; ++j) {
                const Words<Arch> other(all.distances[j]);
                for (std::uint32_t v = 0; v < kTogether; ++v) {
                    rank[v] =
                        counted<Arch>(rank[v], float_mask<Arch>(less_small<Arch>(other, mine[v])));
                }
            }
            for (std::uint32_t v = 0; v < kTogether; ++v) {
                rank[v].store_unaligned(ranks + i + v * kLane);
            }
        }
    }
    for (; i < n; i += kLane) {
        const auto mine = Words<Arch>::load_unaligned(all.distances + i);
        Words<Arch> rank(0u);
        if constexpr (by_id) {
            const auto my_id = Words<Arch>::load_unaligned(all.ids + i);
            for (std::uint32_t j = 0; j < n; ++j) {
                const Words<Arch> other(all.distances[j]);
                rank = counted<Arch>(rank, float_mask<Arch>(less_small<Arch>(other, mine)));
                rank =
                    counted<Arch>(rank, float_mask<Arch>(WordMask<Arch>(
                                            (other == mine) & (Words<Arch>(all.ids[j]) < my_id))));
            }
        } else {
            for (std::uint32_t j = 0; j < n; ++j) {
                const Words<Arch> other(all.distances[j]);
                rank = counted<Arch>(rank, float_mask<Arch>(less_small<Arch>(other, mine)));
            }
        }
        rank.store_unaligned(ranks + i);
    }
    // Sorts all of them, then copies k: a branch on whether a candidate is among the k would be
    // mispredicted.
    unsigned char sorted[kMostRanked * kNearBytes];
    std::uint32_t sum = 0;
    for (i = 0; i < n; ++i) {
        sum += ranks[i];
        write_near<Arch>(sorted + kNearBytes * ranks[i], all.distances[i], all.ids[i]);
    }
    copy_near<Arch>(near, sorted, n < k ? n : k);
    // Equal distances give equal ranks, and then the sum falls short.
    return sum == n * (n - 1) / 2;
}

/// Of n > k candidates, keeps those within some bound: at least k, and hardly more than `most` if
/// distances differ enough. Returns how many it keeps.
template <class Arch>
[[gnu::noinline]] std::uint32_t shrink(const Candidates<Arch>& all, std::uint32_t n,
                                       std::uint32_t k, std::uint32_t most) noexcept {
    constexpr std::uint32_t kLane = kLanes<Arch>;
    // Gives lanes after the last candidate a distance beyond that of any candidate.
    Words<Arch>(0x7FFF'FFFFu).store_unaligned(all.distances + n);
    const auto count_within = [&](std::uint32_t bound) {
        Words<Arch> beyond(0u);
        std::uint32_t i = 0;
        for (; i < n; i += kLane) {
            beyond = counted<Arch>(
                beyond, float_mask<Arch>(less_small<Arch>(
                            Words<Arch>(bound), Words<Arch>::load_unaligned(all.distances + i))));
        }
        std::uint32_t each[kLane];
        beyond.store_unaligned(each);
        for (std::uint32_t lane = 0; lane < kLane; ++lane) {
            i -= each[lane];
        }
        return i;
    };
    // Fewer than k are within `low`, unless that is zero; at least k within `high`.
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
        high = high < all.distances[i] ? all.distances[i] : high;
    }
    std::uint32_t within = n;
    for (int step = 0; within > most && high - low > 1; ++step) {
        std::uint32_t bound = low + (high - low) / 2;
        if (step < 4) {
            // The right bound if the candidates are spread evenly over a disc.
            float from;
            float to;
            __builtin_memcpy(&from, &low, sizeof from);
            __builtin_memcpy(&to, &high, sizeof to);
            const float share = static_cast<float>(k + most) / static_cast<float>(2 * within);
            const float between = from + (to - from) * share;
            std::uint32_t bits;
            __builtin_memcpy(&bits, &between, sizeof bits);
            if (bits > low && bits < high) { bound = bits; }
        }
        const std::uint32_t count = count_within(bound);
        if (count < k) {
            low = bound;
        } else {
            high = bound;
            within = count;
        }
    }
    std::uint32_t* distances = all.distances;
    std::uint32_t* ids = all.ids;
    constexpr std::uint32_t kAll = (1u << kLane) - 1;
    for (std::uint32_t i = 0; i < n; i += kLane) {
        const auto distance = Words<Arch>::load_unaligned(all.distances + i);
        const auto id = Words<Arch>::load_unaligned(all.ids + i);
        const std::uint32_t beyond = lane_bits<Arch>(less_small<Arch>(Words<Arch>(high), distance));
        distances = compress_store<Arch>(distances, distance, ~beyond & kAll);
        ids = compress_store<Arch>(ids, id, ~beyond & kAll);
    }
    return static_cast<std::uint32_t>(ids - all.ids);
}

/// Moves the k nearest of n candidates, n >= k, to the front, in order. Uses a heap of the nearest
/// so far, the farthest of these on top.
template <class Arch>
[[gnu::noinline]] void sort_nearest(const Candidates<Arch>& all, std::uint32_t n,
                                    std::uint32_t k) noexcept {
    const auto sift_down = [&](std::uint32_t root, std::uint32_t end) {
        for (std::uint32_t child = 2 * root + 1; child < end; child = 2 * root + 1) {
            if (child + 1 < end && all.less(child, child + 1)) { ++child; }
            if (!all.less(root, child)) { return; }
            all.swap(root, child);
            root = child;
        }
    };
    for (std::uint32_t root = k / 2; root-- > 0;) {
        sift_down(root, k);
    }
    for (std::uint32_t i = k; i < n; ++i) {
        if (!all.less(i, 0)) { continue; }
        all.swap(i, 0);
        sift_down(0, k);
    }
    for (std::uint32_t end = k; end-- > 1;) {
        all.swap(0, end);
        sift_down(0, end);
    }
}

/// Keeps the k nearest of n candidates, n >= k, and at most k / 2 others (if that is less than 16,
/// at most 16 others), in no order. Returns how many it keeps.
template <class Arch>
[[gnu::noinline]] std::uint32_t keep_nearest(const Candidates<Arch>& all, std::uint32_t n,
                                             std::uint32_t k) noexcept {
    constexpr std::uint32_t kFew = kSlack;
    const std::uint32_t enough = k + (k / 2 < kFew ? kFew : k / 2);
    const std::uint32_t kept = n <= enough ? n : shrink<Arch>(all, n, k, enough);
    if (kept <= enough) { return kept; }
    // Too many candidates are equally far away.
    sort_nearest<Arch>(all, kept, k);
    return k;
}

/// The same as write_ranked() with `by_id`, for any number of candidates.
template <class Arch>
[[gnu::noinline]] void write_sorted(const Candidates<Arch>& all, std::uint32_t n, std::uint32_t k,
                                    unsigned char* near) noexcept {
    if (n > k) { n = keep_nearest<Arch>(all, n, k); }
    if (n <= kMostRanked) {
        write_ranked<true>(all, n, k, near);
        return;
    }
    const std::uint32_t found = n < k ? n : k;
    sort_nearest<Arch>(all, n, found);
    for (std::uint32_t i = 0; i < found; ++i) {
        write_near<Arch>(near + kNearBytes * i, all.distances[i], all.ids[i]);
    }
}

/// Writes an answer from all its candidates.
template <class Arch>
[[gnu::always_inline]] inline void write_answer(const Candidates<Arch>& all, std::uint32_t n,
                                                std::uint32_t k, unsigned char* near,
                                                std::uint32_t& count) noexcept {
    if (n > kMostRanked || !write_ranked<false>(all, n, k, near)) [[unlikely]] {
        write_sorted<Arch>(all, n, k, near);
    }
    count = n < k ? n : k;
    for (std::uint32_t i = n; i < k; ++i) {
        constexpr std::uint32_t kInfinity = 0x7F80'0000u;
        write_near<Arch>(near + kNearBytes * i, kInfinity, ~0u);
    }
}

/// The same, not inlined: where it is called seldom, copies of it are not worth their 2 KB each.
template <class Arch>
[[gnu::noinline]] void write_one_answer(const Candidates<Arch>& all, std::uint32_t n,
                                        std::uint32_t k, unsigned char* near,
                                        std::uint32_t& count) noexcept {
    write_answer<Arch>(all, n, k, near, count);
}

} // namespace throng::simd
