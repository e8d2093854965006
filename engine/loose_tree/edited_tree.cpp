#include "edited_tree.hpp"

#include "../agents/validation.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

namespace throng {

template <std::size_t Dim>
void EditedTree<Dim>::restart(const CrowdKind<Dim>& kind) noexcept {
    forget_pages();
    store_.kind = kind;
    store_.max_half_extent = kind.common_half_extent;
    store_.disc = {};
    store_.leaf_edge = 0.0f;
    store_.curve = store_.no_curve();
    size_ = 0;
    listed_ = true;
    bound_ = 0;
    view_ = store_.view();
}

/// Forgets all pages, and keeps the memory.
template <std::size_t Dim>
void EditedTree<Dim>::forget_pages() noexcept {
    store_.layout = {};
    store_.begun = store_.used = 0;
    store_.free = simd::kNoPage;
    newcomers_ = strays_ = 0;
}

template <std::size_t Dim>
Status EditedTree<Dim>::update(const Agents<Dim>& agents, Executor& executor,
                               const Progress& progress) {
    if (progress) {
        TreeStore<Dim> packed;
        TreePacking<Dim> packing(agents, kind_of(agents), nullptr, packed, staging_);
        const Status status = packing.pack(executor, progress);
        if (!status.ok()) { return status; }
        std::swap(store_, packed);
    } else {
        // Even a packing that fails may have moved the existing pages in memory, so the view is
        // made anew in either case.
        const Renewal renewal(*this);
        TreePacking<Dim> packing(agents, kind_of(agents), nullptr, store_, staging_);
        if (const Status status = packing.prepare(executor); !status.ok()) { return status; }
        packing.commit(executor);
    }
    size_ = agents.positions.count;
    listed_ = false;
    bound_ = 0;
    newcomers_ = strays_ = 0;
    view_ = store_.view();
    return {};
}

template <std::size_t Dim>
void EditedTree<Dim>::list_slots() noexcept {
    std::fill_n(slots_.data(), bound_, kNoSlot);
    store_.for_each_slot([&](std::uint32_t slot) { slots_.data()[store_.id(slot)] = slot; });
}

/// Makes room for all ids in the tree and for those below `bound`. Throws std::bad_alloc, and then
/// nothing has changed.
template <std::size_t Dim>
void EditedTree<Dim>::reserve_ids(std::size_t bound) {
    bound = std::max(bound, listed_ ? bound_ : size_);
    if (bound <= slots_.size()) { return; }
    if (!listed_) { return slots_.reserve(bound); }
    WordBuffer larger(std::max(bound, bound_ + bound_ / 2));
    std::copy_n(slots_.data(), bound_, larger.data());
    slots_ = std::move(larger);
}

/// Makes the table of ids, if there is none yet, and extends it to the ids below `bound`; there
/// must be room.
template <std::size_t Dim>
void EditedTree<Dim>::list_ids(std::size_t bound) noexcept {
    if (!listed_) {
        bound_ = size_;
        list_slots();
        listed_ = true;
    }
    if (bound <= bound_) { return; }
    std::fill(slots_.data() + bound_, slots_.data() + bound, kNoSlot);
    bound_ = bound;
}

/// Packs all agents anew, from their order in the tree.
template <std::size_t Dim>
void EditedTree<Dim>::pack_anew() {
    const std::size_t fields = store_.fields();
    gathered_.reserve(fields * size_);
    std::size_t i = 0;
    store_.for_each_slot([&](std::uint32_t slot) {
        for (std::uint32_t f = 0; f < fields; ++f) {
            gathered_.data()[f * size_ + i] = *store_.word(slot, f);
        }
        ++i;
    });
    const auto field = [&](std::uint32_t f) { return gathered_.data() + f * size_; };
    const auto points = [&](std::uint32_t first) {
        std::array<const float*, Dim> axes;
        for (std::uint32_t a = 0; a < Dim; ++a) {
            axes[a] = reinterpret_cast<const float*>(field(first + a));
        }
        return PointView<Dim>::separate(axes, size_);
    };
    using Fields = simd::Fields<Dim>;
    Agents<Dim> agents;
    agents.positions = points(Fields::kPosition);
    agents.common_half_extent = store_.kind.common_half_extent;
    if (store_.kind.own_half_extents) { agents.half_extents = points(Fields::kHalfExtent); }
    if (store_.kind.groups) {
        agents.groups = {field(Fields::groups(store_.kind.own_half_extents)), sizeof(std::uint32_t),
                         size_};
    }
    TreePacking<Dim> packing(agents, store_.kind, field(Fields::kId), store_, staging_);
    // The agents were checked when they came, and the serial executor runs every block.
    if (!packing.prepare(serial_executor()).ok()) { throw std::bad_alloc(); }
    packing.commit(serial_executor());
    newcomers_ = strays_ = 0;
    list_slots();
}

/// Whether all agents are to be packed anew before the next one comes, because many have come since
/// the last packing, or lie outside the curve.
template <std::size_t Dim>
bool EditedTree<Dim>::is_due() const noexcept {
    constexpr std::size_t kFew = 256;
    return newcomers_ >= std::max(kFew, size_) || strays_ >= std::max(kFew, size_ / 8);
}

/// Makes sure that an agent can be added without asking for memory. False if there can be no more
/// pages. Throws std::bad_alloc, and then nothing has changed.
template <std::size_t Dim>
bool EditedTree<Dim>::reserve_pages() {
    const Renewal renewal(*this);
    // One page and one place more than there are now, or than pack_anew() will make.
    const std::size_t packed = is_due() ? TreeLayout::pages_for(size_) + 1 : 0;
    const std::size_t begun = store_.begun + std::size_t{store_.free == simd::kNoPage ? 1u : 0u};
    const std::size_t used = std::max(store_.used + std::size_t{1}, packed);
    if (std::max(begun, used) > TreeLayout::kMostPages) { return false; }
    // Room for half as many more, so that not every new page moves all others in memory.
    const std::size_t room = std::max(begun, packed);
    store_.reserve_pages(room <= store_.page_room() ? room : room + room / 2, store_.leaf_words());
    store_.reserve_nodes(TreeLayout::roomy(used));
    page_scratch_.reserve(store_, std::size_t{PageRun::kShared} * TreeLayout::kPageSlots);
    return true;
}

/// Packs all agents anew if that is due. The table of ids must have been made.
template <std::size_t Dim>
void EditedTree<Dim>::pack_if_due() noexcept {
    if (!is_due()) { return; }
    const Renewal renewal(*this);
    try {
        pack_anew();
    } catch (const std::bad_alloc&) {
        // Without memory for a packing, questions take longer, but all else works.
        newcomers_ = strays_ = 0;
    }
}

template <std::size_t Dim>
Status EditedTree<Dim>::prepare_edit(std::uint32_t id) {
    reserve_ids(std::size_t{id} + 1);
    return reserve_pages() ? Status{} : Status{Cause::too_many, Argument::id, id};
}

template <std::size_t Dim>
Status EditedTree<Dim>::insert(std::uint32_t id, const Agent<Dim>& agent) {
    if (const Status status = check_agent(agent, store_.kind); !status.ok()) { return status; }
    if (id >= kMaxAgents) { return {Cause::too_many, Argument::id, id}; }
    if (contains(id)) { return {Cause::id_taken, Argument::id, id}; }
    if (const Status status = prepare_edit(id); !status.ok()) { return status; }
    list_ids(std::size_t{id} + 1);
    pack_if_due();
    add({id, agent.position, agent.half_extent.value_or(store_.kind.common_half_extent),
         agent.groups.value_or(kAllGroups)});
    ++size_;
    view_ = store_.view();
    return {};
}

template <std::size_t Dim>
Status EditedTree<Dim>::erase(std::uint32_t id) {
    if (!contains(id)) { return {Cause::id_unknown, Argument::id, id}; }
    reserve_ids(0);
    list_ids(0);
    take_out(slot_of(id));
    slots_.data()[id] = kNoSlot;
    if (--size_ == 0) { forget_pages(); }
    view_ = store_.view();
    return {};
}

template <std::size_t Dim>
Status EditedTree<Dim>::move(std::uint32_t id, const Point<Dim>& position) {
    if (!contains(id)) { return {Cause::id_unknown, Argument::id, id}; }
    if (const Status status = check_point(position, Argument::positions); !status.ok()) {
        return status;
    }
    if (const Status status = prepare_edit(id); !status.ok()) { return status; }
    list_ids(0);
    pack_if_due();
    const std::uint32_t slot = slot_of(id);
    const Newcomer agent = {id, position, store_.half_extent(slot), store_.groups(slot)};
    const std::uint32_t leaf = slot / TreeLayout::kWidth;
    const std::uint32_t page = leaf / TreeLayout::kWidth;
    const Box<Dim> cover = store_.cover(store_.page_node(page), leaf % TreeLayout::kWidth);
    const Box<Dim> box = store_.covered(position, agent.half_extent);
    bool inside = true;
    for (std::size_t a = 0; a < Dim; ++a) {
        inside = inside && cover.lo[a] <= box.lo[a] && box.hi[a] <= cover.hi[a];
    }
    if (inside) {
        store_.put_position(slot, position);
        simd::cover_leaves(view_, leaf, leaf + 1, store_.page_node(0));
        cover_above(store_.place_of.data()[page]);
    } else {
        take_out(slot);
        add(agent);
    }
    view_ = store_.view();
    return {};
}

template <std::size_t Dim>
void EditedTree<Dim>::copy(const EditedTree& other) {
    WordBuffer slots = other.slots_.copy();
    store_ = other.store_.copy();
    slots_ = std::move(slots);
    size_ = other.size_;
    listed_ = other.listed_;
    bound_ = other.bound_;
    newcomers_ = other.newcomers_;
    strays_ = other.strays_;
    view_ = store_.view();
}

template <std::size_t Dim>
std::size_t EditedTree<Dim>::staging_bytes() const noexcept {
    return staging_.bytes() + gathered_.bytes() + page_scratch_.bytes();
}

template <std::size_t Dim>
void EditedTree<Dim>::release_staging() noexcept {
    staging_ = {};
    gathered_ = {};
    page_scratch_ = {};
}

template class EditedTree<2>;
template class EditedTree<3>;

} // namespace throng
