// How bricks are cut: all parts of the world at once, again and again. Internal to distributed/.
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

/// The two parts of a brick on either side of a cut.
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

/// Cuts in the making. Each level cuts all parts that have two ranks or more, each along its longer
/// side in space; log2(ranks) levels, rounded up, and none is left. What decides is what there is
/// in each line of cells: lines are across the axis, one for each cell that the part has there.
template <std::size_t Dim>
class Bisection {
public:
    /// What is in a line of cells, or in a part. No sum of all lines of a level may exceed
    /// 2^40.
    struct Load {
        std::uint64_t work = 0, agents = 0;
        Load& operator+=(const Load& more) noexcept {
            work += more.work;
            agents += more.agents;
            return *this;
        }
    };
    /// No limit for the agents of a rank.
    static constexpr std::uint64_t kAnyNumber = std::uint64_t{1} << 40;
    /// Of no part.
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    /// A part with two ranks or more.
    struct Part {
        detail::CutPart ranks;
        Brick<Dim> brick;
        std::size_t axis = 0;
        std::size_t lines = 0;                 ///< where its lines begin, among those of all parts
        std::uint32_t past = 0;                ///< after cut(): the first cell of the second half
        std::array<std::uint32_t, 2> halves{}; ///< after cut(): their numbers in the next level
    };

    /// Of a whole grid; there must be ranks. Throws std::bad_alloc, as cut() does.
    Bisection(const GridShape<Dim>& shape, std::uint32_t ranks);

    [[nodiscard]] bool done() const noexcept { return parts_.empty(); }
    [[nodiscard]] std::span<const Part> parts() const noexcept { return parts_; }
    /// How many lines all parts have together.
    [[nodiscard]] std::size_t lines() const noexcept { return lines_; }

    /// Cuts all parts where the work on both sides fits the ranks on both sides, unless that gave
    /// some rank more than `most` agents. Each agent is taken for so much work more as `more` says.
    /// There must be as many loads as lines. Returns the parts as they were cut, until the next
    /// call.
    std::span<const Part> cut(std::span<const Load> loads, std::uint64_t most = kAnyNumber,
                              std::uint64_t more = 0);
    /// The largest work that a rank has got so far.
    [[nodiscard]] std::uint64_t largest() const noexcept { return largest_; }
    /// What that rank has that got most agents so far.
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
