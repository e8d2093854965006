// Embree with agents as user geometry, built anew in every frame.
#include "../contenders.hpp"

#include <throng/engine/agents/nearest.hpp>
#include <throng/engine/shapes/ray_test.hpp>

#include <embree3/rtcore.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace throng::shootout {

namespace {

/// Boxes and balls are enlarged by this part, since the tree's tests round; callbacks repeat the
/// library's own tests.
constexpr float kSlack = 1e-4f;

enum class Shown : std::uint8_t { boxes, centres };

/// A scene of one geometry with a primitive for each agent.
class EmbreeScene {
public:
    EmbreeScene(RTCDevice device, const Walkers<3>& walkers, Shown shown)
        : walkers_(walkers), shown_(shown), scene_(rtcNewScene(device)),
          geometry_(rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER)) {
        rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_DYNAMIC | RTC_SCENE_FLAG_ROBUST);
        rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_LOW);
        rtcSetGeometryBuildQuality(geometry_, RTC_BUILD_QUALITY_LOW);
        rtcSetGeometryUserPrimitiveCount(geometry_, static_cast<unsigned>(walkers.size()));
        rtcSetGeometryUserData(geometry_, this);
        rtcSetGeometryBoundsFunction(geometry_, bounds, nullptr);
        rtcSetGeometryOccludedFunction(geometry_, on_ray);
        rtcAttachGeometry(scene_, geometry_);
    }
    EmbreeScene(const EmbreeScene&) = delete;
    EmbreeScene& operator=(const EmbreeScene&) = delete;
    ~EmbreeScene() {
        rtcReleaseGeometry(geometry_);
        rtcReleaseScene(scene_);
    }

    void build() {
        rtcCommitGeometry(geometry_);
        rtcCommitScene(scene_);
    }
    [[nodiscard]] RTCScene scene() const noexcept { return scene_; }
    [[nodiscard]] const Walkers<3>& walkers() const noexcept { return walkers_; }

    /// A ray, and its hits.
    struct Asking {
        RTCIntersectContext context; // first, since callbacks get its address
        detail::RayTest<3> track;
        Id* out;
        std::size_t found;
    };

private:
    static void bounds(const RTCBoundsFunctionArguments* arguments) {
        const auto& self = *static_cast<const EmbreeScene*>(arguments->geometryUserPtr);
        const Point<3> centre = self.walkers_.position_of(arguments->primID);
        Point<3> half = Point<3>::all(0.0f);
        if (self.shown_ == Shown::boxes) {
            half = self.walkers_.half_of(arguments->primID);
            for (float& axis : half.axis) {
                axis += kSlack;
            }
        }
        const Box<3> box = Box<3>::around(centre, half);
        RTCBounds& out = *arguments->bounds_o;
        out.lower_x = box.lo[0];
        out.lower_y = box.lo[1];
        out.lower_z = box.lo[2];
        out.upper_x = box.hi[0];
        out.upper_y = box.hi[1];
        out.upper_z = box.hi[2];
    }

    /// Reports no hit, so that the ray goes on to its end.
    static void on_ray(const RTCOccludedFunctionNArguments* arguments) {
        const auto& self = *static_cast<const EmbreeScene*>(arguments->geometryUserPtr);
        auto& asking = *reinterpret_cast<Asking*>(arguments->context);
        const Id id = arguments->primID;
        if (meets(asking.track, self.walkers_.position_of(id), self.walkers_.half_of(id))) {
            asking.out[asking.found++] = id;
        }
    }

    const Walkers<3>& walkers_;
    Shown shown_;
    RTCScene scene_;
    RTCGeometry geometry_;
};

class Embree final : public Subject<3> {
    using Buffers = oneapi::tbb::enumerable_thread_specific<PairBuffer>;

public:
    explicit Embree(const Crew& crew)
        : arena_(static_cast<int>(crew.threads)),
          device_(rtcNewDevice(("threads=" + std::to_string(crew.threads)).c_str())) {
        if (device_ == nullptr) { throw std::runtime_error("Embree made no device"); }
        rtcSetDeviceMemoryMonitorFunction(device_, on_memory, &bytes_);
    }
    ~Embree() override {
        boxes_.reset();
        centres_.reset();
        rtcReleaseDevice(device_);
    }

    void update(const Walkers<3>& walkers) override {
        centres_.reset(); // frames need only the boxes
        if (!boxes_) { boxes_ = std::make_unique<EmbreeScene>(device_, walkers, Shown::boxes); }
        arena_.execute([&] { boxes_->build(); });
        frame_bytes_ = bytes_;
    }

    [[nodiscard]] bool offers(Skill skill, Way way) const noexcept override {
        return way == Way::single && skill != Skill::boxes;
    }

    void pairs(PairTally& tally) const override {
        struct Finding {
            const Walkers<3>& walkers;
            Buffers buffers;
        } finding{boxes_->walkers(), Buffers([&] { return PairBuffer(tally); })};
        const auto on_pairs = [](void* user, RTCCollision* collisions, unsigned count) {
            auto& own = *static_cast<Finding*>(user);
            PairBuffer& buffer = own.buffers.local();
            for (unsigned i = 0; i < count; ++i) {
                // Embree finds every pair from both sides, and does not test pairs within a leaf.
                const Id first = collisions[i].primID0;
                const Id second = collisions[i].primID1;
                if (first < second &&
                    overlaps(own.walkers.box_of(first), own.walkers.position_of(second),
                             own.walkers.half_of(second))) {
                    buffer.add(first, second);
                }
            }
        };
        arena_.execute([&] { rtcCollide(boxes_->scene(), boxes_->scene(), on_pairs, &finding); });
    }

    void ask(std::span<const Segment<3>> segments, Way, Answers& answers) override {
        for (const Segment<3>& segment : segments) {
            EmbreeScene::Asking asking;
            rtcInitIntersectContext(&asking.context);
            asking.track = detail::ray_test(segment);
            asking.out = answers.room().data();
            asking.found = 0;
            RTCRay ray{};
            ray.org_x = segment.from[0];
            ray.org_y = segment.from[1];
            ray.org_z = segment.from[2];
            ray.dir_x = asking.track.direction[0];
            ray.dir_y = asking.track.direction[1];
            ray.dir_z = asking.track.direction[2];
            ray.tfar = 1.0f + kSlack;
            ray.mask = ~0u;
            rtcOccluded1(boxes_->scene(), &asking.context, &ray);
            answers.take(asking.found);
        }
    }

    void prepare_centres(const Walkers<3>& walkers) override {
        if (!centres_) {
            centres_ = std::make_unique<EmbreeScene>(device_, walkers, Shown::centres);
        }
        arena_.execute([&] { centres_->build(); });
    }

    void ask(std::span<const Ball<3>> balls, Way, Answers& answers) override {
        struct Inside {
            const Walkers<3>& walkers;
            Ball<3> ball;
            Id* out;
            std::size_t found;
        } inside{centres_->walkers(), {}, answers.room().data(), 0};
        const auto on_agent = [](RTCPointQueryFunctionArguments* arguments) {
            auto& own = *static_cast<Inside*>(arguments->userPtr);
            const Id id = arguments->primID;
            if (contains(own.ball, own.walkers.position_of(id))) { own.out[own.found++] = id; }
            return false; // the radius does not shrink
        };
        for (const Ball<3>& ball : balls) {
            inside.ball = ball;
            inside.found = 0;
            query(ball.centre, ball.radius * (1.0f + kSlack), on_agent, &inside);
            answers.take(inside.found);
        }
    }

    void ask(std::span<const Point<3>> points, Way, Answers& answers) override {
        struct Nearer {
            const Walkers<3>& walkers;
            Point<3> point;
            std::array<Near, kNearest> near; // sorted, the nearest first
        } nearer{centres_->walkers(), {}, {}};
        const auto on_agent = [](RTCPointQueryFunctionArguments* arguments) {
            auto& own = *static_cast<Nearer*>(arguments->userPtr);
            const Id id = arguments->primID;
            const float distance2 = distance2_between(own.point, own.walkers.position_of(id));
            if (!(distance2 < own.near.back().distance2)) { return false; }
            std::size_t place = kNearest - 1;
            for (; place > 0 && own.near[place - 1].distance2 > distance2; --place) {
                own.near[place] = own.near[place - 1];
            }
            own.near[place] = {distance2, id};
            arguments->query->radius = std::min(
                arguments->query->radius, std::sqrt(own.near.back().distance2) * (1.0f + kSlack));
            return true;
        };
        for (const Point<3>& point : points) {
            nearer.point = point;
            nearer.near.fill({});
            query(point, std::numeric_limits<float>::infinity(), on_agent, &nearer);
            std::size_t found = 0;
            while (found < kNearest && nearer.near[found].id != kNoId) {
                ++found;
            }
            answers.take(found, [&](std::size_t i) { return nearer.near[i].id; });
        }
    }

    [[nodiscard]] std::size_t bytes() const override { return frame_bytes_; }

private:
    static bool on_memory(void* user, ssize_t bytes, bool) {
        *static_cast<std::atomic<std::size_t>*>(user) += static_cast<std::size_t>(bytes);
        return true;
    }

    void query(const Point<3>& point, float radius, RTCPointQueryFunction on_agent, void* user) {
        RTCPointQuery question{point[0], point[1], point[2], 0.0f, radius};
        RTCPointQueryContext context;
        rtcInitPointQueryContext(&context);
        rtcPointQuery(centres_->scene(), &question, &context, on_agent, user);
    }

    mutable oneapi::tbb::task_arena arena_;
    std::atomic<std::size_t> bytes_ = 0;
    std::size_t frame_bytes_ = 0;
    RTCDevice device_;
    std::unique_ptr<EmbreeScene> boxes_, centres_;
};

} // namespace

std::vector<Entry> embree() {
    Entry entry{Kind::peer, "embree",
                "rebuild",  RTC_VERSION_STRING,
                {},         [](const Crew& crew) {
                    return std::make_unique<Embree>(crew); }};
    entry.threaded = true;
    return {entry};
}

} // namespace throng::shootout
