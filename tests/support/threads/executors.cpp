// Executors that behave unusually or badly, for tests.
#include "executors.hpp"

#include <numeric>
#include <thread>
#include <utility>
#include <vector>

namespace throng::test {

void ShuffleExecutor::run(std::size_t blocks, Body body) {
    std::vector<std::size_t> order(blocks);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = blocks; i > 1; --i) {
        std::swap(order[i - 1], order[random_.below(static_cast<std::uint32_t>(i))]);
    }
    for (const std::size_t block : order) {
        body(block);
    }
}

void ElsewhereExecutor::run(std::size_t blocks, Body body) {
    for (std::size_t block = 0; block < blocks; ++block) {
        std::thread([&] { body(block); }).join();
    }
}

void FaultyExecutor::run(std::size_t blocks, Body body) {
    // A loop without blocks cannot go wrong, so it does not count.
    if (blocks != 0 && runs_++ == failing_run_) {
        failed_ = true;
        fail(blocks, body);
        return;
    }
    for (std::size_t block = 0; block < blocks; ++block) {
        body(block);
    }
}

void FaultyExecutor::fail(std::size_t blocks, Body body) {
    const std::size_t victim = random_.below(static_cast<std::uint32_t>(blocks));
    for (std::size_t block = 0; block < blocks; ++block) {
        if (fault_ == Fault::nothing) { return; }
        if (block == victim) {
            if (fault_ == Fault::drop) { continue; }
            if (fault_ == Fault::throw_before) { throw ExecutorError{}; }
            if (fault_ == Fault::repeat) { body(block); }
            if (fault_ == Fault::repeat_for_drop) {
                // A single block cannot be replaced by another, so it is left out.
                if (blocks > 1) { body(victim == 0 ? blocks - 1 : 0); }
                continue;
            }
        }
        body(block);
    }
    if (fault_ == Fault::throw_after) { throw ExecutorError{}; }
}

} // namespace throng::test
