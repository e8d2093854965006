// Contacts and lasting lists over frames in which agents move, are born and die, in plain and in
// periodic worlds, by ids and by handles; between them, what batches say of all agents. Pairs and
// lists must be those of the oracle, what has changed must follow from the pairs, and lists must
// last exactly as long as they may.
#include "../parallel/frames/frames_model.hpp"
#include "../support/scenes/periodic.hpp"
#include "../support/threads/executors.hpp"
#include "../support/truth.hpp"
#include "../trust/by_lists.hpp"
#include "fuzz.hpp"

#include <throng/parallel/frames/contacts.hpp>
#include <throng/parallel/frames/lasting_neighbours.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace throng::fuzz {
namespace {

constexpr Id kIds = 40;
constexpr std::size_t kMostSteps = 60;
constexpr float kSide = 16.0f;
constexpr Body kBodies[] = {Body::centre, Body::box, Body::disc};

using test::Ids;

template <std::size_t Dim>
class Frames {
public:
    explicit Frames(Input& input)
        : input_(input), executor_(*any_executor()), contacts_(executor_),
          lists_(any_settings(), executor_) {}

    void run() {
        lay_out();
        for (std::size_t s = 0; s < kMostSteps && !input_.empty(); ++s) {
            step();
        }
        ask_contacts();
        update_lists();
    }

private:
    /// All agents by id, as a host has them; what is at ids that no agent has must not be read.
    struct Arrays {
        std::array<std::vector<float>, Dim> position, half;
        std::vector<std::uint32_t> groups;
        std::vector<bool> alive;

        Arrays() : groups(kIds), alive(kIds) {
            for (std::size_t a = 0; a < Dim; ++a) {
                position[a].assign(kIds, std::numeric_limits<float>::quiet_NaN());
                half[a].assign(kIds, 0.25f);
            }
        }
        [[nodiscard]] Point<Dim> at(Id id) const {
            Point<Dim> point;
            for (std::size_t a = 0; a < Dim; ++a) {
                point[a] = position[a][id];
            }
            return point;
        }
        [[nodiscard]] Agent<Dim> agent(Id id) const {
            Point<Dim> extent;
            for (std::size_t a = 0; a < Dim; ++a) {
                extent[a] = half[a][id];
            }
            return {at(id), extent, groups[id]};
        }
        void put(Id id, const Agent<Dim>& agent) {
            for (std::size_t a = 0; a < Dim; ++a) {
                position[a][id] = agent.position[a];
                half[a][id] = (*agent.half_extent)[a];
            }
            groups[id] = *agent.groups;
            alive[id] = true;
        }
        void bury(Id id) {
            alive[id] = false;
            position[0][id] = std::numeric_limits<float>::quiet_NaN();
        }
        [[nodiscard]] Agents<Dim> agents(std::size_t count) const {
            std::array<const float*, Dim> axes, extents;
            for (std::size_t a = 0; a < Dim; ++a) {
                axes[a] = position[a].data();
                extents[a] = half[a].data();
            }
            Agents<Dim> all;
            all.positions = PointView<Dim>::separate(axes, count);
            all.half_extents = PointView<Dim>::separate(extents, count);
            all.groups = {groups.data(), sizeof(std::uint32_t), count};
            return all;
        }
    };

    void lay_out() {
        CrowdSettings<Dim> settings;
        settings.bounds = Box<Dim>{{}, Point<Dim>::all(kSide)};
        settings.cell = Point<Dim>::all(input_.flip() ? 1.0f : 2.5f);
        const std::uint32_t around = input_.below(8);
        for (std::size_t a = 0; a < Dim; ++a) {
            settings.periodic[a] = (around >> a & 1) != 0;
        }
        world_ = {*settings.bounds, settings.periodic};
        by_handles_ = input_.flip();
        ASSERT_EQ(crowd_.configure(settings, {true, true, {}}), Status{});
        Arrays walls;
        const std::size_t standing = input_.below(8);
        for (Id id = 0; id < standing; ++id) {
            walls.put(id, any_agent());
        }
        standing_ = walls;
        ASSERT_EQ(crowd_.set_statics(standing_.agents(standing)), Status{});
        statics_ = standing;
        for (std::uint32_t i = input_.below(kIds); i != 0; --i) {
            be_born(i);
        }
    }

    void step() {
        const std::uint32_t what = input_.below(16);
        const Id id = input_.below(kIds);
        if (what < 2) {
            be_born(id);
        } else if (what == 2) {
            die(id);
        } else if (what == 3) {
            move(id);
        } else if (what < 7) {
            walk();
        } else if (what == 7) {
            if (arrays_.alive[id]) { arrays_.groups[id] = input_.below(16); }
        } else if (what == 8) {
            update_crowd();
        } else if (what < 12) {
            ask_contacts();
        } else if (what < 15) {
            update_lists();
        } else if (id < 4) {
            lists_ = LastingNeighbours<Dim>(any_settings(), executor_);
            lists_hold_ = false;
        } else if (id == 4) {
            contacts_.clear();
            model_.clear();
        } else if (id < 10) {
            ask_batches();
        } else {
            ask_lists();
        }
    }

    // Choices.

    Executor* any_executor() {
        static ThreadPool pool(2);
        Executor* const all[] = {&serial_executor(), &shuffled_, &pool};
        return input_.any_of(all);
    }
    LastingSettings any_settings() {
        static constexpr float kRadii[] = {1.0f, 0.25f, 2.5f, 0.0f};
        static constexpr float kSkins[] = {0.5f, 0.0f, 2.0f, 0.0625f};
        static constexpr Sets kSets[] = {Sets::all, Sets::agents, Sets::small, Sets::statics};
        LastingSettings settings;
        settings.neighbourhood = {input_.any_of(kRadii), input_.below(4) == 0,
                                  input_.filter(1).groups, input_.below(4) == 0};
        settings.skin = input_.any_of(kSkins);
        settings.sets = input_.any_of(kSets);
        return settings;
    }
    Agent<Dim> any_agent() {
        const float half =
            input_.below(16) == 0 ? 3.0f : 0.125f * static_cast<float>(input_.below(6));
        return {input_.point<Dim>(), Point<Dim>::all(half), input_.below(16)};
    }

    // Changes of the crowd, which end the lists.

    void be_born(Id id) {
        const Agent<Dim> agent = any_agent();
        if (by_handles_) {
            if (crowd_.size() == kIds) { return; }
            Handle handle;
            ASSERT_EQ(crowd_.add(agent, handle), Status{});
            ASSERT_LT(handle.slot, kIds);
            ASSERT_FALSE(held_.alive[handle.slot]);
            id = handle.slot;
        } else {
            ASSERT_EQ(crowd_.insert(id, agent),
                      held_.alive[id] ? (Status{Cause::id_taken, Argument::id, id}) : Status{});
            if (held_.alive[id]) { return; }
        }
        lists_hold_ = false;
        held_.put(id, agent);
        arrays_.put(id, agent);
    }
    void die(Id id) {
        if (!held_.alive[id]) { return; }
        lists_hold_ = false;
        ASSERT_EQ(by_handles_ ? crowd_.remove(crowd_.handle_of(id)) : crowd_.erase(id), Status{});
        held_.bury(id);
        arrays_.bury(id);
    }
    void move(Id id) {
        const Point<Dim> to = input_.point<Dim>();
        if (!held_.alive[id]) { return; }
        lists_hold_ = false;
        ASSERT_EQ(by_handles_ ? crowd_.move(crowd_.handle_of(id), to) : crowd_.move(id, to),
                  Status{});
        for (Arrays* const all : {&held_, &arrays_}) {
            for (std::size_t a = 0; a < Dim; ++a) {
                all->position[a][id] = to[a];
            }
        }
    }

    /// How many agents an update has. By ids, all below this are alive afterwards.
    std::size_t count() {
        if (by_handles_) { return crowd_.slots(); }
        std::size_t count = kIds;
        while (count != 0 && !arrays_.alive[count - 1]) {
            --count;
        }
        for (Id id = 0; id < count; ++id) {
            if (!arrays_.alive[id]) { arrays_.put(id, any_agent()); }
        }
        return count;
    }
    void update_crowd() {
        const std::size_t agents = count();
        const Status status = crowd_.update(arrays_.agents(agents), executor_);
        ASSERT_EQ(status.ok(), are_sane());
        if (!status.ok()) { return; }
        lists_hold_ = false;
        held_ = arrays_;
    }

    /// Moves agents, but not in the crowd: most of them a little, some to any place.
    void walk() {
        const float step = 0.015625f * static_cast<float>(1 + input_.below(16));
        for (std::uint32_t i = 1 + input_.below(kIds / 2); i != 0; --i) {
            const Id id = input_.below(kIds);
            const std::uint32_t how = input_.below(64);
            if (!arrays_.alive[id]) { continue; }
            for (std::size_t a = 0; a < Dim; ++a) {
                float& x = arrays_.position[a][id];
                x = how == 0   ? input_.coordinate()
                    : how == 1 ? input_.any_float()
                               : x + step * static_cast<float>(input_.below(3)) - step;
            }
        }
    }

    // The oracle.

    /// Whether an update takes these positions.
    [[nodiscard]] bool are_sane() const {
        for (Id id = 0; id < kIds; ++id) {
            for (std::size_t a = 0; a < Dim && arrays_.alive[id]; ++a) {
                if (!(std::abs(arrays_.position[a][id]) <= kLargest)) { return false; }
            }
        }
        return true;
    }
    [[nodiscard]] test::Truth<Dim> truth_of(const Arrays& arrays) const {
        test::Truth<Dim> truth(world_, 2);
        EXPECT_EQ(truth.configure({true, true, {}}), Status{});
        for (Id id = 0; id < kIds; ++id) {
            if (arrays.alive[id]) { EXPECT_EQ(truth.insert(id, arrays.agent(id)), Status{}); }
        }
        EXPECT_EQ(truth.set_statics(standing_.agents(statics_)), Status{});
        truth.go_by(crowd_);
        return truth;
    }
    /// A pair must be there if each of the two finds the other, and may be if one does: across a
    /// border, coordinates are rounded on one side alone. Statics find nobody.
    static bool has(const std::vector<Ids>& lists, Id asker, Id found) {
        return !is_static(asker) && asker < lists.size() &&
               std::find(lists[asker].begin(), lists[asker].end(), found) != lists[asker].end();
    }
    static bool must_be(const std::vector<Ids>& lists, Id one, Id other) {
        const bool there = has(lists, one, other);
        return there && (is_static(other) || has(lists, other, one));
    }
    static bool may_be(const std::vector<Ids>& lists, Id one, Id other) {
        return has(lists, one, other) || has(lists, other, one);
    }

    /// Lists, whole and half, the nearest and pairs, by centres and by bodies.
    void ask_batches() {
        static constexpr float kRadii[] = {0.5f, 0.25f, 1.5f, 0.0f};
        const test::Truth<Dim> truth = truth_of(held_);
        test::ListsOfAll<Dim> lists(crowd_, truth, input_.any_of(kRadii));
        ASSERT_STREQ(lists.complaint(), nullptr);
    }

    // Contacts.

    void ask_contacts() {
        test::FrameKind<Dim> kind{&crowd_};
        static constexpr PairSets kSets[] = {PairSets::agents, PairSets::all};
        kind.sets = input_.any_of(kSets);
        kind.groups = input_.filter(1).groups;
        const std::uint32_t body = input_.below(3);
        if (input_.flip()) {
            static constexpr float kRadii[] = {0.5f, 0.25f, 0.0f, 1.5f};
            kind.radius = input_.below(16) == 0 ? input_.any_float() : input_.any_of(kRadii);
        }
        kind.near = kBodies[body];
        kind.overlapping = body == 0 ? Body::box : kBodies[body];

        Pairs pairs;
        Batch<Dim> batch;
        const test::FrameAnswers before = test::answers_of(contacts_);
        const Status valid = kind.list(batch, pairs);
        ASSERT_EQ(kind.update(contacts_), valid);
        const test::FrameAnswers now = test::answers_of(contacts_);
        if (!valid.ok()) {
            ASSERT_TRUE(now == before);
            return;
        }
        ASSERT_TRUE(now == model_.next(kind));
        check_pairs(kind, now.pairs);
    }
    void check_pairs(const test::FrameKind<Dim>& kind, const std::vector<Contact>& got) {
        if (kind.radius && *kind.radius > kSide) { return; } // the oracle has too few copies
        const test::Truth<Dim> truth = truth_of(held_);
        test::IdPairs pairs;
        for (const Contact& pair : got) {
            pairs.emplace_back(pair.first, pair.second);
        }
        if (!kind.radius) {
            test::IdPairs wanted = truth.pairs(kind.groups, kind.sets, 1, kind.overlapping);
            for (auto& pair : wanted) {
                if (pair.first > pair.second) { std::swap(pair.first, pair.second); }
            }
            std::sort(wanted.begin(), wanted.end());
            ASSERT_EQ(pairs, wanted);
            return;
        }
        const Sets sets = kind.sets == PairSets::all ? Sets::all : Sets::agents;
        const auto near =
            truth.neighbours({*kind.radius, false, kind.groups, false, kind.near}, sets);
        const auto in = [&](Id id) {
            return kind.groups == kAllGroups || (truth[id].groups & kind.groups) != 0;
        };
        for (const auto& one : truth.members()) {
            for (const auto& other : truth.members()) {
                if (one.name >= other.name) { continue; }
                const bool found =
                    std::binary_search(pairs.begin(), pairs.end(), std::pair(one.name, other.name));
                const bool both = in(one.name) && in(other.name);
                if (found) {
                    ASSERT_TRUE(both && may_be(near, one.name, other.name))
                        << one.name << " and " << other.name;
                } else {
                    ASSERT_FALSE(both && must_be(near, one.name, other.name))
                        << one.name << " and " << other.name;
                }
            }
        }
    }

    // Lasting lists.

    /// The greatest distance of an agent from where it was when lists were made.
    [[nodiscard]] double moved() const {
        double most = 0.0;
        for (Id id = 0; id < kIds; ++id) {
            if (!arrays_.alive[id]) { continue; }
            double sum = 0.0;
            const Point<Dim> now = world_.inside(arrays_.at(id)),
                             then = world_.inside(held_.at(id));
            for (std::size_t a = 0; a < Dim; ++a) {
                double way = std::abs(double{now[a]} - double{then[a]});
                if (world_.axes[a]) { way = std::min(way, std::abs(kSide - way)); }
                sum += way * way;
            }
            most = std::max(most, std::sqrt(sum));
        }
        return most;
    }
    /// Whether agents are the same as those that the crowd holds, but for their positions.
    [[nodiscard]] bool are_the_same() const {
        bool same = true;
        for (Id id = 0; id < kIds; ++id) {
            same = same && arrays_.alive[id] == held_.alive[id];
            same = same && (!held_.alive[id] || arrays_.groups[id] == held_.groups[id]);
        }
        return same;
    }

    void update_lists() {
        const std::size_t agents = count();
        const bool sane = are_sane();
        const std::uint64_t made = lists_.made();
        const Ids order(lists_.order().begin(), lists_.order().end());
        const Status status = lists_.update(crowd_, arrays_.agents(agents));
        ASSERT_EQ(status.ok(), sane);
        if (!sane) {
            ASSERT_EQ(lists_.made(), made);
            ASSERT_TRUE(std::ranges::equal(lists_.order(), order));
            return;
        }
        // Rounding of distances decides where an agent has moved almost as far as it may.
        const double half = 0.5 * lists_.settings().skin, far = moved();
        if (lists_hold_ && are_the_same()) {
            if (far < 0.999 * half || far <= 0.0) { ASSERT_EQ(lists_.made(), made); }
            if (far > 1.001 * half) { ASSERT_EQ(lists_.made(), made + 1); }
        } else {
            ASSERT_EQ(lists_.made(), made + 1);
        }
        if (lists_.made() != made) { held_ = arrays_; }
        lists_hold_ = true;
        ask_lists();
    }

    /// Asks with positions that may have moved since the last update.
    void ask_lists() {
        if (!lists_hold_ || !are_the_same()) { return; }
        Hits hits;
        const std::size_t agents = by_handles_ ? crowd_.slots() : count();
        const Status status = lists_.neighbours(arrays_.agents(agents), hits);
        if (!are_sane()) {
            ASSERT_FALSE(status.ok());
            return;
        }
        const double half = 0.5 * lists_.settings().skin, far = moved();
        if (far < 0.999 * half || far <= 0.0) { ASSERT_EQ(status, Status{}); }
        if (far > 1.001 * half) { ASSERT_FALSE(status.ok()); }
        if (status.ok()) { check_lists(hits); }
    }
    void check_lists(const Hits& hits) {
        const LastingSettings& settings = lists_.settings();
        Neighbourhood whole = settings.neighbourhood;
        whole.later_only = false;
        const std::vector<Ids> wanted = truth_of(arrays_).neighbours(whole, settings.sets);
        ASSERT_EQ(lists_.order().size(), crowd_.size());
        std::vector<Ids> got(wanted.size());
        for (std::size_t k = 0; k < lists_.order().size(); ++k) {
            Ids& list = got[lists_.order()[k]];
            list.assign(hits.of(k).begin(), hits.of(k).end());
            std::sort(list.begin(), list.end());
        }
        if (!settings.neighbourhood.later_only) {
            ASSERT_EQ(got, wanted);
            return;
        }
        // Each pair is in one of the two lists; with groups, in the one that may find the other.
        for (Id id = 0; id < got.size(); ++id) {
            for (const Id other : got[id]) {
                ASSERT_TRUE(has(wanted, id, other)) << id << " and " << other;
                ASSERT_TRUE(id == other || !has(got, other, id)) << id << " and " << other;
            }
            for (const Id other : wanted[id]) {
                if (is_static(other) || id == other) {
                    ASSERT_TRUE(has(got, id, other)) << id << " and " << other;
                } else if (must_be(wanted, id, other)) {
                    ASSERT_TRUE(may_be(got, id, other)) << id << " and " << other;
                }
            }
        }
    }

    Input& input_;
    test::ShuffleExecutor shuffled_{7};
    Executor& executor_;
    test::Periodic<Dim> world_{};
    bool by_handles_ = false;
    Crowd<Dim> crowd_;
    Arrays arrays_, held_, standing_; // the host's agents, those that the crowd holds, and statics
    std::size_t statics_ = 0;
    Contacts<Dim> contacts_;
    test::FramesModel<Dim> model_;
    LastingNeighbours<Dim> lists_;
    bool lists_hold_ = false; // lists were made, and the crowd has not changed since
};

} // namespace

void run(Input& input) {
    if (input.flip()) {
        Frames<3>(input).run();
    } else {
        Frames<2>(input).run();
    }
}

} // namespace throng::fuzz
