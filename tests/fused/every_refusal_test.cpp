// For each cause and each argument of a status, a call that returns it.
#include "examples.hpp"

#include "../../engine/grid/grid_parts.hpp"
#include "../../engine/memory/capped_memory.hpp"
#include "../support/numbers.hpp"
#include "../support/threads/executors.hpp"

#include <throng/distributed.hpp>
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/shapes/shapes_view.hpp>
#include <throng/throng.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace throng::test {
namespace {

constexpr Box<2> kWorld = {{0.0f, 0.0f}, {20.0f, 20.0f}};
constexpr Point<2> kCell = {2.0f, 2.0f};
constexpr Ball<2> kBall = {{5.0f, 5.0f}, 3.0f};

/// Three agents, and all kinds of calls.
class EveryRefusal : public testing::Test {
protected:
    /// A call and the status that it must return.
    struct Refused {
        Cause cause;
        Argument argument;
        std::function<Status()> call;
    };

    EveryRefusal() {
        EXPECT_EQ(grid_.configure(kWorld, kCell), Status{});
        EXPECT_EQ(grid_.update(agents_), Status{});
        EXPECT_EQ(crowd_.update(agents_), Status{});
    }

    /// A copy of the agents that `spoil` has changed.
    [[nodiscard]] Agents<2> with(const std::function<void(Agents<2>&)>& spoil) const {
        Agents<2> agents = agents_;
        spoil(agents);
        return agents;
    }
    [[nodiscard]] std::vector<std::byte> saved() const {
        std::vector<std::byte> bytes;
        EXPECT_EQ(save(grid_, bytes), Status{});
        return bytes;
    }
    template <class Shape>
    [[nodiscard]] Status asked(const Shape& shape) const {
        return grid_.count(shape).status;
    }
    template <class Index>
    static Status inserted(Index& index, const Agent<2>& agent) {
        return index.insert(7, agent);
    }
    /// The status of a kernel that runs over `askers` with neighbours in `others`.
    Status met(const NamedGrid<2>& askers, const std::vector<NamedGrid<2>>& others) {
        return loop_.run_among(askers, others, {1.0f}, active_isa(),
                               [](const auto&, const auto&, const auto&) {});
    }
    static CrowdSettings<2> settings(const std::function<void(CrowdSettings<2>&)>& spoil) {
        CrowdSettings<2> settings;
        spoil(settings);
        return settings;
    }

    std::vector<Refused> of_agents();
    std::vector<Refused> of_edits();
    std::vector<Refused> of_worlds();
    std::vector<Refused> of_shapes();
    std::vector<Refused> of_arrays();
    std::vector<Refused> of_files();
    std::vector<Refused> of_hosts();
    static std::vector<Refused> of_ranks();

    const std::array<Point<2>, 3> points_ = {{{1.0f, 1.0f}, {5.0f, 5.0f}, {9.0f, 3.0f}}};
    const std::array<Point<2>, 3> wrong_ = {{{1.0f, 1.0f}, {5.0f, kNan}, {9.0f, 3.0f}}};
    const std::array<Point<2>, 3> inside_out_ = {{{1.0f, 1.0f}, {1.0f, 1.0f}, {1.0f, -1.0f}}};
    const std::array<std::uint32_t, 3> groups_ = {1, 2, 4};
    const Agents<2> agents_ = {PointView<2>::interleaved(points_[0].axis.data(), 3), {0.5f, 0.5f}};
    RowGrid<2> grid_;
    Crowd<2> crowd_;
    Batch<2> batch_;
    NeighbourLoop<2> loop_;
    std::vector<std::uint32_t> scratch_ = std::vector<std::uint32_t>(GridParts<2>::scratch());
    Handle handle_;
};

std::vector<EveryRefusal::Refused> EveryRefusal::of_agents() {
    const auto update = [this](const std::function<void(Agents<2>&)>& spoil) {
        return [=, this] { return grid_.update(with(spoil)); };
    };
    const auto points = [](const std::array<Point<2>, 3>& of, std::size_t count = 3) {
        return PointView<2>::interleaved(of[0].axis.data(), count);
    };
    return {
        {Cause::ok, Argument::none, update([](Agents<2>&) {})},
        {Cause::not_finite, Argument::positions,
         update([=, this](Agents<2>& agents) { agents.positions = points(wrong_); })},
        {Cause::null_pointer, Argument::positions,
         update([](Agents<2>& agents) { agents.positions.axis[1] = nullptr; })},
        {Cause::negative, Argument::half_extents,
         update([=, this](Agents<2>& agents) { agents.half_extents = points(inside_out_); })},
        {Cause::count_mismatch, Argument::groups, update([this](Agents<2>& agents) {
             agents.groups = {groups_.data(), sizeof(std::uint32_t), 2};
         })},
        {Cause::not_finite, Argument::statics,
         [=, this] {
             return crowd_.set_statics({points(wrong_), {0.5f, 0.5f}});
         }},
    };
}

std::vector<EveryRefusal::Refused> EveryRefusal::of_edits() {
    const auto with_handles = [this](const std::function<Status(Crowd<2>&)>& then) {
        return [=, this] {
            Crowd<2> named;
            EXPECT_EQ(named.configure({kWorld, kCell}), Status{});
            EXPECT_EQ(named.add({points_[0]}, handle_), Status{});
            return then(named);
        };
    };
    return {
        {Cause::id_taken, Argument::id, [this] { return grid_.insert(1, {points_[0]}); }},
        {Cause::id_unknown, Argument::id, [this] { return grid_.erase(8); }},
        {Cause::id_unknown, Argument::edits,
         [this] { return grid_.edit(std::array{Edit<2>::erase(8)}); }},
        {Cause::too_many, Argument::id, [this] { return grid_.insert(kNoId, {points_[0]}); }},
        {Cause::not_stored, Argument::groups,
         [this] {
             return inserted(grid_, {points_[0], {}, 3u});
         }},
        {Cause::missing, Argument::groups,
         [this] {
             RowGrid<2> masked;
             EXPECT_EQ(masked.configure(kWorld, kCell, {false, true, {}}), Status{});
             return inserted(masked, {points_[0]});
         }},
        {Cause::not_configured, Argument::none,
         [this] {
             RowGrid<2> raw;
             return inserted(raw, {points_[0]});
         }},
        {Cause::handle_stale, Argument::handle, with_handles([this](Crowd<2>& named) {
             EXPECT_EQ(named.remove(handle_), Status{});
             return named.check(handle_);
         })},
        {Cause::handle_foreign, Argument::handle,
         with_handles([](Crowd<2>& named) { return named.remove(Handle{}); })},
        {Cause::other_names, Argument::handle,
         [this] { return crowd_.add({points_[0]}, handle_); }},
        {Cause::id_unknown, Argument::names,
         [this] {
             return crowd_.move(std::array<Id, 1>{8},
                                PointView<2>::interleaved(points_[0].axis.data(), 1));
         }},
        {Cause::no_room, Argument::images,
         [this] {
             const auto one = PointView<2>::interleaved(points_[0].axis.data(), 1);
             return Images<2>(crowd_).write(one, one, {});
         }},
        {Cause::count_mismatch, Argument::keys, with_handles([this](Crowd<2>& named) {
             return named.set_keys({&handle_, 1}, {});
         })},
        {Cause::other_names, Argument::id,
         with_handles([this](Crowd<2>& named) { return inserted(named, {points_[0]}); })},
    };
}

std::vector<EveryRefusal::Refused> EveryRefusal::of_worlds() {
    const auto configure = [this](const std::function<void(CrowdSettings<2>&)>& spoil) {
        return [=, this] { return crowd_.configure(settings(spoil)); };
    };
    return {
        {Cause::inverted, Argument::bounds,
         [this] {
             return grid_.configure({kWorld.hi, kWorld.lo}, kCell);
         }},
        {Cause::not_positive, Argument::cell, [this] { return grid_.configure(kWorld, {}); }},
        {Cause::missing, Argument::bounds,
         configure([](CrowdSettings<2>& settings) { settings.cell = kCell; })},
        {Cause::not_finite, Argument::origin,
         configure([](CrowdSettings<2>& settings) { settings.origin[1] = kNan; })},
        {Cause::not_positive, Argument::period, configure([](CrowdSettings<2>& settings) {
             settings.bounds = Box<2>{};
             settings.periodic[0] = true;
         })},
        {Cause::wraps, Argument::radius,
         [this] {
             Crowd<2> round;
             EXPECT_EQ(round.configure(settings([](CrowdSettings<2>& settings) {
                 settings.bounds = kWorld;
                 settings.periodic[0] = true;
             })),
                       Status{});
             return run_kernel_in_crowd(loop_, round, {1e3f}, Roll{}, Sets::all);
         }},
    };
}

std::vector<EveryRefusal::Refused> EveryRefusal::of_shapes() {
    const Point<2> nowhere = {kNan, 0.0f};
    const Point<2> east = {1.0f, 0.0f};
    Convex<2> many_sided;
    many_sided.count = Convex<2>::kMostSides + 1;
    return {
        {Cause::not_finite, Argument::box,
         [=, this] {
             return asked(Box<2>{nowhere, east});
         }},
        {Cause::too_large, Argument::ball,
         [this] {
             return asked(Ball<2>{{}, 2e18f});
         }},
        {Cause::not_finite, Argument::segment,
         [=, this] {
             return asked(Segment<2>{east, nowhere});
         }},
        {Cause::no_direction, Argument::ray,
         [=, this] {
             return asked(Ray<2>{east, {}});
         }},
        {Cause::negative, Argument::capsule,
         [=, this] {
             return asked(Capsule<2>{east, east, -1.0f});
         }},
        {Cause::no_cosine, Argument::sector,
         [=, this] {
             return asked(Sector<2>{east, 1.0f, east, 1.5f});
         }},
        {Cause::too_many, Argument::convex, [=, this] { return asked(many_sided); }},
        {Cause::not_finite, Argument::oriented_box,
         [=, this] { return asked(OrientedBox<2>{nowhere}); }},
        {Cause::negative, Argument::body_ball,
         [=, this] {
             return asked(BodyBall<2>{{east, -1.0f}});
         }},
        {Cause::no_direction, Argument::body_sector,
         [=, this] {
             return asked(BodySector<2>{{east, 1.0f, {}, 0.5f}});
         }},
        {Cause::out_of_range, Argument::body_cylinder,
         [=, this] {
             return asked(BodyCylinder<2>{{east, 1.0f, 0.0f, 1.0f, 1}, static_cast<Body>(3)});
         }},
        {Cause::out_of_range, Argument::cylinder,
         [=, this] {
             return asked(Cylinder<2>{east, 1.0f, 0.0f, 1.0f, 0});
         }},
        {Cause::not_convex, Argument::corners, [] { return polygon({}).status; }},
        {Cause::too_many, Argument::k,
         [this] { return grid_.nearest(points_[0], {kMostNearest + 1}, {}).status; }},
        {Cause::not_finite, Argument::points,
         [=, this] { return grid_.nearest(nowhere, {0}, {}).status; }},
        {Cause::negative, Argument::radius,
         [this] { return grid_.parts().count_neighbours({-1.0f}, 0, 1, scratch_, {}).status; }},
        {Cause::out_of_range, Argument::body,
         [this] {
             const Neighbourhood neither{.radius = 1.0f, .body = Body{3}};
             return grid_.parts().count_neighbours(neither, 0, 1, scratch_, {}).status;
         }},
    };
}

std::vector<EveryRefusal::Refused> EveryRefusal::of_arrays() {
    static constexpr std::array<Ball<2>, 2> kBalls = {kBall, kBall};
    static constexpr std::array<Filter, 1> kOneFilter{};
    static constexpr std::array<Capsule<2>, 1> kPaths{};
    static std::array<Id, 2> name;
    const auto count = [this](std::size_t end, std::span<std::uint32_t> scratch) {
        return grid_.parts().count(std::span(kBalls), 0, end, scratch, {}).status;
    };
    return {
        {Cause::out_of_range, Argument::range, [=, this] { return count(3, scratch_); }},
        {Cause::no_room, Argument::scratch, [=] { return count(2, {}); }},
        {Cause::no_room, Argument::counts, [=, this] { return count(2, scratch_); }},
        {Cause::no_room, Argument::offsets,
         [this] { return batch_.query(grid_, kBalls, HitsOutput{}).status; }},
        {Cause::no_room, Argument::nearest,
         [this] { return grid_.nearest(points_[0], {2}, {}).status; }},
        {Cause::negative, Argument::least,
         [this] { return grid_.nearest(points_[0], {.k = 0, .least = -1.0f}, {}).status; }},
        {Cause::out_of_range, Argument::band,
         [this] { return grid_.nearest(points_[0], {.k = 0, .band = {2}}, {}).status; }},
        {Cause::out_of_range, Argument::body,
         [this] {
             return grid_.nearest(points_[0], {.k = 0, .body = static_cast<Body>(3)}, {}).status;
         }},
        {Cause::not_finite, Argument::after,
         [this] {
             return grid_.nearest(points_[0], {.k = 0, .after = {kNan, 0}}, {}).status;
         }},
        {Cause::negative, Argument::skin,
         [this] { return LastingNeighbours<2>({.skin = -1.0f}).update(crowd_, agents_); }},
        {Cause::not_finite, Argument::wall,
         [] {
             return Obstacles<2>().insert(0, Wall{{kNan, 0.0f}, {1.0f, 0.0f}, 0.0f});
         }},
        {Cause::not_finite, Argument::triangle,
         [] {
             return Obstacles<3>().insert(
                 0, Triangle{{{{kNan, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}}}});
         }},
        {Cause::no_room, Argument::path_hits,
         [this] { return batch_.first(grid_, kPaths, {}).status; }},
        {Cause::out_of_range, Argument::order,
         [] {
             std::array<float, 2> array{};
             return reorder(std::array<Id, 2>{1, 1}, serial_executor(), array);
         }},
        {Cause::count_mismatch, Argument::arrays,
         [] {
             std::array<float, 3> array{};
             return reorder(std::array<Id, 2>{1, 0}, serial_executor(), array);
         }},
        {Cause::negative, Argument::wall,
         [] {
             return Obstacles<2>().insert(0, Wall{{}, {}, -1.0f});
         }},
        {Cause::not_finite, Argument::triangle,
         [] { return Obstacles<3>().insert(0, Triangle{{Point<3>::all(kNan)}}); }},
        {Cause::no_room, Argument::run,
         [this] {
             return grid_.parts()
                 .visit_pairs(0, 1, scratch_, {}, [](auto, auto) { return true; })
                 .status;
         }},
        {Cause::count_mismatch, Argument::filters,
         [this] {
             std::array<std::uint32_t, 2> counts{};
             return batch_.count(grid_, kBalls, counts, Filters{kOneFilter}).status;
         }},
        {Cause::count_mismatch, Argument::askers,
         [this] {
             return met({grid_, std::span<const Id>(name)}, {grid_});
         }},
        {Cause::too_many, Argument::others,
         [this] { return met(grid_, std::vector<NamedGrid<2>>(kMostGrids + 1, grid_)); }},
        {Cause::count_mismatch, Argument::shapes, [] { return check_shape(ShapesView<2>()); }},
    };
}

std::vector<EveryRefusal::Refused> EveryRefusal::of_files() {
    const auto load_spoilt = [this](const std::function<void(std::vector<std::byte>&)>& spoil) {
        return [=, this] {
            std::vector<std::byte> bytes = saved();
            spoil(bytes);
            return load(grid_, bytes);
        };
    };
    return {
        {Cause::io_failed, Argument::file, [this] { return load(grid_, "no/such/file"); }},
        {Cause::not_an_index, Argument::file,
         load_spoilt([](std::vector<std::byte>& bytes) { bytes.front() ^= std::byte{1}; })},
        {Cause::truncated, Argument::file,
         load_spoilt([](std::vector<std::byte>& bytes) { bytes.pop_back(); })},
        {Cause::corrupted, Argument::file,
         load_spoilt([](std::vector<std::byte>& bytes) { bytes.back() ^= std::byte{1}; })},
        {Cause::other_version, Argument::file,
         [this] {
             RowGrid<3> in_space;
             return load(in_space, saved());
         }},
        {Cause::cancelled, Argument::progress,
         [this] {
             std::vector<std::byte> bytes;
             return save(grid_, bytes, [](float) { return false; });
         }},
    };
}

std::vector<EveryRefusal::Refused> EveryRefusal::of_hosts() {
    return {
        // Argument::environment is tested in tests/isa.
        {Cause::no_such_isa, Argument::none,
         [this] {
             return loop_.run(grid_, {1.0f}, Isa::none, NeighbourLoop<2>::AgentOrder::none,
                              [](const auto&, const auto&, const auto&) {});
         }},
        {Cause::executor_failed, Argument::executor,
         [this] {
             FaultyExecutor idle(Fault::nothing, 0);
             return grid_.update(agents_, idle);
         }},
        {Cause::over_memory, Argument::memory,
         [this] {
             CappedMemory nothing(0);
             return crowd_.configure(
                 settings([&](CrowdSettings<2>& settings) { settings.memory = &nothing; }));
         }},
    };
}

std::vector<EveryRefusal::Refused> EveryRefusal::of_ranks() {
    static constexpr float kReach = 2.0f;
    // A job of two ranks, each of which makes calls of its own.
    const auto in_job = [](const std::function<Status(DistributedGrid<2>&, Ranks&)>& call,
                           const RankFaults& faults = {}) {
        return [=] {
            Status status;
            ThreadRanks job(2, 0, faults);
            job.run([&](Ranks& ranks) {
                DistributedGrid<2> crowd(ranks);
                const Status here = call(crowd, ranks);
                if (ranks.rank() == 0) { status = here; }
            });
            return status;
        };
    };
    const auto configured = [](DistributedGrid<2>& crowd, float reach,
                               std::optional<Cuts<2>> cuts = {}) {
        return crowd.configure({kWorld, kCell, reach, {}, std::move(cuts)});
    };
    RankFaults ends;
    ends.ends = {1, 0};
    return {
        {Cause::rank_lost, Argument::none,
         in_job([=](DistributedGrid<2>& crowd, Ranks&) { return configured(crowd, kReach); },
                ends)},
        {Cause::ranks_differ, Argument::none, in_job([=](DistributedGrid<2>& crowd, Ranks& ranks) {
             return configured(crowd, ranks.rank() == 0 ? kReach : 2.0f * kReach);
         })},
        {Cause::beyond_reach, Argument::radius, in_job([=](DistributedGrid<2>& crowd, Ranks&) {
             Hits hits;
             const Status status = configured(crowd, kReach);
             return status.ok() ? crowd.neighbours({2.0f * kReach}, hits) : status;
         })},
        {Cause::negative, Argument::reach,
         in_job([=](DistributedGrid<2>& crowd, Ranks&) { return configured(crowd, -1.0f); })},
        {Cause::count_mismatch, Argument::cuts, in_job([=](DistributedGrid<2>& crowd, Ranks&) {
             return configured(crowd, kReach, Cuts<2>::even(shape_over(kWorld, kCell).value, 3));
         })},
        {Cause::out_of_range, Argument::imbalance, in_job([=](DistributedGrid<2>& crowd, Ranks&) {
             DistributedSettings<2> settings{kWorld, kCell, kReach};
             settings.imbalance = 0.5f;
             return crowd.configure(settings);
         })},
        {Cause::out_of_range, Argument::most_agents, in_job([=](DistributedGrid<2>& crowd, Ranks&) {
             DistributedSettings<2> settings{kWorld, kCell, kReach};
             settings.most_agents = 0.5f;
             return crowd.configure(settings);
         })},
        {Cause::count_mismatch, Argument::columns, in_job([=](DistributedGrid<2>& crowd, Ranks&) {
             Share<2> mine;
             const auto column = mine.column<int>(Travels::with_owner);
             mine[column].resize(1);
             const Status status = configured(crowd, kReach);
             return status.ok() ? crowd.update(mine) : status;
         })},
    };
}

TEST_F(EveryRefusal, ComesAboutAndIsToldApart) {
    std::set<Cause> causes;
    std::set<Argument> arguments = {Argument::environment};
    for (const auto& part : {of_agents(), of_shapes(), of_arrays(), of_files(), of_hosts(),
                             of_edits(), of_worlds(), of_ranks()}) {
        for (const Refused& refused : part) {
            const Status status = refused.call();
            EXPECT_EQ(status.cause, refused.cause) << to_string(status);
            EXPECT_EQ(status.argument, refused.argument) << to_string(status);
            causes.insert(status.cause);
            arguments.insert(status.argument);
        }
    }
    // The loops end at the last cause and argument; a new one behind them fails below.
    for (unsigned cause = 0; cause <= static_cast<unsigned>(Cause::ranks_differ); ++cause) {
        EXPECT_TRUE(causes.contains(static_cast<Cause>(cause))) << cause;
    }
    for (unsigned argument = 0; argument <= static_cast<unsigned>(Argument::keys); ++argument) {
        EXPECT_TRUE(arguments.contains(static_cast<Argument>(argument))) << argument;
    }
    const auto after = static_cast<Cause>(static_cast<unsigned>(Cause::ranks_differ) + 1);
    EXPECT_EQ(to_string({after}).rfind("unknown cause", 0), 0u);
    EXPECT_EQ(to_string({Cause::not_finite,
                         static_cast<Argument>(static_cast<unsigned>(Argument::keys) + 1)}),
              "an argument is NaN or infinite");
}

} // namespace
} // namespace throng::test
