// The program of docs/lasting-neighbours.md.
#include <throng/throng.hpp>

#include <cstdio>
#include <vector>

// Made once: {.neighbourhood = {.radius = 2.0f}, .skin = 0.5f}.
throng::Status frame(throng::LastingNeighbours<2>& lists, throng::Crowd<2>& crowd,
                     const throng::Agents<2>& agents, throng::Hits& near) {
    const throng::Status status = lists.update(crowd, agents); // makes new lists if it has to
    if (!status.ok()) { return status; }
    // Those of lists.order()[k]: all that are within radius now, and some that are not.
    // lists.candidates().of(k)
    return lists.neighbours(agents, near); // exactly those within the radius
}

int main() {
    std::vector<float> x, y;
    for (int i = 0; i < 1'000; ++i) {
        x.push_back(static_cast<float>(i % 40));
        y.push_back(static_cast<float>(i / 40));
    }
    throng::Agents<2> agents;
    agents.positions = throng::PointView<2>::separate({x.data(), y.data()}, x.size());
    throng::Crowd<2> crowd;
    throng::LastingNeighbours<2> lists({.neighbourhood = {.radius = 2.0f}, .skin = 0.5f});
    throng::Hits near;
    for (int i = 0; i < 10; ++i) {
        if (!frame(lists, crowd, agents, near).ok()) { return 1; }
        x[0] -= 0.0625f;
    }
    std::printf("%d neighbours, lists made %d times\n", static_cast<int>(near.total()),
                static_cast<int>(lists.made()));
}
