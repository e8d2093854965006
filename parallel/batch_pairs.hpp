// Pairs that blocks of work find, laid end to end or handed to a visitor. Internal.
#pragma once

#include "batch_state.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace throng {

template <std::size_t Dim>
struct Batch<Dim>::JoiningPairs {
    State& state;
    std::size_t blocks;

    /// Where pairs go: arrays that grow, or arrays that do not.
    struct PairsOutput {
        std::span<Id> first, second;
        Pairs* growing = nullptr;

        [[nodiscard]] std::uint64_t room() const noexcept {
            return std::min(first.size(), second.size());
        }
        void grow(std::uint64_t total) {
            if (growing == nullptr || total <= room()) { return; }
            growing->first.resize(total + total / 16);
            growing->second.resize(total + total / 16);
            first = growing->first;
            second = growing->second;
        }
        /// As much of a part as there is room for.
        void put(const JoinedPart& part) const noexcept {
            if (part.begin >= room()) { return; }
            const std::uint64_t fit = std::min(part.length, room() - part.begin);
            std::copy_n(part.firsts.data(), fit, first.data() + part.begin);
            std::copy_n(part.ids.data(), fit, second.data() + part.begin);
        }
    };

    /// Makes the pairs of a block in the part's own arrays, which grow until all fit.
    template <class Ask>
    static void pairs_aside(std::size_t block, JoinedPart& part, const Ask& ask) {
        const std::span<std::uint32_t> scratch = State::scratch(part);
        const auto fits = [&] {
            part.length = State::checked(ask(block, scratch, PairsBuffer{part.firsts, part.ids}));
            return part.length <= std::min(part.firsts.size(), part.ids.size());
        };
        while (!fits()) {
            // With room to spare: a packet of agents that might not fit is asked one by one.
            const std::uint64_t more = part.length + std::max<std::uint64_t>(part.length / 4, 4096);
            part.firsts.resize(std::max<std::uint64_t>(more, part.firsts.size()));
            part.ids.resize(std::max<std::uint64_t>(more, part.ids.size()));
        }
    }

    /// ask(block, scratch, arrays) is a range call, as RowGrid::pairs_range.
    template <class Ask>
    Found pairs(const Ask& ask, PairsOutput& out) const {
        return State::refusable([&]() -> Found {
            const auto work = [&](std::size_t block, JoinedPart& part,
                                  std::optional<std::uint64_t>) {
                if (out.growing == nullptr && part.begin >= out.room()) {
                    // There is no room for these, however many: only count.
                    part.length = State::checked(ask(block, State::scratch(part), PairsBuffer{}));
                    return;
                }
                pairs_aside(block, part, ask);
            };
            const auto place = [&](const JoinedPart& part) {
                if (out.growing != nullptr && part.begin + part.length > out.room()) {
                    return false;
                }
                out.put(part);
                return true;
            };
            Status status = state.loop.run(*state.executor, blocks, work, place);
            if (!status.ok()) { return {0, status}; }
            out.grow(state.loop.total());
            status = state.loop.run_kept(*state.executor,
                                         [&](const JoinedPart& part) { out.put(part); });
            return {state.loop.total(), status};
        });
    }
    template <class Ask>
    Status pairs(const Ask& ask, Pairs& all) const {
        Pairs filling;
        std::swap(filling, all); // what is half done is not left to be read
        PairsOutput out = {filling.first, filling.second, &filling};
        const Found found = pairs(ask, out);
        filling.count = found.status.ok() ? found.count : 0;
        std::swap(filling, all);
        return found.status;
    }
    template <class Ask>
    Found pairs(const Ask& ask, const PairsBuffer& buffer) const {
        PairsOutput out = {buffer.first, buffer.second};
        return pairs(ask, out);
    }

    /// ask(block, scratch, arrays for a run, visitor) is a range call, as
    /// RowGrid::visit_pairs_range.
    template <class Ask>
    Found visit_pairs(const Ask& ask, PairVisitor visitor) const {
        constexpr std::size_t kRun = 8192;
        return State::refusable([&]() -> Found {
            std::atomic<bool> stopped = false;
            return state.add_up(blocks, [&](std::size_t block, JoinedPart& part) -> std::uint64_t {
                if (stopped.load(std::memory_order_relaxed)) { return 0; }
                part.firsts.resize(std::max(kRun, part.firsts.size()));
                part.ids.resize(std::max(kRun, part.ids.size()));
                const std::span<Id> firsts(part.firsts.data(), kRun);
                const std::span<Id> seconds(part.ids.data(), kRun);
                const auto hand_on = [&](std::span<const Id> first, std::span<const Id> second) {
                    const bool go_on = visitor(block, first, second);
                    if (!go_on) { stopped.store(true, std::memory_order_relaxed); }
                    return go_on;
                };
                return State::checked(
                    ask(block, State::scratch(part), PairsBuffer{firsts, seconds}, hand_on));
            });
        });
    }
};

} // namespace throng
