// Lists of neighbours, and the nearest agents, for every agent.
#include "../../engine/grid/grid_parts.hpp"
#include "makers.hpp"
#include "population_workload.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace throng::bench {

namespace {

template <class Index, std::size_t Dim>
class Neighbours final : public PopulationWorkload<Index, Dim> {
public:
    explicit Neighbours(const Setting& setting)
        : PopulationWorkload<Index, Dim>(setting, this->cell_for_balls(setting)) {}

    void ask(Executor& executor) override {
        expect_ok(this->batch_on(executor).neighbours(this->index(), asked(), hits_));
    }
    void ask_directly() override {
        if constexpr (std::same_as<Index, RowGrid<Dim>>) {
            expect_ok(this->index()
                          .parts()
                          .neighbours(asked(), 0, this->index().parts().slices(),
                                      this->scratch(GridParts<Dim>::scratch()),
                                      {hits_.offsets, hits_.ids})
                          .status);
        }
    }
    void forget() override { std::fill(hits_.ids.begin(), hits_.ids.end(), 0u); }
    [[nodiscard]] std::uint64_t fingerprint() const override {
        Fingerprint print;
        print.add(std::span<const std::uint64_t>(hits_.offsets));
        print.add(std::span<const Id>(hits_.ids).first(hits_.total()));
        return print.value();
    }
    [[nodiscard]] bool is_right() override {
        const test::Truth<Dim> truth = this->population().truth();
        const std::vector<Id> order = this->population().order();
        for (std::size_t k = 0; k < kAnswersChecked; ++k) {
            const std::size_t asker = this->sample(k, order.size());
            const Ball<Dim> ball{truth[order[asker]].position, this->radius()};
            if (!this->is_same_set(hits_.of(asker),
                                   truth.ids_in(ball, {kAllGroups, order[asker]}))) {
                return false;
            }
        }
        return true;
    }

private:
    [[nodiscard]] double answer_words() const override { return this->words_of(hits_); }
    [[nodiscard]] Neighbourhood asked() const noexcept { return {this->radius()}; }

    Hits hits_;
};

template <class Index, std::size_t Dim>
class NearestAgents final : public PopulationWorkload<Index, Dim> {
public:
    explicit NearestAgents(const Setting& setting)
        : PopulationWorkload<Index, Dim>(setting, this->cell_for_balls(setting)) {}

    void ask(Executor& executor) override {
        expect_ok(this->batch_on(executor).nearest_neighbours(this->index(), kAsked, hits_));
    }
    void ask_directly() override {
        if constexpr (std::same_as<Index, RowGrid<Dim>>) {
            expect_ok(this->index()
                          .parts()
                          .nearest_neighbours(kAsked, 0, this->index().parts().slices(),
                                              this->scratch(GridParts<Dim>::nearest_scratch()),
                                              {hits_.nearest, hits_.counts})
                          .status);
        }
    }
    void forget() override { std::fill(hits_.nearest.begin(), hits_.nearest.end(), Near{}); }
    [[nodiscard]] std::uint64_t fingerprint() const override {
        Fingerprint print;
        for (const Near& near : hits_.nearest) {
            print.add(std::uint64_t{near.id} << 32 | std::bit_cast<std::uint32_t>(near.distance2));
        }
        print.add(std::span<const std::uint32_t>(hits_.counts));
        return print.value();
    }
    [[nodiscard]] bool is_right() override {
        const test::Truth<Dim> truth = this->population().truth();
        const std::vector<Id> order = this->population().order();
        for (std::size_t k = 0; k < kAnswersChecked; ++k) {
            const std::size_t asker = this->sample(k, order.size());
            const std::span<const Near> found = hits_.of(asker);
            // A small radius, because the oracle sorts all that it finds: agents beyond the last of
            // the eight cannot be in the answer.
            const float far = found.size() == kAsked.k ? 1.01f * std::sqrt(found.back().distance2)
                                                       : kAsked.radius;
            const std::vector<Near> wanted = truth.nearest_to(
                truth[order[asker]].position, {kAsked.k, far}, {kAllGroups, order[asker]});
            if (!std::ranges::equal(found, wanted)) { return false; }
        }
        return true;
    }

private:
    static constexpr NearestNeighbours kAsked{8};

    /// A list of eight agents and their number, for each agent.
    [[nodiscard]] double answer_words() const override {
        return this->agents_in_double() * (2.0 * kAsked.k + 1.0);
    }

    NearHits hits_;
};

} // namespace

std::unique_ptr<Workload> make_neighbours(const Setting& setting) {
    return make_for<Neighbours>(setting);
}
std::unique_ptr<Workload> make_nearest(const Setting& setting) {
    return make_for<NearestAgents>(setting);
}

} // namespace throng::bench
