// Visitors that throw, or have enough, at whatever call.
#include "any_index.hpp"
#include "shown.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace throng {
namespace {

/// Thrown by visitors.
struct VisitorThrew {};

template <std::size_t Dim>
class EveryVisitor : public test::AnyIndexTest<Dim> {};

/// visit(seen) calls seen(n) for n things at a time, until it returns false. Makes seen(n) throw
/// and stop at its first call, its second, and so on: at all of the first calls, then at fewer and
/// fewer.
template <class Visit>
void stop_everywhere(const Visit& visit, std::size_t& calls) {
    std::vector<std::size_t> sizes;
    (void)visit([&](std::size_t n) {
        sizes.push_back(n);
        return true;
    });
    calls += sizes.size();
    std::size_t before = 0;
    for (std::size_t k = 0, next = 0; k < sizes.size(); ++k) {
        const std::size_t with = before + sizes[k];
        if (k == next || k + 1 == sizes.size()) {
            next = k + 1 + k / 8;
            for (const bool throws : {true, false}) {
                std::size_t called = 0, seen = 0;
                bool thrown = false;
                const auto visitor = [&](std::size_t n) {
                    seen += n;
                    if (called++ != k) { return true; }
                    return throws ? throw VisitorThrew{} : false;
                };
                try {
                    const Found found = visit(visitor);
                    ASSERT_EQ(found.status, Status{});
                    ASSERT_EQ(found.count, with) << "what was visited, and no more";
                } catch (const VisitorThrew&) { thrown = true; }
                ASSERT_EQ(thrown, throws);
                ASSERT_EQ(called, k + 1) << "it was left in peace";
                ASSERT_EQ(seen, with) << "and saw what it sees otherwise";
            }
        }
        before = with;
    }
}

THRONG_TEST_EVERY_INDEX(EveryVisitor, MayThrowOrHaveEnoughAtEachCall) {
    auto scene = scenes::make<kDim>("mixed_sizes", 700, scenes::Groups::masks);
    ASSERT_NO_FATAL_FAILURE(this->take(scene));
    auto& index = this->index_;
    const auto before = test::shown_sound<kDim>(index);
    const test::Questions<kDim> questions(scene, 4);
    std::size_t calls = 0;
    const auto ask = [&](const auto& shape) {
        ASSERT_NO_FATAL_FAILURE(stop_everywhere(
            [&](auto&& seen) {
                return index.visit(
                    shape, [&](std::span<const Id> run) { return seen(run.size()); }, Filter{});
            },
            calls));
    };
    const auto ask_each = [&](const auto& shapes) {
        for (std::size_t i = 0; i < std::min<std::size_t>(shapes.size(), 4); ++i) {
            ask(shapes[i]);
        }
    };
    ask(Box<kDim>{Point<kDim>::all(-kLargest), Point<kDim>::all(kLargest)});
    ask_each(questions.boxes);
    ask_each(questions.balls);
    ask_each(questions.others.segments);
    ask_each(questions.others.rays);
    ask_each(questions.others.capsules);
    ask_each(questions.others.sectors);
    ask_each(questions.others.convexes);
    ask_each(questions.others.oriented_boxes);
    ask_each(questions.others.cylinders);
    ask_each(questions.others.body_balls);
    ask_each(questions.others.body_sectors);
    ask_each(questions.others.body_cylinders);
    ASSERT_NO_FATAL_FAILURE(stop_everywhere(
        [&](auto&& seen) {
            return index.visit_pairs(
                [&](std::span<const Id> first, std::span<const Id>) { return seen(first.size()); });
        },
        calls));
    ASSERT_NO_FATAL_FAILURE(stop_everywhere(
        [&](auto&& seen) {
            std::size_t cells = 0;
            index.visit_cells([&](const IndexCell<kDim>&) {
                ++cells;
                return seen(1);
            });
            return Found{cells, {}};
        },
        calls));
    EXPECT_GT(calls, 10u);
    // No call is under way in the index: it can be changed, and then it is what it would have been.
    ASSERT_TRUE(test::shown_sound<kDim>(index) == before);
    ASSERT_EQ(index.move(3, scene.position_of(4)), Status{});
    ASSERT_EQ(this->truth_.move(3, scene.position_of(4)), Status{});
    ASSERT_NO_FATAL_FAILURE(this->check_all(questions));
}

/// So many pairs that they come in many calls, from everywhere in a search.
THRONG_TEST_EVERY_INDEX(EveryVisitor, MayHaveEnoughInTheMiddleOfManyPairs) {
    for (const char* const name : {"uniform", "clustered", "mixed_sizes"}) {
        SCOPED_TRACE(name);
        auto scene = scenes::make<kDim>(name, 1500, scenes::Groups::masks);
        for (std::size_t a = 0; a < kDim; ++a) {
            scene.common_half_extent[a] *= 6.0f;
            for (float& half : scene.half_extent[a]) {
                half *= 6.0f;
            }
        }
        ASSERT_NO_FATAL_FAILURE(this->take(scene));
        std::size_t calls = 0;
        ASSERT_NO_FATAL_FAILURE(stop_everywhere(
            [&](auto&& seen) {
                return this->index_.visit_pairs(
                    [&](std::span<const Id> first, std::span<const Id>) {
                        return seen(first.size());
                    });
            },
            calls));
        EXPECT_GT(calls, 4u);
    }
}

} // namespace
} // namespace throng
