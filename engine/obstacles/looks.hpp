// Many looks among the same obstacles. Internal to the engine.
#pragma once

#include "../../simd/kernels/packet_bounds.hpp"
#include "../core/access.hpp"
#include "state.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng {

namespace obstacle {

/// An obstacle as most looks see it: a turned box around it, and one that it fills.
template <std::size_t Dim>
struct Screen {
    Real<Dim> middle;
    std::array<Real<Dim>, Dim> axis;
    Real<Dim> outer; ///< half extents along the axes
    Real<Dim> inner; ///< the same of a box that has no point outside the obstacle; below zero: none
    Box<Dim> bounds;
    std::uint32_t slot;
};

} // namespace obstacle

/// Whether two points see each other: no obstacle has a point in common with the segment between
/// them, which goes from the one with the smaller coordinates to the other. So both see each other,
/// or neither does, whatever rounding does at the rim of an obstacle.
///
/// gather() takes the obstacles in a box, and hide() answers for points in there. Floats and boxes
/// decide about nearly all looks. Their limits leave room for rounding; looks that come so near to
/// the rim of an obstacle are left to the definitions.
template <std::size_t Dim>
class Looks {
public:
    /// Takes the obstacles that may hide points in the box from each other. Throws
    /// std::bad_alloc.
    void gather(const detail::StateOf<const Obstacles<Dim>>& obstacles, const Box<Dim>& bounds,
                const Filter& filter);
    [[nodiscard]] bool empty() const noexcept { return screens_.empty(); }

    /// Writes for each point of `to` whether it is hidden from `from`: 1 or 0. `bounds` holds all
    /// of these points. Throws std::bad_alloc.
    void hide(const Point<Dim>& from, std::span<const Point<Dim>> to, const Box<Dim>& bounds,
              std::vector<std::uint8_t>& hidden);

    /// Bytes of scratch.
    [[nodiscard]] std::size_t memory() const noexcept {
        return screens_.capacity() * sizeof(obstacle::Screen<Dim>) +
               seen_.capacity() * sizeof(simd::SeenBody<Dim>) +
               (slots_.capacity() + may_meet_.capacity()) * sizeof(std::uint32_t);
    }

private:
    void see(const Point<Dim>& from, const Box<Dim>& bounds);
    [[nodiscard]] bool is_hidden(const Point<Dim>& from, const Point<Dim>& to,
                                 std::uint32_t slot) const noexcept;

    const obstacle::Record<Dim>* records_ = nullptr;
    double size_ = 0.0; ///< of the obstacles' coordinates
    std::vector<obstacle::Screen<Dim>> screens_;
    std::vector<simd::SeenBody<Dim>> seen_; ///< screens as one point sees them
    std::vector<std::uint32_t> slots_, may_meet_;
};

extern template class Looks<2>;
extern template class Looks<3>;

} // namespace throng
