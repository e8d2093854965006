// Puts together the answers of several sets. Internal to the engine.
#pragma once

#include "../agents/found.hpp"
#include "../agents/nearest.hpp"
#include "../memory/vector.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace throng {

/// Copies ids to `out` from index `begin` on, as many as fit.
inline void put_clipped(std::span<const Id> ids, std::uint64_t begin, std::span<Id> out) noexcept {
    if (begin >= out.size()) { return; }
    const std::size_t fit = std::min<std::size_t>(ids.size(), out.size() - begin);
    std::copy_n(ids.data(), fit, out.data() + begin);
}

/// A giant or a static that a question finds: it follows the small agents of the answer.
struct LargeHit {
    std::size_t question;
    Id id;
};

/// Appends each of these hits, in their order, to the answer to its question; the questions ascend.
/// `offsets` say where in `ids` the answers are. If the ids do not fit, before or after, `ids`
/// holds the first of them, as many as fit.
inline void append_large(std::span<std::uint64_t> offsets, std::span<Id> ids,
                         std::span<const LargeHit> large) noexcept {
    // From the last answer to the first: all answers between two that gain ids move up together, by
    // the number of ids gained before them.
    std::size_t past = offsets.size();
    std::uint64_t end = offsets[past - 1];
    for (std::size_t gained = large.size(); gained != 0;) {
        const std::size_t q = large[gained - 1].question;
        const std::uint64_t begin = offsets[q + 1];
        if (begin < end && begin + gained < ids.size()) {
            const std::uint64_t kept_end = std::min<std::uint64_t>(end, ids.size() - gained);
            std::move_backward(ids.begin() + static_cast<std::ptrdiff_t>(begin),
                               ids.begin() + static_cast<std::ptrdiff_t>(kept_end),
                               ids.begin() + static_cast<std::ptrdiff_t>(kept_end + gained));
        }
        for (std::size_t i = q + 1; i < past; ++i) {
            offsets[i] += gained;
        }
        for (; gained != 0 && large[gained - 1].question == q; --gained) {
            const std::uint64_t at = begin + gained - 1;
            if (at < ids.size()) { ids[at] = large[gained - 1].id; }
        }
        past = q + 1;
        end = begin;
    }
}

/// Appends lists to answers: list(i) to the answer to question owners[i]; the owners ascend, and
/// one that occurs several times gets several lists. `total` is the length of all lists together.
/// If the ids do not fit, before or after, `ids` holds the first of them, as many as fit.
template <class List>
void append_lists(std::span<std::uint64_t> offsets, std::span<Id> ids,
                  std::span<const std::uint32_t> owners, std::uint64_t total,
                  const List& list) noexcept {
    // From the last answer to the first, as append_large().
    std::size_t past = offsets.size();
    std::uint64_t end = offsets[past - 1];
    std::uint64_t gained = total;
    for (std::size_t i = owners.size(); i != 0 && gained != 0;) {
        const std::size_t q = owners[i - 1];
        const std::uint64_t begin = offsets[q + 1];
        if (begin < end && begin + gained < ids.size()) {
            const std::uint64_t kept_end = std::min<std::uint64_t>(end, ids.size() - gained);
            std::move_backward(ids.begin() + static_cast<std::ptrdiff_t>(begin),
                               ids.begin() + static_cast<std::ptrdiff_t>(kept_end),
                               ids.begin() + static_cast<std::ptrdiff_t>(kept_end + gained));
        }
        for (std::size_t after = q + 1; after < past; ++after) {
            offsets[after] += gained;
        }
        for (; i != 0 && owners[i - 1] == q; --i) {
            const std::span<const Id> added = list(i - 1);
            gained -= added.size();
            put_clipped(added, begin + gained, ids);
        }
        past = q + 1;
        end = begin;
    }
}

/// append_large() for answers in vectors, which grow. Throws std::bad_alloc.
inline void append_large(Hits& hits, std::span<const LargeHit> large) {
    const std::uint64_t total = hits.total() + large.size();
    if (hits.ids.size() < total) { hits.ids.resize(length_of(total)); }
    append_large(hits.offsets, hits.ids, large);
}

/// Orders hits by distance, and equally near ones by id.
[[nodiscard]] inline bool comes_before(const Near& a, const Near& b) noexcept {
    return a.distance2 < b.distance2 || (a.distance2 == b.distance2 && a.id < b.id);
}

/// A radius whose square is no less than `distance2`.
[[nodiscard]] inline float radius_over(float distance2) noexcept {
    float radius = std::sqrt(distance2);
    while (radius * radius < distance2) {
        radius = std::nextafter(radius, std::numeric_limits<float>::infinity());
    }
    return radius;
}

/// The radius, at most `radius`, within which an agent can still join `best`, which holds `count`
/// agents so far and has room for at least one.
[[nodiscard]] inline float radius_among(std::span<const Near> best, std::size_t count,
                                        float radius) noexcept {
    return count < best.size() ? radius : std::min(radius, radius_over(best.back().distance2));
}

/// Returns call(room) with room for `count` agents, at most kMostNearest. The room is an array on
/// the stack, and all of it is initialised: so usual counts get a smaller one.
template <class Call>
auto with_room_for(std::size_t count, const Call& call) {
    constexpr std::size_t kUsual = 64;
    if (count <= kUsual) {
        std::array<Near, kUsual> room;
        return call(std::span<Near>(room).first(count));
    }
    std::array<Near, kMostNearest> room;
    return call(std::span<Near>(room).first(count));
}

/// Merges two sorted lists into `best`: its own first `count`, and `others`. `best` keeps as many
/// as it has room for. Returns how many it holds then.
inline std::size_t merge_nearest(std::span<Near> best, std::size_t count,
                                 std::span<const Near> others) noexcept {
    if (others.empty() || (count == best.size() && !comes_before(others[0], best.back()))) {
        return count;
    }
    if (others.size() == 1) {
        const std::size_t n = std::min(count + 1, best.size());
        std::size_t slot = n - 1;
        for (; slot != 0 && comes_before(others[0], best[slot - 1]); --slot) {
            best[slot] = best[slot - 1];
        }
        best[slot] = others[0];
        return n;
    }
    return with_room_for(best.size(), [&](std::span<Near> merged) {
        std::size_t a = 0, b = 0, n = 0;
        while (n < best.size() && (a < count || b < others.size())) {
            const bool first =
                b == others.size() || (a < count && comes_before(best[a], others[b]));
            merged[n++] = first ? best[a++] : others[b++];
        }
        std::copy_n(merged.begin(), n, best.begin());
        return n;
    });
}

} // namespace throng
