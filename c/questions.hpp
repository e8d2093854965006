// What hosts ask: shapes of any kind, which agents to leave out, and which sets to search.
#pragma once

#include "../engine/agents/filter.hpp"
#include "../engine/crowd/sets.hpp"
#include "../engine/shapes/shapes.hpp"
#include "arrays.hpp"
#include "boundary.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace throng::c {

/// How a call names its questions, and their fields.
struct QuestionNames {
    const char *whole, *shape, *sets, *shapes, *count, *filters, *filter_count;
};
#define THRONG_QUESTION_NAMES(name)                                                                \
    {                                                                                              \
        name, name ".shape", name ".sets", name ".shapes", name ".count", name ".filters",         \
            name ".filter_count"                                                                   \
    }
inline constexpr QuestionNames kQuestions = THRONG_QUESTION_NAMES("questions");
inline constexpr QuestionNames kQuestion = THRONG_QUESTION_NAMES("question");
inline constexpr QuestionNames kPaths = THRONG_QUESTION_NAMES("paths");
#undef THRONG_QUESTION_NAMES

/// Checked values: a sum of throng_sets, a sum of throng_pair_sets, and a throng_order or flag,
/// which is 0 or 1. They throw Refused for any other value.
[[nodiscard]] Sets sets_of(std::uint32_t sets, const char* name);
[[nodiscard]] PairSets pair_sets_of(std::uint32_t sets, const char* name);
[[nodiscard]] bool flag_of(std::uint32_t value, const char* name);

class QuestionsReader {
public:
    /// Throws Refused where something is wrong for every crowd.
    QuestionsReader(const throng_questions* questions, const QuestionNames& names);

    /// For calls with one question.
    void demand_one() const;

    [[nodiscard]] std::size_t count() const noexcept { return given_.count; }
    [[nodiscard]] Sets sets() const noexcept { return sets_; }
    [[nodiscard]] const Filters& filters() const noexcept { return filters_; }

    /// `counts` is the call's name for the array with a number for each question.
    [[nodiscard]] throng_status as_asked(const Status& status,
                                         const char* counts = "") const noexcept {
        return status_of(status,
                         {.shapes = names_.shapes, .filters = names_.filters, .counts = counts});
    }

    /// Calls ask(shapes) with a span of the shapes, of whatever kind. Throws Refused if they are of
    /// another dimension.
    template <std::size_t Dim, class Ask>
    [[nodiscard]] decltype(auto) with_shapes(const Ask& ask) const {
        demand_shapes_of(Dim);
        switch (given_.shape / 10) {
#define THRONG_FOR_SHAPE(Shape, kind, KIND)                                                        \
    case THRONG_##KIND##2 / 10:                                                                    \
        return ask(shapes<Shape<Dim>>());
            THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_SHAPE
        default:
            refuse(THRONG_WRONG_VALUE, names_.shape);
        }
    }

    /// The same, but throws Refused if the shapes are not paths.
    template <std::size_t Dim, class Ask>
    [[nodiscard]] decltype(auto) with_paths(const Ask& ask) const {
        demand_shapes_of(Dim);
        switch (given_.shape / 10) {
#define THRONG_FOR_PATH(Path, kind, KIND)                                                          \
    case THRONG_##KIND##2 / 10:                                                                    \
        return ask(shapes<Path<Dim>>());
            THRONG_FOR_EACH_PATH(THRONG_FOR_PATH)
#undef THRONG_FOR_PATH
        default:
            refuse(THRONG_WRONG_VALUE, names_.shape);
        }
    }

private:
    void demand_shapes_of(std::size_t dimension) const;

    template <class Shape>
    [[nodiscard]] std::span<const Shape> shapes() const {
        return array_of<const Shape>(given_.shapes, given_.count, names_.shapes, names_.count);
    }

    throng_questions given_;
    const QuestionNames& names_;
    Sets sets_;
    Filters filters_;
};

} // namespace throng::c
