// The filter of kept lists in vectors, against one candidate at a time.
#include "../../../simd/kernels/grid/kept_lists.hpp"

#include "../../../simd/isa/slack.hpp"
#include "../../support/dims.hpp"
#include "../../support/random.hpp"
#include "guarded.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

namespace throng {
namespace {

constexpr float kPeriod = 16.0f;

/// Lists whose arrays end at guard pages.
template <std::size_t Dim>
struct Lists {
    static constexpr std::uint32_t kLists = 40, kPlaces = 90;

    std::vector<std::vector<std::uint32_t>> candidates{kLists};
    std::array<std::vector<float>, Dim> position;
    test::Guarded<std::uint32_t> ids{kPlaces + simd::kSlack};
    std::vector<simd::PlaceRun> runs;
    std::vector<std::uint64_t> offsets{0};
    bool wraps;

    Lists(scenes::Random& random, bool periodic) : wraps(periodic) {
        for (std::size_t a = 0; a < Dim; ++a) {
            for (std::size_t i = 0; i < kPlaces; ++i) {
                // On a lattice, so that many candidates are exactly on the rim.
                position[a].push_back(static_cast<float>(random.below(32)) / 2.0f);
            }
        }
        for (std::size_t i = 0; i < kPlaces + simd::kSlack; ++i) {
            ids.begin()[i] = static_cast<std::uint32_t>(1'000 + i);
        }
        for (std::size_t k = 0; k < kLists; ++k) {
            if (k % 7 == 3) {
                runs.push_back({0, simd::kEndsList}); // a list without candidates
                offsets.push_back(runs.size());
                continue;
            }
            const std::size_t count = 1 + random.below(6);
            for (std::size_t r = 0; r < count; ++r) {
                const std::uint32_t first = random.below(kPlaces - simd::kPlacesInRun + 1);
                std::uint32_t lanes = random.below(1u << 16);
                lanes &= r % 2 == 0 ? ~0u : random.below(1u << 16);
                // A run of only the very last place.
                runs.push_back(r == 2 ? simd::PlaceRun{kPlaces - 1, 1u}
                                      : simd::PlaceRun{first, lanes | 1u});
                for (std::uint32_t i = 0; i < simd::kPlacesInRun; ++i) {
                    if ((runs.back().lanes >> i & 1u) != 0) {
                        candidates[k].push_back(runs.back().first + i);
                    }
                }
            }
            runs.back().lanes |= simd::kEndsList;
            offsets.push_back(runs.size());
        }
    }

    [[nodiscard]] float square(std::size_t k, std::uint32_t place, std::size_t a) const {
        const float x = position[a][place], centre = position[a][k];
        float least = (x - centre) * (x - centre);
        if (wraps && a != 1) {
            for (const float copy : {centre - kPeriod, centre + kPeriod}) {
                least = std::min(least, (x - copy) * (x - copy));
            }
        }
        return least;
    }
    [[nodiscard]] bool near(std::size_t k, std::uint32_t place, float radius) const {
        float distance2 = square(k, place, 0);
        for (std::size_t a = 1; a < Dim; ++a) {
            distance2 += square(k, place, a);
        }
        return distance2 <= radius * radius;
    }
};

template <class Dim>
class KeptLists : public testing::Test {};
TYPED_TEST_SUITE(KeptLists, test::Dims, test::DimNames);

TYPED_TEST(KeptLists, AreFilteredLikeOneCandidateAfterAnother) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(29);
    std::size_t on_rim = 0;
    for (int round = 0; round < 200; ++round) {
        const Lists<kDim> made(random, round % 2 == 1);
        const float radius = 1.0f + static_cast<float>(round % 9) / 2.0f;
        std::array<std::unique_ptr<test::Guarded<float>>, kDim> position;
        simd::KeptLists<kDim> lists{};
        for (std::size_t a = 0; a < kDim; ++a) {
            position[a] = std::make_unique<test::Guarded<float>>(made.kPlaces + simd::kSlack);
            std::copy(made.position[a].begin(), made.position[a].end(), position[a]->begin());
            // Agents past the last place would all be near.
            std::fill(position[a]->begin() + made.kPlaces, position[a]->end(),
                      made.position[a].back());
            lists.position[a] = position[a]->begin();
            lists.period[a] = made.wraps && a != 1 ? kPeriod : 0.0f;
        }
        lists.ids = made.ids.begin();
        lists.runs = made.runs.data();
        lists.offsets = made.offsets.data();
        lists.radius2 = radius * radius;
        lists.wraps = made.wraps;
        const std::uint32_t begin = round % 3 == 0 ? 0 : random.below(made.kLists);
        const std::uint32_t end =
            round % 3 == 0 ? made.kLists : begin + random.below(made.kLists - begin + 1);

        std::size_t room = 0;
        std::vector<std::uint32_t> wanted;
        std::vector<std::uint64_t> wanted_ends;
        for (std::size_t k = begin; k < end; ++k) {
            room += made.candidates[k].size();
            for (const std::uint32_t place : made.candidates[k]) {
                if (!made.near(k, place, radius)) { continue; }
                wanted.push_back(made.ids.begin()[place]);
                on_rim += made.near(k, place, std::nextafter(radius, 0.0f)) ? 0 : 1;
            }
            wanted_ends.push_back(77 + wanted.size());
        }
        const test::Guarded<std::uint32_t> out(room + simd::kSlack);
        const test::Guarded<std::uint64_t> ends(end - begin);
        const std::uint64_t used =
            simd::filter_lists(lists, begin, end, 77, out.begin(), ends.begin());
        ASSERT_EQ(used, 77 + wanted.size());
        ASSERT_TRUE(std::equal(wanted.begin(), wanted.end(), out.begin()));
        ASSERT_TRUE(std::equal(wanted_ends.begin(), wanted_ends.end(), ends.begin()));
    }
    EXPECT_GT(on_rim, 20u);
}

} // namespace
} // namespace throng
