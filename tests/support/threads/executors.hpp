// Executors that no host would write on purpose.
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

/// Claims to have `threads` threads, and runs the blocks on one, in another order each time.
class BoastingExecutor final : public Executor {
public:
    explicit BoastingExecutor(std::size_t threads) noexcept : threads_(threads) {}
    void run(std::size_t blocks, Body body) override { one_.run(blocks, body); }
    [[nodiscard]] std::size_t threads() const noexcept override { return threads_; }

private:
    ShuffleExecutor one_{7};
    std::size_t threads_;
};

/// A pool that does not say how many threads it has, and so gets every block, however little there
/// is to do: small crowds are enough to test with.
class EagerPool final : public Executor {
public:
    explicit EagerPool(std::size_t threads) : pool_(threads) {}
    void run(std::size_t blocks, Body body) override { pool_.run(blocks, body); }

private:
    ThreadPool pool_;
};

/// Runs every loop as one that is worth no more than some threads of another executor.
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

/// How an executor can let the engine down.
enum class Fault : std::uint8_t {
    drop,            ///< leaves one block out
    repeat,          ///< runs one block twice
    repeat_for_drop, ///< runs one block twice in place of another: as many calls as there should be
    nothing,         ///< runs no block at all
    throw_before,    ///< throws in place of one block
    throw_after,     ///< throws when all have run
};

inline constexpr Fault kEveryFault[] = {Fault::drop,    Fault::repeat,       Fault::repeat_for_drop,
                                        Fault::nothing, Fault::throw_before, Fault::throw_after};

/// Thrown by FaultyExecutor.
struct ExecutorError {};

/// Does its work until the n-th run(), and fails there; the block is drawn at random.
class FaultyExecutor final : public Executor {
public:
    FaultyExecutor(Fault fault, std::size_t failing_run, std::uint64_t seed = 5) noexcept
        : fault_(fault), failing_run_(failing_run), random_(seed) {}
    void run(std::size_t blocks, Body body) override;

    /// Whether the fault has come about.
    [[nodiscard]] bool failed() const noexcept { return failed_; }

private:
    void fail(std::size_t blocks, Body body);

    Fault fault_;
    std::size_t failing_run_;
    std::size_t runs_ = 0;
    bool failed_ = false;
    scenes::Random random_;
};

/// Forwards to an executor that a test may exchange while the owner of this one does not notice.
class SwitchExecutor final : public Executor {
public:
    void run(std::size_t blocks, Body body) override { executor->run(blocks, body); }
    Executor* executor = &serial_executor();
};

} // namespace throng::test
