#include "size_split.hpp"

#include "float_tile.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace throng {

namespace {

/// So many agents are looked at before anything is decided.
constexpr std::size_t kSample = 2048;

/// Agents are compared so many at a time: without a branch in between.
constexpr std::size_t kChunk = 128;

/// The bits of an extent, of which those of larger ones are larger numbers, and those of what is no
/// extent the largest.
std::uint32_t bits_of(float extent) noexcept {
    return std::bit_cast<std::uint32_t>(extent + 0.0f); // -0 is 0
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
Point<Dim> typical_half_extent(const Agents<Dim>& agents, LeftOutIds left_out) {
    const std::size_t count = agents.positions.count;
    const std::size_t step = std::max<std::size_t>(1, count / kSample);
    Point<Dim> typical;
    std::vector<float> sample;
    for (std::size_t a = 0; a < Dim; ++a) {
        sample.clear();
        for (std::size_t i = 0; i < count; i += step) {
            if (!left_out.within(i, i + 1).empty()) { continue; }
            sample.push_back(agents.half_extents.values(a)[i]);
        }
        if (sample.empty()) { continue; }
        const auto by_bits = [](float x, float y) { return bits_of(x) < bits_of(y); };
        const auto middle = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() / 2);
        std::nth_element(sample.begin(), middle, sample.end(), by_bits);
        // Twice the median takes in nearly all of sizes that vary, and no giants.
        typical[a] =
            std::min(2.0f * *middle, *std::max_element(sample.begin(), sample.end(), by_bits));
    }
    return typical;
}

template <std::size_t Dim>
Status SizeSplit<Dim>::split(const Agents<Dim>& agents, float largest, LeftOutIds left_out,
                             Executor& executor) {
    const std::size_t count = agents.positions.count;
    const std::size_t blocks = (count + kBlock - 1) / kBlock;
    found_.reserve(count);
    parts_.resize(blocks);
    claims_.prepare(blocks);
    const Status status = run_blocks(
        executor, blocks, [&](std::size_t block) { look_at(agents, largest, left_out, block); },
        claims_);
    if (status.ok()) { join(); }
    return status;
}

template <std::size_t Dim>
void SizeSplit<Dim>::look_at(const Agents<Dim>& agents, float largest, LeftOutIds left_out,
                             std::size_t block) noexcept {
    const std::size_t begin = block * kBlock;
    const std::size_t end = std::min(begin + kBlock, agents.positions.count);
    const std::uint32_t limit = bits_of(largest);
    std::uint32_t* giants = found_.data() + begin;
    Part part{0, false, true, {}};
    std::array<std::uint32_t, Dim> common{};
    std::array<FloatTile, Dim> tiles;
    const auto take = [&](const float* const(&axis)[Dim], std::size_t i, std::size_t id) {
        bool large = false;
        for (std::size_t a = 0; a < Dim; ++a) {
            large = large || bits_of(axis[a][i]) > limit;
        }
        if (large) {
            giants[part.giants++] = static_cast<Id>(id);
            return;
        }
        for (std::size_t a = 0; a < Dim; ++a) {
            if (!part.any) { common[a] = bits_of(axis[a][i]); }
            part.alike = part.alike && bits_of(axis[a][i]) == common[a];
        }
        part.any = true;
    };
    const auto look = [&](std::size_t from, std::size_t to) {
        for (std::size_t first = from; first < to; first += kChunk) {
            const std::size_t count = std::min(kChunk, to - first);
            const float* axis[Dim];
            for (std::size_t a = 0; a < Dim; ++a) {
                axis[a] = tiles[a].read(agents.half_extents.values(a), first, count);
            }
            std::size_t i = 0;
            if (!part.any) { take(axis, i++, first); }
            std::uint32_t large = 0, differs = 0;
            for (std::size_t a = 0; a < Dim; ++a) {
                for (std::size_t k = i; k < count; ++k) {
                    const std::uint32_t bits = bits_of(axis[a][k]);
                    large |= bits > limit ? 1u : 0u;
                    differs |= bits ^ common[a];
                }
            }
            if (large == 0 && part.any) {
                part.alike = part.alike && differs == 0;
                continue;
            }
            for (; i < count; ++i) {
                take(axis, i, first + i);
            }
        }
    };
    left_out.between(begin, end, look);
    for (std::size_t a = 0; a < Dim; ++a) {
        part.common[a] = std::bit_cast<float>(common[a]);
    }
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
    return found_.bytes() + parts_.capacity() * sizeof(Part) + giants_.capacity() * sizeof(Id) +
           claims_.memory();
}

template float largest_in(const GridShape<2>&) noexcept;
template float largest_in(const GridShape<3>&) noexcept;
template Point<2> typical_half_extent(const Agents<2>&, LeftOutIds);
template Point<3> typical_half_extent(const Agents<3>&, LeftOutIds);
template class SizeSplit<2>;
template class SizeSplit<3>;

} // namespace throng
