// Every structure of the family against the oracle: edits, and frames in which all move.
#include "../support/random.hpp"
#include "any_index.hpp"

namespace throng {
namespace {

template <std::size_t Dim>
class EveryEdit : public test::AnyIndexTest<Dim> {};

/// Random edits and questions, the same for the index and the oracle.
template <std::size_t kDim>
class Edits {
public:
    Edits(test::AnyIndex<kDim>& index, test::Truth<kDim>& truth, const scenes::Scene<kDim>& scene,
          std::uint64_t seed)
        : index_(index), truth_(truth), scene_(scene), random_(seed) {}

    /// Makes one insertion, removal or move, of an id below `ids`; half of the moves are small.
    void edit(Id ids) {
        const Id id = random_.below(ids);
        Agent<kDim> agent{somewhere(), {}, {}};
        const CrowdKind<kDim>& kind = truth_.kind();
        if (kind.own_half_extents) {
            // Most agents are small, some as large as ten cells, a few as large as the world.
            const float size = scene_.world.hi[0] - scene_.world.lo[0];
            const std::uint32_t pick = random_.below(200);
            const float largest = pick == 0 ? size : pick < 10 ? 10.0f : 0.5f;
            Point<kDim> half;
            for (float& h : half.axis) {
                h = random_.between(0.0f, largest);
            }
            agent.half_extent = half;
        }
        if (kind.groups) { agent.groups = random_.below(16); }
        const std::uint32_t what = random_.below(8);
        if (!truth_.contains(id)) {
            ASSERT_EQ(index_.insert(id, agent), truth_.insert(id, agent));
        } else if (what < 2) {
            ASSERT_EQ(index_.erase(id), truth_.erase(id));
        } else {
            const Box<kDim> near = Box<kDim>::around(last_, Point<kDim>::all(0.3f));
            const Point<kDim> to = what < 5 ? somewhere_in(near) : agent.position;
            ASSERT_EQ(index_.move(id, to), truth_.move(id, to));
        }
        last_ = agent.position;
    }

    /// Asks one question, of a shape chosen at random, in every form.
    void ask(const test::Questions<kDim>& questions) {
        const auto check_one = [&](const auto& shapes) {
            const auto& shape = shapes[random_.below(static_cast<std::uint32_t>(shapes.size()))];
            const Filter filter =
                random_.below(3) == 0 ? Filter{0x6u, random_.below(50)} : Filter{};
            ASSERT_NO_FATAL_FAILURE(test::check_question(index_, truth_, shape, filter));
        };
        switch (random_.below(9)) {
        case 0:
            return check_one(questions.balls);
        case 1:
            return check_one(questions.others.segments);
        case 2:
            return check_one(questions.others.rays);
        case 3:
            return check_one(questions.others.capsules);
        case 4:
            return check_one(questions.others.sectors);
        case 5:
            return check_one(questions.others.convexes);
        case 6:
            return check_one(questions.others.oriented_boxes);
        case 7:
            return check_one(questions.others.cylinders);
        default:
            return check_one(questions.boxes);
        }
    }

private:
    Point<kDim> somewhere_in(const Box<kDim>& box) {
        Point<kDim> point;
        for (std::size_t a = 0; a < kDim; ++a) {
            point[a] = random_.between(box.lo[a], box.hi[a]);
        }
        return point;
    }
    /// A random place in the world; now and then outside, or on the corner of a cell.
    Point<kDim> somewhere() {
        const std::uint32_t pick = random_.below(50);
        Box<kDim> box = scene_.world;
        if (pick == 0) {
            for (std::size_t a = 0; a < kDim; ++a) {
                const float size = box.hi[a] - box.lo[a];
                box = {box.lo, box.hi};
                box.lo[a] -= size;
                box.hi[a] += size;
            }
        }
        Point<kDim> point = somewhere_in(box);
        if (pick == 1) {
            for (float& x : point.axis) {
                x = static_cast<float>(static_cast<int>(x));
            }
        }
        return point;
    }

    test::AnyIndex<kDim>& index_;
    test::Truth<kDim>& truth_;
    const scenes::Scene<kDim>& scene_;
    scenes::Random random_;
    Point<kDim> last_{};
};

THRONG_TEST_EVERY_INDEX(EveryEdit, HoldsWhatAHundredThousandEditsLeave) {
    constexpr std::size_t kEdits = 25'000; // of each of these four crowds
    for (const std::string_view name : {"uniform", "mixed_sizes"}) {
        for (const auto groups : {scenes::Groups::none, scenes::Groups::masks}) {
            SCOPED_TRACE(testing::Message() << name << (groups == scenes::Groups::none ? "" : "+"));
            auto scene = scenes::make<kDim>(name, 600, groups);
            const test::Questions<kDim> questions(scene, 60);
            ASSERT_NO_FATAL_FAILURE(this->take(scene));
            Edits<kDim> edits(this->index_, this->truth_, scene, 99);
            for (std::size_t e = 0; e < kEdits; ++e) {
                ASSERT_NO_FATAL_FAILURE(edits.edit(800)) << "edit " << e;
                if (e % 50 == 0) {
                    SCOPED_TRACE(testing::Message() << "after edit " << e);
                    ASSERT_NO_FATAL_FAILURE(edits.ask(questions));
                }
                if (e % 400 == 399) { this->index_.tidy(); }
                if (e % 2500 == 2499) {
                    ASSERT_STREQ(this->index_.validate(), nullptr) << "after edit " << e;
                    ASSERT_NO_FATAL_FAILURE(this->check_pairs());
                }
            }
            ASSERT_NO_FATAL_FAILURE(this->check_all(questions));

            // Empty when all have gone; then all agents anew.
            for (Id id = 0; id < 800; ++id) {
                ASSERT_EQ(this->index_.erase(id), this->truth_.erase(id));
            }
            ASSERT_NO_FATAL_FAILURE(this->check_all(questions));
            this->index_.tidy();
            ASSERT_EQ(this->index_.update(scene.agents()), Status{});
            ASSERT_EQ(this->truth_.update(scene.agents()), Status{});
            ASSERT_NO_FATAL_FAILURE(this->check_all(questions));
        }
    }
}

THRONG_TEST_EVERY_INDEX(EveryEdit, FollowsACrowdThatMovesEveryFrame) {
    for (const std::string_view name : {"uniform", "mixed_sizes"}) {
        auto scene = scenes::make<kDim>(name, 500);
        ASSERT_NO_FATAL_FAILURE(this->take(scene));
        scenes::Random random(5);
        const test::Questions<kDim> questions(scene);
        for (int frame = 0; frame < 40; ++frame) {
            SCOPED_TRACE(testing::Message() << name << ", frame " << frame);
            for (std::size_t i = 0; i < scene.size(); ++i) {
                for (std::vector<float>& axis : scene.position) {
                    // Some agents leap, most walk, and they may leave the world.
                    axis[i] += random.below(100) == 0 ? random.between(-20.0f, 20.0f)
                                                      : random.between(-0.4f, 0.4f);
                }
            }
            ASSERT_EQ(this->index_.update(scene.agents()), Status{});
            ASSERT_EQ(this->truth_.update(scene.agents()), Status{});
            // Checks before and after tidying.
            ASSERT_STREQ(this->index_.validate(), nullptr);
            ASSERT_NO_FATAL_FAILURE(this->check_pairs());
            this->index_.tidy();
            ASSERT_STREQ(this->index_.validate(), nullptr);
            ASSERT_NO_FATAL_FAILURE(this->check_pairs());
        }
        ASSERT_NO_FATAL_FAILURE(this->check_all(questions));
    }
}

} // namespace
} // namespace throng
