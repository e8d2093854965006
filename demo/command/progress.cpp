#include "progress.hpp"

#include "process.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace throng::demo {

Progress::Progress(const Options& options)
    : options_(options), terminal_(isatty(STDOUT_FILENO) != 0) {}

Progress::~Progress() {
    if (drawn_ && terminal_) {
        std::fputs("\n", stdout);
        (void)std::fflush(stdout);
    }
}

bool Progress::goes_on(std::size_t frames) {
    const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    double share = 0.0;
    if (options_.frames != 0) {
        share = static_cast<double>(frames) / static_cast<double>(options_.frames);
    }
    if (options_.seconds != 0.0) { share = std::max(share, seconds / options_.seconds); }
    const bool ends = share >= 1.0 || interrupted();
    if (!options_.quiet) {
        // Prints ten times a second on a terminal, otherwise four times in all.
        const double now = terminal_ ? seconds : share;
        if (now >= next_ || ends) {
            show(frames, seconds, std::min(share, 1.0));
            next_ = now + (terminal_ ? 0.1 : 0.25);
        }
    }
    return !ends;
}

void Progress::show(std::size_t frames, double seconds, double share) {
    constexpr std::size_t kWidth = 30;
    const auto full = static_cast<std::size_t>(share * static_cast<double>(kWidth));
    const std::string bar = std::string(full, '#') + std::string(kWidth - full, '.');
    const double since = seconds - seconds_then_;
    const double rate = since > 0.0 ? static_cast<double>(frames - frames_then_) / since : 0.0;
    std::printf("%s[%s] %3.0f %%  frame %zu, %.1f a second%s", terminal_ ? "\r" : "", bar.c_str(),
                share * 100.0, frames, rate, terminal_ ? "   " : "\n");
    (void)std::fflush(stdout);
    frames_then_ = frames;
    seconds_then_ = seconds;
    drawn_ = true;
}

void Progress::finish() {
    if (drawn_) { std::fputs(terminal_ ? "\n\n" : "\n", stdout); }
    drawn_ = false;
}

} // namespace throng::demo
