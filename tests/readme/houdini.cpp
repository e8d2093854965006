// The program of docs/hosts/houdini.md, with a stand-in for Houdini's input.
#include <throng/throng.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

// Asks a node's questions about its points, and keeps the reason of a refusal. Uses throng.h alone,
// so Houdini and Throng may be built with different C++ libraries.
class NodeCrowd {
public:
    // Positions as x, y, z of one point after another, in the order of their indices.
    bool update(const std::vector<float>& xyz) {
        throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
        settings.dimension = 3;
        throng_crowd* crowd = nullptr;
        if (!ok(throng_check_abi(THRONG_ABI)) || !ok(throng_crowd_create(&settings, &crowd))) {
            return false;
        }
        crowd_.reset(crowd);
        throng_batch* batch = nullptr;
        if (!ok(throng_batch_create(nullptr, &batch))) { return false; } // on all processors
        batch_.reset(batch);
        throng_agents agents = THRONG_AGENTS_INIT;
        agents.dimension = 3;
        agents.count = xyz.size() / 3;
        for (unsigned axis = 0; axis < 3 && !xyz.empty(); ++axis) {
            agents.position[axis] = xyz.data() + axis;
            agents.position_stride[axis] = 3 * sizeof(float);
        }
        return ok(throng_crowd_update(crowd_.get(), &agents, nullptr));
    }

    // How many others each point has within a radius.
    bool count(float radius, std::vector<std::uint32_t>& counts) {
        throng_neighbourhood question = THRONG_NEIGHBOURHOOD_INIT;
        question.radius = radius;
        question.order = THRONG_ORDER_IDS;
        counts.resize(throng_answers_bound(crowd_.get(), THRONG_ORDER_IDS));
        return ok(throng_count_neighbours(batch_.get(), crowd_.get(), &question, counts.data(),
                                          counts.size(), nullptr));
    }

    // For addError(SOP_MESSAGE, ...): "positions[17] is NaN or infinite".
    [[nodiscard]] const std::string& refusal() const { return refusal_; }

private:
    bool ok(const throng_status& status) {
        char text[256];
        throng_status_text(status, text, sizeof(text));
        if (status.code != THRONG_OK) { refusal_ = text; }
        return status.code == THRONG_OK;
    }

    struct Destroy {
        void operator()(throng_crowd* crowd) const { throng_crowd_destroy(crowd); }
        void operator()(throng_batch* batch) const { throng_batch_destroy(batch); }
    };
    std::unique_ptr<throng_crowd, Destroy> crowd_;
    std::unique_ptr<throng_batch, Destroy> batch_;
    std::string refusal_;
};

int main() {
    std::vector<float> xyz;
    for (int i = 0; i < 30'000; ++i) {
        for (const int x : {i % 100, i / 100 % 100, i / 10'000}) {
            xyz.push_back(static_cast<float>(x));
        }
    }
    NodeCrowd crowd;
    std::vector<std::uint32_t> counts;
    if (!crowd.update(xyz) || !crowd.count(1.0f, counts)) { return 1; }
    std::uint64_t total = 0;
    for (const std::uint32_t count : counts) {
        total += count;
    }
    std::printf("%zu points, %llu neighbours\n", counts.size(),
                static_cast<unsigned long long>(total));
    const bool taken = crowd.count(-1.0f, counts);
    std::printf("%s\n", crowd.refusal().c_str());
    return taken ? 1 : 0;
}
