// Updates of all agents, and edits of some; checks that the answers are still right.
#include "benchmarks.hpp"
#include "measure/measure.hpp"

#include <throng/engine/agents/reorder.hpp>
#include <throng/parallel/batch/batch.hpp>
#include <throng/parallel/frames/contacts.hpp>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>
#include <vector>

namespace throng::bench {

namespace {

constexpr std::size_t kAnswersChecked = 20;
constexpr std::size_t kEdits = 10'000;

template <std::size_t Dim>
class Edits {
public:
    explicit Edits(Crowd<Box, Dim>& crowd) : grid_(crowd.grid()) {
        scenes::Random random(29);
        std::vector<bool> chosen(grid_.size());
        const auto agents = static_cast<std::uint32_t>(grid_.size());
        const Box<Dim>& world = crowd.scene().world;
        while (ids_.size() < std::min<std::size_t>(kEdits, agents / 2)) {
            const Id id = random.below(agents);
            if (chosen[id]) { continue; }
            chosen[id] = true;
            ids_.push_back(id);
            const Point<Dim> home = crowd.position_of(id);
            Point<Dim> away;
            for (std::size_t a = 0; a < Dim; ++a) {
                // A small step that keeps most agents in the same row.
                away[a] =
                    std::clamp(home[a] + random.between(-0.25f, 0.25f), world.lo[a], world.hi[a]);
            }
            homes_.push_back(home);
            aways_.push_back(away);
            leaving_.push_back(throng::Edit<Dim>::move(id, away));
            coming_home_.push_back(throng::Edit<Dim>::move(id, home));
        }
    }

    void insert() {
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            note(grid_.insert(ids_[i], {homes_[i], {}, {}}));
        }
    }
    void erase() {
        for (const Id id : ids_) {
            note(grid_.erase(id));
        }
    }
    void leave() {
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            note(grid_.move(ids_[i], aways_[i]));
        }
    }
    void come_home() {
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            note(grid_.move(ids_[i], homes_[i]));
        }
    }

    void leave_together() { note(grid_.edit(leaving_)); }
    void come_home_together() { note(grid_.edit(coming_home_)); }

    /// Whether a list of edits leads to the same index as single edits, there and back. All agents
    /// are at home before and after.
    [[nodiscard]] bool batch_is_right() {
        const std::vector<Id> home = order();
        leave();
        const std::vector<Id> away = order();
        come_home_together();
        const bool back = order() == home;
        leave_together();
        const bool there = order() == away;
        come_home();
        return there && back && home != away;
    }

    [[nodiscard]] std::size_t size() const noexcept { return ids_.size(); }
    [[nodiscard]] bool all_ok() const noexcept { return all_ok_; }

private:
    [[nodiscard]] std::vector<Id> order() const {
        std::vector<Id> ids(grid_.size());
        (void)grid_.order(ids);
        return ids;
    }

    void note(const Status& status) noexcept { all_ok_ = all_ok_ && status.ok(); }

    RowGrid<Dim>& grid_;
    std::vector<Id> ids_;
    std::vector<Point<Dim>> homes_, aways_;
    std::vector<throng::Edit<Dim>> leaving_, coming_home_;
    bool all_ok_ = true;
};

/// Puts only the positions in the order of the grid.
template <std::size_t Dim>
Status lay_in_order(Crowd<Box, Dim>& crowd) {
    std::vector<Id> order(crowd.grid().size());
    (void)crowd.grid().order(order);
    return std::apply([&](auto&... axis) { return reorder(order, serial_executor(), axis...); },
                      crowd.scene().position);
}

} // namespace

template <std::size_t Dim>
void update_all(benchmark::State& state, Crowd<Box, Dim>& crowd, Order order) {
    // All agents take small steps to and fro, so that no update finds its result in place already.
    scenes::Scene<Dim>& scene = crowd.scene();
    const std::array<std::vector<float>, Dim> by_id = scene.position;
    if (order == Order::storage && !lay_in_order(crowd).ok()) {
        state.SkipWithError("the arrays could not be put in order");
        return;
    }
    std::array<std::vector<float>, Dim> aways = scene.position;
    scenes::Random random(31);
    for (std::size_t a = 0; a < Dim; ++a) {
        for (float& x : aways[a]) {
            x = std::clamp(x + random.between(-0.1f, 0.1f), scene.world.lo[a], scene.world.hi[a]);
        }
    }
    Stopwatch watch;
    bool away = false;
    Status status;
    const auto step = [&] {
        away = !away;
        std::swap(scene.position, aways);
    };
    for (auto _ : state) {
        step();
        watch.time([&] { status = crowd.grid().update(scene.agents()); });
        watch.end_iteration(state);
        if (!status.ok()) {
            state.SkipWithError(to_string(status).c_str());
            break;
        }
    }
    if (status.ok() && !crowd.answers_are_right(kAnswersChecked)) {
        state.SkipWithError("an answer differs from what looking at all agents finds");
    }
    scene.position = by_id;
    crowd.refill();
    report(state, watch,
           {crowd.grid().size(), 0, crowd.grid().memory().total(), crowd.grid().size()});
}

template <std::size_t Dim>
void contacts_of_frames(benchmark::State& state, Crowd<Box, Dim>& crowd, Order order) {
    // A walking person moves 2 cm per frame; each agent has a square metre or a cubic metre.
    constexpr float kStep = 0.02f;
    scenes::Scene<Dim>& scene = crowd.scene();
    const std::array<std::vector<float>, Dim> by_id = scene.position;
    Status status;
    if (order == Order::storage) { status = lay_in_order(crowd); }
    std::array<std::vector<float>, Dim> aways = scene.position;
    scenes::Random random(37);
    for (std::size_t a = 0; a < Dim; ++a) {
        for (float& x : aways[a]) {
            x += random.between(-kStep, kStep);
        }
    }
    Contacts<Dim> contacts;
    Batch<Dim> batch;
    Stopwatch watch;
    bool right = status.ok();
    const auto frame = [&] {
        std::swap(scene.position, aways);
        return crowd.grid().update(scene.agents());
    };
    right = right && frame().ok() && contacts.update(crowd.grid()).ok();
    const std::size_t before = contacts.pairs().size();
    for (auto _ : state) {
        right = right && frame().ok();
        watch.time([&] { status = contacts.update(crowd.grid()); });
        watch.end_iteration(state);
        right = right && status.ok();
        if (!right) { break; }
    }
    // The two frames alternate, so pairs that begin in one end in the other.
    const std::size_t began = contacts.began().size();
    right = right && frame().ok() && contacts.update(crowd.grid()).ok() &&
            contacts.ended().size() == began &&
            contacts.pairs().size() == batch.count_pairs(crowd.grid()).count && before != 0;
    if (!right) { state.SkipWithError("the pairs are not those of two frames by turns"); }
    state.counters["began"] = static_cast<double>(began);
    report(state, watch,
           {crowd.grid().size(), contacts.pairs().size(), contacts.memory(), crowd.grid().size()});
    scene.position = by_id;
    crowd.refill();
}

template <std::size_t Dim>
void reorder_all(benchmark::State& state, Crowd<Box, Dim>& crowd) {
    const std::array<std::vector<float>, Dim> by_id = crowd.scene().position;
    Stopwatch watch;
    for (auto _ : state) {
        Status status;
        watch.time([&] { status = lay_in_order(crowd); });
        watch.end_iteration(state);
        if (!status.ok()) {
            state.SkipWithError(to_string(status).c_str());
            break;
        }
        crowd.scene().position = by_id;
    }
    report(state, watch,
           {crowd.grid().size(), 0, crowd.grid().memory().total(), crowd.grid().size()});
}

template <std::size_t Dim>
void edit_some(benchmark::State& state, Crowd<Box, Dim>& crowd, Edit edit) {
    Edits<Dim> edits(crowd);
    Stopwatch watch;
    for (auto _ : state) {
        switch (edit) {
        case Edit::insert:
            edits.erase();
            watch.time([&] { edits.insert(); });
            break;
        case Edit::erase:
            watch.time([&] { edits.erase(); });
            edits.insert();
            break;
        case Edit::move:
            watch.time([&] { edits.leave(); });
            edits.come_home();
            break;
        case Edit::move_batch:
            watch.time([&] { edits.leave_together(); });
            edits.come_home_together();
            break;
        }
        watch.end_iteration(state);
    }
    report(state, watch, {edits.size(), 0, crowd.grid().memory().index(), crowd.grid().size()});
    const bool batch_is_right = edit != Edit::move_batch || edits.batch_is_right();
    if (!edits.all_ok()) {
        state.SkipWithError("an edit was refused");
    } else if (!batch_is_right) {
        state.SkipWithError("a batch leads elsewhere than its edits one by one");
    } else if (crowd.grid().size() != crowd.scene().size() ||
               !crowd.answers_are_right(kAnswersChecked)) {
        state.SkipWithError("an answer differs from what looking at all agents finds");
    }
    // Rows that had to grow have moved; the next measurement needs all rows in one place.
    crowd.refill();
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template void update_all(benchmark::State&, Crowd<Box, Dim>&, Order);                          \
    template void reorder_all(benchmark::State&, Crowd<Box, Dim>&);                                \
    template void contacts_of_frames(benchmark::State&, Crowd<Box, Dim>&, Order);                  \
    template void edit_some(benchmark::State&, Crowd<Box, Dim>&, Edit);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng::bench
