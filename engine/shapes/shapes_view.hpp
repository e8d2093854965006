// Shapes of one kind, where the kind is data and not a type.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../core/status.hpp"
#include "shapes.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <span>

namespace throng {

/// One kind for each shape of shapes.hpp.
enum class ShapeKind : std::uint8_t {
#define THRONG_FOR_SHAPE(Shape, kind, KIND) kind,
    THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_SHAPE
};

/// How many kinds there are.
inline constexpr std::size_t kShapeKinds = 0
#define THRONG_FOR_SHAPE(Shape, kind, KIND) +1
    THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_SHAPE
    ;

/// The size of one shape of this kind, in bytes.
// Not an array, which would be a symbol of every plug-in that includes this.
template <std::size_t Dim>
[[nodiscard]] constexpr std::size_t shape_size(ShapeKind kind) noexcept {
    constexpr std::size_t kSizes[] = {
#define THRONG_FOR_SHAPE(Shape, kind, KIND) sizeof(Shape<Dim>),
        THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_SHAPE
    };
    return kSizes[static_cast<std::size_t>(kind)];
}

/// The kind of a shape's type.
template <std::size_t Dim, ShapeIn<Dim> Shape>
[[nodiscard]] constexpr ShapeKind kind_of() noexcept {
#define THRONG_FOR_SHAPE(Known, kind, KIND)                                                        \
    if (std::same_as<Shape, Known<Dim>>) { return ShapeKind::kind; }
    THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_SHAPE
    return {};
}

/// Whether shapes of this kind meet one agent before another: PathIn of a kind.
[[nodiscard]] constexpr bool is_path(ShapeKind kind) noexcept {
    switch (kind) {
#define THRONG_FOR_PATH(Path, path, PATH) case ShapeKind::path:
        THRONG_FOR_EACH_PATH(THRONG_FOR_PATH)
#undef THRONG_FOR_PATH
        return true;
    default:
        return false;
    }
}

/// Refers to one shape, or to many of one kind, which calls take. Made implicitly from a shape, or
/// from a span, a vector or an array of shapes. Does not copy the shapes, so a view of a temporary
/// is good only within the call. Hosts whose questions are data make a view from a kind and a
/// pointer, and need no code for each kind.
///
/// Calls refuse unknown kinds, a null pointer with a count, a count other than one where they take
/// one shape, and shapes that are not paths where they take a path.
template <std::size_t Dim>
struct ShapesView {
    ShapeKind kind = ShapeKind::box;
    const void* shapes = nullptr;
    std::size_t count = 0;

    constexpr ShapesView() noexcept = default;
    /// `all_shapes` are of the type that the kind says, one after another.
    constexpr ShapesView(ShapeKind of_kind, const void* all_shapes, std::size_t how_many) noexcept
        : kind(of_kind), shapes(all_shapes), count(how_many) {}
    // Implicit, so that calls take shapes as they are.
    template <ShapeIn<Dim> Shape>
    constexpr ShapesView(const Shape& one) noexcept
        : kind(kind_of<Dim, Shape>()), shapes(&one), count(1) {}
    /// Made from a span, a vector, an array, ...
    template <ShapesIn<Dim> Shapes>
    constexpr ShapesView(const Shapes& all) noexcept
        : kind(kind_of<Dim, std::ranges::range_value_t<Shapes>>()), shapes(std::ranges::data(all)),
          count(std::ranges::size(all)) {}

    /// The view of `how_many` shapes from `begin` on. They must exist, and the kind must be known.
    [[nodiscard]] ShapesView part(std::size_t begin, std::size_t how_many) const noexcept {
        const std::size_t skipped = begin * shape_size<Dim>(kind);
        return {kind, static_cast<const std::byte*>(shapes) + skipped, how_many};
    }

    /// The shapes, which must be of this type.
    template <ShapeIn<Dim> Shape>
    [[nodiscard]] std::span<const Shape> as() const noexcept {
        return {static_cast<const Shape*>(shapes), count};
    }
};

/// Refuses an unknown kind, and a null pointer with a count.
template <std::size_t Dim>
[[nodiscard]] constexpr Status check_kind(const ShapesView<Dim>& shapes) noexcept {
    if (static_cast<std::size_t>(shapes.kind) >= kShapeKinds) {
        return {Cause::out_of_range, Argument::shapes};
    }
    if (shapes.shapes == nullptr && shapes.count != 0) {
        return {Cause::null_pointer, Argument::shapes};
    }
    return {};
}

/// check_shape() of the one shape in the view. Refuses views of none or of several shapes.
template <std::size_t Dim>
[[nodiscard]] THRONG_API Status check_shape(const ShapesView<Dim>& one) noexcept;

/// check_shape() for paths; refuses all other shapes.
template <std::size_t Dim>
[[nodiscard]] THRONG_API Status check_path(const ShapesView<Dim>& one) noexcept;

/// The status of the first shape that check_shape() refuses, or ok.
template <std::size_t Dim>
[[nodiscard]] THRONG_API Status first_fault(const ShapesView<Dim>& shapes) noexcept;

} // namespace throng

#include "../../simd/isa/names_end.hpp"
