// Threads from any source that work together.
#pragma once

#include <throng/engine/core/executor.hpp>
#include <throng/engine/core/function_ref.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace throng::bench {

/// The source of the threads on which blocks run.
enum class Source : std::uint8_t {
    none,   ///< the index is asked directly, without Batch
    serial, ///< serial_executor()
    pool,   ///< ThreadPool
    tbb,    ///< TbbExecutor in a task_arena
};

[[nodiscard]] const char* to_string(Source source) noexcept;

/// Whether this program was built with oneTBB.
[[nodiscard]] bool has_tbb() noexcept;

/// Some threads from one source. Idle threads use no processor time.
class Team {
public:
    Team(Source source, std::size_t threads) noexcept : source_(source), threads_(threads) {}
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;
    virtual ~Team() = default;

    /// Calls body(executor) with an executor that runs on the team's threads.
    virtual void call(FunctionRef<void(Executor&)> body) = 0;

    /// Lets each thread run on one processor only, the calling thread on the first of `processors`,
    /// which must be as many as the threads. Throws std::runtime_error if that fails.
    virtual void pin(std::span<const int> processors);

    [[nodiscard]] Source source() const noexcept { return source_; }
    [[nodiscard]] std::size_t threads() const noexcept { return threads_; }

private:
    Source source_;
    std::size_t threads_;
};

/// A team with the serial executor.
[[nodiscard]] std::unique_ptr<Team> make_serial_team();

/// A team of threads from this source, which must have threads. `most` is the number of threads of
/// the largest team that will be made.
[[nodiscard]] std::unique_ptr<Team> make_team(Source source, std::size_t threads, std::size_t most);

/// The serial team first, then for each source a team for each number of threads.
[[nodiscard]] std::vector<std::unique_ptr<Team>> make_teams(std::span<const Source> sources,
                                                            std::span<const std::size_t> threads);

} // namespace throng::bench
