// Takes pages before they are needed. Internal to the engine.
#pragma once

#include "../core/executor.hpp"
#include "../core/status.hpp"
#include "checked_loop.hpp"
#include "word_buffer.hpp"

#include <span>

namespace throng {

/// Fills buffers with zeros on the executor's threads, so that the system gives them their pages
/// now: getting a page takes longer than filling it. Throws and fails as run_blocks() does.
Status zero_words(std::span<const WordBuffer* const> buffers, LoopClaims& claims,
                  Executor& executor);

} // namespace throng
