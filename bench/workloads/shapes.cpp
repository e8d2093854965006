// Lists of hits for shapes, as questions of a batch.
#include "makers.hpp"
#include "population_workload.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace throng::bench {

namespace {

/// Shapes, and the agents and statics that each finds.
template <class Index, std::size_t Dim, class Shape>
class Shapes : public PopulationWorkload<Index, Dim> {
public:
    void ask(Executor& executor) override {
        expect_ok(this->batch_on(executor).query(this->index(), asked(), hits_));
    }
    void ask_directly() override { expect_ok(this->index().query(asked(), hits_)); }
    void forget() override { std::fill(hits_.ids.begin(), hits_.ids.end(), 0u); }
    [[nodiscard]] std::uint64_t fingerprint() const override {
        Fingerprint print;
        print.add(std::span<const std::uint64_t>(hits_.offsets));
        print.add(std::span<const Id>(hits_.ids).first(hits_.total()));
        return print.value();
    }
    [[nodiscard]] bool is_right() override {
        const test::Truth<Dim> truth = this->population().truth();
        for (std::size_t k = 0; k < kAnswersChecked; ++k) {
            const std::size_t q = this->sample(k, shapes_.size());
            if (!this->is_same_set(hits_.of(q), truth.ids_in(shapes_[q]))) { return false; }
        }
        return true;
    }

protected:
    using PopulationWorkload<Index, Dim>::PopulationWorkload;

    void add(const Shape& shape) { shapes_.push_back(shape); }
    [[nodiscard]] double count() const noexcept { return static_cast<double>(shapes_.size()); }
    [[nodiscard]] double hits() const noexcept { return static_cast<double>(hits_.total()); }

private:
    [[nodiscard]] double question_bytes() const override {
        return static_cast<double>(shapes_.size() * sizeof(Shape));
    }
    [[nodiscard]] double answer_words() const override { return this->words_of(hits_); }
    [[nodiscard]] std::span<const Shape> asked() const noexcept { return shapes_; }

    std::vector<Shape> shapes_;
    Hits hits_;
};

/// A ball around every agent.
template <class Index, std::size_t Dim>
class Balls : public Shapes<Index, Dim, Ball<Dim>> {
protected:
    Balls(const Setting& setting, Order order)
        : Shapes<Index, Dim, Ball<Dim>>(setting, Balls::cell_for_balls(setting)) {
        std::vector<Id> askers = this->population().order();
        // Populations are random, so the order of ids has nothing to do with positions.
        if (order == Order::ids) { std::sort(askers.begin(), askers.end()); }
        for (const Id id : askers) {
            this->add({this->population().agents().position_of(id), this->radius()});
        }
    }
};

template <class Index, std::size_t Dim>
class BallsInOrder final : public Balls<Index, Dim> {
public:
    explicit BallsInOrder(const Setting& setting) : Balls<Index, Dim>(setting, Order::storage) {}
};

template <class Index, std::size_t Dim>
class BallsShuffled final : public Balls<Index, Dim> {
public:
    explicit BallsShuffled(const Setting& setting) : Balls<Index, Dim>(setting, Order::ids) {}

private:
    /// To be sorted by place, each question is read once more, from a cache line of its own; its
    /// key and number are written and read in two passes.
    [[nodiscard]] double bytes_read() const override {
        constexpr double kLine = 64.0;
        return Balls<Index, Dim>::bytes_read() +
               this->count() * (kLine + 2.0 * 2.0 * (kReadWord + kWrittenWord));
    }
};

template <class Index, std::size_t Dim>
class LargeBoxes final : public Shapes<Index, Dim, Box<Dim>> {
public:
    explicit LargeBoxes(const Setting& setting)
        : Shapes<Index, Dim, Box<Dim>>(setting, LargeBoxes::cell_for_boxes()) {
        constexpr std::size_t kBoxes = 256;
        constexpr float kPart = 0.01f; // fraction of the world
        const Box<Dim>& world = this->population().agents().world;
        const float half =
            0.5f * (world.hi[0] - world.lo[0]) * (Dim == 2 ? std::sqrt(kPart) : std::cbrt(kPart));
        scenes::Random random(23);
        for (std::size_t i = 0; i < kBoxes; ++i) {
            Point<Dim> centre;
            for (std::size_t a = 0; a < Dim; ++a) {
                centre[a] = random.between(world.lo[a] + half, world.hi[a] - half);
            }
            this->add(Box<Dim>::around(centre, Point<Dim>::all(half)));
        }
    }

private:
    /// Ids are copied; positions are only read at the rims.
    [[nodiscard]] double bytes_read() const override { return this->hits() * kReadWord; }
};

template <class Index, std::size_t Dim>
class Rays final : public Shapes<Index, Dim, Ray<Dim>> {
public:
    explicit Rays(const Setting& setting)
        : Shapes<Index, Dim, Ray<Dim>>(setting, Rays::cell_for_boxes()) {
        constexpr float kLength = 32.0f;
        constexpr std::size_t kAgentsForARay = 10;
        scenes::Random random(43);
        const std::size_t rays = std::max<std::size_t>(this->agents() / kAgentsForARay, 1);
        for (std::size_t i = 0; i < rays; ++i) {
            const Id id = random.below(static_cast<std::uint32_t>(this->agents()));
            Ray<Dim> ray{this->population().agents().position_of(id), {}, 1.0f};
            float length2 = 0.0f;
            for (std::size_t a = 0; a < Dim; ++a) {
                ray.direction[a] = random.between(-1.0f, 1.0f);
                length2 += ray.direction[a] * ray.direction[a];
            }
            if (length2 < 1e-3f) { // not too short, and never zero
                ray.direction[0] = length2 = 1.0f;
            }
            for (std::size_t a = 0; a < Dim; ++a) {
                ray.direction[a] *= kLength / std::sqrt(length2);
            }
            this->add(ray);
        }
    }

private:
    /// Each hit reads its position and its id from a cache line of its own, unless the rays
    /// together read everything anyway.
    [[nodiscard]] double bytes_read() const override {
        constexpr double kLine = 64.0;
        return std::min(this->population().index_bytes(),
                        this->hits() * kLine * static_cast<double>(Dim + 1));
    }
};

} // namespace

std::unique_ptr<Workload> make_balls(const Setting& setting) {
    return make_for<BallsInOrder>(setting);
}
std::unique_ptr<Workload> make_balls_shuffled(const Setting& setting) {
    return make_for<BallsShuffled>(setting);
}
std::unique_ptr<Workload> make_large_boxes(const Setting& setting) {
    return make_for<LargeBoxes>(setting);
}
std::unique_ptr<Workload> make_rays(const Setting& setting) { return make_for<Rays>(setting); }

} // namespace throng::bench
