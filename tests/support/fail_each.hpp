// Calls in which each allocation fails in turn.
#pragma once

#include "allocation_counter.hpp"

#include <throng/engine/core/status.hpp>
#include <throng/engine/frozen/frozen.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <new>
#include <vector>

namespace throng::test {

/// Whether a call must fail when it gets no memory.
enum class Memory : bool {
    needed,
    useful, ///< the call can do without it
};

/// Whether two results are the same up to the order of their elements, if the type can tell.
template <class Said>
bool same_in_any_order(const Said& a, const Said& b) {
    if constexpr (requires { a.sorted(); }) {
        return a.sorted() == b.sorted();
    } else {
        return a == b;
    }
}

/// Expects some allocation to have failed at its end: a test whose calls need no memory proves
/// nothing.
class AllocationsFail {
public:
    AllocationsFail() { count = 0; }
    AllocationsFail(const AllocationsFail&) = delete;
    AllocationsFail& operator=(const AllocationsFail&) = delete;
    ~AllocationsFail() {
        if (!testing::Test::IsSkipped()) { EXPECT_GT(count, 0u) << "nothing was allocated"; }
    }

    inline static std::size_t count = 0; ///< number of failed allocations
};

/// The bytes that save() writes, if the subject can be saved, or holds what can: they show more of
/// its state than answers.
template <class Subject>
std::vector<std::byte> saved(const Subject& subject) {
    std::vector<std::byte> bytes;
    if constexpr (Freezable<Subject>) {
        EXPECT_EQ(save(subject, bytes), Status{});
    } else if constexpr (requires { subject.saved(); }) {
        bytes = subject.saved();
    }
    return bytes;
}

/// Calls call(subject) on a subject from make(). The first allocation fails, then the second, and
/// so on until none fails; in a second pass all later allocations fail as well. Whenever the call
/// throws std::bad_alloc or returns Cause::over_memory, three things must hold: say(subject) and
/// saved(subject) are unchanged; the same call then succeeds as usual; and once the subject is
/// destroyed, no block of memory is left.
template <class Make, class Call, class Say>
void fail_each_allocation(const Make& make, const Call& call, const Say& say,
                          Memory memory = Memory::needed) {
    auto whole = make();
    const auto before = say(whole);
    const auto saved_before = saved(whole);
    ASSERT_EQ(call(whole), Status{});
    const auto after = say(whole);
    const auto saved_after = saved(whole);
    const auto fail_one = [&](std::size_t successes, bool forever, bool& failed) {
        auto subject = make();
        bool refused = false;
        {
            const FailingAllocations failing(successes, forever);
            Status status;
            try {
                status = call(subject);
                refused = status.cause == Cause::over_memory;
            } catch (const std::bad_alloc&) { refused = true; }
            failed = failing.failed();
            if (!refused) { ASSERT_EQ(status, Status{}); }
        }
        if (memory == Memory::needed || !failed) {
            ASSERT_EQ(refused, failed) << "a failure is neither swallowed nor made up";
        }
        if (!refused) {
            ASSERT_TRUE(same_in_any_order(say(subject), after));
            return;
        }
        ASSERT_TRUE(say(subject) == before) << "a failed call has changed something";
        ASSERT_TRUE(saved(subject) == saved_before) << "a failed call has changed what is saved";
        ASSERT_EQ(call(subject), Status{}) << "nothing is broken for good";
        ASSERT_TRUE(say(subject) == after);
        ASSERT_TRUE(saved(subject) == saved_after);
    };
    for (const bool forever : {false, true}) {
        bool failed = true;
        std::size_t n = 0;
        for (; failed; ++n) {
            SCOPED_TRACE(testing::Message() << "allocation " << n << (forever ? " and on" : ""));
            ASSERT_LT(n, 3000u);
            const std::size_t live = live_blocks();
            fail_one(n, forever, failed);
            if (testing::Test::HasFatalFailure()) { return; }
            ASSERT_EQ(live_blocks(), live) << "memory has leaked";
        }
        AllocationsFail::count += n - 1;
    }
}

} // namespace throng::test
