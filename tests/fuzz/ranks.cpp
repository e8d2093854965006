// A crowd over the ranks of a job, in plain and in periodic worlds. Agents move, come and go, and
// bricks are cut anew; in each frame every rank must get the answers of one Crowd that was given
// the whole crowd at once.
#include "../distributed/citizen.hpp"
#include "fuzz.hpp"

#include <throng/engine/agents/validation.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <list>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace throng::fuzz {
namespace {

constexpr std::uint32_t kMostAgents = 40, kMostShapes = 12, kMostRanks = 4;
constexpr std::size_t kMostFrames = 4;

using GlobalPairs = std::vector<std::pair<GlobalId, GlobalId>>;

/// The whole crowd in one frame, and what ranks ask about it.
template <std::size_t Dim>
struct Frame {
    scenes::Scene<Dim> scene;
    scenes::Shapes<Dim> shapes;
    std::optional<test::Town<Dim>> town; // borrows the scene
    std::vector<Nearest> nearest;
    NearestNeighbours neighbours;
    Neighbourhood near;
    bool is_balanced = false;
    std::uint32_t spoiler = kMostRanks; ///< the rank that first has a place that is refused, if any
    GlobalPairs pairs;                  ///< that ranks have found
    std::uint64_t count = 0;            ///< of them, as all ranks say
};

template <std::size_t Dim>
class Job {
public:
    explicit Job(Input& input) : input_(input) {}

    void run() {
        ranks_ = 1 + input_.below(kMostRanks);
        const std::uint32_t seed = input_.below(256);
        lay_out();
        DistributedSettings<Dim> settings;
        while (frames_.size() < kMostFrames && (frames_.empty() || !input_.empty())) {
            Frame<Dim>& frame = frames_.emplace_back();
            fill(frame);
            if (!frame.town->can_be) { return; }
            const float reach = settings.reach;
            settings = frame.town->settings;
            settings.reach = std::max(settings.reach, reach);
        }
        // A few questions a round, or all at once.
        settings.question_bytes = input_.flip() ? 300 : std::size_t{64} << 20;
        ThreadRanks job(ranks_, seed);
        job.run([&](Ranks& self) { live(self, settings); });
        for (Frame<Dim>& frame : frames_) {
            check_pairs(frame);
        }
    }

private:
    // What there is.

    void lay_out() {
        static constexpr float kSides[] = {16.0f, 8.0f, 30.0f};
        const std::uint32_t around = input_.flip() ? input_.below(1u << Dim) : 0;
        world_ = {input_.flip() ? Point<Dim>{} : Point<Dim>::all(-3.5f), {}};
        for (std::size_t a = 0; a < Dim; ++a) {
            periodic_[a] = (around >> a & 1) != 0;
            world_.hi[a] = world_.lo[a] + input_.any_of(kSides);
        }
        cell_ = Point<Dim>::all(input_.flip() ? 1.0f : 2.5f);
        own_half_extents_ = input_.flip();
        groups_ = input_.flip();
    }
    float length() { return 0.0625f * static_cast<float>(input_.below(64)); }

    void fill(Frame<Dim>& frame) {
        scenes::Scene<Dim>& scene = frame.scene;
        scene.name = input_.flip() ? "uniform" : "with statics"; // see Town
        scene.world = world_;
        scene.cell = cell_;
        if (!own_half_extents_) { scene.common_half_extent = Point<Dim>::all(0.25f); }
        Point<Dim> at{};
        for (std::uint32_t left = 1 + input_.below(kMostAgents); left != 0; --left) {
            if (input_.flip()) {
                at = input_.point<Dim>();
            } else { // near the one before
                at[input_.below(Dim)] += 0.25f * static_cast<float>(input_.below(17)) - 2.0f;
            }
            if (own_half_extents_) {
                const bool is_giant = input_.below(16) == 0;
                scene.add(at, Point<Dim>::all(is_giant ? 2.0f * length() : 0.25f * length()));
            } else {
                scene.add(at);
            }
            if (groups_) { scene.groups.push_back(input_.below(16)); }
        }
        for (std::uint32_t left = input_.below(kMostShapes); left != 0; --left) {
            input_.with_sane_shape<Dim>([&]<class Shape>(const Shape& shape) {
                if (check_shape(shape).ok()) { list_of<Shape>(frame).push_back(shape); }
            });
        }
        const float radius = input_.flip() ? kLargest : length();
        frame.nearest = {{1 + input_.below(8), radius, 0.0f, {}, kBeforeAll, input_.body()}};
        frame.neighbours = {.k = 1 + input_.below(8),
                            .radius = input_.flip() ? kLargest : length()};
        frame.near.with_self = input_.flip();
        frame.near.groups = input_.filter(1).groups;
        frame.is_balanced = input_.flip();
        if (input_.below(8) == 0) { frame.spoiler = input_.below(ranks_); }
        frame.town.emplace(scene, periodic_);
        frame.near.radius = frame.town->settings.reach * (input_.flip() ? 1.0f : 0.5f);
    }
    template <class Shape>
    static std::vector<Shape>& list_of(Frame<Dim>& frame) {
        const auto of =
            std::tie(frame.scene.boxes, frame.scene.balls, frame.shapes.segments, frame.shapes.rays,
                     frame.shapes.capsules, frame.shapes.sectors, frame.shapes.convexes,
                     frame.shapes.oriented_boxes, frame.shapes.cylinders, frame.shapes.body_balls,
                     frame.shapes.body_sectors, frame.shapes.body_cylinders);
        return std::get<std::vector<Shape>&>(of);
    }

    // What each rank does.

    void live(Ranks& self, const DistributedSettings<Dim>& settings) {
        Share<Dim> mine;
        DistributedGrid<Dim> crowd(self);
        ASSERT_EQ(crowd.configure(settings), Status{});
        std::size_t before = 0;
        std::uint64_t number = self.rank();
        for (Frame<Dim>& frame : frames_) {
            take(self, frame.scene, before, mine);
            before = frame.scene.size();
            ASSERT_EQ(crowd.set_statics(frame.town->statics), Status{});
            update(self, crowd, mine, frame);
            const test::Citizen<Dim> here{*frame.town, self, mine, crowd, ++number};
            test::check_lists(here, frame.shapes);
            test::check_counts(here, frame.shapes);
            test::check_paths(here, frame.shapes);
            test::check_nearest(here, frame.nearest);
            test::check_nearest_neighbours(here, {frame.neighbours});
            check_neighbours(here, frame.near);
            collect_pairs(here, frame);
            if (frame.is_balanced) { ASSERT_EQ(crowd.balance(), Status{}); }
        }
    }
    /// Moves the agents of this rank, and takes its part of those that are new.
    static void take(const Ranks& self, const scenes::Scene<Dim>& scene, std::size_t before,
                     Share<Dim>& mine) {
        std::vector<Id> kept;
        for (std::size_t i = 0; i < mine.owned(); ++i) {
            if (test::id_of(mine.ids[i]) < scene.size()) { kept.push_back(static_cast<Id>(i)); }
        }
        mine.keep_only(kept);
        for (std::size_t i = before; i < scene.size(); ++i) {
            if (i % self.size() != self.rank()) { continue; }
            mine.ids.push_back(test::name_of(static_cast<Id>(i)));
        }
        mine.positions.resize(mine.ids.size());
        if (scene.has_own_half_extents()) { mine.half_extents.resize(mine.ids.size()); }
        if (!scene.groups.empty()) { mine.groups.resize(mine.ids.size()); }
        for (std::size_t i = 0; i < mine.ids.size(); ++i) {
            const Id id = test::id_of(mine.ids[i]);
            mine.positions[i] = scene.position_of(id);
            if (scene.has_own_half_extents()) { mine.half_extents[i] = scene.half_extent_of(id); }
            if (!scene.groups.empty()) { mine.groups[i] = scene.groups[id]; }
        }
    }
    /// What one rank may not give is refused on all.
    static void update(const Ranks& self, DistributedGrid<Dim>& crowd, Share<Dim>& mine,
                       const Frame<Dim>& frame) {
        const bool spoils = frame.spoiler == self.rank() && !mine.positions.empty();
        float place = std::numeric_limits<float>::quiet_NaN();
        if (spoils) { std::swap(mine.positions.back()[Dim - 1], place); }
        Status status = crowd.update(mine);
        if (!status.ok()) {
            ASSERT_EQ(status.cause, Cause::not_finite);
            ASSERT_EQ(crowd.refused_by(), frame.spoiler);
            if (spoils) { mine.positions.back()[Dim - 1] = place; }
            status = crowd.update(mine);
        } else {
            ASSERT_FALSE(spoils);
        }
        ASSERT_EQ(status, Status{});
        for (const NamedGrid<Dim>& set : crowd.grids()) {
            ASSERT_STREQ(set.grid->validate(), nullptr);
        }
    }

    /// The neighbours of owned agents, in the order of one Crowd. Behind borders the order differs.
    static void check_neighbours(const test::Citizen<Dim>& here, const Neighbourhood& asked) {
        const test::Town<Dim>& town = here.town;
        Batch<Dim> batch;
        Hits wanted, hits;
        ASSERT_EQ(batch.neighbours(town.crowd, asked, wanted, Order::ids).status, Status{});
        ASSERT_EQ(here.crowd.neighbours(asked, hits), Status{});
        std::vector<std::uint32_t> counts(here.mine.owned());
        ASSERT_EQ(here.crowd.count_neighbours(asked, counts), Status{});
        for (std::size_t i = 0; i < here.mine.owned(); ++i) {
            std::vector<GlobalId> of_one, of_crowd;
            for (const Id id : hits.of(i)) {
                of_one.push_back(global_name(here.mine, id));
            }
            for (const Id id : wanted.of(test::id_of(here.mine.ids[i]))) {
                of_crowd.push_back(test::name_of(id));
            }
            if (town.crowd.wraps()) {
                std::sort(of_one.begin(), of_one.end());
                std::sort(of_crowd.begin(), of_crowd.end());
            }
            ASSERT_EQ(of_one, of_crowd) << here.mine.ids[i];
            ASSERT_EQ(counts[i], of_one.size());
        }
    }
    static GlobalId global_name(const Share<Dim>& mine, Id id) {
        return is_static(id) ? global_static_id(static_index(id)) : mine.ids[id];
    }

    /// Over all ranks each pair is there once.
    void collect_pairs(const test::Citizen<Dim>& here, Frame<Dim>& frame) {
        Pairs pairs;
        ASSERT_EQ(here.crowd.pairs(pairs, serial_executor(), kAllGroups, PairSets::all), Status{});
        std::uint64_t count = 0;
        ASSERT_EQ(here.crowd.count_pairs(count, serial_executor(), kAllGroups, PairSets::all),
                  Status{});
        const std::lock_guard lock(mutex_);
        frame.count = count;
        for (std::size_t i = 0; i < pairs.count; ++i) {
            frame.pairs.push_back(std::minmax(global_name(here.mine, pairs.first[i]),
                                              global_name(here.mine, pairs.second[i])));
        }
    }
    static void check_pairs(Frame<Dim>& frame) {
        Batch<Dim> batch;
        Pairs pairs;
        ASSERT_EQ(batch.pairs({frame.town->crowd, PairSets::all}, pairs).status, Status{});
        GlobalPairs wanted;
        for (std::size_t i = 0; i < pairs.count; ++i) {
            wanted.push_back(
                std::minmax(test::name_of(pairs.first[i]), test::name_of(pairs.second[i])));
        }
        std::sort(wanted.begin(), wanted.end());
        std::sort(frame.pairs.begin(), frame.pairs.end());
        ASSERT_EQ(frame.pairs, wanted);
        ASSERT_EQ(frame.count, wanted.size());
    }

    Input& input_;
    std::uint32_t ranks_ = 1;
    Box<Dim> world_{};
    std::array<bool, Dim> periodic_{};
    Point<Dim> cell_{};
    bool own_half_extents_ = false, groups_ = false;
    std::list<Frame<Dim>> frames_; // which stay where they are
    std::mutex mutex_;
};

} // namespace

void run(Input& input) {
    if (input.flip()) {
        Job<3>(input).run();
    } else {
        Job<2>(input).run();
    }
}

} // namespace throng::fuzz
