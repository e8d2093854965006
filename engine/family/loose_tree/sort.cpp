#include "sort.hpp"

#include "../../../simd/isa/words4.hpp"
#include "../../../simd/kernels/locate.hpp"
#include "../../agents/float_tile.hpp"
#include "../../agents/validation.hpp"
#include "../../shapes/bounds.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

namespace throng {

namespace {

/// Squares of about this many agents stay in the first cache while they are sorted further.
constexpr std::size_t kSquareAgents = 512;

/// How many agents ahead memory is prefetched.
constexpr std::uint32_t kAhead = 32;

/// The bits of a number below 2^16, every other one.
inline std::uint32_t spread_by_two(std::uint32_t v) noexcept {
    v = (v | v << 8) & 0x00FF'00FFu;
    v = (v | v << 4) & 0x0F0F'0F0Fu;
    v = (v | v << 2) & 0x3333'3333u;
    return (v | v << 1) & 0x5555'5555u;
}

/// The bits of a number below 2^8, every third one.
inline std::uint32_t spread_by_three(std::uint32_t v) noexcept {
    v = (v | v << 8) & 0x0000'F00Fu;
    v = (v | v << 4) & 0x000C'30C3u;
    return (v | v << 2) & 0x0024'9249u;
}

/// The bits of all coordinates, the highest first: in every group of Dim the number of a child.
template <std::size_t Dim, class Key>
void write_keys(const std::uint32_t* x, const std::uint32_t* row, std::size_t count,
                Key* keys) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
        if constexpr (Dim == 2) {
            keys[i] = spread_by_two(x[i]) | spread_by_two(row[i]) << 1;
        } else {
            // A row is z and y.
            const auto eight = [&](unsigned low) {
                return spread_by_three(x[i] >> low & 0xFFu) |
                       spread_by_three(row[i] >> low & 0xFFu) << 1 |
                       spread_by_three(row[i] >> (16 + low) & 0xFFu) << 2;
            };
            keys[i] = Key{eight(8)} << 24 | eight(0);
        }
    }
}

/// Turns counts into where each square begins, from `begin` on.
inline void add_up(std::uint32_t* counts, std::size_t squares, std::uint32_t begin) noexcept {
    for (std::size_t s = 0; s < squares; ++s) {
        const std::uint32_t count = counts[s];
        counts[s] = begin;
        begin += count;
    }
    counts[squares] = begin;
}

/// Scattering moved each entry to the beginning of the next: moves them back.
inline void step_back(std::uint32_t* begins, std::size_t squares, std::uint32_t begin) noexcept {
    std::memmove(begins + 1, begins, squares * sizeof *begins);
    begins[0] = begin;
}

} // namespace

template <std::size_t Dim>
bool LooseTreeSort<Dim>::find_keys(const Agents<Dim>& agents, const TreeLattice<Dim>& lattice,
                                   unsigned levels) {
    const std::size_t count = agents.positions.count;
    const unsigned shift = kKeyBits - kDim * levels;
    simd::CellMap<Dim> map;
    for (std::size_t a = 0; a < Dim; ++a) {
        map.origin[a] = lattice.grid().origin[a];
        map.inverse_cell[a] = lattice.grid().inverse_cell[a];
        map.last_cell[a] = static_cast<float>(lattice.grid().cells[a] - 1);
        map.cells[a] = lattice.grid().cells[a];
    }
    bool sound = true;
    std::array<FloatTile, Dim> tiles;
    std::array<std::uint32_t, kTile + simd::kSlack> x, row;
    for (std::size_t first = 0; first < count; first += kTile) {
        const std::size_t some = std::min(kTile, count - first);
        const float* axis[Dim];
        for (std::size_t a = 0; a < Dim; ++a) {
            axis[a] = tiles[a].read(agents.positions.values(a), first, some);
        }
        sound = simd::locate_rows(map, axis, some, kLargest, row.data()) && sound;
        simd::locate_cells(map, axis[0], some, x.data());
        Key* const keys = keys_.data() + first;
        write_keys<Dim>(x.data(), row.data(), some, keys);
        for (std::size_t i = 0; i < some; ++i) {
            ++top_[keys[i] >> shift];
        }
    }
    return sound;
}

template <std::size_t Dim>
void LooseTreeSort<Dim>::scatter(const Agents<Dim>& agents, unsigned levels) noexcept {
    const std::size_t count = agents.positions.count;
    const unsigned shift = kKeyBits - kDim * levels;
    Record* const out = records();
    std::array<FloatTile, Dim> tiles;
    for (std::size_t first = 0; first < count; first += kTile) {
        const std::size_t some = std::min(kTile, count - first);
        const float* axis[Dim];
        for (std::size_t a = 0; a < Dim; ++a) {
            axis[a] = tiles[a].read(agents.positions.values(a), first, some);
        }
        const Key* const keys = keys_.data() + first;
        for (std::size_t i = 0; i < some; ++i) {
            Record record;
            record.key = keys[i];
            for (std::size_t a = 0; a < Dim; ++a) {
                record.position[a] = axis[a][i];
            }
            record.id = static_cast<Id>(first + i);
            Record* const to = out + top_[keys[i] >> shift]++;
            // The line that this square writes next, asked for early.
            __builtin_prefetch(to + 64 / sizeof(Record), 1);
            *to = record;
        }
    }
}

/// Sorts the agents of a node by the squares at depth `end`.
template <std::size_t Dim>
void LooseTreeSort<Dim>::sort_further(const Waiting& node, unsigned end,
                                      std::uint32_t* begins) noexcept {
    const std::size_t squares = std::size_t{1} << Dim * (end - node.depth);
    const unsigned shift = kKeyBits - kDim * end;
    const Key digits = static_cast<Key>(squares - 1);
    Record* const of_node = records() + node.begin;
    Record* const sorted = scratch();
    std::fill_n(begins, squares + 1, 0u);
    for (std::uint32_t i = 0; i < node.count; ++i) {
        ++begins[of_node[i].key >> shift & digits];
    }
    add_up(begins, squares, 0);
    for (std::uint32_t i = 0; i < node.count; ++i) {
        sorted[begins[of_node[i].key >> shift & digits]++] = of_node[i];
    }
    std::memcpy(of_node, sorted, node.count * sizeof(Record));
    step_back(begins, squares, 0);
    for (std::size_t s = 0; s <= squares; ++s) {
        begins[s] += node.begin;
    }
}

template <std::size_t Dim>
void LooseTreeSort<Dim>::build(std::uint32_t count, unsigned levels, unsigned deepest) {
    using Block = LooseBlock<Dim>;
    constexpr std::uint32_t kChildren = Block::kChildren;
    blocks_.clear();
    blocks_.add(Block::empty(kNoNode, 0, kNoBucket));
    blocks_[0].first[0] = 0;
    blocks_[0].count[0] = count;
    buckets_ = 0;
    constexpr std::uint32_t kRoom = BucketStore<Dim>::kRoom;
    if (count <= kMostInLeaf<Dim>) {
        buckets_ = (count + kRoom - 1) / kRoom;
        return;
    }

    std::array<KeyRange, kDeepestLeaf + 1> ranges;
    ranges[0] = {levels, top_.data()};
    std::array<Waiting, kMostWaiting<Dim>> stack;
    std::size_t waiting = 0;
    stack[waiting++] = {0, 0, count, 0, 0, 0};
    while (waiting > 0) {
        Waiting node = stack[--waiting];
        if (node.depth == ranges[node.range].end) {
            unsigned end = node.depth + 1u;
            while (end < node.depth + kLevelsAtOnce && end < deepest &&
                   node.count >> (Dim * (end - node.depth)) > kMostInLeaf<Dim> / 2) {
                ++end;
            }
            std::uint32_t* const begins = below_[node.range].data();
            sort_further(node, end, begins);
            ranges[++node.range] = {end, begins};
            node.square = 0;
        }
        const KeyRange& range = ranges[node.range];
        const unsigned depth = node.depth + 1u;
        const unsigned shift = Dim * (range.end - depth);

        Block block = Block::empty(node.node, depth, kNoBucket);
        const auto b = static_cast<std::uint32_t>(blocks_.bound());
        for (std::uint32_t c = kChildren; c-- > 0;) {
            const std::uint32_t square = node.square << Dim | c;
            const std::uint32_t begin = range.begins[std::size_t{square} << shift];
            const std::uint32_t in_child = range.begins[std::size_t{square + 1} << shift] - begin;
            block.first[c] = begin;
            block.count[c] = in_child;
            if (in_child > kMostInLeaf<Dim> && depth < deepest) {
                block.inner = static_cast<std::uint8_t>(block.inner | 1u << c);
                stack[waiting++] = {
                    b * kChildren + c, begin, in_child, square, static_cast<std::uint16_t>(depth),
                    node.range};
            } else {
                buckets_ += (in_child + kRoom - 1) / kRoom;
            }
        }
        blocks_.add(block);
        Block& above = blocks_[node.node / kChildren];
        above.first[node.node % kChildren] = b;
        above.inner = static_cast<std::uint8_t>(above.inner | 1u << node.node % kChildren);
    }
}

template <std::size_t Dim>
bool LooseTreeSort<Dim>::sort(const Agents<Dim>& agents, const TreeLattice<Dim>& lattice,
                              unsigned deepest) {
    const std::size_t count = agents.positions.count;
    unsigned levels = 1;
    while (levels < kLevelsAtTop && levels < deepest && count >> (Dim * levels) > kSquareAgents) {
        ++levels;
    }
    const std::size_t squares = std::size_t{1} << Dim * levels;
    if (keys_.size() < count) { keys_.resize(count); }
    constexpr std::size_t kRecordWords = sizeof(Record) / sizeof(std::uint32_t);
    records_.reserve((count + kAhead + 4) * kRecordWords);
    std::fill_n(records() + count, kAhead + 4, Record{});
    top_.reserve(kSquaresAtTop + 1);
    top_.assign(squares + 1, 0);

    if (!find_keys(agents, lattice, levels)) { return false; }
    const std::uint32_t most = *std::max_element(top_.begin(), top_.end());
    scratch_.reserve(std::size_t{most} * kRecordWords);
    add_up(top_.data(), squares, 0);
    scatter(agents, levels);
    step_back(top_.data(), squares, 0);
    build(static_cast<std::uint32_t>(count), levels, deepest);
    return true;
}

/// The least and the greatest positions so far, four at a time.
template <std::size_t Dim>
struct LooseTreeSort<Dim>::Extremes {
    std::array<simd::Floats4, Dim> low, high;

    Extremes() noexcept {
        low.fill(simd::four_times(LooseBlock<Dim>::kFar));
        high.fill(simd::four_times(-LooseBlock<Dim>::kFar));
    }
    void take(std::size_t a, simd::Floats4 x) noexcept {
        low[a] = x < low[a] ? x : low[a];
        high[a] = x > high[a] ? x : high[a];
    }
    [[nodiscard]] Box<Dim> box() const noexcept {
        Box<Dim> box;
        for (std::size_t a = 0; a < Dim; ++a) {
            box.lo[a] = std::min(std::min(low[a][0], low[a][1]), std::min(low[a][2], low[a][3]));
            box.hi[a] =
                std::max(std::max(high[a][0], high[a][1]), std::max(high[a][2], high[a][3]));
        }
        return box;
    }
};

/// Turns records into the arrays of a bucket, four at a time. If the last four are fewer, the first
/// of them fills the gaps.
template <std::size_t Dim>
[[gnu::always_inline]] inline void
LooseTreeSort<Dim>::fill_bucket(const Record* from, std::uint32_t count, std::uint32_t bucket,
                                std::uint32_t* words, std::uint32_t* slot_of_id,
                                Extremes& extremes) noexcept {
    constexpr std::uint32_t kRoom = BucketStore<Dim>::kRoom;
    static_assert(kRoom % 4 == 0);
    // The last four words are the id and, just before it, the position.
    static_assert(sizeof(Record) >= 16 && offsetof(Record, id) + 4 == sizeof(Record));
    for (std::uint32_t i = 0; i < count; i += 4) {
        std::array<simd::Words4, 4> columns;
        for (std::uint32_t k = 0; k < 4; ++k) {
            const std::uint32_t which = i + k < count ? i + k : i;
            const Record& record = from[which];
            slot_of_id[record.id] = bucket * kRoom + which;
            // They are in random order in memory: asked for early.
            __builtin_prefetch(slot_of_id + from[i + k + kAhead].id, 1);
            columns[k] = simd::load_words4(reinterpret_cast<const char*>(&record + 1) - 16);
        }
        simd::transpose(columns[0], columns[1], columns[2], columns[3]);
        for (std::size_t a = 0; a < Dim; ++a) {
            const simd::Words4 x = columns[3 - Dim + a];
            simd::store_words4(words + a * kRoom + i, x);
            extremes.take(a, std::bit_cast<simd::Floats4>(x));
        }
        simd::store_words4(words + Dim * kRoom + i, columns[3]);
    }
}

template <std::size_t Dim>
Point<Dim> LooseTreeSort<Dim>::fill(const Agents<Dim>& agents, BucketStore<Dim>& store,
                                    std::uint32_t* slot_of_id,
                                    std::uint32_t* leaf_of_bucket) noexcept {
    using Block = LooseBlock<Dim>;
    constexpr std::uint32_t kRoom = BucketStore<Dim>::kRoom;
    const CrowdKind<Dim>& kind = store.kind();
    Point<Dim> largest = kind.common_half_extent;
    for (std::uint32_t b = 0; b < blocks_.bound(); ++b) {
        Block& block = blocks_[b];
        for (std::uint32_t c = 0; c < Block::kChildren; ++c) {
            if (block.is_inner(c)) { continue; }
            const std::uint32_t count = block.count[c];
            const Record* from = records() + block.first[c];
            block.first[c] = kNoBucket;
            if (count == 0) { continue; }
            const std::uint32_t buckets = (count + kRoom - 1) / kRoom;
            const std::uint32_t first = store.take(buckets);
            block.first[c] = first;
            Extremes extremes;
            // Only the head may have room left.
            std::uint32_t in_bucket = count - (buckets - 1) * kRoom;
            for (std::uint32_t bucket = first; bucket < first + buckets; ++bucket) {
                store.link(bucket, bucket + 1 < first + buckets ? bucket + 1 : kNoBucket,
                           in_bucket);
                leaf_of_bucket[bucket] = b * Block::kChildren + c;
                fill_bucket(from, in_bucket, bucket, store.words(bucket), slot_of_id, extremes);
                from += in_bucket;
                in_bucket = kRoom;
            }
            if (!kind.own_half_extents) {
                const Box<Dim> box = extremes.box();
                block.grow(c, cover_of(box.lo, kind.common_half_extent));
                block.grow(c, cover_of(box.hi, kind.common_half_extent));
            }
            if (kind.own_half_extents || kind.groups) {
                fill_rest(agents, store, block, c, largest);
            }
        }
    }
    // Children come behind their parents.
    for (auto b = static_cast<std::uint32_t>(blocks_.bound()); b-- > 1;) {
        const Block& block = blocks_[b];
        blocks_[block.parent / Block::kChildren].set_cover(block.parent % Block::kChildren,
                                                           block.cover_of_all());
    }
    return largest;
}

/// Extents and masks of a leaf's agents, and what they cover.
template <std::size_t Dim>
void LooseTreeSort<Dim>::fill_rest(const Agents<Dim>& agents, BucketStore<Dim>& store,
                                   LooseBlock<Dim>& block, std::uint32_t c,
                                   Point<Dim>& largest) noexcept {
    constexpr std::uint32_t kRoom = BucketStore<Dim>::kRoom;
    using Fields = simd::Fields<Dim>;
    const CrowdKind<Dim>& kind = store.kind();
    for (std::uint32_t bucket = block.first[c]; bucket != kNoBucket; bucket = store.next(bucket)) {
        std::uint32_t* const words = store.words(bucket);
        for (std::uint32_t i = 0; i < store.count(bucket); ++i) {
            const Id id = words[Fields::kId * kRoom + i];
            if (kind.groups) {
                words[Fields::groups(kind.own_half_extents) * kRoom + i] = agents.groups[id];
            }
            if (!kind.own_half_extents) { continue; }
            Point<Dim> half;
            for (std::size_t a = 0; a < Dim; ++a) {
                half[a] = agents.half_extents.values(a)[id];
                largest[a] = std::max(largest[a], half[a]);
                words[(Fields::kHalfExtent + a) * kRoom + i] =
                    std::bit_cast<std::uint32_t>(half[a]);
            }
            block.grow(c, cover_of(store.position(bucket * kRoom + i), half));
        }
    }
}

template <std::size_t Dim>
std::size_t LooseTreeSort<Dim>::memory() const noexcept {
    return keys_.capacity() * sizeof(Key) + top_.capacity() * sizeof(std::uint32_t) +
           records_.bytes() + scratch_.bytes() + blocks_.memory();
}

template class LooseTreeSort<2>;
template class LooseTreeSort<3>;

} // namespace throng
