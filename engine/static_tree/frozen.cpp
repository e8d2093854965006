#include "frozen.hpp"

#include "../agents/validation.hpp"
#include "../archive/archive_numbers.hpp"
#include "state.hpp"

#include <cstring>
#include <utility>

namespace throng {

namespace {

constexpr std::uint32_t kNumbers = archive_tag("TNUM");
constexpr std::uint32_t kLeaves = archive_tag("LEAF");
constexpr std::uint32_t kWaiting = archive_tag("WAIT");
constexpr std::uint32_t kNodes = archive_tag("NODE");
constexpr std::uint32_t kSlots = archive_tag("SLOT");

template <std::size_t Dim>
struct TreeNumbers {
    CrowdKind<Dim> kind{};
    bool laid = false; ///< whether there is a layout, if only for no agents
    std::uint32_t packed = 0, waiting = 0, dead = 0;
    Point<Dim> max_half_extent{}, disc{};
    float leaf_edge = 0.0f;
    bool listed = false;

    template <class Self, class Numbers>
    static void name_all(Self& self, Numbers& numbers) {
        numbers.number(self.kind);
        numbers.number(self.laid);
        numbers.number(self.packed);
        numbers.number(self.waiting);
        numbers.number(self.dead);
        numbers.number(self.max_half_extent);
        numbers.number(self.disc);
        numbers.number(self.leaf_edge);
        numbers.number(self.listed);
    }

    [[nodiscard]] TreeLayout layout() const noexcept {
        return laid ? TreeLayout::of(packed) : TreeLayout{};
    }
    [[nodiscard]] bool sound() const noexcept {
        return check_half_extent(max_half_extent).ok() && packed <= kMaxPacked &&
               (laid || packed == 0) && dead <= packed && waiting <= layout().waiting_room() &&
               leaf_edge >= 0.0f;
    }
};

/// The number of leaves that hold this many waiting agents.
std::size_t leaves_for(std::uint32_t waiting) noexcept {
    return (std::size_t{waiting} + TreeLayout::kWidth - 1) / TreeLayout::kWidth;
}

/// Reads words, which must be `count`, into a buffer of `room`. The buffer is allocated when the
/// words are known to be there; the places behind them get no id, and NaN for a position.
bool read_into(WordBuffer& buffer, std::size_t room, std::uint32_t tag, std::size_t count,
               ArchiveReader& in) {
    if (in.begin(tag) != count) { in.refuse(); }
    if (!in.ok()) { return false; }
    buffer = WordBuffer(room);
    in.read(buffer.data(), count);
    if (room != count) {
        std::memset(buffer.data() + count, 0xFF, (room - count) * sizeof(std::uint32_t));
    }
    return in.end();
}

} // namespace

template <std::size_t Dim>
void EditedTree<Dim>::write(ArchiveWriter& out) const {
    const TreeLayout& layout = store_.layout;
    const TreeNumbers<Dim> all = {
        store_.kind, layout.waiting_nodes != 0, layout.packed, store_.waiting,
        store_.dead, store_.max_half_extent,    store_.disc,   store_.leaf_edge,
        listed_};
    NumbersOut numbers;
    all.name_all(all, numbers);
    numbers.write(kNumbers, out);
    const std::size_t leaf_words = store_.leaf_words();
    out.section(kLeaves, store_.leaves.data(), layout.leaves() * leaf_words);
    out.section(kWaiting, store_.word(layout.first_waiting(), 0),
                leaves_for(store_.waiting) * leaf_words);
    out.section(kNodes, store_.nodes.data(), layout.nodes() * TreeStore<Dim>::kNodeWords);
    out.section(kSlots, slots_.data(), listed_ ? bound_ : 0);
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
    const TreeLayout layout = all.layout();
    store.kind = all.kind;
    store.layout = layout;
    store.waiting = all.waiting;
    store.dead = all.dead;
    store.max_half_extent = all.max_half_extent;
    store.disc = all.disc;
    store.leaf_edge = all.leaf_edge;
    const std::size_t node_words = layout.nodes() * TreeStore<Dim>::kNodeWords;
    const std::size_t waiting_words = leaves_for(all.waiting) * store.leaf_words();
    if (!read_into(store.leaves, layout.slots() * store.fields(), kLeaves,
                   layout.leaves() * store.leaf_words(), in) ||
        !in.section(kWaiting, store.word(layout.first_waiting(), 0), waiting_words) ||
        !read_into(store.nodes, node_words, kNodes, node_words, in)) {
        return;
    }
    loaded.bound_ = in.buffer(kSlots, 0, loaded.slots_);
    loaded.listed_ = all.listed;
    loaded.size_ = std::size_t{all.packed} - all.dead + all.waiting;
    if (!in.ok()) { return; }
    if (loaded.bound_ > kMaxAgents || (!all.listed && loaded.bound_ != 0) ||
        loaded.validate() != nullptr) {
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
void FrozenIndex<StaticTree<Dim>>::write(const StaticTree<Dim>& tree, ArchiveWriter& out) {
    const AccessCheck::Reading reading(detail::state_of(tree).access);
    detail::state_of(tree).tree.write(out);
}

template <std::size_t Dim>
void FrozenIndex<StaticTree<Dim>>::read(ArchiveReader& in, StaticTree<Dim>& tree) {
    const AccessCheck::Changing changing(detail::state_of(tree).access);
    detail::state_of(tree).tree.read(in);
}

template struct FrozenIndex<StaticTree<2>>;
template struct FrozenIndex<StaticTree<3>>;

} // namespace throng
