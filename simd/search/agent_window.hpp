// The part of a grid where agents near a vector of agents may be. For *.kernel.cpp files and fused/
// only.
#pragma once

#include "packet_window.hpp"

namespace throng::simd {

/// Finds the cells where neighbours of a vector of agents may be: takes the least and the greatest
/// of the agents' coordinates, widens them as any search does, and turns them into cells. Bounds of
/// several axes share a register, since a packet of few lanes costs as much as one of many. The
/// outermost agents are enough, because rounding keeps order: an agent that fails the test of the
/// outermost agent on an axis is no nearer to the others.
template <class Arch, std::size_t Dim>
class AgentWindow {
public:
    AgentWindow() = default;
    /// `reach` is how far away on each axis a neighbour's centre may be.
    [[gnu::always_inline]] AgentWindow(const GridView<Dim>& grid,
                                       const float (&reach)[Dim]) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            for (std::size_t side = 0; side < 2; ++side) {
                const std::size_t i = 2 * a + side;
                reach_[i / 4][i % 4] = reach[a];
                origin_[i / 4][i % 4] = grid.origin[a];
                inverse_[i / 4][i % 4] = grid.inverse_cell[a];
                first_[i / 4][i % 4] = grid.first_cell[a];
                last_[i / 4][i % 4] = grid.last_cell[a];
            }
        }
        const float own = 2.0f * reach[0] * grid.inverse_cell[0] + 2.0f;
        own_cells_ = static_cast<std::uint32_t>(own < 0x1p26f ? own : 0x1p26f);
    }

    /// Sets `window` to the cells where neighbours of the first `count` lanes' agents may be.
    [[gnu::always_inline]] void find(PacketWindow<Dim>& window, const Floats<Arch> (&position)[Dim],
                                     std::uint32_t count) const noexcept {
        Floats<Arch> least[kQuads * 4];
        for (std::size_t a = 0; a < Dim; ++a) {
            least[2 * a] = position[a];
            least[2 * a + 1] = Floats<Arch>(0.0f) - position[a];
        }
        if (count < kLanes<Arch>) {
            const FloatMask<Arch> there = lanes_below<Arch>(count);
            for (std::size_t i = 0; i < 2 * Dim; ++i) {
                least[i] = select<Arch>(there, least[i], Floats<Arch>(__builtin_inff()));
            }
        }
        for (std::size_t i = 2 * Dim; i < kQuads * 4; ++i) {
            least[i] = least[0];
        }
        for (std::size_t q = 0; q < kQuads; ++q) {
            // The greatest coordinates are negated, so that one formula serves for them, too.
            const Floats4 x = least_of_four<Arch>(least[4 * q], least[4 * q + 1], least[4 * q + 2],
                                                  least[4 * q + 3]);
            const Floats4 size = x < quad(0.0f) ? quad(0.0f) - x : x;
            const Floats4 wide =
                x - (reach_[q] + (size + reach_[q]) * quad(kSlackRatio) + quad(kTiny));
            const Floats4 bound = wide * Floats4{1.0f, -1.0f, 1.0f, -1.0f};
            // cells_of()
            const Floats4 cell = (bound - origin_[q]) * inverse_[q];
            const Floats4 low = cell > first_[q] ? cell : first_[q];
            const WholeQuad whole =
                __builtin_convertvector((low < last_[q] ? low : last_[q]) - first_[q], WholeQuad);
            // The first and last cells of two axes, or of the last axis.
            constexpr std::size_t kOdd = 2 * Dim % 4 * sizeof(std::uint32_t);
            __builtin_memcpy(&window.cells[2 * q], &whole,
                             kOdd != 0 && q + 1 == kQuads ? kOdd : sizeof whole);
        }
    }

    /// Whether agents of a row are so far apart that they may look at many more cells together than
    /// each alone.
    [[gnu::always_inline]] bool is_spread_out(const PacketWindow<Dim>& window,
                                              std::uint32_t count) const noexcept {
        return window.cells[0].last - window.cells[0].first > 2 * count * own_cells_;
    }

private:
    using Floats4 = float __attribute__((vector_size(16)));
    using WholeQuad = std::int32_t __attribute__((vector_size(16)));
    static constexpr std::size_t kQuads = (2 * Dim + 3) / 4;

    [[gnu::always_inline]] static Floats4 quad(float x) noexcept { return Floats4{x, x, x, x}; }

    Floats4 reach_[kQuads]{}, origin_[kQuads]{}, inverse_[kQuads]{}, first_[kQuads]{},
        last_[kQuads]{};
    std::uint32_t own_cells_;
};

} // namespace throng::simd
