// An executor that ThreadSanitizer understands though its threads are hidden from it.
#pragma once

#include <throng/engine/executor.hpp>

#include <cstddef>

namespace throng::test {

/// Runs the blocks on `hidden`, and tells ThreadSanitizer what every executor promises: a block
/// begins after the call to run() does, and ends before it. Of one block and the next nothing is
/// said, so a race between blocks is still found, as is one with what runs beside the loop.
///
/// For executors built without the sanitizer, such as TbbExecutor. One that it can see must do
/// without this, since then its own synchronisation is what is to be tested.
class AnnotatedExecutor final : public Executor {
public:
    explicit AnnotatedExecutor(Executor& hidden) noexcept : hidden_(hidden) {}
    void run(std::size_t blocks, Body body) override;

private:
    Executor& hidden_;
};

} // namespace throng::test
