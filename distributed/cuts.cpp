#include "cuts.hpp"

#include "../engine/grid/grid_parts.hpp"
#include "bisection.hpp"
#include "fingerprint.hpp"

#include <algorithm>

namespace throng {

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
    if (ranks == 0) { return Cuts(); }
    Bisection<Dim> bisection(shape, ranks);
    std::vector<typename Bisection<Dim>::Load> loads;
    std::vector<std::uint64_t> lines;
    while (!bisection.done()) {
        loads.assign(bisection.lines(), {});
        for (const auto& part : bisection.parts()) {
            if (part.brick.empty()) { continue; }
            lines.assign(part.brick.cells[part.axis], 0);
            work(part.axis, part.brick, lines);
            for (std::size_t i = 0; i < lines.size(); ++i) {
                loads[part.lines + i].work = lines[i];
            }
        }
        bisection.cut(loads);
    }
    return bisection.take();
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
