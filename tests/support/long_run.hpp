// How long tests run, by the environment.
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

/// Whether crowds that are slow only by their size have their full size: THRONG_LARGE=1, as
/// scripts/test --all sets. Otherwise they have a tenth of it, which mostly shows the same
/// failures.
[[nodiscard]] inline bool large_run() noexcept { return is_set("THRONG_LARGE") || long_run(); }

/// The only seed to test, THRONG_SEED=<n>; without it tests use as many seeds as usual.
[[nodiscard]] inline std::optional<std::uint64_t> only_seed() noexcept {
    const char* const seed = std::getenv("THRONG_SEED");
    if (seed == nullptr || *seed == '\0') { return std::nullopt; }
    return std::strtoull(seed, nullptr, 0);
}

/// Whether tests run in an emulator, or under a sanitizer with many threads: some ten times slower.
[[nodiscard]] inline bool emulated() noexcept {
    return std::getenv("THRONG_TEST_EMULATED") != nullptr;
}

} // namespace throng::test
