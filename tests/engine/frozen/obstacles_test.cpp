// Obstacles in files: what is not in them, and tables that contradict each other.
#include "../../support/archive_words.hpp"
#include "../../support/dims.hpp"

#include <throng/engine/obstacles/obstacles.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace throng::test {
namespace {

using ObstacleBytes = std::vector<std::byte>;

template <class Dim>
class FrozenObstacles : public testing::Test {};
TYPED_TEST_SUITE(FrozenObstacles, Dims, DimNames);

template <std::size_t Dim>
Box<Dim> unit_box_at(float x) {
    return {Point<Dim>::all(x), Point<Dim>::all(x + 1.0f)};
}

TYPED_TEST(FrozenObstacles, KeepNothingOfTheErased) {
    constexpr std::size_t kDim = TypeParam::value;
    Obstacles<kDim> obstacles;
    const auto is_in_file = [&](float x) {
        ObstacleBytes bytes;
        EXPECT_EQ(save(obstacles, bytes), Status{});
        bool found = false;
        for (std::size_t at = 0; at < bytes.size(); at += sizeof x) {
            found = found || word_of(bytes, at) == std::bit_cast<std::uint32_t>(x);
        }
        return found;
    };
    for (Id id = 0; id < 40; ++id) {
        const float x = static_cast<float>(id) + 100.25f;
        ASSERT_EQ(obstacles.insert(id, unit_box_at<kDim>(x)), Status{});
    }
    EXPECT_TRUE(is_in_file(107.25f));
    ASSERT_EQ(obstacles.erase(6), Status{}); // so that no neighbour has the same coordinate
    ASSERT_EQ(obstacles.erase(7), Status{});
    EXPECT_FALSE(is_in_file(107.25f));
    EXPECT_TRUE(is_in_file(120.25f));
    ASSERT_EQ(obstacles.erase(19), Status{});
    ASSERT_EQ(obstacles.replace(20, unit_box_at<kDim>(300.0f)), Status{});
    ASSERT_EQ(obstacles.erase(5), Status{}); // frees the slot that the replacement did not take
    EXPECT_FALSE(is_in_file(120.25f));
}

// A table of ids may be long: it is in the file, so a short file asks for little memory.
TYPED_TEST(FrozenObstacles, ComeBackWithALateId) {
    constexpr std::size_t kDim = TypeParam::value;
    Obstacles<kDim> obstacles, loaded;
    ASSERT_EQ(obstacles.insert(100'000, unit_box_at<kDim>(1.0f)), Status{});
    ASSERT_EQ(obstacles.insert(3, unit_box_at<kDim>(5.0f)), Status{});
    ObstacleBytes bytes;
    ASSERT_EQ(save(obstacles, bytes), Status{});
    EXPECT_GT(bytes.size(), 400'000u);
    ASSERT_EQ(load(loaded, bytes), Status{});
    EXPECT_TRUE(loaded.contains(100'000) && loaded.contains(3));
    ASSERT_EQ(loaded.erase(100'000), Status{});
    ASSERT_STREQ(loaded.validate(), nullptr);
}

/// The words of the sections with this tag.
std::vector<std::uint32_t> words_of(const ObstacleBytes& bytes, const std::string& tag) {
    std::vector<std::uint32_t> words;
    for (const ArchiveSection& section : sections_of(bytes)) {
        for (std::size_t i = 0; section.tag == tag && i < section.words; ++i) {
            words.push_back(word_of(bytes, section.at + i * sizeof(std::uint32_t)));
        }
    }
    return words;
}

TYPED_TEST(FrozenObstacles, NeedOneSlotForEach) {
    constexpr std::size_t kDim = TypeParam::value;
    Obstacles<kDim> obstacles;
    for (Id id = 0; id < 6; ++id) {
        ASSERT_EQ(obstacles.insert(id, unit_box_at<kDim>(static_cast<float>(id))), Status{});
    }
    for (const Id id : {1u, 4u}) {
        ASSERT_EQ(obstacles.erase(id), Status{});
    }
    ObstacleBytes sound;
    ASSERT_EQ(save(obstacles, sound), Status{});
    ASSERT_EQ(words_of(sound, "FREE"), (std::vector<std::uint32_t>{1, 4}));
    for (const ArchiveSection& section : sections_of(sound)) {
        if (section.tag != "FREE") { continue; }
        // Taken, free twice, and beyond all slots.
        for (const std::uint32_t slot : {0u, 4u, 6u, ~0u}) {
            ObstacleBytes forged = sound;
            put(forged, section.at, slot);
            seal(forged);
            Obstacles<kDim> loaded;
            EXPECT_EQ(load(loaded, forged), (Status{Cause::corrupted, Argument::file})) << slot;
        }
        ObstacleBytes other_way = sound; // a sound file, too
        put(other_way, section.at, std::uint32_t{4});
        put(other_way, section.at + 4, std::uint32_t{1});
        seal(other_way);
        Obstacles<kDim> loaded;
        EXPECT_EQ(load(loaded, other_way), Status{});
    }
}

} // namespace
} // namespace throng::test
