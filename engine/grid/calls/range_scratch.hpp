// How a range call uses the scratch it is given. Internal to the engine.
#pragma once

#include "../../../simd/views/query_block.hpp"
#include "../../shapes/any_block.hpp"

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

namespace throng {

/// A range call's scratch: a block of queries, a few ids, and the filter of each query. It lies in
/// the caller's memory and not on the stack, since the stacks of fibers are small.
template <std::size_t Dim>
struct RangeScratch {
    static constexpr std::size_t kBlockWords = sizeof(AnyBlock<Dim>) / sizeof(std::uint32_t);
    static constexpr std::size_t kIds = 256;
    static constexpr std::size_t kEach = 3 * (simd::kBlockQueries + simd::kSlack);
    static constexpr std::size_t kWords = kBlockWords + kIds + kEach;

    std::span<std::uint32_t> words;

    [[nodiscard]] bool fits() const noexcept { return words.size() >= kWords; }

    /// Makes a block of undefined queries in the scratch.
    template <class Block>
    [[nodiscard]] Block& block() const noexcept {
        static_assert(sizeof(Block) <= kBlockWords * sizeof(std::uint32_t));
        static_assert(alignof(Block) <= alignof(std::uint32_t));
        return *::new (static_cast<void*>(words.data())) Block;
    }
    [[nodiscard]] std::span<std::uint32_t> ids() const noexcept {
        return words.subspan(kBlockWords, kIds);
    }
    /// The words for the filters of a block's queries.
    [[nodiscard]] std::span<std::uint32_t> each() const noexcept {
        return words.subspan(kBlockWords + kIds, kEach);
    }
};

} // namespace throng
