// The rows of a grid and the memory they live in. Internal to the engine.
#pragma once

#include "../../../simd/views/grid_view.hpp"
#include "../../agents/agents.hpp"
#include "../../agents/filter.hpp"
#include "../../agents/grid_shape.hpp"
#include "../../memory/hierarchical_bitset.hpp"
#include "../../memory/vector.hpp"
#include "../../memory/word_buffer.hpp"
#include "occupancy_tiles.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace throng {

/// A row number that no row has.
inline constexpr std::uint32_t kNoRow = 0xFFFF'FFFFu;

/// The most agents that one row holds: a bit of its capacity tells the form of its table.
inline constexpr std::uint32_t kMaxAgentsInRow = simd::Row::kTrimmed - 64;

/// The words of one node, in the order of a row's arrays; only the first fields() words are used.
template <std::size_t Dim>
using NodeWords = std::array<std::uint32_t, 2 * Dim + 2>;

/// The node of an agent that has the extent and the mask that `kind` demands.
template <std::size_t Dim>
[[nodiscard]] NodeWords<Dim> node_words(std::uint32_t id, const Agent<Dim>& agent,
                                        const CrowdKind<Dim>& kind) noexcept;

/// The position in a node.
template <std::size_t Dim>
[[nodiscard]] Point<Dim> position_of(const NodeWords<Dim>& node) noexcept {
    Point<Dim> position;
    for (std::size_t a = 0; a < Dim; ++a) {
        position[a] = std::bit_cast<float>(node[simd::Fields<Dim>::kPosition + a]);
    }
    return position;
}

/// The form of a row's table, which tells where the nodes of each cell begin.
struct TableForm {
    bool trimmed = false;
    simd::TrimmedTable trim{}; ///< used only when trimmed

    /// Chooses a table with an entry for each cell if that takes at most two words an agent; else a
    /// table over the used cells alone, with no more entries than agents. Either way memory grows
    /// with the agents, not with the world.
    [[nodiscard]] static TableForm of(std::uint32_t count, std::uint32_t first_cell,
                                      std::uint32_t last_cell, std::uint32_t cells) noexcept;

    [[nodiscard]] std::uint32_t words(std::uint32_t cells) const noexcept {
        return trimmed ? simd::trimmed_table_words<TableForm>(trim.entries)
                       : simd::full_table_words<TableForm>(cells);
    }

    /// An upper bound on the words of all tables together, for `agents` agents in at most `rows`
    /// rows.
    [[nodiscard]] static std::size_t most_words(std::size_t agents, std::size_t rows,
                                                std::uint32_t cells) noexcept;
};

/// The rows, their blocks, and marks of the rows that have agents. After an update all blocks lie
/// in one slab; a block that an edit had to enlarge lies on its own.
template <std::size_t Dim>
class RowStore {
public:
    using Row = simd::Row;
    using Fields = simd::Fields<Dim>;

    RowStore() = default;
    ~RowStore() { forget_all(); }
    RowStore(RowStore&& other) noexcept { *this = std::move(other); }
    RowStore& operator=(RowStore&& other) noexcept;

    /// Makes as many empty rows as `shape` has. Throws std::bad_alloc.
    RowStore(const GridShape<Dim>& shape, const CrowdKind<Dim>& kind);

    /// Empties the store and gives it the rows of another shape; keeps the memory. Throws
    /// std::bad_alloc, and then the store is empty and has its old shape.
    void lay(const GridShape<Dim>& shape, const CrowdKind<Dim>& kind);

    [[nodiscard]] const GridShape<Dim>& shape() const noexcept { return shape_; }
    [[nodiscard]] const CrowdKind<Dim>& kind() const noexcept { return kind_; }
    /// The groups that kernels are to compare: all of them where no masks are kept.
    [[nodiscard]] std::uint32_t groups_to_compare(std::uint32_t groups) const noexcept {
        return kind_.groups ? groups : kAllGroups;
    }
    [[nodiscard]] std::uint32_t fields() const noexcept { return fields_; }
    [[nodiscard]] const Vector<Row>& rows() const noexcept { return rows_; }
    [[nodiscard]] const HierarchicalBitset& occupied() const noexcept { return occupied_; }
    [[nodiscard]] const WordBuffer& slab() const noexcept { return slab_; }
    [[nodiscard]] const OccupancyTiles& tiles() const noexcept { return tiles_; }

    // For an update, which fills all rows anew.

    /// Empties all rows and takes a larger slab if `slab` is not empty.
    void restart(const CrowdKind<Dim>& kind, WordBuffer&& slab) noexcept;
    /// Moves all blocks of the slab to `slab`, which is larger. Rows and nodes stay as they are.
    void move_slab(WordBuffer&& slab) noexcept;
    /// Gives row `r` a block of `count` nodes at `words`, in the slab. The caller has yet to write
    /// the nodes and the starts of the table. Returns the number of words of the block. Rows may be
    /// placed concurrently; occupied() is not complete before all_placed().
    std::size_t place(std::uint32_t r, std::uint32_t* words, std::uint32_t count,
                      const TableForm& form) noexcept;
    void all_placed() noexcept { occupied_.summarise(); }
    /// place() for a row whose block in the slab is written already.
    void adopt(std::uint32_t r, const Row& row) noexcept {
        rows_[r] = row;
        occupied_.set_concurrently(r);
    }

    /// Makes room for tiles. Throws std::bad_alloc, and then nothing has changed.
    void reserve_tiles() { tiles_.reserve(rows_.size(), shape_.cells[0]); }
    /// The same, and touches all of that memory, unless tiles are there already.
    void touch_tiles() { tiles_.touch(rows_.size(), shape_.cells[0]); }
    /// Lays empty tiles, for which there must be room.
    void lay_tiles() noexcept { tiles_.lay(rows_.size(), shape_.cells[0]); }
    /// Marks in a tile which rows have agents, and where. Tiles may be filled concurrently.
    void fill_tile(std::size_t tile) noexcept;

    /// Writes a placed row's table from its nodes.
    void write_table(const Row& row) const noexcept;

    /// Spare slots keep every array of a block aligned to four words.
    [[nodiscard]] static std::size_t capacity_for(std::size_t count) noexcept {
        return (count + 3) & ~std::size_t{3};
    }

    // For edits, a row at a time.

    /// Adds a node to row `r`. Throws std::bad_alloc, and then nothing has changed.
    void insert(std::uint32_t r, const NodeWords<Dim>& node);
    /// Removes the node at `slot`.
    void erase(std::uint32_t r, std::uint32_t slot) noexcept;
    /// The slot of `id` in row `r`, which must have it.
    [[nodiscard]] std::uint32_t slot_of(std::uint32_t r, std::uint32_t id) const noexcept;
    /// Gives the node at `slot` a new position in the same row, and moves it to the slot where it
    /// then belongs. Throws std::bad_alloc, and then nothing has changed.
    void move_within(std::uint32_t r, std::uint32_t slot, const Point<Dim>& position);

    // For batches of edits.

    /// The first slot of `row`, which has agents, that does not come before (cell, id) in canonical
    /// order.
    [[nodiscard]] std::uint32_t slot_for(const Row& row, std::uint32_t cell,
                                         std::uint32_t id) const noexcept;
    /// Whether the table of `row`, which has agents, has an entry for `cell`.
    [[nodiscard]] bool covers(const Row& row, std::uint32_t cell) const noexcept;
    /// Allocates a block of its own, with room to grow, for `count` nodes in these cells. The
    /// caller has yet to write the nodes and the starts of the table, and owns the block's words,
    /// an Array. Throws std::bad_alloc.
    [[nodiscard]] Row allocate(std::uint32_t count, std::uint32_t first_cell,
                               std::uint32_t last_cell) const;
    /// Makes `row`, from allocate(), row number `r`; the store then owns its words.
    void replace(std::uint32_t r, const Row& row) noexcept;
    /// Empties row `r`, which has agents.
    void vacate(std::uint32_t r) noexcept;
    /// Marks that row `r` has an agent in a cell.
    void mark(std::uint32_t r, std::uint32_t cell) noexcept { tiles_.mark(r, cell); }
    /// Sets how many nodes row `r` has in its block, at least one. Rows may be set concurrently.
    void set_count(std::uint32_t r, std::uint32_t count) noexcept { rows_[r].count = count; }

    [[nodiscard]] NodeWords<Dim> node(const Row& row, std::uint32_t slot) const noexcept;
    [[nodiscard]] std::uint32_t cell_of(const Row& row, std::uint32_t slot) const noexcept;
    /// The slots begin ... end - 1. entry_span() gives those of the table entry that covers `cell`;
    /// if no entry does, none: both are the slot where nodes of `cell` would go.
    struct Span {
        std::uint32_t begin, end;
    };
    [[nodiscard]] Span entry_span(const Row& row, std::uint32_t cell) const noexcept;
    [[nodiscard]] const std::uint32_t* ids(const Row& row) const noexcept {
        return field(row, Fields::kId);
    }
    [[nodiscard]] static std::uint32_t capacity(const Row& row) noexcept {
        return row.capacity_and_form & ~Row::kTrimmed;
    }
    [[nodiscard]] static bool is_trimmed(const Row& row) noexcept {
        return (row.capacity_and_form & Row::kTrimmed) != 0;
    }
    [[nodiscard]] static TableForm form(const Row& row) noexcept;
    /// The array of a field.
    [[nodiscard]] std::uint32_t* field(const Row& row, std::size_t f) const noexcept {
        return row.words + form(row).words(shape_.cells[0]) + f * capacity(row);
    }

    /// Empties all rows; keeps the slab.
    void forget_all() noexcept;

    /// Bytes of all cell tables, and of all blocks outside the slab.
    [[nodiscard]] std::size_t table_bytes() const noexcept;
    [[nodiscard]] std::size_t spilled_bytes() const noexcept;

private:
    /// Adds `by` to the starts of all entries after that of `cell`.
    void shift_starts(const Row& row, std::uint32_t cell, std::uint32_t by) noexcept;
    /// Moves row `r` to a block with room to grow and a table made for its nodes and `node`.
    void rebuild_with(std::uint32_t r, std::uint32_t slot, const NodeWords<Dim>& node);
    void release(Row& row) noexcept;

    GridShape<Dim> shape_{};
    CrowdKind<Dim> kind_{};
    std::uint32_t fields_ = Fields::count(false, false);
    Vector<Row> rows_;
    HierarchicalBitset occupied_;
    OccupancyTiles tiles_; // empty if tiles do not pay
    WordBuffer slab_;
    std::size_t spilled_ = 0; // rows whose block is not in the slab
};

extern template class RowStore<2>;
extern template class RowStore<3>;

} // namespace throng
