// All pairs of agents that are near each other, in blocks. Internal.
#pragma once

#include "../../engine/crowd/store/state.hpp"
#include "../../engine/grid/grid_parts.hpp"
#include "../../engine/grid/store/state.hpp"
#include "state.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace throng {

/// The agents of a grid, and then the giants of a crowd, each paired with later agents near it.
template <std::size_t Dim>
class Batch<Dim>::State::NearPairs : public PairSource<Dim> {
public:
    /// `small` answers for the slices of `grid`, `large` for the blocks of giants that follow; both
    /// number their blocks alike. The neighbourhood must have `later_only`; agents outside its
    /// groups are in no pair.
    NearPairs(Askers<Dim>& small, Askers<Dim>& large, const RowGrid<Dim>& grid,
              const Crowd<Dim>* crowd, const Neighbourhood& neighbourhood)
        : small_(small), large_(large), grid_(grid), crowd_(crowd), neighbourhood_(neighbourhood) {
        small.prepare(neighbourhood); // the agents of a grid, or of a crowd, which needs no more
    }

    [[nodiscard]] std::size_t blocks() const noexcept override { return small_.blocks(); }
    [[nodiscard]] LoopCost cost() const noexcept override {
        return LoopCost::of(small_.agents(), 10.0);
    }

    std::uint64_t pairs(std::size_t block, OutputPart& part,
                        const PairsBuffer& out) const override {
        const Askers<Dim>& askers = askers_of(block);
        askers.note_askers(block, part);
        part.offsets.resize(part.askers.size() + 1);
        const std::size_t room = std::min(out.first.size(), out.second.size());
        const std::uint64_t listed =
            askers.neighbours(neighbourhood_, block, part, {part.offsets, out.second.first(room)});
        if (room != 0 && listed > room) { return listed; }
        return put_pairs(part, note_wanted(block, part), room == 0 ? PairsBuffer{} : out);
    }

private:
    [[nodiscard]] const Askers<Dim>& askers_of(std::size_t block) const noexcept {
        return block < grid_.parts().slices() ? small_ : large_;
    }

    /// Notes in part.counts which askers are in the groups, unless all of them are; returns whether
    /// it noted anything.
    bool note_wanted(std::size_t block, OutputPart& part) const {
        const std::uint32_t groups = neighbourhood_.groups;
        const auto& inside = detail::state_of(grid_);
        part.counts.clear();
        if (groups == kAllGroups) { return false; }
        if (block >= inside.slices.count()) {
            const LargeElements<Dim>& giants = detail::state_of(*crowd_).giants;
            if (!giants.keeps_groups()) { return false; }
            for (const Id giant : part.askers) {
                part.counts.push_back(*giants.agent(giant).groups & groups);
            }
            return true;
        }
        if (!inside.store.kind().groups) { return false; }
        part.counts.resize(part.askers.size());
        inside.masks_range(block, block + 1, part.counts);
        for (std::uint32_t& mask : part.counts) {
            mask &= groups;
        }
        return true;
    }

    /// Turns the askers' lists into pairs, except the lists of askers that are not wanted. Returns
    /// how many pairs there are; if `out` has no room, only counts them.
    static std::uint64_t put_pairs(const OutputPart& part, bool some, const PairsBuffer& out) {
        std::uint64_t pairs = 0;
        for (std::size_t i = 0; i < part.askers.size(); ++i) {
            if (some && part.counts[i] == 0) { continue; }
            const std::uint64_t begin = part.offsets[i];
            const std::uint64_t length = part.offsets[i + 1] - begin;
            if (!out.first.empty()) {
                if (pairs != begin) {
                    std::copy_n(out.second.data() + begin, length, out.second.data() + pairs);
                }
                put_copies(part.askers[i], length, out.first.subspan(pairs));
            }
            pairs += length;
        }
        return pairs;
    }

    /// Most lists are short: writing a fixed number of copies needs no branch that could be
    /// mispredicted.
    static void put_copies(Id id, std::uint64_t count, std::span<Id> to) noexcept {
        constexpr std::size_t kMostly = 16;
        if (count <= kMostly && to.size() >= kMostly) {
            std::fill_n(to.data(), kMostly, id);
        } else {
            std::fill_n(to.data(), count, id);
        }
    }

    Askers<Dim>& small_;
    Askers<Dim>& large_;
    const RowGrid<Dim>& grid_;
    const Crowd<Dim>* crowd_; ///< null if there are no giants
    Neighbourhood neighbourhood_;
};

} // namespace throng
