// How agents are added to a tree and removed, once all memory for that is reserved.
#include "edited_tree.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace throng {

namespace {

constexpr std::uint32_t kFanOut = TreeLayout::kWidth;

/// A page with fewer agents is joined with a page next to it, if both fit into one page.
constexpr std::uint32_t kFewInPage = TreeLayout::kPageSlots / 4;

/// The most agents of a page after several pages were packed anew: two leaves' worth of slots stay
/// free.
constexpr std::uint32_t kMended = TreeLayout::kPageSlots - 2 * kFanOut;

/// A page is packed anew whenever this many agents have come to it.
constexpr std::uint32_t kNewcomersToPack = 64;

/// The cost of a cover: the size of the region where a query about as large as a leaf meets the
/// cover.
template <std::size_t Dim>
double reach_of(const Box<Dim>& cover, float leaf_edge) noexcept {
    double reach = 1.0;
    for (std::size_t a = 0; a < Dim; ++a) {
        reach *= static_cast<double>(cover.hi[a]) - cover.lo[a] + leaf_edge;
    }
    return reach;
}

/// The cost of adding a box to a cover: how much the cover's cost grows. Of covers that need not
/// grow, the smaller one costs less.
template <std::size_t Dim>
double cost_of(const Box<Dim>& box, const Box<Dim>& cover, float leaf_edge) noexcept {
    const double before = reach_of(cover, leaf_edge);
    return reach_of(cover_of_both(cover, box), leaf_edge) - before + before * 0x1p-20;
}

/// The child to which adding the box costs least, among the children c of a node that have agents
/// and for which wanted(c) holds; kFanOut if there is none.
template <std::size_t Dim, class Wanted>
std::uint32_t cheapest_child(const float* node, const Box<Dim>& box, float leaf_edge,
                             const Wanted& wanted) noexcept {
    double least = std::numeric_limits<double>::infinity();
    std::uint32_t best = kFanOut;
    for (std::uint32_t c = 0; c < kFanOut; ++c) {
        const Box<Dim> cover = TreeStore<Dim>::cover(node, c);
        if (!(cover.lo[0] <= cover.hi[0]) || !wanted(c)) { continue; }
        const double cost = cost_of(box, cover, leaf_edge);
        if (cost < least) {
            least = cost;
            best = c;
        }
    }
    return best;
}

} // namespace

template <std::size_t Dim>
void EditedTree<Dim>::add(const Newcomer& agent) noexcept {
    const Box<Dim> box = store_.covered(agent.position, agent.half_extent);
    for (std::size_t a = 0; a < Dim; ++a) {
        store_.max_half_extent[a] = std::max(store_.max_half_extent[a], agent.half_extent[a]);
        store_.disc[a] = std::max(store_.disc[a], agent.half_extent[0] - agent.half_extent[a]);
    }
    const std::uint32_t key = store_.key_of(agent.position, agent.half_extent);
    if (store_.layout.levels == 0) {
        const std::uint32_t first = take_page();
        store_.first_key.data()[first] = 0;
        lay_pages(store_, first, simd::kNoPage);
    }
    std::uint32_t page = store_.page_of.data()[place_for(key)];
    if (store_.in_page(page) == TreeLayout::kPageSlots) { page = widen_page(page, key); }
    const std::uint32_t place = store_.place_of.data()[page];
    begin_before(place, key);
    const std::uint32_t leaf = leaf_for(page, box);
    std::uint8_t& filled = *store_.in_leaf(leaf);
    for (std::uint32_t i = 0; filled == 0 && i < kFanOut; ++i) {
        store_.bury(std::size_t{leaf} * kFanOut + i);
    }
    const std::uint32_t slot = leaf * kFanOut + filled++;
    store_.put(slot, agent.id, agent.position, agent.half_extent, agent.groups);
    slots_.data()[agent.id] = slot;
    view_ = store_.view();
    simd::cover_leaves(view_, leaf, leaf + 1, store_.page_node(0));
    cover_above(place);
    count_above(place, 1);
    ++newcomers_;
    strays_ += store_.is_astray(agent.position) ? 1 : 0;
    if (++store_.newcomers.data()[page] == kNewcomersToPack) { mend_page(page); }
}

template <std::size_t Dim>
void EditedTree<Dim>::take_out(std::uint32_t slot) noexcept {
    const std::uint32_t leaf = slot / kFanOut;
    const std::uint32_t page = leaf / kFanOut;
    const std::uint32_t place = store_.place_of.data()[page];
    const std::uint32_t last = leaf * kFanOut + --*store_.in_leaf(leaf);
    if (last != slot) {
        const std::uint32_t id = store_.id(last);
        store_.put(slot, id, store_.position(last), store_.half_extent(last), store_.groups(last));
        slots_.data()[id] = slot;
    }
    store_.bury(last);
    simd::cover_leaves(view_, leaf, leaf + 1, store_.page_node(0));
    cover_above(place);
    count_above(place, ~0u); // one less
    if (store_.in_page(page) < kFewInPage) { join_page(place); }
}

/// The place of the page where the curve passes a key: there must be a page.
template <std::size_t Dim>
std::uint32_t EditedTree<Dim>::place_for(std::uint32_t key) const noexcept {
    std::uint32_t n = 0;
    for (std::uint32_t k = store_.layout.levels; k-- > 1;) {
        const std::uint32_t* const keys = &store_.key(k, n * kFanOut);
        // The last child that begins no later than the key; else the first child that has agents.
        std::uint32_t c = kFanOut;
        while (c > 0 && (keys[c - 1] == kNoKey || keys[c - 1] > key)) {
            --c;
        }
        if (c == 0) {
            c = static_cast<std::uint32_t>(std::min_element(keys, keys + kFanOut) - keys) + 1;
        }
        n = n * kFanOut + c - 1;
    }
    return n;
}

/// A leaf with room for an agent with this box, in a page with room.
template <std::size_t Dim>
std::uint32_t EditedTree<Dim>::leaf_for(std::uint32_t page, const Box<Dim>& box) noexcept {
    const std::uint32_t first = page * kFanOut;
    const float* const node = store_.page_node(page);
    const auto best = [&](const auto& wanted) {
        return cheapest_child(node, box, store_.leaf_edge, wanted);
    };
    const auto has_room = [&](std::uint32_t c) { return *store_.in_leaf(first + c) < kFanOut; };
    const std::uint32_t c = best([](std::uint32_t) { return true; });
    if (c == kFanOut) { return first; } // an empty page
    if (has_room(c)) { return first + c; }
    for (std::uint32_t empty = 0; empty < kFanOut; ++empty) {
        if (*store_.in_leaf(first + empty) != 0) { continue; }
        part_leaf(first + c, first + empty);
        return first + best([&](std::uint32_t one) { return one == c || one == empty; });
    }
    return first + best(has_room);
}

/// Moves the upper half of a full leaf, on the axis on which its agents are farthest apart, to an
/// empty leaf of the same page.
template <std::size_t Dim>
void EditedTree<Dim>::part_leaf(std::uint32_t leaf, std::uint32_t empty) noexcept {
    std::array<Newcomer, kFanOut> agents;
    Point<Dim> lo = store_.position(std::size_t{leaf} * kFanOut);
    Point<Dim> hi = lo;
    for (std::uint32_t i = 0; i < kFanOut; ++i) {
        const std::uint32_t slot = leaf * kFanOut + i;
        agents[i] = {store_.id(slot), store_.position(slot), store_.half_extent(slot),
                     store_.groups(slot)};
        for (std::size_t a = 0; a < Dim; ++a) {
            lo[a] = std::min(lo[a], agents[i].position[a]);
            hi[a] = std::max(hi[a], agents[i].position[a]);
        }
    }
    std::size_t axis = 0;
    for (std::size_t a = 1; a < Dim; ++a) {
        if (hi[a] - lo[a] > hi[axis] - lo[axis]) { axis = a; }
    }
    std::sort(agents.begin(), agents.end(), [&](const Newcomer& one, const Newcomer& other) {
        return one.position[axis] != other.position[axis]
                   ? one.position[axis] < other.position[axis]
                   : one.id < other.id;
    });
    constexpr std::uint32_t kHalf = kFanOut / 2;
    for (std::uint32_t i = 0; i < kFanOut; ++i) {
        store_.bury(leaf * kFanOut + i);
        store_.bury(empty * kFanOut + i);
    }
    for (std::uint32_t i = 0; i < kFanOut; ++i) {
        const std::uint32_t slot = (i < kHalf ? leaf : empty) * kFanOut + i % kHalf;
        store_.put(slot, agents[i].id, agents[i].position, agents[i].half_extent, agents[i].groups);
        slots_.data()[agents[i].id] = slot;
    }
    *store_.in_leaf(leaf) = *store_.in_leaf(empty) = kHalf;
    simd::cover_leaves(view_, leaf, leaf + 1, store_.page_node(0));
    simd::cover_leaves(view_, empty, empty + 1, store_.page_node(0));
}

/// Makes room in a full page: spreads its agents and those of pages beside it evenly over these
/// pages, and over one more if they have no room. Returns the one of these pages where the curve
/// passes `key`. Splitting a page in two would move half as many agents, but then half of a tree's
/// memory would be empty after a few edits all over it.
template <std::size_t Dim>
std::uint32_t EditedTree<Dim>::widen_page(std::uint32_t page, std::uint32_t key) noexcept {
    const std::uint32_t place = store_.place_of.data()[page];
    const std::uint32_t node = place / kFanOut * kFanOut;
    const std::uint32_t past = std::min(node + kFanOut, store_.layout.places());
    std::uint32_t first = place;
    std::uint32_t last = place; // the last page that shares its agents
    while (last - first + 1 < PageRun::kShared && last + 1 < past &&
           store_.page_of.data()[last + 1] != simd::kNoPage) {
        ++last;
    }
    while (last - first + 1 < PageRun::kShared && first > node) {
        --first;
    }
    PageRun from;
    std::uint32_t agents = 0;
    for (std::uint32_t n = first; n <= last; ++n) {
        from.add(store_.page_of.data()[n]);
        agents += store_.in_page(store_.page_of.data()[n]);
    }
    PageRun to = from;
    const bool fits = agents <= from.count * kMended;
    const std::uint32_t added = fits ? simd::kNoPage : take_page();
    if (!fits) { to.add(added); }
    pack_pages(from, to, page_scratch_.space());
    // Chooses among these pages, not all of the tree: only these surely have room.
    std::uint32_t passed = to.count - 1;
    while (passed > 0 && store_.first_key.data()[to.page[passed]] > key) {
        --passed;
    }
    page = to.page[passed];
    if (fits) {
        renew_node(place / kFanOut);
        return page;
    }
    std::uint32_t end = node + kFanOut - 1;
    if (store_.layout.levels < 2 || store_.page_of.data()[end] != simd::kNoPage) {
        lay_pages(store_, added, store_.page_of.data()[last]);
        view_ = store_.view();
        return page;
    }
    // Moves the pages behind `last` by one place: pages stand without gaps from the beginning of
    // their node.
    for (; end > last + 1; --end) {
        set_place(store_.page_of.data()[end - 1], end);
    }
    set_place(added, last + 1);
    ++store_.used;
    renew_node(place / kFanOut);
    return page;
}

/// Makes a page, and the nodes above it, begin no later than a key: so pages stay in the order of
/// their keys when agents come before the first page.
template <std::size_t Dim>
void EditedTree<Dim>::begin_before(std::uint32_t place, std::uint32_t key) noexcept {
    std::uint32_t& first = store_.first_key.data()[store_.page_of.data()[place]];
    if (first <= key) { return; }
    first = key;
    std::uint32_t n = place;
    for (std::uint32_t k = 1; k < store_.layout.levels; ++k) {
        store_.key(k, n) = std::min(store_.key(k, n), key);
        n /= kFanOut;
    }
}

/// Packs a page anew where it is.
template <std::size_t Dim>
void EditedTree<Dim>::mend_page(std::uint32_t page) noexcept {
    PageRun one;
    one.add(page);
    pack_pages(one, one, page_scratch_.space());
}

/// Joins a page with few agents with the page before or behind it in its node, if both fit into one
/// page; gives back a page without agents.
template <std::size_t Dim>
void EditedTree<Dim>::join_page(std::uint32_t place) noexcept {
    const std::uint32_t page = store_.page_of.data()[place];
    const std::uint32_t agents = store_.in_page(page);
    if (agents == 0) { return give_page(page); }
    if (store_.layout.levels < 2) { return; }
    const auto fits = [&](std::uint32_t other) {
        return store_.page_of.data()[other] != simd::kNoPage &&
               store_.total(1, other) + agents <= kMended;
    };
    PageRun two;
    if (place % kFanOut > 0 && fits(place - 1)) {
        two.add(store_.page_of.data()[place - 1]);
        two.add(page);
    } else if (place % kFanOut + 1 < kFanOut && fits(place + 1)) {
        two.add(page);
        two.add(store_.page_of.data()[place + 1]);
    } else {
        return;
    }
    PageRun one = two;
    one.count = 1;
    OnePageSpace<Dim> space;
    pack_pages(two, one, space.space());
    give_page(two.page[1]);
}

/// Packs pages, makes the covers of their leaves, and notes the new slots of their agents.
template <std::size_t Dim>
void EditedTree<Dim>::pack_pages(const PageRun& from, const PageRun& to,
                                 const PackSpace& space) noexcept {
    view_ = store_.view();
    pack_run(store_, from, to, space);
    for (std::uint32_t i = 0; i < to.count; ++i) {
        const std::uint32_t page = to.page[i];
        simd::cover_leaves(view_, page * kFanOut, (page + 1) * kFanOut, store_.page_node(0));
        store_.for_each_slot_of(page,
                                [&](std::uint32_t slot) { slots_.data()[store_.id(slot)] = slot; });
    }
}

/// Makes the covers above a page anew, up to the first that does not change.
template <std::size_t Dim>
void EditedTree<Dim>::cover_above(std::uint32_t place) noexcept {
    std::uint32_t n = place;
    for (std::uint32_t k = 1; k < store_.layout.levels; ++k) {
        const float* const node = store_.node(k, n / kFanOut);
        const Box<Dim> before = store_.cover(node, n % kFanOut);
        simd::cover_nodes(view_, k, n, n + 1, n + 1, store_.node(1, 0));
        if (store_.cover(node, n % kFanOut) == before) { return; }
        n /= kFanOut;
    }
}

/// Adds to the totals above a page, modulo 2^32.
template <std::size_t Dim>
void EditedTree<Dim>::count_above(std::uint32_t place, std::uint32_t change) noexcept {
    std::uint32_t n = place;
    for (std::uint32_t k = 1; k < store_.layout.levels; ++k) {
        store_.total(k, n) += change;
        n /= kFanOut;
    }
}

/// Makes node n of level 1 anew, and all nodes above it.
template <std::size_t Dim>
void EditedTree<Dim>::renew_node(std::uint32_t n) noexcept {
    if (store_.layout.levels > 1) { store_.fill_children(1, n * kFanOut, (n + 1) * kFanOut); }
    for (std::uint32_t k = 2; k < store_.layout.levels; ++k) {
        store_.fill_children(k, n, n + 1);
        n /= kFanOut;
    }
    view_ = store_.view();
}

template <std::size_t Dim>
void EditedTree<Dim>::set_place(std::uint32_t page, std::uint32_t place) noexcept {
    store_.page_of.data()[place] = page;
    if (page != simd::kNoPage) { store_.place_of.data()[page] = place; }
}

template <std::size_t Dim>
std::uint32_t EditedTree<Dim>::take_page() noexcept {
    std::uint32_t page = store_.free;
    if (page != simd::kNoPage) {
        store_.free = store_.place_of.data()[page];
    } else {
        page = store_.begun++;
    }
    std::fill_n(store_.in_leaf(std::size_t{page} * kFanOut), kFanOut, std::uint8_t{0});
    store_.newcomers.data()[page] = 0;
    simd::cover_leaves(store_.view(), page * kFanOut, (page + 1) * kFanOut, store_.page_node(0));
    return page;
}

/// Frees a page, whose agents are elsewhere by now, and closes the gap that its place leaves.
template <std::size_t Dim>
void EditedTree<Dim>::give_page(std::uint32_t page) noexcept {
    std::uint32_t place = store_.place_of.data()[page];
    store_.place_of.data()[page] = store_.free;
    store_.free = page;
    if (--store_.used == 0) {
        store_.layout = {};
        view_ = store_.view();
        return;
    }
    const std::uint32_t last = place / kFanOut * kFanOut + kFanOut - 1;
    for (; place < last; ++place) {
        set_place(store_.page_of.data()[place + 1], place);
    }
    set_place(simd::kNoPage, last);
    renew_node(last / kFanOut);
    // If most places are free, nodes have few children: lays all pages out anew.
    const std::uint32_t places = store_.layout.places();
    if (places > 4 * kFanOut && store_.used < places / 4) {
        lay_pages(store_, simd::kNoPage, simd::kNoPage);
        view_ = store_.view();
    }
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template void EditedTree<Dim>::add(const Newcomer&) noexcept;                                  \
    template void EditedTree<Dim>::take_out(std::uint32_t) noexcept;                               \
    template std::uint32_t EditedTree<Dim>::place_for(std::uint32_t) const noexcept;               \
    template std::uint32_t EditedTree<Dim>::leaf_for(std::uint32_t, const Box<Dim>&) noexcept;     \
    template void EditedTree<Dim>::part_leaf(std::uint32_t, std::uint32_t) noexcept;               \
    template std::uint32_t EditedTree<Dim>::widen_page(std::uint32_t, std::uint32_t) noexcept;     \
    template void EditedTree<Dim>::begin_before(std::uint32_t, std::uint32_t) noexcept;            \
    template void EditedTree<Dim>::mend_page(std::uint32_t) noexcept;                              \
    template void EditedTree<Dim>::join_page(std::uint32_t) noexcept;                              \
    template void EditedTree<Dim>::pack_pages(const PageRun&, const PageRun&,                      \
                                              const PackSpace&) noexcept;                          \
    template void EditedTree<Dim>::cover_above(std::uint32_t) noexcept;                            \
    template void EditedTree<Dim>::count_above(std::uint32_t, std::uint32_t) noexcept;             \
    template void EditedTree<Dim>::renew_node(std::uint32_t) noexcept;                             \
    template void EditedTree<Dim>::set_place(std::uint32_t, std::uint32_t) noexcept;               \
    template std::uint32_t EditedTree<Dim>::take_page() noexcept;                                  \
    template void EditedTree<Dim>::give_page(std::uint32_t) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
