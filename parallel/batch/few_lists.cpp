#include "few_lists.hpp"

#include "../../engine/memory/vector.hpp"

#include <algorithm>
#include <cstring>

namespace throng {

void FewLists::turn(const Hits& found, std::span<const Id> few, std::size_t bound) {
    near_any_.assign((bound + 63) / 64, 0);
    last_.resize(std::max(bound, last_.size()));
    links_.clear();
    links_.reserve(length_of(found.total()));
    for (std::size_t k = 0; k < few.size(); ++k) {
        for (const Id asker : found.of(k)) {
            std::uint64_t& some = near_any_[asker / 64];
            const std::uint64_t bit = std::uint64_t{1} << (asker % 64);
            const bool has_one = (some & bit) != 0;
            const std::uint32_t before = has_one ? last_[asker] : 0;
            last_[asker] = static_cast<std::uint32_t>(links_.size());
            links_.push_back({few[k], before, has_one ? links_[before].length + 1 : 1});
            some |= bit;
        }
    }
}

std::size_t FewFound::main() const noexcept {
    std::size_t main = kMostGrids;
    for (std::size_t g = 0; g < grids; ++g) {
        if (lists[g] != nullptr) { continue; }
        if (main != kMostGrids) { return kMostGrids; }
        main = g;
    }
    return main;
}

std::uint64_t FewFound::add_lengths_to(std::span<std::uint32_t> counts) const noexcept {
    std::uint64_t sum = 0;
    for (std::size_t g = 0; g < grids; ++g) {
        if (lists[g] == nullptr) { continue; }
        for (std::size_t i = 0; i < askers.size(); ++i) {
            const auto more = static_cast<std::uint32_t>(lists[g]->length(askers[i]));
            counts[i] += more;
            sum += more;
        }
    }
    return sum;
}

std::size_t FewFound::list_askers(std::span<std::uint32_t> numbers) const noexcept {
    std::array<const FewLists*, kMostGrids> some;
    const auto few = static_cast<std::size_t>(
        std::copy_if(lists.begin(), lists.begin() + grids, some.begin(),
                     [](const FewLists* of_grid) { return of_grid != nullptr; }) -
        some.begin());
    std::size_t listed = 0;
    // No branches, which would often be guessed wrongly.
    const auto list = [&](const auto& any) {
        for (std::size_t i = 0; i < askers.size(); ++i) {
            numbers[listed] = static_cast<std::uint32_t>(i);
            listed += any(askers[i]) ? 1 : 0;
        }
    };
    if (few == 1) {
        list([&only = *some[0]](Id asker) { return only.any(asker); });
    } else {
        list([&](Id asker) {
            bool any = false;
            for (std::size_t f = 0; f < few; ++f) {
                any |= some[f]->any(asker);
            }
            return any;
        });
    }
    return listed;
}

std::uint64_t FewFound::insert_into(const HitsBuffer& out,
                                    std::span<std::uint32_t> numbers) const noexcept {
    const std::span<const std::uint32_t> met = numbers.first(list_askers(numbers));
    std::uint64_t more = 0;
    for (const std::uint32_t i : met) {
        for (std::size_t g = 0; g < grids; ++g) {
            more += lists[g] == nullptr ? 0 : lists[g]->length(askers[i]);
        }
    }
    // From the back, so that each answer moves once, and only to where none is left. What does not
    // fit is left out; what the main grid had to leave out would not fit any more either.
    Id* const ids = out.ids.data();
    const std::uint64_t room = out.ids.size();
    const auto move = [&](std::uint64_t begin, std::uint64_t end, std::uint64_t by) {
        if (begin + by >= room) { return; }
        std::memmove(ids + begin + by, ids + begin,
                     (std::min(end + by, room) - (begin + by)) * sizeof(Id));
    };
    std::uint64_t shift = more;
    std::size_t past = askers.size();
    std::uint64_t moved = out.offsets[past]; // where the answers end that have not moved yet
    for (std::size_t k = met.size(); k-- > 0;) {
        const std::size_t i = met[k];
        const std::uint64_t begin = out.offsets[i], end = out.offsets[i + 1];
        move(end, moved, shift);
        for (std::uint64_t& offset : out.offsets.subspan(i + 1, past - i)) {
            offset += shift;
        }
        past = i;
        std::uint64_t at = end; // where the names inserted last begin, without `shift`
        for (std::size_t g = grids; g-- > 0;) {
            if (lists[g] == nullptr) {
                move(begin, end, shift);
                at = begin;
                continue;
            }
            lists[g]->for_each_backwards(askers[i], [&](Id name) {
                --shift;
                if (at + shift < room) { ids[at + shift] = name; }
            });
        }
        moved = begin;
    }
    return more;
}

} // namespace throng
