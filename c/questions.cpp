#include "questions.hpp"

namespace throng::c {

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

Filters QuestionsReader::checked_filters() const {
    const auto filters = array_of<const Filter>(given_->filters, given_->filter_count,
                                                names_.filters, names_.filter_count);
    if (filters.size() == 1) { return filters[0]; }
    const Filters each = filters;
    if (!detail::fit(each, given_->count)) { refuse(THRONG_COUNT_MISMATCH, names_.filters); }
    return each;
}

} // namespace throng::c
