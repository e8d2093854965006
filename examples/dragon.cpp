// A dragon that is far away by its centre, but near by its flank: see docs/bodies.md.
#include <throng/throng.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

using namespace throng;

namespace {

constexpr std::uint32_t kVillagers = 1, kDragons = 2; // groups

/// Villagers along a road, one for each metre, and beside it a dragon, 30 long and 8 wide.
struct Village {
    std::vector<float> x, y, half_x, half_y;
    std::vector<std::uint32_t> groups;

    Village() {
        for (int i = 0; i < 500; ++i) {
            add({{static_cast<float>(i), 0.0f}}, {{0.25f, 0.25f}}, kVillagers);
        }
        add({{200.0f, 5.0f}}, {{15.0f, 4.0f}}, kDragons);
    }

    [[nodiscard]] Agents<2> agents() const {
        Agents<2> all;
        all.positions = PointView<2>::separate({x.data(), y.data()}, x.size());
        all.half_extents = PointView<2>::separate({half_x.data(), half_y.data()}, x.size());
        all.groups = {groups.data(), sizeof(std::uint32_t), groups.size()};
        return all;
    }

private:
    void add(const Point<2>& at, const Point<2>& half, std::uint32_t group) {
        x.push_back(at[0]);
        y.push_back(at[1]);
        half_x.push_back(half[0]);
        half_y.push_back(half[1]);
        groups.push_back(group);
    }
};

/// Whether a dragon is at most one metre from this place; prints how far the nearest is.
bool tell(const Crowd<2>& crowd, const Point<2>& from, const char* name, Body body) {
    const Filter dragons{kDragons};
    const Found near = crowd.any(BodyBall<2>{{from, 1.0f}, body}, dragons);
    Near nearest;
    const Found found = crowd.nearest(from, {.k = 1, .body = body}, {&nearest, 1}, dragons);
    std::printf(" %s %s %.2f", name, near.count != 0 ? "near" : "far",
                static_cast<double>(nearest.distance2));
    return near.status.ok() && found.status.ok();
}

} // namespace

int main() {
    const Village village;
    Crowd<2> crowd;
    if (!crowd.update(village.agents()).ok()) { return 1; }
    for (const float x : {200.0f, 214.0f, 217.0f}) {
        const Point<2> from{{x, 0.0f}};
        std::printf("%.0f:", static_cast<double>(x));
        if (!tell(crowd, from, "centre", Body::centre) || !tell(crowd, from, "box", Body::box) ||
            !tell(crowd, from, "disc", Body::disc)) {
            return 1;
        }
        std::printf("\n");
    }
    return 0;
}
