// What the engine must know of a box as the shape of a query. Internal to the engine.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../agents/box.hpp"
#include "shape_facts.hpp"

namespace throng::detail {

template <std::size_t Dim>
struct ShapeFacts<Box<Dim>> : UsualFacts<Box<Dim>> {
    using Block = simd::BoxBlock<Dim>;
    static constexpr bool kThreeCopiesSuffice = true;

    [[nodiscard]] static Status check(const Box<Dim>& box) noexcept {
        return first_of({check_point(box.lo, Argument::box), check_point(box.hi, Argument::box)});
    }
    /// Has no branch for each box, so that compilers can vectorise the loop.
    [[nodiscard]] static bool all_sound(std::span<const Box<Dim>> boxes) noexcept {
        std::uint32_t wrong = 0;
        for (const Box<Dim>& box : boxes) {
            for (std::size_t a = 0; a < Dim; ++a) {
                wrong |= is_wrong_coordinate(box.lo[a]) | is_wrong_coordinate(box.hi[a]);
            }
        }
        return wrong == 0;
    }

    template <std::size_t queries>
    static void put(simd::Boxes<Dim, queries>& block, std::size_t i, const Box<Dim>& box) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            block.lo[a][i] = box.lo[a];
            block.hi[a][i] = box.hi[a];
        }
    }
    static void put_nothing(Block& block, std::size_t i) noexcept {
        put(block, i, {Point<Dim>::all(1.0f), Point<Dim>::all(-1.0f)});
    }

    static void bound(ShapeGate<Dim>& gate, const Box<Dim>& box) noexcept { gate.set_bounds(box); }

    [[nodiscard]] static Box<Dim> shifted(const Box<Dim>& box, const Offset<Dim>& by) noexcept {
        return {detail::shifted(box.lo, by), detail::shifted(box.hi, by)};
    }
    [[nodiscard]] static const Point<Dim>& stored_point(const Box<Dim>& box) noexcept {
        return box.lo;
    }
    /// The middle of the box.
    [[nodiscard]] static Offset<Dim> anchor(const Box<Dim>& box) noexcept {
        Offset<Dim> middle;
        for (std::size_t a = 0; a < Dim; ++a) {
            middle[a] = 0.5 * (static_cast<double>(box.lo[a]) + box.hi[a]);
        }
        return middle;
    }
    [[nodiscard]] static bool is_inverted(const Box<Dim>& box) noexcept {
        bool inverted = false;
        for (std::size_t a = 0; a < Dim; ++a) {
            inverted = inverted || box.lo[a] > box.hi[a];
        }
        return inverted;
    }
};

} // namespace throng::detail

#include "../../simd/isa/names_end.hpp"
