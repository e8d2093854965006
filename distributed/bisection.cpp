#include "bisection.hpp"

#include <numeric>
#include <utility>

namespace throng {

namespace {

/// The axis along which the brick is longest in space, among axes with two cells or more.
template <std::size_t Dim>
std::size_t longest(const GridShape<Dim>& shape, const Brick<Dim>& brick) noexcept {
    std::size_t longest = 0;
    float length = -1.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float side =
            brick.cells[a] < 2 ? 0.0f : static_cast<float>(brick.cells[a]) / shape.inverse_cell[a];
        if (side > length) {
            length = side;
            longest = a;
        }
    }
    return longest;
}

/// How many lines, counted from the first, have work nearest to half / ranks of all work: at least
/// one, not all. Without any work, half / ranks of the lines.
template <class Load>
std::size_t share_of_work(std::span<const Load> lines, std::uint64_t half, std::uint64_t ranks,
                          std::uint64_t more) noexcept {
    const auto work = [more](const Load& load) { return load.work + more * load.agents; };
    std::uint64_t all = 0;
    for (const Load& line : lines) {
        all += work(line);
    }
    if (all == 0) { return std::max<std::size_t>(lines.size() * half / ranks, 1); }
    std::uint64_t sum = 0;
    std::size_t count = 0;
    while (count + 1 < lines.size()) {
        const std::uint64_t next = sum + work(lines[count]);
        // The target is passed: is the sum nearer to it with this line or without it?
        if (next * ranks > all * half && next * ranks - all * half > all * half - sum * ranks) {
            break;
        }
        sum = next;
        ++count;
        if (sum * ranks >= all * half) { break; }
    }
    return std::max<std::size_t>(count, 1);
}

/// How many lines go to the first half of the ranks: the number nearest to `wanted` that keeps both
/// halves within their ranks' limit of agents, or exceeds the limits least.
template <class Load>
std::size_t within_limits(std::span<const Load> lines, std::size_t wanted,
                          const detail::CutPart& part, std::uint64_t most) noexcept {
    std::uint64_t agents = 0;
    for (const Load& line : lines) {
        agents += line.agents;
    }
    const std::uint64_t low = most * part.half(), high = most * (part.ranks - part.half());
    std::uint64_t sum = 0;
    std::size_t last = lines.size(), first = 0; // limits of the counts that fit both halves
    for (std::size_t count = 0; count <= lines.size(); ++count) {
        if (sum <= low) { last = count; }
        if (agents - sum > high) { first = count + 1; }
        sum += count < lines.size() ? lines[count].agents : 0;
    }
    return std::clamp(wanted, std::min(first, last), std::max(first, last));
}

} // namespace

template <std::size_t Dim>
Bisection<Dim>::Bisection(const GridShape<Dim>& shape, std::uint32_t ranks) : shape_(shape) {
    cuts_.ranks_ = ranks;
    cuts_.whole_ = {{}, shape.cells};
    cuts_.cuts_.resize(ranks - 1);
    (void)add({0, ranks, 0}, cuts_.whole_, {});
}

template <std::size_t Dim>
std::uint32_t Bisection<Dim>::add(const detail::CutPart& ranks, const Brick<Dim>& brick,
                                  const Load& load) {
    if (ranks.ranks < 2) {
        largest_ = std::max(largest_, load.work);
        if (load.agents > fullest_.agents) { fullest_ = load; }
        return kNone;
    }
    const std::size_t axis = longest(shape_, brick);
    parts_.push_back({ranks, brick, axis, lines_, 0, {}});
    lines_ += brick.empty() ? 0 : brick.cells[axis];
    return static_cast<std::uint32_t>(parts_.size() - 1);
}

template <std::size_t Dim>
auto Bisection<Dim>::cut(std::span<const Load> loads, std::uint64_t most, std::uint64_t more)
    -> std::span<const Part> {
    cut_.swap(parts_);
    parts_.clear();
    lines_ = 0;
    for (Part& part : cut_) {
        const detail::CutPart& ranks = part.ranks;
        const std::span<const Load> lines =
            loads.subspan(part.lines, part.brick.empty() ? 0 : part.brick.cells[part.axis]);
        const auto sum = [](std::span<const Load> some) {
            Load all;
            for (const Load& line : some) {
                all += line;
            }
            return all;
        };
        std::size_t count = lines.size();
        if (count >= 2) {
            count = share_of_work(lines, ranks.half(), ranks.ranks, more);
            count = std::clamp<std::size_t>(within_limits(lines, count, ranks, most), 1,
                                            lines.size() - 1);
        }
        part.past = static_cast<std::uint32_t>(part.brick.first[part.axis] + count);
        cuts_.cuts_[ranks.cut] = {static_cast<std::uint32_t>(part.axis), part.past};
        part.halves[0] =
            add(ranks.low(), below(part.brick, part.axis, part.past), sum(lines.first(count)));
        part.halves[1] =
            add(ranks.high(), from(part.brick, part.axis, part.past), sum(lines.subspan(count)));
    }
    return cut_;
}

template class Bisection<2>;
template class Bisection<3>;

} // namespace throng
