// Releases and takes the GIL, also on threads that outlive the interpreter.
#pragma once

#include <pybind11/pybind11.h>

namespace throng::python {

/// Releases the GIL while an object lives.
///
/// At exit, Python ends a thread that wants the GIL back by unwinding its stack. No destructor may
/// let that pass, so the process would abort. Such a thread, which can only be a daemon, sleeps
/// here until the process ends, as it does from Python 3.14 on.
class WithoutGil {
public:
    WithoutGil() noexcept : state_(PyEval_SaveThread()) {}
    WithoutGil(const WithoutGil&) = delete;
    WithoutGil& operator=(const WithoutGil&) = delete;
    ~WithoutGil();

private:
    PyThreadState* state_;
};

/// Holds the GIL while an object lives, on a thread that does not have it.
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
