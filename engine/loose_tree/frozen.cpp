#include "frozen.hpp"

#include "../agents/validation.hpp"
#include "../archive/archive_numbers.hpp"
#include "curve_sort.hpp"
#include "state.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace throng {

namespace {

constexpr std::uint32_t kNumbers = archive_tag("TNUM");
constexpr std::uint32_t kPlaces = archive_tag("PLAC");
constexpr std::uint32_t kKeys = archive_tag("PKEY");
constexpr std::uint32_t kFilled = archive_tag("FILL");
constexpr std::uint32_t kLeaves = archive_tag("LEAF");
constexpr std::uint32_t kSlots = archive_tag("SLOT");

constexpr std::uint32_t kWidth = TreeLayout::kWidth;
/// Words for the agent counts of a page's leaves, a byte each.
constexpr std::uint32_t kFilledWords = kWidth / sizeof(std::uint32_t);

template <std::size_t Dim>
struct TreeNumbers {
    CrowdKind<Dim> kind{};
    std::uint32_t laid = 0; ///< pages for which nodes were laid out
    bool roomy = false;     ///< nodes have room for more pages
    std::uint32_t used = 0, agents = 0;
    std::uint32_t newcomers = 0, strays = 0; ///< since all were packed
    Point<Dim> max_half_extent{}, disc{};
    float leaf_edge = 0.0f;
    simd::CurveMap<Dim> curve{};
    bool listed = false;

    template <class Self, class Numbers>
    static void name_all(Self& self, Numbers& numbers) {
        numbers.number(self.kind);
        numbers.number(self.laid);
        numbers.number(self.roomy);
        numbers.number(self.used);
        numbers.number(self.agents);
        numbers.number(self.newcomers);
        numbers.number(self.strays);
        numbers.number(self.max_half_extent);
        numbers.number(self.disc);
        numbers.number(self.leaf_edge);
        for (std::size_t a = 0; a < Dim; ++a) {
            numbers.number(self.curve.origin[a]);
        }
        numbers.number(self.curve.inverse_cell);
        numbers.number(self.curve.bits);
        numbers.number(self.listed);
    }

    [[nodiscard]] bool sound() const noexcept {
        return check_half_extent(max_half_extent).ok() && laid <= TreeLayout::kMostPages &&
               leaf_edge >= 0.0f && check_half_extent(disc).ok() && curve.inverse_cell >= 0.0f &&
               curve.bits <= simd::CurveMap<Dim>::kMostBits;
    }
};

/// Calls call(first, count) for runs of adjacent leaves with agents, in the order of the tree. A
/// tree that was just packed has hardly more than one run.
template <std::size_t Dim, class Call>
void for_each_run(const TreeStore<Dim>& store, const Call& call) {
    std::size_t first = 0;
    std::size_t past = 0;
    store.for_each_page([&](std::uint32_t page) {
        for (std::size_t leaf = std::size_t{page} * kWidth; leaf < (page + std::size_t{1}) * kWidth;
             ++leaf) {
            if (*store.in_leaf(leaf) == 0) { continue; }
            if (leaf != past) {
                if (first != past) { call(first, past - first); }
                first = leaf;
            }
            past = leaf + 1;
        }
    });
    if (first != past) { call(first, past - first); }
}

} // namespace

/// Writes pages in the order of their places, and only the leaves that have agents. In an archive,
/// slots are counted over the pages in that order.
template <std::size_t Dim>
void EditedTree<Dim>::write(ArchiveWriter& out) const {
    const TreeLayout& layout = store_.layout;
    const TreeNumbers<Dim> all = {store_.kind,
                                  layout.count[0],
                                  layout.in_node < kWidth,
                                  store_.used,
                                  static_cast<std::uint32_t>(size_),
                                  newcomers_,
                                  strays_,
                                  store_.max_half_extent,
                                  store_.disc,
                                  store_.leaf_edge,
                                  store_.curve,
                                  listed_};
    NumbersOut numbers;
    all.name_all(all, numbers);
    numbers.write(kNumbers, out);
    std::vector<std::uint32_t> places, keys, filled;
    places.reserve(layout.places());
    keys.reserve(store_.used);
    filled.reserve(std::size_t{store_.used} * kFilledWords);
    for (std::uint32_t place = 0; place < layout.places(); ++place) {
        const std::uint32_t page = store_.page_of.data()[place];
        places.push_back(page != simd::kNoPage ? store_.newcomers.data()[page] : simd::kNoPage);
    }
    store_.for_each_page([&](std::uint32_t page) {
        keys.push_back(store_.first_key.data()[page]);
        const std::uint32_t* const of_page =
            store_.filled.data() + std::size_t{page} * kFilledWords;
        filled.insert(filled.end(), of_page, of_page + kFilledWords);
    });
    out.section(kPlaces, places.data(), places.size());
    out.section(kKeys, keys.data(), keys.size());
    out.section(kFilled, filled.data(), filled.size());
    std::uint64_t leaves = 0;
    for_each_run(store_, [&](std::size_t, std::size_t count) { leaves += count; });
    if (out.begin(kLeaves, leaves * store_.leaf_words())) {
        for_each_run(store_, [&](std::size_t first, std::size_t count) {
            out.add(store_.word(first * kWidth, 0), count * store_.leaf_words());
        });
        out.end();
    }
    if (out.begin(kSlots, listed_ ? bound_ : 0)) {
        std::vector<std::uint32_t> rank(store_.begun);
        std::uint32_t next = 0;
        store_.for_each_page([&](std::uint32_t page) { rank[page] = next++; });
        for (std::size_t id = 0; listed_ && id < bound_; ++id) {
            std::uint32_t slot = slots_.data()[id];
            if (slot != kNoSlot) {
                slot = rank[slot / TreeLayout::kPageSlots] * TreeLayout::kPageSlots +
                       slot % TreeLayout::kPageSlots;
            }
            out.add(&slot, 1);
        }
        out.end();
    }
}

template <std::size_t Dim>
void EditedTree<Dim>::read(ArchiveReader& in) {
    TreeNumbers<Dim> all;
    NumbersIn numbers(kNumbers, in);
    all.name_all(all, numbers);
    if (!numbers.end()) { return; }
    if (!all.sound()) { return in.refuse(); }
    EditedTree loaded;
    TreeStore<Dim>& store = loaded.store_;
    store.kind = all.kind;
    store.max_half_extent = all.max_half_extent;
    store.disc = all.disc;
    store.leaf_edge = all.leaf_edge;
    const TreeLayout layout = all.roomy ? TreeLayout::roomy(all.laid) : TreeLayout::of(all.laid);

    // Takes memory only once the words that ask for it are known to be present and sound.
    std::vector<std::uint32_t> places, keys, filled;
    if (!in.list(kPlaces, places)) { return; }
    constexpr std::uint32_t kMostNewcomers = 1u << 31;
    std::size_t used = 0;
    for (const std::uint32_t newcomers : places) {
        if (newcomers == simd::kNoPage) { continue; }
        if (newcomers >= kMostNewcomers) { return in.refuse(); }
        ++used;
    }
    if (places.size() != layout.places() || used != all.used ||
        (layout.levels == 0) != (used == 0)) {
        return in.refuse();
    }
    if (!in.list(kKeys, keys) || !in.list(kFilled, filled)) { return; }
    if (keys.size() != used || filled.size() != used * kFilledWords) { return in.refuse(); }
    std::uint64_t words = 0, agents = 0;
    for (std::size_t leaf = 0; leaf < used * kWidth; ++leaf) {
        const std::uint8_t some = reinterpret_cast<const std::uint8_t*>(filled.data())[leaf];
        if (some > kWidth) { return in.refuse(); }
        agents += some;
        words += some != 0 ? store.leaf_words() : 0;
    }
    if (agents != all.agents || in.begin(kLeaves) != words) { return in.refuse(); }
    store.reserve_pages(all.used, store.leaf_words());
    store.reserve_nodes(layout);
    store.layout = layout;
    store.begun = store.used = all.used;
    store.curve = all.curve;
    std::copy_n(store.no_curve().larger_than, all.curve.kClasses, store.curve.larger_than);
    if (all.kind.own_half_extents && all.curve.bits != 0) {
        class_by_size(store.curve, store.leaf_edge);
    }
    std::copy(keys.begin(), keys.end(), store.first_key.data());
    std::copy(filled.begin(), filled.end(), store.filled.data());
    std::uint32_t page = 0;
    for (std::uint32_t place = 0; place < places.size(); ++place) {
        const bool there = places[place] != simd::kNoPage;
        store.page_of.data()[place] = there ? page : simd::kNoPage;
        if (!there) { continue; }
        store.place_of.data()[page] = place;
        store.newcomers.data()[page++] = places[place];
    }
    const std::size_t leaves = std::size_t{all.used} * kWidth;
    for_each_run(store, [&](std::size_t first, std::size_t count) {
        in.read(store.word(first * kWidth, 0), count * store.leaf_words());
    });
    if (!in.end()) { return; }
    simd::cover_leaves(store.view(), 0, static_cast<std::uint32_t>(leaves), store.page_node(0));
    store.fill_nodes();
    loaded.bound_ = in.buffer(kSlots, 0, loaded.slots_);
    loaded.listed_ = all.listed;
    loaded.size_ = all.agents;
    loaded.newcomers_ = all.newcomers;
    loaded.strays_ = all.strays;
    if (!in.ok()) { return; }
    if (loaded.bound_ > kMaxAgents || (!all.listed && loaded.bound_ != 0) ||
        loaded.size_ > kMaxAgents || loaded.validate() != nullptr) {
        return in.refuse();
    }
    loaded.view_ = store.view();
    *this = std::move(loaded);
}

template void EditedTree<2>::write(ArchiveWriter&) const;
template void EditedTree<3>::write(ArchiveWriter&) const;
template void EditedTree<2>::read(ArchiveReader&);
template void EditedTree<3>::read(ArchiveReader&);

template <std::size_t Dim>
void FrozenIndex<LooseTree<Dim>>::write(const LooseTree<Dim>& tree, ArchiveWriter& out) {
    const AccessCheck::Reading reading(detail::state_of(tree).access);
    detail::state_of(tree).tree.write(out);
}

template <std::size_t Dim>
void FrozenIndex<LooseTree<Dim>>::read(ArchiveReader& in, LooseTree<Dim>& tree) {
    const AccessCheck::Changing changing(detail::state_of(tree).access);
    detail::state_of(tree).tree.read(in);
}

template struct FrozenIndex<LooseTree<2>>;
template struct FrozenIndex<LooseTree<3>>;

} // namespace throng
