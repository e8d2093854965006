// The few large elements of a crowd that neighbouring questions may find. Internal to the engine.
#pragma once

#include "large_elements.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace throng {

/// Answers neighbouring questions about giants and statics. One search gathers the elements that
/// any of several hundred questions can find. Then some dozens of questions at a time test only
/// those of the elements that their bounds touch. If the questions can find too many elements,
/// because they are far apart or elements are dense, each question asks the sets by itself.
///
/// The object is large, so make one for many questions.
template <std::size_t Dim>
class LargeCandidates {
public:
    /// The most questions that share one search.
    static constexpr std::size_t kMany = 512;

    /// Calls hit(q, element) for each element that question q finds; or, if the question must ask
    /// the sets by itself, alone(q, set) for each set. Calls come in the order of questions, those
    /// for one question in the order of sets, and within a set in the order of its visit().
    /// each_set(body) must call body(set) for each set until body returns false.
    ///
    /// Questions for which wants(q) is false may be left out.
    template <class EachSet, class Wants, class Hit, class Alone>
    void answer(const ShapesView<Dim>& questions, const EachSet& each_set, const Wants& wants,
                const Hit& hit, const Alone& alone) {
        bool any_set = false;
        each_set([&](const LargeElements<Dim>&) {
            any_set = true;
            return false;
        });
        if (!any_set) { return; }
        for (std::size_t first = 0; first < questions.count; first += kMany) {
            const auto some = questions.part(first, std::min(kMany, questions.count - first));
            if (!any_wanted(first, some.count, wants)) { continue; }
            const bool bounded = bound(some);
            const bool complete = bounded && gather(all_, each_set);
            for (std::size_t begin = 0; begin < some.count; begin += kFew) {
                const std::size_t count = std::min(kFew, some.count - begin);
                if (!any_wanted(first + begin, count, wants)) { continue; }
                if (complete || (bounded && gather(bounds_[begin / kFew], each_set))) {
                    visit_hits(first, begin, hit);
                    continue;
                }
                for (std::size_t q = first + begin; q < first + begin + count; ++q) {
                    if (!wants(q)) { continue; }
                    each_set([&](const LargeElements<Dim>& set) {
                        alone(q, set);
                        return true;
                    });
                }
            }
        }
    }
    template <class EachSet, class Hit, class Alone>
    void answer(const ShapesView<Dim>& questions, const EachSet& each_set, const Hit& hit,
                const Alone& alone) {
        answer(
            questions, each_set, [](std::size_t) { return true; }, hit, alone);
    }

private:
    static constexpr std::size_t kFew = 32;   // questions that are tested together
    static constexpr std::size_t kMost = 128; // elements gathered

    template <class Wants>
    static bool any_wanted(std::size_t first, std::size_t count, const Wants& wants) {
        std::size_t q = 0;
        while (q < count && !wants(first + q)) {
            ++q;
        }
        return q < count;
    }

    /// Gathers all elements that questions with these bounds can find. False if there are too many.
    template <class EachSet>
    bool gather(const Box<Dim>& bounds, const EachSet& each_set) {
        bool complete = true;
        count_ = 0;
        margin_ = margin_around(bounds);
        each_set([&](const LargeElements<Dim>& set) { return complete = add(set, bounds); });
        return complete;
    }

    /// Passes on the hits of kFew or fewer of the questions that bound() noted, from number `begin`
    /// of these on. Number 0 of these is number `first` among all questions.
    template <class Hit>
    void visit_hits(std::size_t first, std::size_t begin, const Hit& hit) {
        if (count_ == 0) { return; }
        for (std::uint32_t finding = find(begin); finding != 0; finding &= finding - 1) {
            const auto q = static_cast<std::size_t>(std::countr_zero(finding));
            for (const Found& found : std::span(found_).first(found_count_)) {
                if ((found.questions >> q & 1) == 0) { continue; }
                hit(first + begin + q, elements_[found.element]);
            }
        }
    }

    /// Notes the questions, which are borrowed, and their bounds. False if their kind of shape may
    /// find elements that its bounds do not touch.
    bool bound(const ShapesView<Dim>& questions) noexcept;
    /// How much larger bounds must be made, so that they touch all elements that these questions
    /// find.
    [[nodiscard]] float margin_around(const Box<Dim>& bounds) const noexcept;
    /// Adds the elements of a set that questions with these bounds can find. False if there are too
    /// many.
    bool add(const LargeElements<Dim>& set, const Box<Dim>& bounds);
    /// Fills `found_` for the questions from `begin` on, at most kFew. Returns a bit for each of
    /// them, as in Found: if it is 0, the question finds nothing.
    [[nodiscard]] std::uint32_t find(std::size_t begin) noexcept;
    /// A bit for each of kFew questions from `begin` on: whether element i touches its bounds. If
    /// the questions are boxes, these are the hits.
    [[nodiscard]] std::uint32_t touching(std::size_t begin, std::size_t i) const noexcept;
    /// Clears in `found_` the bits of elements that these questions do not find.
    void keep_hits(std::size_t begin, std::uint32_t questions) noexcept;

    /// An element, and a bit for each of kFew questions: whether it finds the element.
    struct Found {
        std::uint32_t questions, element;
    };

    ShapesView<Dim> questions_;
    // The bounds of each question, which all its hits touch if either is made larger by the margin.
    std::array<std::array<float, kMany>, Dim> from_, to_;
    std::array<Box<Dim>, kMany / kFew> bounds_; // bounds of each kFew questions
    Box<Dim> all_;                              // bounds of all questions
    float margin_ = 0.0f;
    std::size_t count_ = 0; // of elements_
    std::array<LargeElement<Dim>, kMost> elements_;
    std::array<std::array<float, kMost>, Dim> low_, high_; // their boxes, with the margin
    std::array<Found, kMost> found_;                       // in the order of the elements
    std::size_t found_count_ = 0;
};

extern template class LargeCandidates<2>;
extern template class LargeCandidates<3>;

} // namespace throng
