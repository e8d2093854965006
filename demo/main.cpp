// Plays a crowd, and shows its cost.
#include "command/make_stage.hpp"
#include "command/options.hpp"
#include "command/process.hpp"
#include "command/progress.hpp"
#include "command/recording.hpp"
#include "command/summary.hpp"
#include "structures/structure.hpp"
#if defined(THRONG_DEMO_HAS_VIEW)
#include "view/view.hpp"
#endif

#include <throng/parallel/executors/default_executor.hpp>
#include <throng/parallel/executors/thread_pool.hpp>
#include <throng/simd/isa/isa.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

namespace throng::demo {

namespace {

/// Call it before the first use of the library, which chooses only once.
void choose_isa(const std::string& wanted) {
    if (!wanted.empty()) {
        bool known = false;
        for (auto isa = Isa::scalar; isa <= Isa::neon; isa = static_cast<Isa>(int(isa) + 1)) {
            if (wanted != to_string(isa)) { continue; }
            known = true;
            if (!can_run(isa)) {
                throw std::invalid_argument("--isa cannot be '" + wanted +
                                            "': this machine does not have it");
            }
        }
        if (!known) { throw std::invalid_argument("there is no instruction set '" + wanted + "'"); }
        ::setenv("THRONG_FORCE_ISA", wanted.c_str(), 1);
    }
    if (active_isa() == Isa::none) {
        throw std::invalid_argument(
            wanted.empty() ? to_string(Status{Cause::no_such_isa, Argument::environment})
                           : "--isa cannot be '" + wanted + "': this build does not have it");
    }
}

/// oneTBB if the library has it, else a ThreadPool. 0 threads means all that there are.
std::unique_ptr<Executor> start_threads(std::size_t threads) {
    if (auto executor = make_tbb_executor(threads)) { return executor; }
    try {
        return std::make_unique<ThreadPool>(threads);
    } catch (const std::system_error& error) {
        throw std::runtime_error("--threads " + std::to_string(threads) +
                                 ": that many cannot be started: " + error.code().message());
    }
}

/// Runs without a window.
void run(const Options& options, Executor& executor) {
    catch_signals();
    Recording recording(options, executor);
    const std::unique_ptr<Stage> stage = make_stage(options, executor);
    FrameTimes times;
    Progress progress(options);
    do {
        must(stage->step(times));
        recording.add_frame(*stage, times);
    } while (progress.goes_on(times.frames()));
    progress.finish();
    const auto files = recording.keep(*stage);
    print_summary(*stage, executor, times);
    for (const std::string& file : files) {
        std::printf("wrote              %s\n", file.c_str());
    }
}

void start(const Options& options) {
    if (options.help) {
        std::fputs(usage(), stdout);
        return;
    }
    choose_isa(options.isa);
    const std::unique_ptr<Executor> executor = start_threads(options.threads);
    if (options.view) {
#if defined(THRONG_DEMO_HAS_VIEW)
        const std::unique_ptr<Stage> stage = make_stage(options, *executor);
        show(*stage, options, *executor);
        return;
#else
        throw std::invalid_argument("--view: this demo was built without SDL2 and Dear ImGui "
                                    "(Debian: libsdl2-dev libimgui-dev)");
#endif
    }
    run(options, *executor);
}

/// Prints one line, even if it quotes values with line breaks.
void complain(std::string what) {
    std::replace_if(
        what.begin(), what.end(),
        [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7F'; }, '?');
    std::fprintf(stderr, "throng-demo: %s\n", what.c_str());
}

} // namespace

} // namespace throng::demo

int main(int argc, char** argv) {
    using namespace throng::demo;
    constexpr int kRefused = 2;
    open_standard_streams();
    try {
        start(parse({argv + 1, argv + argc}));
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
            throw std::runtime_error("cannot write to standard output");
        }
        return EXIT_SUCCESS;
    } catch (const std::bad_alloc&) {
        complain("there is not enough memory");
    } catch (const std::exception& error) { complain(error.what()); }
    return kRefused;
}
