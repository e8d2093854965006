// A host without exceptions and without type information, with memory and threads of its own.
#include <throng/engine/memory/capped_memory.hpp>
#include <throng/jobs.hpp>
#include <throng/throng.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

class Arena final : public throng::MemorySource {
public:
    explicit Arena(std::size_t room) : room_(room) {}
    [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) noexcept override {
        if (bytes > room_ - used_) { return nullptr; }
        used_ += bytes;
        return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    }
    void deallocate(void* memory, std::size_t bytes, std::size_t) noexcept override {
        used_ -= bytes;
        std::free(memory);
    }

private:
    const std::size_t room_;
    std::size_t used_ = 0;
};

class Backwards final : public throng::Executor {
public:
    void run(std::size_t blocks, Body body) override {
        while (blocks-- > 0) {
            body(blocks);
        }
    }
};

int main() {
    std::vector<float> x(10'000), y(10'000);
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = static_cast<float>(i % 100);
        y[i] = static_cast<float>(i / 100);
    }
    throng::Agents<2> agents;
    agents.positions = throng::PointView<2>::separate({x.data(), y.data()}, x.size());

    Arena small(1'000), large(100'000'000);
    throng::CrowdSettings<2> settings;
    settings.memory = &small;
    throng::Crowd<2> crowd;
    const bool refused = crowd.configure(settings).cause == throng::Cause::over_memory ||
                         crowd.update(agents).cause == throng::Cause::over_memory;
    throng::CappedMemory cap(1'000);
    throng::RowGrid<2> grid;
    const bool capped = throng::capped(&cap, [&] { return grid.update(agents); }).cause ==
                        throng::Cause::over_memory;

    settings.memory = &large;
    Backwards executor;
    throng::ThreadPool pool(2);
    throng::Batch<2> batch(pool);
    throng::Hits hits;
    if (!crowd.configure(settings).ok() || !crowd.update(agents, executor).ok() ||
        !batch.neighbours(crowd, {.radius = 2.0f}, hits).ok()) {
        return 1;
    }
    std::size_t visited = 0;
    const throng::Found found = crowd.visit(throng::Box<2>{{10.0f, 10.0f}, {12.0f, 12.0f}},
                                            [&](std::span<const throng::Id> ids) {
                                                visited += ids.size();
                                                return true;
                                            });
    std::printf("%llu near, %zu in the box, refused: %d %d\n",
                static_cast<unsigned long long>(hits.total()), visited, refused, capped);
    return hits.total() == 118'004 && found.count == 9 && visited == 9 && refused && capped ? 0 : 1;
}
