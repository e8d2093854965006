#include "gil.hpp"

#include <unistd.h>

namespace throng::python {

namespace {

/// Called where a stack is being unwound by force, which ends the process if the handler is left.
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
