#include "large_candidates.hpp"

#include "../../shapes/agent_test.hpp"
#include "../../shapes/bounds.hpp"
#include "../../shapes/with_shapes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstring>
#include <functional>
#include <limits>
#include <span>

namespace throng {

namespace {

/// Whether shapes of this type find only elements whose boxes, or centres, touch the shape's
/// bounds. Other shapes do not test boxes as a box does, so their bounds exclude no element.
template <class Shape, std::size_t Dim>
constexpr bool kBoundsExclude = ShapeFacts<Shape>::kFindsCentres || std::same_as<Shape, Box<Dim>>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Bounds that touch every element that the shape finds; for balls only if made a little larger.
/// Inverted if the shape finds nothing.
template <std::size_t Dim, class Shape>
Box<Dim> bounds_around(const Shape& shape) noexcept {
    if constexpr (std::same_as<Shape, Box<Dim>>) {
        return shape;
    } else if constexpr (std::same_as<Shape, Ball<Dim>>) {
        return Box<Dim>::around(shape.centre, Point<Dim>::all(shape.radius));
    } else {
        return ShapeGate<Dim>(shape).bounds();
    }
}

/// The first of some values in the order of `before`; their number is a power of two. Compares
/// halves, which compilers vectorise: a single chain of comparisons would take longer than all
/// other work on the values.
template <std::size_t count, class Before>
float first_of(const float* values, const Before& before) noexcept {
    if constexpr (count == 1) {
        return *values;
    } else {
        constexpr std::size_t kHalf = count / 2;
        std::array<float, kHalf> first;
        for (std::size_t i = 0; i < kHalf; ++i) {
            first[i] = before(values[i + kHalf], values[i]) ? values[i + kHalf] : values[i];
        }
        return first_of<kHalf>(first.data(), before);
    }
}

} // namespace

template <std::size_t Dim>
bool LargeCandidates<Dim>::bound(const ShapesView<Dim>& questions) noexcept {
    questions_ = questions;
    const bool excludes = with_shapes(questions, [&]<class Shape>(std::span<const Shape> shapes) {
        if constexpr (kBoundsExclude<Shape, Dim>) {
            for (std::size_t q = 0; q < shapes.size(); ++q) {
                const Box<Dim> bounds = bounds_around<Dim>(shapes[q]);
                for (std::size_t a = 0; a < Dim; ++a) {
                    from_[a][q] = bounds.lo[a];
                    to_[a][q] = bounds.hi[a];
                }
            }
        }
        return kBoundsExclude<Shape, Dim>;
    });
    if (!excludes) { return false; }
    // A lane without a question, or with a box that finds nothing, gets bounds that touch nothing.
    const std::size_t end = (questions.count + kFew - 1) / kFew * kFew;
    for (std::size_t a = 0; a < Dim; ++a) {
        std::fill(from_[a].begin() + questions.count, from_[a].begin() + end, kInfinity);
        std::fill(to_[a].begin() + questions.count, to_[a].begin() + end, -kInfinity);
    }
    for (std::size_t q = 0; questions.kind == ShapeKind::box && q < end; ++q) {
        bool inverted = false;
        for (std::size_t a = 0; a < Dim; ++a) {
            inverted = from_[a][q] > to_[a][q] || inverted;
        }
        from_[0][q] = inverted ? kInfinity : from_[0][q];
    }
    all_ = {Point<Dim>::all(kInfinity), Point<Dim>::all(-kInfinity)};
    for (std::size_t a = 0; a < Dim; ++a) {
        for (std::size_t begin = 0; begin < end; begin += kFew) {
            Box<Dim>& bounds = bounds_[begin / kFew];
            bounds.lo[a] = first_of<kFew>(from_[a].data() + begin, std::less());
            bounds.hi[a] = first_of<kFew>(to_[a].data() + begin, std::greater());
            all_.lo[a] = std::min(all_.lo[a], bounds.lo[a]);
            all_.hi[a] = std::max(all_.hi[a], bounds.hi[a]);
        }
    }
    return true;
}

template <std::size_t Dim>
float LargeCandidates<Dim>::margin_around(const Box<Dim>& bounds) const noexcept {
    if (questions_.kind != ShapeKind::ball) { return 0.0f; }
    float size = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        size = std::max({size, std::abs(bounds.lo[a]), std::abs(bounds.hi[a])});
    }
    return margin_of_ball(size);
}

template <std::size_t Dim>
bool LargeCandidates<Dim>::add(const LargeElements<Dim>& set, const Box<Dim>& bounds) {
    Box<Dim> box;
    for (std::size_t a = 0; a < Dim; ++a) { // no agent is beyond kLargest
        box.lo[a] = std::clamp(bounds.lo[a] - margin_, -kLargest, kLargest);
        box.hi[a] = std::clamp(bounds.hi[a] + margin_, -kLargest, kLargest);
    }
    const auto found = set.elements_in(questions_.kind, box, std::span(elements_).subspan(count_));
    if (!found) { return false; }
    const bool centres = finds_centres(questions_.kind);
    for (const std::size_t end = count_ + *found; count_ < end; ++count_) {
        const LargeElement<Dim>& element = elements_[count_];
        const Point<Dim> half = centres ? Point<Dim>{} : element.half_extent;
        const Box<Dim> around = Box<Dim>::around(element.position, half);
        for (std::size_t a = 0; a < Dim; ++a) {
            low_[a][count_] = around.lo[a] - margin_;
            high_[a][count_] = around.hi[a] + margin_;
        }
    }
    return true;
}

template <std::size_t Dim>
std::uint32_t LargeCandidates<Dim>::find(std::size_t begin) noexcept {
    const Box<Dim>& bounds = bounds_[begin / kFew];
    std::uint32_t any = 0;
    found_count_ = 0;
    for (std::size_t i = 0; i < count_; ++i) {
        std::uint32_t near = 1;
        for (std::size_t a = 0; a < Dim; ++a) {
            near &= static_cast<std::uint32_t>(low_[a][i] <= bounds.hi[a]) &
                    static_cast<std::uint32_t>(bounds.lo[a] <= high_[a][i]);
        }
        if (near == 0) { continue; }
        const std::uint32_t touched_by = touching(begin, i);
        any |= touched_by;
        found_[found_count_] = {touched_by, static_cast<std::uint32_t>(i)};
        found_count_ += touched_by != 0 ? 1 : 0;
    }
    if (any != 0 && questions_.kind != ShapeKind::box) { keep_hits(begin, any); }
    return any;
}

template <std::size_t Dim>
std::uint32_t LargeCandidates<Dim>::touching(std::size_t begin, std::size_t i) const noexcept {
    // Compilers vectorise this loop over all questions; few of them touch the element.
    std::array<std::uint8_t, kFew> touches;
    for (std::size_t q = 0; q < kFew; ++q) {
        std::uint32_t both = 1;
        for (std::size_t a = 0; a < Dim; ++a) {
            both &= static_cast<std::uint32_t>(low_[a][i] <= to_[a][begin + q]) &
                    static_cast<std::uint32_t>(from_[a][begin + q] <= high_[a][i]);
        }
        touches[q] = static_cast<std::uint8_t>(both);
    }
    std::uint32_t bits = 0;
    for (std::size_t q = 0; q < kFew; q += sizeof(std::uint64_t)) {
        std::uint64_t bytes; // little-endian, as on all supported machines
        std::memcpy(&bytes, touches.data() + q, sizeof bytes);
        // Eight bytes of 0 or 1 become eight bits: byte b's bit is bit 56 + b of the product.
        bits |= static_cast<std::uint32_t>(bytes * 0x0102'0408'1020'4080u >> 56) << q;
    }
    return bits;
}

template <std::size_t Dim>
void LargeCandidates<Dim>::keep_hits(std::size_t begin, std::uint32_t questions) noexcept {
    with_kind<Dim>(questions_.kind, [&]<class Shape>() {
        if constexpr (kBoundsExclude<Shape, Dim>) { // other shapes have no candidates
            for (; questions != 0; questions &= questions - 1) {
                const auto q = static_cast<std::size_t>(std::countr_zero(questions));
                const AgentTest<Shape> test(questions_.template as<Shape>()[begin + q]);
                for (Found& found : std::span(found_).first(found_count_)) {
                    if ((found.questions >> q & 1) == 0) { continue; }
                    const LargeElement<Dim>& element = elements_[found.element];
                    const bool hit = test.hits(element.position, element.half_extent);
                    found.questions &= ~(std::uint32_t{hit ? 0u : 1u} << q);
                }
            }
        }
    });
}

template class LargeCandidates<2>;
template class LargeCandidates<3>;

} // namespace throng
