#include "tree_store.hpp"

#include "../../simd/kernels/tree/tree_pack.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <utility>

namespace throng {

TreeLayout TreeLayout::of(std::size_t pages, std::uint32_t in_node) noexcept {
    TreeLayout layout;
    layout.in_node = in_node;
    if (pages == 0) { return layout; }
    layout.count[0] = static_cast<std::uint32_t>(pages);
    layout.levels = 1;
    std::uint32_t below = layout.count[0];
    std::uint32_t begin = 0;
    for (std::uint32_t width = in_node; below > 1; width = kWidth) {
        below = (below - 1) / width + 1;
        layout.begin[layout.levels] = begin;
        layout.count[layout.levels++] = below;
        begin += below;
    }
    return layout;
}

template <std::size_t Dim>
Point<Dim> TreeStore<Dim>::position(std::size_t slot) const noexcept {
    Point<Dim> point;
    for (std::uint32_t a = 0; a < Dim; ++a) {
        point[a] = std::bit_cast<float>(*word(slot, Fields::kPosition + a));
    }
    return point;
}

template <std::size_t Dim>
Point<Dim> TreeStore<Dim>::half_extent(std::size_t slot) const noexcept {
    if (!kind.own_half_extents) { return kind.common_half_extent; }
    Point<Dim> half;
    for (std::uint32_t a = 0; a < Dim; ++a) {
        half[a] = std::bit_cast<float>(*word(slot, Fields::kHalfExtent + a));
    }
    return half;
}

template <std::size_t Dim>
std::uint32_t TreeStore<Dim>::groups(std::size_t slot) const noexcept {
    return kind.groups ? *word(slot, Fields::groups(kind.own_half_extents)) : kAllGroups;
}

template <std::size_t Dim>
void TreeStore<Dim>::put(std::size_t slot, std::uint32_t id, const Point<Dim>& position,
                         const Point<Dim>& half_extent, std::uint32_t groups) noexcept {
    put_position(slot, position);
    *word(slot, Fields::kId) = id;
    if (kind.own_half_extents) {
        for (std::uint32_t a = 0; a < Dim; ++a) {
            *word(slot, Fields::kHalfExtent + a) = std::bit_cast<std::uint32_t>(half_extent[a]);
        }
    }
    if (kind.groups) { *word(slot, Fields::groups(kind.own_half_extents)) = groups; }
}

template <std::size_t Dim>
void TreeStore<Dim>::put_position(std::size_t slot, const Point<Dim>& position) noexcept {
    for (std::uint32_t a = 0; a < Dim; ++a) {
        *word(slot, Fields::kPosition + a) = std::bit_cast<std::uint32_t>(position[a]);
    }
}

template <std::size_t Dim>
void TreeStore<Dim>::bury(std::size_t slot) noexcept {
    put(slot, kNoId, Point<Dim>::all(std::numeric_limits<float>::quiet_NaN()), {}, 0);
}

template <std::size_t Dim>
std::uint32_t TreeStore<Dim>::in_page(std::uint32_t page) const noexcept {
    const std::uint8_t* const of_page = in_leaf(std::size_t{page} * kWidth);
    return std::accumulate(of_page, of_page + kWidth, 0u);
}

namespace {

/// A buffer of at least `words` words, with the first `kept` words of `from`.
WordBuffer grown(const WordBuffer& from, std::size_t kept, std::size_t words) {
    WordBuffer to(words);
    std::copy_n(from.data(), kept, to.data());
    return to;
}

} // namespace

template <std::size_t Dim>
void TreeStore<Dim>::reserve_pages(std::size_t count, std::size_t words_of_leaf) {
    // Leaves that are there may have more words than `words_of_leaf`.
    const std::size_t kept = begun * kWidth * leaf_words();
    const std::size_t words = std::max(count * kWidth * words_of_leaf, kept);
    if (count <= page_room() && words <= leaves.size()) { return; }
    constexpr std::size_t kFilledWords = kWidth / sizeof(std::uint32_t);
    WordBuffer next_leaves = grown(leaves, kept, words);
    WordBuffer next_pages = grown(pages, begun * kNodeWords, count * kNodeWords);
    WordBuffer next_filled = grown(filled, begun * kFilledWords, count * kFilledWords);
    WordBuffer next_newcomers = grown(newcomers, begun, count);
    WordBuffer next_keys = grown(first_key, begun, count);
    place_of = grown(place_of, begun, count);
    std::swap(leaves, next_leaves);
    std::swap(pages, next_pages);
    std::swap(filled, next_filled);
    std::swap(newcomers, next_newcomers);
    std::swap(first_key, next_keys);
}

template <std::size_t Dim>
void TreeStore<Dim>::reserve_nodes(const TreeLayout& of) {
    if (of.places() <= page_of.size() && of.nodes() * kNodeWords <= nodes.size()) { return; }
    // A little more than needed, so that a crowd that grows and shrinks does not reallocate.
    const auto roomy = [](std::size_t words) { return words + words / 32; };
    const std::size_t kept = layout.nodes();
    WordBuffer next_nodes = grown(nodes, kept * kNodeWords, roomy(of.nodes()) * kNodeWords);
    WordBuffer next_totals = grown(totals, kept * kWidth, roomy(of.nodes()) * kWidth);
    WordBuffer next_keys = grown(keys, kept * kWidth, roomy(of.nodes()) * kWidth);
    page_of = grown(page_of, layout.places(), roomy(of.places()));
    std::swap(nodes, next_nodes);
    std::swap(totals, next_totals);
    std::swap(keys, next_keys);
}

template <std::size_t Dim>
TreeStore<Dim> TreeStore<Dim>::copy() const {
    TreeStore same;
    same.kind = kind;
    same.layout = layout;
    for (WordBuffer TreeStore::*const buffer :
         {&TreeStore::leaves, &TreeStore::pages, &TreeStore::filled, &TreeStore::place_of,
          &TreeStore::first_key, &TreeStore::newcomers, &TreeStore::page_of, &TreeStore::nodes,
          &TreeStore::totals, &TreeStore::keys}) {
        same.*buffer = (this->*buffer).copy();
    }
    same.curve = curve;
    same.begun = begun;
    same.free = free;
    same.used = used;
    same.max_half_extent = max_half_extent;
    same.disc = disc;
    same.leaf_edge = leaf_edge;
    return same;
}

template <std::size_t Dim>
std::size_t TreeStore<Dim>::table_bytes() const noexcept {
    std::size_t bytes = 0;
    for (const WordBuffer* const table :
         {&pages, &filled, &place_of, &first_key, &newcomers, &page_of, &nodes, &totals, &keys}) {
        bytes += table->bytes();
    }
    return bytes;
}

template <std::size_t Dim>
Box<Dim> TreeStore<Dim>::cover(const float* node, std::uint32_t c) noexcept {
    Box<Dim> cover;
    for (std::size_t a = 0; a < Dim; ++a) {
        cover.lo[a] = node[a * kWidth + c];
        cover.hi[a] = node[(Dim + a) * kWidth + c];
    }
    return cover;
}

template <std::size_t Dim>
void TreeStore<Dim>::fill_nodes() noexcept {
    for (std::uint32_t k = 1; k < layout.levels; ++k) {
        fill_children(k, 0, layout.count[k] * kWidth);
    }
}

template <std::size_t Dim>
void TreeStore<Dim>::fill_children(std::uint32_t level, std::uint32_t first,
                                   std::uint32_t last) noexcept {
    const std::uint32_t there = level == 1 ? layout.places() : layout.count[level - 1];
    simd::cover_nodes(view(), level, first, last, there, node(1, 0));
    for (std::uint32_t n = first; n < last; ++n) {
        std::uint32_t& below = total(level, n);
        std::uint32_t& begins = key(level, n);
        below = 0;
        begins = kNoKey;
        if (n >= there) { continue; }
        if (level == 1) {
            const std::uint32_t page = page_of.data()[n];
            if (page == simd::kNoPage) { continue; }
            below = in_page(page);
            begins = first_key.data()[page];
        } else {
            const std::uint32_t* const totals_below = &total(level - 1, n * kWidth);
            const std::uint32_t* const keys_below = &key(level - 1, n * kWidth);
            below = std::accumulate(totals_below, totals_below + kWidth, 0u);
            begins = *std::min_element(keys_below, keys_below + kWidth);
        }
    }
}

template <std::size_t Dim>
bool TreeStore<Dim>::is_astray(const Point<Dim>& position) const noexcept {
    const auto cells = static_cast<float>(1u << curve.bits);
    const float side = curve.inverse_cell > 0.0f ? cells / curve.inverse_cell : 0.0f;
    const float margin = side / 8.0f;
    bool astray = false;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float offset = position[a] - curve.origin[a];
        astray = astray || offset < -margin || offset > side + margin;
    }
    return astray;
}

template <std::size_t Dim>
std::uint32_t TreeStore<Dim>::key_of(const Point<Dim>& position,
                                     const Point<Dim>& half_extent) const noexcept {
    // Kernels read and write whole vectors.
    std::array<std::array<float, 1 + simd::kSlack>, 2 * Dim> numbers{};
    std::array<std::uint32_t, 1 + simd::kSlack> key;
    const float *axis[Dim], *half[Dim];
    for (std::size_t a = 0; a < Dim; ++a) {
        numbers[a][0] = position[a];
        numbers[Dim + a][0] = half_extent[a];
        axis[a] = numbers[a].data();
        half[a] = numbers[Dim + a].data();
    }
    simd::curve_keys(curve, axis, kind.own_half_extents ? half : nullptr, 1, key.data());
    return std::min(key[0], kNoKey - 1);
}

template <std::size_t Dim>
simd::TreeView<Dim> TreeStore<Dim>::view() const noexcept {
    simd::TreeView<Dim> view{};
    view.grid.own_extents = kind.own_half_extents;
    view.grid.groups = kind.groups;
    for (std::size_t a = 0; a < Dim; ++a) {
        view.grid.max_half_extent[a] = max_half_extent[a];
        view.grid.inverse_cell[a] = 1.0f;
        view.half[a] = kind.own_half_extents ? 0.0f : kind.common_half_extent[a];
        view.disc[a] = kind.own_half_extents ? disc[a] : kind.common_half_extent[0];
    }
    view.leaves = leaves.data();
    view.leaf_words = static_cast<std::uint32_t>(leaf_words());
    view.filled = in_leaf(0);
    view.pages = reinterpret_cast<const float*>(pages.data());
    view.page_of = page_of.data();
    view.places = layout.places();
    view.levels = layout.levels;
    std::copy(layout.begin.begin(), layout.begin.end(), view.level_begin);
    view.nodes = reinterpret_cast<const float*>(nodes.data());
    view.totals = totals.data();
    view.leaf_edge = leaf_edge;
    return view;
}

template struct TreeStore<2>;
template struct TreeStore<3>;

} // namespace throng
