#include "tree_pack.hpp"

#include "../isa/dispatch.hpp"

namespace throng::simd {

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
                  float* nodes) noexcept {
    dispatch([&](auto arch) { cover_leaves_on(arch, tree, first, last, nodes); });
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
