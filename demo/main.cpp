// A bouncing crowd: what the engine is for, and what it takes.
#include "crowd.hpp"
#include "frame_times.hpp"
#include "options.hpp"
#include "picture.hpp"
#include "threads.hpp"

#include <throng/simd/isa.hpp>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <utility>

namespace throng::demo {

namespace {

void must(const Status& status) {
    if (!status.ok()) { throw std::runtime_error(to_string(status)); }
}

/// A line that is written over on a terminal, and a few lines elsewhere.
class Progress {
public:
    explicit Progress(double seconds) noexcept : seconds_(seconds) {}

    void show(double now, const FrameTimes& times) {
        if (now < next_) { return; }
        std::printf("%s%5.1f s  frame %zu  %.2f ms", terminal_ ? "\r" : "", now, times.frames(),
                    times.quantile(frame, 0.5));
        std::fputs(terminal_ ? "  " : "\n", stdout);
        std::fflush(stdout);
        next_ = now + (terminal_ ? 0.1 : seconds_ / 4.0);
    }
    void finish() const { std::fputs(terminal_ ? "\n\n" : "\n", stdout); }

private:
    double seconds_, next_ = 0.0;
    bool terminal_ = isatty(STDOUT_FILENO) != 0;
};

template <std::size_t Dim>
void report(const Options& options, const Crowd<Dim>& crowd, const FrameTimes& times, double hits) {
    const auto agents = static_cast<double>(crowd.size());
    const MemoryUse memory = crowd.grid().memory();
    std::printf("instruction set    %s\n", to_string(active_isa()));
    std::printf("agents             %zu, %zud, %s, on %d thread%s\n", crowd.size(), Dim,
                options.clustered ? "clustered" : "uniform", options.threads,
                options.threads == 1 ? "" : "s");
    std::printf("frames             %zu\n\n", times.frames());
    std::printf("milliseconds         median       99 %%\n");
    for (const Part part : {move, update, ask, steer, frame}) {
        std::printf("  %-15s %10.3f %10.3f\n", kPartNames[part], times.quantile(part, 0.5),
                    times.quantile(part, 0.99));
    }
    std::printf("\nhits per agent     %.2f\n", hits / agents / static_cast<double>(times.frames()));
    std::printf("bytes per agent    %.1f to answer, %.1f of scratch\n",
                static_cast<double>(memory.index()) / agents,
                static_cast<double>(memory.staging) / agents);
    std::printf("agents per second  %.1f million\n", agents / times.quantile(frame, 0.5) / 1000.0);
}

template <std::size_t Dim>
void run(const Options& options, Executor& executor) {
    Crowd<Dim> crowd(options.clustered ? scenes::make_clustered<Dim>(options.agents)
                                       : scenes::make_uniform<Dim>(options.agents));
    FrameTimes times;
    Progress progress(options.seconds);
    double hits = 0.0;
    double now = 0.0;
    const auto start = FrameTimes::Clock::now();
    do {
        times.begin();
        crowd.move(executor);
        times.ended(move);
        must(crowd.update(executor));
        times.ended(update);
        must(crowd.ask(executor));
        times.ended(ask);
        crowd.steer(executor);
        times.ended(steer);
        times.ended(frame);
        hits += static_cast<double>(crowd.hits());
        now = std::chrono::duration<double>(FrameTimes::Clock::now() - start).count();
        progress.show(now, times);
    } while (now < options.seconds);
    progress.finish();
    report(options, crowd, times, hits);
    if (!options.image.empty()) { draw(crowd).write(options.image); }
}

} // namespace

} // namespace throng::demo

int main(int argc, char** argv) {
    using namespace throng::demo;
    try {
        const Options options = parse({argv + 1, argv + argc});
        if (options.help) {
            std::fputs(usage(), stdout);
            return EXIT_SUCCESS;
        }
        with_threads(options.threads, [&](throng::Executor& executor) {
            options.dim == 2 ? run<2>(options, executor) : run<3>(options, executor);
        });
    } catch (const std::exception& error) {
        std::fprintf(stderr, "throng_demo: %s\n", error.what());
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
