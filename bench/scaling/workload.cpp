#include "workload.hpp"

#include "../crowd.hpp"
#include "../fingerprint.hpp"
#include "../truth.hpp"

#include <throng/parallel/batch/batch.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace throng::bench {

namespace {

constexpr std::size_t kAnswersChecked = 20;

void expect_ok(const Status& status) {
    if (!status.ok()) { throw std::runtime_error(throng::to_string(status)); }
}

/// Hands blocks on, so that one Batch serves every team.
class Relay final : public Executor {
public:
    void hand_to(Executor& executor) noexcept { executor_ = &executor; }
    void run(std::size_t blocks, Body body) override { executor_->run(blocks, body); }
    [[nodiscard]] std::size_t threads() const noexcept override { return executor_->threads(); }

private:
    Executor* executor_ = &serial_executor();
};

/// A crowd for a kind of question, and a Batch.
template <template <std::size_t> class Shape, std::size_t Dim>
class CrowdWorkload : public Workload {
public:
    explicit CrowdWorkload(std::size_t agents)
        : crowd_(SceneKind::uniform, agents), batch_(relay_) {}
    [[nodiscard]] std::size_t agents() const noexcept override { return crowd_.scene().size(); }

protected:
    [[nodiscard]] Batch<Dim>& batch_on(Executor& executor) noexcept {
        relay_.hand_to(executor);
        return batch_;
    }
    [[nodiscard]] Crowd<Shape, Dim>& crowd() noexcept { return crowd_; }
    [[nodiscard]] const Crowd<Shape, Dim>& crowd() const noexcept { return crowd_; }
    [[nodiscard]] const RowGrid<Dim>& grid() const noexcept { return crowd_.grid(); }
    [[nodiscard]] std::span<std::uint32_t> scratch() noexcept { return scratch_; }

private:
    Crowd<Shape, Dim> crowd_;
    Relay relay_;
    Batch<Dim> batch_;
    std::vector<std::uint32_t> scratch_ = std::vector<std::uint32_t>(RowGrid<Dim>::range_scratch());
};

/// All agents take a small step to and fro, so that no update finds its result already there.
template <std::size_t Dim>
class Update final : public CrowdWorkload<Box, Dim> {
public:
    explicit Update(std::size_t agents) : CrowdWorkload<Box, Dim>(agents) {
        const scenes::Scene<Dim>& scene = this->crowd().scene();
        others_ = scene.position;
        scenes::Random random(31);
        for (std::size_t a = 0; a < Dim; ++a) {
            for (float& x : others_[a]) {
                x = std::clamp(x + random.between(-0.1f, 0.1f), scene.world.lo[a],
                               scene.world.hi[a]);
            }
        }
    }

    void ask(Executor& executor) override {
        step();
        expect_ok(this->crowd().grid().update(this->crowd().scene().agents(), executor));
    }
    void ask_directly() override {
        step();
        expect_ok(this->crowd().grid().update(this->crowd().scene().agents()));
    }
    // The last answer is of the other phase, and so is wrong already.
    void forget() override {}

    [[nodiscard]] std::uint64_t fingerprint() const override {
        std::vector<Id> ids(this->grid().size());
        (void)this->grid().order(ids);
        Fingerprint print;
        print.add(std::span<const Id>(ids));
        // The order depends little on the exact positions.
        std::vector<Box<Dim>> boxes;
        for (std::size_t i = 0; i < kBoxes; ++i) {
            boxes.push_back(this->crowd().around(ids[i * ids.size() / kBoxes]));
        }
        Hits hits;
        expect_ok(this->grid().query(std::span<const Box<Dim>>(boxes), hits));
        print.add(std::span<const std::uint64_t>(hits.offsets));
        print.add(std::span<const Id>(hits.ids).first(hits.total()));
        return print.value();
    }
    [[nodiscard]] std::size_t phase() const noexcept override { return phase_; }
    [[nodiscard]] bool is_right() const override {
        return this->crowd().answers_are_right(kAnswersChecked);
    }

private:
    static constexpr std::size_t kBoxes = 1000;

    void step() noexcept {
        phase_ = 1 - phase_;
        std::swap(this->crowd().scene().position, others_);
    }

    std::array<std::vector<float>, Dim> others_;
    std::size_t phase_ = 0;
};

template <std::size_t Dim>
class ListPairs final : public CrowdWorkload<Box, Dim> {
public:
    using CrowdWorkload<Box, Dim>::CrowdWorkload;

    void ask(Executor& executor) override {
        expect_ok(this->batch_on(executor).pairs(this->grid(), pairs_));
    }
    void ask_directly() override {
        const Found found = this->grid().pairs_range(0, this->grid().slices(), this->scratch(),
                                                     {pairs_.first, pairs_.second});
        expect_ok(found.status);
        pairs_.count = found.count;
    }
    void forget() override {
        std::fill(pairs_.first.begin(), pairs_.first.end(), 0u);
        std::fill(pairs_.second.begin(), pairs_.second.end(), 0u);
        pairs_.count = 0;
    }
    [[nodiscard]] std::uint64_t fingerprint() const override {
        Fingerprint print;
        print.add(std::span<const Id>(pairs_.first).first(pairs_.count));
        print.add(std::span<const Id>(pairs_.second).first(pairs_.count));
        return print.value();
    }
    [[nodiscard]] bool is_right() const override {
        return pairs_are_right(this->crowd(), pairs_, kAnswersChecked);
    }

private:
    Pairs pairs_;
};

template <std::size_t Dim>
class CountPairs final : public CrowdWorkload<Box, Dim> {
public:
    using CrowdWorkload<Box, Dim>::CrowdWorkload;

    void ask(Executor& executor) override {
        take(this->batch_on(executor).count_pairs(this->grid()));
    }
    void ask_directly() override { take(this->grid().count_pairs_range(0, this->grid().slices())); }
    void forget() override { count_ = 0; }
    [[nodiscard]] std::uint64_t fingerprint() const override { return count_; }
    [[nodiscard]] bool is_right() const override {
        Batch<Dim> batch;
        Pairs pairs;
        expect_ok(batch.pairs(this->grid(), pairs));
        return pairs.count == count_ && pairs_are_right(this->crowd(), pairs, kAnswersChecked);
    }

private:
    void take(const Found& found) {
        expect_ok(found.status);
        count_ = found.count;
    }

    std::uint64_t count_ = 0;
};

/// Questions whose answers are lists of ids.
template <std::size_t Dim>
class BallWorkload : public CrowdWorkload<Ball, Dim> {
public:
    using CrowdWorkload<Ball, Dim>::CrowdWorkload;

    void forget() override { std::fill(hits.ids.begin(), hits.ids.end(), 0u); }
    [[nodiscard]] std::uint64_t fingerprint() const override {
        Fingerprint print;
        print.add(std::span<const std::uint64_t>(hits.offsets));
        print.add(std::span<const Id>(hits.ids).first(hits.total()));
        return print.value();
    }

protected:
    Hits hits;
};

template <std::size_t Dim>
class Neighbours final : public BallWorkload<Dim> {
public:
    using BallWorkload<Dim>::BallWorkload;

    void ask(Executor& executor) override {
        expect_ok(this->batch_on(executor).neighbours(this->grid(), kNeighbourhood, this->hits));
    }
    void ask_directly() override {
        expect_ok(this->grid()
                      .neighbours_range(kNeighbourhood, 0, this->grid().slices(), this->scratch(),
                                        {this->hits.offsets, this->hits.ids})
                      .status);
    }
    [[nodiscard]] bool is_right() const override {
        return balls_are_right(this->crowd(), this->crowd().in_storage_order(), this->hits,
                               kAnswersChecked, Self::left_out);
    }

private:
    static constexpr Neighbourhood kNeighbourhood{kRadius};
};

/// A ball around every agent, as a list: coherent, or in the caller's order, which is random.
template <std::size_t Dim, bool kShuffled>
class Balls final : public BallWorkload<Dim> {
public:
    explicit Balls(std::size_t agents) : BallWorkload<Dim>(agents) {
        balls_.reserve(askers().size());
        for (const Id id : askers()) {
            balls_.push_back(this->crowd().around(id));
        }
    }

    void ask(Executor& executor) override {
        expect_ok(this->batch_on(executor).query(this->grid(), questions(), this->hits));
    }
    void ask_directly() override { expect_ok(this->grid().query(questions(), this->hits)); }
    [[nodiscard]] bool is_right() const override {
        return balls_are_right(this->crowd(), askers(), this->hits, kAnswersChecked, Self::found);
    }

private:
    [[nodiscard]] const std::vector<Id>& askers() const noexcept {
        return kShuffled ? this->crowd().in_callers_order() : this->crowd().in_storage_order();
    }
    [[nodiscard]] std::span<const Ball<Dim>> questions() const noexcept { return balls_; }

    std::vector<Ball<Dim>> balls_;
};

using Make = std::unique_ptr<Workload> (*)(std::size_t);

template <class Made>
std::unique_ptr<Workload> make(std::size_t agents) {
    return std::make_unique<Made>(agents);
}

struct Recipe {
    std::string_view name;
    Make in_plane, in_space;
};

constexpr Recipe kRecipes[] = {
    {"update", make<Update<2>>, make<Update<3>>},
    {"pairs", make<ListPairs<2>>, make<ListPairs<3>>},
    {"pairs_count", make<CountPairs<2>>, make<CountPairs<3>>},
    {"neighbours", make<Neighbours<2>>, make<Neighbours<3>>},
    {"balls", make<Balls<2, false>>, make<Balls<3, false>>},
    {"balls_shuffled", make<Balls<2, true>>, make<Balls<3, true>>},
};

} // namespace

std::span<const std::string_view> workload_names() noexcept {
    static constexpr auto kNames = [] {
        std::array<std::string_view, std::size(kRecipes)> names;
        std::transform(std::begin(kRecipes), std::end(kRecipes), names.begin(),
                       [](const Recipe& recipe) { return recipe.name; });
        return names;
    }();
    return kNames;
}

std::unique_ptr<Workload> make_workload(std::string_view name, std::size_t dim,
                                        std::size_t agents) {
    for (const Recipe& recipe : kRecipes) {
        if (recipe.name == name) {
            return dim == 2 ? recipe.in_plane(agents) : recipe.in_space(agents);
        }
    }
    throw std::invalid_argument("there is no workload '" + std::string(name) + "'");
}

} // namespace throng::bench
