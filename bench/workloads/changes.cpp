// Updates and edits.
#include "makers.hpp"
#include "population_workload.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <span>
#include <utility>

namespace throng::bench {

namespace {

/// Agents step to and fro, so there are two right answers, one for each phase.
template <class Index, std::size_t Dim>
class Change : public PopulationWorkload<Index, Dim> {
public:
    // Nothing to forget: the last answer is of the other phase, so it would be found wrong.
    void forget() override {}
    [[nodiscard]] bool has_direct_form() const noexcept override { return false; }

    [[nodiscard]] std::uint64_t fingerprint() const override {
        std::vector<Id> order = this->population().order();
        sort_giants(order);
        Fingerprint print;
        print.add(std::span<const Id>(order));
        // Also hashes some answers, since the order hardly depends on exact positions.
        std::vector<Box<Dim>> boxes;
        for (std::size_t i = 0; i < kBoxes; ++i) {
            boxes.push_back(around(order[i * order.size() / kBoxes]));
        }
        Hits hits;
        expect_ok(this->index().query(std::span<const Box<Dim>>(boxes), hits));
        for (std::size_t i = 0; i < kBoxes; ++i) {
            sort_giants(std::span(hits.ids).subspan(hits.offsets[i],
                                                    hits.offsets[i + 1] - hits.offsets[i]));
        }
        print.add(std::span<const std::uint64_t>(hits.offsets));
        print.add(std::span<const Id>(hits.ids).first(hits.total()));
        return print.value();
    }
    [[nodiscard]] std::size_t phase() const noexcept override { return phase_; }
    [[nodiscard]] bool is_right() override {
        const test::Truth<Dim> truth = this->truth_now();
        std::vector<Id> found(this->agents() + kStaticsAround);
        for (std::size_t k = 0; k < kAnswersChecked; ++k) {
            const auto id = static_cast<Id>(this->sample(k, this->agents()));
            const Box<Dim> box = around(id);
            const Found answer = this->index().query(box, std::span<Id>(found));
            expect_ok(answer.status);
            if (answer.count > found.size() ||
                !this->is_same_set({found.data(), answer.count}, truth.ids_in(box))) {
                return false;
            }
        }
        return true;
    }

protected:
    explicit Change(const Setting& setting)
        : PopulationWorkload<Index, Dim>(setting, this->cell_for_boxes()) {}

    /// Whether the order of answers is the same each time the agents have come back.
    [[nodiscard]] virtual bool order_lasts() const { return true; }
    [[nodiscard]] virtual test::Truth<Dim> truth_now() { return this->population().truth(); }
    void turn() noexcept { phase_ = 1 - phase_; }

    /// Returns `x` moved by at most `most`, still within the world.
    [[nodiscard]] float step(float x, std::size_t axis, float most, scenes::Random& random) const {
        const Box<Dim>& world = this->population().agents().world;
        return std::clamp(x + random.between(-most, most), world.lo[axis], world.hi[axis]);
    }

private:
    /// Sorts the giants at the end of an answer if their order depends on the edits so far.
    void sort_giants(std::span<Id> ids) const {
        if constexpr (std::same_as<Index, throng::Crowd<Dim>>) {
            if (order_lasts()) { return; }
            const auto is_giant = [&](Id id) { return this->index().contains(id, Sets::giants); };
            const auto first = std::find_if(ids.begin(), ids.end(), is_giant);
            std::sort(first, std::find_if_not(first, ids.end(), is_giant));
        }
    }

    static constexpr std::size_t kBoxes = 1000;
    static constexpr std::size_t kStaticsAround = 100'000;

    [[nodiscard]] Box<Dim> around(Id id) const {
        return Box<Dim>::around(this->population().agents().position_of(id),
                                Point<Dim>::all(kHalfExtent));
    }

    std::size_t phase_ = 0;
};

template <class Index, std::size_t Dim>
class Update final : public Change<Index, Dim> {
public:
    explicit Update(const Setting& setting) : Change<Index, Dim>(setting) {
        others_ = this->population().agents().position;
        scenes::Random random(31);
        for (std::size_t a = 0; a < Dim; ++a) {
            for (float& x : others_[a]) {
                x = this->step(x, a, 0.1f, random);
            }
        }
    }

    void ask(Executor& executor) override {
        this->turn();
        std::swap(this->population().agents().position, others_);
        expect_ok(this->index().update(this->population().agents().agents(), executor));
    }

    [[nodiscard]] std::vector<Phase> phases() const override {
        const auto dim = static_cast<double>(Dim);
        const CrowdKind<Dim>& kind = this->population().grid().kind();
        const double read = dim * (kind.own_half_extents ? 2.0 : 1.0); // words read of an agent
        const double fields = read + 1.0;                              // with its id
        const double record = fields + 1.0;                            // with its cell
        const MemoryUse memory = this->index().memory();
        const double tables = 2.0 * static_cast<double>(memory.tables + memory.rows);
        const auto of_agents = [&](double words_read, double words_written) {
            return this->agents_in_double() *
                   (words_read * kReadWord + words_written * kWrittenWord);
        };
        const std::vector<Phase> phases{
            {"count", of_agents(dim, 1.0)},               // positions to rows
            {"scatter", of_agents(read + 1.0, record)},   // agents and rows to records, in bands
            {"measure", 0.0},                             // of sparse bands only
            {"sort", of_agents(record, fields) + tables}, // records to rows of the grid
        };
        if (!this->population().is_mixed()) { return phases; }
        // Extents are read first to find giants, and the tree of giants is packed last.
        double bytes = of_agents(dim, 0.0);
        for (const Phase& phase : phases) {
            bytes += phase.bytes;
        }
        return {{"all", bytes}};
    }
    [[nodiscard]] double working_set() const override {
        return this->population().input_bytes() +
               static_cast<double>(this->index().memory().total());
    }

private:
    std::array<std::vector<float>, Dim> others_;
};

template <class Index, std::size_t Dim>
class Edits final : public Change<Index, Dim> {
public:
    explicit Edits(const Setting& setting) : Change<Index, Dim>(setting) {
        constexpr std::size_t kAgentsForAnEdit = 20;
        const std::size_t agents = this->agents();
        scenes::Random random(29);
        std::vector<bool> moves(agents);
        while (leaving_.size() < std::max<std::size_t>(agents / kAgentsForAnEdit, 1)) {
            const Id id = random.below(static_cast<std::uint32_t>(agents));
            if (moves[id]) { continue; }
            moves[id] = true;
            const Point<Dim> home = this->population().agents().position_of(id);
            Point<Dim> away;
            for (std::size_t a = 0; a < Dim; ++a) {
                away[a] = this->step(home[a], a, 0.25f, random);
            }
            leaving_.push_back(Edit<Dim>::move(id, away));
            coming_home_.push_back(Edit<Dim>::move(id, home));
        }
    }

    void ask(Executor& executor) override {
        this->turn();
        expect_ok(this->index().edit(this->phase() == 1 ? leaving_ : coming_home_, executor));
    }

    [[nodiscard]] std::vector<Phase> phases() const override {
        // The list, and the rows that random edits touch, each counted once.
        const auto rows = static_cast<double>(this->population().grid().shape().rows());
        const double touched = 1.0 - std::exp(-edits() / rows);
        const double nodes = this->population().index_bytes();
        return {{"all", edits() * static_cast<double>(sizeof(Edit<Dim>)) + 3.0 * touched * nodes}};
    }
    [[nodiscard]] double working_set() const override {
        return edits() * static_cast<double>(sizeof(Edit<Dim>)) +
               static_cast<double>(this->index().memory().total());
    }

protected:
    // That of giants depends on the edits so far.
    [[nodiscard]] bool order_lasts() const override { return false; }

private:
    [[nodiscard]] test::Truth<Dim> truth_now() override {
        test::Truth<Dim> truth = this->population().truth();
        for (std::size_t i = 0; this->phase() == 1 && i < leaving_.size(); ++i) {
            expect_ok(truth.edit(leaving_[i]));
        }
        return truth;
    }
    [[nodiscard]] double edits() const noexcept { return static_cast<double>(leaving_.size()); }

    std::vector<Edit<Dim>> leaving_, coming_home_;
};

} // namespace

std::unique_ptr<Workload> make_update(const Setting& setting) { return make_for<Update>(setting); }
std::unique_ptr<Workload> make_edits(const Setting& setting) { return make_for<Edits>(setting); }

} // namespace throng::bench
