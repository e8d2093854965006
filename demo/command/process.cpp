#include "process.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>

namespace throng::demo {

namespace {

volatile std::sig_atomic_t signalled = 0;

void note(int) { signalled = 1; }

} // namespace

void open_standard_streams() {
    // open() returns the lowest free number, so this fills all three in order.
    int stream = 0;
    do {
        stream = ::open("/dev/null", O_RDWR);
    } while (stream >= 0 && stream <= STDERR_FILENO);
    if (stream >= 0) { ::close(stream); }
}

void catch_signals() {
    (void)std::signal(SIGINT, note);
    (void)std::signal(SIGTERM, note);
    // nohup(1) ignores SIGHUP, and that must stay so.
    if (std::signal(SIGHUP, note) == SIG_IGN) { (void)std::signal(SIGHUP, SIG_IGN); }
    (void)std::signal(SIGPIPE, SIG_IGN);
    (void)std::signal(SIGXFSZ, SIG_IGN);
}

bool interrupted() noexcept { return signalled != 0; }

} // namespace throng::demo
