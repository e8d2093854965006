// Lists which loose cells reach into which tight cells of a double grid. Internal to the engine.
#pragma once

#include "../../memory/hierarchical_bitset.hpp"
#include "../../memory/vector.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace throng {

/// The cells of a grid from `lo` to `hi`, both included, on each axis.
template <std::size_t Dim>
struct CoarseRange {
    std::array<std::uint32_t, Dim> lo, hi;
    friend bool operator==(const CoarseRange&, const CoarseRange&) noexcept = default;
};

/// Lists, for each tight cell, the loose cells that reach into it, as links of a pool.
///
/// There are several levels of tight cells, each four times as wide as those below. A loose cell is
/// listed on the lowest level on which it reaches over no more than kSpan tight cells an axis, so
/// even a loose cell that holds a giant has at most kMostLinks links.
///
/// Each link carries a mark for every axis on which its loose cell begins before the tight cell. A
/// search takes a loose cell only in the first tight cell that lists it. In all later ones the link
/// is marked for an axis along which the search has already looked into an earlier tight cell.
template <std::size_t Dim>
class CoarseGrid {
public:
    /// A tight cell of the lowest level is 1 << kLooseBits loose cells wide.
    static constexpr unsigned kLooseBits = 1;
    static constexpr unsigned kLevelBits = 2;
    static constexpr std::size_t kMostLevels = (24 - kLooseBits) / kLevelBits + 2;
    static constexpr std::uint32_t kSpan = Dim == 2 ? 4 : 3;
    static constexpr std::size_t kMostLinks = Dim == 2 ? 16 : 27;
    static constexpr std::uint32_t kMarkBits = Dim;
    static constexpr std::uint64_t kMostCells = std::uint64_t{1} << 28; ///< of loose cells
    static constexpr std::uint32_t kNone = ~0u;

    struct Link {
        std::uint32_t cell_and_marks, next;
        [[nodiscard]] std::uint32_t cell() const noexcept { return cell_and_marks >> kMarkBits; }
        [[nodiscard]] std::uint32_t marks() const noexcept {
            return cell_and_marks & ((1u << kMarkBits) - 1u);
        }
    };

    struct Level {
        unsigned shift = 0;                     ///< a tight cell is 2^shift loose cells wide
        std::array<std::uint32_t, Dim> cells{}; ///< tight cells on each axis
        std::uint32_t first = 0;                ///< the number of its first tight cell
        std::size_t links = 0;                  ///< links in all its lists together
    };

    /// Lays tight cells over this many loose ones, all empty. Throws std::bad_alloc, and then
    /// nothing has changed.
    void lay_out(const std::array<std::uint32_t, Dim>& loose_cells);

    /// Makes room for `links` links in all. Throws std::bad_alloc, and then nothing has changed.
    void reserve(std::size_t links);
    /// Makes room for one more loose cell. Grows by half if it must.
    void reserve_more();
    [[nodiscard]] std::size_t links() const noexcept { return begun_ - free_count_; }

    /// Empties all lists.
    void clear() noexcept;

    /// The level on which to list a loose cell whose cover touches these loose cells.
    [[nodiscard]] std::size_t level_of(const CoarseRange<Dim>& loose) const noexcept {
        std::size_t level = 0;
        for (; level + 1 < level_count_; ++level) {
            const unsigned shift = levels_[level].shift;
            bool few = true;
            for (std::size_t a = 0; a < Dim; ++a) {
                few = few && (loose.hi[a] >> shift) - (loose.lo[a] >> shift) < kSpan;
            }
            if (few) { break; }
        }
        return level;
    }
    /// The tight cells of a level that contain these loose cells.
    [[nodiscard]] CoarseRange<Dim> on_level(std::size_t level,
                                            const CoarseRange<Dim>& loose) const noexcept {
        CoarseRange<Dim> tight;
        for (std::size_t a = 0; a < Dim; ++a) {
            tight.lo[a] = loose.lo[a] >> levels_[level].shift;
            tight.hi[a] = loose.hi[a] >> levels_[level].shift;
        }
        return tight;
    }
    /// The number of cells in a range.
    [[nodiscard]] static std::size_t cells_in(const CoarseRange<Dim>& range) noexcept {
        std::size_t cells = 1;
        for (std::size_t a = 0; a < Dim; ++a) {
            cells *= range.hi[a] - range.lo[a] + 1;
        }
        return cells;
    }

    /// Lists a loose cell that is in no list. There must be room for kMostLinks links.
    void link(std::uint32_t cell, const CoarseRange<Dim>& loose) noexcept;
    /// Takes a loose cell out of all its lists.
    void unlink(std::uint32_t cell, const CoarseRange<Dim>& loose) noexcept;
    /// Moves a loose cell whose cover has changed to the lists of its new range.
    void relink(std::uint32_t cell, const CoarseRange<Dim>& from,
                const CoarseRange<Dim>& to) noexcept {
        const std::size_t level = level_of(from);
        if (level == level_of(to) && on_level(level, from) == on_level(level, to)) { return; }
        unlink(cell, from);
        link(cell, to);
    }

    /// How many links each level has.
    using LevelLinks = std::array<std::size_t, kMostLevels>;

    // The next four calls make, on several threads, the lists that link() makes cell by cell.

    /// First, empties all lists and takes this many links, for which there must be room.
    void restart(const LevelLinks& links) noexcept;
    /// Second, writes the links of one loose cell, numbered from `first` on, and the tight cell of
    /// each link to `tight_cells`. Returns the number at which the links of the next loose cell
    /// begin.
    std::uint32_t write_links(std::uint32_t first, std::uint32_t cell,
                              const CoarseRange<Dim>& loose, std::uint32_t* tight_cells) noexcept;
    /// Third, puts links `begin` ... `end` - 1 into their lists, if their tight cells are `from`
    /// ... `to` - 1. A tight cell's links must be listed in order; different tight cells may be
    /// done on any threads.
    void list_links(std::uint32_t begin, std::uint32_t end, const std::uint32_t* tight_cells,
                    std::uint32_t from, std::uint32_t to) noexcept;
    /// Fourth, on one thread, completes the marks of the tight cells that have links.
    void finish_lists() noexcept { listed_.summarise(); }

    /// The number of tight cells on all levels.
    [[nodiscard]] std::size_t tight_cells() const noexcept { return heads_.size(); }

    /// Calls take(cell, first) for each loose cell that is listed anywhere in the range; stops and
    /// returns false once take() does. `first` is true once for each loose cell: take() tests it,
    /// and can do so without an unpredictable branch. Levels below `from_level` are left out.
    template <class Take>
    bool search(const CoarseRange<Dim>& loose, const Take& take, std::size_t from_level = 0) const {
        for (std::uint32_t used = used_ >> from_level << from_level; used != 0; used &= used - 1) {
            const auto level = static_cast<std::size_t>(std::countr_zero(used));
            if (!search_level(levels_[level], on_level(level, loose), take)) { return false; }
        }
        return true;
    }

    [[nodiscard]] std::size_t level_count() const noexcept { return level_count_; }
    [[nodiscard]] const Level& level(std::size_t level) const noexcept { return levels_[level]; }
    [[nodiscard]] std::uint32_t number_of(const Level& level,
                                          const std::array<std::uint32_t, Dim>& at) const noexcept {
        std::uint32_t number = at[Dim - 1];
        for (std::size_t a = Dim - 1; a-- > 0;) {
            number = number * level.cells[a] + at[a];
        }
        return level.first + number;
    }
    [[nodiscard]] std::array<std::uint32_t, Dim>
    coordinates_of(const Level& level, std::uint32_t number) const noexcept {
        std::array<std::uint32_t, Dim> at;
        number -= level.first;
        for (std::size_t a = 0; a + 1 < Dim; ++a) {
            at[a] = number % level.cells[a];
            number /= level.cells[a];
        }
        at[Dim - 1] = number;
        return at;
    }
    /// head() is the number of the first link in a tight cell's list, or kNone; at() gives the link
    /// with this number.
    [[nodiscard]] std::uint32_t head(std::uint32_t tight) const noexcept { return heads_[tight]; }
    [[nodiscard]] const Link& at(std::uint32_t link) const noexcept { return links_[link]; }
    /// The tight cells whose lists are not empty.
    [[nodiscard]] const HierarchicalBitset& listed() const noexcept { return listed_; }

    [[nodiscard]] std::size_t table_memory() const noexcept {
        return heads_.capacity() * sizeof(std::uint32_t) + links_.capacity() * sizeof(Link);
    }
    [[nodiscard]] std::size_t mark_memory() const noexcept { return listed_.memory(); }

    /// Returns null, or what is wrong in the lists themselves. In a sound grid every list ends, the
    /// lists hold all links in use and no others, and tight cells with lists are marked as listed.
    [[nodiscard]] const char* validate() const;

private:
    friend struct TightGridProbe;

    /// A search over more tight cells than this jumps over the empty ones.
    static constexpr std::size_t kFew = 16;

    template <class Take>
    bool search_level(const Level& level, const CoarseRange<Dim>& tight, const Take& take) const {
        if (cells_in(tight) > kFew) { return search_many(level, tight, take); }
        return for_each_row(level, tight, [&](std::uint32_t row, std::uint32_t marks) {
            for (std::uint32_t x = tight.lo[0]; x <= tight.hi[0]; ++x) {
                const std::uint32_t seen = marks | (x > tight.lo[0] ? 1u : 0u);
                if (!search_list(row + x, seen, take)) { return false; }
            }
            return true;
        });
    }

    /// Calls visit(number of the cell at x = 0, marks of the axes other than x along which the row
    /// is not the first) for each row of the range; stops and returns false once visit() does.
    template <class Visit>
    static bool for_each_row(const Level& level, const CoarseRange<Dim>& tight,
                             const Visit& visit) {
        if constexpr (Dim == 2) {
            for (std::uint32_t y = tight.lo[1]; y <= tight.hi[1]; ++y) {
                const std::uint32_t marks = y > tight.lo[1] ? 2u : 0u;
                if (!visit(level.first + y * level.cells[0], marks)) { return false; }
            }
        } else {
            for (std::uint32_t z = tight.lo[2]; z <= tight.hi[2]; ++z) {
                for (std::uint32_t y = tight.lo[1]; y <= tight.hi[1]; ++y) {
                    const std::uint32_t marks =
                        (y > tight.lo[1] ? 2u : 0u) | (z > tight.lo[2] ? 4u : 0u);
                    const std::uint32_t row = z * level.cells[1] + y;
                    if (!visit(level.first + row * level.cells[0], marks)) { return false; }
                }
            }
        }
        return true;
    }

    /// Calls visit(number, marks of the loose cell there) for each tight cell that a loose cell
    /// with this range reaches into.
    template <class Visit>
    static void for_each_cell(const Level& level, const CoarseRange<Dim>& tight,
                              const Visit& visit) {
        for_each_row(level, tight, [&](std::uint32_t row, std::uint32_t marks) {
            for (std::uint32_t x = tight.lo[0]; x <= tight.hi[0]; ++x) {
                visit(row + x, marks | (x > tight.lo[0] ? 1u : 0u));
            }
            return true;
        });
    }

    template <class Take>
    bool search_many(const Level& level, const CoarseRange<Dim>& tight, const Take& take) const {
        const std::size_t last = number_of(level, tight.hi);
        for (std::size_t number = number_of(level, tight.lo);;) {
            number = listed_.next(number);
            if (number > last) { return true; }
            std::array<std::uint32_t, Dim> at =
                coordinates_of(level, static_cast<std::uint32_t>(number));
            // From a cell outside the range, goes on to the next one inside. The outermost axis on
            // which the cell is outside decides where that is.
            bool inside = true;
            for (std::size_t a = Dim; a-- > 0 && inside;) {
                if (at[a] >= tight.lo[a] && at[a] <= tight.hi[a]) { continue; }
                inside = false;
                std::size_t b = a;
                if (at[a] > tight.hi[a]) {
                    // Steps on along the next axis that is not at its end. If there is none, the
                    // range is done.
                    while (++b < Dim && at[b] == tight.hi[b]) {}
                    if (b == Dim) { return true; }
                    ++at[b];
                    --b;
                }
                for (std::size_t c = 0; c <= b; ++c) {
                    at[c] = tight.lo[c];
                }
            }
            if (!inside) {
                number = number_of(level, at);
                continue;
            }
            std::uint32_t seen = 0;
            for (std::size_t a = 0; a < Dim; ++a) {
                seen |= (at[a] > tight.lo[a] ? 1u : 0u) << a;
            }
            if (!search_list(static_cast<std::uint32_t>(number), seen, take)) { return false; }
            ++number;
        }
    }

    /// `seen` has a mark for each axis along which the search has looked into an earlier tight
    /// cell.
    template <class Take>
    bool search_list(std::uint32_t tight, std::uint32_t seen, const Take& take) const {
        for (std::uint32_t l = heads_[tight]; l != kNone; l = links_[l].next) {
            const Link& link = links_[l];
            if (!take(link.cell(), (link.marks() & seen) == 0)) { return false; }
        }
        return true;
    }

    std::array<Level, kMostLevels> levels_{};
    std::size_t level_count_ = 0;
    std::uint32_t used_ = 0;      // a bit for each level that has links
    Vector<std::uint32_t> heads_; // the first link of each tight cell's list, level after level
    Vector<Link> links_;
    std::uint32_t begun_ = 0, free_ = kNone, free_count_ = 0;
    HierarchicalBitset listed_;
};

extern template class CoarseGrid<2>;
extern template class CoarseGrid<3>;

} // namespace throng
