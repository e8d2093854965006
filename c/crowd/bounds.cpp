// Upper bounds of the number of answers.
#include "../../parallel/batch/batch.hpp"
#include "crowd.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace throng::c {

namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

std::uint64_t product(std::uint64_t a, std::uint64_t b) noexcept {
    std::uint64_t both = 0;
    return __builtin_mul_overflow(a, b, &both) ? kMost : both;
}

/// The sizes of the sets: far too small for their products to overflow.
struct Sizes {
    std::uint64_t small, giants, statics;

    [[nodiscard]] std::uint64_t of(std::uint32_t sets) const noexcept {
        return ((sets & THRONG_SMALL) != 0 ? small : 0) +
               ((sets & THRONG_GIANTS) != 0 ? giants : 0) +
               ((sets & THRONG_STATICS) != 0 ? statics : 0);
    }
    [[nodiscard]] std::uint64_t agents() const noexcept { return small + giants; }
};

/// bound(sizes, crowd), or 0 if the handle is not a crowd's.
template <class Bound>
std::uint64_t bound_of(const throng_crowd* crowd, const Bound& bound) noexcept {
    std::uint64_t most = 0;
    (void)guarded([&] {
        look_up(crowd, "crowd").ask([&](const auto& asked) {
            const std::uint64_t giants = asked.size(throng::Sets::giants);
            most = bound(Sizes{asked.size() - giants, giants, asked.size(throng::Sets::statics)},
                         asked);
        });
        return kOk;
    });
    return most;
}

} // namespace

} // namespace throng::c

using namespace throng::c;

uint64_t throng_query_bound(const throng_crowd* crowd, uint64_t questions, uint32_t sets) {
    return bound_of(
        crowd, [&](const Sizes& sizes, const auto&) { return product(questions, sizes.of(sets)); });
}

uint64_t throng_answers_bound(const throng_crowd* crowd, uint32_t order) {
    return bound_of(
        crowd,
        [&]<std::size_t Dim>(const Sizes&, const throng::Crowd<Dim>& asked) -> std::uint64_t {
            const bool by_storage = order == THRONG_ORDER_STORAGE;
            return throng::Batch<Dim>::answers(asked, by_storage ? throng::Order::storage
                                                                 : throng::Order::ids);
        });
}

uint64_t throng_neighbours_bound(const throng_crowd* crowd, uint32_t sets) {
    return bound_of(crowd, [&](const Sizes& sizes, const auto&) {
        return product(sizes.agents(), sizes.of(sets));
    });
}

uint64_t throng_pairs_bound(const throng_crowd* crowd, uint32_t pair_sets) {
    return bound_of(crowd, [&](const Sizes& sizes, const auto&) {
        const auto [small, giants, statics] = sizes;
        const auto among = [](std::uint64_t count) {
            return count == 0 ? 0 : count * (count - 1) / 2;
        };
        const auto wanted = [&](throng_pair_sets sets, std::uint64_t pairs) {
            return (pair_sets & static_cast<std::uint32_t>(sets)) != 0 ? pairs : 0;
        };
        return wanted(THRONG_SMALL_SMALL, among(small)) +
               wanted(THRONG_SMALL_GIANTS, small * giants) +
               wanted(THRONG_GIANTS_GIANTS, among(giants)) +
               wanted(THRONG_SMALL_STATICS, small * statics) +
               wanted(THRONG_GIANTS_STATICS, giants * statics);
    });
}

uint64_t throng_nearest_bound(uint64_t questions, uint32_t k) { return product(questions, k); }
