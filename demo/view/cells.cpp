#include "cells.hpp"

#include <algorithm>
#include <tuple>

namespace throng::demo {

namespace {

/// Sorts outer cells first; of equal outlines the outermost is kept.
constexpr auto kByDepth = [](const IndexCell<2>& a, const IndexCell<2>& b) {
    return std::tie(a.depth, a.box.lo.axis, a.box.hi.axis) <
           std::tie(b.depth, b.box.lo.axis, b.box.hi.axis);
};
constexpr auto kByBox = [](const IndexCell<2>& a, const IndexCell<2>& b) {
    return std::tie(a.box.lo.axis, a.box.hi.axis, a.depth) <
           std::tie(b.box.lo.axis, b.box.hi.axis, b.depth);
};
/// Sorts so that of equal outlines the brightest is kept.
constexpr auto kByLight = [](const Glow::Cell& a, const Glow::Cell& b) {
    return std::tie(a.box.lo.axis, a.box.hi.axis, b.light) <
           std::tie(b.box.lo.axis, b.box.hi.axis, a.light);
};
/// The longer side of a cell.
float side_of(const IndexCell<2>& cell) noexcept {
    return std::max(cell.box.hi[0] - cell.box.lo[0], cell.box.hi[1] - cell.box.lo[1]);
}

constexpr auto kSameBox = [](const auto& a, const auto& b) { return a.box == b.box; };

} // namespace

void ShownCells::clear() noexcept {
    cells_.clear();
    deepest_ = 0;
    thinned_ = false;
}

void ShownCells::gather(const Stage& stage, const ViewCamera& camera) {
    clear();
    const Box<2> visible = camera.visible();
    float smallest = kSmallest / camera.scale();
    const auto keep_each_once = [&] {
        std::sort(cells_.begin(), cells_.end(), kByBox);
        cells_.erase(std::unique(cells_.begin(), cells_.end(), kSameBox), cells_.end());
    };
    // Keeps all cells of a size, or none: otherwise some parts of the screen would seem to have no
    // cells.
    const auto keep_larger_ones = [&] {
        keep_each_once();
        while (cells_.size() > kMost) {
            smallest *= 1.2f;
            std::erase_if(cells_, [&](const auto& cell) { return side_of(cell) < smallest; });
            thinned_ = true;
        }
    };
    stage.visit_cells([&](const IndexCell<2>& cell) {
        if (!is_seen(cell.box, visible)) { return true; }
        if (side_of(cell) < smallest) {
            thinned_ = true;
            return true;
        }
        cells_.push_back(cell);
        if (cells_.size() >= 2 * kMost) { keep_larger_ones(); }
        return true;
    });
    keep_larger_ones();
    std::sort(cells_.begin(), cells_.end(), kByDepth);
    if (!cells_.empty()) { deepest_ = cells_.back().depth; }
}

void Glow::light(std::span<const Box<2>> met) {
    std::vector<Cell> lit;
    lit.reserve(met.size() + cells_.size());
    for (const Box<2>& box : met) {
        lit.push_back({box, 1.0f});
    }
    lit.insert(lit.end(), cells_.begin(), cells_.end());
    std::sort(lit.begin(), lit.end(), kByLight);
    lit.erase(std::unique(lit.begin(), lit.end(), kSameBox), lit.end());
    cells_ = std::move(lit);
}

void Glow::fade(float seconds) {
    for (Cell& cell : cells_) {
        cell.light -= seconds / kFadesIn;
    }
    std::erase_if(cells_, [](const Cell& cell) { return cell.light <= 0.0f; });
}

} // namespace throng::demo
