// Plays a crowd, and shows what it takes.
#include "make_stage.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "recording.hpp"
#include "structure.hpp"
#include "summary.hpp"
#if defined(THRONG_DEMO_HAS_VIEW)
#include "view.hpp"
#endif

#include <throng/parallel/thread_pool.hpp>
#include <throng/simd/isa.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

namespace throng::demo {

namespace {

/// Before the library is asked for anything, since it chooses once.
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
        throw std::invalid_argument("THRONG_FORCE_ISA names a set that this machine does not have");
    }
}

/// Without a window.
void run(const Options& options, Executor& executor) {
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
    print_summary(options, *stage, times);
    for (const std::string& file : files) {
        std::printf("wrote              %s\n", file.c_str());
    }
}

int start(const Options& options) {
    if (options.help) {
        std::fputs(usage(), stdout);
        return EXIT_SUCCESS;
    }
    choose_isa(options.isa);
    ThreadPool pool(options.threads);
    if (options.view) {
#if defined(THRONG_DEMO_HAS_VIEW)
        const std::unique_ptr<Stage> stage = make_stage(options, pool);
        show(*stage, options, pool);
        return EXIT_SUCCESS;
#else
        throw std::invalid_argument("--view: this demo was built without SDL2 and Dear ImGui");
#endif
    }
    run(options, pool);
    return EXIT_SUCCESS;
}

} // namespace

} // namespace throng::demo

int main(int argc, char** argv) {
    constexpr int kRefused = 2;
    try {
        return throng::demo::start(throng::demo::parse({argv + 1, argv + argc}));
    } catch (const std::bad_alloc&) {
        std::fputs("throng-demo: there is not enough memory for so many agents\n", stderr);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "throng-demo: %s\n", error.what());
    }
    return kRefused;
}
