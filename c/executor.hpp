// Executors that hosts hold.
#pragma once

#include "../engine/executor.hpp"
#include "held.hpp"

#include <memory>

namespace throng::c {

/// Batches keep theirs.
struct ExecutorObject {
    std::shared_ptr<Executor> executor;
};

template <>
struct Held<throng_executor> {
    using Object = ExecutorObject;
    static constexpr Kind kKind = Kind::executor;
};

/// Where a call runs its blocks: null is the calling thread. Kept for as long as the call takes:
/// its callbacks may destroy the handle.
[[nodiscard]] inline std::shared_ptr<Executor> executor_for(const throng_executor* executor) {
    if (executor != nullptr) { return look_up(executor, "executor").executor; }
    return {std::shared_ptr<void>(), &serial_executor()}; // shared with nobody, and never ended
}

} // namespace throng::c
