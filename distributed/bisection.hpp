// How bricks are cut: level by level, all parts of the world at once. Internal to distributed/.
#pragma once

#include "../engine/agents/grid_shape.hpp"
#include "cuts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng {

/// The cells of a brick below a cut, and those from the cut on.
template <std::size_t Dim>
[[nodiscard]] Brick<Dim> below(Brick<Dim> brick, std::size_t axis, std::uint32_t cell) noexcept {
    const std::uint32_t past = brick.first[axis] + brick.cells[axis];
    brick.cells[axis] = std::clamp(cell, brick.first[axis], past) - brick.first[axis];
    return brick;
}
template <std::size_t Dim>
[[nodiscard]] Brick<Dim> from(Brick<Dim> brick, std::size_t axis, std::uint32_t cell) noexcept {
    const std::uint32_t past = brick.first[axis] + brick.cells[axis];
    brick.first[axis] = std::clamp(cell, brick.first[axis], past);
    brick.cells[axis] = past - brick.first[axis];
    return brick;
}

/// Cuts in the making. Each level cuts every part that has two ranks or more along its longer side
/// in space; after log2(ranks) levels, rounded up, none is left. The loads of lines of cells
/// decide: a part has one line, across the cut axis, for each of its cells along that axis.
template <std::size_t Dim>
class Bisection {
public:
    /// The load of a line of cells, or of a part. The sum over all lines of a level must not exceed
    /// 2^40.
    struct Load {
        std::uint64_t work = 0, agents = 0;
        Load& operator+=(const Load& more) noexcept {
            work += more.work;
            agents += more.agents;
            return *this;
        }
    };
    /// Means no limit for the agents of a rank.
    static constexpr std::uint64_t kAnyNumber = std::uint64_t{1} << 40;
    /// Stands for no part.
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    /// A part with two ranks or more.
    struct Part {
        detail::CutPart ranks;
        Brick<Dim> brick;
        std::size_t axis = 0;
        std::size_t lines = 0;  ///< the first of its lines, among the lines of all parts
        std::uint32_t past = 0; ///< after cut(): the first cell of the second half
        std::array<std::uint32_t, 2> halves{}; ///< after cut(): numbers in the next level
    };

    /// Starts with the whole grid; there must be ranks. Throws std::bad_alloc, as cut() does.
    Bisection(const GridShape<Dim>& shape, std::uint32_t ranks);

    [[nodiscard]] bool done() const noexcept { return parts_.empty(); }
    [[nodiscard]] std::span<const Part> parts() const noexcept { return parts_; }
    /// The number of lines of all parts together.
    [[nodiscard]] std::size_t lines() const noexcept { return lines_; }

    /// Cuts each part so that the work of each side fits its number of ranks, unless a rank would
    /// then get more than `most` agents. Each agent counts as `more` work in addition. There must
    /// be one load for each line. Returns the cut parts, valid until the next call.
    std::span<const Part> cut(std::span<const Load> loads, std::uint64_t most = kAnyNumber,
                              std::uint64_t more = 0);
    /// The largest work of a rank so far.
    [[nodiscard]] std::uint64_t largest() const noexcept { return largest_; }
    /// The load of the rank with most agents so far.
    [[nodiscard]] const Load& fullest() const noexcept { return fullest_; }

    [[nodiscard]] Cuts<Dim> take() noexcept { return std::move(cuts_); }

private:
    std::uint32_t add(const detail::CutPart& ranks, const Brick<Dim>& brick, const Load& load);

    const GridShape<Dim> shape_;
    Cuts<Dim> cuts_;
    std::vector<Part> parts_, cut_;
    std::size_t lines_ = 0;
    std::uint64_t largest_ = 0;
    Load fullest_;
};

extern template class Bisection<2>;
extern template class Bisection<3>;

} // namespace throng
