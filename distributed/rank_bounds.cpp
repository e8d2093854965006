#include "rank_bounds.hpp"

#include <algorithm>
#include <bit>

namespace throng {

template <std::size_t Dim>
typename RankBox<Dim>::Words RankBox<Dim>::words() const noexcept {
    Words words{};
    for (std::size_t a = 0; a < Dim; ++a) {
        words[a] = std::uint64_t{std::bit_cast<std::uint32_t>(centres.lo[a])} << 32 |
                   std::bit_cast<std::uint32_t>(centres.hi[a]);
    }
    words[Dim] = agents;
    return words;
}

template <std::size_t Dim>
RankBox<Dim> RankBox<Dim>::from(std::span<const std::uint64_t> words) noexcept {
    RankBox box;
    for (std::size_t a = 0; a < Dim; ++a) {
        box.centres.lo[a] = std::bit_cast<float>(static_cast<std::uint32_t>(words[a] >> 32));
        box.centres.hi[a] = std::bit_cast<float>(static_cast<std::uint32_t>(words[a]));
    }
    box.agents = words[Dim];
    return box;
}

template <std::size_t Dim>
void RankBounds<Dim>::make_room(std::uint32_t ranks) {
    leaves_.resize(ranks);
    inner_.resize(ranks - 1);
}

template <std::size_t Dim>
void RankBounds<Dim>::take(std::span<const std::uint64_t> words,
                           const Point<Dim>& half_extent) noexcept {
    constexpr std::size_t kWords = RankBox<Dim>::kWords;
    for (std::size_t rank = 0; rank < leaves_.size(); ++rank) {
        leaves_[rank] = RankBox<Dim>::from(words.subspan(rank * kWords, kWords));
    }
    half_extent_ = half_extent;
    join({0, static_cast<std::uint32_t>(leaves_.size()), 0});
}

template <std::size_t Dim>
const RankBox<Dim>& RankBounds<Dim>::join(const Part& part) noexcept {
    if (part.ranks == 1) { return leaves_[part.first]; }
    RankBox<Dim>& both = inner_[part.cut];
    both = join(part.low());
    const RankBox<Dim>& high = join(part.high());
    both.add(high.centres);
    both.agents += high.agents;
    return both;
}

template <std::size_t Dim>
double RankBounds<Dim>::least_distance2(const Point<Dim>& point, Body body,
                                        const RankBox<Dim>& box) const noexcept {
    const Box<Dim> there = body == Body::centre ? box.centres : cover(box);
    double distance2 = 0.0;
    for (std::size_t a = 0; a < Dim; ++a) {
        const double off =
            std::max({double{there.lo[a]} - point[a], double{point[a]} - there.hi[a], 0.0});
        distance2 += off * off;
    }
    // Lowered, since distances are sums of squares of floats: each operation rounds by 2^-24 of the
    // result, and small squares may underflow to zero.
    return distance2 * (1.0 - 0x1p-17) - 1e-35;
}

template struct RankBox<2>;
template struct RankBox<3>;
template class RankBounds<2>;
template class RankBounds<3>;

} // namespace throng
