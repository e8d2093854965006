#include "cuts.hpp"

#include "fingerprint.hpp"

#include <algorithm>

namespace throng {

namespace {

/// The two parts of a brick on either side of a cut.
template <std::size_t Dim>
Brick<Dim> below(Brick<Dim> brick, std::size_t axis, std::uint32_t cell) noexcept {
    const std::uint32_t past = brick.first[axis] + brick.cells[axis];
    brick.cells[axis] = std::clamp(cell, brick.first[axis], past) - brick.first[axis];
    return brick;
}
template <std::size_t Dim>
Brick<Dim> from(Brick<Dim> brick, std::size_t axis, std::uint32_t cell) noexcept {
    const std::uint32_t past = brick.first[axis] + brick.cells[axis];
    brick.first[axis] = std::clamp(cell, brick.first[axis], past);
    brick.cells[axis] = past - brick.first[axis];
    return brick;
}

/// The axis along which a brick is longest in space, of those that can be cut.
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

/// How many of the lines go to `half` of the ranks: as many as come nearest to their share, and at
/// least one to each side where there are two. Even shares where there is no work.
std::size_t share_of(std::span<const std::uint64_t> lines, std::uint64_t half,
                     std::uint64_t ranks) noexcept {
    std::uint64_t all = 0;
    for (const std::uint64_t line : lines) {
        all += line;
    }
    if (lines.size() < 2) { return lines.size(); }
    if (all == 0) {
        return std::clamp<std::size_t>(lines.size() * half / ranks, 1, lines.size() - 1);
    }
    std::uint64_t sum = 0;
    std::size_t count = 0;
    while (count + 1 < lines.size()) {
        const std::uint64_t next = sum + lines[count];
        // Past the share: is it nearer with this line or without?
        if (next * ranks > all * half && next * ranks - all * half > all * half - sum * ranks) {
            break;
        }
        sum = next;
        ++count;
        if (sum * ranks >= all * half) { break; }
    }
    return std::max<std::size_t>(count, 1);
}

} // namespace

template <std::size_t Dim>
void Cuts<Dim>::cut(const Part& part, const Brick<Dim>& brick, Choose choose) {
    if (part.ranks < 2) { return; }
    const Cut here = cuts_[part.cut] = choose(brick, part.first, part.ranks);
    cut(part.low(), below(brick, here.axis, here.cell), choose);
    cut(part.high(), from(brick, here.axis, here.cell), choose);
}

template <std::size_t Dim>
Cuts<Dim> Cuts<Dim>::by_choice(const GridShape<Dim>& shape, std::uint32_t ranks, Choose choose) {
    Cuts cuts;
    if (ranks == 0) { return cuts; }
    cuts.ranks_ = ranks;
    cuts.whole_ = {{}, shape.cells};
    cuts.cuts_.resize(ranks - 1);
    cuts.cut({0, ranks, 0}, cuts.whole_, choose);
    return cuts;
}

template <std::size_t Dim>
Cuts<Dim> Cuts<Dim>::by_work(const GridShape<Dim>& shape, std::uint32_t ranks, WorkOfLines work) {
    std::vector<std::uint64_t> lines;
    const auto choose = [&](const Brick<Dim>& brick, std::uint32_t, std::uint32_t all) -> Cut {
        const std::size_t axis = longest(shape, brick);
        lines.assign(brick.cells[axis], 0);
        if (!brick.empty()) { work(axis, brick, lines); }
        const std::size_t share = share_of(lines, all / 2, all);
        return {static_cast<std::uint32_t>(axis),
                static_cast<std::uint32_t>(brick.first[axis] + share)};
    };
    return by_choice(shape, ranks, choose);
}

template <std::size_t Dim>
Cuts<Dim> Cuts<Dim>::even(const GridShape<Dim>& shape, std::uint32_t ranks) {
    return by_work(shape, ranks,
                   [](std::size_t axis, const Brick<Dim>& brick, std::span<std::uint64_t> lines) {
                       std::uint64_t cells = 1;
                       for (std::size_t a = 0; a < Dim; ++a) {
                           if (a != axis) { cells *= brick.cells[a]; }
                       }
                       std::fill(lines.begin(), lines.end(), cells);
                   });
}

template <std::size_t Dim>
std::uint32_t Cuts<Dim>::owner_of(const std::array<std::uint32_t, Dim>& cell) const noexcept {
    Part part = {0, ranks_, 0};
    while (part.ranks > 1) {
        const Cut& here = cuts_[part.cut];
        part = cell[here.axis] < here.cell ? part.low() : part.high();
    }
    return part.first;
}

template <std::size_t Dim>
Brick<Dim> Cuts<Dim>::brick_of(std::uint32_t rank) const noexcept {
    Part part = {0, ranks_, 0};
    Brick<Dim> brick = whole_;
    while (part.ranks > 1) {
        const Cut& here = cuts_[part.cut];
        const bool is_low = rank < part.high().first;
        brick = is_low ? below(brick, here.axis, here.cell) : from(brick, here.axis, here.cell);
        part = is_low ? part.low() : part.high();
    }
    return brick;
}

template <std::size_t Dim>
void Cuts<Dim>::for_each_owner(const Brick<Dim>& cells,
                               FunctionRef<void(std::uint32_t)> visitor) const {
    if (ranks_ != 0 && !cells.empty()) { visit({0, ranks_, 0}, cells, visitor); }
}

template <std::size_t Dim>
void Cuts<Dim>::visit(const Part& part, const Brick<Dim>& cells,
                      FunctionRef<void(std::uint32_t)> visitor) const {
    if (part.ranks == 1) { return visitor(part.first); }
    const Cut& here = cuts_[part.cut];
    const Brick<Dim> low = below(cells, here.axis, here.cell);
    const Brick<Dim> high = from(cells, here.axis, here.cell);
    if (!low.empty()) { visit(part.low(), low, visitor); }
    if (!high.empty()) { visit(part.high(), high, visitor); }
}

template <std::size_t Dim>
std::uint64_t Cuts<Dim>::fingerprint() const noexcept {
    Fingerprint all;
    all.add(ranks_);
    for (std::size_t a = 0; a < Dim; ++a) {
        all.add(whole_.cells[a]);
    }
    for (const Cut& here : cuts_) {
        all.add(std::uint64_t{here.axis} << 32 | here.cell);
    }
    return all.value();
}

template class Cuts<2>;
template class Cuts<3>;

} // namespace throng
