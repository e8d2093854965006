// An executor that ThreadSanitizer can follow, although its threads are hidden from it.
#pragma once

#include <throng/engine/core/executor.hpp>

#include <cstddef>

namespace throng::test {

/// Runs the blocks on `hidden`, and tells ThreadSanitizer what every executor promises: a block
/// begins after the call to run() begins, and ends before that call ends. It says nothing about the
/// order of two blocks, so a race between blocks is still found, as is a race with code beside the
/// loop.
///
/// For executors built without the sanitizer, such as TbbExecutor. Do not wrap an executor that the
/// sanitizer can see: its own synchronisation is what the test is for.
class AnnotatedExecutor final : public Executor {
public:
    explicit AnnotatedExecutor(Executor& hidden) noexcept : hidden_(hidden) {}
    void run(std::size_t blocks, Body body) override;

private:
    Executor& hidden_;
};

} // namespace throng::test
