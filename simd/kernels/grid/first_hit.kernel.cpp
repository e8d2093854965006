// Compiled once per instruction set: CMake passes the target flags and THRONG_KERNEL_ARCH.
#include "first_hit.hpp"

#include "../../isa/packed_lanes.hpp"
#include "../../search/search_rows.hpp"
#include "../../shapes/shape_dispatch.hpp"
#include "first_hit_search.hpp"

namespace throng::simd {

/// Writes which agents are hit, and when: a sink as described in sinks.hpp.
template <class Arch, class Shape>
struct PathHitsSink {
    const Shape& shape;
    PathHitsOutput& out;

    [[gnu::always_inline]] bool full() const noexcept {
        return out.end - out.ids < static_cast<std::ptrdiff_t>(kLanes<Arch>);
    }
    [[gnu::always_inline]] bool enough() const noexcept { return false; }
    [[gnu::always_inline]] static constexpr bool takes_ids() noexcept { return true; }
    [[gnu::always_inline]] static constexpr bool one_is_enough() noexcept { return false; }
    [[gnu::always_inline]] void look_at(std::uint32_t) noexcept {}
    [[gnu::always_inline]] void enter_row() noexcept {}
    [[gnu::always_inline]] void take(const NodeArrays& row, std::uint32_t id_field, std::uint32_t i,
                                     std::uint32_t bits) noexcept {
        if (bits == 0) { return; }
        out.times = compress_store<Arch>(out.times, bits_of<Arch>(shape.times(row, i)), bits);
        out.ids = compress_store<Arch>(out.ids, words_at<Arch>(row, id_field, i), bits);
    }
};
template <class Arch, class Shape>
inline constexpr bool kCopies<PathHitsSink<Arch, Shape>> = false;

template <class Arch, class Block>
TimedHit find_first_hit_on(Arch, const GridView<Block::kDim>& grid, const Block& query,
                           const KernelFilter& kernel_filter, const TimedHit& after) noexcept {
    return with_shape<Arch>(grid, query, [&]<class Shape>() {
        const Shape shape(grid, query, 0);
        FirstSearch<Arch, Shape, Block::kDim, FirstFound> search(grid, shape, kernel_filter, after,
                                                                 {});
        search.run();
        return search.first;
    });
}

template <class Arch, class Block>
void add_next_hits_on(Arch, const GridView<Block::kDim>& grid, const Block& query,
                      const KernelFilter& kernel_filter, const TimedHit& after,
                      HitPage& page) noexcept {
    with_shape<Arch>(grid, query, [&]<class Shape>() {
        const Shape shape(grid, query, 0);
        FirstSearch<Arch, Shape, Block::kDim, FirstOfPage> search(grid, shape, kernel_filter, after,
                                                                  {page});
        search.run();
    });
}

template <class Arch, class Block>
bool list_path_hits_on(Arch, const GridView<Block::kDim>& grid, const Block& query,
                       const KernelFilter& kernel_filter, QueryCursor& cursor,
                       PathHitsOutput& out) noexcept {
    return with_shape<Arch>(grid, query, [&]<class Shape>() {
        const Shape shape(grid, query, 0);
        PathHitsOutput filling = out;
        PathHitsSink<Arch, Shape> sink = {shape, filling};
        const bool done = search_rows<Skips::told, Arch>(grid, shape, shape.cells(grid),
                                                         kernel_filter, sink, cursor);
        out = filling;
        return done;
    });
}

using KernelArch = THRONG_KERNEL_ARCH;
#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    template TimedHit find_first_hit_on(KernelArch, const GridView<Dim>&, const Block<Dim>&,       \
                                        const KernelFilter&, const TimedHit&) noexcept;            \
    template void add_next_hits_on(KernelArch, const GridView<Dim>&, const Block<Dim>&,            \
                                   const KernelFilter&, const TimedHit&, HitPage&) noexcept;       \
    template bool list_path_hits_on(KernelArch, const GridView<Dim>&, const Block<Dim>&,           \
                                    const KernelFilter&, QueryCursor&, PathHitsOutput&) noexcept;
THRONG_FOR_EACH_PATH_BLOCK(THRONG_FOR_BLOCK)
#undef THRONG_FOR_BLOCK

} // namespace throng::simd
