#include "edited_tree.hpp"

#include "../agents/validation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <utility>

namespace throng {

template <std::size_t Dim>
void EditedTree<Dim>::restart(const CrowdKind<Dim>& kind) noexcept {
    store_.kind = kind;
    // The memory at hand may be too little for agents of another kind, so the first insert() asks
    // for it anew.
    store_.layout = {};
    store_.waiting = store_.dead = 0;
    store_.max_half_extent = kind.common_half_extent;
    store_.disc = {};
    store_.leaf_edge = 0.0f;
    size_ = 0;
    listed_ = true;
    bound_ = 0;
    view_ = store_.view();
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
        TreePacking<Dim> packing(agents, kind_of(agents), nullptr, store_, staging_);
        if (const Status status = packing.prepare(executor); !status.ok()) { return status; }
        packing.commit(executor);
    }
    size_ = agents.positions.count;
    listed_ = false;
    bound_ = 0;
    view_ = store_.view();
    return {};
}

/// Makes the table of ids, if there is none yet.
template <std::size_t Dim>
void EditedTree<Dim>::list_ids() {
    if (listed_) { return; }
    slots_.reserve(size_);
    bound_ = size_;
    list_slots();
    listed_ = true;
}

template <std::size_t Dim>
void EditedTree<Dim>::list_slots() noexcept {
    std::fill_n(slots_.data(), bound_, kNoSlot);
    store_.for_each_slot([&](std::uint32_t slot) {
        const std::uint32_t id = store_.id(slot);
        if (id != kNoId) { slots_.data()[id] = slot; }
    });
}

/// Makes room for an id in the table.
template <std::size_t Dim>
void EditedTree<Dim>::make_room(std::uint32_t id) {
    if (id < bound_) { return; }
    const std::size_t bound = std::size_t{id} + 1;
    if (bound > slots_.size()) {
        WordBuffer larger(std::max(bound, bound_ + bound_ / 2));
        std::copy_n(slots_.data(), bound_, larger.data());
        slots_ = std::move(larger);
    }
    std::fill(slots_.data() + bound_, slots_.data() + bound, kNoSlot);
    bound_ = bound;
}

/// Packs all agents anew, in the order in which they lie.
template <std::size_t Dim>
void EditedTree<Dim>::pack_anew() {
    const std::size_t fields = store_.fields();
    gathered_.reserve(fields * size_);
    std::size_t i = 0;
    store_.for_each_slot([&](std::uint32_t slot) {
        if (store_.id(slot) == kNoId) { return; }
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
    list_slots();
    view_ = store_.view();
}

template <std::size_t Dim>
Status EditedTree<Dim>::insert(std::uint32_t id, const Agent<Dim>& agent) {
    if (const Status status = check_agent(agent, store_.kind); !status.ok()) { return status; }
    if (id >= kMaxAgents) { return {Cause::too_many, Argument::id, id}; }
    if (contains(id)) { return {Cause::id_taken, Argument::id, id}; }
    list_ids();
    make_room(id);
    if (!has_room()) { pack_anew(); }
    take_in(id, agent.position, agent.half_extent.value_or(store_.kind.common_half_extent),
            agent.groups.value_or(kAllGroups));
    ++size_;
    view_ = store_.view();
    return {};
}

template <std::size_t Dim>
Status EditedTree<Dim>::erase(std::uint32_t id) {
    if (!contains(id)) { return {Cause::id_unknown, Argument::id, id}; }
    list_ids();
    leave(slot_of(id));
    slots_.data()[id] = kNoSlot;
    --size_;
    constexpr std::uint32_t kFew = 256;
    if (store_.dead > std::max(kFew, store_.layout.packed / 8)) {
        try {
            pack_anew();
        } catch (const std::bad_alloc&) {
            // Without memory for a packing the holes stay: they cost time and nothing else.
        }
    }
    view_ = store_.view();
    return {};
}

template <std::size_t Dim>
void EditedTree<Dim>::prepare_move(std::uint32_t id) {
    list_ids();
    if (has_room() || slot_of(id) >= store_.layout.first_waiting()) { return; }
    pack_anew();
    view_ = store_.view();
}

template <std::size_t Dim>
Status EditedTree<Dim>::move(std::uint32_t id, const Point<Dim>& position) {
    if (!contains(id)) { return {Cause::id_unknown, Argument::id, id}; }
    if (const Status status = check_point(position, Argument::positions); !status.ok()) {
        return status;
    }
    list_ids();
    std::uint32_t slot = slot_of(id);
    const Point<Dim> half_extent = store_.half_extent(slot);
    // An agent keeps its slot if the leaf's cover holds its new place, in the tree and behind it.
    const std::uint32_t leaf = slot / TreeLayout::kWidth;
    const Box<Dim> cover = store_.cover(0, leaf);
    const Box<Dim> covered = store_.covered(position, half_extent);
    bool stays = true;
    for (std::size_t a = 0; a < Dim; ++a) {
        stays = stays && covered.lo[a] >= cover.lo[a] && covered.hi[a] <= cover.hi[a];
    }
    if (stays) {
        store_.put_position(slot, position);
        return {};
    }
    if (!has_room() && slot < store_.layout.first_waiting()) {
        pack_anew();
        slot = slot_of(id);
    }
    const std::uint32_t groups = store_.groups(slot);
    leave(slot);
    take_in(id, position, half_extent, groups);
    view_ = store_.view();
    return {};
}

/// Puts an agent into a slot behind the tree, where there must be room. The leaf's cover grows.
template <std::size_t Dim>
void EditedTree<Dim>::take_in(std::uint32_t id, const Point<Dim>& position,
                              const Point<Dim>& half_extent, std::uint32_t groups) noexcept {
    const std::uint32_t slot = store_.layout.first_waiting() + store_.waiting++;
    const std::uint32_t leaf = slot / TreeLayout::kWidth;
    if (slot % TreeLayout::kWidth == 0) {
        for (std::uint32_t i = 0; i < TreeLayout::kWidth; ++i) {
            store_.bury(slot + i);
        }
    }
    store_.put(slot, id, position, half_extent, groups);
    store_.grow_cover(leaf, store_.covered(position, half_extent));
    for (std::size_t a = 0; a < Dim; ++a) {
        store_.max_half_extent[a] = std::max(store_.max_half_extent[a], half_extent[a]);
        store_.disc[a] = std::max(store_.disc[a], half_extent[0] - half_extent[a]);
    }
    slots_.data()[id] = slot;
}

/// Turns a packed slot into a hole; fills a slot behind the tree with the last agent that waits.
template <std::size_t Dim>
void EditedTree<Dim>::leave(std::uint32_t slot) noexcept {
    if (slot < store_.layout.first_waiting()) {
        store_.bury(slot);
        ++store_.dead;
        return;
    }
    const std::uint32_t last = store_.layout.first_waiting() + --store_.waiting;
    const std::uint32_t id = store_.id(last);
    const Point<Dim> position = store_.position(last);
    const Point<Dim> half_extent = store_.half_extent(last);
    const std::uint32_t groups = store_.groups(last);
    store_.bury(last);
    if (last % TreeLayout::kWidth == 0) { store_.empty_cover(last / TreeLayout::kWidth); }
    if (last == slot) { return; }
    store_.put(slot, id, position, half_extent, groups);
    store_.grow_cover(slot / TreeLayout::kWidth, store_.covered(position, half_extent));
    slots_.data()[id] = slot;
}

template <std::size_t Dim>
std::size_t EditedTree<Dim>::staging_bytes() const noexcept {
    return staging_.bytes() + gathered_.bytes();
}

template <std::size_t Dim>
void EditedTree<Dim>::release_staging() noexcept {
    staging_ = {};
    gathered_ = {};
}

template <std::size_t Dim>
const char* EditedTree<Dim>::validate() const {
    if (size_ != 0 && store_.leaves.size() < store_.layout.slots() * store_.fields()) {
        return "there are fewer words than slots need";
    }
    if (const char* const fault = fault_of_slots(); fault != nullptr) { return fault; }
    return fault_of_nodes();
}

template <std::size_t Dim>
const char* EditedTree<Dim>::fault_of_slots() const {
    const TreeLayout& layout = store_.layout;
    if (store_.waiting > layout.waiting_room()) { return "more agents wait than there is room"; }
    std::size_t agents = 0;
    std::uint32_t holes = 0;
    std::vector<bool> seen(std::max(bound_, size_));
    const char* fault = nullptr;
    const auto check = [&](bool right, const char* what) {
        if (!right && fault == nullptr) { fault = what; }
    };
    store_.for_each_slot([&](std::uint32_t slot) {
        const std::uint32_t id = store_.id(slot);
        const Point<Dim> position = store_.position(slot);
        const Point<Dim> half = store_.half_extent(slot);
        if (id == kNoId) {
            ++holes;
            check(slot < layout.packed, "a hole among those that wait");
            check(std::isnan(position[0]), "a hole that may be found");
            return;
        }
        ++agents;
        if (id >= seen.size() || seen[id]) {
            check(false, "an id that comes twice, or is none");
            return;
        }
        seen[id] = true;
        check(!listed_ || slot_of(id) == slot, "an agent is not where the table of ids says");
        check(check_point(position, Argument::positions).ok(), "a position that is none");
        const Box<Dim> covered = store_.covered(position, half);
        const Box<Dim> cover = store_.cover(0, slot / TreeLayout::kWidth);
        for (std::size_t a = 0; a < Dim; ++a) {
            check(covered.lo[a] >= cover.lo[a] && covered.hi[a] <= cover.hi[a],
                  "an agent outside the cover of its leaf");
            check(half[a] >= 0.0f && half[a] <= store_.max_half_extent[a],
                  "an extent beyond the largest");
            check(!store_.kind.own_half_extents || half[0] - half[a] <= store_.disc[a],
                  "a disc beyond what discs exceed boxes by");
        }
    });
    check(agents == size_, "size is not the agents there");
    check(holes == store_.dead, "the holes are not as many as counted");
    std::size_t listed = 0;
    for (std::size_t id = 0; id < bound_; ++id) {
        listed += slots_.data()[id] != kNoSlot ? 1 : 0;
    }
    check(!listed_ || listed == size_, "the table of ids lists others than the agents there");
    // Kernels read whole leaves, so they read the empty places at the end of a leaf, too.
    const auto check_tail = [&](std::uint32_t slot) {
        for (; slot % TreeLayout::kWidth != 0; ++slot) {
            check(store_.id(slot) == kNoId, "a slot behind the last agent has an id");
            check(!(store_.position(slot)[0] == store_.position(slot)[0]),
                  "a slot behind the last agent may be found");
        }
    };
    check_tail(layout.packed);
    check_tail(layout.first_waiting() + store_.waiting);
    return fault;
}

template <std::size_t Dim>
const char* EditedTree<Dim>::fault_of_nodes() const {
    const TreeLayout& layout = store_.layout;
    if (layout.levels != 0 && layout.count[layout.levels - 1] != 1) { return "no single root"; }
    const auto is_empty = [](const Box<Dim>& box) {
        bool empty = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            empty = empty && box.lo[a] > box.hi[a];
        }
        return empty;
    };
    std::uint32_t children = layout.leaves();
    for (std::uint32_t k = 0; k < layout.levels; ++k) {
        if (layout.count[k] != (children + TreeLayout::kWidth - 1) / TreeLayout::kWidth) {
            return "a level with too many nodes, or too few";
        }
        for (std::uint32_t n = 0; n < layout.count[k] * TreeLayout::kWidth; ++n) {
            const Box<Dim> cover = store_.cover(k, n);
            if (n >= children) {
                if (!is_empty(cover)) { return "a child that is not there has a cover"; }
                continue;
            }
            if (k + 1 == layout.levels) { continue; }
            const Box<Dim> above = store_.cover(k + 1, n / TreeLayout::kWidth);
            for (std::size_t a = 0; a < Dim; ++a) {
                if (!(above.lo[a] <= cover.lo[a] && cover.hi[a] <= above.hi[a])) {
                    return "a cover outside that of its node";
                }
            }
        }
        children = layout.count[k];
    }
    const std::uint32_t first = layout.count[0] * TreeLayout::kWidth;
    const std::uint32_t used = (store_.waiting + TreeLayout::kWidth - 1) / TreeLayout::kWidth;
    for (std::uint32_t n = used; n < layout.waiting_nodes * TreeLayout::kWidth; ++n) {
        if (!is_empty(store_.cover(0, first + n))) {
            return "a leaf without waiting agents has a cover";
        }
    }
    return nullptr;
}

template class EditedTree<2>;
template class EditedTree<3>;

} // namespace throng
