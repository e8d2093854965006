// Lets either any number of threads ask a crowd, or one thread change it, while others wait.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace throng::python {

/// Enter and leave it with the GIL held. A thread that has to wait releases the GIL, since threads
/// inside may need it to leave. A waiting writer goes before readers that came later, so that a
/// stream of questions cannot keep it out.
///
/// A thread that is already inside, in a signal handler that interrupted its call, would wait for
/// itself, so it gets RuntimeError. While a thread waits, Ctrl-C raises KeyboardInterrupt.
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

    std::mutex mutex_; // held briefly, and never while its holder waits for the GIL
    std::condition_variable freed_;
    std::vector<std::thread::id> inside_;
    bool writing_ = false;
    int waiting_writers_ = 0;
};

} // namespace throng::python
