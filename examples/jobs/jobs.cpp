// A crowd on a job system of the host's own. It teaches both ways: two callbacks make an executor,
// which runs whole calls; and range calls answer a part of the questions each, in jobs that the
// host cuts. Here oneTBB stands for your job system; if yours is oneTBB, a throng::TbbExecutor
// takes the place of the callbacks.
#include <throng/jobs.hpp>
#include <throng/throng.hpp>

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

void demand(const throng::Status& status) {
    if (status.ok()) { return; }
    std::printf("%s\n", throng::to_string(status).c_str());
    std::exit(1);
}

// Starts jobs 0 ... count - 1, and returns a task to wait for.
void* enqueue(throng::JobFunction job, std::size_t count, void* context, void*) {
    auto* task = new tbb::task_group;
    for (std::size_t i = 0; i < count; ++i) {
        task->run([=] { job(i, i + 1, context); });
    }
    return task;
}

// Waits for the task. Meanwhile oneTBB runs other tasks on this thread.
void finish(void* task, void*) {
    auto* group = static_cast<tbb::task_group*>(task);
    group->wait();
    delete group;
}

// The number of neighbours of each agent, asked in as many jobs as the grid has slices.
std::vector<std::uint32_t> count_in_jobs(const throng::RowGrid<2>& grid, float radius) {
    const std::size_t slices = grid.parts().slices();
    std::vector<std::vector<std::uint32_t>> parts(slices);
    tbb::parallel_for(std::size_t{0}, slices, [&](std::size_t slice) {
        std::vector<std::uint32_t> scratch(throng::GridParts<2>::scratch());
        parts[slice].resize(grid.parts().agents_in(slice, slice + 1));
        demand(grid.parts()
                   .count_neighbours({.radius = radius}, slice, slice + 1, scratch, parts[slice])
                   .status);
    });
    std::vector<std::uint32_t> counts; // in the order of slices, as by one call
    for (const std::vector<std::uint32_t>& part : parts) {
        counts.insert(counts.end(), part.begin(), part.end());
    }
    return counts;
}

int main() {
    std::vector<float> x, y;
    for (int i = 0; i < 100'000; ++i) {
        x.push_back(static_cast<float>(i % 400));
        y.push_back(static_cast<float>(i / 400));
    }
    throng::Agents<2> agents;
    agents.positions = throng::PointView<2>::separate({x.data(), y.data()}, x.size());

    tbb::task_arena arena; // Throng starts no thread: it runs where your jobs run
    throng::CallbackExecutor executor({enqueue, finish, nullptr});
    throng::Crowd<2> crowd;
    throng::Batch<2> batch(executor);
    std::vector<std::uint32_t> whole(x.size()), parts, alone(x.size());
    throng::Found sum;
    arena.execute([&] {
        demand(crowd.update(agents, executor));
        sum = batch.count_neighbours(crowd, {.radius = 2.0f}, whole);
        parts = count_in_jobs(crowd.grid(), 2.0f);
    });
    demand(sum.status);
    throng::Batch<2> serial; // on this thread alone
    demand(serial.count_neighbours(crowd, {.radius = 2.0f}, alone).status);

    // The right number, counted by hand: 12 for each agent, less at the border of the lattice.
    const bool alike = whole == alone && parts == alone;
    std::printf("%zu neighbours, %s\n", sum.count, alike ? "alike in jobs and alone" : "not alike");
    return alike && sum.count == 1'193'504 ? 0 : 1;
}
