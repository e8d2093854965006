// The base of all workloads: a population, a Batch, and samples of its answers. Used only by
// workloads.
#pragma once

#include "population.hpp"
#include "workload.hpp"

#include "../bench_shape.hpp"
#include "../measure/fingerprint.hpp"

#include <throng/parallel/batch/batch.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace throng::bench {

/// The number of answers that are compared with the oracle's.
inline constexpr std::size_t kAnswersChecked = 20;

/// Passes blocks on to another executor, so that one Batch serves all teams.
class Relay final : public Executor {
public:
    void hand_to(Executor& executor) noexcept { executor_ = &executor; }
    void run(std::size_t blocks, Body body) override { executor_->run(blocks, body); }
    void run_on(std::size_t most, std::size_t blocks, Body body) override {
        executor_->run_on(most, blocks, body);
    }
    [[nodiscard]] std::size_t threads() const noexcept override { return executor_->threads(); }
    [[nodiscard]] ExecutorKind kind() const noexcept override { return executor_->kind(); }

private:
    Executor* executor_ = &serial_executor();
};

/// A workload on one population, with cells that suit its questions, and a Batch to ask them.
template <class Index, std::size_t Dim>
class PopulationWorkload : public Workload {
public:
    [[nodiscard]] std::size_t agents() const noexcept override {
        return population_.agents().size();
    }
    [[nodiscard]] bool has_direct_form() const noexcept override {
        return std::same_as<Index, RowGrid<Dim>>;
    }
    /// The memory traffic of questions: questions and index are read, and answers are written.
    [[nodiscard]] std::vector<Phase> phases() const override {
        return {{"all", question_bytes() + bytes_read() + kWrittenWord * answer_words()}};
    }
    [[nodiscard]] double working_set() const override {
        return question_bytes() + population_.index_bytes() + kReadWord * answer_words();
    }

protected:
    PopulationWorkload(const Setting& setting, const Point<Dim>& cell)
        : population_(setting.population, setting.agents, cell),
          radius_(radius_in(setting.population)), batch_(relay_) {}

    /// Cells for questions about boxes, or about balls of the population's radius.
    [[nodiscard]] static Point<Dim> cell_for_boxes() noexcept { return bench_cell<Box, Dim>(); }
    [[nodiscard]] static Point<Dim> cell_for_balls(const Setting& setting) noexcept {
        Point<Dim> cell = bench_cell<Ball, Dim>();
        for (std::size_t a = 0; a < Dim; ++a) {
            cell[a] *= radius_in(setting.population) / kRadius;
        }
        return cell;
    }

    [[nodiscard]] Executor& relay_to(Executor& executor) noexcept {
        relay_.hand_to(executor);
        return relay_;
    }
    [[nodiscard]] Batch<Dim>& batch_on(Executor& executor) noexcept {
        (void)relay_to(executor);
        return batch_;
    }
    [[nodiscard]] const Batch<Dim>& batch() const noexcept { return batch_; }
    [[nodiscard]] Executor& relay() noexcept { return relay_; }
    [[nodiscard]] Population<Index, Dim>& population() noexcept { return population_; }
    [[nodiscard]] const Population<Index, Dim>& population() const noexcept { return population_; }
    [[nodiscard]] Index& index() noexcept { return population_.index(); }
    [[nodiscard]] const Index& index() const noexcept { return population_.index(); }
    [[nodiscard]] float radius() const noexcept { return radius_; }
    [[nodiscard]] std::span<std::uint32_t> scratch(std::size_t words) {
        scratch_.resize(words);
        return scratch_;
    }

    /// The index of the k-th sample among `count` answers.
    [[nodiscard]] static std::size_t sample(std::size_t k, std::size_t count) noexcept {
        return k * count / kAnswersChecked;
    }
    /// Whether an answer has these ids, in any order.
    [[nodiscard]] static bool is_same_set(std::span<const Id> answer, test::Ids wanted) {
        test::Ids found(answer.begin(), answer.end());
        std::sort(found.begin(), found.end());
        std::sort(wanted.begin(), wanted.end());
        return found == wanted;
    }

    /// The number of words that a call writes.
    [[nodiscard]] virtual double answer_words() const { return 0.0; }
    /// The bytes of the questions.
    [[nodiscard]] virtual double question_bytes() const { return 0.0; }
    /// Bytes read beside the questions: the index once, since neighbouring rows are in the cache.
    [[nodiscard]] virtual double bytes_read() const { return population_.index_bytes(); }

    [[nodiscard]] static double words_of(const Hits& hits) noexcept {
        return static_cast<double>(hits.total()) + 2.0 * static_cast<double>(hits.offsets.size());
    }
    [[nodiscard]] double agents_in_double() const noexcept { return static_cast<double>(agents()); }

private:
    Population<Index, Dim> population_;
    float radius_;
    Relay relay_;
    Batch<Dim> batch_;
    std::vector<std::uint32_t> scratch_;
};

/// Makes Made<Index, Dim> for the setting.
template <template <class, std::size_t> class Made>
std::unique_ptr<Workload> make_for(const Setting& setting) {
    if (setting.index == IndexKind::grid) {
        if (setting.dim == 2) { return std::make_unique<Made<RowGrid<2>, 2>>(setting); }
        return std::make_unique<Made<RowGrid<3>, 3>>(setting);
    }
    if (setting.dim == 2) { return std::make_unique<Made<throng::Crowd<2>, 2>>(setting); }
    return std::make_unique<Made<throng::Crowd<3>, 3>>(setting);
}

} // namespace throng::bench
