// The few large elements of a crowd that neighbouring questions may find. Internal to the engine.
#pragma once

#include "large_elements.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace throng {

/// The most questions that one search for candidates serves.
inline constexpr std::size_t kQuestionsOfFew = 32;

/// The elements of a set that a few neighbouring questions may find: searched for once, and then
/// tested one by one. On an AMD EPYC, in batches among 200,000 agents, 200 of them giants, a box to
/// count takes 20.3 ns, and 13.3 where any hit will do. In older code a box took 20 ns to count,
/// and 58 if it asked the set by itself.
template <std::size_t Dim>
class LargeCandidates {
public:
    /// Gathers all elements that these questions, at most kQuestionsOfFew, can find. Borrows the
    /// questions. False if there are too many elements, or the questions may find elements whose
    /// boxes theirs do not touch: then they have to ask the set.
    bool gather(const LargeElements<Dim>& set, const ShapesView<Dim>& questions);

    /// What the last gather() returned.
    [[nodiscard]] bool complete() const noexcept { return complete_; }
    [[nodiscard]] bool empty() const noexcept { return count_ == 0; }

    /// Calls visit(element) for each element that question q finds, until it returns false.
    template <class Visit>
    void for_each(std::size_t q, const Filter& filter, const Visit& visit) const {
        if (count_ == 0 || filter.groups == 0) { return; }
        std::array<std::uint8_t, kMost> hits;
        const std::size_t count = test(q, hits);
        for (std::size_t i = 0; i < count; ++i) {
            const LargeElement<Dim>& element = elements_[hits[i]];
            if (element.passes(filter) && !visit(element)) { return; }
        }
    }

private:
    static constexpr std::size_t kMost = 96;

    /// Writes the numbers of the elements that question q finds, and returns how many.
    std::size_t test(std::size_t q, std::array<std::uint8_t, kMost>& hits) const noexcept;

    std::array<LargeElement<Dim>, kMost> elements_;
    std::array<std::array<float, kMost>, Dim> low_, high_; // boxes of the candidates
    std::array<Box<Dim>, kQuestionsOfFew> bounds_;         // of the questions
    ShapesView<Dim> questions_;
    std::size_t count_ = 0;
    bool complete_ = false;
};

} // namespace throng
