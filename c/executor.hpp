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

/// Where a call runs its blocks: null is the calling thread. The call keeps it, since the host may
/// end the handle in a callback of that very call.
[[nodiscard]] inline std::shared_ptr<Executor> executor_for(const throng_executor* executor) {
    return executor == nullptr
               ? std::shared_ptr<Executor>(std::shared_ptr<void>(), &serial_executor())
               : look_up(executor, "executor").executor;
}

} // namespace throng::c
