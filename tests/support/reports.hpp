// Collects what the library's assertions report.
#pragma once

#include <throng/engine/core/assert.hpp>

#include <cstddef>
#include <mutex>
#include <string>

namespace throng::test {

/// While such an object lives, failed assertions are noted, and calls go on. Only one may live at a
/// time.
class Reports {
public:
    Reports() {
        clear();
        before_ = set_assert_handler(note);
    }
    Reports(const Reports&) = delete;
    Reports& operator=(const Reports&) = delete;
    ~Reports() { (void)set_assert_handler(before_); }

    [[nodiscard]] std::size_t count() const {
        const std::lock_guard lock(noted().mutex);
        return noted().count;
    }
    /// The last report; empty if there is none.
    [[nodiscard]] std::string last() const {
        const std::lock_guard lock(noted().mutex);
        return noted().last;
    }
    void clear() {
        const std::lock_guard lock(noted().mutex);
        noted().count = 0;
        noted().last.clear();
    }

private:
    struct Noted {
        std::mutex mutex;
        std::size_t count = 0;
        std::string last;
    };
    static Noted& noted() {
        static Noted all;
        return all;
    }
    static bool note(const char* expression, const char*, int) {
        const std::lock_guard lock(noted().mutex);
        ++noted().count;
        noted().last = expression;
        return false;
    }

    AssertHandler before_ = nullptr;
};

} // namespace throng::test
