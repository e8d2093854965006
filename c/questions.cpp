#include "questions.hpp"

#include "structs.hpp"

namespace throng::c {

Sets sets_of(std::uint32_t sets, const char* name) {
    static_assert(static_cast<unsigned>(Sets::all) == THRONG_EVERYBODY &&
                  static_cast<unsigned>(Sets::small) == THRONG_SMALL &&
                  static_cast<unsigned>(Sets::giants) == THRONG_GIANTS &&
                  static_cast<unsigned>(Sets::statics) == THRONG_STATICS);
    if (sets > THRONG_EVERYBODY) { refuse(THRONG_WRONG_VALUE, name); }
    return static_cast<Sets>(sets);
}

PairSets pair_sets_of(std::uint32_t sets, const char* name) {
    static_assert(static_cast<unsigned>(PairSets::all) == THRONG_ALL_PAIRS &&
                  static_cast<unsigned>(PairSets::small_small) == THRONG_SMALL_SMALL &&
                  static_cast<unsigned>(PairSets::small_giants) == THRONG_SMALL_GIANTS &&
                  static_cast<unsigned>(PairSets::giants_giants) == THRONG_GIANTS_GIANTS &&
                  static_cast<unsigned>(PairSets::small_statics) == THRONG_SMALL_STATICS &&
                  static_cast<unsigned>(PairSets::giants_statics) == THRONG_GIANTS_STATICS);
    if (sets > THRONG_ALL_PAIRS) { refuse(THRONG_WRONG_VALUE, name); }
    return static_cast<PairSets>(sets);
}

bool flag_of(std::uint32_t value, const char* name) {
    if (value > 1) { refuse(THRONG_WRONG_VALUE, name); }
    return value != 0;
}

QuestionsReader::QuestionsReader(const throng_questions* questions, const QuestionNames& names)
    : given_(read(questions, names.whole)), names_(names), sets_(sets_of(given_.sets, names.sets)) {
    const auto filters = array_of<const Filter>(given_.filters, given_.filter_count, names.filters,
                                                names.filter_count);
    if (filters.size() == 1) {
        filters_ = filters[0];
    } else if (!filters.empty()) {
        filters_ = FilterEach(filters);
        if (!filters_.fit(given_.count)) { refuse(THRONG_COUNT_MISMATCH, names.filters); }
    }
}

void QuestionsReader::demand_one() const {
    if (given_.count != 1) { refuse(THRONG_WRONG_VALUE, names_.count); }
}

void QuestionsReader::demand_shapes_of(std::size_t dimension) const {
    const std::uint32_t theirs = given_.shape % 10;
    bool known = false;
#define THRONG_FOR_SHAPE(Shape, kind, KIND)                                                        \
    known = known || given_.shape == THRONG_##KIND##2 || given_.shape == THRONG_##KIND##3;
    THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_SHAPE
    if (!known) { refuse(THRONG_WRONG_VALUE, names_.shape); }
    if (theirs != dimension) { refuse(THRONG_WRONG_DIMENSION, names_.shape); }
}

} // namespace throng::c
