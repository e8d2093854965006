#include "hierarchical_bitset.hpp"

#include "../../simd/isa/bit_levels.hpp"
#include "../core/assert.hpp"
#include "atomic_of.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <utility>

namespace throng {

namespace {

constexpr std::size_t kWordBits = 64;

constexpr std::uint64_t bit_of(std::size_t i) noexcept { return std::uint64_t{1} << (i % 64); }

/// Bits `first` to `last` of a word, both included.
constexpr std::uint64_t bits_between(std::size_t first, std::size_t last) noexcept {
    return (~std::uint64_t{0} << first) & (~std::uint64_t{0} >> (kWordBits - 1 - last));
}

/// Calls edit(word, mask) for each word of [begin, end), where the mask has the bits in the range.
/// The range must not be empty.
template <class Edit>
void edit_words(Vector<std::uint64_t>& words, std::size_t begin, std::size_t end, Edit edit) {
    const std::size_t first = begin / kWordBits;
    const std::size_t last = (end - 1) / kWordBits;
    for (std::size_t w = first; w <= last; ++w) {
        edit(words[w], bits_between(w == first ? begin % kWordBits : 0,
                                    w == last ? (end - 1) % kWordBits : kWordBits - 1));
    }
}

} // namespace

HierarchicalBitset::HierarchicalBitset(HierarchicalBitset&& other) noexcept
    : words_(std::move(other.words_)), size_(std::exchange(other.size_, 0)),
      depth_(std::exchange(other.depth_, 0)) {}

HierarchicalBitset& HierarchicalBitset::operator=(HierarchicalBitset&& other) noexcept {
    // Through a third set, so that a set moved into itself keeps its members.
    HierarchicalBitset taken(std::move(other));
    words_.swap(taken.words_);
    std::swap(size_, taken.size_);
    std::swap(depth_, taken.depth_);
    return *this;
}

HierarchicalBitset& HierarchicalBitset::operator=(const HierarchicalBitset& other) {
    // Room for all levels comes first: after it nothing can fail.
    for (std::size_t k = 0; k < kMaxLevels; ++k) {
        words_[k].reserve(other.words_[k].size());
    }
    words_ = other.words_;
    size_ = other.size_;
    depth_ = other.depth_;
    return *this;
}

void HierarchicalBitset::resize(std::size_t size) {
    static_assert(kMaxLevels == 6, "the largest size is 64^kMaxLevels");
    if (std::uint64_t{size} > std::uint64_t{1} << 36) {
        throw std::length_error("HierarchicalBitset::resize");
    }

    std::array<std::size_t, kMaxLevels> words{};
    std::size_t depth = 0;
    for (std::size_t bits = size; bits > (depth == 0 ? 0 : 1); ++depth) {
        bits = (bits + kWordBits - 1) / kWordBits;
        words[depth] = bits;
    }
    // Room for all levels comes first: after it nothing can fail.
    for (std::size_t k = 0; k < kMaxLevels; ++k) {
        words_[k].reserve(words[k]);
    }
    for (std::size_t k = 0; k < kMaxLevels; ++k) {
        words_[k].assign(words[k], 0);
    }
    size_ = size;
    depth_ = depth;
}

void HierarchicalBitset::mark(std::size_t w) noexcept {
    for (std::size_t k = 1; k < depth_; ++k) {
        std::uint64_t& summary = words_[k][w / kWordBits];
        const std::uint64_t before = std::exchange(summary, summary | bit_of(w));
        if (before != 0) { return; }
        w /= kWordBits;
    }
}

void HierarchicalBitset::unmark(std::size_t w) noexcept {
    for (std::size_t k = 1; k < depth_; ++k) {
        std::uint64_t& summary = words_[k][w / kWordBits];
        summary &= ~bit_of(w);
        if (summary != 0) { return; }
        w /= kWordBits;
    }
}

void HierarchicalBitset::set(std::size_t i) noexcept {
    THRONG_ASSERT(i < size_);
    std::uint64_t& word = words_[0][i / kWordBits];
    const std::uint64_t before = std::exchange(word, word | bit_of(i));
    if (before == 0) { mark(i / kWordBits); }
}

void HierarchicalBitset::reset(std::size_t i) noexcept {
    THRONG_ASSERT(i < size_);
    std::uint64_t& word = words_[0][i / kWordBits];
    word &= ~bit_of(i);
    if (word == 0) { unmark(i / kWordBits); }
}

bool HierarchicalBitset::test(std::size_t i) const noexcept {
    THRONG_ASSERT(i < size_);
    // atomic_ref takes no const object before C++26; a load changes nothing.
    auto& word = const_cast<std::uint64_t&>(words_[0][i / kWordBits]);
    return (atomic_of(word).load(std::memory_order_relaxed) & bit_of(i)) != 0;
}

void HierarchicalBitset::set_concurrently(std::size_t i) noexcept {
    // Tested first: threads that set a bit already set then share the cache line instead of
    // fighting for it.
    if (test(i)) { return; }
    atomic_of(words_[0][i / kWordBits]).fetch_or(bit_of(i), std::memory_order_relaxed);
}

void HierarchicalBitset::reset_concurrently(std::size_t i) noexcept {
    if (!test(i)) { return; }
    atomic_of(words_[0][i / kWordBits]).fetch_and(~bit_of(i), std::memory_order_relaxed);
}

void HierarchicalBitset::summarise() noexcept {
    for (std::size_t k = 1; k < depth_; ++k) {
        const Vector<std::uint64_t>& below = words_[k - 1];
        for (std::size_t w = 0; w < words_[k].size(); ++w) {
            const std::size_t first = w * kWordBits;
            const std::size_t end = std::min(first + kWordBits, below.size());
            std::uint64_t summary = 0;
            for (std::size_t i = first; i < end; ++i) {
                summary |= std::uint64_t{below[i] != 0} << (i - first);
            }
            words_[k][w] = summary;
        }
    }
}

std::size_t HierarchicalBitset::next(std::size_t from) const noexcept {
    return simd::next_set<HierarchicalBitset>(levels().data(), depth_, from, size_);
}

void HierarchicalBitset::set_range(std::size_t begin, std::size_t end) noexcept {
    THRONG_ASSERT(end <= size_);
    if (begin >= end) { return; }
    for (std::size_t k = 0; k < depth_; ++k) {
        edit_words(words_[k], begin, end,
                   [](std::uint64_t& word, std::uint64_t mask) { word |= mask; });
        begin /= kWordBits;
        end = (end - 1) / kWordBits + 1;
    }
}

void HierarchicalBitset::reset_range(std::size_t begin, std::size_t end) noexcept {
    THRONG_ASSERT(end <= size_);
    for (std::size_t k = 0; k < depth_ && begin < end; ++k) {
        edit_words(words_[k], begin, end,
                   [](std::uint64_t& word, std::uint64_t mask) { word &= ~mask; });
        // Only the words at the two ends can still have bits, and then they stay marked above.
        const std::size_t first = begin / kWordBits;
        const std::size_t last = (end - 1) / kWordBits;
        begin = first + (words_[k][first] != 0 ? 1 : 0);
        end = last + (words_[k][last] != 0 ? 0 : 1);
    }
}

std::size_t HierarchicalBitset::count() const noexcept {
    const Levels level = levels();
    std::size_t members = 0;
    walk(
        depth_, [&](std::size_t k, std::size_t w) { return level[k][w]; },
        [&](std::size_t, std::uint64_t word) {
            members += static_cast<std::size_t>(std::popcount(word));
            return true;
        });
    return members;
}

std::size_t HierarchicalBitset::count(std::size_t begin, std::size_t end) const noexcept {
    end = std::min(end, size_);
    if (begin >= end) { return 0; }
    std::size_t members = 0;
    walk(depth_, Within(levels(), begin, end), [&](std::size_t, std::uint64_t word) {
        members += static_cast<std::size_t>(std::popcount(word));
        return true;
    });
    return members;
}

bool HierarchicalBitset::empty() const noexcept {
    return depth_ == 0 || words_[depth_ - 1][0] == 0;
}

void HierarchicalBitset::clear() noexcept {
    // walk() reads a summary before it visits what lies below, and never again.
    walk(
        depth_, [&](std::size_t k, std::size_t w) { return words_[k][w]; },
        [&](std::size_t w, std::uint64_t) {
            for (std::size_t k = 0; k < depth_; ++k) {
                words_[k][w] = 0;
                w /= kWordBits;
            }
            return true;
        });
}

HierarchicalBitset& HierarchicalBitset::operator&=(const HierarchicalBitset& other) noexcept {
    THRONG_ASSERT(size_ == other.size_);
    // As in clear(), no summary is read again once it has changed.
    walk(
        depth_, [&](std::size_t k, std::size_t w) { return words_[k][w]; },
        [&](std::size_t w, std::uint64_t word) {
            const std::uint64_t common = word & other.words_[0][w];
            words_[0][w] = common;
            if (common == 0) { unmark(w); }
            return true;
        });
    return *this;
}

HierarchicalBitset& HierarchicalBitset::operator|=(const HierarchicalBitset& other) noexcept {
    THRONG_ASSERT(size_ == other.size_);
    const Levels level = other.levels();
    walk(
        other.depth_, [&](std::size_t k, std::size_t w) { return level[k][w]; },
        [&](std::size_t w, std::uint64_t word) {
            const std::uint64_t before = std::exchange(words_[0][w], words_[0][w] | word);
            if (before == 0) { mark(w); }
            return true;
        });
    return *this;
}

bool operator==(const HierarchicalBitset& a, const HierarchicalBitset& b) noexcept {
    if (a.size_ != b.size_) { return false; }
    return HierarchicalBitset::walk(
        a.depth_, [&](std::size_t k, std::size_t w) { return a.words_[k][w] | b.words_[k][w]; },
        [&](std::size_t w, std::uint64_t) { return a.words_[0][w] == b.words_[0][w]; });
}

HierarchicalBitset::Levels HierarchicalBitset::levels() const noexcept {
    Levels level{};
    for (std::size_t k = 0; k < depth_; ++k) {
        level[k] = words_[k].data();
    }
    return level;
}

std::size_t HierarchicalBitset::memory() const noexcept {
    std::size_t bytes = 0;
    for (const Vector<std::uint64_t>& words : words_) {
        bytes += words.capacity() * sizeof(std::uint64_t);
    }
    return bytes;
}

} // namespace throng
