// Callers' arrays that end where writing is forbidden: what fits of an answer is written, and no
// more than 16 elements behind it are touched.
#include "../../simd/isa/slack.hpp"
#include "../simd/kernels/guarded.hpp"
#include "../support/numbers.hpp"
#include "any_index.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace throng {
namespace {

using test::Guarded;
using test::Ids;

using test::kCanary;
constexpr std::size_t kMostBehind = 16; // as the headers say
static_assert(simd::kSlack == kMostBehind);

/// `ask` writes an answer to the span that it is given; `wanted` is the whole answer.
template <class Ask>
void check_room(const Guarded<Id>& guarded, std::size_t room, const Ids& wanted, const Ask& ask) {
    SCOPED_TRACE(testing::Message() << "room " << room << " for " << wanted.size());
    std::fill(guarded.begin(), guarded.end(), kCanary);
    const std::span<Id> out(guarded.last(room), room);
    const Found found = ask(out);
    ASSERT_EQ(found.status, Status{});
    ASSERT_EQ(found.count, wanted.size());
    const std::size_t fit = std::min(room, wanted.size());
    ASSERT_TRUE(
        std::equal(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(fit), wanted.begin()));
    ASSERT_EQ(std::count(guarded.begin(), out.data(), kCanary), out.data() - guarded.begin())
        << "before the array";
    const std::span<Id> behind = out.subspan(std::min(room, fit + kMostBehind));
    ASSERT_EQ(std::count(behind.begin(), behind.end(), kCanary),
              static_cast<std::ptrdiff_t>(behind.size()));
}

/// ask(shape, out) for answers of every length, into arrays of all lengths that might matter.
template <class Shapes, class Ask>
void check_rooms(const Shapes& shapes, const Guarded<Id>& guarded, std::size_t most,
                 const Ask& ask) {
    for (const auto& shape : shapes) {
        Ids wanted(most);
        wanted.resize(ask(shape, std::span<Id>(wanted)).count);
        const std::size_t all = wanted.size();
        for (const std::size_t room : {std::size_t{0}, all / 2, all - std::min<std::size_t>(all, 1),
                                       all, all + 1, all + 15, all + 16, all + 40}) {
            ASSERT_NO_FATAL_FAILURE(check_room(guarded, room, wanted,
                                               [&](std::span<Id> out) { return ask(shape, out); }));
        }
    }
}
template <std::size_t Dim, class Ask>
void check_all_rooms(const test::Questions<Dim>& questions, std::size_t most, const Ask& ask) {
    const Guarded<Id> guarded(most + 64);
    const auto check = [&](const auto& shapes) {
        ASSERT_NO_FATAL_FAILURE(check_rooms(shapes, guarded, most, ask));
    };
    check(questions.boxes);
    check(questions.balls);
    check(questions.others.segments);
    check(questions.others.rays);
    check(questions.others.capsules);
    check(questions.others.sectors);
    check(questions.others.convexes);
    check(questions.others.oriented_boxes);
    check(questions.others.cylinders);
}

template <std::size_t Dim>
class ShortArrays : public test::AnyIndexTest<Dim> {};

THRONG_TEST_EVERY_INDEX(ShortArrays, AreFilledAndNoMore) {
    auto scene = scenes::make<kDim>("mixed_sizes", 400);
    ASSERT_NO_FATAL_FAILURE(this->take(scene));
    const test::Asked<kDim> asked(this->index_);
    const test::Questions<kDim> questions(scene, 6);
    check_all_rooms<kDim>(questions, scene.size(), [&](const auto& shape, std::span<Id> out) {
        return asked.query(shape, out, {});
    });
}

/// With all sets of a crowd, also in a periodic world.
TEST(ShortArraysOfCrowds, AreFilledAndNoMore) {
    auto scene = scenes::make<2>("mixed_sizes", 400);
    for (std::size_t i = 0; i < scene.size(); i += 9) {
        scene.half_extent[0][i] = 1.5f * scene.cell[0];
    }
    for (const bool periodic : {false, true}) {
        CrowdSettings<2> settings;
        settings.bounds = scene.world;
        settings.cell = scene.cell;
        settings.periodic.fill(periodic);
        Crowd<2> crowd;
        ASSERT_EQ(crowd.configure(settings), Status{});
        ASSERT_EQ(crowd.update(scene.agents()), Status{});
        ASSERT_EQ(crowd.set_statics(scene.agents()), Status{});
        ASSERT_GT(crowd.size(Sets::giants), 40u);
        for (const Sets sets : {Sets::all, Sets::small, Sets::giants | Sets::statics}) {
            const auto ask = [&](const auto& shape, std::span<Id> out) {
                return crowd.query(shape, out, {}, sets);
            };
            const test::Questions<2> questions(scene, 6);
            const std::size_t most = 2 * scene.size();
            if (!periodic) {
                check_all_rooms<2>(questions, most, ask);
                continue;
            }
            // Rays without an end have too many copies.
            const Guarded<Id> guarded(most + 64);
            ASSERT_NO_FATAL_FAILURE(check_rooms(questions.boxes, guarded, most, ask));
            ASSERT_NO_FATAL_FAILURE(check_rooms(questions.balls, guarded, most, ask));
        }
    }
}

} // namespace
} // namespace throng
