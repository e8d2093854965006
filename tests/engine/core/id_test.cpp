// Numbers wider than an Id name no agent: calls with them do not compile.
#include <throng/family.hpp>
#include <throng/throng.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace throng {
namespace {

enum Narrow : std::uint32_t {};
enum Wide : std::uint64_t {};

/// Types as hosts have them for names of their own.
struct Entity {
    operator std::uint32_t() const { return 2; } // NOLINT(google-explicit-constructor)
};
struct VersionedEntity {
    operator std::uint64_t() const { return 2; } // NOLINT(google-explicit-constructor)
};

static_assert(!WiderThanId<Id> && !WiderThanId<int> && !WiderThanId<char> && !WiderThanId<bool> &&
              !WiderThanId<std::uint16_t> && !WiderThanId<Narrow> && !WiderThanId<Entity>);
static_assert(WiderThanId<std::uint64_t> && WiderThanId<std::int64_t> && WiderThanId<Wide> &&
              WiderThanId<float> && WiderThanId<double> && WiderThanId<VersionedEntity> &&
              WiderThanId<std::integral_constant<std::uint64_t, 2>>);
static_assert(WiderThanId<std::size_t> == (sizeof(std::size_t) > sizeof(Id)));
static_assert(!WiderThanId<void*> && !WiderThanId<Handle> && !WiderThanId<void>);

// Calls with an id of this type and further arguments, also as a list in braces, which a template
// could not deduce.
template <class Index, class Name, class Agent>
concept Inserts = requires(Index index, Name name, Agent agent) {
    index.insert(name, agent);
};
template <class Index, class Name>
concept InsertsInBraces = requires(Index index, Name name) {
    index.insert(name, {{{1, 2}}});
};
template <class Index, class Name>
concept Erases = requires(Index index, Name name) {
    index.erase(name);
};
template <class Index, class Name, class Point>
concept Moves = requires(Index index, Name name, Point point) {
    index.move(name, point);
};
template <class Index, class Name>
concept MovesInBraces = requires(Index index, Name name) {
    index.move(name, {{1, 2}});
};
template <class Index, class Name>
concept Contains = requires(const Index index, Name name) {
    index.contains(name);
};
template <class Index, class Name>
concept NamesAgents = requires(const Index index, Name name) {
    index.handle_of(name);
    index.contains(name, Sets::giants);
};
template <class Index, class Name>
concept HandleOf = requires(const Index index, Name name) {
    index.handle_of(name);
};
template <class Index, class Name>
concept IsGiant = requires(const Index index, Name name) {
    index.contains(name, Sets::giants);
};
template <class Index, class Name>
concept NameOf = requires(const Index index, Name name) {
    index.name_of(name);
};
template <class Index, class Name, class Obstacle>
concept Replaces = requires(Index index, Name name, Obstacle one) {
    index.replace(name, one);
    index.replace(name, one, 3u);
};
/// Names of a type: kTakes if every call of an index of agents takes them, kRefuses if none does.
template <class Index, class Name, std::size_t Dim>
constexpr bool kTakes = Inserts<Index, Name, Agent<Dim>>&& InsertsInBraces<Index, Name>&&
    Erases<Index, Name>&& Moves<Index, Name, Point<Dim>>&& MovesInBraces<Index, Name>;
template <class Index, class Name, std::size_t Dim>
constexpr bool kRefuses =
    !Inserts<Index, Name, Agent<Dim>> && !InsertsInBraces<Index, Name> && !Erases<Index, Name> &&
    !Moves<Index, Name, Point<Dim>> && !MovesInBraces<Index, Name>;

template <class Index, std::size_t Dim>
constexpr bool kCutsNothing = kTakes<Index, Id, Dim>&& kTakes<Index, int, Dim>&&
    kTakes<Index, Narrow, Dim>&& kTakes<Index, Entity, Dim>&& kRefuses<Index, std::uint64_t, Dim>&&
        kRefuses<Index, std::int64_t, Dim>&& kRefuses<Index, double, Dim>&&
            kRefuses<Index, Wide, Dim>&& kRefuses<Index, VersionedEntity, Dim>;

template <template <std::size_t> class Index>
constexpr bool kIndexCutsNothing =
    kCutsNothing<Index<2>, 2>&& kCutsNothing<Index<3>, 3>&& Contains<Index<2>, int> &&
    !Contains<Index<2>, std::uint64_t> && !Contains<Index<3>, float>;

static_assert(kIndexCutsNothing<Crowd>);
static_assert(kIndexCutsNothing<RowGrid>);
static_assert(kIndexCutsNothing<LooseTree>);
static_assert(kIndexCutsNothing<BruteForce>);
static_assert(kIndexCutsNothing<DoubleGrid>);
static_assert(kCutsNothing<NestedIndex, 2> && !Contains<NestedIndex, std::uint64_t>);
static_assert(kCutsNothing<TightQuadtree, 2> && !Contains<TightQuadtree, std::uint64_t>);
static_assert(kCutsNothing<Edit<2>, 2> && kCutsNothing<Edit<3>, 3>);

static_assert(Inserts<Crowd<2>, int, WorldAgent<2>> && Moves<Crowd<2>, int, WorldPoint<2>>);
static_assert(!Inserts<Crowd<2>, std::uint64_t, WorldAgent<2>>);
static_assert(!Moves<Crowd<2>, std::uint64_t, WorldPoint<2>>);
static_assert(Moves<Crowd<2>, Handle, Point<2>>);
static_assert(NamesAgents<Crowd<2>, int> && NamesAgents<Crowd<2>, Entity>);
static_assert(!HandleOf<Crowd<2>, std::uint64_t> && !IsGiant<Crowd<2>, std::uint64_t>);
static_assert(NameOf<NamedGrid<2>, Id> && !NameOf<NamedGrid<2>, std::uint64_t>);

static_assert(Inserts<Obstacles<2>, int, Wall> && Replaces<Obstacles<2>, int, Box<2>>);
static_assert(!Inserts<Obstacles<2>, std::uint64_t, Wall>);
static_assert(!Replaces<Obstacles<2>, std::uint64_t, Box<2>>);
static_assert(Erases<Obstacles<2>, int> && !Erases<Obstacles<2>, std::uint64_t>);
static_assert(Contains<Obstacles<2>, int> && !Contains<Obstacles<2>, std::uint64_t>);

TEST(Ids, OfStaticsAreThoseThatThereCanBe) {
    EXPECT_EQ(static_id(0), kFirstStatic);
    EXPECT_EQ(static_index(static_id(kMostInCrowd - 1)), kMostInCrowd - 1);
    EXPECT_EQ(static_id(kMostInCrowd), kNoId);
    // Cut to 32 bits, these would be the first static and the sixth.
    EXPECT_EQ(static_id(std::size_t{kFirstStatic}), kNoId);
    if constexpr (sizeof(std::size_t) > sizeof(Id)) {
        EXPECT_EQ(static_id((std::size_t{kNoId} + 1) + 5), kNoId);
    }
    EXPECT_EQ(static_id(std::numeric_limits<std::size_t>::max()), kNoId);
    EXPECT_TRUE(is_static(static_id(3)));
    EXPECT_FALSE(is_static(kFirstStatic - 1));
    const std::uint64_t entity = std::uint64_t{5} << 32 | static_id(3);
    EXPECT_FALSE(is_static(entity));
    if constexpr (sizeof(std::size_t) > sizeof(Id)) { EXPECT_NE(static_index(entity), 3u); }
    // These functions can be given to algorithms.
    const std::vector<Id> ids = {3, static_id(0)};
    EXPECT_EQ(std::count_if(ids.begin(), ids.end(), is_static), 1);
}

} // namespace
} // namespace throng
