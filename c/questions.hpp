// Questions of hosts: shapes of any kind, filters, and the sets to search.
#pragma once

#include "../engine/agents/filter.hpp"
#include "../engine/crowd/sets.hpp"
#include "../engine/shapes/shapes_view.hpp"
#include "arrays.hpp"
#include "boundary.hpp"
#include "structs.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace throng::c {

/// How a call names its questions, and their fields.
struct QuestionNames {
    const char *whole, *shape, *sets, *shapes, *count, *filters, *filter_count;
    bool one; ///< whether there must be exactly one question
};
#define THRONG_QUESTION_NAMES(name, one)                                                           \
    {                                                                                              \
        name, name ".shape", name ".sets", name ".shapes", name ".count", name ".filters",         \
            name ".filter_count", one                                                              \
    }
inline constexpr QuestionNames kQuestions = THRONG_QUESTION_NAMES("questions", false);
inline constexpr QuestionNames kQuestion = THRONG_QUESTION_NAMES("question", true);
inline constexpr QuestionNames kPaths = THRONG_QUESTION_NAMES("paths", false);
inline constexpr QuestionNames kPath = THRONG_QUESTION_NAMES("path", true);
#undef THRONG_QUESTION_NAMES

/// Checked values: a sum of throng_sets, a sum of throng_pair_sets, and a throng_order or flag,
/// which is 0 or 1. They throw Refused for any other value.
[[nodiscard]] inline Sets sets_of(std::uint32_t sets, const char* name) {
    static_assert(static_cast<unsigned>(Sets::all) == THRONG_EVERYBODY &&
                  static_cast<unsigned>(Sets::small) == THRONG_SMALL &&
                  static_cast<unsigned>(Sets::giants) == THRONG_GIANTS &&
                  static_cast<unsigned>(Sets::statics) == THRONG_STATICS);
    if (sets > THRONG_EVERYBODY) { refuse(THRONG_WRONG_VALUE, name); }
    return static_cast<Sets>(sets);
}
[[nodiscard]] PairSets pair_sets_of(std::uint32_t sets, const char* name);
[[nodiscard]] bool flag_of(std::uint32_t value, const char* name);

/// The meaning of a number of throng_shape.
struct KnownShape {
    std::size_t dimension = 0; ///< 0: no such shape
    ShapeKind kind{};
    Element element{};
};

/// The meaning of each number of throng_shape.
inline constexpr std::array<KnownShape, 130> kShapes = [] {
    std::array<KnownShape, 130> all{};
#define THRONG_FOR_SHAPE(Shape, kind, KIND)                                                        \
    all[THRONG_##KIND##2] = {2, ShapeKind::kind, Element::of<Shape<2>>()};                         \
    all[THRONG_##KIND##3] = {3, ShapeKind::kind, Element::of<Shape<3>>()};
    THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_SHAPE
    return all;
}();

/// Inline, like all that a call with one question needs: such a call takes tens of nanoseconds.
class QuestionsReader {
public:
    /// Throws Refused for questions that no crowd accepts.
    QuestionsReader(const throng_questions* questions, const QuestionNames& names)
        : given_(questions, names.whole), names_(names), sets_(sets_of(given_->sets, names.sets)) {
        if (given_->filter_count != 0) { filters_ = checked_filters(); }
        if (names.one && given_->count != 1) { refuse(THRONG_WRONG_VALUE, names.count); }
    }

    [[nodiscard]] std::size_t count() const noexcept { return given_->count; }
    [[nodiscard]] Sets sets() const noexcept { return sets_; }
    [[nodiscard]] const Filters& filters() const noexcept { return filters_; }

    /// The status with this call's names. `counts` names the array with a number for each question.
    [[nodiscard]] throng_status as_asked(const Status& status,
                                         const char* counts = "") const noexcept {
        return status_of(status,
                         {.shapes = names_.shapes, .filters = names_.filters, .counts = counts});
    }

    /// The shapes. Throws Refused if they have another dimension, or the array is null, misaligned
    /// or too long.
    template <std::size_t Dim>
    [[nodiscard]] ShapesView<Dim> shapes() const {
        return {kind_in(Dim), given_->count == 0 ? nullptr : given_->shapes, given_->count};
    }

    /// As shapes(), but throws Refused for kinds that `is_allowed` rejects.
    template <std::size_t Dim, class IsAllowed>
    [[nodiscard]] ShapesView<Dim> shapes_if(const IsAllowed& is_allowed) const {
        const ShapesView<Dim> all = shapes<Dim>();
        if (!is_allowed(all.kind)) { refuse(THRONG_WRONG_VALUE, names_.shape); }
        return all;
    }
    template <std::size_t Dim>
    [[nodiscard]] ShapesView<Dim> paths() const {
        return shapes_if<Dim>([](ShapeKind kind) { return is_path(kind); });
    }

    /// For shapes that only some calls know: their number in throng_shape, and the array.
    [[nodiscard]] std::uint32_t shape() const noexcept { return given_->shape; }
    [[nodiscard]] const void* array(const Element& element) const {
        check_array(given_->shapes, given_->count, element, names_.shapes, names_.count);
        return given_->count == 0 ? nullptr : given_->shapes;
    }
    [[noreturn]] void refuse_dimension() const { refuse(THRONG_WRONG_DIMENSION, names_.shape); }

    /// Throws Refused unless all sets are asked, for calls without sets; demand_one_filter() also
    /// unless there is at most one filter.
    void demand_all_sets() const {
        if (sets_ != Sets::all) { refuse(THRONG_WRONG_VALUE, names_.sets); }
    }
    void demand_one_filter() const {
        demand_all_sets();
        if (given_->filter_count > 1) { refuse(THRONG_WRONG_VALUE, names_.filter_count); }
    }

private:
    [[nodiscard]] Filters checked_filters() const;

    [[nodiscard]] ShapeKind kind_in(std::size_t dimension) const {
        const bool is_known =
            given_->shape < kShapes.size() && kShapes[given_->shape].dimension != 0;
        if (!is_known) { refuse(THRONG_WRONG_VALUE, names_.shape); }
        const KnownShape& shape = kShapes[given_->shape];
        if (shape.dimension != dimension) { refuse(THRONG_WRONG_DIMENSION, names_.shape); }
        check_array(given_->shapes, given_->count, shape.element, names_.shapes, names_.count);
        return shape.kind;
    }

    const Given<throng_questions> given_;
    const QuestionNames& names_;
    Sets sets_;
    Filters filters_;
};

} // namespace throng::c
