// Memory of a crowd's own, if it has any. Internal to the engine.
#pragma once

#include "memory_source.hpp"
#include "status.hpp"

#include <utility>

namespace throng {

/// Returns call(), a Status, made with memory of the source, as capped() has it; without a source,
/// with the memory that the thread takes anyhow.
template <class Call>
Status with_own_memory(MemorySource* source, Call&& call) {
    if (source == nullptr) { return std::forward<Call>(call)(); }
    return capped(source, std::forward<Call>(call));
}

} // namespace throng
