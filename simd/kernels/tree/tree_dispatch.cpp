// The kernels of trees: one switch per call chooses the copy for this processor.
#include "../../isa/dispatch.hpp"
#include "packet_bounds.hpp"
#include "tree_gather.hpp"
#include "tree_pack.hpp"
#include "tree_pairs.hpp"
#include "tree_seek.hpp"
#include "tree_walk.hpp"

namespace throng::simd {

template <Form form, class Block>
bool query_tree(const TreeView<Block::kDim>& tree, const Block& query,
                const KernelFilter& kernel_filter, QueryCursor& cursor) noexcept {
    return dispatch(
        [&](auto arch) { return query_tree_on<form>(arch, tree, query, kernel_filter, cursor); });
}

template <class Block>
std::size_t query_tree_block(const TreeView<Block::kDim>& tree, const Block& queries,
                             std::size_t count, const KernelFilter& kernel_filter,
                             BatchOutput& out) noexcept {
    return dispatch([&](auto arch) {
        return query_tree_block_on(arch, tree, queries, count, kernel_filter, out);
    });
}

#define THRONG_FOR_FORM(form, Block, Dim)                                                          \
    template bool query_tree<form>(const TreeView<Dim>&, const Block<Dim>&, const KernelFilter&,   \
                                   QueryCursor&) noexcept;
#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    THRONG_FOR_FORM(Form::ids, Block, Dim)                                                         \
    THRONG_FOR_FORM(Form::count, Block, Dim)                                                       \
    THRONG_FOR_FORM(Form::any, Block, Dim)
THRONG_FOR_EACH_QUERY_BLOCK(THRONG_FOR_BLOCK)
#undef THRONG_FOR_BLOCK
#undef THRONG_FOR_FORM

#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    template std::size_t query_tree_block(const TreeView<Dim>&, const Block<Dim>&, std::size_t,    \
                                          const KernelFilter&, BatchOutput&) noexcept;
THRONG_FOR_EACH_FULL_BLOCK(THRONG_FOR_BLOCK)
#undef THRONG_FOR_BLOCK

template <std::size_t Dim>
bool list_tree_pairs(const TreeView<Dim>& tree, std::uint32_t groups, Body body, TreePairsAt& at,
                     PairsOutput& out) noexcept {
    return dispatch(
        [&](auto arch) { return list_tree_pairs_on(arch, tree, groups, body, at, out); });
}

template bool list_tree_pairs(const TreeView<2>&, std::uint32_t, Body, TreePairsAt&,
                              PairsOutput&) noexcept;
template bool list_tree_pairs(const TreeView<3>&, std::uint32_t, Body, TreePairsAt&,
                              PairsOutput&) noexcept;

template <class Seek>
void seek_in_tree(const TreeView<Seek::kDim>& tree, const Seek& seek,
                  const KernelFilter& kernel_filter, float limit, const SeekTest& test) noexcept {
    dispatch([&](auto arch) { seek_in_tree_on(arch, tree, seek, kernel_filter, limit, test); });
}

#define THRONG_FOR_SEEK(Seek, Dim)                                                                 \
    template void seek_in_tree(const TreeView<Dim>&, const Seek<Dim>&, const KernelFilter&, float, \
                               const SeekTest&) noexcept;
THRONG_FOR_SEEK(NearSeek, 2)
THRONG_FOR_SEEK(NearSeek, 3)
THRONG_FOR_SEEK(PathSeek, 2)
THRONG_FOR_SEEK(PathSeek, 3)
#undef THRONG_FOR_SEEK

template <std::size_t Dim>
std::uint32_t gather_in_tree(const TreeView<Dim>& tree, const BoxSeek<Dim>& seek,
                             const KernelFilter& kernel_filter, Gathered<Dim>* out,
                             std::uint32_t most) noexcept {
    return dispatch(
        [&](auto arch) { return gather_in_tree_on(arch, tree, seek, kernel_filter, out, most); });
}

template <std::size_t Dim>
void bound_nearest(const PacketBodies<Dim>& bodies, const PointPacket<Dim>& points, float slack,
                   NearBounds& bounds) noexcept {
    dispatch([&](auto arch) { bound_nearest_on(arch, bodies, points, slack, bounds); });
}

template <std::size_t Dim>
void bound_ways(const PacketBodies<Dim>& bodies, const WayPacket<Dim>& ways,
                WayBounds& bounds) noexcept {
    dispatch([&](auto arch) { bound_ways_on(arch, bodies, ways, bounds); });
}

template <std::size_t Dim>
std::uint32_t bound_looks(const SeenBody<Dim>* bodies, const std::uint32_t* numbers,
                          std::size_t count, const LookPacket<Dim>& looks, std::uint32_t lanes,
                          std::uint32_t* may_meet) noexcept {
    return dispatch([&](auto arch) {
        return bound_looks_on(arch, bodies, numbers, count, looks, lanes, may_meet);
    });
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template std::uint32_t gather_in_tree(const TreeView<Dim>&, const BoxSeek<Dim>&,               \
                                          const KernelFilter&, Gathered<Dim>*,                     \
                                          std::uint32_t) noexcept;                                 \
    template void bound_nearest(const PacketBodies<Dim>&, const PointPacket<Dim>&, float,          \
                                NearBounds&) noexcept;                                             \
    template void bound_ways(const PacketBodies<Dim>&, const WayPacket<Dim>&,                      \
                             WayBounds&) noexcept;                                                 \
    template std::uint32_t bound_looks(const SeenBody<Dim>*, const std::uint32_t*, std::size_t,    \
                                       const LookPacket<Dim>&, std::uint32_t,                      \
                                       std::uint32_t*) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

template <std::size_t Dim>
void survey(Survey<Dim>& survey, const float* const (&axis)[Dim], const float* const* half,
            std::size_t count, float most) noexcept {
    dispatch([&](auto arch) { survey_on(arch, survey, axis, half, count, most); });
}

template <std::size_t Dim>
void curve_keys(const CurveMap<Dim>& map, const float* const (&axis)[Dim], const float* const* half,
                std::size_t count, std::uint32_t* keys) noexcept {
    dispatch([&](auto arch) { curve_keys_on(arch, map, axis, half, count, keys); });
}

template <std::size_t Dim>
void cover_leaves(const TreeView<Dim>& tree, std::uint32_t first, std::uint32_t last,
                  float* pages) noexcept {
    dispatch([&](auto arch) { cover_leaves_on(arch, tree, first, last, pages); });
}

template <std::size_t Dim>
void cover_nodes(const TreeView<Dim>& tree, std::uint32_t level, std::uint32_t first,
                 std::uint32_t last, std::uint32_t count, float* nodes) noexcept {
    dispatch([&](auto arch) { cover_nodes_on(arch, tree, level, first, last, count, nodes); });
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template void survey(Survey<Dim>&, const float* const(&)[Dim], const float* const*,            \
                         std::size_t, float) noexcept;                                             \
    template void curve_keys(const CurveMap<Dim>&, const float* const(&)[Dim],                     \
                             const float* const*, std::size_t, std::uint32_t*) noexcept;           \
    template void cover_leaves(const TreeView<Dim>&, std::uint32_t, std::uint32_t,                 \
                               float*) noexcept;                                                   \
    template void cover_nodes(const TreeView<Dim>&, std::uint32_t, std::uint32_t, std::uint32_t,   \
                              std::uint32_t, float*) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng::simd
