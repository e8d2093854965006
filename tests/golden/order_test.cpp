// The order of every structure's answers is the same on every machine, compiler and instruction
// set.
//
// After an intended change run the test with THRONG_PRINT_GOLDEN set, and put what it prints into
// tests/golden/hashes/family.txt.
#include "../family/every_index.hpp"
#include "../support/random.hpp"
#include "named_hash.hpp"

#include <cstdint>
#include <string_view>

namespace throng {
namespace {

constexpr test::NamedHash kOrderHashes[] = {
#include "hashes/family.txt"
};

template <class Entry>
class EveryOrder : public test::EveryIndex<Entry> {};
TYPED_TEST_SUITE(EveryOrder, test::Indexes, test::IndexNames);

template <std::size_t Dim, class Index>
void add_answers(test::Hash& hash, const Index& index, const scenes::Scene<Dim>& scene) {
    hash.add(test::all_ids<Dim>(index));
    for (std::size_t q = 0; q < scene.boxes.size(); q += 3) {
        hash.add(test::visited(index, scene.boxes[q]));
    }
    for (std::size_t q = 0; q < scene.balls.size(); q += 3) {
        hash.add(test::visited(index, scene.balls[q]));
    }
    (void)index.visit_pairs([&](std::span<const Id> first, std::span<const Id> second) {
        for (std::size_t i = 0; i < first.size(); ++i) {
            hash.add(std::uint64_t{first[i]} << 32 | second[i]);
        }
        return true;
    });
    index.visit_cells([&](const IndexCell<Dim>& cell) {
        hash.add(std::uint64_t{cell.depth} << 32 | cell.count);
        return true;
    });
}

TYPED_TEST(EveryOrder, FollowsFromTheCallsMade) {
    constexpr std::size_t kDim = TypeParam::kDim;
    auto& index = this->index_;
    test::Hash hash;
    for (const std::string_view name : {"uniform", "mixed_sizes", "outside", "coincident"}) {
        auto scene = scenes::make<kDim>(name, 700);
        ASSERT_NO_FATAL_FAILURE(this->take(scene));
        add_answers(hash, index, scene);
        scenes::Random random(41);
        for (int e = 0; e < 1500; ++e) {
            const Id id = random.below(static_cast<std::uint32_t>(scene.size()));
            Point<kDim> to = scene.position_of(id);
            for (float& x : to.axis) {
                x += random.between(-2.0f, 2.0f);
            }
            ASSERT_EQ(index.move(id, to), Status{});
            if (e % 5 == 0) { ASSERT_EQ(index.erase(id), Status{}); }
            if (e % 5 == 0) {
                Agent<kDim> agent{to, {}, {}};
                if (scene.has_own_half_extents()) { agent.half_extent = scene.half_extent_of(id); }
                ASSERT_EQ(index.insert(id, agent), Status{});
            }
            if (e % 500 == 499) { TypeParam::tidy(index); }
        }
        add_answers(hash, index, scene);
    }
    test::check_named(kOrderHashes, test::IndexNames::GetName<TypeParam>(0), hash.value());
}

} // namespace
} // namespace throng
