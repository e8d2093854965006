// The dynamic tree of Box2D, used as in Box2D's broad phase.
#include "../contenders.hpp"

#include <throng/engine/shapes/ray_test.hpp>

#include <box2d/b2_common.h>
#include <box2d/b2_dynamic_tree.h>

#include <cstdint>
#include <string>
#include <vector>

namespace throng::shootout {

namespace {

b2Vec2 vector_of(const Point<2>& point) { return {point[0], point[1]}; }
b2AABB aabb_of(const Box<2>& box) {
    b2AABB aabb;
    aabb.lowerBound = vector_of(box.lo);
    aabb.upperBound = vector_of(box.hi);
    return aabb;
}

/// The tree's boxes have margins, so callbacks test the agents' own boxes.
class Box2dTree final : public Subject<2> {
public:
    void update(const Walkers<2>& walkers) override {
        if (agents_.empty()) { insert(walkers); }
        for (std::size_t i = 0; i < agents_.size(); ++i) {
            Agent& agent = agents_[i];
            agent.position = walkers.position_of(i);
            // With an agent's displacement, the tree would lengthen its box by four steps. The
            // agents are too fast for that: a frame of 100,000 takes twice as long (7.2 us per
            // agent instead of 3.5).
            tree_.MoveProxy(agent.proxy, aabb_of(agent.box()), b2Vec2(0.0f, 0.0f));
        }
    }

    [[nodiscard]] bool offers(Skill skill, Way way) const noexcept override {
        return way == Way::single && skill != Skill::nearest;
    }

    void pairs(PairTally& tally) const override {
        PairBuffer buffer(tally);
        for (std::size_t i = 0; i < agents_.size(); ++i) {
            const Box<2> box = agents_[i].box();
            ask(box, [&](std::size_t other) {
                if (other > i && hits(box, other)) {
                    buffer.add(static_cast<Id>(i), static_cast<Id>(other));
                }
            });
        }
    }

    void ask(std::span<const Box<2>> boxes, Way, Answers& answers) override {
        Id* const out = answers.room().data();
        for (const Box<2>& box : boxes) {
            std::size_t found = 0;
            ask(box, [&](std::size_t i) {
                if (hits(box, i)) { out[found++] = static_cast<Id>(i); }
            });
            answers.take(found);
        }
    }

    void ask(std::span<const Ball<2>> balls, Way, Answers& answers) override {
        Id* const out = answers.room().data();
        for (const Ball<2>& ball : balls) {
            std::size_t found = 0;
            ask(Box<2>::around(ball.centre, Point<2>::all(ball.radius)), [&](std::size_t i) {
                if (contains(ball, agents_[i].position)) { out[found++] = static_cast<Id>(i); }
            });
            answers.take(found);
        }
    }

    void ask(std::span<const Segment<2>> segments, Way, Answers& answers) override {
        Id* const out = answers.room().data();
        for (const Segment<2>& segment : segments) {
            const detail::RayTest<2> track = detail::ray_test(segment);
            std::size_t found = 0;
            const auto meet = [&](std::size_t i) {
                if (meets(track, agents_[i].position, agents_[i].half)) {
                    out[found++] = static_cast<Id>(i);
                }
            };
            RayCallback<decltype(meet)> callback{&tree_, &meet};
            b2RayCastInput input;
            input.p1 = vector_of(segment.from);
            input.p2 = vector_of(segment.to);
            input.maxFraction = 1.0f;
            tree_.RayCast(&callback, input);
            answers.take(found);
        }
    }

private:
    struct Agent {
        Point<2> position, half;
        int32 proxy;
        [[nodiscard]] Box<2> box() const noexcept { return Box<2>::around(position, half); }
    };

    template <class Visit>
    struct BoxCallback {
        const b2DynamicTree* tree;
        const Visit* visit;
        // The tree calls functions of this name.
        bool QueryCallback(int32 proxy) const {
            (*visit)(reinterpret_cast<std::uintptr_t>(tree->GetUserData(proxy)));
            return true;
        }
    };
    template <class Visit>
    struct RayCallback {
        const b2DynamicTree* tree;
        const Visit* visit;
        float RayCastCallback(const b2RayCastInput& input, int32 proxy) const {
            (*visit)(reinterpret_cast<std::uintptr_t>(tree->GetUserData(proxy)));
            return input.maxFraction; // continues to the end
        }
    };

    void insert(const Walkers<2>& walkers) {
        agents_.resize(walkers.size());
        for (std::size_t i = 0; i < agents_.size(); ++i) {
            agents_[i] = {walkers.position_of(i), walkers.half_of(i), 0};
            agents_[i].proxy =
                tree_.CreateProxy(aabb_of(agents_[i].box()), reinterpret_cast<void*>(i));
        }
    }

    [[nodiscard]] bool hits(const Box<2>& box, std::size_t i) const noexcept {
        return overlaps(box, agents_[i].position, agents_[i].half);
    }

    template <class Visit>
    void ask(const Box<2>& box, const Visit& visit) const {
        BoxCallback<Visit> callback{&tree_, &visit};
        tree_.Query(&callback, aabb_of(box));
    }

    b2DynamicTree tree_;
    std::vector<Agent> agents_;
};

} // namespace

std::vector<Entry> box2d_tree() {
    const std::string version = std::to_string(b2_version.major) + '.' +
                                std::to_string(b2_version.minor) + '.' +
                                std::to_string(b2_version.revision);
    return {{Kind::peer,
             "box2d_tree",
             "move",
             version,
             [](const Crew&) { return std::make_unique<Box2dTree>(); },
             {}}};
}

} // namespace throng::shootout
