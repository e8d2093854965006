#include "shapes.hpp"

#include "kernel_blocks.hpp"
#include "shapes_view.hpp"
#include "with_shapes.hpp"

namespace throng {

#define THRONG_FOR_SHAPE(Shape, kind, KIND)                                                        \
    template <std::size_t Dim>                                                                     \
    Status check_shape(const Shape<Dim>& shape) noexcept {                                         \
        return detail::ShapeFacts<Shape<Dim>>::check(shape);                                       \
    }                                                                                              \
    template Status check_shape(const Shape<2>&) noexcept;                                         \
    template Status check_shape(const Shape<3>&) noexcept;
THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_SHAPE

template <std::size_t Dim>
Status check_shape(const ShapesView<Dim>& one) noexcept {
    const Status status = check_kind(one);
    if (!status.ok()) { return status; }
    if (one.count != 1) { return {Cause::count_mismatch, Argument::shapes}; }
    // Mostly nothing is wrong, and all_sound() tells that in less time than check_shape().
    return with_shapes(
        one, [](auto shapes) { return all_sound(shapes) ? Status{} : check_shape(shapes[0]); });
}

template <std::size_t Dim>
Status check_path(const ShapesView<Dim>& one) noexcept {
    if (!is_path(one.kind)) { return {Cause::out_of_range, Argument::shapes}; }
    return check_shape(one);
}

template <std::size_t Dim>
Status first_fault(const ShapesView<Dim>& shapes) noexcept {
    const Status status = check_kind(shapes);
    if (!status.ok()) { return status; }
    return with_shapes(shapes, [](auto all) { return first_fault(all); });
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Status check_shape(const ShapesView<Dim>&) noexcept;                                  \
    template Status check_path(const ShapesView<Dim>&) noexcept;                                   \
    template Status first_fault(const ShapesView<Dim>&) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
