#include "gil.hpp"

#include <unistd.h>

namespace throng::python {

namespace {

/// Called in a handler during forced unwinding of the stack, where leaving the handler would end
/// the process.
[[noreturn]] void sleep_for_ever() noexcept {
    for (;;) {
        pause();
    }
}

} // namespace

WithoutGil::~WithoutGil() {
    try {
        PyEval_RestoreThread(state_);
    } catch (...) { sleep_for_ever(); }
}

WithGil::WithGil() noexcept {
    try {
        state_ = PyGILState_Ensure();
    } catch (...) { sleep_for_ever(); }
}

} // namespace throng::python
