// Calls from hosts that flush denormals or use another rounding mode.
#include "../support/threads/executors.hpp"
#include "float_modes.hpp"

#include "../family/every_index.hpp"
#include "../support/dims.hpp"

#include <algorithm>
#include <cfenv>
#include <iterator>

namespace throng {
namespace {

TEST(FloatMode, IsWhatItSays) {
    volatile const float denormal = 1e-40f, one = 1.0f, three = 3.0f;
    const auto check = [&](const test::FloatMode& mode) {
        const test::FloatModeScope scope(mode);
        EXPECT_EQ(std::fegetround(), mode.rounding);
        EXPECT_EQ(denormal * one == 0.0f, mode.flush) << mode;
        // The float nearest to a third is slightly larger than a third.
        const bool less = mode.rounding == FE_DOWNWARD || mode.rounding == FE_TOWARDZERO;
        EXPECT_EQ(one / three, less ? 0x1.555554p-2f : 0x1.555556p-2f) << mode;
    };
    std::for_each(std::begin(test::kEvenModes), std::end(test::kEvenModes), check);
    std::for_each(std::begin(test::kUnevenModes), std::end(test::kUnevenModes), check);
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    EXPECT_NE(denormal * one, 0.0f);
}

template <class D>
class FloatModes : public testing::Test {};
TYPED_TEST_SUITE(FloatModes, test::Dims, test::DimNames);

TYPED_TEST(FloatModes, AreThoseOfTheCaller) {
    test::expect_the_callers_float_mode<TypeParam::value>(serial_executor());
}

TYPED_TEST(FloatModes, ReachTheThreadsOfAPool) {
    test::EagerPool pool(3);
    test::expect_the_callers_float_mode<TypeParam::value>(pool);
}

template <class Entry>
class EveryFloatMode : public test::EveryIndex<Entry> {};
TYPED_TEST_SUITE(EveryFloatMode, test::Indexes, test::IndexNames);

// Only boxes, balls and pairs: other shapes have bounds that are rounded to nearest, and a shape of
// denormals does not exist where denormals are zeros.
TYPED_TEST(EveryFloatMode, GivesWhatBruteForceGivesInIt) {
    for (const std::string_view name : test::kModeScenes) {
        SCOPED_TRACE(name);
        auto scene = scenes::make<TypeParam::kDim>(name, 200, scenes::Groups::masks);
        constexpr Filter kFilters[] = {{}, {0x3u}, {kAllGroups, 3}};
        test::in_float_modes(test::kEvenModes, [&] {
            ASSERT_NO_FATAL_FAILURE(this->take(scene));
            ASSERT_STREQ(this->index_.validate(), nullptr);
            test::check_questions<TypeParam::kDim>(this->index_, this->truth_, scene.boxes,
                                                   kFilters);
            test::check_questions<TypeParam::kDim>(this->index_, this->truth_, scene.balls,
                                                   kFilters);
            ASSERT_NO_FATAL_FAILURE(this->check_pairs());
        });
    }
}

} // namespace
} // namespace throng
