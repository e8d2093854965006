// Packs everything anew: agents are split into buckets along the curve, and each bucket is sorted
// straight into leaves while it is in the cache. Both steps keep the order of agents, so the result
// depends neither on the number of blocks nor on which threads run them, or when. Until commit()
// only scratch memory is touched.
//
// Memory is read four times: to survey, to find the keys, to fill the buckets, to sort them. The
// leaves are read once more for their covers. That is some 170 bytes an agent in the plane, and 27
// ns an agent at a million agents.
//
// Alternatives, measured there with a batch of boxes that find 5 agents each. The Hilbert order
// taken here: 121 ns a box. Morton order: 192 ns. Sort-tile-recursive by std::sort: 120 ns, and 200
// ns more to build. The same for the nodes of every level: 84 ns, and 190 more. Tiles under each
// node of level 2 alone, by counting: 110 ns, and 27 more.
#include "tree_packing.hpp"

#include "../agents/float_tile.hpp"
#include "../agents/validation.hpp"
#include "../core/assert.hpp"
#include "curve_sort.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace throng {

namespace {

/// The usual length of a block. Blocks are shorter if there would be too few for the threads, and
/// longer if there would be too many, since each has a counter for every prefix.
constexpr std::size_t kBlock = 16384;
constexpr std::size_t kShortestBlock = 1024;
constexpr std::size_t kBlocksOfThread = 4;
constexpr std::size_t kBlocks = 128;

/// Buckets of about this many agents fit the second-level cache; they are smaller if there are more
/// threads than buckets. With more than kBuckets buckets there are more write streams than the
/// first-level cache and the cache of addresses can hold.
constexpr std::size_t kBucketAgents = 2048;
constexpr std::size_t kSmallestBucket = 512;
constexpr std::size_t kBuckets = 1024;
constexpr unsigned kMostPrefixBits = 14;

/// Neighbouring buckets are sorted by one task, which reuses its scratch.
constexpr std::size_t kGroups = 64;

/// Prefixes whose counters one task adds up.
constexpr std::size_t kPrefixesAdded = 1024;
/// Nanoseconds for a counter, when counters are added up.
constexpr double kAddUp = 0.5;

/// With a progress callback, each phase is cut into this many parts.
constexpr std::size_t kParts = 8;

/// A phase of the work: the fractions of all work that are done before it and after it, and its
/// nanoseconds for an agent, good enough to choose the number of threads.
struct PhaseOf {
    float from, to;
    double agent;
};

constexpr PhaseOf kSurvey = {0.0f, 0.1f, 0.5}, kCount = {0.1f, 0.3f, 3.0},
                  kScatter = {0.3f, 0.5f, 2.0}, kSort = {0.5f, 0.95f, 8.0},
                  kCover = {0.95f, 1.0f, 1.5};

/// Calls run(first, blocks) for all blocks: at once, or in parts with a progress call after each.
template <class Run>
Status run_phase(std::size_t blocks, const PhaseOf& phase, const Progress& progress,
                 const Run& run) {
    const std::size_t parts = progress ? std::clamp<std::size_t>(blocks, 1, kParts) : 1;
    for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t first = blocks * part / parts;
        const Status status = run(first, blocks * (part + 1) / parts - first);
        if (!status.ok()) { return {status.cause, status.argument, status.index + first}; }
        const float done = static_cast<float>(part + 1) / static_cast<float>(parts);
        if (!progress.goes_on(phase.from + done * (phase.to - phase.from))) {
            return {Cause::cancelled, Argument::progress};
        }
    }
    return {};
}

} // namespace

/// Reads tiles of the arrays of a view: of positions, or of half extents.
template <std::size_t Dim>
class TreePacking<Dim>::Tiles {
public:
    const float* axis[Dim];

    void read(const PointView<Dim>& view, std::size_t begin, std::size_t count) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            axis[a] = tiles_[a].read(view.values(a), begin, count);
        }
    }

private:
    std::array<FloatTile, Dim> tiles_;
};

template <std::size_t Dim>
std::size_t PackingStaging<Dim>::bytes() const noexcept {
    return keys.bytes() + records.bytes() + scratch.bytes() +
           surveys.capacity() * sizeof(simd::Survey<Dim>) +
           (counts.capacity() + prefix_agents.capacity() + cursors.capacity()) *
               sizeof(std::uint32_t) +
           bucket_of.capacity() * sizeof(std::uint16_t) +
           (bucket_begin.capacity() + group_scratch.capacity()) * sizeof(std::size_t) +
           claims.memory();
}

template <std::size_t Dim>
TreePacking<Dim>::TreePacking(const Agents<Dim>& agents, const CrowdKind<Dim>& kind,
                              const std::uint32_t* ids, TreeStore<Dim>& store,
                              PackingStaging<Dim>& staging) noexcept
    : agents_(agents), ids_(ids), store_(store), staging_(staging), kind_(kind),
      fields_(Fields::count(kind_.own_half_extents, kind_.groups)) {}

template <std::size_t Dim>
Status TreePacking<Dim>::pack(Executor& executor, const Progress& progress) {
    const Status status = prepare(executor, progress);
    return status.ok() ? replace(executor, progress) : status;
}

template <std::size_t Dim>
Status TreePacking<Dim>::prepare(Executor& executor, const Progress& progress) {
    const auto run = [&](const PhaseOf& phase, const auto& body) {
        return run_phase(plan_.blocks, phase, progress, [&](std::size_t first, std::size_t count) {
            return run_blocks(
                executor, count, [&](std::size_t block) { body(first + block); }, staging_.claims,
                cost_of(count, plan_.blocks, phase.agent));
        });
    };
    if (const Status status = check_views(agents_); !status.ok()) { return status; }
    plan_blocks(executor.threads());
    if (plan_.agents > kMaxPacked) { return {Cause::too_many, Argument::positions, kMaxPacked}; }
    layout_ = TreeLayout::of(TreeLayout::pages_for(plan_.agents));
    staging_.surveys.resize(plan_.blocks);
    staging_.keys.reserve(plan_.agents + simd::kSlack);

    if (const Status status = run(kSurvey, [&](std::size_t block) { survey_block(block); });
        !status.ok()) {
        return status;
    }
    merge_surveys();
    if (!survey_.sound) {
        const Status wrong = check_agents(agents_); // finds the first fault
        // If the scalar check finds no fault, the executor's threads use another rounding mode.
        return wrong.ok() ? Status{Cause::executor_failed, Argument::executor} : wrong;
    }
    choose_curve();
    staging_.counts.resize(plan_.blocks * plan_.prefixes);
    if (const Status status = run(kCount, [&](std::size_t block) { count_block(block); });
        !status.ok()) {
        return status;
    }
    if (const Status status = cut_buckets(executor); !status.ok()) { return status; }
    allocate();
    return run(kScatter, [&](std::size_t block) { scatter_block(block); });
}

template <std::size_t Dim>
void TreePacking<Dim>::plan_blocks(std::size_t threads) noexcept {
    plan_.agents = agents_.positions.count;
    const std::size_t shared = threads < 2 ? kBlock : plan_.agents / (kBlocksOfThread * threads);
    const std::size_t length =
        std::max(std::clamp(shared, kShortestBlock, kBlock), plan_.agents / kBlocks + 1);
    plan_.block = (length + kFloatTile - 1) / kFloatTile * kFloatTile;
    plan_.blocks = (plan_.agents + plan_.block - 1) / plan_.block;
    // All buckets except the last have at least this many agents, so there are at most kBuckets.
    plan_.bucket =
        std::max(std::clamp(shared, kSmallestBucket, kBucketAgents), plan_.agents / kBuckets + 1);
    plan_.finished = static_cast<std::uint32_t>(plan_.block / TreeLayout::kPageSlots);
}

template <std::size_t Dim>
void TreePacking<Dim>::survey_block(std::size_t block) noexcept {
    const std::size_t end = std::min((block + 1) * plan_.block, plan_.agents);
    simd::Survey<Dim> survey = empty_survey<Dim>();
    Tiles positions;
    Tiles halves;
    for (std::size_t first = block * plan_.block; first < end; first += kFloatTile) {
        const std::size_t count = std::min(kFloatTile, end - first);
        positions.read(agents_.positions, first, count);
        if (kind_.own_half_extents) { halves.read(agents_.half_extents, first, count); }
        simd::survey(survey, positions.axis, kind_.own_half_extents ? halves.axis : nullptr, count,
                     kLargest);
    }
    staging_.surveys[block] = survey;
}

template <std::size_t Dim>
void TreePacking<Dim>::merge_surveys() noexcept {
    survey_ = empty_survey<Dim>();
    for (std::size_t block = 0; block < plan_.blocks; ++block) {
        const simd::Survey<Dim>& some = staging_.surveys[block];
        survey_.sound = survey_.sound && some.sound;
        for (std::size_t a = 0; a < Dim; ++a) {
            survey_.lo[a] = std::min(survey_.lo[a], some.lo[a]);
            survey_.hi[a] = std::max(survey_.hi[a], some.hi[a]);
            survey_.largest[a] = std::max(survey_.largest[a], some.largest[a]);
            survey_.disc[a] = std::max(survey_.disc[a], some.disc[a]);
        }
    }
    // Which of -0 and +0 is the lowest depends on the cut into blocks. Adding +0 makes all zeros
    // +0, so that the tree does not depend on threads.
    for (std::size_t a = 0; a < Dim; ++a) {
        survey_.lo[a] += 0.0f;
        survey_.hi[a] += 0.0f;
        survey_.largest[a] += 0.0f;
        survey_.disc[a] += 0.0f;
    }
}

template <std::size_t Dim>
void TreePacking<Dim>::choose_curve() noexcept {
    lay_curve(curve_, survey_.lo, survey_.hi, plan_.agents);
    // With agents spread evenly, a leaf's side would be one to two times `edge`.
    const auto agents = static_cast<double>(std::max<std::size_t>(plan_.agents, 1));
    double widest = 0.0;
    for (std::size_t a = 0; a < Dim; ++a) {
        widest = std::max(widest, static_cast<double>(survey_.hi[a]) - survey_.lo[a]);
    }
    double room = TreeLayout::kWidth / agents;
    for (std::size_t a = 0; a < Dim; ++a) {
        room *= std::max(static_cast<double>(survey_.hi[a]) - survey_.lo[a], widest / agents);
    }
    double edge = widest;
    while (edge > 0.0 && (Dim == 2 ? edge * edge : edge * edge * edge) > room) {
        edge *= 0.5;
    }
    leaf_edge_ = static_cast<float>(edge);
    unsigned key_bits = Dim * curve_.bits;
    if (kind_.own_half_extents) { key_bits += class_by_size(curve_, leaf_edge_); }
    const auto wanted = static_cast<unsigned>(std::bit_width(plan_.agents / 256)) + 2;
    const unsigned prefix_bits = std::min({wanted, kMostPrefixBits, key_bits});
    plan_.prefix_shift = key_bits - prefix_bits;
    plan_.prefixes = std::size_t{1} << prefix_bits;
}

template <std::size_t Dim>
void TreePacking<Dim>::count_block(std::size_t block) noexcept {
    const std::size_t end = std::min((block + 1) * plan_.block, plan_.agents);
    std::uint32_t* const counts = staging_.counts.data() + block * plan_.prefixes;
    std::fill_n(counts, plan_.prefixes, 0u);
    const unsigned shift = plan_.prefix_shift;
    Tiles positions;
    Tiles halves;
    std::array<std::uint32_t, kFloatTile + simd::kSlack> keys;
    for (std::size_t first = block * plan_.block; first < end; first += kFloatTile) {
        const std::size_t count = std::min(kFloatTile, end - first);
        positions.read(agents_.positions, first, count);
        if (kind_.own_half_extents) { halves.read(agents_.half_extents, first, count); }
        simd::curve_keys(curve_, positions.axis, kind_.own_half_extents ? halves.axis : nullptr,
                         count, keys.data());
        // Keys go through an array of their own: a kernel writes past the end, and would overwrite
        // the next block's keys.
        std::copy_n(keys.data(), count, staging_.keys.data() + first);
        for (std::size_t i = 0; i < count; ++i) {
            ++counts[keys[i] >> shift];
        }
    }
}

/// Joins prefixes into buckets, and finds the place where each block writes its part of each
/// bucket.
template <std::size_t Dim>
Status TreePacking<Dim>::cut_buckets(Executor& executor) {
    const std::size_t prefixes = plan_.prefixes;
    const LoopCost cost = LoopCost::of(plan_.blocks * prefixes, kAddUp);
    staging_.prefix_agents.resize(prefixes);
    // Adds block by block, not prefix by prefix: the counters of one prefix are far apart in
    // memory.
    const auto add_prefixes = [&](std::size_t part) {
        const std::size_t first = part * kPrefixesAdded;
        const std::size_t past = std::min(first + kPrefixesAdded, prefixes);
        std::uint32_t* const sums = staging_.prefix_agents.data();
        std::fill(sums + first, sums + past, 0u);
        for (std::size_t block = 0; block < plan_.blocks; ++block) {
            const std::uint32_t* const counts = staging_.counts.data() + block * prefixes;
            for (std::size_t prefix = first; prefix < past; ++prefix) {
                sums[prefix] += counts[prefix];
            }
        }
    };
    Status status = run_blocks(executor, (prefixes + kPrefixesAdded - 1) / kPrefixesAdded,
                               add_prefixes, staging_.claims, cost);
    if (!status.ok()) { return status; }
    staging_.bucket_of.resize(prefixes);
    staging_.bucket_begin.assign(1, 0);
    std::size_t agents = 0;
    for (std::size_t prefix = 0; prefix < prefixes; ++prefix) {
        if (agents - staging_.bucket_begin.back() >= plan_.bucket) {
            staging_.bucket_begin.push_back(agents);
        }
        staging_.bucket_of[prefix] = static_cast<std::uint16_t>(staging_.bucket_begin.size() - 1);
        agents += staging_.prefix_agents[prefix];
    }
    staging_.bucket_begin.push_back(agents);
    plan_.buckets = staging_.bucket_begin.size() - 1;
    THRONG_ASSERT(plan_.buckets <= kBuckets + 1);
    plan_.groups = std::min(plan_.buckets, kGroups);

    staging_.cursors.resize(plan_.blocks * plan_.buckets);
    const auto add_buckets = [&](std::size_t block) {
        const std::uint32_t* const counts = staging_.counts.data() + block * prefixes;
        std::uint32_t* const sums = staging_.cursors.data() + block * plan_.buckets;
        std::fill_n(sums, plan_.buckets, 0u);
        for (std::size_t prefix = 0; prefix < prefixes; ++prefix) {
            sums[staging_.bucket_of[prefix]] += counts[prefix];
        }
    };
    status = run_blocks(executor, plan_.blocks, add_buckets, staging_.claims, cost);
    if (!status.ok()) { return status; }
    Vector<std::size_t>& next = staging_.group_scratch; // not yet in use
    next.assign(staging_.bucket_begin.begin(), staging_.bucket_begin.end());
    for (std::size_t block = 0; block < plan_.blocks; ++block) {
        std::uint32_t* const cursors = staging_.cursors.data() + block * plan_.buckets;
        for (std::size_t bucket = 0; bucket < plan_.buckets; ++bucket) {
            const std::uint32_t here = cursors[bucket];
            cursors[bucket] = static_cast<std::uint32_t>(next[bucket]);
            next[bucket] += here;
        }
    }
    return {};
}

template <std::size_t Dim>
void TreePacking<Dim>::allocate() {
    staging_.records.reserve(plan_.agents * record_words());
    staging_.group_scratch.assign(plan_.groups + 1, 0);
    std::size_t words = 0;
    for (std::size_t group = 0; group < plan_.groups; ++group) {
        std::size_t most = 0;
        for (std::size_t b = first_bucket(group); b < first_bucket(group + 1); ++b) {
            most = std::max(most, staging_.bucket_begin[b + 1] - staging_.bucket_begin[b]);
        }
        words += curve_sort_scratch(most);
        staging_.group_scratch[group + 1] = words;
    }
    staging_.scratch.reserve(words);
    const std::size_t pages = layout_.count[0];
    staging_.claims.prepare(
        std::max({plan_.blocks, plan_.groups, pages / plan_.finished + std::size_t{1}}));
    // A little more than needed, so that a crowd that grows and shrinks does not reallocate.
    store_.reserve_pages(std::max<std::size_t>(pages + pages / 32, store_.begun),
                         std::size_t{fields_} * TreeLayout::kWidth);
    store_.reserve_nodes(layout_);
}

/// Copies a block's agents to the buckets, as records that lie in one piece: one write stream a
/// bucket.
template <std::size_t Dim>
void TreePacking<Dim>::scatter_block(std::size_t block) noexcept {
    switch (fields_) {
    case Dim + 1:
        return scatter_fields<Dim + 1>(block);
    case Dim + 2:
        return scatter_fields<Dim + 2>(block);
    case 2 * Dim + 1:
        return scatter_fields<2 * Dim + 1>(block);
    default:
        return scatter_fields<2 * Dim + 2>(block);
    }
}

template <std::size_t Dim>
template <std::size_t kFields>
void TreePacking<Dim>::scatter_fields(std::size_t block) noexcept {
    constexpr std::size_t kRecord = kFields + 1;
    constexpr bool kHalves = kFields >= 2 * Dim + 1;
    constexpr bool kMasks = kFields == Dim + 2 || kFields == 2 * Dim + 2;
    const std::size_t end = std::min((block + 1) * plan_.block, plan_.agents);
    const unsigned shift = plan_.prefix_shift;
    const std::uint16_t* const bucket_of = staging_.bucket_of.data();
    std::uint32_t* const records = staging_.records.data();
    // A copy, so that a block that is run again writes the same places.
    std::array<std::uint32_t, kBuckets + 1> cursors;
    std::copy_n(staging_.cursors.data() + block * plan_.buckets, plan_.buckets, cursors.data());
    Tiles positions;
    Tiles halves;
    for (std::size_t first = block * plan_.block; first < end; first += kFloatTile) {
        const std::size_t count = std::min(kFloatTile, end - first);
        positions.read(agents_.positions, first, count);
        if constexpr (kHalves) { halves.read(agents_.half_extents, first, count); }
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t key = staging_.keys.data()[first + i];
            std::uint32_t* const record =
                records + std::size_t{cursors[bucket_of[key >> shift]]++} * kRecord;
            // Fetches the cache line that this bucket writes next.
            __builtin_prefetch(record + 16, 1);
            record[0] = key;
            for (std::size_t a = 0; a < Dim; ++a) {
                record[1 + a] = std::bit_cast<std::uint32_t>(positions.axis[a][i]);
            }
            record[1 + Dim] =
                ids_ != nullptr ? ids_[first + i] : static_cast<std::uint32_t>(first + i);
            if constexpr (kHalves) {
                for (std::size_t a = 0; a < Dim; ++a) {
                    record[2 + Dim + a] = std::bit_cast<std::uint32_t>(halves.axis[a][i]);
                }
            }
            if constexpr (kMasks) { record[kFields] = agents_.groups[first + i]; }
        }
    }
}

template <std::size_t Dim>
Status TreePacking<Dim>::replace(Executor& executor, const Progress& progress) {
    const auto run = [&](std::size_t blocks, const PhaseOf& phase, const auto& body) {
        return run_phase(blocks, phase, progress, [&](std::size_t first, std::size_t count) {
            finish_blocks(
                executor, count, [&](std::size_t block) { body(first + block); }, staging_.claims,
                cost_of(count, blocks, phase.agent));
            return Status{};
        });
    };
    store_.kind = kind_;
    store_.layout = layout_;
    store_.begun = store_.used = layout_.count[0];
    store_.free = simd::kNoPage;
    for (std::size_t a = 0; a < Dim; ++a) {
        store_.max_half_extent[a] =
            kind_.own_half_extents ? survey_.largest[a] : kind_.common_half_extent[a];
        store_.disc[a] = survey_.disc[a];
    }
    store_.leaf_edge = leaf_edge_;
    keep_curve();
    const auto sort = [&](std::size_t group) { sort_group(group); };
    if (const Status status = run(plan_.groups, kSort, sort); !status.ok()) { return status; }
    const std::size_t pages = layout_.count[0];
    const auto finish = [&](std::size_t block) { finish_block(block); };
    const Status status = run((pages + plan_.finished - 1) / plan_.finished, kCover, finish);
    if (!status.ok()) { return status; }
    store_.fill_nodes();
    return {};
}

/// Gives the store the curve of the packing, but with as many bits as a key can have: the longer
/// key of a position begins with its shorter key.
template <std::size_t Dim>
void TreePacking<Dim>::keep_curve() noexcept {
    store_.curve = store_.no_curve();
    if (plan_.agents == 0) { return; }
    const unsigned more = simd::CurveMap<Dim>::kMostBits - curve_.bits;
    key_shift_ = Dim * more;
    store_.curve = curve_;
    store_.curve.bits += more;
    store_.curve.inverse_cell *= static_cast<float>(1u << more);
    if (!std::isfinite(store_.curve.inverse_cell)) { store_.curve.inverse_cell = 0.0f; }
}

/// Gives the pages of a block their places, and their leaves their counts and covers.
template <std::size_t Dim>
void TreePacking<Dim>::finish_block(std::size_t block) noexcept {
    constexpr std::uint32_t kWidth = TreeLayout::kWidth;
    const auto first = static_cast<std::uint32_t>(block) * plan_.finished;
    const std::uint32_t last = std::min(first + plan_.finished, layout_.count[0]);
    // Clears the places up to the next block's first page; the last block clears all that are left.
    const std::uint32_t past = last == layout_.count[0] ? layout_.places() : layout_.place_of(last);
    std::fill(store_.page_of.data() + layout_.place_of(first), store_.page_of.data() + past,
              simd::kNoPage);
    for (std::uint32_t page = first; page < last; ++page) {
        const std::uint32_t place = layout_.place_of(page);
        store_.page_of.data()[place] = page;
        store_.place_of.data()[page] = place;
        store_.newcomers.data()[page] = 0;
        std::size_t left = plan_.agents - std::size_t{page} * TreeLayout::kPageSlots;
        left = std::min<std::size_t>(left, TreeLayout::kPageSlots);
        for (std::size_t leaf = 0; leaf < kWidth; ++leaf) {
            const std::size_t some = std::min<std::size_t>(left, kWidth);
            const std::size_t at = std::size_t{page} * kWidth + leaf;
            *store_.in_leaf(at) = static_cast<std::uint8_t>(some);
            left -= some;
            for (std::size_t i = some; some != 0 && i < kWidth; ++i) {
                store_.bury(at * kWidth + i);
            }
        }
    }
    simd::cover_leaves(store_.view(), first * kWidth, last * kWidth, store_.page_node(0));
}

template <std::size_t Dim>
void TreePacking<Dim>::sort_group(std::size_t group) noexcept {
    for (std::size_t b = first_bucket(group); b < first_bucket(group + 1); ++b) {
        sort_bucket(b, staging_.scratch.data() + staging_.group_scratch[group]);
    }
}

template <std::size_t Dim>
void TreePacking<Dim>::sort_bucket(std::size_t b, std::uint32_t* scratch) noexcept {
    const std::size_t begin = staging_.bucket_begin[b];
    const CurveRecords bucket = {staging_.records.data() + begin * record_words(), record_words(),
                                 staging_.bucket_begin[b + 1] - begin};
    const std::uint32_t* const order = sort_along_curve<Dim>(bucket, scratch);
    constexpr std::size_t kSlots = TreeLayout::kPageSlots;
    for (std::size_t slot = (begin + kSlots - 1) / kSlots * kSlots; slot < begin + bucket.count;
         slot += kSlots) {
        store_.first_key.data()[slot / kSlots] = bucket.words[order[slot - begin] * record_words()]
                                                 << key_shift_;
    }
    switch (fields_) {
    case Dim + 1:
        return write_bucket<Dim + 1>(bucket, order, begin);
    case Dim + 2:
        return write_bucket<Dim + 2>(bucket, order, begin);
    case 2 * Dim + 1:
        return write_bucket<2 * Dim + 1>(bucket, order, begin);
    default:
        return write_bucket<2 * Dim + 2>(bucket, order, begin);
    }
}

/// Reads are scattered and writes sequential, since the records to read are in the cache.
template <std::size_t Dim>
template <std::size_t kFields>
void TreePacking<Dim>::write_bucket(const CurveRecords& bucket, const std::uint32_t* order,
                                    std::size_t first_slot) noexcept {
    constexpr std::size_t kRecord = kFields + 1;
    constexpr std::size_t kWidth = TreeLayout::kWidth;
    std::uint32_t* const leaves = store_.leaves.data();
    for (std::size_t i = 0; i < bucket.count; ++i) {
        const std::uint32_t* const record = bucket.words + std::size_t{order[i]} * kRecord + 1;
        const std::size_t slot = first_slot + i;
        std::uint32_t* const to = leaves + slot / kWidth * (kFields * kWidth) + slot % kWidth;
        for (std::size_t f = 0; f < kFields; ++f) {
            to[f * kWidth] = record[f];
        }
    }
}

template struct PackingStaging<2>;
template struct PackingStaging<3>;
template class TreePacking<2>;
template class TreePacking<3>;

} // namespace throng
