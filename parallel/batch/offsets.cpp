#include "offsets.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace throng {

namespace {

constexpr std::size_t kOffsetsBlock = 16384;
/// Rough cost of an element: it only decides how many threads to use.
constexpr double kNanoseconds = 0.3;

std::size_t blocks_of(std::span<const std::uint64_t> offsets) noexcept {
    return (offsets.size() + kOffsetsBlock - 1) / kOffsetsBlock;
}
std::span<std::uint64_t> block_of(std::span<std::uint64_t> offsets, std::size_t block) noexcept {
    const std::size_t begin = block * kOffsetsBlock;
    return offsets.subspan(begin, std::min(kOffsetsBlock, offsets.size() - begin));
}

} // namespace

Status Offsets::clear(Executor& executor, std::span<std::uint64_t> offsets) {
    const auto body = [&](std::size_t block) {
        const std::span<std::uint64_t> some = block_of(offsets, block);
        std::fill(some.begin(), some.end(), std::uint64_t{0});
    };
    return run_blocks(executor, blocks_of(offsets), body, claims_,
                      LoopCost::of(offsets.size(), kNanoseconds));
}

Status Offsets::add_up(Executor& executor, std::span<std::uint64_t> offsets) {
    const LoopCost cost = LoopCost::of(offsets.size(), kNanoseconds);
    if (cost.threads(executor) == 1) {
        std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
        return {};
    }
    // Each block is read twice: first for its sum, then to add the sum of all blocks before it.
    sums_.resize(blocks_of(offsets));
    const auto sum = [&](std::size_t block) {
        const std::span<const std::uint64_t> some = block_of(offsets, block);
        sums_[block] = std::accumulate(some.begin(), some.end(), std::uint64_t{0});
    };
    const Status status = run_blocks(executor, sums_.size(), sum, claims_, cost);
    if (!status.ok()) { return status; }
    std::exclusive_scan(sums_.begin(), sums_.end(), sums_.begin(), std::uint64_t{0});
    const auto add = [&](std::size_t block) {
        std::uint64_t before = sums_[block];
        for (std::uint64_t& offset : block_of(offsets, block)) {
            before += offset;
            offset = before;
        }
    };
    return run_blocks(executor, sums_.size(), add, claims_, cost);
}

} // namespace throng
