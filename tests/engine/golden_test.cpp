// The answers of every scene, boiled down to a number: the same for every compiler, machine and
// instruction set, and from one version to the next.
//
// After an intended change run this with THRONG_PRINT_GOLDEN set, and put what it prints into
// tests/golden/hashes.txt.
#include <throng/engine/row_grid.hpp>

#include "../support/answers.hpp"

#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace throng {
namespace {

struct Golden {
    std::string_view scene;
    int dim;
    int masks;
    std::uint64_t hash;
};

const std::vector<Golden> kGolden = {
#include "../golden/hashes.txt"
};

template <std::size_t Dim>
std::uint64_t hash_of(const test::Answers<Dim>& answers) {
    oracle::Hash hash;
    hash.add(answers.order);
    for (const std::vector<Id>& ids : answers.found) {
        hash.add(ids);
    }
    return hash.value();
}

template <std::size_t Dim>
void check_scenes(std::size_t& checked) {
    for (const std::string_view name : scenes::names()) {
        for (const auto groups : {scenes::Groups::none, scenes::Groups::masks}) {
            const int masks = groups == scenes::Groups::masks ? 1 : 0;
            auto scene = scenes::make<Dim>(name, 1000, groups);
            RowGrid<Dim> grid;
            ASSERT_EQ(grid.configure(scene.world, scene.cell), Status{});
            ASSERT_EQ(grid.update(scene.agents()), Status{});
            const std::uint64_t hash = hash_of(test::answers_of(grid, scene));
            // A number nobody can read must not become the truth by mistake.
            ASSERT_EQ(hash, hash_of(test::expected_answers(grid.shape(), scene)))
                << name << " differs from brute force: fix that first";
            if (std::getenv("THRONG_PRINT_GOLDEN") != nullptr) {
                std::printf("{\"%s\", %d, %d, 0x%016" PRIX64 "u},\n", scene.name.c_str(),
                            static_cast<int>(Dim), masks, hash);
                continue;
            }
            bool known = false;
            for (const Golden& golden : kGolden) {
                if (golden.scene != name || golden.dim != Dim || golden.masks != masks) {
                    continue;
                }
                known = true;
                ++checked;
                EXPECT_EQ(hash, golden.hash) << name << " " << Dim << "D, masks " << masks;
            }
            EXPECT_TRUE(known) << "no golden hash for " << name << " " << Dim << "D";
        }
    }
}

TEST(Golden, AnswersNeverChange) {
    std::size_t checked = 0;
    check_scenes<2>(checked);
    check_scenes<3>(checked);
    if (std::getenv("THRONG_PRINT_GOLDEN") == nullptr) { EXPECT_EQ(checked, kGolden.size()); }
}

} // namespace
} // namespace throng
