// An executor that ThreadSanitizer can follow, although its threads are hidden from it.
#include "annotated_executor.hpp"

#include "happens_before.hpp"

namespace throng::test {

namespace {

/// Releases at the end of a block or loop, also if an exception ends it.
class ReleaseAtEnd {
public:
    explicit ReleaseAtEnd(const Edge& edge) noexcept : edge_(edge) {}
    ReleaseAtEnd(const ReleaseAtEnd&) = delete;
    ReleaseAtEnd& operator=(const ReleaseAtEnd&) = delete;
    ~ReleaseAtEnd() { edge_.release(); }

private:
    const Edge& edge_;
};

/// The body of a loop with the edges that ThreadSanitizer needs: from the caller to each block, and
/// from the end of each block back to the caller.
class Loop {
public:
    explicit Loop(Executor::Body body) noexcept : body_(body) { fork_.release(); }
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;
    ~Loop() { join_.acquire(); }

    void operator()(std::size_t block) const {
        // Nothing may be read before this line, so both edges are members of the loop.
        fork_.acquire();
        const ReleaseAtEnd at_end(join_);
        body_(block);
    }

private:
    Executor::Body body_;
    Edge fork_, join_;
};

} // namespace

void AnnotatedExecutor::run(std::size_t blocks, Body body) {
    const Loop loop(body);
    hidden_.run(blocks, loop);
}

} // namespace throng::test
