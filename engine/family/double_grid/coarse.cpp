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
    // A little more than asked, so that a crowd that varies a little does not allocate each frame.
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
    for_each_cell(level, tight, [&](std::uint32_t at, std::uint32_t marks) {
        std::uint32_t l = begun_;
        if (free_ != kNone) {
            l = free_;
            free_ = links_[l].next;
            --free_count_;
        } else {
            ++begun_;
        }
        std::uint32_t& head = heads_[at];
        if (head == kNone) { listed_.set(at); }
        links_[l] = {cell << kMarkBits | marks, head};
        head = l;
        ++level.links;
    });
    used_ |= 1u << number;
}

template <std::size_t Dim>
void CoarseGrid<Dim>::unlink(std::uint32_t cell, const CoarseRange<Dim>& loose) noexcept {
    const std::size_t number = level_of(loose);
    const CoarseRange<Dim> tight = on_level(number, loose);
    Level& level = levels_[number];
    for_each_cell(level, tight, [&](std::uint32_t at, std::uint32_t) {
        std::uint32_t* from = &heads_[at];
        while (links_[*from].cell() != cell) {
            from = &links_[*from].next;
        }
        const std::uint32_t l = *from;
        *from = links_[l].next;
        links_[l].next = free_;
        free_ = l;
        ++free_count_;
        if (heads_[at] == kNone) { listed_.reset(at); }
        --level.links;
    });
    if (level.links == 0) { used_ &= ~(1u << number); }
}

template <std::size_t Dim>
void CoarseGrid<Dim>::restart(const LevelLinks& links) noexcept {
    clear();
    for (std::size_t number = 0; number < level_count_; ++number) {
        levels_[number].links = links[number];
        used_ |= (links[number] != 0 ? 1u : 0u) << number;
        begun_ += static_cast<std::uint32_t>(links[number]);
    }
}

template <std::size_t Dim>
std::uint32_t CoarseGrid<Dim>::write_links(std::uint32_t first, std::uint32_t cell,
                                           const CoarseRange<Dim>& loose,
                                           std::uint32_t* tight_cells) noexcept {
    const std::size_t number = level_of(loose);
    for_each_cell(levels_[number], on_level(number, loose),
                  [&](std::uint32_t at, std::uint32_t marks) {
                      links_[first].cell_and_marks = cell << kMarkBits | marks;
                      tight_cells[first++] = at;
                  });
    return first;
}

template <std::size_t Dim>
void CoarseGrid<Dim>::list_links(std::uint32_t begin, std::uint32_t end,
                                 const std::uint32_t* tight_cells, std::uint32_t from,
                                 std::uint32_t to) noexcept {
    for (std::uint32_t l = begin; l < end; ++l) {
        const std::uint32_t at = tight_cells[l];
        if (at - from >= to - from) { continue; }
        std::uint32_t& head = heads_[at];
        if (head == kNone) { listed_.set_concurrently(at); }
        links_[l].next = std::exchange(head, l);
    }
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
