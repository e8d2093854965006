// Executors that behave unusually or badly, for tests.
#pragma once

#include "../random.hpp"

#include <throng/engine/core/executor.hpp>
#include <throng/parallel/executors/thread_pool.hpp>

#include <cstddef>
#include <cstdint>

namespace throng::test {

/// Runs the blocks in a different order each time.
class ShuffleExecutor final : public Executor {
public:
    explicit ShuffleExecutor(std::uint64_t seed) noexcept : random_(seed) {}
    void run(std::size_t blocks, Body body) override;

private:
    scenes::Random random_;
};

/// Claims to have `threads` threads, but runs the blocks on one, in another order each time.
class BoastingExecutor final : public Executor {
public:
    explicit BoastingExecutor(std::size_t threads) noexcept : threads_(threads) {}
    void run(std::size_t blocks, Body body) override { one_.run(blocks, body); }
    [[nodiscard]] std::size_t threads() const noexcept override { return threads_; }

private:
    ShuffleExecutor one_{7};
    std::size_t threads_;
};

/// A pool that does not tell its number of threads, so loops get all their blocks even if there is
/// little to do: small crowds are enough for tests.
class EagerPool final : public Executor {
public:
    explicit EagerPool(std::size_t threads) : pool_(threads) {}
    void run(std::size_t blocks, Body body) override { pool_.run(blocks, body); }

private:
    ThreadPool pool_;
};

/// Runs every loop on at most `most` threads of another executor.
class Limited final : public Executor {
public:
    Limited(Executor& executor, std::size_t most) noexcept : executor_(executor), most_(most) {}
    void run(std::size_t blocks, Body body) override { executor_.run_on(most_, blocks, body); }

private:
    Executor& executor_;
    std::size_t most_;
};

/// Runs each block on a thread of its own, one after another.
class ElsewhereExecutor final : public Executor {
public:
    void run(std::size_t blocks, Body body) override;
};

/// How an executor can break its promises.
enum class Fault : std::uint8_t {
    drop,            ///< leaves one block out
    repeat,          ///< runs one block twice
    repeat_for_drop, ///< runs one block twice and leaves out another: the number of calls is right
    nothing,         ///< runs no block at all
    throw_before,    ///< throws in place of one block
    throw_after,     ///< throws after all blocks have run
};

inline constexpr Fault kEveryFault[] = {Fault::drop,    Fault::repeat,       Fault::repeat_for_drop,
                                        Fault::nothing, Fault::throw_before, Fault::throw_after};

/// Thrown by FaultyExecutor.
struct ExecutorError {};

/// Works correctly until its n-th run(), and fails there, at a random block.
class FaultyExecutor final : public Executor {
public:
    FaultyExecutor(Fault fault, std::size_t failing_run, std::uint64_t seed = 5) noexcept
        : fault_(fault), failing_run_(failing_run), random_(seed) {}
    void run(std::size_t blocks, Body body) override;

    /// Whether it has failed.
    [[nodiscard]] bool failed() const noexcept { return failed_; }

private:
    void fail(std::size_t blocks, Body body);

    Fault fault_;
    std::size_t failing_run_;
    std::size_t runs_ = 0;
    bool failed_ = false;
    scenes::Random random_;
};

/// Forwards to an executor that a test can replace, while its users keep this one.
class SwitchExecutor final : public Executor {
public:
    void run(std::size_t blocks, Body body) override { executor->run(blocks, body); }
    Executor* executor = &serial_executor();
};

} // namespace throng::test
