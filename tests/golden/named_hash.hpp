// Hashes that have names, one for each kind of answer, and are the same on every executor.
//
// After an intended change run the test with THRONG_PRINT_GOLDEN set, and put what it prints into
// its file in tests/golden/hashes.
#pragma once

#include "../support/hash.hpp"
#include "../support/long_run.hpp"
#include "../support/threads/executors.hpp"

#include <throng/engine/agents/found.hpp>
#include <throng/engine/agents/nearest.hpp>
#include <throng/engine/agents/point.hpp>
#include <throng/engine/core/executor.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

namespace throng::test {

struct NamedHash {
    std::string_view name;
    std::uint64_t hash;
};

/// Expects the hash that the table has under this name, or prints it.
inline void check_named(std::span<const NamedHash> known, const std::string& name,
                        std::uint64_t hash) {
    if (std::getenv("THRONG_PRINT_GOLDEN") != nullptr) {
        std::printf("{\"%s\", 0x%016" PRIX64 "u},\n", name.c_str(), hash);
        return;
    }
    bool found = false;
    for (const NamedHash& golden : known) {
        if (golden.name != name) { continue; }
        found = true;
        EXPECT_EQ(hash, golden.hash) << name;
    }
    EXPECT_TRUE(found) << "no golden hash for " << name;
}

/// check_named() of what hash_of(executor) returns, which must be the same for several threads and
/// for any order of blocks. Emulated tests are slow: they run on several threads only.
template <class HashOf>
void check_everywhere(std::span<const NamedHash> known, const std::string& name,
                      const HashOf& hash_of) {
    EagerPool pool(3);
    const std::uint64_t hash = hash_of(pool);
    check_named(known, name, hash);
    if (emulated()) { return; }
    EXPECT_EQ(hash_of(serial_executor()), hash) << name << " on one thread";
    ShuffleExecutor shuffled(7);
    EXPECT_EQ(hash_of(shuffled), hash) << name << " in another order";
}

/// Every bit of a float: 0 and -0 differ.
inline void add_bits(Hash& hash, float value) {
    hash.add(std::uint64_t{std::bit_cast<std::uint32_t>(value)});
}
template <std::size_t Dim>
void add_bits(Hash& hash, const Point<Dim>& point) {
    for (const float x : point.axis) {
        add_bits(hash, x);
    }
}
inline void add_bits(Hash& hash, const NearHits& near) {
    for (std::size_t q = 0; q < near.counts.size(); ++q) {
        hash.add(std::uint64_t{near.counts[q]});
        for (const Near& one : near.of(q)) {
            add_bits(hash, one.distance2);
            hash.add(std::uint64_t{one.id});
        }
    }
}

} // namespace throng::test
