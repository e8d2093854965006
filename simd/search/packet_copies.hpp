// The copies of a packet of agents in a periodic world. For *.kernel.cpp files and fused/ only.
#pragma once

#include "../isa/lanes.hpp"
#include "../views/neighbour_query.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// Goes from a packet of agents to its copies. All agents of a packet are moved if one is near the
/// border: the others find nothing there.
///
/// The copies of one agent come in a fixed order, however many lanes there are: moved on the first
/// axis, on the second, on both, on the third, and so on.
template <class Arch, std::size_t Dim>
class PacketCopies {
public:
    [[gnu::always_inline]] PacketCopies(const AskerCopies<Dim>* copies,
                                        const Floats<Arch> (&position)[Dim],
                                        std::uint32_t count) noexcept {
        if (copies == nullptr) { return; }
        auto inside = (position[0] > Floats<Arch>(copies->low[0])) &
                      (position[0] < Floats<Arch>(copies->high[0]));
        for (std::size_t a = 1; a < Dim; ++a) {
            inside = inside & (position[a] > Floats<Arch>(copies->low[a])) &
                     (position[a] < Floats<Arch>(copies->high[a]));
        }
        const std::uint32_t lanes = ~std::uint32_t{0} >> (32 - count);
        if ((~lane_bits<Arch>(inside) & lanes) == 0) [[likely]] { return; }
        copies_ = copies;
        for (std::size_t a = 0; a < Dim; ++a) {
            near_[a][0] = lanes;
            near_[a][1] = lanes & ~lane_bits<Arch>(position[a] > Floats<Arch>(copies->low[a]));
            near_[a][2] = lanes & ~lane_bits<Arch>(position[a] < Floats<Arch>(copies->high[a]));
        }
    }

    /// Goes on to the packet's next copy. False if there is none.
    [[gnu::always_inline]] bool next() noexcept { return copies_ != nullptr && move_on(); }

    /// How far the packet is moved on an axis.
    [[gnu::always_inline]] float offset(std::size_t a) const noexcept { return by_[a]; }
    /// Whether the packet is where its agents are.
    [[gnu::always_inline]] bool at_home() const noexcept { return copy_ == 0; }
    /// Whether this copy is moved upwards, on the highest axis on which it is moved. Of two agents
    /// that find each other across a border, one does so by a copy that rises, and the other by one
    /// that does not.
    [[gnu::always_inline]] bool rises() const noexcept { return rises_; }

private:
    static constexpr unsigned kCopies = Dim == 2 ? 9 : 27;

    // Takes no vector by its address, so that most packets keep them in registers.
    [[gnu::noinline]] bool move_on() noexcept {
        while (++copy_ < kCopies) {
            std::uint32_t lanes = ~std::uint32_t{0};
            unsigned rest = copy_;
            for (std::size_t a = 0; a < Dim; ++a) {
                const unsigned way = rest % 3; // 0: not moved, 1: up from the lower border, 2: down
                rest /= 3;
                lanes &= near_[a][way];
                by_[a] = way == 0 ? 0.0f : way == 1 ? copies_->period[a] : -copies_->period[a];
                if (way != 0) { rises_ = way == 1; }
            }
            if (lanes != 0) { return true; }
        }
        return false;
    }

    const AskerCopies<Dim>* copies_ = nullptr; // null: no agent is near a border
    unsigned copy_ = 0;                        // a digit to the base of 3 for each axis
    bool rises_ = false;
    float by_[Dim] = {};
    std::uint32_t near_[Dim][3]; // the lanes that are moved like this
};

} // namespace throng::simd
