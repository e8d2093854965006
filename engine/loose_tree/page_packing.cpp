#include "page_packing.hpp"

#include "curve_sort.hpp"

#include <algorithm>
#include <bit>

namespace throng {

namespace {

/// Agents in each leaf of a page that is packed anew, if the page has room.
constexpr std::size_t kInLeaf = 14;

} // namespace

template <std::size_t Dim>
void PageScratch::reserve(const TreeStore<Dim>& store, std::size_t n) {
    records.reserve(n * (store.fields() + std::size_t{1}));
    sorting.reserve(curve_sort_scratch(n));
    axes.reserve(2 * Dim * (n + simd::kSlack));
    keys.reserve(n + simd::kSlack);
}

template <std::size_t Dim>
void pack_run(TreeStore<Dim>& store, const PageRun& from, const PageRun& to,
              const PackSpace& space) noexcept {
    using Fields = simd::Fields<Dim>;
    static_assert(Fields::kPosition == 0, "the curve wants positions behind the key");
    constexpr std::size_t kWidth = TreeLayout::kWidth;
    const std::uint32_t fields = store.fields();
    const bool own = store.kind.own_half_extents;
    std::size_t agents = 0;
    for (std::uint32_t i = 0; i < from.count; ++i) {
        agents += store.in_page(from.page[i]);
    }

    // The agents as records: the key first, then their fields.
    const std::size_t record_words = fields + std::size_t{1};
    const std::size_t stride = agents + simd::kSlack;
    auto* const axes = reinterpret_cast<float*>(space.axes);
    const float *axis[Dim], *half[Dim];
    for (std::size_t a = 0; a < Dim; ++a) {
        axis[a] = axes + a * stride;
        half[a] = axes + (Dim + a) * stride;
        std::fill_n(axes + a * stride + agents, simd::kSlack, 0.0f);
        std::fill_n(axes + (Dim + a) * stride + agents, simd::kSlack, 0.0f);
    }
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < from.count; ++i) {
        store.for_each_slot_of(from.page[i], [&](std::uint32_t slot) {
            std::uint32_t* const record = space.records + next * record_words;
            for (std::uint32_t f = 0; f < fields; ++f) {
                record[1 + f] = *store.word(slot, f);
            }
            for (std::uint32_t a = 0; a < Dim; ++a) {
                axes[a * stride + next] = std::bit_cast<float>(record[1 + a]);
                if (own) {
                    axes[(Dim + a) * stride + next] =
                        std::bit_cast<float>(record[1 + Fields::kHalfExtent + a]);
                }
            }
            ++next;
        });
    }
    simd::curve_keys(store.curve, axis, own ? half : nullptr, agents, space.keys);
    for (std::size_t i = 0; i < agents; ++i) {
        space.records[i * record_words] = std::min(space.keys[i], kNoKey - 1);
    }
    const std::uint32_t* const order =
        sort_along_curve<Dim>({space.records, record_words, agents}, space.sorting);

    next = 0;
    for (std::uint32_t i = 0; i < to.count; ++i) {
        const std::size_t begin = next;
        const std::size_t in_page = agents * (i + 1) / to.count - begin;
        // Leaves a little room in each leaf, so that the next newcomers do not split it.
        const std::size_t leaves = std::min(kWidth, (in_page + kInLeaf - 1) / kInLeaf);
        const std::size_t first_leaf = to.page[i] * kWidth;
        if (i != 0) {
            store.first_key.data()[to.page[i]] = space.records[order[next] * record_words];
        }
        for (std::size_t leaf = first_leaf; leaf < first_leaf + kWidth; ++leaf) {
            const std::size_t nth = std::min(leaf - first_leaf + 1, leaves);
            const std::size_t some = leaves == 0 ? 0 : begin + in_page * nth / leaves - next;
            *store.in_leaf(leaf) = static_cast<std::uint8_t>(some);
            for (std::size_t slot = leaf * kWidth; slot < (leaf + 1) * kWidth && some != 0;
                 ++slot) {
                if (slot - leaf * kWidth >= some) {
                    store.bury(slot);
                    continue;
                }
                const std::uint32_t* const record =
                    space.records + std::size_t{order[next++]} * record_words;
                for (std::uint32_t f = 0; f < fields; ++f) {
                    *store.word(slot, f) = record[1 + f];
                }
            }
        }
        store.newcomers.data()[to.page[i]] = 0;
    }
}

template <std::size_t Dim>
void lay_pages(TreeStore<Dim>& store, std::uint32_t added, std::uint32_t behind) noexcept {
    std::uint32_t* const page_of = store.page_of.data();
    // Moves the pages close together, in place.
    std::uint32_t pages = 0;
    for (std::uint32_t place = 0; place < store.layout.places(); ++place) {
        if (page_of[place] != simd::kNoPage) { page_of[pages++] = page_of[place]; }
    }
    if (added != simd::kNoPage) {
        std::uint32_t* const at = std::find(page_of, page_of + pages, behind);
        std::uint32_t* const to = at == page_of + pages ? at : at + 1;
        std::copy_backward(to, page_of + pages, page_of + pages + 1);
        *to = added;
        ++pages;
    }
    // Then moves the pages apart to their new places, from the last to the first.
    store.layout = TreeLayout::roomy(pages);
    store.used = pages;
    std::uint32_t past = store.layout.places();
    for (std::uint32_t i = pages; i-- > 0;) {
        const std::uint32_t place = store.layout.place_of(i);
        const std::uint32_t page = page_of[i];
        std::fill(page_of + place + 1, page_of + past, simd::kNoPage);
        page_of[place] = page;
        store.place_of.data()[page] = place;
        past = place;
    }
    store.fill_nodes();
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template void PageScratch::reserve(const TreeStore<Dim>&, std::size_t);                        \
    template void pack_run(TreeStore<Dim>&, const PageRun&, const PageRun&,                        \
                           const PackSpace&) noexcept;                                             \
    template void lay_pages(TreeStore<Dim>&, std::uint32_t, std::uint32_t) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
