#include "gil.hpp"

#include <unistd.h>

namespace throng::python {

namespace {

/// Called from a handler while a stack is unwound by force; leaving the handler would end the
/// process.
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
