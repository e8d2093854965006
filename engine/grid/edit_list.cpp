// Many changes to a row grid at once: each row that they touch is gone over once.
//
// The edits are reduced to one change for each agent, and the changes to what each row loses and
// gains. Rows are disjoint, so blocks of them are worked on concurrently. Until commit() only
// scratch memory is touched: a row that must grow is built in a new block, and changes that fit
// their row wait for commit(), where nothing can fail.
#include "row_grid.hpp"

#include "../core/profile_scope.hpp"
#include "edit_resolver.hpp"
#include "row_merge.hpp"
#include "state.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace throng {

namespace {

/// The number of touched rows in a block.
constexpr std::size_t kBlock = 8;

/// Up to this many agents are looked for one after another, and more are looked for all together.
/// In rows of 2,600, limits of 4 and of 40 are slower.
constexpr std::size_t kFew = 16;

/// Tells whether an id is looked for in a row: no for certain, or perhaps. It stays in the first
/// cache.
class IdFilter {
public:
    void add(Id id) noexcept { words_[bit_of(id) / 64] |= std::uint64_t{1} << bit_of(id) % 64; }
    [[nodiscard]] bool may_have(Id id) const noexcept {
        return (words_[bit_of(id) / 64] >> bit_of(id) % 64 & 1) != 0;
    }

private:
    static constexpr unsigned kBits = 13;
    [[nodiscard]] static std::uint32_t bit_of(Id id) noexcept {
        return (id * 0x9E37'79B9u) >> (32 - kBits);
    }
    std::array<std::uint64_t, (std::size_t{1} << kBits) / 64> words_{};
};

template <class Value>
void make_room(Vector<Value>& values, std::size_t size) {
    if (size > values.size()) { values.resize(size); }
}

/// One batch for one grid, step by step.
template <std::size_t Dim>
class EditBatch {
public:
    EditBatch(std::span<const Edit<Dim>> edits, RowStore<Dim>& store, RowOfId& row_of,
              std::size_t agents, Staging& staging) noexcept
        : edits_(edits), store_(store), row_of_(row_of), staging_(staging.edits),
          claims_(staging.claims), agents_(agents),
          resolver_(store, row_of, agents, staging.edits) {}
    EditBatch(const EditBatch&) = delete;
    EditBatch& operator=(const EditBatch&) = delete;
    /// Frees the blocks that were built in vain.
    ~EditBatch() { staging_.touched.clear(); }

    /// Does everything that can fail, in staging alone.
    Status prepare(Executor& executor) {
        Status status = resolver_.resolve(edits_);
        if (!status.ok()) { return status; }
        group();
        // An agent that changes rows brings its extent and mask from its old row, so all slots must
        // be found before any row is planned. Without extents and masks, a row is found and planned
        // at once, while it is in the cache.
        const bool alone = !store_.kind().own_half_extents && !store_.kind().groups;
        const auto find = [&](std::size_t t) {
            find_slots(t);
            if (alone) { plan_row(t); }
        };
        status = run_rows(executor, find);
        if (status.ok() && !alone) {
            status = run_rows(executor, [&](std::size_t t) { plan_row(t); });
        }
        if (!status.ok()) { return status; }
        if (gained_ids_ != 0) { row_of_.reserve(static_cast<Id>(gained_ids_ - 1)); }
        return {};
    }

    /// Cannot fail any more.
    void commit(Executor& executor) noexcept {
        if (gained_ids_ != 0) { row_of_.cover(static_cast<Id>(gained_ids_ - 1)); }
        const auto change = [&](std::size_t block) {
            each_row(block, [&](std::size_t t) { change_row(t); });
        };
        finish_blocks(executor, blocks(), change, claims_, cost());
        // What rows have in common is changed last, on one thread: their marks, and how many blocks
        // lie outside the slab.
        for (std::size_t t = 0; t < staging_.touched.size(); ++t) {
            TouchedRow& touched = staging_.touched[t];
            for (const AddedNode& node : added_of(t)) {
                store_.mark(touched.row, static_cast<std::uint32_t>(node.key >> 32));
            }
            if (touched.words != nullptr) {
                (void)touched.words.release();
                store_.replace(touched.row, touched.built);
            } else if (touched.count == 0) {
                store_.vacate(touched.row);
            }
        }
    }

    /// The number of agents in the grid after the batch.
    [[nodiscard]] std::size_t agents() const noexcept { return agents_; }

    /// The largest half extent that was inserted, even if it was erased again.
    [[nodiscard]] const Point<Dim>& max_half_extent() const noexcept {
        return resolver_.max_half_extent();
    }

private:
    /// Sorts the changes by the rows that they touch: count, then fill.
    void group() {
        const Vector<AgentChange>& changes = staging_.changes;
        staging_.rows.restart(std::min(store_.rows().size(), 2 * changes.size()));
        for (const AgentChange& change : changes) {
            if (change.from != kNoRow) { ++touch(change.from).removed_end; }
            if (change.to != kNoRow) {
                ++touch(change.to).added_end;
                gained_ids_ = std::max(gained_ids_, std::size_t{change.id} + 1);
            }
        }
        std::size_t removed = 0, added = 0;
        for (TouchedRow& touched : staging_.touched) {
            removed += std::exchange(touched.removed_end, removed);
            added += std::exchange(touched.added_end, added);
        }
        agents_ = agents_ - removed + added;
        make_room(staging_.removed, removed);
        make_room(staging_.slots, removed);
        make_room(staging_.added, added);
        make_room(staging_.kept, removed + added + staging_.touched.size());
        staging_.nodes.reserve(added * store_.fields());
        for (std::uint32_t n = 0; n < changes.size(); ++n) {
            const AgentChange& change = changes[n];
            if (change.from != kNoRow) { staging_.removed[touch(change.from).removed_end++] = n; }
            if (change.to != kNoRow) { staging_.added[touch(change.to).added_end++].change = n; }
        }
    }

    TouchedRow& touch(std::uint32_t row) {
        const std::uint32_t number = staging_.rows.number(row);
        if (number == staging_.touched.size()) { staging_.touched.emplace_back().row = row; }
        return staging_.touched[number];
    }

    /// A row is looked through and, where something is added or erased, copied.
    [[nodiscard]] LoopCost cost() const noexcept {
        const auto row = static_cast<double>(agents_) / static_cast<double>(store_.rows().size());
        return LoopCost::of(staging_.touched.size(), 200.0 + 2.0 * row);
    }

    [[nodiscard]] std::size_t blocks() const noexcept {
        return (staging_.touched.size() + kBlock - 1) / kBlock;
    }

    /// Calls visit(t) for the touched rows of a block.
    template <class Visit>
    void each_row(std::size_t block, const Visit& visit) {
        const std::size_t end = std::min((block + 1) * kBlock, staging_.touched.size());
        for (std::size_t t = block * kBlock; t < end; ++t) {
            visit(t);
        }
    }

    /// The same for all touched rows, on the executor.
    template <class Visit>
    Status run_rows(Executor& executor, const Visit& visit) {
        const auto body = [&](std::size_t block) { each_row(block, visit); };
        return run_blocks(executor, blocks(), body, claims_, cost());
    }

    /// Finds the slots of the agents that leave a row.
    void find_slots(std::size_t t) noexcept {
        const std::uint32_t r = staging_.touched[t].row;
        const std::span<const std::uint32_t> removed = removed_of(t);
        std::uint32_t* const slots = staging_.slots.data() + removed_begin(t);
        if (removed.size() <= kFew) {
            for (std::size_t i = 0; i < removed.size(); ++i) {
                AgentChange& change = staging_.changes[removed[i]];
                slots[i] = change.slot = store_.slot_of(r, change.id);
            }
            std::sort(slots, slots + removed.size());
            return;
        }
        IdFilter filter;
        for (const std::uint32_t n : removed) {
            filter.add(staging_.changes[n].id);
        }
        const std::uint32_t* const ids = store_.ids(store_.rows()[r]);
        std::size_t found = 0;
        for (std::uint32_t slot = 0; found < removed.size(); ++slot) {
            if (!filter.may_have(ids[slot])) { continue; }
            const std::uint32_t n = staging_.ids.find(ids[slot]);
            // An agent with a change leaves its slot in this row, if only for another one in the
            // same row.
            if (n == IndexMap::kNone) { continue; }
            slots[found++] = staging_.changes[n].slot = slot;
        }
    }

    /// Plans what a row will be, in a new block where the old one has no room.
    void plan_row(std::size_t t) {
        TouchedRow& touched = staging_.touched[t];
        const std::span<AddedNode> added(staging_.added.data() + added_begin(t),
                                         touched.added_end - added_begin(t));
        for (AddedNode& node : added) {
            const AgentChange& change = staging_.changes[node.change];
            const float x = edits_[change.placed].agent.position[0];
            node.key = std::uint64_t{store_.shape().cell_on(0, x)} << 32 | change.id;
        }
        std::sort(added.begin(), added.end(),
                  [](const AddedNode& a, const AddedNode& b) { return a.key < b.key; });
        std::uint32_t* words = staging_.nodes.data() + added_begin(t) * store_.fields();
        for (const AddedNode& node : added) {
            const NodeWords<Dim> node_words = words_after(staging_.changes[node.change]);
            words = std::copy_n(node_words.data(), store_.fields(), words);
        }
        touched.kept =
            lay_out(store_, touched.row, slots_of(t), added, staging_.kept.data() + kept_begin(t));
        const std::size_t before = store_.rows()[touched.row].count;
        touched.count = static_cast<std::uint32_t>(before - removed_of(t).size() + added.size());
        const RowMerge merge = merge_of(t);
        if (touched.count != 0 && !fits_in_place(store_, merge)) {
            touched.built = merge_aside(store_, merge);
            touched.words.reset(touched.built.words);
        }
    }

    /// The node that an agent will have in the end, made while all rows are as they were.
    [[nodiscard]] NodeWords<Dim> words_after(const AgentChange& change) const noexcept {
        const Agent<Dim>& placed = edits_[change.placed].agent;
        if (change.inserted != AgentChange::kNoEdit) {
            Agent<Dim> agent = edits_[change.inserted].agent;
            agent.position = placed.position;
            return node_words(change.id, agent, store_.kind());
        }
        const CrowdKind<Dim>& kind = store_.kind();
        NodeWords<Dim> words{};
        if (kind.own_half_extents || kind.groups) {
            words = store_.node(store_.rows()[change.from], change.slot);
        }
        for (std::size_t a = 0; a < Dim; ++a) {
            words[a] = std::bit_cast<std::uint32_t>(placed.position[a]);
        }
        words[simd::Fields<Dim>::kId] = change.id;
        return words;
    }

    void change_row(std::size_t t) noexcept {
        const TouchedRow& touched = staging_.touched[t];
        if (touched.count != 0 && touched.words == nullptr) { merge_in_place(store_, merge_of(t)); }
        // When an agent changes rows, the row that it comes to writes its entry.
        std::uint32_t* const row_of = row_of_.words.data();
        for (const std::uint32_t n : removed_of(t)) {
            const AgentChange& change = staging_.changes[n];
            if (change.to == kNoRow) { row_of[change.id] = kNoRow; }
        }
        for (const AddedNode& node : added_of(t)) {
            row_of[node.id()] = touched.row;
        }
    }

    [[nodiscard]] RowMerge merge_of(std::size_t t) const noexcept {
        const TouchedRow& touched = staging_.touched[t];
        return {touched.row,
                touched.count,
                slots_of(t),
                added_of(t),
                {staging_.kept.data() + kept_begin(t), touched.kept},
                staging_.nodes.data() + added_begin(t) * store_.fields()};
    }
    [[nodiscard]] std::span<const std::uint32_t> removed_of(std::size_t t) const noexcept {
        const std::size_t begin = removed_begin(t);
        return {staging_.removed.data() + begin, staging_.touched[t].removed_end - begin};
    }
    [[nodiscard]] std::span<const std::uint32_t> slots_of(std::size_t t) const noexcept {
        const std::size_t begin = removed_begin(t);
        return {staging_.slots.data() + begin, staging_.touched[t].removed_end - begin};
    }
    [[nodiscard]] std::span<const AddedNode> added_of(std::size_t t) const noexcept {
        const std::size_t begin = added_begin(t);
        return {staging_.added.data() + begin, staging_.touched[t].added_end - begin};
    }
    [[nodiscard]] std::size_t removed_begin(std::size_t t) const noexcept {
        return t == 0 ? 0 : staging_.touched[t - 1].removed_end;
    }
    [[nodiscard]] std::size_t added_begin(std::size_t t) const noexcept {
        return t == 0 ? 0 : staging_.touched[t - 1].added_end;
    }
    /// A row keeps at most one run more than it has agents that leave or come.
    [[nodiscard]] std::size_t kept_begin(std::size_t t) const noexcept {
        return removed_begin(t) + added_begin(t) + t;
    }

    const std::span<const Edit<Dim>> edits_;
    RowStore<Dim>& store_;
    RowOfId& row_of_;
    EditStaging& staging_;
    LoopClaims& claims_;
    std::size_t agents_;
    EditResolver<Dim> resolver_;
    std::size_t gained_ids_ = 0; // one more than the largest id that is there in the end
};

} // namespace

std::size_t EditStaging::bytes() const noexcept {
    return ids.memory() + rows.memory() + changes.capacity() * sizeof(AgentChange) +
           touched.capacity() * sizeof(TouchedRow) +
           (removed.capacity() + slots.capacity()) * sizeof(std::uint32_t) +
           added.capacity() * sizeof(AddedNode) + kept.capacity() * sizeof(KeptRun) + nodes.bytes();
}

template <std::size_t Dim>
Status RowGrid<Dim>::edit(std::span<const Edit<Dim>> edits, Executor& executor) {
    const ProfileScope profiled("RowGrid::edit");
    const typename State::Changing changing(*state_);
    State& state = *state_;
    EditBatch<Dim> batch(edits, state.store, state.row_of, state.count, state.staging);
    const Status status = batch.prepare(executor);
    if (!status.ok()) { return status; }
    const bool cut_anew = batch.agents() != 0 && state.slices.outgrown(batch.agents());
    if (cut_anew) { state.slices.reserve(batch.agents()); }
    batch.commit(executor);
    state.count = batch.agents();
    for (std::size_t a = 0; a < Dim; ++a) {
        state.max_half_extent[a] = std::max(state.max_half_extent[a], batch.max_half_extent()[a]);
    }
    for (const Edit<Dim>& edit : edits) {
        if (edit.kind != Edit<Dim>::Kind::erase) { state.cover(edit.agent.position); }
    }
    if (cut_anew) { state.slices.cut(state.store, state.count); }
    return {};
}

template Status RowGrid<2>::edit(std::span<const Edit<2>>, Executor&);
template Status RowGrid<3>::edit(std::span<const Edit<3>>, Executor&);

} // namespace throng
