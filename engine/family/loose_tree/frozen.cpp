#include "frozen.hpp"

#include "../../archive/archive_numbers.hpp"
#include "../../archive/save_index.hpp"
#include "../../memory/vector.hpp"
#include "state.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

namespace throng {

namespace {

constexpr std::uint32_t kNumbers = archive_tag("LNUM");
constexpr std::uint32_t kBlocks = archive_tag("BLOC");
constexpr std::uint32_t kHoles = archive_tag("HOLE");
constexpr std::uint32_t kIds = archive_tag("IDS ");

template <std::size_t Dim>
struct LooseNumbers {
    Point<Dim> origin{};
    float side = 0.0f;
    bool laid = false; ///< whether there are squares
    bool configured = false;
    std::uint32_t deepest = 0;
    std::uint64_t count = 0;
    Point<Dim> widest{};

    template <class Self, class Numbers>
    static void name_all(Self& self, Numbers& numbers) {
        numbers.number(self.origin);
        numbers.number(self.side);
        numbers.number(self.laid);
        numbers.number(self.configured);
        numbers.number(self.deepest);
        numbers.number(self.count);
        numbers.number(self.widest);
    }

    [[nodiscard]] bool sound() const noexcept {
        bool sound = side >= 0.0f && deepest >= LooseTree<Dim>::kShallowest &&
                     deepest <= LooseTree<Dim>::kDeepest;
        for (std::size_t a = 0; a < Dim; ++a) {
            sound = sound && widest[a] >= 0.0f;
        }
        return sound;
    }
};

/// A block as words, without the padding between its members.
template <std::size_t Dim>
class BlockWords {
    using Block = LooseBlock<Dim>;
    static constexpr std::uint32_t kChildren = Block::kChildren;
    static constexpr std::size_t kCover = Dim * kChildren;

public:
    static constexpr std::size_t kCount = 2 * kCover + 2 * kChildren + 2;
    using Words = std::array<std::uint32_t, kCount>;

    static Words of(const Block& block) noexcept {
        Words words;
        copy(words.data(), block.lo, kCover);
        copy(words.data() + kCover, block.hi, kCover);
        copy(words.data() + 2 * kCover, block.first, kChildren);
        copy(words.data() + 2 * kCover + kChildren, block.count, kChildren);
        words[kCount - 2] = block.parent;
        words[kCount - 1] =
            block.depth | std::uint32_t{block.inner} << 8 | std::uint32_t{block.changed} << 16;
        return words;
    }

    /// False if a cover is not one, or a bit stands for a child that cannot exist.
    static bool to(const Words& words, Block& block) noexcept {
        copy(block.lo, words.data(), kCover);
        copy(block.hi, words.data() + kCover, kCover);
        copy(block.first, words.data() + 2 * kCover, kChildren);
        copy(block.count, words.data() + 2 * kCover + kChildren, kChildren);
        block.parent = words[kCount - 2];
        const std::uint32_t bits = words[kCount - 1];
        block.depth = static_cast<std::uint8_t>(bits & 0xFF);
        block.inner = static_cast<std::uint8_t>(bits >> 8 & 0xFF);
        block.changed = static_cast<std::uint8_t>(bits >> 16 & 0xFF);
        bool sound =
            bits >> 24 == 0 && block.inner >> kChildren == 0 && block.changed >> kChildren == 0;
        for (std::size_t a = 0; a < Dim; ++a) {
            for (std::uint32_t c = 0; c < kChildren; ++c) {
                sound = sound && !std::isnan(block.lo[a][c]) && !std::isnan(block.hi[a][c]);
            }
        }
        return sound;
    }

private:
    static void copy(void* to, const void* from, std::size_t words) noexcept {
        std::memcpy(to, from, words * sizeof(std::uint32_t));
    }
};

template <std::size_t Dim>
void write_blocks(const LooseBlocks<Dim>& blocks, ArchiveWriter& out) {
    using Words = BlockWords<Dim>;
    const auto bound = static_cast<std::uint32_t>(blocks.bound());
    if (out.begin(kBlocks, std::uint64_t{bound} * Words::kCount)) {
        for (std::uint32_t b = 0; b < bound; ++b) {
            // What a hole holds must not get into the file.
            const auto words = blocks.is_free(b) ? typename Words::Words{} : Words::of(blocks[b]);
            out.add(words.data(), words.size());
        }
        out.end();
    }
    if (out.begin(kHoles, bound - blocks.size())) {
        blocks.for_each_hole([&](std::uint32_t b) { out.add(&b, 1); });
        out.end();
    }
}

/// The blocks, and the holes in the order in which they will be used again.
template <std::size_t Dim>
void read_blocks(ArchiveReader& in, LooseBlocks<Dim>& blocks) {
    using Block = LooseBlock<Dim>;
    using Words = BlockWords<Dim>;
    const std::uint64_t words_there = in.begin(kBlocks);
    const std::uint64_t bound = words_there / Words::kCount;
    if (bound == 0 || bound > kNoNode / Block::kChildren || words_there % Words::kCount != 0) {
        return in.refuse();
    }
    blocks.assign(static_cast<std::size_t>(bound), Block::empty(kNoNode, 0, kNoBucket));
    for (std::uint32_t b = 0; b < bound && in.ok(); ++b) {
        typename Words::Words words;
        in.read(words.data(), words.size());
        if (!Words::to(words, blocks[b])) { in.refuse(); }
    }
    Vector<std::uint32_t> holes;
    if (!in.end() || !in.list(kHoles, holes)) { return; }
    for (std::size_t i = holes.size(); i-- > 0;) {
        if (blocks.is_free(holes[i])) { return in.refuse(); }
        blocks.remove(holes[i]);
    }
    if (blocks.is_free(0)) { return in.refuse(); }
    for (std::uint32_t c = 1; c < Block::kChildren; ++c) {
        if (blocks[0].first[c] != kNoBucket) { in.refuse(); } // the root has no siblings
    }
}

} // namespace

template <std::size_t Dim>
void FrozenIndex<LooseTree<Dim>>::write(const LooseTree<Dim>& tree, ArchiveWriter& out) {
    const auto& state = detail::state_of(tree);
    const AccessCheck::Reading reading(state.access);
    const LooseNumbers<Dim> all = {state.lattice.grid().origin,
                                   state.lattice.side(),
                                   state.lattice.grid().cells[0] != 0,
                                   state.configured,
                                   state.deepest,
                                   state.count,
                                   state.widest};
    NumbersOut numbers;
    all.name_all(all, numbers);
    numbers.write(kNumbers, out);
    write_blocks<Dim>(state.blocks, out);
    state.store.write(out);
    out.section(kIds, state.slot_of_id.data(), state.slot_of_id.size());
}

template <std::size_t Dim>
void FrozenIndex<LooseTree<Dim>>::read(ArchiveReader& in, LooseTree<Dim>& tree) {
    LooseNumbers<Dim> all;
    NumbersIn numbers(kNumbers, in);
    all.name_all(all, numbers);
    if (!numbers.end()) { return; }
    if (!all.sound()) { return in.refuse(); }
    LooseTree<Dim> loaded;
    auto& state = detail::state_of(loaded);
    if (all.laid) { state.lattice = TreeLattice<Dim>(all.origin, all.side); }
    state.configured = all.configured;
    state.deepest = all.deepest;
    state.count = static_cast<std::size_t>(all.count);
    state.widest = all.widest;
    read_blocks<Dim>(in, state.blocks);
    state.store.read(in);
    (void)in.list(kIds, state.slot_of_id);
    if (!in.ok()) { return; }
    state.block_room = state.blocks.bound();
    if (state.slot_of_id.size() > kMaxAgents || !state.find_leaves() ||
        loaded.validate() != nullptr) {
        return in.refuse();
    }
    const AccessCheck::Changing changing(detail::state_of(tree).access);
    detail::state_of(tree) = std::move(state);
}

template struct FrozenIndex<LooseTree<2>>;
template struct FrozenIndex<LooseTree<3>>;

THRONG_FREEZE(LooseTree<2>)
THRONG_FREEZE(LooseTree<3>)

} // namespace throng
