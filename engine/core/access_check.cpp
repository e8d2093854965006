#include "access_check.hpp"

#include "assert.hpp"

namespace throng {

namespace {

constexpr std::uint64_t kReader = 1;
constexpr std::uint64_t kOther = std::uint64_t{1} << 32;

} // namespace

BasicAccessCheck<true>::Reading::Reading(const BasicAccessCheck& check) noexcept : check_(check) {
    [[maybe_unused]] const std::uint64_t before =
        check_.inside_.fetch_add(kReader, std::memory_order_relaxed);
    THRONG_ASSERT(before < kOther && "a grid is asked while it is being changed");
}

BasicAccessCheck<true>::Reading::~Reading() {
    check_.inside_.fetch_sub(kReader, std::memory_order_relaxed);
}

BasicAccessCheck<true>::Alone::Alone(BasicAccessCheck& check) noexcept
    : check_(check), before_(check.inside_.fetch_add(kOther, std::memory_order_relaxed)) {}

BasicAccessCheck<true>::Alone::~Alone() {
    check_.inside_.fetch_sub(kOther, std::memory_order_relaxed);
}

std::uint32_t BasicAccessCheck<true>::Alone::readers() const noexcept {
    return static_cast<std::uint32_t>(before_ % kOther);
}

std::uint32_t BasicAccessCheck<true>::Alone::others() const noexcept {
    return static_cast<std::uint32_t>(before_ / kOther);
}

BasicAccessCheck<true>::Changing::Changing(BasicAccessCheck& check) noexcept : Alone(check) {
    THRONG_ASSERT(readers() == 0 && "a grid is changed while it is being asked");
    THRONG_ASSERT(others() == 0 && "a grid is changed while it is being changed");
}

BasicAccessCheck<true>::Serving::Serving(BasicAccessCheck& check) noexcept : Alone(check) {
    THRONG_ASSERT(readers() + others() == 0 &&
                  "a Batch, or NeighbourLoop, is called while it serves another call");
}

} // namespace throng
