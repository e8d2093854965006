// Any number of threads ask a crowd, or one changes it; the others wait.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace throng::python {

/// Entered, and left, with the GIL held, which is given up while there is something to wait for:
/// who is inside may need it to get out. Whoever wants to change comes before those who want to ask
/// and came later, so that no stream of questions keeps him out.
///
/// A thread that is inside already, in a signal handler that interrupted its call, would wait for
/// itself: that raises RuntimeError. While it waits, Ctrl-C raises KeyboardInterrupt.
class Turnstile {
public:
    enum class As { reader, writer };

    class Inside {
    public:
        Inside(Turnstile& turnstile, As as) : turnstile_(turnstile) { turnstile.enter(as); }
        Inside(const Inside&) = delete;
        Inside& operator=(const Inside&) = delete;
        ~Inside() { turnstile_.leave(); }

    private:
        Turnstile& turnstile_;
    };

private:
    void enter(As as);
    void leave() noexcept;
    bool try_enter(As as);
    void wait(As as);

    std::mutex mutex_; // held for moments, and never while anybody waits for the GIL
    std::condition_variable freed_;
    std::vector<std::thread::id> inside_;
    bool writing_ = false;
    int waiting_writers_ = 0;
};

} // namespace throng::python
