// Checks every invariant of a tree, slowly.
#include "../agents/validation.hpp"
#include "edited_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace throng {

namespace {

template <std::size_t Dim>
Box<Dim> nothing() noexcept {
    const float infinity = std::numeric_limits<float>::infinity();
    return {Point<Dim>::all(infinity), Point<Dim>::all(-infinity)};
}

template <std::size_t Dim>
Box<Dim> cover_of_children(const float* node) noexcept {
    Box<Dim> cover = nothing<Dim>();
    for (std::uint32_t c = 0; c < TreeLayout::kWidth; ++c) {
        cover = cover_of_both(cover, TreeStore<Dim>::cover(node, c));
    }
    return cover;
}

} // namespace

template <std::size_t Dim>
const char* EditedTree<Dim>::validate() const {
    for (const auto fault :
         {&EditedTree::fault_of_pages, &EditedTree::fault_of_slots, &EditedTree::fault_of_nodes}) {
        if (const char* const what = (this->*fault)(); what != nullptr) { return what; }
    }
    return nullptr;
}

template <std::size_t Dim>
const char* EditedTree<Dim>::fault_of_pages() const {
    const TreeLayout& layout = store_.layout;
    if (layout != TreeLayout::of(layout.count[0], layout.in_node)) {
        return "nodes are not as pages want them";
    }
    if (store_.begun > store_.page_room() || layout.places() > store_.page_of.size() ||
        store_.begun * store_.leaf_words() * TreeLayout::kWidth > store_.leaves.size()) {
        return "there are fewer words than pages need";
    }
    if ((layout.levels == 0) != (store_.used == 0)) { return "levels without pages"; }
    std::vector<bool> seen(store_.begun);
    std::uint32_t used = 0;
    for (std::uint32_t place = 0; place < layout.places(); ++place) {
        const std::uint32_t page = store_.page_of.data()[place];
        if (page == simd::kNoPage) { continue; }
        if (place % TreeLayout::kWidth > 0 && store_.page_of.data()[place - 1] == simd::kNoPage) {
            return "a page behind a free place of its node";
        }
        if (page >= store_.begun || seen[page]) { return "a place with a page that is elsewhere"; }
        if (store_.place_of.data()[page] != place) { return "a page that is in another place"; }
        if (store_.first_key.data()[page] == kNoKey) { return "a page that begins nowhere"; }
        seen[page] = true;
        ++used;
    }
    if (used != store_.used) { return "the places in use are not as many as counted"; }
    for (std::uint32_t page = store_.free; page != simd::kNoPage;
         page = store_.place_of.data()[page]) {
        if (page >= store_.begun || seen[page]) { return "a free page that is in use"; }
        seen[page] = true;
        ++used;
    }
    return used == store_.begun ? nullptr : "a page that is neither free nor in use";
}

template <std::size_t Dim>
const char* EditedTree<Dim>::fault_of_slots() const {
    std::size_t agents = 0;
    std::vector<bool> seen(std::max(bound_, size_));
    const char* fault = nullptr;
    const auto check = [&](bool right, const char* what) {
        if (!right && fault == nullptr) { fault = what; }
    };
    store_.for_each_page([&](std::uint32_t page) {
        for (std::uint32_t leaf = page * TreeLayout::kWidth; leaf < (page + 1) * TreeLayout::kWidth;
             ++leaf) {
            const std::uint32_t filled = *store_.in_leaf(leaf);
            check(filled <= TreeLayout::kWidth, "a leaf with more agents than it has room for");
            // Kernels read whole leaves, including the empty slots at the end.
            for (std::uint32_t i = filled; filled != 0 && i < TreeLayout::kWidth; ++i) {
                const std::size_t slot = std::size_t{leaf} * TreeLayout::kWidth + i;
                check(store_.id(slot) == kNoId, "a slot behind the last agent has an id");
                check(std::isnan(store_.position(slot)[0]),
                      "a slot behind the last agent may be found");
            }
        }
        if (store_.in_page(page) == 0) { check(false, "a page without agents has a place"); }
    });
    if (fault != nullptr) { return fault; }
    store_.for_each_slot([&](std::uint32_t slot) {
        const std::uint32_t id = store_.id(slot);
        const Point<Dim> position = store_.position(slot);
        const Point<Dim> half = store_.half_extent(slot);
        ++agents;
        if (id >= seen.size() || seen[id]) {
            check(false, "an id that comes twice, or is none");
            return;
        }
        seen[id] = true;
        check(!listed_ || slot_of(id) == slot, "an agent is not where the table of ids says");
        check(check_point(position, Argument::positions).ok(), "a position that is none");
        for (std::size_t a = 0; a < Dim; ++a) {
            check(half[a] >= 0.0f && half[a] <= store_.max_half_extent[a],
                  "an extent beyond the largest");
            check(!store_.kind.own_half_extents || half[0] - half[a] <= store_.disc[a],
                  "a disc beyond what discs exceed boxes by");
        }
    });
    check(agents == size_, "size is not the agents there");
    std::size_t listed = 0;
    for (std::size_t id = 0; id < bound_; ++id) {
        listed += slots_.data()[id] != kNoSlot ? 1 : 0;
    }
    check(!listed_ || listed == size_, "the table of ids lists others than the agents there");
    return fault;
}

template <std::size_t Dim>
const char* EditedTree<Dim>::fault_of_nodes() const {
    const TreeLayout& layout = store_.layout;
    const char* fault = nullptr;
    store_.for_each_page([&](std::uint32_t page) {
        for (std::uint32_t c = 0; c < TreeLayout::kWidth; ++c) {
            const std::size_t leaf = std::size_t{page} * TreeLayout::kWidth + c;
            Box<Dim> cover = nothing<Dim>();
            for (std::size_t slot = leaf * TreeLayout::kWidth;
                 slot < leaf * TreeLayout::kWidth + *store_.in_leaf(leaf); ++slot) {
                cover = cover_of_both(
                    cover, store_.covered(store_.position(slot), store_.half_extent(slot)));
            }
            if (store_.cover(store_.page_node(page), c) != cover) {
                fault = "the cover of a leaf is not that of its agents";
            }
        }
    });
    std::uint32_t below = layout.places();
    for (std::uint32_t k = 1; k < layout.levels && fault == nullptr; ++k) {
        for (std::uint32_t n = 0; n < layout.count[k] * TreeLayout::kWidth; ++n) {
            Box<Dim> cover = nothing<Dim>();
            std::uint32_t agents = 0;
            std::uint32_t key = kNoKey;
            if (k == 1) {
                const std::uint32_t page = store_.page_of.data()[n];
                if (page != simd::kNoPage) {
                    cover = cover_of_children<Dim>(store_.page_node(page));
                    agents = store_.in_page(page);
                    key = store_.first_key.data()[page];
                }
            } else if (n < below) {
                cover = cover_of_children<Dim>(store_.node(k - 1, n));
                for (std::uint32_t c = 0; c < TreeLayout::kWidth; ++c) {
                    agents += store_.total(k - 1, n * TreeLayout::kWidth + c);
                    key = std::min(key, store_.key(k - 1, n * TreeLayout::kWidth + c));
                }
            }
            if (store_.cover(store_.node(k, n / TreeLayout::kWidth), n % TreeLayout::kWidth) !=
                cover) {
                return "the cover of a node is not that of its children";
            }
            if (store_.total(k, n) != agents) { return "the total of a node is not its agents"; }
            if (store_.key(k, n) != key) { return "a node does not begin where its pages do"; }
        }
        below = layout.count[k];
    }
    return fault;
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template const char* EditedTree<Dim>::validate() const;                                        \
    template const char* EditedTree<Dim>::fault_of_pages() const;                                  \
    template const char* EditedTree<Dim>::fault_of_slots() const;                                  \
    template const char* EditedTree<Dim>::fault_of_nodes() const;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
