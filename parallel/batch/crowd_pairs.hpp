// All pairs of a crowd whose boxes or discs overlap, in blocks. Internal.
#pragma once

#include "../../engine/answers/merge.hpp"
#include "../../engine/crowd/calls/pairs.hpp"
#include "../../engine/crowd/periodic/periodic.hpp"
#include "../../engine/grid/grid_parts.hpp"
#include "state.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace throng {

/// The pairs of a crowd in blocks. Each pair of sets has blocks of its own.
template <std::size_t Dim>
class Batch<Dim>::State::CrowdPairs : public OverlapSource<Dim> {
public:
    CrowdPairs(const Crowd<Dim>& crowd, PairSets sets, std::uint32_t groups, Body body) noexcept
        : crowd_(crowd), sets_(sets), groups_(groups), body_(body) {}

    /// Whether all pairs that are wanted are pairs of agents of the grid.
    [[nodiscard]] bool grid_alone() const noexcept {
        return plain(crowd_) && has(sets_, PairSets::small_small) && large_blocks() == 0;
    }

    [[nodiscard]] std::size_t blocks() const noexcept override {
        return whole() ? 1 : grid_blocks() + large_blocks();
    }
    std::uint64_t pairs(std::size_t block, OutputPart& part,
                        const PairsBuffer& out) const override {
        if (is_of_grid(block)) {
            return checked(
                grid().parts().pairs(block, block + 1, scratch(part), out, groups_, body_));
        }
        const std::size_t room = std::min(out.first.size(), out.second.size());
        std::uint64_t found = 0;
        run(block, [&](std::span<const Id> first, std::span<const Id> second) {
            put_clipped(first, found, out.first.first(room));
            put_clipped(second, found, out.second.first(room));
            found += first.size();
            return true;
        });
        return found;
    }
    std::uint64_t visit(std::size_t block, OutputPart& part,
                        IndexPairVisitor visitor) const override {
        const PairsBuffer room = run_of(part);
        if (is_of_grid(block)) {
            return checked(grid().parts().visit_pairs(block, block + 1, scratch(part), room,
                                                      visitor, groups_, body_));
        }
        Runs runs{room, visitor};
        run(block, [&](std::span<const Id> first, std::span<const Id> second) {
            return runs.add(first, second);
        });
        runs.hand_on();
        return runs.handed;
    }
    std::uint64_t count(std::size_t block, OutputPart&) const override {
        if (is_of_grid(block)) {
            return checked(grid().parts().count_pairs(block, block + 1, groups_, body_));
        }
        std::uint64_t found = 0;
        run(block, [&](std::span<const Id> first, std::span<const Id>) {
            found += first.size();
            return true;
        });
        return found;
    }

private:
    using Hand = IndexPairVisitor;

    /// Joins short runs into long ones.
    struct Runs {
        PairsBuffer room;
        Hand visitor;
        std::size_t used = 0, handed = 0;
        bool more = true;

        bool add(std::span<const Id> first, std::span<const Id> second) {
            while (!first.empty() && more) {
                const std::size_t fit = std::min(first.size(), room.first.size() - used);
                std::copy_n(first.data(), fit, room.first.data() + used);
                std::copy_n(second.data(), fit, room.second.data() + used);
                used += fit;
                first = first.subspan(fit);
                second = second.subspan(fit);
                if (used == room.first.size()) { hand_on(); }
            }
            return more;
        }
        void hand_on() {
            if (!more || used == 0) { return; }
            handed += used;
            more = visitor(room.first.first(used), room.second.first(used));
            used = 0;
        }
    };

    /// How many giants, and how many statics, a block looks for pairs of.
    static constexpr std::size_t kLarge = 64;
    static constexpr std::size_t kStatics = 512;
    /// How many slices a block looks through for pairs across the border: few agents are near it.
    static constexpr std::size_t kSlices = 4;

    static std::size_t blocks_of(std::size_t slots, std::size_t size) noexcept {
        return (slots + size - 1) / size;
    }

    [[nodiscard]] const RowGrid<Dim>& grid() const noexcept {
        return detail::state_of(crowd_).grid;
    }
    [[nodiscard]] std::size_t giants() const noexcept {
        return detail::state_of(crowd_).giants.size() == 0
                   ? 0
                   : detail::state_of(crowd_).giants.slots();
    }
    [[nodiscard]] std::size_t statics() const noexcept {
        return detail::state_of(crowd_).statics->slots();
    }
    [[nodiscard]] typename detail::StateOf<Crowd<Dim>>::CrossPairs cross() const noexcept {
        return {detail::state_of(crowd_), groups_, body_};
    }

    /// Whether the crowd finds its pairs itself, in one block, since agents and statics are too few
    /// for more blocks to pay.
    [[nodiscard]] bool whole() const noexcept {
        constexpr std::size_t kFew = 256;
        return detail::state_of(crowd_).size() + statics() < kFew;
    }
    [[nodiscard]] std::size_t grid_blocks() const noexcept {
        return has(sets_, PairSets::small_small) ? grid().parts().slices() : 0;
    }
    [[nodiscard]] bool is_of_grid(std::size_t block) const noexcept {
        return !whole() && block < grid_blocks();
    }

    /// A pair of sets whose pairs are found in blocks of `size` slots: pairs that overlap in the
    /// world itself by `ask`, and across a periodic border if that is null.
    struct Kind {
        using Cross = typename detail::StateOf<Crowd<Dim>>::CrossPairs;
        using Ask = bool (Cross::*)(std::size_t, std::size_t, Hand) const;

        PairSets sets;
        std::size_t slots, size;
        Ask ask;
    };

    /// Calls part(kind) for each wanted pair of sets except the grid with itself, in order, and
    /// then for all pairs of sets across the border, until part() returns false.
    template <class Part>
    void for_each_part(const Part& part) const {
        using Cross = typename Kind::Cross;
        const bool small_ask = cross().small_ask_statics();
        const std::size_t standing = statics() == 0 ? 0 : giants();
        const Kind kinds[] = {
            {PairSets::small_giants, giants(), kLarge, &Cross::small_of_giants},
            {PairSets::giants_giants, giants(), kLarge, &Cross::giants_of_giants},
            {PairSets::small_statics, small_ask ? grid().parts().slices() : statics(),
             small_ask ? 1 : kStatics,
             small_ask ? &Cross::statics_of_small : &Cross::small_of_statics},
            {PairSets::giants_statics, standing, kLarge, &Cross::statics_of_giants}};
        for (const Kind& kind : kinds) {
            if (has(sets_, kind.sets) && !part(kind)) { return; }
        }
        bool more = true;
        cross().for_each_border_kind([&](PairSets sets, std::size_t slots) {
            const std::size_t size = sets == PairSets::small_small     ? kSlices
                                     : sets == PairSets::small_statics ? kStatics
                                                                       : kLarge;
            more = more && (!has(sets_, sets) || part(Kind{sets, slots, size, nullptr}));
        });
    }
    [[nodiscard]] std::size_t large_blocks() const noexcept {
        std::size_t blocks = 0;
        for_each_part([&](const auto& kind) {
            blocks += blocks_of(kind.slots, kind.size);
            return true;
        });
        return blocks;
    }

    /// Hands over the pairs of a block that is not of the grid, until `hand` has enough.
    void run(std::size_t block, Hand hand) const {
        if (whole()) {
            (void)crowd_.visit_pairs(sets_, hand, groups_, body_);
            return;
        }
        std::size_t number = block - grid_blocks();
        for_each_part([&](const auto& kind) {
            const std::size_t blocks = blocks_of(kind.slots, kind.size);
            if (number >= blocks) {
                number -= blocks;
                return true;
            }
            const std::size_t begin = number * kind.size;
            const std::size_t past = std::min(begin + kind.size, kind.slots);
            if (kind.ask != nullptr) {
                (cross().*kind.ask)(begin, past, hand);
            } else {
                using Copies = typename detail::StateOf<Crowd<Dim>>::PeriodicCopies;
                const auto& state = detail::state_of(crowd_);
                (void)Copies::visit_pairs(state, state.world, kind.sets, begin, past, hand, groups_,
                                          body_);
            }
            return false;
        });
    }

    const Crowd<Dim>& crowd_;
    PairSets sets_;
    std::uint32_t groups_;
    Body body_;
};

} // namespace throng
