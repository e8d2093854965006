// How the cells of one grid are divided among the ranks of a job.
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

/// A box of cells: first ... first + cells - 1 on each axis; empty if an axis has no cells.
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

/// The ranks that own a part of the grid. The cut number `cut` halves the part; the cuts of its
/// first half follow, then those of its second half.
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

/// Every cell of a grid belongs to one rank: its *owner*. Each rank owns a brick of cells; the
/// brick may be empty.
///
/// The whole grid is cut in two between cells, then each part in turn. So rounding never gives a
/// place two owners or none, and no cell has agents of two owners. Every rank has all cuts, eight
/// bytes a rank, and finds owners without asking.
template <std::size_t Dim>
class THRONG_API Cuts {
public:
    static constexpr std::uint32_t kMostRanks = 1u << 20;

    /// Writes the work of each line of cells of a brick: there is one line, across `axis`, for each
    /// cell that the brick has along it. All work together is at most 2^40.
    using WorkOfLines = FunctionRef<void(std::size_t axis, const Brick<Dim>& brick,
                                         std::span<std::uint64_t> lines)>;

    /// Cuts a part, its ranks and its cells, in two: the cells below `cell` on the axis go to the
    /// first half of the ranks, which is the smaller one.
    struct Cut {
        std::uint32_t axis, cell;
        friend bool operator==(const Cut&, const Cut&) noexcept = default;
    };
    /// Chooses the cut of this brick, which belongs to ranks first ... first + ranks - 1, two or
    /// more. The axis must exist. If `cell` is not in the brick, one half gets all of it.
    using Choose =
        FunctionRef<Cut(const Brick<Dim>& brick, std::uint32_t first, std::uint32_t ranks)>;

    /// Cuts without ranks.
    Cuts() = default;

    /// Bricks of about equal work: recursive bisection of all cells, along the side that is longest
    /// in space, so that the work of each side fits its number of ranks. Only whole numbers decide,
    /// so all ranks get the same cuts from the same work. The shape must not be a window, and
    /// `ranks` is at most kMostRanks; for no ranks the result is Cuts(). Throws std::bad_alloc.
    [[nodiscard]] static Cuts by_work(const GridShape<Dim>& shape, std::uint32_t ranks,
                                      WorkOfLines work);
    /// As by_work(), with equal work in every cell.
    [[nodiscard]] static Cuts even(const GridShape<Dim>& shape, std::uint32_t ranks);
    /// Bricks as `choose` cuts them. A part is cut before its halves.
    [[nodiscard]] static Cuts by_choice(const GridShape<Dim>& shape, std::uint32_t ranks,
                                        Choose choose);

    [[nodiscard]] std::uint32_t ranks() const noexcept { return ranks_; }
    [[nodiscard]] const Brick<Dim>& whole() const noexcept { return whole_; }

    /// The owner of a cell, in log2(ranks) steps. There must be ranks, here and in brick_of().
    [[nodiscard]] std::uint32_t owner_of(const std::array<std::uint32_t, Dim>& cell) const noexcept;
    /// The cells that a rank owns.
    [[nodiscard]] Brick<Dim> brick_of(std::uint32_t rank) const noexcept;
    /// Calls visit(rank), in ascending order, for each rank that owns some of these cells; all of
    /// them must be in the whole grid. Calls nothing where there are no ranks.
    void for_each_owner(const Brick<Dim>& cells, FunctionRef<void(std::uint32_t)> visit) const;

    /// A 64-bit hash of the cuts: different cuts almost surely have different hashes.
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
