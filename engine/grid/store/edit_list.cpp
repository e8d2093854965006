// Many changes to a row grid at once: the steps of a list of edits, and what runs them.
#include "edit_list.hpp"

#include "../../core/profile_scope.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace throng {

namespace {

/// The number of touched rows in a block.
constexpr std::size_t kRowsInBlock = 8;

/// Up to this many agents of a row are searched for one after another; more are searched for in one
/// pass. In rows of 2,600 agents, limits of 4 and of 40 are slower.
constexpr std::size_t kFew = 16;

/// Tells whether an id is searched for in a row: surely not, or perhaps. Small enough to stay in
/// the first-level cache.
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

} // namespace

template <std::size_t Dim>
EditList<Dim>::EditList(State& state, const GridEdits<Dim>& edits, std::size_t threads,
                        std::size_t ids) noexcept
    : state_(state), edits_(edits), store_(state.store), row_of_(state.row_of),
      staging_(state.staging.edits), agents_(state.count),
      resolver_(store_, row_of_, agents_, staging_) {
    if (ids != 0) {
        many_.emplace(state, edits, threads, ids);
    } else {
        changing_.emplace(state);
    }
}

template <std::size_t Dim>
EditList<Dim>::~EditList() {
    staging_.touched.clear();
}

template <std::size_t Dim>
Status EditList<Dim>::next(Loop& loop) {
    if (many_) { return many_->next(loop); }
    loop = {};
    while (step_ != Step::done && loop.blocks == 0) {
        if (const Status status = advance(loop); !status.ok()) { return status; }
    }
    return {};
}

template <std::size_t Dim>
Status EditList<Dim>::advance(Loop& loop) {
    const auto begin = [&](Step step) {
        // The cost of a row: it is searched and, if agents are added or erased, copied.
        // There may be no rows.
        const std::size_t rows = std::max<std::size_t>(store_.rows().size(), 1);
        const auto row = static_cast<double>(agents_) / static_cast<double>(rows);
        step_ = step;
        loop = {(staging_.touched.size() + kRowsInBlock - 1) / kRowsInBlock,
                LoopCost::of(staging_.touched.size(), 200.0 + 2.0 * row), step == Step::change};
        return Status{};
    };
    // An agent that changes rows brings its extent and mask from its old row, so all slots must be
    // found before any row is planned. Without extents and masks, the slots of a row are found and
    // the row is planned at once, while it is in the cache.
    const bool alone = !store_.kind().own_half_extents && !store_.kind().groups;
    switch (step_) {
    case Step::none:
        if (const Status status = resolver_.resolve(edits_); !status.ok()) { return status; }
        group();
        return begin(alone ? Step::find_and_plan : Step::find);
    case Step::find:
        return begin(Step::plan);
    case Step::plan:
    case Step::find_and_plan:
        if (gained_ids_ != 0) { row_of_.reserve(static_cast<Id>(gained_ids_ - 1)); }
        cut_anew_ = agents_ != 0 && state_.slices.outgrown(agents_);
        if (cut_anew_) { state_.slices.reserve(agents_); }
        if (gained_ids_ != 0) { row_of_.cover(static_cast<Id>(gained_ids_ - 1)); }
        return begin(Step::change);
    case Step::change:
        change_marks();
        finish();
        step_ = Step::done;
        return {};
    case Step::done:
        break;
    }
    return {};
}

template <std::size_t Dim>
void EditList<Dim>::run(std::size_t block) {
    if (many_) { return many_->run(block); }
    const std::size_t end = std::min((block + 1) * kRowsInBlock, staging_.touched.size());
    for (std::size_t t = block * kRowsInBlock; t < end; ++t) {
        if (step_ == Step::change) {
            change_row(t);
            continue;
        }
        if (step_ != Step::plan) { find_slots(t); }
        if (step_ != Step::find) { plan_row(t); }
    }
}

/// Sorts the changes by the rows that they touch: count, then fill.
template <std::size_t Dim>
void EditList<Dim>::group() {
    Vector<AgentChange>& changes = staging_.changes;
    staging_.rows.restart(std::min(store_.rows().size(), 2 * changes.size()));
    for (AgentChange& change : changes) {
        if (change.from != kNoRow) {
            change.left = touch(change.from);
            ++staging_.touched[change.left].removed_end;
        }
        if (change.to != kNoRow) {
            change.entered = change.to == change.from ? change.left : touch(change.to);
            ++staging_.touched[change.entered].added_end;
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
        if (change.from != kNoRow) {
            staging_.removed[staging_.touched[change.left].removed_end++] = n;
        }
        if (change.to != kNoRow) {
            staging_.added[staging_.touched[change.entered].added_end++].change = n;
        }
    }
}

template <std::size_t Dim>
std::uint32_t EditList<Dim>::touch(std::uint32_t row) {
    const std::uint32_t number = staging_.rows.number(row);
    if (number == staging_.touched.size()) { staging_.touched.emplace_back().row = row; }
    return number;
}

/// Finds the slots of the agents that change, and who of them stays there: an agent's cell and id
/// give its place in the row, so most moves, which are short, change nothing but positions.
template <std::size_t Dim>
void EditList<Dim>::find_slots(std::size_t t) noexcept {
    TouchedRow& touched = staging_.touched[t];
    const simd::Row& row = store_.rows()[touched.row];
    const std::span<std::uint32_t> changed = changed_of(t);
    std::uint32_t* const slots = staging_.slots.data() + removed_begin(t);
    touched.leaving = 0;
    const auto found = [&](AgentChange& change, std::uint32_t slot) {
        change.slot = slot;
        change.stays = change.to == change.from && change.inserted == AgentChange::kNoEdit &&
                       store_.cell_of(row, slot) == cell_after(change);
        if (!change.stays) { slots[touched.leaving++] = slot; }
    };
    if (changed.size() <= kFew) {
        for (const std::uint32_t n : changed) {
            AgentChange& change = staging_.changes[n];
            found(change, store_.slot_of(touched.row, change.id));
        }
        std::sort(slots, slots + touched.leaving);
    } else {
        IdFilter filter;
        for (const std::uint32_t n : changed) {
            filter.add(staging_.changes[n].id);
        }
        const std::uint32_t* const ids = store_.ids(row);
        std::size_t left = changed.size();
        for (std::uint32_t slot = 0; left != 0; ++slot) {
            if (!filter.may_have(ids[slot])) { continue; }
            const std::uint32_t n = staging_.ids.find(ids[slot]);
            if (n == IndexMap::kNone) { continue; }
            found(staging_.changes[n], slot);
            --left;
        }
    }
    std::partition(changed.begin(), changed.end(),
                   [&](std::uint32_t n) { return !staging_.changes[n].stays; });
}

/// Plans what a row becomes, and builds it in a new block if its old block has no room.
template <std::size_t Dim>
void EditList<Dim>::plan_row(std::size_t t) {
    TouchedRow& touched = staging_.touched[t];
    touched.coming = touched.added_end - added_begin(t);
    const std::span<AddedNode> added = added_of(t);
    touched.count = static_cast<std::uint32_t>(store_.rows()[touched.row].count -
                                               changed_of(t).size() + added.size());
    const auto stay = std::partition(added.begin(), added.end(), [&](const AddedNode& node) {
        return !staging_.changes[node.change].stays;
    });
    touched.coming = static_cast<std::size_t>(stay - added.begin());
    plan_merge(t);
    if (touched.count != 0 && !fits_in_place(store_, merge_of(t))) {
        let_nobody_stay(t);
        plan_merge(t);
        touched.built = merge_aside(store_, merge_of(t));
        touched.words.reset(touched.built.words);
    }
}

template <std::size_t Dim>
void EditList<Dim>::plan_merge(std::size_t t) noexcept {
    TouchedRow& touched = staging_.touched[t];
    const std::span<AddedNode> added = added_of(t);
    for (AddedNode& node : added) {
        const AgentChange& change = staging_.changes[node.change];
        node.key = std::uint64_t{cell_after(change)} << 32 | change.id;
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
}

/// For a row in a new block: its old block, which still answers, has the old positions.
template <std::size_t Dim>
void EditList<Dim>::let_nobody_stay(std::size_t t) noexcept {
    TouchedRow& touched = staging_.touched[t];
    touched.leaving = changed_of(t).size();
    touched.coming = touched.added_end - added_begin(t);
    std::uint32_t* slot = staging_.slots.data() + removed_begin(t);
    for (const std::uint32_t n : changed_of(t)) {
        *slot++ = staging_.changes[n].slot;
    }
    std::sort(slot - touched.leaving, slot);
}

/// The node of an agent after all edits, made while the rows are still unchanged.
template <std::size_t Dim>
NodeWords<Dim> EditList<Dim>::words_after(const AgentChange& change) const noexcept {
    const Agent<Dim>& placed = edits_.all[change.placed].agent;
    if (change.inserted != AgentChange::kNoEdit) {
        Agent<Dim> agent = edits_.all[change.inserted].agent;
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

template <std::size_t Dim>
void EditList<Dim>::change_row(std::size_t t) noexcept {
    const TouchedRow& touched = staging_.touched[t];
    const simd::Row& row = store_.rows()[touched.row];
    for (const std::uint32_t n : changed_of(t).subspan(touched.leaving)) {
        const AgentChange& change = staging_.changes[n];
        const Point<Dim>& position = edits_.all[change.placed].agent.position;
        for (std::size_t a = 0; a < Dim; ++a) {
            store_.field(row, a)[change.slot] = std::bit_cast<std::uint32_t>(position[a]);
        }
    }
    const bool merges = touched.leaving + touched.coming != 0;
    if (merges && touched.count != 0 && touched.words == nullptr) {
        merge_in_place(store_, merge_of(t));
    }
    // If an agent changes rows, the change of its new row sets row_of.
    std::uint32_t* const row_of = row_of_.words.data();
    for (const std::uint32_t n : removed_of(t)) {
        const AgentChange& change = staging_.changes[n];
        if (change.to == kNoRow) { row_of[change.id] = kNoRow; }
    }
    for (const AddedNode& node : added_of(t)) {
        row_of[node.id()] = touched.row;
    }
}

/// Changes what all rows share, last and on one thread: the marks, and the number of blocks outside
/// the slab.
template <std::size_t Dim>
void EditList<Dim>::change_marks() noexcept {
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

template <std::size_t Dim>
void EditList<Dim>::finish() noexcept {
    state_.count = agents_;
    for (std::size_t a = 0; a < Dim; ++a) {
        // Includes agents that a later edit erased again.
        state_.max_half_extent[a] =
            std::max(state_.max_half_extent[a], resolver_.max_half_extent()[a]);
    }
    State::widen(state_.bounds, resolver_.places());
    if (cut_anew_) { state_.slices.cut(state_.store, state_.count); }
}

std::size_t EditStaging::bytes() const noexcept {
    return ids.memory() + rows.memory() + changes.capacity() * sizeof(AgentChange) +
           touched.capacity() * sizeof(TouchedRow) +
           (removed.capacity() + slots.capacity()) * sizeof(std::uint32_t) +
           added.capacity() * sizeof(AddedNode) + kept.capacity() * sizeof(KeptRun) +
           nodes.bytes() + arrays.bytes() + is_there.capacity() + missing.capacity() * sizeof(Id);
}

template <std::size_t Dim>
Status RowGrid<Dim>::edit(std::span<const Edit<Dim>> edits, Executor& executor) {
    const ProfileScope profiled("RowGrid::edit");
    EditList<Dim> list(*state_, {edits}, executor.threads());
    return run_sequence(list, state_->staging.claims, executor);
}

template class EditList<2>;
template class EditList<3>;
template Status RowGrid<2>::edit(std::span<const Edit<2>>, Executor&);
template Status RowGrid<3>::edit(std::span<const Edit<3>>, Executor&);

} // namespace throng
