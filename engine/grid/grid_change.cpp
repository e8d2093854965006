#include "grid_change.hpp"

#include "../memory/loop_sequence.hpp"
#include "edit_list.hpp"
#include "state.hpp"
#include "update.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <optional>
#include <utility>

namespace throng {

template <std::size_t Dim>
struct GridChange<Dim>::State : FromSource {
    std::optional<Update<Dim>> update;
    std::optional<EditList<Dim>> edits;
    LoopSequence* sequence = nullptr; // the one of these that has begun
    LoopClaims* claims = nullptr;     // of its grid
    LoopSequence::Loop loop;
    std::atomic<bool> failed = false;
    std::exception_ptr error; // of the first block that failed

    Status start(LoopSequence& begun, LoopClaims& of_grid) {
        sequence = &begun;
        claims = &of_grid;
        return advance();
    }

    Status advance() {
        try {
            const Status status = sequence->next(loop);
            // For certain loops there is room: they have as many blocks as one before.
            if (status.ok() && !loop.certain) { claims->prepare(loop.blocks); }
            claims->start(loop.blocks);
            if (!status.ok() || loop.blocks == 0) { end(); }
            return status;
        } catch (...) {
            end();
            throw;
        }
    }

    void end() noexcept {
        loop = {};
        failed = false;
        error = nullptr;
        sequence = nullptr;
        update.reset();
        edits.reset();
    }

    void run(std::size_t block) noexcept {
        if (failed.load(std::memory_order_relaxed) || !claims->claim(block)) { return; }
        try {
            sequence->run(block);
            claims->finish(block);
        } catch (...) {
            // Only the first to fail writes `error`; it is read after all blocks have ended.
            if (!failed.exchange(true, std::memory_order_acq_rel)) {
                error = std::current_exception();
            }
        }
    }

    void run_missing() noexcept {
        for (std::size_t b = claims->first_unfinished(); b < loop.blocks; ++b) {
            run(b);
        }
    }
};

template <std::size_t Dim>
GridChange<Dim>::GridChange() : state_(std::make_unique<State>()) {}

template <std::size_t Dim>
GridChange<Dim>::~GridChange() {
    cancel();
}

template <std::size_t Dim>
Status GridChange<Dim>::update(RowGrid<Dim>& grid, const Agents<Dim>& agents, std::size_t threads) {
    cancel();
    auto& changed = detail::state_of(grid);
    if (!changed.configured()) { return {Cause::not_configured, Argument::none}; }
    Update<Dim>& update = state_->update.emplace(changed, agents, SkippedIds{}, threads);
    return state_->start(update, changed.staging.claims);
}

template <std::size_t Dim>
Status GridChange<Dim>::edit(RowGrid<Dim>& grid, std::span<const Edit<Dim>> edits) {
    cancel();
    auto& changed = detail::state_of(grid);
    EditList<Dim>& list = state_->edits.emplace(changed, edits);
    return state_->start(list, changed.staging.claims);
}

template <std::size_t Dim>
std::size_t GridChange<Dim>::blocks() const noexcept {
    return state_->loop.blocks;
}

template <std::size_t Dim>
std::size_t GridChange<Dim>::threads_worth() const noexcept {
    const LoopSequence::Loop& loop = state_->loop;
    return std::clamp<std::size_t>(loop.blocks, 1, loop.cost.threads_worth());
}

template <std::size_t Dim>
void GridChange<Dim>::run(std::size_t begin, std::size_t end) noexcept {
    State& state = *state_;
    for (std::size_t block = begin; block < std::min(end, state.loop.blocks); ++block) {
        state.run(block);
    }
}

template <std::size_t Dim>
Status GridChange<Dim>::next() {
    State& state = *state_;
    if (state.sequence == nullptr) { return {}; }
    if (state.loop.certain) {
        state.run_missing();
    } else if (state.failed) {
        const std::exception_ptr error = std::move(state.error);
        state.end();
        std::rethrow_exception(error);
    } else if (const std::size_t missing = state.claims->first_unfinished();
               missing != state.loop.blocks) {
        state.end();
        return {Cause::executor_failed, Argument::executor, missing};
    }
    return state.advance();
}

template <std::size_t Dim>
void GridChange<Dim>::cancel() noexcept {
    while (state_->loop.certain) {
        (void)next();
    }
    state_->end();
}

template class GridChange<2>;
template class GridChange<3>;

} // namespace throng
