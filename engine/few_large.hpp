// The few large elements of a crowd that questions from one place may find. Internal to the engine.
#pragma once

#include "agent_test.hpp"
#include "large_set.hpp"
#include "shape_gate.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>

namespace throng {

/// A shape that finds nobody whom a box around it does not find by the same rule.
template <class Shape, std::size_t Dim>
concept BoxedIn = std::same_as<Shape, Box<Dim>> || CentresIn<Shape, Dim>;

/// Candidates for so many questions at most are looked for at once.
inline constexpr std::size_t kQuestionsOfFew = 32;

/// The box around some questions, no wider than elements can be.
template <std::size_t Dim, BoxedIn<Dim> Shape>
[[nodiscard]] Box<Dim> box_around(std::span<const Shape> shapes) noexcept {
    Box<Dim> all{Point<Dim>::all(kLargest), Point<Dim>::all(-kLargest)};
    for (const Shape& shape : shapes) {
        const Box<Dim> bounds = ShapeGate<Dim>(shape).bounds();
        for (std::size_t a = 0; a < Dim; ++a) {
            all.lo[a] = std::min(all.lo[a], std::max(bounds.lo[a], -kLargest));
            all.hi[a] = std::max(all.hi[a], std::min(bounds.hi[a], kLargest));
        }
    }
    return all;
}

/// Elements of a set that may be found by a few questions, which are neighbours: looked for once,
/// and then looked at one by one. Asking a tree for each costs as much as looking at some hundred.
template <std::size_t Dim>
class FewLarge {
public:
    /// All that questions of this kind within `box` can find. False if that is too many: then they
    /// have to ask the set.
    template <class Shape, class Set>
    [[nodiscard]] bool gather(const Set& set, const Box<Dim>& box) {
        const std::optional<std::size_t> count = set.template elements_in<Shape>(box, room_);
        count_ = count.value_or(0);
        return count.has_value();
    }

    [[nodiscard]] std::span<const LargeElement<Dim>> elements() const noexcept {
        return {room_.data(), count_};
    }

    /// Calls visit(element) for those that a question finds, until it returns false.
    template <class Shape, class Visit>
    void for_each(const Shape& shape, const Filter& filter, const Visit& visit) const {
        if (count_ == 0 || filter.groups == 0) { return; }
        const AgentTest<Shape> test(shape);
        for (const LargeElement<Dim>& element : elements()) {
            if (test.hits(element.position, element.half_extent) && element.passes(filter) &&
                !visit(element)) {
                return;
            }
        }
    }

private:
    std::array<LargeElement<Dim>, 96> room_;
    std::size_t count_ = 0;
};

} // namespace throng
