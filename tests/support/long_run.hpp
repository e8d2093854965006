// How long tests run, by the environment.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace throng::test {

[[nodiscard]] inline bool is_set(const char* variable) noexcept {
    const char* const set = std::getenv(variable);
    return set != nullptr && std::strcmp(set, "") != 0 && std::strcmp(set, "0") != 0;
}

/// Whether random tests may take an hour: THRONG_LONG=1.
[[nodiscard]] inline bool long_run() noexcept { return is_set("THRONG_LONG"); }

/// Whether crowds that are slow only by their size have their full size: THRONG_LARGE=1, as
/// scripts/test --all sets. Otherwise they have a tenth of it, which mostly shows the same
/// failures.
[[nodiscard]] inline bool large_run() noexcept { return is_set("THRONG_LARGE") || long_run(); }

/// The seeds that random tests take: those before `usual`, or what THRONG_SEEDS says,
/// `<first>:<end>` or only `<n>`. Ends the program if it says something else.
struct Seeds {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
};
[[nodiscard]] inline Seeds seeds_to_take(std::uint64_t usual) {
    const char* const set = std::getenv("THRONG_SEEDS");
    if (set == nullptr || *set == '\0') { return {0, usual}; }
    Seeds seeds;
    char* end = nullptr;
    seeds.first = std::strtoull(set, &end, 10);
    seeds.end = *end == ':' ? std::strtoull(end + 1, &end, 10) : seeds.first + 1;
    if (*end != '\0' || seeds.end <= seeds.first) {
        std::fprintf(stderr, "THRONG_SEEDS is %s, but must be <first>:<end> or <n>\n", set);
        std::exit(2);
    }
    return seeds;
}

/// Whether tests run in an emulator, or under a sanitizer with many threads: some ten times slower.
[[nodiscard]] inline bool emulated() noexcept {
    return std::getenv("THRONG_TEST_EMULATED") != nullptr;
}

/// The sizes from first to last that a test tries: all of them, or only some, of which the last is
/// one, where THRONG_TEST_SIZE_STEP says how far they are apart. With 7, four sizes in a row have
/// every remainder for four lanes.
template <class Size>
[[nodiscard]] std::vector<Size> sizes(Size first, Size last) {
    const char* const set = std::getenv("THRONG_TEST_SIZE_STEP");
    const int step = set == nullptr ? 1 : std::atoi(set);
    if (step < 1) {
        std::fprintf(stderr, "THRONG_TEST_SIZE_STEP is %s, but must be a number from 1\n", set);
        std::exit(2);
    }
    std::vector<Size> some;
    for (Size size = first; size < last; size += static_cast<Size>(step)) {
        some.push_back(size);
    }
    some.push_back(last);
    return some;
}

} // namespace throng::test
