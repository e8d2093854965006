// The kernel that answers a single query, one buffer of ids at a time.
#pragma once

#include "query_block.hpp"
#include "shape_blocks.hpp"

namespace throng::simd {

/// How far a single query has come.
struct QueryCursor {
    std::uint32_t row = 0;                          ///< rows before this one are done
    std::uint32_t slot = 0;                         ///< nodes of this row before this slot are done
    std::uint32_t* out = nullptr;                   ///< Form::ids only: where the next id goes
    std::uint32_t* end = nullptr;                   ///< the end of the buffer
    std::uint64_t hits = 0;                         ///< hits so far; not for Form::ids
    std::uint64_t rows = 0, tested = 0, copied = 0; ///< Form::stats only
};

/// Answers query 0 and returns true. Returns false when Form::ids needs more room: then set another
/// buffer of at least kSlack ids and call again. `Block` is one of THRONG_FOR_EACH_LONE_BLOCK.
template <Form form, class Block>
bool query_one(const GridView<Block::kDim>& grid, const Block& query,
               const KernelFilter& kernel_filter, QueryCursor& cursor) noexcept;

/// The same on one instruction set, compiled from query_one.kernel.cpp.
template <Form form, class Arch, class Block>
bool query_one_on(Arch, const GridView<Block::kDim>& grid, const Block& query,
                  const KernelFilter& kernel_filter, QueryCursor& cursor) noexcept;

/// The same for query `q` of a block. Kernels for blocks of queries call it for large queries, so
/// that its code exists once.
template <Form form, class Arch, class Block>
bool query_one_of(Arch, const GridView<Block::kDim>& grid, const Block& queries, std::size_t q,
                  const KernelFilter& kernel_filter, QueryCursor& cursor) noexcept;

} // namespace throng::simd
