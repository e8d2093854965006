// A loop whose blocks have results of unknown lengths, laid end to end. Internal.
#pragma once

#include "../../engine/agents/filter.hpp"
#include "../../engine/agents/found.hpp"
#include "../../engine/agents/nearest.hpp"
#include "../../engine/answers/merge.hpp"
#include "../../engine/core/executor.hpp"
#include "../../engine/core/function_ref.hpp"
#include "../../engine/core/id.hpp"
#include "../../engine/core/status.hpp"
#include "../../engine/core/threads.hpp"
#include "../../engine/memory/checked_loop.hpp"
#include "block_copies.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace throng {

/// Thrown in a block with a question that is refused, so that no more blocks begin.
struct Refused {
    Status status;
};

/// The result of one block until it is copied to its place, and scratch for making it.
struct OutputPart {
    std::size_t block = 0;
    std::uint64_t begin = 0;  ///< its place; a lower bound while the result is made
    std::uint64_t length = 0; ///< of the result
    bool written = false;     ///< whether the result has been written to its place

    std::vector<Id> ids, firsts; ///< hits, or pairs; may be longer than the result
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint32_t> counts;
    std::vector<Near> nearest;
    std::vector<Id> askers;
    std::vector<std::uint32_t> scratch;
    std::vector<std::byte> queries;
    std::vector<Filter> filters;
    std::vector<LargeHit> large; ///< giants and statics, which follow the grid's answers

    // The answers of several grids to some askers of one, before they are joined.
    std::vector<Id> asker_ids;
    std::vector<std::uint32_t> found;
    std::vector<std::uint64_t> found_offsets;
    std::vector<Near> found_nearest;

    BlockCopies copies; ///< of questions in a periodic world

    [[nodiscard]] std::size_t memory() const noexcept;
};

/// Blocks begin in order, whatever order the executor calls them in. So only a few blocks ever wait
/// for the length of an earlier one, and results are still in the cache when they are copied.
class OrderedLoop {
public:
    /// Makes the result of a block in `part` and sets its length. `begin` is known if all blocks
    /// before are done: then the call may write the result to its place and set part.written.
    using Work =
        FunctionRef<void(std::size_t block, OutputPart& part, std::optional<std::uint64_t> begin)>;
    /// Copies a result to part.begin, or returns false to keep the result for run_kept().
    using WritePart = FunctionRef<bool(const OutputPart& part)>;

    /// Runs all blocks. Returns and throws what run_blocks() does.
    Status run(Executor& executor, std::size_t blocks, LoopCost cost, Work work,
               WritePart write_part);

    /// After run(): the lengths of all blocks together.
    [[nodiscard]] std::uint64_t total() const noexcept { return end_; }
    /// Runs body(part) for the results of the last run() that are not in their places yet.
    Status run_kept(Executor& executor, FunctionRef<void(const OutputPart&)> body);

    [[nodiscard]] std::size_t memory() const noexcept;
    /// Gives the memory back.
    void release() noexcept;

private:
    struct Turn {
        std::size_t block;
        OutputPart* part;
        std::optional<std::uint64_t> begin;
    };
    [[nodiscard]] Turn begin_turn();
    void finish_turn(std::size_t block, OutputPart& part, WritePart write_part);

    LoopClaims claims_;
    Mutex mutex_; // guards all members below; held for moments, never during work
    std::vector<std::unique_ptr<OutputPart>> parts_;
    std::vector<OutputPart*> free_, kept_;
    std::vector<OutputPart*> finished_; // by block: parts that wait for an earlier block
    std::size_t next_ = 0;              // the block to begin next
    std::size_t front_ = 0;             // the first block whose length is not known
    std::uint64_t end_ = 0;             // where the result of block front_ begins
};

} // namespace throng
