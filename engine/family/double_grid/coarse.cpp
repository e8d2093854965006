#include "coarse.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace throng {

template <std::size_t Dim>
void CoarseGrid<Dim>::lay_out(const std::array<std::uint32_t, Dim>& loose_cells) {
    std::array<Level, kMostLevels> levels{};
    std::size_t count = 0, first = 0;
    for (bool one_cell = false; !one_cell; ++count) {
        Level& level = levels[count];
        level.shift = kLooseBits + static_cast<unsigned>(count) * kLevelBits;
        level.first = static_cast<std::uint32_t>(first);
        std::size_t cells = 1;
        for (std::size_t a = 0; a < Dim; ++a) {
            level.cells[a] = ((loose_cells[a] - 1) >> level.shift) + 1;
            cells *= level.cells[a];
        }
        first += cells;
        one_cell = cells == 1;
    }
    Vector<std::uint32_t> heads(first, kNone);
    HierarchicalBitset listed(first);
    levels_ = levels;
    level_count_ = count;
    heads_ = std::move(heads);
    listed_ = std::move(listed);
    used_ = 0;
    begun_ = 0;
    free_ = kNone;
    free_count_ = 0;
}

template <std::size_t Dim>
void CoarseGrid<Dim>::reserve(std::size_t links) {
    if (links <= links_.size()) { return; }
    if (links >= kNone) { throw std::bad_alloc(); }
    // A little more than asked, so that a crowd that breathes does not allocate every frame.
    Vector<Link> larger(links + links / 32);
    std::copy_n(links_.begin(), begun_, larger.begin());
    links_ = std::move(larger);
}

template <std::size_t Dim>
void CoarseGrid<Dim>::reserve_more() {
    const std::size_t needed = links() + kMostLinks;
    if (needed > links_.size()) { reserve(needed + links_.size() / 2); }
}

template <std::size_t Dim>
void CoarseGrid<Dim>::clear() noexcept {
    for (std::size_t level = 0; level < level_count_; ++level) {
        levels_[level].links = 0;
    }
    std::fill(heads_.begin(), heads_.end(), kNone);
    listed_.clear();
    used_ = 0;
    begun_ = 0;
    free_ = kNone;
    free_count_ = 0;
}

template <std::size_t Dim>
void CoarseGrid<Dim>::link(std::uint32_t cell, const CoarseRange<Dim>& loose) noexcept {
    const std::size_t number = level_of(loose);
    const CoarseRange<Dim> tight = on_level(number, loose);
    Level& level = levels_[number];
    for_each_row(level, tight, [&](std::uint32_t row, std::uint32_t marks) {
        for (std::uint32_t x = tight.lo[0]; x <= tight.hi[0]; ++x) {
            std::uint32_t l = begun_;
            if (free_ != kNone) {
                l = free_;
                free_ = links_[l].next;
                --free_count_;
            } else {
                ++begun_;
            }
            std::uint32_t& head = heads_[row + x];
            if (head == kNone) { listed_.set(row + x); }
            const std::uint32_t mark = x > tight.lo[0] ? 1u : 0u;
            links_[l] = {cell << kMarkBits | marks | mark, head};
            head = l;
            ++level.links;
        }
        return true;
    });
    used_ |= 1u << number;
}

template <std::size_t Dim>
void CoarseGrid<Dim>::unlink(std::uint32_t cell, const CoarseRange<Dim>& loose) noexcept {
    const std::size_t number = level_of(loose);
    const CoarseRange<Dim> tight = on_level(number, loose);
    Level& level = levels_[number];
    for_each_row(level, tight, [&](std::uint32_t row, std::uint32_t) {
        for (std::uint32_t x = tight.lo[0]; x <= tight.hi[0]; ++x) {
            std::uint32_t* from = &heads_[row + x];
            while (links_[*from].cell() != cell) {
                from = &links_[*from].next;
            }
            const std::uint32_t l = *from;
            *from = links_[l].next;
            links_[l].next = free_;
            free_ = l;
            ++free_count_;
            if (heads_[row + x] == kNone) { listed_.reset(row + x); }
            --level.links;
        }
        return true;
    });
    if (level.links == 0) { used_ &= ~(1u << number); }
}

template <std::size_t Dim>
const char* CoarseGrid<Dim>::validate() const {
    std::vector<bool> used(begun_);
    for (std::size_t number = 0; number < level_count_; ++number) {
        const Level& level = levels_[number];
        const std::size_t past =
            number + 1 < level_count_ ? levels_[number + 1].first : heads_.size();
        std::size_t links = 0;
        for (std::size_t tight = level.first; tight < past; ++tight) {
            if (listed_.test(tight) != (heads_[tight] != kNone)) {
                return "a tight cell is listed and empty, or the other way round";
            }
            for (std::uint32_t l = heads_[tight]; l != kNone; l = links_[l].next, ++links) {
                if (l >= begun_) { return "a tight cell's list has a link that was never used"; }
                if (used[l]) { return "a link is in two lists, or in one twice"; }
                used[l] = true;
            }
        }
        if (links != level.links) { return "a level's links are not those in its lists"; }
        if ((used_ >> number & 1u) != (links != 0 ? 1u : 0u)) {
            return "a level is used and has no links, or the other way round";
        }
    }
    std::size_t left = 0;
    for (std::uint32_t l = free_; l != kNone; l = links_[l].next, ++left) {
        if (l >= begun_ || used[l]) { return "a free link is in use"; }
        used[l] = true;
    }
    if (left != free_count_) { return "the free links are not counted"; }
    if (std::find(used.begin(), used.end(), false) != used.end()) { return "a link is lost"; }
    return nullptr;
}

template class CoarseGrid<2>;
template class CoarseGrid<3>;

} // namespace throng
