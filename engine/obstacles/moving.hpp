// Boxes and capsules that move, as questions to obstacles.
#pragma once

#include "../agents/box.hpp"
#include "../agents/point.hpp"
#include "../core/status.hpp"
#include "../shapes/capsule.hpp"
#include "../shapes/oriented_box.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>

namespace throng {

/// A Box, an OrientedBox with edges at right angles, or a Capsule that moves by `way` without
/// turning: at time t, from 0 to 1, all its points have moved by t * `way`. A capsule is here a
/// shape, not a path: all points within its radius of its segment.
template <std::size_t Dim, template <std::size_t> class Shape>
struct Moving {
    Shape<Dim> shape;
    Point<Dim> way{};

    friend constexpr bool operator==(const Moving&, const Moving&) noexcept = default;
};

/// The kind of all shapes in a MoversView.
enum class MoverKind : std::uint8_t { box, oriented_box, capsule };

/// A moving shape that obstacles can be asked about.
template <class Mover, std::size_t Dim>
concept MoverIn = std::same_as<Mover, Moving<Dim, Box>> ||
    std::same_as<Mover, Moving<Dim, OrientedBox>> || std::same_as<Mover, Moving<Dim, Capsule>>;
/// A contiguous array of movers of one kind.
template <class Movers, std::size_t Dim>
concept MoversIn = std::ranges::contiguous_range<Movers> && std::ranges::sized_range<Movers> &&
    MoverIn<std::ranges::range_value_t<Movers>, Dim>;

/// Refers to one mover, or to an array of movers of one kind, without a copy. Movers convert to it
/// implicitly, as shapes do to a ShapesView.
template <std::size_t Dim>
struct MoversView {
    MoverKind kind = MoverKind::box;
    const void* movers = nullptr;
    std::size_t count = 0;

    constexpr MoversView() noexcept = default;
    constexpr MoversView(MoverKind of_kind, const void* all, std::size_t how_many) noexcept
        : kind(of_kind), movers(all), count(how_many) {}
    // Implicit, so that calls take movers as they are.
    template <MoverIn<Dim> Mover>
    constexpr MoversView(const Mover& one) noexcept
        : kind(kind_of<Mover>()), movers(&one), count(1) {}
    template <MoversIn<Dim> Movers>
    constexpr MoversView(const Movers& all) noexcept
        : kind(kind_of<std::ranges::range_value_t<Movers>>()), movers(std::ranges::data(all)),
          count(std::ranges::size(all)) {}

private:
    template <class Mover>
    static constexpr MoverKind kind_of() noexcept {
        if (std::same_as<Mover, Moving<Dim, Box>>) { return MoverKind::box; }
        return std::same_as<Mover, Moving<Dim, Capsule>> ? MoverKind::capsule
                                                         : MoverKind::oriented_box;
    }
};

} // namespace throng
