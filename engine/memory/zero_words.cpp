#include "zero_words.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace throng {

Status zero_words(std::span<const WordBuffer* const> buffers, LoopClaims& claims,
                  Executor& executor) {
    constexpr std::size_t kBlock = std::size_t{1} << 19; // a huge page
    constexpr double kNanoseconds = 0.3;                 // a word of new memory
    std::size_t blocks = 0, words = 0;
    for (const WordBuffer* const buffer : buffers) {
        blocks += (buffer->size() + kBlock - 1) / kBlock;
        words += buffer->size();
    }
    const auto zero = [&](std::size_t block) {
        for (const WordBuffer* const buffer : buffers) {
            const std::size_t of_buffer = (buffer->size() + kBlock - 1) / kBlock;
            if (block < of_buffer) {
                const std::size_t begin = block * kBlock;
                const std::size_t count = std::min(kBlock, buffer->size() - begin);
                std::memset(buffer->data() + begin, 0, count * sizeof(std::uint32_t));
                return;
            }
            block -= of_buffer;
        }
    };
    return run_blocks(executor, blocks, zero, claims, LoopCost::of(words, kNanoseconds));
}

} // namespace throng
