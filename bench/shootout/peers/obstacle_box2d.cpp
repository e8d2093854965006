// Walls in a world of Box2D: two-sided edges of one static body.
#include "../obstacle_peers.hpp"

#include <box2d/box2d.h>

#include <memory>

namespace throng::shootout {

namespace {

b2Vec2 vec_of(const Point<2>& point) { return {point[0], point[1]}; }

/// Finds the first hit, or any hit.
class Callback final : public b2RayCastCallback {
public:
    explicit Callback(bool any) noexcept : any_(any) {}

    float ReportFixture(b2Fixture*, const b2Vec2&, const b2Vec2&, float fraction) override {
        time = fraction;
        return any_ ? 0.0f : fraction;
    }
    float time = kNoHit;

private:
    bool any_;
};

float cast(const b2World& world, const Segment<2>& look, bool any) {
    Callback callback(any);
    world.RayCast(&callback, vec_of(look.from), vec_of(look.to));
    return callback.time;
}

} // namespace

ObstacleContender<2> box2d_walls(std::span<const Wall> walls) {
    const auto world = std::make_shared<b2World>(b2Vec2{0.0f, 0.0f});
    const b2BodyDef fixed;
    b2Body* const body = world->CreateBody(&fixed);
    for (const Wall& wall : walls) {
        b2EdgeShape edge;
        edge.SetTwoSided(vec_of(wall.from), vec_of(wall.to));
        body->CreateFixture(&edge, 0.0f);
    }
    ObstacleContender<2> box2d = {"box2d_world"};
    box2d.sight = [world](std::span<const Segment<2>> looks, std::span<std::uint8_t> clear) {
        for (std::size_t i = 0; i < looks.size(); ++i) {
            clear[i] = cast(*world, looks[i], true) == kNoHit ? 1 : 0;
        }
    };
    box2d.first = [world](std::span<const Segment<2>> looks, std::span<float> times) {
        for (std::size_t i = 0; i < looks.size(); ++i) {
            times[i] = cast(*world, looks[i], false);
        }
    };
    return box2d;
}

} // namespace throng::shootout
