// All pairs of a crowd whose boxes overlap.
#include "crowd_batch.hpp"

#include "../engine/crowd_pairs.hpp"
#include "batch_pairs.hpp"
#include "crowd_batch_state.hpp"

namespace throng {

/// The pairs of a crowd in blocks: those of each two sets come in blocks of their own.
template <std::size_t Dim>
struct CrowdBatch<Dim>::PairBlocks {
    using BatchState = typename Batch<Dim>::State;
    using Hand = IndexPairVisitor;

    const Crowd<Dim>& crowd;
    PairSets sets;
    std::uint32_t groups;

    /// Whether those of the grid are all that there are.
    [[nodiscard]] bool grid_alone() const noexcept {
        return plain(crowd) && has(sets, PairSets::small_small) && large_blocks() == 0;
    }

    [[nodiscard]] std::size_t count() const noexcept {
        return whole() ? 1 : grid_blocks() + large_blocks();
    }

    // As JoiningPairs wants them.

    [[nodiscard]] auto list() const noexcept {
        return [this](std::size_t block, std::span<std::uint32_t> scratch, const PairsBuffer& out) {
            if (is_of_grid(block)) {
                return grid().pairs_range(block, block + 1, scratch, out, groups);
            }
            const std::size_t room = std::min(out.first.size(), out.second.size());
            Found found;
            run(block, [&](std::span<const Id> first, std::span<const Id> second) {
                put_clipped(first, found.count, out.first.first(room));
                put_clipped(second, found.count, out.second.first(room));
                found.count += first.size();
                return true;
            });
            return found;
        };
    }
    [[nodiscard]] auto visit() const noexcept {
        return [this](std::size_t block, std::span<std::uint32_t> scratch, const PairsBuffer& room,
                      Hand visitor) {
            if (is_of_grid(block)) {
                return grid().visit_pairs_range(block, block + 1, scratch, room, visitor, groups);
            }
            Runs runs{room, visitor};
            run(block, [&](std::span<const Id> first, std::span<const Id> second) {
                return runs.add(first, second);
            });
            runs.hand_on();
            return Found{runs.handed, {}};
        };
    }
    [[nodiscard]] std::uint64_t count_in(std::size_t block) const {
        if (is_of_grid(block)) {
            return BatchState::checked(grid().count_pairs_range(block, block + 1, groups));
        }
        std::uint64_t pairs = 0;
        run(block, [&](std::span<const Id> first, std::span<const Id>) {
            pairs += first.size();
            return true;
        });
        return pairs;
    }

private:
    /// Collects short runs to long ones.
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

    /// Large elements, or statics, of a block: each of them finds some.
    static constexpr std::size_t kLarge = 64;
    static constexpr std::size_t kStatics = 512;

    static std::size_t blocks_of(std::size_t places, std::size_t size) noexcept {
        return (places + size - 1) / size;
    }

    [[nodiscard]] const RowGrid<Dim>& grid() const noexcept { return crowd.state_->grid; }
    [[nodiscard]] std::size_t giants() const noexcept {
        return crowd.state_->giants.size() == 0 ? 0 : crowd.state_->giants.places();
    }
    [[nodiscard]] std::size_t statics() const noexcept { return crowd.state_->statics->places(); }
    [[nodiscard]] typename Crowd<Dim>::CrossPairs cross() const noexcept {
        return {*crowd.state_, groups};
    }

    /// Whether the crowd finds its pairs itself, all in one block: a few are not worth more.
    [[nodiscard]] bool whole() const noexcept {
        constexpr std::size_t kFew = 256;
        return !plain(crowd) || crowd.state_->size() + statics() < kFew;
    }
    [[nodiscard]] std::size_t grid_blocks() const noexcept {
        return has(sets, PairSets::small_small) ? grid().slices() : 0;
    }
    [[nodiscard]] bool is_of_grid(std::size_t block) const noexcept {
        return !whole() && block < grid_blocks();
    }

    /// Calls part(blocks, size, places, ask) for each two sets besides the grid's own, in order,
    /// until it returns false; ask(begin, past, hand) finds the pairs of those places.
    template <class Part>
    void for_each_part(const Part& part) const {
        using Cross = typename Crowd<Dim>::CrossPairs;
        using Ask = bool (Cross::*)(std::size_t, std::size_t, Hand) const;
        const bool small_ask = cross().small_ask_statics();
        struct Kind {
            PairSets sets;
            std::size_t places, size;
            Ask ask;
        };
        const std::size_t standing = statics() == 0 ? 0 : giants();
        const Kind kinds[] = {
            {PairSets::small_giants, giants(), kLarge, &Cross::small_of_giants},
            {PairSets::giants_giants, giants(), kLarge, &Cross::giants_of_giants},
            {PairSets::small_statics, small_ask ? grid().slices() : statics(),
             small_ask ? 1 : kStatics,
             small_ask ? &Cross::statics_of_small : &Cross::small_of_statics},
            {PairSets::giants_statics, standing, kLarge, &Cross::statics_of_giants}};
        for (const Kind& kind : kinds) {
            if (has(sets, kind.sets) && !part(kind)) { return; }
        }
    }
    [[nodiscard]] std::size_t large_blocks() const noexcept {
        std::size_t blocks = 0;
        for_each_part([&](const auto& kind) {
            blocks += blocks_of(kind.places, kind.size);
            return true;
        });
        return blocks;
    }

    /// Hands over the pairs of a block that is not of the grid, until `hand` has enough.
    void run(std::size_t block, Hand hand) const {
        if (whole()) {
            (void)crowd.visit_pairs(sets, hand, groups);
            return;
        }
        std::size_t number = block - grid_blocks();
        for_each_part([&](const auto& kind) {
            const std::size_t blocks = blocks_of(kind.places, kind.size);
            if (number >= blocks) {
                number -= blocks;
                return true;
            }
            const std::size_t begin = number * kind.size;
            (cross().*kind.ask)(begin, std::min(begin + kind.size, kind.places), hand);
            return false;
        });
    }
};

/// Held through a call; what PairBlocks find, joined.
template <std::size_t Dim>
struct CrowdBatch<Dim>::Pairing {
    const char* name; // of the call
    typename Batch<Dim>::State& state;
    const PairBlocks& blocks;
    typename Batch<Dim>::State::Asking asking{name, state, blocks.crowd.grid()};

    [[nodiscard]] typename Batch<Dim>::JoiningPairs joining() const noexcept {
        return {state, blocks.count()};
    }
};

template <std::size_t Dim>
Status CrowdBatch<Dim>::pairs(const Crowd<Dim>& crowd, Pairs& pairs, PairSets sets,
                              std::uint32_t groups) {
    const Phase::Reading reading(crowd.state_->phase);
    const PairBlocks blocks{crowd, sets, groups};
    if (blocks.grid_alone()) { return batch_.pairs(crowd.grid(), pairs, groups); }
    return Pairing{"CrowdBatch::pairs", *batch_.state_, blocks}.joining().pairs(blocks.list(),
                                                                                pairs);
}
template <std::size_t Dim>
Found CrowdBatch<Dim>::pairs(const Crowd<Dim>& crowd, const PairsBuffer& out, PairSets sets,
                             std::uint32_t groups) {
    const Phase::Reading reading(crowd.state_->phase);
    const PairBlocks blocks{crowd, sets, groups};
    if (blocks.grid_alone()) { return batch_.pairs(crowd.grid(), out, groups); }
    return Pairing{"CrowdBatch::pairs", *batch_.state_, blocks}.joining().pairs(blocks.list(), out);
}
template <std::size_t Dim>
Found CrowdBatch<Dim>::count_pairs(const Crowd<Dim>& crowd, PairSets sets, std::uint32_t groups) {
    const Phase::Reading reading(crowd.state_->phase);
    const PairBlocks blocks{crowd, sets, groups};
    if (blocks.grid_alone()) { return batch_.count_pairs(crowd.grid(), groups); }
    const Pairing pairing{"CrowdBatch::count_pairs", *batch_.state_, blocks};
    return Batch<Dim>::State::refusable([&] {
        return pairing.state.add_up(
            blocks.count(), [&](std::size_t block, JoinedPart&) { return blocks.count_in(block); });
    });
}
template <std::size_t Dim>
Found CrowdBatch<Dim>::visit_pairs(const Crowd<Dim>& crowd, PairVisitor visitor, PairSets sets,
                                   std::uint32_t groups) {
    const Phase::Reading reading(crowd.state_->phase);
    const PairBlocks blocks{crowd, sets, groups};
    if (blocks.grid_alone()) { return batch_.visit_pairs(crowd.grid(), visitor, groups); }
    return Pairing{"CrowdBatch::visit_pairs", *batch_.state_, blocks}.joining().visit_pairs(
        blocks.visit(), visitor);
}
template <std::size_t Dim>
std::size_t CrowdBatch<Dim>::pair_blocks(const Crowd<Dim>& crowd, PairSets sets) noexcept {
    const Phase::Reading reading(crowd.state_->phase);
    const PairBlocks blocks{crowd, sets, kAllGroups};
    return blocks.grid_alone() ? crowd.grid().slices() : blocks.count();
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Status CrowdBatch<Dim>::pairs(const Crowd<Dim>&, Pairs&, PairSets, std::uint32_t);    \
    template Found CrowdBatch<Dim>::pairs(const Crowd<Dim>&, const PairsBuffer&, PairSets,         \
                                          std::uint32_t);                                          \
    template Found CrowdBatch<Dim>::count_pairs(const Crowd<Dim>&, PairSets, std::uint32_t);       \
    template Found CrowdBatch<Dim>::visit_pairs(const Crowd<Dim>&, PairVisitor, PairSets,          \
                                                std::uint32_t);                                    \
    template std::size_t CrowdBatch<Dim>::pair_blocks(const Crowd<Dim>&, PairSets) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
