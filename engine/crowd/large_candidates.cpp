#include "large_candidates.hpp"

#include "../shapes/agent_test.hpp"
#include "../shapes/bounds.hpp"
#include "../shapes/with_shapes.hpp"

#include <algorithm>
#include <concepts>
#include <limits>
#include <optional>
#include <span>

namespace throng {

namespace {

/// Whether shapes of this type find only elements whose boxes, or centres, touch the shape's
/// bounds. Other shapes do not test boxes as a box does, so their bounds exclude no element.
template <class Shape, std::size_t Dim>
constexpr bool kBoundsExclude = ShapeFacts<Shape>::kFindsCentres || std::same_as<Shape, Box<Dim>>;

} // namespace

template <std::size_t Dim>
bool LargeCandidates<Dim>::gather(const LargeElements<Dim>& set, const ShapesView<Dim>& questions) {
    questions_ = questions;
    count_ = 0;
    complete_ = with_shapes(questions, [&]<class Shape>(std::span<const Shape> shapes) {
        if constexpr (kBoundsExclude<Shape, Dim>) {
            for (std::size_t q = 0; q < shapes.size(); ++q) {
                bounds_[q] = ShapeGate<Dim>(shapes[q]).bounds();
            }
        }
        return kBoundsExclude<Shape, Dim>;
    });
    if (!complete_) { return false; }
    Box<Dim> all{Point<Dim>::all(kLargest), Point<Dim>::all(-kLargest)};
    for (std::size_t q = 0; q < questions.count; ++q) {
        for (std::size_t a = 0; a < Dim; ++a) { // no agent is beyond kLargest
            all.lo[a] = std::min(all.lo[a], std::max(bounds_[q].lo[a], -kLargest));
            all.hi[a] = std::max(all.hi[a], std::min(bounds_[q].hi[a], kLargest));
        }
    }
    const std::optional<std::size_t> count = set.elements_in(questions.kind, all, elements_);
    complete_ = count.has_value();
    count_ = count.value_or(0);
    const bool centres = finds_centres(questions.kind);
    for (std::size_t i = 0; i < count_; ++i) {
        const LargeElement<Dim>& element = elements_[i];
        const Point<Dim> half = centres ? Point<Dim>{} : element.half_extent;
        const Box<Dim> box = Box<Dim>::around(element.position, half);
        for (std::size_t a = 0; a < Dim; ++a) {
            low_[a][i] = box.lo[a];
            high_[a][i] = box.hi[a];
        }
    }
    return complete_;
}

template <std::size_t Dim>
std::size_t LargeCandidates<Dim>::test(std::size_t q,
                                       std::array<std::uint8_t, kMost>& hits) const noexcept {
    // Boxes first, since compilers vectorise this loop; few elements are left then.
    std::array<std::uint32_t, kMost> touched;
    for (std::size_t i = 0; i < count_; ++i) {
        std::uint32_t both = 1;
        for (std::size_t a = 0; a < Dim; ++a) {
            both &= static_cast<std::uint32_t>(low_[a][i] <= bounds_[q].hi[a]) &
                    static_cast<std::uint32_t>(bounds_[q].lo[a] <= high_[a][i]);
        }
        touched[i] = both;
    }
    static_assert(kMost - 1 <= std::numeric_limits<std::uint8_t>::max());
    return with_kind<Dim>(questions_.kind, [&]<class Shape>() {
        std::size_t count = 0;
        if constexpr (kBoundsExclude<Shape, Dim>) { // for the others there are no candidates
            const AgentTest<Shape> hit(questions_.template as<Shape>()[q]);
            for (std::size_t i = 0; i < count_; ++i) {
                if (touched[i] == 0) { continue; }
                const LargeElement<Dim>& element = elements_[i];
                hits[count] = static_cast<std::uint8_t>(i);
                count += hit.hits(element.position, element.half_extent) ? 1 : 0;
            }
        }
        return count;
    });
}

template class LargeCandidates<2>;
template class LargeCandidates<3>;

} // namespace throng
