#include "turnstile.hpp"

#include "gil.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include <pybind11/pybind11.h>

namespace throng::python {

namespace py = pybind11;

namespace {

/// The longest time before Ctrl-C is noticed.
constexpr std::chrono::milliseconds kPatience{50};

} // namespace

bool Turnstile::try_enter(As as) {
    const bool free = as == As::writer ? inside_.empty() : !writing_ && waiting_writers_ == 0;
    if (!free) { return false; }
    inside_.push_back(std::this_thread::get_id());
    writing_ = as == As::writer;
    return true;
}

void Turnstile::enter(As as) {
    {
        const std::lock_guard lock(mutex_);
        if (std::find(inside_.begin(), inside_.end(), std::this_thread::get_id()) !=
            inside_.end()) {
            throw std::runtime_error(
                "this thread's own call to the crowd has not ended, and would wait for itself");
        }
        if (try_enter(as)) { return; }
        if (as == As::writer) { ++waiting_writers_; }
    }
    wait(as);
}

void Turnstile::wait(As as) {
    bool entered = false;
    bool interrupted = false;
    while (!entered && !interrupted) {
        {
            const WithoutGil without_gil;
            std::unique_lock lock(mutex_);
            entered = freed_.wait_for(lock, kPatience, [&] { return try_enter(as); });
        }
        interrupted = !entered && PyErr_CheckSignals() != 0;
    }
    if (as == As::writer) {
        {
            const std::lock_guard lock(mutex_);
            --waiting_writers_;
        }
        freed_.notify_all();
    }
    if (interrupted) { throw py::error_already_set(); }
}

void Turnstile::leave() noexcept {
    {
        const std::lock_guard lock(mutex_);
        inside_.erase(std::find(inside_.begin(), inside_.end(), std::this_thread::get_id()));
        writing_ = false;
    }
    freed_.notify_all();
}

} // namespace throng::python
