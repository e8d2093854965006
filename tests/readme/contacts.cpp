// The programs of docs/contacts.md.
#include <throng/throng.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <utility>
#include <vector>

// What a simulation keeps for each pair that touches.
struct Touches {
    throng::Contacts<2> contacts;
    std::vector<float> age, next;
};

// One frame: events for what has changed, and every pair's data carried over.
throng::Status step(Touches& touches, const throng::Crowd<2>& crowd) {
    const throng::Status status = touches.contacts.update(crowd);
    if (!status.ok()) { return status; } // nothing has changed: call again, or leave the frame out
    const throng::Contacts<2>& now = touches.contacts;
    for (std::size_t e = 0; e < now.ended().size(); ++e) {
        const auto [first, second] = now.ended()[e];
        std::printf("%u and %u part, at age %g\n", first, second,
                    double{touches.age[now.ended_previous()[e]]});
    }
    for (const std::uint32_t i : now.began()) {
        std::printf("%u and %u meet\n", now.pairs()[i].first, now.pairs()[i].second);
    }
    touches.next.resize(now.pairs().size());
    for (std::size_t i = 0; i < now.pairs().size(); ++i) {
        const std::uint32_t before = now.previous()[i];
        touches.next[i] = before == throng::kNoContact ? 0.0f : touches.age[before] + 1.0f;
    }
    std::swap(touches.age, touches.next);
    return {};
}

// The same for the frames of a crowd that is published: a reader, on a thread of its own.
throng::Status follow(Touches& touches, const throng::PublishedCrowd<2>& crowd) {
    const auto frame = crowd.acquire(); // stays until this returns
    return frame ? step(touches, *frame) : throng::Status{};
}

int main() {
    std::vector<float> x = {0.0f, 3.0f, 6.0f};
    const std::vector<float> y(3, 0.0f), half(3, 0.5f);
    throng::Agents<2> agents;
    agents.positions = throng::PointView<2>::separate({x.data(), y.data()}, x.size());
    agents.half_extents = throng::PointView<2>::separate({half.data(), half.data()}, x.size());
    throng::PublishedCrowd<2> crowd;
    Touches touches;
    for (int frame = 0; frame < 4; ++frame) {
        if (!crowd.update(agents).ok() || !follow(touches, crowd).ok()) { return 1; }
        x[1] = frame < 2 ? 0.75f : 5.25f; // to its neighbour, and then to the other one
    }
}
