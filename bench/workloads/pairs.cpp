// Pairs of agents whose boxes overlap.
#include "../../engine/grid/grid_parts.hpp"
#include "makers.hpp"
#include "population_workload.hpp"

#include <algorithm>
#include <utility>

namespace throng::bench {

namespace {

/// Compares all pairs of some agents with the oracle's.
template <class Index, std::size_t Dim>
bool pairs_are_right(Population<Index, Dim>& population, const Pairs& pairs) {
    const test::Truth<Dim> truth = population.truth();
    const std::size_t agents = population.agents().size();
    const auto sampled = [&](std::size_t k) {
        return static_cast<Id>(k * agents / kAnswersChecked);
    };
    std::vector<std::size_t> sample_of(agents, kAnswersChecked);
    for (std::size_t k = 0; k < kAnswersChecked; ++k) {
        sample_of[sampled(k)] = k;
    }
    std::vector<test::Ids> partners(kAnswersChecked + 1); // the last one is of all other agents
    for (std::uint64_t p = 0; p < pairs.count; ++p) {
        const Id first = pairs.first[p], second = pairs.second[p];
        const std::size_t of_first = sample_of[first], of_second = sample_of[second];
        if (of_first != kAnswersChecked) { partners[of_first].push_back(second); }
        if (of_second != kAnswersChecked) { partners[of_second].push_back(first); }
    }
    for (std::size_t k = 0; k < kAnswersChecked; ++k) {
        const Id id = sampled(k);
        if (sample_of[id] != k) { continue; } // more samples than agents
        const auto& member = truth[id];
        test::Ids wanted =
            truth.ids_in(Box<Dim>::around(member.position, member.half_extent), {kAllGroups, id});
        std::erase_if(wanted, [](Id other) { return is_static(other); });
        std::sort(wanted.begin(), wanted.end());
        std::sort(partners[k].begin(), partners[k].end());
        if (partners[k] != wanted) { return false; }
    }
    return true;
}

template <class Index, std::size_t Dim>
class ListPairs final : public PopulationWorkload<Index, Dim> {
public:
    explicit ListPairs(const Setting& setting)
        : PopulationWorkload<Index, Dim>(setting, this->cell_for_boxes()) {}

    void ask(Executor& executor) override {
        expect_ok(this->batch_on(executor).pairs(this->index(), pairs_));
    }
    void ask_directly() override {
        if constexpr (std::same_as<Index, RowGrid<Dim>>) {
            const Found found = this->index().parts().pairs(
                0, this->index().parts().slices(), this->scratch(GridParts<Dim>::scratch()),
                {pairs_.first, pairs_.second});
            expect_ok(found.status);
            pairs_.count = found.count;
        }
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
    [[nodiscard]] bool is_right() override { return pairs_are_right(this->population(), pairs_); }

private:
    [[nodiscard]] double answer_words() const override {
        return 2.0 * static_cast<double>(pairs_.count);
    }

    Pairs pairs_;
};

template <class Index, std::size_t Dim>
class CountPairs final : public PopulationWorkload<Index, Dim> {
public:
    explicit CountPairs(const Setting& setting)
        : PopulationWorkload<Index, Dim>(setting, this->cell_for_boxes()) {}

    void ask(Executor& executor) override {
        take(this->batch_on(executor).count_pairs(this->index()));
    }
    void ask_directly() override {
        if constexpr (std::same_as<Index, RowGrid<Dim>>) {
            take(this->index().parts().count_pairs(0, this->index().parts().slices()));
        }
    }
    void forget() override { count_ = 0; }
    [[nodiscard]] std::uint64_t fingerprint() const override { return count_; }
    [[nodiscard]] bool is_right() override {
        Batch<Dim> batch;
        Pairs pairs;
        expect_ok(batch.pairs(this->index(), pairs));
        return pairs.count == count_ && pairs_are_right(this->population(), pairs);
    }

private:
    void take(const Found& found) {
        expect_ok(found.status);
        count_ = found.count;
    }

    std::uint64_t count_ = 0;
};

} // namespace

std::unique_ptr<Workload> make_pairs(const Setting& setting) {
    return make_for<ListPairs>(setting);
}
std::unique_ptr<Workload> make_pairs_count(const Setting& setting) {
    return make_for<CountPairs>(setting);
}

} // namespace throng::bench
