// The programs of docs/threads.md, and the first two of docs/hosts/job-systems.md.
#include <throng/jobs.hpp>
#include <throng/throng.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <span>
#include <thread>
#include <vector>

// One frame: all agents move, then all ask.
throng::Status frame(throng::RowGrid<2>& grid, throng::Batch<2>& batch,
                     const throng::Agents<2>& agents, throng::Executor& executor,
                     throng::Hits& near) {
    const throng::Status status = grid.update(agents, executor);
    if (!status.ok()) { return status; }
    return batch.neighbours(grid, {.radius = 2.0f}, near);
}

// A job system as small as can be: two threads a loop. Yours goes here.
void* enqueue(throng::JobFunction job, std::size_t count, void* context, void*) {
    const std::size_t half = count / 2;
    auto* threads = new std::vector<std::thread>;
    threads->emplace_back([=] { job(0, half, context); });
    threads->emplace_back([=] { job(half, count, context); });
    return threads;
}

void finish(void* task, void*) {
    auto* threads = static_cast<std::vector<std::thread>*>(task);
    for (std::thread& thread : *threads) {
        thread.join();
    }
    delete threads;
}

// What one job of the host's answers: questions begin ... end - 1.
struct Job {
    std::size_t begin, end;
    std::vector<std::uint32_t> scratch; // its own: no other job may use it meanwhile
    std::vector<std::uint64_t> offsets;
    std::vector<throng::Id> ids; // question q has those from offsets[q - begin] on

    throng::Status run(const throng::RowGrid<2>& grid, std::span<const throng::Ball<2>> balls) {
        scratch.resize(throng::GridParts<2>::scratch());
        offsets.resize(end - begin + 1);
        for (;;) {
            const throng::Found found =
                grid.parts().query(balls, begin, end, scratch, {offsets, ids});
            if (!found.status.ok() || found.count <= ids.size()) { return found.status; }
            ids.resize(found.count + found.count / 4); // too short: once more
        }
    }
};

// An update by jobs of the host's. run_all(n, job) runs job(0) ... job(n - 1) on any threads, and
// returns when all have ended.
template <class RunAll>
throng::Status update_in_jobs(throng::CrowdChange<2>& change, throng::Crowd<2>& crowd,
                              const throng::Agents<2>& agents, std::size_t threads,
                              const RunAll& run_all) {
    throng::Status status = change.update(crowd, agents, threads);
    while (status.ok() && change.blocks() != 0) {
        run_all(change.blocks(), [&](std::size_t block) { change.run(block, block + 1); });
        status = change.next(); // blocks of the next loop; none: the crowd has all agents
    }
    return status;
}

int main() {
    std::vector<float> x(10'000), y(10'000);
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = static_cast<float>(i % 100);
        y[i] = static_cast<float>(i / 100);
    }
    throng::Agents<2> agents;
    agents.positions = throng::PointView<2>::separate({x.data(), y.data()}, x.size());

    throng::CallbackExecutor executor({enqueue, finish, nullptr});
    throng::RowGrid<2> grid;
    throng::Batch<2> batch(executor);
    throng::Hits near;
    if (!frame(grid, batch, agents, executor, near).ok()) { return 1; }
    std::printf("%zu neighbours\n", static_cast<std::size_t>(near.total()));

    const std::vector<throng::Ball<2>> balls(1'000, {{50.0f, 50.0f}, 1.0f});
    std::vector<Job> jobs;
    for (std::size_t begin = 0; begin < balls.size(); begin += 256) {
        jobs.push_back({begin, std::min(begin + 256, balls.size()), {}, {}, {}});
    }
    std::vector<std::thread> threads;
    for (Job& job : jobs) {
        threads.emplace_back([&] { (void)job.run(grid, balls); });
    }
    std::size_t hits = 0;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        threads[j].join();
        hits += static_cast<std::size_t>(jobs[j].offsets.back());
    }
    std::printf("%zu hits\n", hits);

    throng::Crowd<2> crowd;
    throng::CrowdChange<2> change;
    const auto run_all = [](std::size_t count, const auto& run) {
        std::vector<std::thread> helpers;
        for (std::size_t j = 0; j < count; ++j) {
            helpers.emplace_back(run, j);
        }
        for (std::thread& helper : helpers) {
            helper.join();
        }
    };
    if (!update_in_jobs(change, crowd, agents, 2, run_all).ok()) { return 1; }
    std::printf("%zu agents\n", crowd.size());
}
