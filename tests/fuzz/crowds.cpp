// All ways in which the agents of one Crowd come, change and go: by ids, by handles with keys, and
// by names in any order; in cells that are given, fitted to the first agents or laid anew; in plain
// and in periodic worlds. Answers must be those of the oracle. What makes no sense is refused and
// changes nothing.
#include "../engine/crowd/crowd_truth.hpp"
#include "../support/scenes/periodic.hpp"
#include "../support/threads/executors.hpp"
#include "fuzz.hpp"

#include <throng/engine/agents/validation.hpp>
#include <throng/engine/crowd/images.hpp>
#include <throng/engine/frozen/frozen.hpp>
#include <throng/engine/shapes/bounds.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace throng::fuzz {
namespace {

constexpr Id kIds = 48;
constexpr std::size_t kMostSteps = 80;
constexpr float kSide = 16.0f;

using test::Ids;

template <std::size_t Dim>
class Crowds {
public:
    explicit Crowds(Input& input) : input_(input) {}

    void run() {
        configure();
        for (std::size_t s = 0; s < kMostSteps && !input_.empty(); ++s) {
            step();
        }
        check();
    }

private:
    void step() {
        switch (input_.below(16)) {
        case 0:
        case 1:
            return by_handles_ || input_.flip() ? add() : edit(1);
        case 2:
        case 3:
            return by_handles_ ? remove() : edit(1);
        case 4:
            return edit(input_.below(12));
        case 5:
        case 6:
            return update();
        case 7:
            return update_by_names();
        case 8:
        case 9:
            return move_by_names();
        case 10:
            return set_keys();
        case 11:
            return set_statics();
        case 12:
            return rare();
        case 13:
            return check_images();
        case 14:
            return check();
        default:
            return ask();
        }
    }
    void rare() {
        switch (input_.below(8)) {
        case 0:
            return configure();
        case 1:
            crowd().clear();
            return forget();
        case 2:
            return crowd().release_staging();
        case 3:
        case 4: {
            const Status status = crowd().reserve(input_.below(200), shuffled_);
            ASSERT_TRUE(status.ok() || oracle().size() == 0); // there may be no cells yet
            return;
        }
        default:
            save_and_load();
        }
    }

    // The world.

    [[nodiscard]] Crowd<Dim>& crowd() noexcept { return both_.crowd; }
    [[nodiscard]] test::Truth<Dim>& oracle() noexcept { return both_.oracle; }

    void configure() {
        CrowdSettings<Dim> settings;
        const std::uint32_t around = input_.flip() ? input_.below(1u << Dim) : 0;
        for (std::size_t a = 0; a < Dim; ++a) {
            settings.periodic[a] = (around >> a & 1) != 0;
        }
        wraps_ = around != 0;
        if (wraps_ || input_.flip()) { settings.bounds = Box<Dim>{{}, Point<Dim>::all(kSide)}; }
        if (settings.bounds && input_.flip()) {
            settings.cell = Point<Dim>::all(input_.flip() ? 1.0f : 2.5f);
        }
        settings.refits = input_.flip();
        CrowdKind<Dim> kind{input_.flip(), input_.flip(), {}};
        if (!kind.own_half_extents) { kind.common_half_extent = Point<Dim>::all(half()); }
        ASSERT_EQ(crowd().configure(settings, kind), Status{});
        world_ = {settings.bounds.value_or(Box<Dim>{}), settings.periodic};
        oracle() = test::Truth<Dim>(world_);
        oracle().go_by(crowd());
        ASSERT_EQ(oracle().configure(kind), Status{});
        has_place_ = settings.bounds.has_value();
        forget();
    }
    /// All agents are gone.
    void forget() {
        oracle().clear();
        by_handles_ = false;
        names_.clear();
        keys_.clear();
    }
    void save_and_load() {
        std::vector<std::byte> kept, again;
        Crowd<Dim> back;
        ASSERT_EQ(save(crowd(), kept), Status{});
        ASSERT_EQ(load(back, std::span<const std::byte>(kept)), Status{});
        ASSERT_EQ(save(back, again), Status{});
        ASSERT_EQ(kept, again);
        crowd() = std::move(back);
        for (auto& [id, handle] : names_) { // the old ones are those of another crowd
            handle = crowd().handle_of(id);
            handles_.push_back(handle);
        }
    }

    // Agents.

    float half() {
        return input_.below(16) == 0 ? 3.0f : 0.125f * static_cast<float>(input_.below(6));
    }
    /// Rarely one that is refused.
    Agent<Dim> any_agent(float spread = 1.0f) {
        Agent<Dim> agent{input_.point<Dim>(), {}, {}};
        for (float& x : agent.position.axis) {
            x = std::clamp(x * spread, -kLargest, kLargest);
        }
        if (input_.below(64) == 0) { agent.position[0] = input_.any_float(); }
        const CrowdKind<Dim>& kind = oracle().kind();
        if (kind.own_half_extents) { agent.half_extent = Point<Dim>::all(half()); }
        if (kind.groups) { agent.groups = input_.below(16); }
        return agent;
    }
    Id any_id() {
        const Id id = input_.below(kIds + 8);
        return id < kIds ? id : static_id(id - kIds);
    }
    /// Of an agent that is there or has gone, in this crowd or another.
    Handle any_handle() {
        if (handles_.empty()) { return {}; }
        return handles_[input_.below(static_cast<std::uint32_t>(handles_.size()))];
    }
    [[nodiscard]] bool lives(const Handle& handle) const {
        const auto named = names_.find(handle.slot);
        return named != names_.end() && named->second == handle;
    }
    [[nodiscard]] bool are_different(std::vector<Handle> handles) const {
        std::sort(handles.begin(), handles.end());
        return std::adjacent_find(handles.begin(), handles.end()) == handles.end();
    }

    // Changes.

    void add() {
        std::vector<Agent<Dim>> agents;
        std::vector<std::uint64_t> keys;
        bool valid = by_handles_ || oracle().size() == 0;
        const std::uint32_t count = input_.below(4) == 0 ? input_.below(9) : 1;
        for (std::uint32_t i = 0; i < count && oracle().size() + i < kIds; ++i) {
            agents.push_back(any_agent());
            keys.push_back(input_.flip() ? input_.raw<std::uint64_t>() : 0);
            valid = valid && check_agent(agents.back(), oracle().kind()).ok();
        }
        std::vector<Handle> handles(agents.size());
        const bool keyed = input_.flip();
        if (!keyed) { keys.assign(agents.size(), 0); }
        const bool one = agents.size() == 1 && input_.flip();
        const Status status = one     ? keyed ? crowd().add(agents[0], handles[0], keys[0])
                                              : crowd().add(agents[0], handles[0])
                                  : keyed ? crowd().add(agents, handles, keys, shuffled_)
                                      : crowd().add(agents, handles, shuffled_);
        if (agents.empty()) { return; }
        ASSERT_EQ(status.ok(), valid);
        for (std::size_t i = 0; i < agents.size() && valid; ++i) {
            ASSERT_EQ(oracle().insert(handles[i].slot, agents[i]), Status{}); // the slot was free
            names_[handles[i].slot] = handles[i];
            keys_[handles[i].slot] = keys[i];
            handles_.push_back(handles[i]);
            by_handles_ = has_place_ = true;
        }
    }
    void remove() {
        std::vector<Handle> handles;
        bool valid = true;
        const std::uint32_t count = input_.below(4) == 0 ? input_.below(6) : 1;
        for (std::uint32_t i = 0; i < count; ++i) {
            handles.push_back(any_handle());
            valid = valid && lives(handles.back());
        }
        valid = valid && are_different(handles);
        const Status status =
            count == 1 ? crowd().remove(handles[0]) : crowd().remove(handles, shuffled_);
        ASSERT_EQ(status.ok(), valid || handles.empty());
        for (const Handle& handle : handles) {
            if (!valid) { return; }
            ASSERT_EQ(oracle().erase(handle.slot), Status{});
            names_.erase(handle.slot);
            keys_.erase(handle.slot);
            ASSERT_FALSE(crowd().check(handle).ok());
        }
    }

    /// By ids. In a crowd of handles these may be those of statics alone.
    void edit(std::uint32_t count) {
        std::vector<Edit<Dim>> edits;
        for (std::uint32_t e = 0; e < count; ++e) {
            Id id = any_id();
            if (by_handles_ && !is_static(id)) { id = static_id(id % 8); }
            if (is_static(id) && !has_place_) { continue; }
            Agent<Dim> agent = any_agent();
            if (is_static(id) && !agent.half_extent) {
                agent.half_extent = Point<Dim>::all(half());
            }
            const std::uint32_t what = input_.below(3);
            edits.push_back(what == 0   ? Edit<Dim>::insert(id, agent)
                            : what == 1 ? Edit<Dim>::erase(id)
                                        : Edit<Dim>::move(id, agent.position));
        }
        const Status status =
            edits.size() == 1 && input_.flip() ? both_.apply(edits[0]) : both_.apply(edits);
        has_place_ = has_place_ || (status.ok() && oracle().size() != 0);
    }

    /// Agents in arrays.
    scenes::Scene<Dim> scene_of(const std::vector<Agent<Dim>>& agents) {
        scenes::Scene<Dim> scene;
        scene.common_half_extent = oracle().kind().common_half_extent;
        for (const Agent<Dim>& agent : agents) {
            agent.half_extent ? scene.add(agent.position, *agent.half_extent)
                              : scene.add(agent.position);
            if (agent.groups) { scene.groups.push_back(*agent.groups); }
        }
        return scene;
    }
    float any_spread() {
        static constexpr float kSpreads[] = {1.0f, 1.0f, 30.0f, 3000.0f, 1e9f};
        return input_.any_of(kSpreads);
    }
    /// The agents with these ids are now these; by ids, they may be others than before.
    void replace(const std::vector<Id>& ids, const std::vector<Agent<Dim>>& agents) {
        oracle().clear();
        for (std::size_t i = 0; i < ids.size(); ++i) {
            ASSERT_EQ(oracle().insert(ids[i], agents[i]), Status{});
        }
        has_place_ = has_place_ || !ids.empty();
    }

    void update() {
        const float spread = any_spread();
        std::vector<Agent<Dim>> agents(by_handles_ ? crowd().slots() : input_.below(kIds));
        std::vector<Id> ids;
        std::vector<Agent<Dim>> of_ids;
        bool valid = true;
        for (Id id = 0; id < agents.size(); ++id) {
            agents[id] = any_agent(spread);
            if (by_handles_ && !names_.contains(id)) { // is not read
                agents[id].position[0] = std::numeric_limits<float>::quiet_NaN();
                continue;
            }
            valid = valid && check_agent(agents[id], oracle().kind()).ok();
            ids.push_back(id);
            of_ids.push_back(agents[id]);
        }
        if (agents.empty()) { return; } // arrays of nothing have no kind
        scenes::Scene<Dim> scene = scene_of(agents);
        ASSERT_EQ(crowd().update(scene.agents(), shuffled_).ok(), valid);
        if (valid) { replace(ids, of_ids); }
    }

    void update_by_names() {
        const float spread = any_spread();
        std::vector<Id> ids;
        std::vector<Handle> handles;
        std::vector<Agent<Dim>> agents;
        bool valid = true;
        if (by_handles_) {
            for (const auto& [id, handle] : names_) {
                handles.push_back(handle);
            }
        } else {
            for (std::uint32_t left = input_.below(24); left != 0; --left) {
                ids.push_back(input_.below(kIds));
            }
            std::sort(ids.begin(), ids.end());
            if (input_.below(8) != 0) {
                ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
            } else if (input_.flip()) {
                ids.push_back(static_id(2));
                valid = false;
            }
            valid = valid && std::adjacent_find(ids.begin(), ids.end()) == ids.end();
        }
        const std::size_t count = std::max(ids.size(), handles.size());
        for (std::size_t i = count; i > 1; --i) { // in any order
            const std::size_t other = input_.below(static_cast<std::uint32_t>(i));
            by_handles_ ? std::swap(handles[i - 1], handles[other])
                        : std::swap(ids[i - 1], ids[other]);
        }
        if (count != 0 && by_handles_ && input_.below(8) == 0) {
            handles[input_.below(static_cast<std::uint32_t>(count))] = any_handle();
            valid =
                are_different(handles) && std::all_of(handles.begin(), handles.end(),
                                                      [&](const auto& one) { return lives(one); });
        }
        for (std::size_t i = 0; i < count; ++i) {
            agents.push_back(any_agent(spread));
            valid = valid && check_agent(agents[i], oracle().kind()).ok();
        }
        if (agents.empty()) { return; }
        scenes::Scene<Dim> scene = scene_of(agents);
        const Status status = by_handles_ ? crowd().update(scene.agents(), handles, shuffled_)
                                          : crowd().update(scene.agents(), ids, shuffled_);
        ASSERT_EQ(status.ok(), valid);
        if (!valid) { return; }
        for (const Handle& handle : handles) {
            ids.push_back(handle.slot);
        }
        replace(ids, agents);
    }

    /// A name may come twice.
    void move_by_names() {
        std::vector<Id> ids;
        std::vector<Handle> handles;
        scenes::Scene<Dim> places;
        bool valid = true;
        for (std::uint32_t left = 1 + input_.below(8); left != 0; --left) {
            if (by_handles_) {
                handles.push_back(any_handle());
                valid = valid && lives(handles.back());
                ids.push_back(handles.back().slot);
            } else {
                ids.push_back(any_id());
                valid = valid && oracle().contains(ids.back());
            }
            places.add(any_agent().position);
            valid =
                valid && check_point(places.position_of(ids.size() - 1), Argument::positions).ok();
        }
        PointView<Dim> positions = places.agents().positions;
        if (input_.below(16) == 0) {
            --positions.count;
            valid = false;
        }
        const Status status = by_handles_ ? crowd().move(handles, positions, shuffled_)
                                          : crowd().move(ids, positions, shuffled_);
        ASSERT_EQ(status.ok(), valid);
        for (std::size_t i = 0; i < ids.size() && valid; ++i) {
            ASSERT_EQ(oracle().move(ids[i], places.position_of(i)), Status{});
        }
    }

    void set_keys() {
        std::vector<Handle> handles;
        std::vector<std::uint64_t> keys;
        bool valid = true;
        for (std::uint32_t left = 1 + input_.below(4); left != 0; --left) {
            handles.push_back(any_handle());
            keys.push_back(input_.raw<std::uint64_t>());
            valid = valid && lives(handles.back());
        }
        const Status status = handles.size() == 1 ? crowd().set_key(handles[0], keys[0])
                                                  : crowd().set_keys(handles, keys);
        ASSERT_EQ(status.ok(), valid);
        for (std::size_t i = 0; i < handles.size() && valid; ++i) {
            keys_[handles[i].slot] = keys[i];
        }
    }

    void set_statics() {
        scenes::Scene<Dim> still;
        for (std::uint32_t left = input_.below(8); left != 0; --left) {
            still.add(input_.point<Dim>(), Point<Dim>::all(half()));
        }
        ASSERT_EQ(crowd().set_statics(still.agents(), shuffled_), Status{});
        ASSERT_EQ(oracle().set_statics(still.agents()), Status{});
    }

    // Questions.

    static Sets any_sets(Input& input) { return input.any_of(test::kSomeSets); }

    /// Whether the oracle has enough copies: of shapes that are neither wide nor far away.
    template <class Shape>
    [[nodiscard]] bool is_narrow(const Shape& shape) const {
        const Box<Dim> bounds = ShapeGate<Dim>(shape).bounds();
        bool narrow = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            narrow = narrow &&
                     (!world_.axes[a] || (-kSide < bounds.lo[a] && bounds.hi[a] < 2.0f * kSide));
        }
        return narrow;
    }
    void ask() {
        const Filter filter = input_.filter(kIds);
        const Sets sets = any_sets(input_);
        input_.with_sane_shape<Dim>([&]<class Shape>(const Shape& shape) {
            if (!check_shape(shape).ok() || !is_narrow(shape)) { return; }
            if (wraps_) { return check_across(shape, filter, sets); }
            both_.check(shape, filter, sets);
            check_keys(shape, filter, sets);
            if constexpr (PathIn<Shape, Dim>) { both_.check_path(shape, filter, sets); }
        });
        const Point<Dim> point = input_.point<Dim>();
        const Nearest nearest{input_.below(6), input_.length()};
        if (!wraps_) { return both_.check_nearest(point, nearest, filter, sets); }
        std::vector<Near> near(nearest.k);
        near.resize(crowd().nearest(point, nearest, near, filter, sets).count);
        ASSERT_EQ(near, oracle().nearest_to(point, nearest, filter, sets));
    }
    /// In a periodic world copies of the shape find after the shape itself, so members alone are
    /// compared. A shape may need too many copies.
    template <class Shape>
    void check_across(const Shape& shape, const Filter& filter, Sets sets) {
        test::Ids got;
        const Status status = crowd().query(shape, got, filter, sets).status;
        ASSERT_EQ(crowd().count(shape, filter, sets).status, status);
        if (status.cause == Cause::wraps) { return; }
        ASSERT_EQ(status, Status{});
        test::Ids some(got.size() / 2);
        ASSERT_EQ(crowd().query(shape, std::span<Id>(some), filter, sets).count, got.size());
        ASSERT_TRUE(std::equal(some.begin(), some.end(), got.begin()));
        check_keys(shape, filter, sets);
        test::Ids right = oracle().ids_in(shape, filter, sets);
        std::sort(got.begin(), got.end());
        std::sort(right.begin(), right.end());
        ASSERT_EQ(got, right);
        ASSERT_EQ(crowd().count(shape, filter, sets).count, right.size());
        ASSERT_EQ(crowd().any(shape, filter, sets).count, right.empty() ? 0u : 1u);
    }
    [[nodiscard]] std::uint64_t key(Id id) const {
        if (is_static(id)) { return id; }
        const auto kept = keys_.find(id);
        return kept == keys_.end() ? 0 : kept->second;
    }
    template <class Shape>
    void check_keys(const Shape& shape, const Filter& filter, Sets sets) {
        const std::vector<Shape> twice(2, shape);
        Hits hits;
        KeyHits keys;
        ASSERT_EQ(crowd().query(twice, hits, filter, sets).status, Status{});
        ASSERT_EQ(crowd().keys(hits, keys, shuffled_), Status{});
        for (std::size_t q = 0; q < 2; ++q) {
            ASSERT_TRUE(
                std::ranges::equal(keys.of(q), hits.of(q), {}, {}, [&](Id id) { return key(id); }));
        }
    }

    /// The copy of another that an asker sees is the nearest; of equally near ones that of an asker
    /// who stays, else of one who is moved down.
    void check_images() {
        const Images<Dim> images(crowd());
        const Point<Dim> one = input_.point<Dim>(), other = input_.point<Dim>();
        const Point<Dim> asker = world_.inside(one), seen = world_.inside(other);
        Image<Dim> image{};
        for (std::size_t a = 0; a < Dim; ++a) {
            float least = std::abs(seen[a] - asker[a]);
            for (const int step : {-1, 1}) {
                const float moved = asker[a] + static_cast<float>(step) * kSide;
                const float way = std::abs(seen[a] - moved);
                if (!world_.axes[a] || !(way < least)) { continue; }
                least = way;
                image[a] = static_cast<std::int8_t>(-step);
            }
        }
        ASSERT_EQ(images.of(one, other), image);
        std::array<Image<Dim>, 1> written{};
        const auto view = [](const Point<Dim>& point) {
            return PointView<Dim>::interleaved(point.axis.data(), 1);
        };
        ASSERT_EQ(images.write(view(one), view(other), written), Status{});
        ASSERT_EQ(written[0], image);
    }

    void check() {
        ASSERT_STREQ(crowd().validate(), nullptr);
        ASSERT_EQ(crowd().size(), oracle().size());
        ASSERT_EQ(crowd().size(Sets::statics), oracle().statics());
        ASSERT_EQ(crowd().kind(), oracle().kind());
        for (Id i = 0; i < kIds + 8; ++i) {
            const Id id = i < kIds ? i : static_id(i - kIds);
            ASSERT_EQ(crowd().contains(id), oracle().contains(id)) << id;
            ASSERT_EQ(crowd().key_of(id), key(id)) << id;
            const auto named = names_.find(id);
            ASSERT_EQ(crowd().handle_of(id), named == names_.end() ? Handle{} : named->second);
        }
        for (const Handle& handle : handles_) {
            ASSERT_EQ(crowd().check(handle).ok(), lives(handle));
        }
        if (!wraps_) { both_.check_order(); }
        both_.check_pairs(PairSets::all, input_.filter(1).groups);
    }

    Input& input_;
    test::ShuffleExecutor shuffled_{7};
    test::CrowdTruth<Dim> both_;
    test::Periodic<Dim> world_{};
    bool wraps_ = false, by_handles_ = false;
    bool has_place_ = false; // bounds, or cells: statics may come
    std::map<Id, Handle> names_;
    std::map<Id, std::uint64_t> keys_;
    std::vector<Handle> handles_; // all there ever were
};

} // namespace

void run(Input& input) {
    if (input.flip()) {
        Crowds<3>(input).run();
    } else {
        Crowds<2>(input).run();
    }
}

} // namespace throng::fuzz
