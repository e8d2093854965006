// Many edits at once, by an update of all agents.
#include "edits_by_update.hpp"

#include "../../../simd/isa/isa.hpp"
#include "../../memory/atomic_of.hpp"
#include "../rows/storage_range.hpp"
#include "edit_resolver.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <new>

namespace throng {

namespace {

// Nanoseconds, good enough to choose the faster way: for an edit in its row; and for a list by an
// update, for each agent, for each row that may have agents, for each row, and for each list.
constexpr double kEditInRow = 100.0;
constexpr double kAgent = 10.0, kUsedRow = 80.0, kAnyRow = 0.15, kList = 3000.0;

/// So many ids may lack agents, however few agents there are.
constexpr std::size_t kFewIds = std::size_t{1} << 16;

/// Nanoseconds for an agent that is copied to the arrays, and for one that is moved there.
constexpr double kCopy = 2.0, kMove = 4.0;

/// Edits in a block.
constexpr std::size_t kBlock = 1024;

/// What a list by an update costs, with so many rows and elements in each array.
double cost_by_update(std::size_t rows, std::size_t elements) noexcept {
    return kAgent * static_cast<double>(elements) +
           kUsedRow * static_cast<double>(std::min(rows, elements)) +
           kAnyRow * static_cast<double>(rows) + kList;
}

} // namespace

template <std::size_t Dim>
std::size_t EditsByUpdate<Dim>::ids_if_possible(const State& state,
                                                const GridEdits<Dim>& edits) noexcept {
    const std::size_t most = state.count + edits.size();
    if (!state.configured() || active_isa() == Isa::none || most > kMaxAgentsInRow) { return 0; }
    std::size_t ids = state.row_of.ids;
    (void)edits.for_each([&](std::size_t, const Edit<Dim>& edit) {
        if (edit.kind == Edit<Dim>::Kind::insert) { ids = std::max(ids, std::size_t{edit.id} + 1); }
        return Status{};
    });
    return ids <= 2 * most + kFewIds ? ids : 0;
}

template <std::size_t Dim>
std::size_t EditsByUpdate<Dim>::ids_if_faster(const State& state,
                                              const GridEdits<Dim>& edits) noexcept {
    const double in_rows = kEditInRow * static_cast<double>(edits.size());
    const std::size_t rows = state.store.rows().size();
    const std::size_t most = state.count + edits.size();
    // First without a look at the edits: most lists are short.
    if (in_rows <= cost_by_update(rows, most)) { return 0; }
    // Ids without agents cost as much as agents.
    const std::size_t ids = ids_if_possible(state, edits);
    return in_rows > cost_by_update(rows, std::max(most, ids)) ? ids : 0;
}

template <std::size_t Dim>
EditsByUpdate<Dim>::EditsByUpdate(State& state, const GridEdits<Dim>& edits, std::size_t threads,
                                  std::size_t ids) noexcept
    : changing_(std::in_place, state), state_(state), edits_(edits), threads_(threads),
      staging_(state.staging.edits), ids_(ids) {}

template <std::size_t Dim>
Status EditsByUpdate<Dim>::next(Loop& loop) {
    loop = {};
    if (step_ == Step::none) {
        try {
            allocate();
        } catch (const std::bad_alloc&) {
            staging_ = {}; // as an update does
            throw;
        }
        step_ = Step::copy;
        loop = {state_.slices.count(), LoopCost::of(state_.count, kCopy)};
        if (loop.blocks != 0) { return {}; }
    }
    const std::size_t blocks = (edits_.all.size() + kBlock - 1) / kBlock;
    const LoopCost cost = LoopCost::of(edits_.size(), kMove);
    const bool in_blocks = threads_ == 0 ? blocks > 1 : threads_ > 1 && cost.threads_worth() > 1;
    if (step_ == Step::copy && in_blocks) {
        needs_order_ = false;
        step_ = Step::move;
        loop = {blocks, cost};
        return {};
    }
    if (step_ == Step::move && !needs_order_) {
        step_ = Step::look;
        loop = {blocks, cost};
        return {};
    }
    if (step_ != Step::update) {
        if (needs_order_) {
            if (const Status status = make_edits(); !status.ok()) { return status; }
        }
        skip_missing();
        changing_.reset();
        update_.emplace(state_, agents(), SkippedIds{staging_.missing}, threads_);
        step_ = Step::update;
    }
    return update_->next(loop);
}

template <std::size_t Dim>
void EditsByUpdate<Dim>::run(std::size_t block) noexcept {
    switch (step_) {
    case Step::none:
        return;
    case Step::copy:
        return copy_slice(block);
    case Step::move:
        return move_block(block);
    case Step::look:
        return look_at_block(block);
    case Step::update:
        return update_->run(block);
    }
}

template <std::size_t Dim>
void EditsByUpdate<Dim>::allocate() {
    staging_.arrays.reserve(length_of(std::uint64_t{ids_} * state_.store.fields()));
    const std::uint32_t* const row_of = state_.row_of.words.data();
    const std::size_t known = std::min(ids_, std::size_t{state_.row_of.ids});
    staging_.is_there.assign(ids_, 0);
    // A local pointer: a byte may be any object, also the vector's own pointer.
    std::uint8_t* const is_there = staging_.is_there.data();
    for (std::size_t id = 0; id < known; ++id) {
        is_there[id] = row_of[id] != kNoRow;
    }
}

template <std::size_t Dim>
void EditsByUpdate<Dim>::copy_slice(std::size_t slice) noexcept {
    const RowStore<Dim>& store = state_.store;
    const StorageRange<Dim> range(state_.slices, slice, slice + 1);
    range.for_each_row(store, [&](std::uint32_t r, std::uint32_t first, std::uint32_t past) {
        const std::uint32_t* const ids = store.ids(store.rows()[r]);
        for (std::size_t f = 0; f < store.fields(); ++f) {
            if (f == Fields::kId) { continue; }
            const std::uint32_t* const from = store.field(store.rows()[r], f);
            std::uint32_t* const to = array(f);
            for (std::uint32_t slot = first; slot < past; ++slot) {
                to[ids[slot]] = from[slot];
            }
        }
    });
}

/// Makes moves while other blocks make theirs, perhaps of the same agents.
template <std::size_t Dim>
void EditsByUpdate<Dim>::move_block(std::size_t block) noexcept {
    const std::size_t end = std::min((block + 1) * kBlock, edits_.all.size());
    (void)edits_.for_each(block * kBlock, end, [&](std::size_t, const Edit<Dim>& edit) {
        const bool is_there = edit.id < ids_ && staging_.is_there[edit.id] != 0;
        if (edit.kind != Edit<Dim>::Kind::move ||
            !check_edit(edit, state_.store.kind(), is_there).ok()) {
            needs_order_.store(true, std::memory_order_relaxed);
            return Status{Cause::id_unknown}; // ends the block
        }
        for (std::size_t a = 0; a < Dim; ++a) {
            const auto word = std::bit_cast<std::uint32_t>(edit.agent.position[a]);
            atomic_of(array(Fields::kPosition + a)[edit.id]).store(word, std::memory_order_relaxed);
        }
        return Status{};
    });
}

/// Of moves of one agent to several places at least one is not found where it sent the agent.
template <std::size_t Dim>
void EditsByUpdate<Dim>::look_at_block(std::size_t block) noexcept {
    const std::size_t end = std::min((block + 1) * kBlock, edits_.all.size());
    bool all_there = true;
    (void)edits_.for_each(block * kBlock, end, [&](std::size_t, const Edit<Dim>& edit) {
        for (std::size_t a = 0; a < Dim; ++a) {
            const std::uint32_t word = array(Fields::kPosition + a)[edit.id];
            all_there &= word == std::bit_cast<std::uint32_t>(edit.agent.position[a]);
        }
        return Status{};
    });
    if (!all_there) { needs_order_.store(true, std::memory_order_relaxed); }
}

/// Makes the edits in the arrays, one after another; the status names the first that is refused.
template <std::size_t Dim>
Status EditsByUpdate<Dim>::make_edits() noexcept {
    const CrowdKind<Dim>& kind = state_.store.kind();
    return edits_.for_each([&](std::size_t i, const Edit<Dim>& edit) -> Status {
        const bool is_there = edit.id < ids_ && staging_.is_there[edit.id] != 0;
        const Status status = check_edit(edit, kind, is_there);
        if (!status.ok()) { return {status.cause, Argument::edits, i}; }
        staging_.is_there[edit.id] = edit.kind != Edit<Dim>::Kind::erase;
        if (edit.kind == Edit<Dim>::Kind::insert) {
            const NodeWords<Dim> words = node_words(edit.id, edit.agent, kind);
            for (std::size_t f = 0; f < state_.store.fields(); ++f) {
                array(f)[edit.id] = words[f];
            }
        } else if (edit.kind == Edit<Dim>::Kind::move) {
            for (std::size_t a = 0; a < Dim; ++a) {
                array(Fields::kPosition + a)[edit.id] =
                    std::bit_cast<std::uint32_t>(edit.agent.position[a]);
            }
        }
        return {};
    });
}

/// Lists the ids that no agent has; an update may read their positions.
template <std::size_t Dim>
void EditsByUpdate<Dim>::skip_missing() {
    staging_.missing.clear();
    const auto begin = staging_.is_there.begin(), end = staging_.is_there.end();
    for (auto at = std::find(begin, end, 0); at != end; at = std::find(at + 1, end, 0)) {
        const auto id = static_cast<std::size_t>(at - begin);
        staging_.missing.push_back(static_cast<Id>(id));
        for (std::size_t a = 0; a < Dim; ++a) {
            array(Fields::kPosition + a)[id] = 0;
        }
    }
}

template <std::size_t Dim>
Agents<Dim> EditsByUpdate<Dim>::agents() const noexcept {
    const CrowdKind<Dim>& kind = state_.store.kind();
    const auto axes = [&](std::size_t first) {
        std::array<const float*, Dim> axis;
        for (std::size_t a = 0; a < Dim; ++a) {
            axis[a] = reinterpret_cast<const float*>(array(first + a));
        }
        return PointView<Dim>::separate(axis, ids_);
    };
    Agents<Dim> agents;
    agents.positions = axes(Fields::kPosition);
    agents.common_half_extent = kind.common_half_extent;
    if (kind.own_half_extents) { agents.half_extents = axes(Fields::kHalfExtent); }
    if (kind.groups) {
        agents.groups = {array(Fields::groups(kind.own_half_extents)), sizeof(std::uint32_t), ids_};
    }
    return agents;
}

template class EditsByUpdate<2>;
template class EditsByUpdate<3>;

} // namespace throng
