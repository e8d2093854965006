// Calls that take memory from a crowd's own source, if it has one. Internal to the engine.
#pragma once

#include "../core/status.hpp"
#include "memory_source.hpp"

#include <utility>

namespace throng {

/// Returns call(), a Status, run with the memory of the source as capped() does; without a source,
/// with the thread's memory as it is.
template <class Call>
Status with_own_memory(MemorySource* source, Call&& call) {
    if (source == nullptr) { return std::forward<Call>(call)(); }
    return capped(source, std::forward<Call>(call));
}

} // namespace throng
