// Any bytes as the file of an index: they are refused, or they give a valid index.
#include "../family/every_index.hpp"
#include "../support/archives.hpp"
#include "fuzz.hpp"

#include <throng/engine/answers/spatial_index.hpp>
#include <throng/engine/frozen/frozen.hpp>
#include <throng/engine/memory/capped_memory.hpp>
#include <throng/engine/memory/memory_source.hpp>
#include <throng/engine/obstacles/obstacles.hpp>
#include <throng/parallel/batch/batch.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace throng::fuzz {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t kMostBytes = 1u << 14;
constexpr Id kIds = 24;

template <std::size_t Dim>
struct InObstacles {
    using Index = Obstacles<Dim>;
    static constexpr std::size_t kDim = Dim;
    static constexpr const char* kName = "obstacles";
};

template <class Entry>
class Frozen {
    static constexpr std::size_t kDim = Entry::kDim;
    using Index = typename Entry::Index;

public:
    explicit Frozen(Input& input) : input_(input) {}

    void run() {
        SCOPED_TRACE(testing::Message() << Entry::kName << " " << kDim << "d");
        Bytes bytes;
        switch (input_.below(4)) {
        case 0:
            bytes = given();
            break;
        case 1:
            bytes = given();
            test::repair<kDim>(bytes, kTag);
            break;
        default:
            bytes = spoilt();
            test::repair<kDim>(bytes, kTag);
        }
        // Loading may use memory in proportion to the bytes; a crowd has a constant part besides.
        CappedMemory memory((std::size_t{1} << 18) + 32 * bytes.size());
        Index index;
        if (load(index, bytes, memory)) { check(index); }
    }

private:
    static constexpr const char (&tag())[5] {
        if constexpr (std::is_same_v<Index, RowGrid<kDim>>) { return "GRID"; }
        if constexpr (std::is_same_v<Index, LooseTree<kDim>>) { return "TREE"; }
        if constexpr (std::is_same_v<Index, Obstacles<kDim>>) { return "OBST"; }
        return "CRWD";
    }
    static constexpr std::uint32_t kTag = archive_tag(tag());

    static bool load(Index& index, const Bytes& bytes, CappedMemory& memory) {
        const WithMemory all(memory);
        Status status;
        try {
            status = throng::load(index, bytes);
        } catch (const std::bad_alloc&) {
            ADD_FAILURE() << bytes.size() << " bytes want more than " << memory.cap();
        }
        EXPECT_EQ(memory.refused(), 0u) << bytes.size() << " bytes";
        if (status.ok()) { return true; }
        EXPECT_EQ(status.argument, Argument::file);
        EXPECT_EQ(index.size(), 0u);
        return false;
    }

    Bytes given() {
        const auto rest = input_.rest();
        Bytes bytes(std::min(rest.size(), kMostBytes));
        if (!bytes.empty()) { std::memcpy(bytes.data(), rest.data(), bytes.size()); }
        return bytes;
    }

    /// The file of a small index, with a few words changed.
    Bytes spoilt() {
        Index index;
        fill(index);
        Bytes bytes;
        EXPECT_EQ(save(index, bytes), Status{});
        for (std::size_t i = 0; i < 8 && !input_.empty(); ++i) {
            spoil(bytes);
        }
        return bytes;
    }
    void fill(Obstacles<kDim>& obstacles) {
        for (Id id = input_.below(kIds); id > 0; --id) {
            (void)put(obstacles, id - 1);
        }
        for (std::uint32_t left = input_.below(4); left > 0; --left) {
            (void)obstacles.erase(input_.below(kIds));
        }
    }
    /// Adds or replaces an obstacle; any may be refused.
    Status put(Obstacles<kDim>& obstacles, Id id) {
        const auto put_one = [&](const auto& shape) {
            const std::uint32_t groups = input_.below(16);
            return obstacles.contains(id) ? obstacles.replace(id, shape, groups)
                                          : obstacles.insert(id, shape, groups);
        };
        const Point<kDim> at = input_.point<kDim>(), extent = input_.extent<kDim>();
        const Box<kDim> box = Box<kDim>::around(at, extent);
        switch (input_.below(3)) {
        case 0:
            return put_one(box);
        case 1: {
            OrientedBox<kDim> turned{at, {}};
            for (std::size_t a = 0; a < kDim; ++a) {
                turned.half_edges[a][a] = extent[a];
            }
            return put_one(turned);
        }
        default:
            if constexpr (kDim == 2) {
                return put_one(Wall{box.lo, box.hi, input_.flip() ? extent[0] : 0.0f});
            } else {
                return put_one(Triangle{{box.lo, box.hi, input_.point<kDim>()}});
            }
        }
    }
    template <class Agents>
    void fill(Agents& index) {
        scenes::Scene<kDim> scene;
        scene.world = {Point<kDim>::all(0.0f), Point<kDim>::all(16.0f)};
        scene.cell = Point<kDim>::all(input_.flip() ? 2.0f : 8.0f);
        const CrowdKind<kDim> kind = input_.kind<kDim>();
        EXPECT_EQ(Entry::lay_out(index, scene, kind), Status{});
        for (Id id = input_.below(kIds); id > 0; --id) {
            EXPECT_EQ(index.insert(id - 1, input_.agent(kind)), Status{});
        }
        for (std::uint32_t left = input_.below(4); left > 0; --left) {
            (void)index.erase(input_.below(kIds));
        }
        if constexpr (std::is_same_v<Index, Crowd<kDim>>) { stand(index); }
    }
    void stand(Crowd<kDim>& crowd) {
        scenes::Scene<kDim> statics;
        for (std::uint32_t left = input_.below(6); left > 0; --left) {
            const Point<kDim> at = input_.point<kDim>();
            statics.add(at, input_.extent<kDim>());
        }
        EXPECT_EQ(crowd.set_statics(statics.agents()), Status{});
        if (input_.below(4) != 0) { return; }
        crowd.clear();
        for (std::uint32_t left = input_.below(6); left > 0; --left) {
            Handle handle;
            EXPECT_EQ(crowd.add(input_.agent(crowd.kind()), handle), Status{});
            if (left % 3 == 0) { EXPECT_EQ(crowd.remove(handle), Status{}); }
        }
    }
    void spoil(Bytes& bytes) {
        constexpr std::size_t kHeader = 40;
        const std::size_t words = (bytes.size() - kHeader) / sizeof(std::uint32_t);
        if (words == 0) { return; }
        std::byte* const at =
            bytes.data() + kHeader + input_.below(0x1'0000) % words * sizeof(std::uint32_t);
        std::uint32_t word;
        std::memcpy(&word, at, sizeof word);
        switch (input_.below(6)) {
        case 0:
            ++word;
            break;
        case 1:
            --word;
            break;
        case 2:
            word ^= 1u << input_.below(32);
            break;
        case 3:
            word = input_.below(64);
            break;
        case 4:
            word = std::bit_cast<std::uint32_t>(input_.any_float());
            break;
        default:
            word = input_.raw<std::uint32_t>();
        }
        std::memcpy(at, &word, sizeof word);
    }

    /// A loaded index must work like any other.
    void check(Obstacles<kDim>& obstacles) {
        const auto all = everything(obstacles);
        for (int q = 0; q < 4; ++q) {
            const Filter filter = input_.filter(kIds);
            const Point<kDim> from = input_.point<kDim>(), to = input_.point<kDim>();
            std::vector<ObstacleHit<kDim>> hits;
            ObstacleHit<kDim> first;
            const Capsule<kDim> path = {from, to, input_.flip() ? 0.0f : 0.5f};
            ASSERT_EQ(obstacles.query(path, hits, filter).status, Status{});
            ASSERT_EQ(obstacles.first(path, first, filter).count, hits.empty() ? 0u : 1u);
            if (!hits.empty()) { ASSERT_EQ(first, hits[0]); }
            std::vector<Id> ids;
            ASSERT_EQ(obstacles.query(Box<kDim>{from, from}, ids, filter).status, Status{});
        }
        Bytes once, twice;
        ASSERT_EQ(save(obstacles, once), Status{});
        Obstacles<kDim> again;
        ASSERT_EQ(throng::load(again, once), Status{});
        ASSERT_EQ(save(again, twice), Status{});
        ASSERT_EQ(twice, once);
        ASSERT_EQ(everything(again), all);
        for (std::uint32_t left = input_.below(8); left > 0; --left) {
            const Id id = input_.below(kIds);
            if (input_.flip()) {
                (void)put(again, id);
            } else {
                (void)again.erase(id);
            }
        }
        (void)everything(again);
    }
    static std::vector<ObstacleNear<kDim>> everything(const Obstacles<kDim>& obstacles) {
        EXPECT_STREQ(obstacles.validate(), nullptr);
        std::vector<Id> ids;
        const Box<kDim> all = {Point<kDim>::all(-kLargest), Point<kDim>::all(kLargest)};
        EXPECT_EQ(obstacles.query(all, ids).count, obstacles.size());
        for (const Id id : ids) {
            EXPECT_TRUE(obstacles.contains(id)) << id;
        }
        std::vector<ObstacleNear<kDim>> near; // not all: corners of space are farther away
        EXPECT_EQ(obstacles.query(Ball<kDim>{{}, kLargest}, near).status, Status{});
        return near;
    }
    template <class Agents>
    void check(Agents& index) {
        ASSERT_STREQ(index.validate(), nullptr);
        const test::Ids all = test::all_ids<kDim>(index);
        check_all(index, all);
        for (int q = 0; q < 4; ++q) {
            input_.with_sane_shape<kDim>([&](const auto& shape) { ask(index, shape); });
        }
        (void)test::pairs_of(index);
        std::size_t cells = 0;
        index.visit_cells([&](const IndexCell<kDim>&) { return ++cells < 1000; });

        Bytes once, twice;
        ASSERT_EQ(save(index, once), Status{});
        Index again;
        ASSERT_EQ(throng::load(again, once), Status{});
        ASSERT_STREQ(again.validate(), nullptr);
        ASSERT_EQ(save(again, twice), Status{});
        ASSERT_EQ(twice, once);
        ASSERT_EQ(test::all_ids<kDim>(again), all);
        edit(again, all);
    }
    static void check_all(const Index& index, const test::Ids& all) {
        const test::Ids ids = test::in_order(all);
        ASSERT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
        for (const Id id : ids) {
            ASSERT_TRUE(index.contains(id)) << id;
        }
        if constexpr (std::is_same_v<Index, Crowd<kDim>>) {
            ASSERT_EQ(ids.size(), index.size() + index.size(Sets::statics));
        } else {
            ASSERT_EQ(ids.size(), index.size());
        }
    }
    template <class Shape>
    void ask(const Index& index, const Shape& shape) {
        const Filter filter = input_.filter(kIds);
        if (!check_shape(shape).ok()) { return; }
        if constexpr (std::is_same_v<Index, Crowd<kDim>>) {
            if (index.wraps()) { return; } // with any period, few questions are answered
        }
        const test::Ids found = test::visited(index, shape, filter);
        ASSERT_EQ(index.count(shape, filter).count, found.size());
        ASSERT_EQ(index.any(shape, filter).count, found.empty() ? 0u : 1u);
        if constexpr (std::is_same_v<Index, Crowd<kDim>>) {
            // A batch searches giants and statics in a different way.
            Batch<kDim> batch;
            Hits hits;
            ASSERT_EQ(batch.query(index, std::vector<Shape>{shape}, hits, filter), Status{});
            const auto together = hits.of(0);
            ASSERT_EQ(test::in_order({together.begin(), together.end()}), test::in_order(found));
        }
    }
    void edit(Index& index, const test::Ids& all) {
        for (std::size_t i = 0; i < all.size() && i < 8; ++i) {
            const Id id = all[i];
            // These calls may be refused: for statics, and for agents with handles.
            if (input_.flip()) {
                (void)index.move(id, input_.point<kDim>());
            } else {
                (void)index.erase(id);
            }
        }
        for (std::uint32_t left = input_.below(4); left > 0; --left) {
            const Id id = input_.below(kIds);
            (void)index.insert(id, input_.agent(index.kind()));
        }
        ASSERT_STREQ(index.validate(), nullptr);
        check_all(index, test::all_ids<kDim>(index));
    }

    Input& input_;
};

template <class Entry>
void thaw(Input& input) {
    Frozen<Entry>(input).run();
}

} // namespace

void run(Input& input) {
    using Target = void (*)(Input&);
    static constexpr Target kTargets[] = {thaw<test::InRowGrid<2>>,   thaw<test::InRowGrid<3>>,
                                          thaw<test::InLooseTree<2>>, thaw<test::InLooseTree<3>>,
                                          thaw<test::InCrowd<2>>,     thaw<test::InCrowd<3>>,
                                          thaw<InObstacles<2>>,       thaw<InObstacles<3>>};
    input.any_of(kTargets)(input);
}

} // namespace throng::fuzz
