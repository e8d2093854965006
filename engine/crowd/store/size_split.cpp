#include "size_split.hpp"

#include "../../agents/float_tile.hpp"
#include "../../memory/zero_words.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace throng {

namespace {

/// The number of agents in the sample for the common size.
constexpr std::size_t kSample = 2048;

/// The number of agents compared at a time, without a branch in between.
constexpr std::size_t kChunk = 128;
using Flags = std::array<std::uint32_t, kChunk>; // 1 for a giant

/// The bits of an extent, as a number: larger extents have larger numbers, and invalid extents the
/// largest.
std::uint32_t bits_of(float extent) noexcept {
    return std::bit_cast<std::uint32_t>(extent + 0.0f); // -0 becomes 0
}

/// Flags the agents whose extent exceeds the limit on any axis. Returns whether there are any.
template <std::size_t Dim>
bool mark_large(const float* const (&axis)[Dim], std::size_t count, std::uint32_t limit,
                Flags& large) noexcept {
    std::uint32_t any = 0;
    for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t is_large = 0;
        for (std::size_t a = 0; a < Dim; ++a) {
            is_large |= bits_of(axis[a][i]) > limit ? 1u : 0u;
        }
        large[i] = is_large;
        any |= is_large;
    }
    return any != 0;
}

/// Whether all agents that are not large have these extents.
template <std::size_t Dim>
bool others_agree(const float* const (&axis)[Dim], std::size_t count, const Flags& large,
                  const Point<Dim>& common) noexcept {
    std::uint32_t differs = 0;
    for (std::size_t a = 0; a < Dim; ++a) {
        const std::uint32_t wanted = bits_of(common[a]);
        for (std::size_t i = 0; i < count; ++i) {
            differs |= (bits_of(axis[a][i]) ^ wanted) & (large[i] - 1u);
        }
    }
    return differs == 0;
}

/// The first agent that is not large; `count` if all are.
std::size_t first_zero(const Flags& large, std::size_t count) noexcept {
    std::size_t i = 0;
    while (i < count && large[i] != 0) {
        ++i;
    }
    return i;
}

} // namespace

template <std::size_t Dim>
float largest_in(const GridShape<Dim>& shape) noexcept {
    float side = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        side = std::max(side, 1.0f / shape.inverse_cell[a]);
    }
    return 0.5f * side;
}

template <std::size_t Dim>
Point<Dim> typical_half_extent(const Agents<Dim>& agents, SkippedIds skipped) {
    const std::size_t count = agents.positions.count;
    const std::size_t step = std::max<std::size_t>(1, count / kSample);
    Point<Dim> typical;
    Vector<float> sample;
    for (std::size_t a = 0; a < Dim; ++a) {
        sample.clear();
        for (std::size_t i = 0; i < count; i += step) {
            if (!skipped.within(i, i + 1).empty()) { continue; }
            sample.push_back(agents.half_extents.values(a)[i]);
        }
        if (sample.empty()) { continue; }
        const auto by_bits = [](float x, float y) { return bits_of(x) < bits_of(y); };
        const auto middle = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() / 2);
        std::nth_element(sample.begin(), middle, sample.end(), by_bits);
        // Twice the median covers nearly all agents of sizes that vary, and no giants.
        typical[a] =
            std::min(2.0f * *middle, *std::max_element(sample.begin(), sample.end(), by_bits));
    }
    return typical;
}

template <std::size_t Dim>
void SizeSplit<Dim>::begin(std::size_t agents) {
    found_.reserve(agents);
    parts_.resize(blocks_of(agents));
}

template <std::size_t Dim>
Status SizeSplit<Dim>::reserve(std::size_t agents, LoopClaims& claims, Executor& executor) {
    parts_.reserve(blocks_of(agents));
    WordBuffer found(agents > found_.size() ? agents : 0);
    const std::array<const WordBuffer*, 1> all = {&found};
    const Status status = zero_words(all, claims, executor);
    if (status.ok() && found.size() != 0) { found_ = std::move(found); }
    return status;
}

template <std::size_t Dim>
void SizeSplit<Dim>::look_at(const Agents<Dim>& agents, float largest, SkippedIds skipped,
                             std::size_t block) noexcept {
    const std::size_t begin = block * kBlock;
    const std::size_t end = std::min(begin + kBlock, agents.positions.count);
    const std::uint32_t limit = bits_of(largest);
    std::uint32_t* const giants = found_.data() + begin;
    Part part{0, false, true, {}};
    std::array<FloatTile, Dim> tiles;
    skipped.between(begin, end, [&](std::size_t from, std::size_t to) {
        for (std::size_t first = from; first < to; first += kChunk) {
            const std::size_t count = std::min(kChunk, to - first);
            const float* axis[Dim];
            for (std::size_t a = 0; a < Dim; ++a) {
                axis[a] = tiles[a].read(agents.half_extents.values(a), first, count);
            }
            Flags large;
            if (mark_large<Dim>(axis, count, limit, large)) {
                // Each index is written, but counted only if it is a giant's: a branch on sizes
                // would be mispredicted.
                for (std::size_t i = 0; i < count; ++i) {
                    giants[part.giants] = static_cast<Id>(first + i);
                    part.giants += large[i];
                }
            }
            if (!part.any) {
                const std::size_t i = first_zero(large, count);
                part.any = i < count;
                for (std::size_t a = 0; a < Dim && part.any; ++a) {
                    part.common[a] = axis[a][i];
                }
            }
            part.alike = part.alike && others_agree<Dim>(axis, count, large, part.common);
        }
    });
    parts_[block] = part;
}

template <std::size_t Dim>
void SizeSplit<Dim>::join() {
    giants_.clear();
    alike_ = true;
    bool any = false;
    for (std::size_t block = 0; block < parts_.size(); ++block) {
        const Part& part = parts_[block];
        const std::uint32_t* const found = found_.data() + block * kBlock;
        giants_.insert(giants_.end(), found, found + part.giants);
        if (!part.any) { continue; }
        if (!any) { common_ = part.common; }
        alike_ = alike_ && part.alike && part.common == common_;
        any = true;
    }
    alike_ = alike_ && any;
}

template <std::size_t Dim>
std::size_t SizeSplit<Dim>::bytes() const noexcept {
    return found_.bytes() + parts_.capacity() * sizeof(Part) + giants_.capacity() * sizeof(Id);
}

template float largest_in(const GridShape<2>&) noexcept;
template float largest_in(const GridShape<3>&) noexcept;
template Point<2> typical_half_extent(const Agents<2>&, SkippedIds);
template Point<3> typical_half_extent(const Agents<3>&, SkippedIds);
template class SizeSplit<2>;
template class SizeSplit<3>;

} // namespace throng
