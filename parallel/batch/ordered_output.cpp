#include "ordered_output.hpp"

namespace throng {

std::size_t OutputPart::memory() const noexcept {
    return (ids.capacity() + firsts.capacity() + askers.capacity() + asker_ids.capacity()) *
               sizeof(Id) +
           (offsets.capacity() + found_offsets.capacity()) * sizeof(std::uint64_t) +
           (counts.capacity() + scratch.capacity() + found.capacity()) * sizeof(std::uint32_t) +
           large.capacity() * sizeof(LargeHit) +
           (nearest.capacity() + found_nearest.capacity()) * sizeof(Near) + queries.capacity() +
           filters.capacity() * sizeof(Filter) + copies.memory();
}

OrderedLoop::Turn OrderedLoop::begin_turn() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
        parts_.push_back(std::make_unique<OutputPart>());
        free_.push_back(parts_.back().get());
    }
    OutputPart* const part = free_.back();
    free_.pop_back();
    const std::size_t block = next_++;
    part->block = block;
    part->written = false;
    part->begin = end_;
    return {block, part, block == front_ ? std::optional(end_) : std::nullopt};
}

void OrderedLoop::finish_turn(std::size_t block, OutputPart& part, WritePart write_part) {
    std::size_t first;
    std::size_t past;
    {
        const std::lock_guard lock(mutex_);
        finished_[block] = &part;
        first = front_;
        for (; front_ < finished_.size() && finished_[front_] != nullptr; ++front_) {
            finished_[front_]->begin = end_;
            end_ += finished_[front_]->length;
        }
        past = front_;
    }
    // Needs no lock: no other thread looks at parts whose place has just become known.
    for (std::size_t b = first; b < past; ++b) {
        OutputPart* const ready = finished_[b];
        const bool written = ready->written || write_part(*ready);
        const std::lock_guard lock(mutex_);
        (written ? free_ : kept_).push_back(ready);
    }
}

Status OrderedLoop::run(Executor& executor, std::size_t blocks, LoopCost cost, Work work,
                        WritePart write_part) {
    finished_.assign(blocks, nullptr);
    free_.clear();
    // Room for the most parts that there can be, so that nothing has to grow later.
    free_.reserve(parts_.size() + blocks);
    kept_.reserve(parts_.size() + blocks);
    kept_.clear();
    for (const auto& part : parts_) {
        free_.push_back(part.get());
    }
    next_ = front_ = 0;
    end_ = 0;
    return run_blocks(
        executor, blocks,
        [&](std::size_t) {
            const Turn turn = begin_turn();
            work(turn.block, *turn.part, turn.begin);
            finish_turn(turn.block, *turn.part, write_part);
        },
        claims_, cost);
}

/// Rough cost of putting a result in its place: it only decides how many threads to use.
static constexpr double kKept = 2'000.0;

Status OrderedLoop::run_kept(Executor& executor, FunctionRef<void(const OutputPart&)> body) {
    return run_blocks(
        executor, kept_.size(), [&](std::size_t k) { body(*kept_[k]); }, claims_,
        LoopCost::of(kept_.size(), kKept));
}

std::size_t OrderedLoop::memory() const noexcept {
    std::size_t bytes = claims_.memory() + (parts_.capacity() + free_.capacity() +
                                            kept_.capacity() + finished_.capacity()) *
                                               sizeof(void*);
    for (const auto& part : parts_) {
        bytes += sizeof(OutputPart) + part->memory();
    }
    return bytes;
}

void OrderedLoop::release() noexcept {
    for (auto* list : {&free_, &kept_, &finished_}) {
        std::vector<OutputPart*>().swap(*list);
    }
    std::vector<std::unique_ptr<OutputPart>>().swap(parts_);
    claims_ = {};
}

} // namespace throng
