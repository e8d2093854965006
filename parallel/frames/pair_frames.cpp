#include "pair_frames.hpp"

#include "../../engine/memory/atomic_of.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace throng {

namespace {

// Ids are divided among at most kMostBuckets buckets, so that the pairs of a bucket stay in the
// cache while they are sorted. More buckets would leave a block of work fewer pairs for each.
constexpr unsigned kBucketBits = 8;
constexpr std::size_t kMostBuckets = (std::size_t{1} << kBucketBits) + 1;
constexpr unsigned kFewestIdBits = 8;     // a bucket has at least 2^8 ids
constexpr unsigned kMostCountedBits = 16; // a bucket with at most 2^16 ids is sorted by counting
// Blocks of work in a frame.
constexpr std::size_t kFrameBlocks = 64;
constexpr double kNanosecondsAPair = 4.0;

constexpr std::uint64_t key(const Contact& pair) noexcept {
    return std::uint64_t{pair.first} << 32 | pair.second;
}

template <class T>
void make_at_least(std::vector<T>& all, std::uint64_t count) {
    if (all.size() < count) { all.resize(length_of(count + count / 8 + 256)); }
}

template <class T>
std::size_t bytes(const std::vector<T>& all) noexcept {
    return all.capacity() * sizeof(T);
}

std::size_t bytes(const PairFrames::Frame& frame) noexcept {
    return bytes(frame.pairs) + bytes(frame.ended) + bytes(frame.previous) + bytes(frame.began) +
           bytes(frame.ended_previous) + bytes(frame.bounds) + bytes(frame.names.generations);
}

constexpr unsigned shift_for(std::size_t id_bound) noexcept {
    const auto bits = static_cast<unsigned>(std::bit_width(id_bound - (id_bound != 0)));
    return std::max(bits, kFewestIdBits + kBucketBits) - kBucketBits;
}

/// Sorts pairs with the same first id.
void sort_group(std::span<Contact> group) noexcept {
    constexpr std::size_t kFew = 16;
    if (group.size() > kFew) { // most likely the pairs of a giant
        std::sort(group.begin(), group.end(),
                  [](const Contact& a, const Contact& b) { return a.second < b.second; });
        return;
    }
    for (std::size_t k = 1; k < group.size(); ++k) {
        const Contact moved = group[k];
        std::size_t hole = k;
        for (; hole != 0 && group[hole - 1].second > moved.second; --hole) {
            group[hole] = group[hole - 1];
        }
        group[hole] = moved;
    }
}

} // namespace

void PairFrames::begin(std::size_t id_bound) {
    const unsigned shift = shift_for(id_bound);
    // The last bucket is for all larger ids, such as those that a host gave to a few giants.
    const std::size_t wanted = ((id_bound + (std::size_t{1} << shift) - 1) >> shift) + 1;
    if (shift != next_.shift) {
        begins_.assign(wanted + 1, 0); // the first round only counts
        next_.shift = shift;
    } else if (begins_.size() < wanted + 1) {
        begins_.resize(wanted + 1, begins_.back());
    }
    cursors_.resize(buckets());
    sizes_.resize(buckets());
    clear_cursors();
}

void PairFrames::clear_cursors() noexcept {
    std::copy_n(begins_.begin(), buckets(), cursors_.begin());
    crowded_.store(false, std::memory_order_relaxed);
}

void PairFrames::place(std::span<const Id> first, std::span<const Id> second, bool alone) noexcept {
    std::array<std::uint32_t, kMostBuckets> at;
    std::fill_n(at.begin(), buckets(), 0u);
    const unsigned shift = next_.shift;
    const std::size_t last_bucket = buckets() - 1;
    const auto bucket_of = [&](Id smaller) {
        return std::min<std::size_t>(smaller >> shift, last_bucket);
    };
    for (std::size_t i = 0; i < first.size(); ++i) {
        ++at[bucket_of(std::min(first[i], second[i]))];
    }
    bool fits = true;
    for (std::size_t b = 0; b <= last_bucket; ++b) {
        if (at[b] == 0) { continue; }
        const std::uint32_t count = at[b];
        std::uint64_t begin = cursors_[b];
        if (alone) {
            cursors_[b] = begin + count;
        } else {
            begin = atomic_of(cursors_[b]).fetch_add(count, std::memory_order_relaxed);
        }
        fits = fits && begin + count <= begins_[b + 1];
        at[b] = static_cast<std::uint32_t>(begin);
    }
    if (!fits) {
        crowded_.store(true, std::memory_order_relaxed);
        return;
    }
    Contact* const placed = placed_.data();
    for (std::size_t i = 0; i < first.size(); ++i) {
        // Without the branch that std::min() and std::max() together would become: which of two
        // shuffled ids is smaller cannot be predicted.
        const Id both = (first[i] ^ second[i]) & (Id{0} - Id{second[i] < first[i]});
        const Id smaller = first[i] ^ both;
        placed[at[bucket_of(smaller)]++] = {smaller, second[i] ^ both};
    }
}

bool PairFrames::make_room() {
    if (!crowded_.load(std::memory_order_relaxed)) { return false; }
    // Some room to spare, so that numbers of pairs that vary from frame to frame still fit. No
    // bucket gets less room than it had, as long as 32 bits can number all places.
    std::uint64_t total = 0;
    for (const bool keep : {true, false}) {
        total = 0;
        for (std::size_t b = 0; b < buckets(); ++b) {
            const std::uint64_t count = cursors_[b] - begins_[b];
            const std::uint64_t room = keep ? begins_[b + 1] - begins_[b] : 0;
            sizes_[b] = std::max(count + count / 8 + 64, room);
            total += sizes_[b];
        }
        if (total <= kNoContact) { break; }
    }
    make_at_least(placed_, total);
    for (std::size_t b = 0; b < buckets(); ++b) {
        begins_[b + 1] = begins_[b] + static_cast<std::uint32_t>(sizes_[b]);
    }
    clear_cursors();
    return true;
}

PairFrames::Same PairFrames::how_same() const noexcept {
    const AgentNames& now = next_.names;
    const AgentNames& then = last_.names;
    if (now.owner != then.owner) { return Same::none; }
    const std::size_t both = now.owner == 0 ? 0 : std::min(now.slots, then.slots);
    return std::equal(now.generations.begin(),
                      now.generations.begin() + static_cast<std::ptrdiff_t>(both),
                      then.generations.begin())
               ? Same::by_id
               : Same::by_handle;
}

void PairFrames::find_last_bounds() {
    last_bounds_.resize(buckets() + 1);
    if (last_.shift == next_.shift && last_.bounds.size() == buckets() + 1) {
        std::copy(last_.bounds.begin(), last_.bounds.end(), last_bounds_.begin());
        return;
    }
    const std::span<const Contact> pairs(last_.pairs.data(), last_.count);
    for (std::size_t b = 0; b < buckets(); ++b) {
        const std::uint64_t least = std::uint64_t{b} << next_.shift;
        const auto found = std::partition_point(
            pairs.begin(), pairs.end(), [&](const Contact& pair) { return pair.first < least; });
        last_bounds_[b] = static_cast<std::uint32_t>(found - pairs.begin());
    }
    last_bounds_[buckets()] = static_cast<std::uint32_t>(last_.count);
}

void PairFrames::sort_bucket(std::size_t bucket, std::span<std::uint32_t> counts) noexcept {
    const std::span<const Contact> from(placed_.data() + begins_[bucket],
                                        placed_.data() + cursors_[bucket]);
    const std::span<Contact> to(next_.pairs.data() + next_.bounds[bucket], from.size());
    if (counts.empty() || bucket + 1 == buckets()) {
        std::copy(from.begin(), from.end(), to.begin());
        std::sort(to.begin(), to.end(),
                  [](const Contact& a, const Contact& b) { return key(a) < key(b); });
        return;
    }
    const std::size_t mask = counts.size() - 1;
    std::fill(counts.begin(), counts.end(), 0u);
    for (const Contact& pair : from) {
        ++counts[pair.first & mask];
    }
    std::uint32_t begin = 0;
    for (std::uint32_t& count : counts) {
        begin += std::exchange(count, begin);
    }
    for (const Contact& pair : from) {
        to[counts[pair.first & mask]++] = pair;
    }
}

template <PairFrames::Same kSame>
PairFrames::Events PairFrames::compare_bucket(std::size_t bucket) noexcept {
    Contact* const now = next_.pairs.data();
    const Contact* const then = last_.pairs.data();
    std::uint32_t* const previous = next_.previous.data();
    const std::uint32_t first = next_.bounds[bucket];
    const std::uint32_t past = next_.bounds[bucket + 1];
    const std::uint32_t last_first = last_bounds_[bucket];
    const std::uint32_t last_past = kSame == Same::none ? last_first : last_bounds_[bucket + 1];
    std::uint32_t i = first;
    std::uint32_t j = last_first;
    std::uint32_t* const first_began = next_.began.data() + first;
    std::uint32_t* const first_ended = ended_.data() + last_first;
    std::uint32_t* began = first_began;
    std::uint32_t* ended = first_ended;
    [[maybe_unused]] const auto same = [&](Id id) {
        return is_static(id) || id >= last_.names.slots ||
               next_.names.generations[id] == last_.names.generations[id];
    };
    // Pairs before this point are sorted. Pairs from here to `i` equal those of the last frame: the
    // pairs of a first id are sorted only where the two frames differ.
    std::uint32_t in_order = first;
    // Sorts all pairs with the first id of pair `i`, and goes back to the first of them: the pairs
    // before `i` were the same in both frames.
    const auto sort_here = [&] {
        std::uint32_t begin = i;
        in_order = i + 1;
        for (; begin != first && now[begin - 1].first == now[i].first; --begin) {}
        for (; in_order != past && now[in_order].first == now[i].first; ++in_order) {}
        sort_group({now + begin, now + in_order});
        j -= i - begin;
        i = begin;
        if constexpr (kSame == Same::by_handle) {
            for (; began != first_began && began[-1] >= i; --began) {}
            for (; ended != first_ended && ended[-1] >= j; --ended) {}
        }
    };
    while (i < past) {
        if (j < last_past && now[i] == then[j]) {
            const bool lasts = kSame == Same::by_id || (same(now[i].first) && same(now[i].second));
            previous[i] = lasts ? j : kNoContact;
            if (!lasts) {
                *began++ = i;
                *ended++ = j;
            }
            ++i;
            ++j;
            continue;
        }
        if (i >= in_order) {
            sort_here();
            continue;
        }
        if (j == last_past) {
            previous[i] = kNoContact;
            *began++ = i++;
            continue;
        }
        // No branch: which of the two comes first cannot be predicted.
        const bool begins = key(now[i]) < key(then[j]);
        previous[i] = kNoContact;
        *began = i;
        *ended = j;
        began += begins;
        i += begins;
        ended += !begins;
        j += !begins;
    }
    for (; j < last_bounds_[bucket + 1]; ++j) {
        *ended++ = j;
    }
    return {static_cast<std::size_t>(began - first_began),
            static_cast<std::size_t>(ended - first_ended)};
}

void PairFrames::gather_events() noexcept {
    next_.begins = next_.ends = 0;
    for (std::size_t b = 0; b < buckets(); ++b) {
        const auto [begins, ends] = events_[b];
        std::uint32_t* const began = next_.began.data();
        const std::uint32_t* const from = began + next_.bounds[b];
        if (from != began + next_.begins) { std::copy_n(from, begins, began + next_.begins); }
        next_.begins += begins;
        for (std::size_t e = 0; e < ends; ++e) {
            const std::uint32_t j = ended_[last_bounds_[b] + e];
            next_.ended_previous[next_.ends] = j;
            next_.ended[next_.ends++] = last_.pairs[j];
        }
    }
}

Status PairFrames::finish(Executor& executor) {
    next_.bounds.resize(buckets() + 1);
    std::uint64_t count = 0;
    for (std::size_t b = 0; b < buckets(); ++b) {
        next_.bounds[b] = static_cast<std::uint32_t>(count);
        count += cursors_[b] - begins_[b];
    }
    next_.bounds[buckets()] = static_cast<std::uint32_t>(count);
    next_.count = count;
    make_at_least(next_.pairs, count);
    make_at_least(next_.previous, count);
    make_at_least(next_.began, count);
    make_at_least(ended_, last_.count);
    events_.resize(buckets());
    find_last_bounds();

    const std::size_t blocks = std::min(kFrameBlocks, buckets());
    const std::size_t ids = next_.shift > kMostCountedBits ? 0 : std::size_t{1} << next_.shift;
    make_at_least(counts_, blocks * ids);
    const Same how = how_same();
    const auto work = [&](std::size_t block) {
        const std::span<std::uint32_t> counts(counts_.data() + block * ids, ids);
        const std::size_t past = (block + 1) * buckets() / blocks;
        for (std::size_t b = block * buckets() / blocks; b < past; ++b) {
            sort_bucket(b, counts);
            events_[b] = how == Same::by_id       ? compare_bucket<Same::by_id>(b)
                         : how == Same::by_handle ? compare_bucket<Same::by_handle>(b)
                                                  : compare_bucket<Same::none>(b);
        }
    };
    const Status status = run_blocks(executor, blocks, work, claims_,
                                     LoopCost::of(count + last_.count, kNanosecondsAPair / 2));
    if (!status.ok()) { return status; }

    std::size_t ends = 0;
    for (const Events& events : events_) {
        ends += events.ends;
    }
    make_at_least(next_.ended, ends);
    make_at_least(next_.ended_previous, ends);
    gather_events();
    std::swap(last_, next_);
    next_.shift = last_.shift; // the shift that begins_ was made for
    return {};
}

void PairFrames::clear() noexcept {
    last_.count = last_.begins = last_.ends = 0;
    last_.bounds.clear();
    last_.names.owner = 0;
}

std::size_t PairFrames::memory() const noexcept {
    return bytes(last_) + bytes(next_) + bytes(placed_) + bytes(cursors_) + bytes(sizes_) +
           bytes(begins_) + bytes(last_bounds_) + bytes(events_) + bytes(ended_) + bytes(counts_) +
           claims_.memory();
}

void PairFrames::release() noexcept {
    // Not by `= {}` on the vectors, which would keep their memory.
    next_ = Frame();
    std::vector<Contact>().swap(placed_);
    std::vector<std::uint64_t>().swap(cursors_);
    std::vector<std::uint64_t>().swap(sizes_);
    for (auto* numbers : {&begins_, &last_bounds_, &ended_, &counts_}) {
        std::vector<std::uint32_t>().swap(*numbers);
    }
    std::vector<Events>().swap(events_);
    claims_ = {};
}

} // namespace throng
