// How long random tests run, as set by the environment.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace throng::test {

/// Whether they may take an hour: THRONG_LONG=1.
[[nodiscard]] inline bool long_run() noexcept {
    const char* const set = std::getenv("THRONG_LONG");
    return set != nullptr && std::strcmp(set, "") != 0 && std::strcmp(set, "0") != 0;
}

/// The one seed to be tried, THRONG_SEED=<n>; if it is not set, as many as usual.
[[nodiscard]] inline std::optional<std::uint64_t> only_seed() noexcept {
    const char* const seed = std::getenv("THRONG_SEED");
    if (seed == nullptr || *seed == '\0') { return std::nullopt; }
    return std::strtoull(seed, nullptr, 0);
}

/// Whether an emulator runs the tests, or a sanitizer watches many threads, some ten times as
/// slowly.
[[nodiscard]] inline bool emulated() noexcept {
    return std::getenv("THRONG_TEST_EMULATED") != nullptr;
}

} // namespace throng::test
