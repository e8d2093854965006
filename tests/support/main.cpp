// Runs the tests on the instruction set in THRONG_FORCE_ISA, or says that this is impossible.
#include "../../simd/isa/isa.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

int main(int argc, char** argv) {
    constexpr int kSkipped = 77; // ctest's SKIP_RETURN_CODE
    const char* const forced = std::getenv("THRONG_FORCE_ISA");
    if (forced != nullptr && *forced != '\0') {
        if (throng::active_isa() == throng::Isa::none) {
            std::printf("skipped: lacks %s\n", forced);
            return kSkipped;
        }
        // A silent fallback would test one instruction set several times.
        if (std::strcmp(throng::to_string(throng::active_isa()), forced) != 0) {
            std::printf("failed: asked for %s, got %s\n", forced,
                        throng::to_string(throng::active_isa()));
            return EXIT_FAILURE;
        }
    }
    std::printf("instruction set: %s\n", throng::to_string(throng::active_isa()));
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
