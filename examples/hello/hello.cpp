// The smallest program: a crowd, one query, and what to do if a call is refused.
//
//     cmake -B build -DCMAKE_PREFIX_PATH=<where throng is installed>
//     cmake --build build && build/hello
#include <throng/throng.hpp>

#include <cstdio>
#include <vector>

int main() {
    // Ten thousand agents on a square, a metre apart. The id of an agent is its index in your
    // arrays.
    std::vector<float> x, y;
    for (int i = 0; i < 10'000; ++i) {
        x.push_back(static_cast<float>(i % 100));
        y.push_back(static_cast<float>(i / 100));
    }
    throng::Agents<2> agents; // a view: the crowd reads your arrays, and keeps no pointer to them
    agents.positions = throng::PointView<2>::separate({x.data(), y.data()}, x.size());

    throng::Crowd<2> crowd;
    if (const throng::Status status = crowd.update(agents); !status.ok()) {
        std::printf("%s\n", throng::to_string(status).c_str());
        return 1;
    }
    // Which agents are within two metres? The rim belongs to the ball.
    const throng::Ball<2> ball{{50.0f, 50.0f}, 2.0f};
    std::vector<throng::Id> near;
    if (!crowd.query(ball, near).ok()) { return 1; }
    std::printf("%zu agents are near:", near.size());
    for (const throng::Id id : near) {
        std::printf(" %u", id);
    }
    std::printf("\n");
    return near.size() == 13 ? 0 : 1; // 1 + 3 + 5 + 3 + 1, by hand
}
