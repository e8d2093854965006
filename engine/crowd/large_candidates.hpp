// The few large elements of a crowd that neighbouring questions may find. Internal to the engine.
#pragma once

#include "../shapes/agent_test.hpp"
#include "../shapes/bounds.hpp"
#include "large_elements.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>

namespace throng {

/// A shape that finds only elements that a box around it finds too, by the same rule.
template <class Shape, std::size_t Dim>
concept BoxedIn = std::same_as<Shape, Box<Dim>> || CentresIn<Shape, Dim>;

/// The most questions that one search for candidates serves.
inline constexpr std::size_t kQuestionsOfFew = 32;

/// The elements of a set that a few neighbouring questions may find: searched for once, and then
/// tested one by one. Counting boxes among 200,000 agents, 200 of them giants, took 20 ns a box
/// instead of 58.
template <std::size_t Dim>
class LargeCandidates {
public:
    /// Gathers all elements that these questions, at most kQuestionsOfFew, can find. False if there
    /// are too many: then the questions have to ask the set.
    template <BoxedIn<Dim> Shape, class Set>
    [[nodiscard]] bool gather(const Set& set, std::span<const Shape> questions) {
        Box<Dim> all{Point<Dim>::all(kLargest), Point<Dim>::all(-kLargest)};
        for (std::size_t q = 0; q < questions.size(); ++q) {
            bounds_[q] = ShapeGate<Dim>(questions[q]).bounds();
            for (std::size_t a = 0; a < Dim; ++a) { // no agent is beyond kLargest
                all.lo[a] = std::min(all.lo[a], std::max(bounds_[q].lo[a], -kLargest));
                all.hi[a] = std::max(all.hi[a], std::min(bounds_[q].hi[a], kLargest));
            }
        }
        const std::optional<std::size_t> count =
            set.elements_in(kind_of<Dim, Shape>(), all, elements_);
        count_ = count.value_or(0);
        for (std::size_t i = 0; i < count_; ++i) {
            const LargeElement<Dim>& element = elements_[i];
            const Point<Dim> half = CentresIn<Shape, Dim> ? Point<Dim>{} : element.half_extent;
            const Box<Dim> box = Box<Dim>::around(element.position, half);
            for (std::size_t a = 0; a < Dim; ++a) {
                low_[a][i] = box.lo[a];
                high_[a][i] = box.hi[a];
            }
        }
        return count.has_value();
    }

    [[nodiscard]] bool empty() const noexcept { return count_ == 0; }

    /// Calls visit(element) for each element that question q finds, until it returns false.
    template <class Shape, class Visit>
    void for_each(std::size_t q, const Shape& shape, const Filter& filter,
                  const Visit& visit) const {
        if (count_ == 0 || filter.groups == 0) { return; }
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
        const AgentTest<Shape> test(shape);
        for (std::size_t i = 0; i < count_; ++i) {
            if (touched[i] == 0) { continue; }
            const LargeElement<Dim>& element = elements_[i];
            if (test.hits(element.position, element.half_extent) && element.passes(filter) &&
                !visit(element)) {
                return;
            }
        }
    }

private:
    static constexpr std::size_t kMost = 96;

    std::array<LargeElement<Dim>, kMost> elements_;
    std::array<std::array<float, kMost>, Dim> low_, high_; // boxes of the candidates
    std::array<Box<Dim>, kQuestionsOfFew> bounds_;         // of the questions
    std::size_t count_ = 0;
};

} // namespace throng
