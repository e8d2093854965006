// The ways in which a host tells a crowd that agents have moved: arrays by id, arrays with names,
// lists of edits, and single calls; and how it changes
// few of many giants or statics. So, too, where readers have frames.
#include "benchmarks.hpp"
#include "measure/measure.hpp"

#include "../tests/support/random.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/crowd/published_crowd.hpp>

#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace throng::bench {

namespace {

enum class Telling { by_id, by_names, scattered, edit, singles, frame, edited_frame };

/// Agents in the plane, a few to a square of 36, and the crowd of them, which is told that the
/// first `moves` of them, in a random order, have taken a step to and fro.
class Told {
public:
    Told(std::size_t agents, std::size_t moves) : x_(agents), y_(agents), names_(agents) {
        scenes::Random random(7);
        const float side = 6.0f * std::sqrt(static_cast<float>(agents));
        for (std::size_t i = 0; i < agents; ++i) {
            x_[i] = random.between(0.0f, side);
            y_[i] = random.between(0.0f, side);
            names_[i] = static_cast<Id>(i);
        }
        CrowdSettings<2> settings;
        settings.bounds = Box<2>{{{0.0f, 0.0f}}, {{side, side}}};
        sound_ = crowd_.configure(settings).ok() && crowd_.update(view_of(x_, y_)).ok() &&
                 frames_.configure(settings).ok() && frames_.update(view_of(x_, y_)).ok();
        for (std::size_t i = agents; i > 1; --i) {
            std::swap(names_[i - 1], names_[random.below(static_cast<std::uint32_t>(i))]);
        }
        for (std::size_t i = 0; i < moves; ++i) {
            edits_.push_back(throng::Edit<2>::move(names_[i], {}));
        }
        by_id_ = {x_, y_};
    }

    void step() {
        away_ = !away_;
        for (float& x : x_) {
            x += away_ ? 0.4f : -0.4f;
        }
        for (throng::Edit<2>& edit : edits_) {
            edit.agent.position = {{x_[edit.id], y_[edit.id]}};
        }
    }

    void tell(Telling way) {
        switch (way) {
        case Telling::by_id:
            return note(crowd_.update(view_of(x_, y_)));
        case Telling::by_names:
            return note(crowd_.update(view_of(x_, y_), names_));
        case Telling::scattered:
            for (std::size_t i = 0; i < names_.size(); ++i) {
                by_id_[0][names_[i]] = x_[i];
                by_id_[1][names_[i]] = y_[i];
            }
            return note(crowd_.update(view_of(by_id_[0], by_id_[1])));
        case Telling::edit:
            return note(crowd_.edit(edits_));
        case Telling::singles:
            for (const throng::Edit<2>& edit : edits_) {
                note(crowd_.move(edit.id, edit.agent.position));
            }
            return;
        case Telling::frame:
            return note(frames_.update(view_of(x_, y_)));
        case Telling::edited_frame:
            return note(frames_.edit(edits_));
        }
    }

    [[nodiscard]] bool sound() const {
        return sound_ && crowd_.validate() == nullptr && frames_.acquire()->validate() == nullptr;
    }

private:
    static Agents<2> view_of(const std::vector<float>& x, const std::vector<float>& y) {
        Agents<2> agents;
        agents.positions = PointView<2>::separate({x.data(), y.data()}, x.size());
        return agents;
    }
    void note(const Status& status) noexcept { sound_ = sound_ && status.ok(); }

    std::vector<float> x_, y_;
    std::vector<Id> names_;
    std::vector<throng::Edit<2>> edits_;
    std::array<std::vector<float>, 2> by_id_;
    throng::Crowd<2> crowd_;
    throng::PublishedCrowd<2> frames_;
    bool away_ = false, sound_ = false;
};

void run(benchmark::State& state, Telling way, std::size_t agents, std::size_t moves) {
    Told told(agents, moves);
    Stopwatch watch;
    for (auto _ : state) {
        told.step();
        watch.time([&] { told.tell(way); });
        watch.end_iteration(state);
    }
    state.counters["ns_per_move"] = watch.nanoseconds() / static_cast<double>(moves);
    if (!told.sound()) { state.SkipWithError("a change was refused, or the crowd is not sound"); }
}

void add(const char* name, Telling way, std::size_t agents, std::size_t moves) {
    std::string full = "changes/";
    full += std::to_string(agents);
    full += '/';
    full += name;
    if (moves != agents) {
        full += '/';
        full += std::to_string(moves);
    }
    benchmark::RegisterBenchmark(full.c_str(), [=](benchmark::State& state) {
        run(state, way, agents, moves);
    })->UseManualTime();
}

enum class Changed { statics, giants };
enum class Changing { all, moves, comings, edit, among_agents };

/// Giants or statics in the plane, of which a few change in each step, or all are given anew.
class FewOfMany {
public:
    FewOfMany(Changed what, std::size_t count)
        : first_(what == Changed::statics ? kFirstStatic : 0) {
        side_ = 10.0f * std::sqrt(static_cast<float>(count));
        for (std::size_t i = 0; i < count; ++i) {
            const Point<2> at = random_point();
            x_.push_back(at[0]);
            y_.push_back(at[1]);
            half_.push_back(random_.between(2.0f, 4.0f));
        }
        CrowdSettings<2> settings;
        settings.bounds = Box<2>{{{0.0f, 0.0f}}, {{side_, side_}}};
        settings.cell = Point<2>::all(1.0f);
        note(crowd_.configure(settings, {true, false, {}}));
        give_all();
    }

    void change(Changing way, std::size_t number) {
        if (way == Changing::all) { return give_all(); }
        edits_.clear();
        for (std::size_t n = 0; n < number; ++n) {
            const std::size_t i = random_.below(static_cast<std::uint32_t>(x_.size()));
            const Id id = first_ + static_cast<Id>(i);
            const Agent<2> agent{{{x_[i] + random_.unit(), y_[i]}}, Point<2>::all(half_[i]), {}};
            if (way == Changing::comings) {
                note(crowd_.erase(id));
                note(crowd_.insert(id, agent));
            } else if (way == Changing::moves) {
                note(crowd_.move(id, agent.position));
            } else {
                edits_.push_back(throng::Edit<2>::move(id, agent.position));
            }
        }
        for (Id id = 0; way == Changing::among_agents && id < kAgents / 10; ++id) {
            edits_.push_back(throng::Edit<2>::move(10 * id, random_point()));
        }
        if (!edits_.empty()) { note(crowd_.edit(edits_)); }
    }

    /// For lists with edits of statics among those of agents.
    void add_agents() {
        for (Id id = 0; id < kAgents; ++id) {
            note(crowd_.insert(id, {random_point(), Point<2>::all(0.25f), {}}));
        }
    }

    [[nodiscard]] bool sound() const { return sound_ && crowd_.validate() == nullptr; }

private:
    static constexpr Id kAgents = 1000;

    [[nodiscard]] Point<2> random_point() noexcept {
        const float x = random_.between(0.0f, side_);
        return {{x, random_.between(0.0f, side_)}};
    }
    void give_all() {
        Agents<2> agents;
        agents.positions = PointView<2>::separate({x_.data(), y_.data()}, x_.size());
        agents.half_extents = PointView<2>::separate({half_.data(), half_.data()}, x_.size());
        note(first_ == kFirstStatic ? crowd_.set_statics(agents) : crowd_.update(agents));
    }
    void note(const Status& status) noexcept { sound_ = sound_ && status.ok(); }

    Id first_;
    float side_ = 0.0f;
    scenes::Random random_{11};
    std::vector<float> x_, y_, half_;
    std::vector<throng::Edit<2>> edits_;
    throng::Crowd<2> crowd_;
    bool sound_ = true;
};

void add(const char* name, Changed what, std::size_t count, Changing way, std::size_t number) {
    std::string full = "changes/";
    full += what == Changed::statics ? "statics/" : "giants/";
    full += std::to_string(count);
    full += '/';
    full += name;
    full += '/';
    full += std::to_string(number);
    benchmark::RegisterBenchmark(full.c_str(), [=](benchmark::State& state) {
        FewOfMany many(what, count);
        if (way == Changing::among_agents) { many.add_agents(); }
        Stopwatch watch;
        for (auto _ : state) {
            watch.time([&] { many.change(way, number); });
            watch.end_iteration(state);
        }
        if (!many.sound()) {
            state.SkipWithError("a change was refused, or the crowd is not sound");
        }
    })->UseManualTime();
}

} // namespace

void register_changes_of_crowds() {
    for (const std::size_t agents : {5'000u, 100'000u, 1'000'000u}) {
        add("by_id", Telling::by_id, agents, agents);
        add("by_names", Telling::by_names, agents, agents);
        add("scattered", Telling::scattered, agents, agents);
        add("frame", Telling::frame, agents, agents);
        for (const std::size_t moves : {agents / 1000, agents / 100, agents / 20, agents / 5}) {
            add("edited_frame", Telling::edited_frame, agents, moves);
        }
        for (const std::size_t moves : {agents / 50, agents / 5, agents}) {
            add("edit", Telling::edit, agents, moves);
            add("singles", Telling::singles, agents, moves);
        }
    }
    for (const Changed what : {Changed::statics, Changed::giants}) {
        for (const std::size_t count : {1'000u, 10'000u}) {
            add("all", what, count, Changing::all, count);
            add("move", what, count, Changing::moves, 1);
            add("erase_and_insert", what, count, Changing::comings, 1);
            for (const std::size_t number : {1u, 10u, 100u}) {
                add("edit", what, count, Changing::edit, number);
            }
            if (what == Changed::statics) {
                for (const std::size_t number : {0u, 1u}) {
                    add("edit_among_agents", what, count, Changing::among_agents, number);
                }
            }
        }
    }
}

} // namespace throng::bench
