#include "reorder.hpp"

#include "../memory/atomic_of.hpp"
#include "../memory/checked_loop.hpp"
#include "../memory/vector.hpp"
#include "../memory/word_buffer.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>

namespace throng {

namespace {

/// Elements in a block: enough to hide the cost of handing it to a thread.
constexpr std::size_t kBlock = 4096;
/// Rough cost of an element: it only decides how many threads to use.
constexpr double kNanoseconds = 1.0;

/// A copy takes an instruction or two if the compiler knows its size, else a call.
template <std::size_t kBytes>
void gather(const char* from, const Id* order, std::size_t count, char* to) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(to + i * kBytes, from + order[i] * kBytes, kBytes);
    }
}

void gather(const detail::AgentArray& array, const Id* order, std::size_t count,
            char* to) noexcept {
    const auto* const from = static_cast<const char*>(array.data);
    switch (array.bytes) {
    case 4:
        return gather<4>(from, order, count, to);
    case 8:
        return gather<8>(from, order, count, to);
    case 12:
        return gather<12>(from, order, count, to);
    case 16:
        return gather<16>(from, order, count, to);
    default:
        for (std::size_t i = 0; i < count; ++i) {
            std::memcpy(to + i * array.bytes, from + order[i] * array.bytes, array.bytes);
        }
    }
}

/// The first fault of an order that does not name each element once.
Status first_fault(std::span<const Id> order) {
    Vector<bool> seen(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (order[i] >= order.size() || seen[order[i]]) {
            return {Cause::out_of_range, Argument::order, i};
        }
        seen[order[i]] = true;
    }
    return {};
}

} // namespace

Status detail::reorder(std::span<const Id> order, std::span<const AgentArray> arrays,
                       Executor& executor) {
    const std::size_t count = order.size();
    std::size_t largest = sizeof(std::uint32_t);
    for (std::size_t k = 0; k < arrays.size(); ++k) {
        if (arrays[k].count != count) { return {Cause::count_mismatch, Argument::arrays, k}; }
        largest = std::max(largest, arrays[k].bytes);
    }
    const WordBuffer scratch(count * largest / sizeof(std::uint32_t) + 1);
    const std::size_t blocks = (count + kBlock - 1) / kBlock;
    LoopClaims claims;
    claims.prepare(blocks);
    const LoopCost cost = LoopCost::of(count, kNanoseconds);
    const auto size_of = [&](std::size_t block) {
        return std::min(kBlock, count - block * kBlock);
    };

    // Writes the new index of each element. If an element is named twice, one of its two indices is
    // overwritten; compare() below finds that.
    std::uint32_t* const place = scratch.data();
    std::atomic<bool> is_order = true;
    const auto tell = [&](std::size_t block) {
        for (std::size_t i = block * kBlock; i < block * kBlock + size_of(block); ++i) {
            if (order[i] < count) {
                atomic_of(place[order[i]])
                    .store(static_cast<std::uint32_t>(i), std::memory_order_relaxed);
            } else {
                is_order.store(false, std::memory_order_relaxed);
            }
        }
    };
    Status status = run_blocks(executor, blocks, tell, claims, cost);
    if (!status.ok()) { return status; }
    if (!is_order) { return first_fault(order); }
    const auto compare = [&](std::size_t block) {
        for (std::size_t i = block * kBlock; i < block * kBlock + size_of(block); ++i) {
            if (place[order[i]] != i) { is_order.store(false, std::memory_order_relaxed); }
        }
    };
    status = run_blocks(executor, blocks, compare, claims, cost);
    if (!status.ok()) { return status; }
    if (!is_order) { return first_fault(order); }

    // From here on nothing can fail: blocks that the executor leaves out run on this thread.
    auto* const aside = reinterpret_cast<char*>(scratch.data());
    for (const AgentArray& array : arrays) {
        const auto take = [&](std::size_t block) {
            gather(array, order.data() + block * kBlock, size_of(block),
                   aside + block * kBlock * array.bytes);
        };
        finish_blocks(executor, blocks, take, claims, cost);
        const auto put = [&](std::size_t block) {
            const std::size_t at = block * kBlock * array.bytes;
            std::memcpy(static_cast<char*>(array.data) + at, aside + at,
                        size_of(block) * array.bytes);
        };
        finish_blocks(executor, blocks, put, claims, cost);
    }
    return {};
}

} // namespace throng
