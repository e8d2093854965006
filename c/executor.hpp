// Executors that hosts hold.
#pragma once

#include "../engine/core/executor.hpp"
#include "../parallel/executors/default_executor.hpp"
#include "held.hpp"

#include <memory>

namespace throng::c {

/// The object behind a host's executor. Batches keep their executor alive.
struct ExecutorObject {
    std::shared_ptr<Executor> executor;
};

template <>
struct Held<throng_executor> {
    using Object = ExecutorObject;
    static constexpr Kind kKind = Kind::executor;
};

/// The executor for the blocks of a call; null means the default. Kept alive for as long as the
/// call takes: its callbacks may destroy the handle.
[[nodiscard]] inline std::shared_ptr<Executor> executor_for(const throng_executor* executor) {
    if (executor != nullptr) { return look_up(executor, "executor").executor; }
    return {std::shared_ptr<void>(), &default_executor()}; // has no owner, and is never destroyed
}

} // namespace throng::c
