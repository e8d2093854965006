// The shapes of a call in a periodic world: each is asked with its copies. Internal to
// distributed/.
#pragma once

#include "../../engine/agents/point.hpp"
#include "../../engine/agents/world_wrap.hpp"
#include "../../engine/memory/vector.hpp"
#include "../../engine/shapes/shapes_view.hpp"
#include "../global_answers.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng {

/// The copies of all shapes of a call, one shape after another, to be asked as shapes of their own.
/// What they find is folded afterwards, so that each agent is in the answer to a shape once. In a
/// world with borders the copies are the shapes themselves.
template <std::size_t Dim>
class ShapeCopies {
public:
    /// Which shapes have copies; the others are not asked.
    enum class Take : std::uint8_t {
        all,
        once, ///< those of which no two copies may hit the same agent
        twice ///< the others
    };

    /// Shapes and filters must have been checked. `largest` is the largest half extent of all
    /// agents. Refuses what a Crowd in such a world refuses. Throws std::bad_alloc.
    Status make(const WorldWrap<Dim>& world, const ShapesView<Dim>& shapes,
                std::span<const GlobalFilter> filters, const Point<Dim>& largest,
                Take take = Take::all);

    [[nodiscard]] const ShapesView<Dim>& shapes() const noexcept { return copies_; }
    [[nodiscard]] std::span<const GlobalFilter> filters() const noexcept { return filters_; }

    // From answers to the copies to answers to the shapes. All throw std::bad_alloc.

    /// An answer has first what the shape finds in its place in the world, then copy by copy.
    void fold(GlobalHits& hits) const;
    /// Each agent that a path meets, at the earliest time.
    void fold(GlobalMeetings& meetings) const;
    void fold(std::vector<GlobalMeeting>& met) const;
    /// Turns each number into sum(number, copy), copy by copy.
    template <class Number, class Sum>
    void fold(std::span<Number> numbers, const Sum& sum) const {
        for (std::size_t q = 0; q < numbers.size(); ++q) {
            for (std::size_t i = first(q); i < first(q + 1); ++i) {
                numbers[q] = sum(numbers[q], i);
            }
        }
    }

private:
    /// Whether shapes have copies.
    [[nodiscard]] bool wraps() const noexcept { return !begin_.empty(); }
    [[nodiscard]] std::size_t first(std::size_t q) const noexcept {
        return wraps() ? begin_[q] : q;
    }

    ShapesView<Dim> copies_;
    std::span<const GlobalFilter> filters_;
    Vector<std::byte> bytes_; ///< of the copies
    Vector<GlobalFilter> each_;
    Vector<std::size_t> begin_;  ///< the first copy of each shape, and the end
    Vector<std::uint8_t> twice_; ///< whether two copies of a shape may find the same agent
};

extern template class ShapeCopies<2>;
extern template class ShapeCopies<3>;

} // namespace throng
