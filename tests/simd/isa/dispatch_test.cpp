// Which instruction set is chosen.
#include "../../../simd/isa/dispatch.hpp"
#include "../../support/system/environment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace throng {
namespace {

template <class... Archs>
std::vector<Isa> isas_of(simd::ArchList<Archs...>) {
    return {simd::kIsaOf<Archs>...};
}
/// The compiled sets, the best one first.
const std::vector<Isa> kCompiled = isas_of(simd::CompiledArchs{});
bool is_compiled(Isa isa) { return std::ranges::count(kCompiled, isa) == 1; }

#if defined(__x86_64__)
TEST(Dispatch, SeesOfAProcessorWhatTheCompilersLibrarySees) {
    __builtin_cpu_init();
    const bool sse42 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
    const bool avx2 = sse42 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                      __builtin_cpu_supports("bmi2");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    EXPECT_EQ(can_run(Isa::sse42), sse42);
    EXPECT_EQ(can_run(Isa::avx2), avx2);
    EXPECT_EQ(can_run(Isa::avx512), avx512);
}
#endif

TEST(Dispatch, RunsTheActiveSet) {
    EXPECT_EQ(simd::dispatch([](auto arch) { return simd::kIsaOf<decltype(arch)>; }), active_isa());
}

TEST(Dispatch, TheActiveSetIsTheForcedOne) {
    const char* const forced = std::getenv("THRONG_FORCE_ISA");
    if (forced != nullptr && *forced != '\0') { EXPECT_STREQ(to_string(active_isa()), forced); }
    EXPECT_TRUE(is_compiled(active_isa()));
    EXPECT_TRUE(std::ranges::is_sorted(kCompiled, std::ranges::greater{}));
}

/// Sets an environment variable, or removes it for null, and restores it at the end.
class Environment {
public:
    explicit Environment(const char* forced) {
        const char* const old = std::getenv(kName);
        was_set_ = old != nullptr;
        if (was_set_) { old_ = old; }
        set(forced);
    }
    ~Environment() { set(was_set_ ? old_.c_str() : nullptr); }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

private:
    static constexpr const char* kName = "THRONG_FORCE_ISA";
    static void set(const char* value) { test::set_environment(kName, value); }
    bool was_set_ = false;
    std::string old_;
};

TEST(Dispatch, TheChoiceIsMadeOnce) {
    const Isa before = active_isa();
    const Environment other(before == kCompiled.back() ? "none" : to_string(kCompiled.back()));
    EXPECT_EQ(active_isa(), before);
}

/// Whether this machine has the instruction set, by what the operating system reports.
bool has(Isa isa) {
#if defined(__x86_64__)
    if (isa == Isa::sse42) { return __builtin_cpu_supports("sse4.2"); }
    if (isa == Isa::avx2) { return __builtin_cpu_supports("avx2"); }
    if (isa == Isa::avx512) { return __builtin_cpu_supports("avx512bw"); }
#endif
    return is_compiled(isa);
}

/// A process chooses only once, so each test needs a new process: GoogleTest starts this executable
/// again, and its main() exits with 77 if the forced set is not available.
void expect_active(const char* forced, const char* active) {
    // A process that an emulated test starts is not emulated.
    if (std::getenv("THRONG_TEST_EMULATED") != nullptr) { GTEST_SKIP(); }
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const Environment environment(forced);
    const auto say = [] {
        std::fprintf(stderr, "active: %s.\n", to_string(active_isa()));
        std::exit(0);
    };
    if (active == nullptr) {
        EXPECT_EXIT(say(), testing::ExitedWithCode(77), "") << forced;
    } else {
        EXPECT_EXIT(say(), testing::ExitedWithCode(0), std::string("active: ") + active + "\\.");
    }
}

TEST(DispatchDeathTest, EachSetCanBeForced) {
    for (const Isa isa :
         {Isa::scalar, Isa::sse2, Isa::sse42, Isa::avx2, Isa::avx512, Isa::neon, Isa::wasm}) {
        expect_active(to_string(isa), is_compiled(isa) && has(isa) ? to_string(isa) : nullptr);
    }
}

TEST(DispatchDeathTest, NoOtherNameIsUnderstood) {
    for (const char* const name : {"avx", "AVX2", "sse4", "none", " scalar", "scalar,sse2"}) {
        expect_active(name, nullptr);
    }
}

TEST(DispatchDeathTest, TheBestIsTakenWhereNoneIsForced) {
    Isa best = Isa::none;
    for (const Isa isa : kCompiled) {
        if (has(isa)) { best = std::max(best, isa); }
    }
    expect_active(nullptr, to_string(best));
    expect_active("", to_string(best));
}

TEST(Isa, NamesAreAllDifferent) {
    std::set<std::string> names;
    for (const Isa isa : {Isa::none, Isa::scalar, Isa::sse2, Isa::sse42, Isa::avx2, Isa::avx512,
                          Isa::neon, Isa::wasm}) {
        names.insert(to_string(isa));
    }
    EXPECT_EQ(names.size(), 8u);
    EXPECT_STREQ(to_string(static_cast<Isa>(250)), "none");
}

} // namespace
} // namespace throng
