#include "assert.hpp"

#include <atomic>
#include <cstdio>

namespace throng {

namespace {

bool print_and_break(const char* expression, const char* file, int line) {
    (void)std::fprintf(stderr, "%s:%d: THRONG_ASSERT(%s) failed\n", file, line, expression);
    return true;
}

std::atomic<AssertHandler> g_handler{print_and_break};

} // namespace

AssertHandler set_assert_handler(AssertHandler handler) noexcept {
    return g_handler.exchange(handler == nullptr ? print_and_break : handler);
}

bool detail::assert_failed(const char* expression, const char* file, int line) {
    return g_handler.load()(expression, file, line);
}

} // namespace throng
