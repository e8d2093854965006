#include <throng/throng.hpp>

#include <cstdio>
#include <vector>

int main() {
    const float x[] = {0.0f, 1.0f, 5.0f};
    const float y[] = {0.0f, 1.0f, 5.0f};
    throng::Agents<2> agents;
    agents.positions = throng::PointView<2>::separate({x, y}, 3);

    throng::Crowd<2> crowd;
    if (const throng::Status status = crowd.update(agents); !status.ok()) {
        std::printf("%s\n", throng::to_string(status).c_str());
        return 1;
    }
    std::vector<throng::Id> near;
    if (crowd.query(throng::Ball<2>{{0.0f, 0.0f}, 2.0f}, near).ok()) {
        std::printf("%zu agents are near: %u and %u\n", near.size(), near[0], near[1]);
    }
}
