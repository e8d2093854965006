// How long tests run, as set by the environment.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace throng::test {

[[nodiscard]] inline bool is_set(const char* variable) noexcept {
    const char* const set = std::getenv(variable);
    return set != nullptr && std::strcmp(set, "") != 0 && std::strcmp(set, "0") != 0;
}

/// Whether random tests may take an hour: THRONG_LONG=1.
[[nodiscard]] inline bool long_run() noexcept { return is_set("THRONG_LONG"); }

/// Whether crowds that only their size makes slow have all of it: THRONG_LARGE=1, which
/// scripts/test --all sets. Otherwise a tenth is enough to fail where the whole does, mostly.
[[nodiscard]] inline bool large_run() noexcept { return is_set("THRONG_LARGE") || long_run(); }

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
