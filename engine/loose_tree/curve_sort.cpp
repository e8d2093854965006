#include "curve_sort.hpp"

#include "../agents/float_tile.hpp"
#include "../memory/radix_sort.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace throng {

namespace {

/// Bits for each axis: enough cells that few agents share one.
template <std::size_t Dim>
std::uint32_t curve_bits(std::size_t agents) noexcept {
    const auto bits = static_cast<std::uint32_t>((std::bit_width(agents) + 3 + Dim - 1) / Dim);
    return std::clamp<std::uint32_t>(bits, 2, simd::CurveMap<Dim>::kMostBits);
}

/// Longer digits take fewer passes, but should not have more counters than there are agents.
KeyedOrder sort_by_key(std::size_t count, unsigned key_bits, const KeyedOrder& from,
                       const KeyedOrder& to) noexcept {
    constexpr std::size_t kMany = 65536;
    return count >= kMany ? sort_by_digits<11>(count, key_bits, from, to)
                          : sort_by_digits<8>(count, key_bits, from, to);
}

/// Agents that share a cell of the curve are sorted along a curve through that cell, and so on
/// until few agents share a cell. (If one agent stands far from all others, nearly all others share
/// a cell.) Agents that still share a cell after that are in one place.
template <std::size_t Dim>
void refine(const CurveRecords& records, KeyedOrder sorted_order, KeyedOrder spare,
            std::uint32_t* runs) noexcept {
    const std::uint32_t* const key = sorted_order.key;
    std::size_t pending = 0;
    const auto note_runs = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end;) {
            std::size_t past = i + 1;
            while (past < end && key[past] == key[i]) {
                ++past;
            }
            if (past - i > kMostInCell) {
                runs[2 * pending] = static_cast<std::uint32_t>(i);
                runs[2 * pending + 1] = static_cast<std::uint32_t>(past);
                ++pending;
            }
            i = past;
        }
    };
    note_runs(0, records.count);
    std::array<std::array<float, kFloatTile + simd::kSlack>, Dim> tile{};
    std::array<std::uint32_t, kFloatTile + simd::kSlack> keys;
    while (pending != 0) {
        --pending;
        const std::size_t begin = runs[2 * pending];
        const std::size_t end = runs[2 * pending + 1];
        const std::size_t count = end - begin;
        const auto coordinate = [&](std::size_t i, std::size_t a) {
            const std::size_t record = sorted_order.order[i];
            return std::bit_cast<float>(records.words[record * records.record_words + 1 + a]);
        };
        simd::Survey<Dim> bounds = empty_survey<Dim>();
        for (std::size_t i = begin; i < end; ++i) {
            for (std::size_t a = 0; a < Dim; ++a) {
                bounds.lo[a] = std::min(bounds.lo[a], coordinate(i, a));
                bounds.hi[a] = std::max(bounds.hi[a], coordinate(i, a));
            }
        }
        simd::CurveMap<Dim> curve;
        if (!lay_curve(curve, bounds.lo, bounds.hi, count)) { continue; }
        const float* axis[Dim];
        for (std::size_t first = begin; first < end; first += kFloatTile) {
            const std::size_t some = std::min(kFloatTile, end - first);
            for (std::size_t a = 0; a < Dim; ++a) {
                for (std::size_t i = 0; i < some; ++i) {
                    tile[a][i] = coordinate(first + i, a);
                }
                axis[a] = tile[a].data();
            }
            simd::curve_keys(curve, axis, nullptr, some, keys.data());
            std::copy_n(keys.data(), some, sorted_order.key + first);
        }
        const KeyedOrder from = {sorted_order.key + begin, sorted_order.order + begin};
        const KeyedOrder to = {spare.key + begin, spare.order + begin};
        const KeyedOrder sorted = sort_by_key(count, Dim * curve.bits, from, to);
        if (sorted.key != from.key) {
            std::copy_n(sorted.key, count, from.key);
            std::copy_n(sorted.order, count, from.order);
        }
        note_runs(begin, end);
    }
}

} // namespace

template <std::size_t Dim>
simd::Survey<Dim> empty_survey() noexcept {
    simd::Survey<Dim> survey{};
    std::fill_n(survey.lo, Dim, std::numeric_limits<float>::infinity());
    std::fill_n(survey.hi, Dim, -std::numeric_limits<float>::infinity());
    survey.sound = true;
    return survey;
}

template <std::size_t Dim>
bool lay_curve(simd::CurveMap<Dim>& curve, const float (&lo)[Dim], const float (&hi)[Dim],
               std::size_t agents) noexcept {
    curve.bits = curve_bits<Dim>(agents);
    float widest = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        curve.origin[a] = lo[a];
        widest = std::max(widest, hi[a] - lo[a]);
    }
    std::fill_n(curve.larger_than, curve.kClasses, std::numeric_limits<float>::infinity());
    // Agents so close together that cells would be smaller than any float count as being in one
    // place.
    const auto cells = static_cast<float>(1u << curve.bits);
    const bool apart = widest > 0.0f && std::isfinite(cells / widest);
    curve.inverse_cell = apart ? cells / widest : 0.0f;
    return apart;
}

template <std::size_t Dim>
unsigned class_by_size(simd::CurveMap<Dim>& curve, float leaf_edge) noexcept {
    if (!(leaf_edge > 0.0f)) { return 0; }
    float limit = leaf_edge;
    for (float& larger_than : curve.larger_than) {
        larger_than = limit;
        limit *= 8.0f;
    }
    return 2;
}

template <std::size_t Dim>
const std::uint32_t* sort_along_curve(const CurveRecords& records,
                                      std::uint32_t* scratch) noexcept {
    const std::size_t count = records.count;
    const KeyedOrder order = {scratch, scratch + count};
    const KeyedOrder spare = {scratch + 2 * count, scratch + 3 * count};
    std::uint32_t differ = 0;
    for (std::size_t i = 0; i < count; ++i) {
        order.key[i] = records.words[i * records.record_words];
        order.order[i] = static_cast<std::uint32_t>(i);
        differ |= order.key[i] ^ order.key[0];
    }
    const KeyedOrder sorted =
        sort_by_key(count, static_cast<unsigned>(std::bit_width(differ)), order, spare);
    refine<Dim>(records, sorted, sorted.key == order.key ? spare : order, scratch + 4 * count);
    return sorted.order;
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template simd::Survey<Dim> empty_survey() noexcept;                                            \
    template bool lay_curve(simd::CurveMap<Dim>&, const float(&)[Dim], const float(&)[Dim],        \
                            std::size_t) noexcept;                                                 \
    template unsigned class_by_size(simd::CurveMap<Dim>&, float) noexcept;                         \
    template const std::uint32_t* sort_along_curve<Dim>(const CurveRecords&,                       \
                                                        std::uint32_t*) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
