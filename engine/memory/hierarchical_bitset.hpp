// A set of small numbers: a bit for each, below summaries with one bit for each word of the level
// below, up to a single word.
#pragma once

#include "../../simd/isa/export.hpp"
#include "vector.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace throng {

/// Members are numbers from 0 to size() - 1. The next one is found in O(log64 size), however large
/// the gap; visiting, clearing, uniting and intersecting take time for the members, not for the
/// space between them.
///
/// Const calls may run on any number of threads while no call changes the set.
class THRONG_API HierarchicalBitset {
public:
    static constexpr std::size_t kMaxLevels = 6; ///< for 64^6 members, more than there are ids

    HierarchicalBitset() = default;
    explicit HierarchicalBitset(std::size_t size) { resize(size); }

    HierarchicalBitset(const HierarchicalBitset&) = default;
    /// If there is no memory for the copy, nothing has changed.
    HierarchicalBitset& operator=(const HierarchicalBitset& other);
    ~HierarchicalBitset() = default;

    /// A set that was moved from has size 0.
    HierarchicalBitset(HierarchicalBitset&& other) noexcept;
    HierarchicalBitset& operator=(HierarchicalBitset&& other) noexcept;

    /// Makes room for members below `size` and removes all; keeps the memory. If that fails, with
    /// std::bad_alloc or, beyond 64^6, std::length_error, nothing has changed.
    void resize(std::size_t size);

    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    /// `i` must be below size(), also in reset() and test().
    void set(std::size_t i) noexcept;
    void reset(std::size_t i) noexcept;
    [[nodiscard]] bool test(std::size_t i) const noexcept;

    /// set() and reset() for many threads at once, while others may call test(). They do not update
    /// the summaries: once all threads are done, summarise() must run before any other call. It
    /// reads every word.
    void set_concurrently(std::size_t i) noexcept;
    void reset_concurrently(std::size_t i) noexcept;
    void summarise() noexcept;

    /// The first member at or after `from`; size() when there is none.
    [[nodiscard]] std::size_t next(std::size_t from) const noexcept;

    /// Adds or removes all of [begin, end), a word at a time. `end` is at most size(); a range that
    /// is empty or backwards changes nothing.
    void set_range(std::size_t begin, std::size_t end) noexcept;
    void reset_range(std::size_t begin, std::size_t end) noexcept;

    [[nodiscard]] std::size_t count() const noexcept;
    [[nodiscard]] bool empty() const noexcept;

    /// How many members lie in [begin, end), and whether any do. A range may reach beyond size(); a
    /// backwards one has no members. count() takes time for the members in the range, any() as much
    /// as next().
    [[nodiscard]] std::size_t count(std::size_t begin, std::size_t end) const noexcept;
    [[nodiscard]] bool any(std::size_t begin, std::size_t end) const noexcept {
        return begin < end && next(begin) < (end < size_ ? end : size_);
    }

    /// Removes all members; takes time for the members only.
    void clear() noexcept;

    /// Calls visit(member) for each, in ascending order. `visit` must not change the set.
    template <class Visit>
    void for_each(Visit&& visit) const;

    /// for_each() for members in [begin, end), which may be any range, as for count().
    template <class Visit>
    void for_each(std::size_t begin, std::size_t end, Visit&& visit) const;

    /// Makes this the intersection with, or union with, a set of the same size.
    HierarchicalBitset& operator&=(const HierarchicalBitset& other) noexcept;
    HierarchicalBitset& operator|=(const HierarchicalBitset& other) noexcept;

    /// Whether both have the same size and the same members.
    friend THRONG_API bool operator==(const HierarchicalBitset& a,
                                      const HierarchicalBitset& b) noexcept;

    /// The words of each level, members first, and how many levels there are: for kernels that walk
    /// the set themselves, as simd/isa/bit_levels.hpp does. Null past the last level.
    [[nodiscard]] std::array<const std::uint64_t*, kMaxLevels> levels() const noexcept;
    [[nodiscard]] std::size_t depth() const noexcept { return depth_; }

    /// Bytes of heap.
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    using Levels = std::array<const std::uint64_t*, kMaxLevels>;

    // Calls visit_word(w, word_of(0, w)) for each word that is not zero, in ascending order, until
    // visit_word returns false. The words are those of one set, or of two put together:
    // word_of(k, w) may be zero though the summary above it is not, never the other way round.
    template <class WordOf, class VisitWord>
    static bool walk(std::size_t depth, WordOf&& word_of, VisitWord&& visit_word);

    // For walk(): each word of each level, without the bits outside a range of members. The range
    // must not be empty.
    class Within {
    public:
        Within(const Levels& level, std::size_t begin, std::size_t end) noexcept : level_(level) {
            std::size_t last = end - 1;
            for (std::size_t k = 0; k < kMaxLevels; ++k) {
                edge_[k] = {begin / 64, last / 64, ~std::uint64_t{0} << (begin % 64),
                            ~std::uint64_t{0} >> (63 - last % 64)};
                begin /= 64;
                last /= 64;
            }
        }
        std::uint64_t operator()(std::size_t k, std::size_t w) const noexcept {
            const Edge& edge = edge_[k];
            std::uint64_t word = level_[k][w];
            if (w == edge.first) { word &= edge.from_first; }
            if (w == edge.last) { word &= edge.up_to_last; }
            return word;
        }

    private:
        struct Edge {
            std::size_t first, last; // words
            std::uint64_t from_first, up_to_last;
        };
        Levels level_;
        std::array<Edge, kMaxLevels> edge_;
    };

    template <class Visit>
    static void visit_bits(std::size_t w, std::uint64_t word, Visit& visit);

    // Tells the summaries that word `w` of the members is no longer zero, or has become zero.
    void mark(std::size_t w) noexcept;
    void unmark(std::size_t w) noexcept;

    std::array<Vector<std::uint64_t>, kMaxLevels> words_; // [0]: members, [k + 1]: summaries of [k]
    std::size_t size_ = 0;
    std::size_t depth_ = 0;
};

template <class WordOf, class VisitWord>
bool HierarchicalBitset::walk(std::size_t depth, WordOf&& word_of, VisitWord&& visit_word) {
    if (depth == 0) { return true; }
    const auto visit = [&](std::size_t w) {
        const std::uint64_t word = word_of(std::size_t{0}, w);
        return word == 0 || visit_word(w, word);
    };
    if (depth == 1) { return visit(0); }

    std::array<std::uint64_t, kMaxLevels> left; // on each level, the bits still to be followed
    std::size_t k = depth - 1;
    std::size_t w = 0; // the word in hand on level k
    left[k] = word_of(k, w);
    for (;;) {
        if (k == 1) {
            for (std::uint64_t bits = left[1]; bits != 0; bits &= bits - 1) {
                if (!visit(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)))) {
                    return false;
                }
            }
        } else if (left[k] != 0) {
            w = w * 64 + static_cast<std::size_t>(std::countr_zero(left[k]));
            left[k] &= left[k] - 1;
            --k;
            left[k] = word_of(k, w);
            continue;
        }
        if (++k == depth) { return true; }
        w /= 64;
    }
}

template <class Visit>
void HierarchicalBitset::visit_bits(std::size_t w, std::uint64_t word, Visit& visit) {
    for (; word != 0; word &= word - 1) {
        visit(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
    }
}

template <class Visit>
void HierarchicalBitset::for_each(Visit&& visit) const {
    const Levels level = levels();
    walk(
        depth_, [&](std::size_t k, std::size_t w) { return level[k][w]; },
        [&](std::size_t w, std::uint64_t word) {
            visit_bits(w, word, visit);
            return true;
        });
}

template <class Visit>
void HierarchicalBitset::for_each(std::size_t begin, std::size_t end, Visit&& visit) const {
    if (end > size_) { end = size_; }
    if (begin >= end) { return; }
    walk(depth_, Within(levels(), begin, end), [&](std::size_t w, std::uint64_t word) {
        visit_bits(w, word, visit);
        return true;
    });
}

} // namespace throng
