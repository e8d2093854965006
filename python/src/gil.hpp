// The GIL, given up and taken back by threads that may find the interpreter gone.
#pragma once

#include <pybind11/pybind11.h>

namespace throng::python {

/// Without the GIL while this lives.
///
/// Python ends a thread that wants the GIL back when the process is about to exit, and unwinds its
/// stack, which no destructor may let through: the process would abort. Such a thread, which can
/// only be a daemon, sleeps here instead until the process is gone, as it does from Python 3.14 on.
class WithoutGil {
public:
    WithoutGil() noexcept : state_(PyEval_SaveThread()) {}
    WithoutGil(const WithoutGil&) = delete;
    WithoutGil& operator=(const WithoutGil&) = delete;
    ~WithoutGil();

private:
    PyThreadState* state_;
};

/// With it, for a moment, on a thread that is without.
class WithGil {
public:
    WithGil() noexcept;
    WithGil(const WithGil&) = delete;
    WithGil& operator=(const WithGil&) = delete;
    ~WithGil() { PyGILState_Release(state_); }

private:
    PyGILState_STATE state_;
};

} // namespace throng::python
