// How the cells of one grid are dealt out to the ranks of a job.
#pragma once

#include "../engine/agents/grid_shape.hpp"
#include "../engine/core/function_ref.hpp"
#include "../engine/core/status.hpp"
#include "../simd/isa/export.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng {

/// A box of cells: first ... first + cells - 1 on each axis; none where an axis has no cells.
template <std::size_t Dim>
struct Brick {
    std::array<std::uint32_t, Dim> first{}, cells{};

    [[nodiscard]] bool empty() const noexcept {
        bool none = false;
        for (const std::uint32_t count : cells) {
            none = none || count == 0;
        }
        return none;
    }
    friend bool operator==(const Brick&, const Brick&) noexcept = default;
};

namespace detail {

/// The ranks of a part: their cuts begin at `cut`, the one that halves them first.
struct CutPart {
    std::uint32_t first, ranks;
    std::size_t cut;

    [[nodiscard]] std::uint32_t half() const noexcept { return ranks / 2; }
    [[nodiscard]] CutPart low() const noexcept { return {first, half(), cut + 1}; }
    [[nodiscard]] CutPart high() const noexcept {
        return {first + half(), ranks - half(), cut + half()};
    }
};

} // namespace detail

template <std::size_t Dim>
class Bisection;

/// Every cell of a grid belongs to one rank: its *owner*. What a rank owns is a brick of cells, and
/// there may be ranks with none.
///
/// Bricks come from cutting the whole in two, and each part again, at cells: so no rounding makes
/// two ranks, or none, the owner of a place, and no cell has agents of two owners. Every rank has
/// all cuts, eight bytes a rank, and finds owners without asking.
template <std::size_t Dim>
class THRONG_API Cuts {
public:
    static constexpr std::uint32_t kMostRanks = 1u << 20;

    /// Writes the work of each line of cells of a brick: lines are across `axis`, one for each of
    /// its cells there. All work together is at most 2^40.
    using WorkOfLines = FunctionRef<void(std::size_t axis, const Brick<Dim>& brick,
                                         std::span<std::uint64_t> lines)>;

    /// A part of the ranks and its cells, cut in two: the cells below `cell` on an axis go to the
    /// first half of these ranks, which is the smaller one.
    struct Cut {
        std::uint32_t axis, cell;
        friend bool operator==(const Cut&, const Cut&) noexcept = default;
    };
    /// Says where the ranks first ... first + ranks - 1, two or more, are cut, to which this brick
    /// belongs. There must be such an axis; a brick that the cell is not in goes to one half.
    using Choose =
        FunctionRef<Cut(const Brick<Dim>& brick, std::uint32_t first, std::uint32_t ranks)>;

    /// No ranks.
    Cuts() = default;

    /// Bricks of about as much work for each rank: recursive bisection of all cells, along the side
    /// that is longer in space, where the work on both sides fits the ranks on both sides. Whole
    /// numbers decide, so all ranks cut alike if they say the same. The shape must not be a window;
    /// there must be ranks, at most kMostRanks: for none the cuts are Cuts(), without ranks.
    /// Throws std::bad_alloc.
    [[nodiscard]] static Cuts by_work(const GridShape<Dim>& shape, std::uint32_t ranks,
                                      WorkOfLines work);
    /// The same where every cell is as much work.
    [[nodiscard]] static Cuts even(const GridShape<Dim>& shape, std::uint32_t ranks);
    /// Bricks as `choose` says: a part is cut before its halves are.
    [[nodiscard]] static Cuts by_choice(const GridShape<Dim>& shape, std::uint32_t ranks,
                                        Choose choose);

    [[nodiscard]] std::uint32_t ranks() const noexcept { return ranks_; }
    [[nodiscard]] const Brick<Dim>& whole() const noexcept { return whole_; }

    /// The owner of a cell, in log2(ranks) steps. There must be ranks, here and in brick_of().
    [[nodiscard]] std::uint32_t owner_of(const std::array<std::uint32_t, Dim>& cell) const noexcept;
    /// What a rank owns.
    [[nodiscard]] Brick<Dim> brick_of(std::uint32_t rank) const noexcept;
    /// Calls visit(rank), in ascending order, for each rank that owns some of these cells, none of
    /// which may be outside of the whole. For none where there are no ranks.
    void for_each_owner(const Brick<Dim>& cells, FunctionRef<void(std::uint32_t)> visit) const;

    /// A number that other cuts do not have, as good as surely.
    [[nodiscard]] std::uint64_t fingerprint() const noexcept;
    /// Bytes of heap.
    [[nodiscard]] std::size_t memory() const noexcept { return cuts_.capacity() * sizeof(Cut); }

    friend bool operator==(const Cuts&, const Cuts&) noexcept = default;

private:
    template <std::size_t>
    friend class Bisection;

    using Part = detail::CutPart;

    void cut(const Part& part, const Brick<Dim>& brick, Choose choose);
    void visit(const Part& part, const Brick<Dim>& cells,
               FunctionRef<void(std::uint32_t)> visitor) const;

    std::uint32_t ranks_ = 0;
    Brick<Dim> whole_{};
    std::vector<Cut> cuts_; // one less than ranks
};

extern template class Cuts<2>;
extern template class Cuts<3>;

} // namespace throng
