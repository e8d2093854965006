#include <throng/throng.hpp>

#include <cstdio>
#include <vector>

int main() {
    const throng::Box<2> houses[] = {{{0.0f, 0.0f}, {10.0f, 8.0f}}};
    const throng::Wall walls[] = {{{20.0f, -5.0f}, {20.0f, 5.0f}, 0.5f}};
    throng::ObstacleArrays<2> arrays;
    arrays.boxes = {houses, sizeof houses[0], 1}; // id 0
    arrays.walls = {walls, sizeof walls[0], 1};   // id 1

    throng::Obstacles<2> obstacles;
    if (const throng::Status status = obstacles.set(arrays); !status.ok()) {
        std::printf("%s\n", throng::to_string(status).c_str());
        return 1;
    }
    // How far is the wall, and which way leads away from it?
    throng::ObstacleNear<2> near;
    if (obstacles.nearest({{18.0f, 0.0f}}, near).count == 1) {
        std::printf("%u at %.2f, normal %g %g\n", near.id, near.distance, near.normal[0],
                    near.normal[1]);
    }
    // When does a disc of radius 1 touch something on its way?
    throng::ObstacleHit<2> hit;
    const throng::Capsule<2> step = {{{15.0f, 2.0f}}, {{25.0f, 2.0f}}, 1.0f};
    if (obstacles.first(step, hit).count == 1) {
        std::printf("%u at time %.3f, at %g %g\n", hit.id, hit.time, hit.point[0], hit.point[1]);
    }
    // Do these pairs of points see each other?
    const std::vector<throng::Segment<2>> looks = {{{{15.0f, 0.0f}}, {{25.0f, 0.0f}}},
                                                   {{{15.0f, 9.0f}}, {{25.0f, 9.0f}}}};
    std::vector<std::uint8_t> clear(looks.size());
    std::printf("%zu of 2 see each other\n", obstacles.sight(looks, clear).count);
}
