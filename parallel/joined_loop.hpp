// A loop whose blocks yield results of lengths that are not known before, laid end to end.
// Internal.
#pragma once

#include "../engine/checked_loop.hpp"
#include "../engine/executor.hpp"
#include "../engine/filter.hpp"
#include "../engine/found.hpp"
#include "../engine/function_ref.hpp"
#include "../engine/id.hpp"
#include "../engine/nearest.hpp"
#include "../engine/status.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace throng {

/// The result of one block on its way to where it belongs, and scratch for making it.
struct JoinedPart {
    std::size_t block = 0;
    std::uint64_t begin = 0;  ///< where it goes; while it is made, nowhere before that
    std::uint64_t length = 0; ///< how long it is
    bool placed = false;      ///< whether it is there already

    std::vector<Id> ids, firsts; ///< may be longer
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint32_t> counts;
    std::vector<Near> nearest;
    std::vector<Id> askers;
    std::vector<std::uint32_t> scratch;
    std::vector<std::byte> queries;
    std::vector<Filter> filters;
    Hits more; ///< what comes behind the answers of a grid

    // What each of several grids says, before it is put together.
    std::vector<std::uint32_t> found;
    std::vector<std::uint64_t> found_offsets;
    std::vector<Near> found_nearest;

    [[nodiscard]] std::size_t memory() const noexcept;
};

/// Blocks begin in order, whatever the order in which the executor calls: so there are never many
/// that wait for one before them to say how long it is, and results are still in the cache when
/// they are copied.
class JoinedLoop {
public:
    /// Makes the result of a block in `part` and sets its length. Where `begin` is known already,
    /// all before it being done, it may write to the place itself and say that it is placed.
    using Work =
        FunctionRef<void(std::size_t block, JoinedPart& part, std::optional<std::uint64_t> begin)>;
    /// Copies a result to part.begin. False keeps it for run_kept().
    using Place = FunctionRef<bool(const JoinedPart& part)>;

    /// Runs all blocks. What it returns and throws is what run_blocks() does.
    Status run(Executor& executor, std::size_t blocks, Work work, Place place);

    /// After run(): the lengths of all blocks together.
    [[nodiscard]] std::uint64_t total() const noexcept { return end_; }
    /// Runs body(part) for the results of the last run() that are in no place yet.
    Status run_kept(Executor& executor, FunctionRef<void(const JoinedPart&)> body);

    [[nodiscard]] std::size_t memory() const noexcept;
    /// Gives it back.
    void release() noexcept;

private:
    struct Turn {
        std::size_t block;
        JoinedPart* part;
        std::optional<std::uint64_t> begin;
    };
    [[nodiscard]] Turn begin_turn();
    void finish_turn(std::size_t block, JoinedPart& part, Place place);

    LoopClaims claims_;
    std::mutex mutex_; // for what follows; held for moments, never while there is work
    std::vector<std::unique_ptr<JoinedPart>> parts_;
    std::vector<JoinedPart*> free_, kept_;
    std::vector<JoinedPart*> finished_; // by block: those that wait for one before them
    std::size_t next_ = 0;              // the block to begin next
    std::size_t front_ = 0;             // the first block of which it is not known where it ends,
    std::uint64_t end_ = 0;             // and where all before it do
};

} // namespace throng
