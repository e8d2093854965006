// Threads that work together, from any source.
#pragma once

#include <throng/engine/core/executor.hpp>
#include <throng/engine/core/function_ref.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace throng::bench {

/// The source of the threads that run the blocks.
enum class Source : std::uint8_t {
    none,   ///< the index is asked directly, without Batch
    serial, ///< serial_executor()
    pool,   ///< ThreadPool
    tbb,    ///< TbbExecutor in a task_arena
};

[[nodiscard]] const char* to_string(Source source) noexcept;

/// Whether this program was built with oneTBB.
[[nodiscard]] bool has_tbb() noexcept;

/// A number of threads from one source. Idle threads take no processor time.
class Team {
public:
    Team(Source source, std::size_t threads) noexcept : source_(source), threads_(threads) {}
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;
    virtual ~Team() = default;

    /// Calls body(executor) with an executor of the team's threads.
    virtual void call(FunctionRef<void(Executor&)> body) = 0;

    /// Lets each thread run on one processor only, the calling one on the first of these, which
    /// must be as many as there are threads. Throws std::runtime_error where that fails.
    virtual void pin(std::span<const int> processors);

    [[nodiscard]] Source source() const noexcept { return source_; }
    [[nodiscard]] std::size_t threads() const noexcept { return threads_; }

private:
    Source source_;
    std::size_t threads_;
};

/// The serial executor.
[[nodiscard]] std::unique_ptr<Team> make_serial_team();

/// Threads of the source, which is one that has any. `most` is the number of threads of the largest
/// team there will be.
[[nodiscard]] std::unique_ptr<Team> make_team(Source source, std::size_t threads, std::size_t most);

/// The serial executor first, then a team of each source for each number of threads.
[[nodiscard]] std::vector<std::unique_ptr<Team>> make_teams(std::span<const Source> sources,
                                                            std::span<const std::size_t> threads);

} // namespace throng::bench
