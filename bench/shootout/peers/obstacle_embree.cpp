// Triangles in a scene of Embree: built once with high quality, robust, one ray per call.
#include "../obstacle_peers.hpp"

#include <embree3/rtcore.h>

#include <memory>
#include <stdexcept>

namespace throng::shootout {

namespace {

class TriangleScene {
public:
    explicit TriangleScene(std::span<const Triangle> triangles)
        : device_(rtcNewDevice("threads=1")), scene_(rtcNewScene(device_)) {
        rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST);
        rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_HIGH);
        RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
        auto* const corners = static_cast<float*>(
            rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                    3 * sizeof(float), 3 * triangles.size()));
        auto* const numbers = static_cast<unsigned*>(
            rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                    3 * sizeof(unsigned), triangles.size()));
        if (corners == nullptr || numbers == nullptr) {
            throw std::runtime_error("Embree refused the triangles");
        }
        for (std::size_t i = 0; i < 3 * triangles.size(); ++i) {
            for (std::size_t a = 0; a < 3; ++a) {
                corners[3 * i + a] = triangles[i / 3].corners[i % 3][a];
            }
            numbers[i] = static_cast<unsigned>(i);
        }
        rtcCommitGeometry(geometry);
        rtcAttachGeometry(scene_, geometry);
        rtcReleaseGeometry(geometry);
        rtcCommitScene(scene_);
    }
    TriangleScene(const TriangleScene&) = delete;
    TriangleScene& operator=(const TriangleScene&) = delete;
    ~TriangleScene() {
        rtcReleaseScene(scene_);
        rtcReleaseDevice(device_);
    }

    [[nodiscard]] static RTCRay ray_of(const Segment<3>& look) noexcept {
        RTCRay ray{};
        ray.org_x = look.from[0];
        ray.org_y = look.from[1];
        ray.org_z = look.from[2];
        ray.dir_x = look.to[0] - look.from[0];
        ray.dir_y = look.to[1] - look.from[1];
        ray.dir_z = look.to[2] - look.from[2];
        ray.tfar = 1.0f;
        ray.mask = ~0u;
        return ray;
    }
    [[nodiscard]] bool is_clear(const Segment<3>& look) const noexcept {
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        RTCRay ray = ray_of(look);
        rtcOccluded1(scene_, &context, &ray);
        return ray.tfar >= 0.0f; // minus infinity for a hit
    }
    [[nodiscard]] float first(const Segment<3>& look) const noexcept {
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        RTCRayHit hit{};
        hit.ray = ray_of(look);
        hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1(scene_, &context, &hit);
        return hit.hit.geomID == RTC_INVALID_GEOMETRY_ID ? kNoHit : hit.ray.tfar;
    }

private:
    RTCDevice device_;
    RTCScene scene_;
};

} // namespace

ObstacleContender<3> embree_triangles(std::span<const Triangle> triangles) {
    const auto scene = std::make_shared<const TriangleScene>(triangles);
    ObstacleContender<3> embree = {"embree"};
    embree.sight = [scene](std::span<const Segment<3>> looks, std::span<std::uint8_t> clear) {
        for (std::size_t i = 0; i < looks.size(); ++i) {
            clear[i] = scene->is_clear(looks[i]) ? 1 : 0;
        }
    };
    embree.first = [scene](std::span<const Segment<3>> looks, std::span<float> times) {
        for (std::size_t i = 0; i < looks.size(); ++i) {
            times[i] = scene->first(looks[i]);
        }
    };
    return embree;
}

} // namespace throng::shootout
