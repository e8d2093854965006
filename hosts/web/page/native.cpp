// Runs the page's crowd natively. Prints for each given number a line: agents, steps, pairs of the
// last step and the hash.
#include "bouncing_crowd.hpp"

#include <throng/simd/isa/isa.hpp>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>

int main(int count, char** arguments) {
    constexpr int kSteps = 20;
    if (throng::active_isa() == throng::Isa::none) {
        const char* const forced = std::getenv("THRONG_FORCE_ISA");
        std::printf("lacks %s\n", forced != nullptr ? forced : "an instruction set of the build");
        return 77;
    }
    for (int i = 1; i < count; ++i) {
        throng::web::BouncingCrowd crowd(
            static_cast<std::uint32_t>(std::strtoul(arguments[i], nullptr, 10)));
        for (int step = 0; step < kSteps; ++step) {
            if (!crowd.update().ok() || !crowd.find_pairs().ok()) {
                std::puts("refused");
                return 1;
            }
            crowd.move(1.0f);
        }
        std::printf("%" PRIu32 " %d %" PRIu64 " %016" PRIx64 "\n", crowd.agents(), kSteps,
                    crowd.pairs(), crowd.hash());
    }
}
