// Hashes of answers that must never change: the same for every compiler, machine and instruction
// set, and from one version to the next.
//
// After an intended change run the test with THRONG_PRINT_GOLDEN set, and put what it prints into
// its file in tests/golden.
#pragma once

#include "scenes/scenes.hpp"

#include <gtest/gtest.h>

#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

namespace throng::test {

struct Golden {
    std::string_view scene;
    int dim;
    int masks;
    std::uint64_t hash;
};

/// Compares every scene of about `agents` agents with its known hash. hashes(scene) returns the
/// hash of the index under test, and that of brute force. Returns how many were compared.
template <std::size_t Dim, class Hashes>
std::size_t check_golden(std::span<const Golden> known, std::size_t agents, const Hashes& hashes) {
    const bool print = std::getenv("THRONG_PRINT_GOLDEN") != nullptr;
    std::size_t checked = 0;
    for (const std::string_view name : scenes::names()) {
        for (const auto groups : {scenes::Groups::none, scenes::Groups::masks}) {
            const int masks = groups == scenes::Groups::masks ? 1 : 0;
            auto scene = scenes::make<Dim>(name, agents, groups);
            const auto [hash, truth] = hashes(scene);
            // A hash cannot be checked by eye, so a wrong one must not become golden by mistake.
            if (hash != truth) {
                ADD_FAILURE() << name << " differs from brute force: fix that first";
                return checked;
            }
            if (print) {
                std::printf("{\"%s\", %d, %d, 0x%016" PRIX64 "u},\n", scene.name.c_str(),
                            static_cast<int>(Dim), masks, hash);
                continue;
            }
            bool found = false;
            for (const Golden& golden : known) {
                if (golden.scene != name || golden.dim != Dim || golden.masks != masks) {
                    continue;
                }
                found = true;
                ++checked;
                EXPECT_EQ(hash, golden.hash) << name << " " << Dim << "D, masks " << masks;
            }
            EXPECT_TRUE(found || print) << "no golden hash for " << name << " " << Dim << "D";
        }
    }
    return checked;
}

} // namespace throng::test
