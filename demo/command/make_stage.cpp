#include "make_stage.hpp"

#include "../scenes/scene.hpp"
#include "../stage/names.hpp"
#include "../structures/ranks.hpp"
#include "../structures/structure.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace throng::demo {

namespace {

/// A scene and its state. It must not move, because the structure reads the people in place.
template <std::size_t Dim>
struct Play {
    std::unique_ptr<Scene<Dim>> scene;
    People<Dim> people{};
    std::unique_ptr<Structure<Dim>> structure{};
    std::size_t frame = 0;
    std::uint64_t pairs = 0;

    Status collide() {
        const Found found = scene->collide(people, *structure);
        pairs = found.count;
        return found.status;
    }
    /// Asks all questions again, with people at their present places.
    Status ask_anew(Executor& executor) {
        scene->forget(people);
        if (const Status status = scene->look(people, *structure, executor); !status.ok()) {
            return status;
        }
        return collide();
    }
};

template <std::size_t Dim>
class Theatre final : public Stage {
public:
    Theatre(const Options& options, Executor& executor)
        : executor_(executor), scene_(options.scene), seed_(options.seed), ranks_(options.ranks) {
        must(begin(options.agents, options.structure, std::nullopt));
    }

    Status step(FrameTimes& times) override {
        Play<Dim>& play = *play_;
        times.begin();
        play.scene->move(play.people, ++play.frame, executor_);
        times.ended(Part::move);
        if (const Status status = play.structure->update(play.people); !status.ok()) {
            return status;
        }
        times.ended(Part::update);
        if (const Status status = play.scene->look(play.people, *play.structure, executor_);
            !status.ok()) {
            return status;
        }
        times.ended(Part::query);
        if (const Status status = play.collide(); !status.ok()) { return status; }
        times.ended(Part::collide);
        times.ended(Part::frame);
        return {};
    }

    [[nodiscard]] const char* scene() const noexcept override { return play_->scene->name(); }
    [[nodiscard]] std::size_t dim() const noexcept override { return Dim; }
    [[nodiscard]] Box<2> world() const noexcept override {
        const Box<Dim>& world = play_->people.world;
        return {{{world.lo[0], world.lo[1]}}, {{world.hi[0], world.hi[1]}}};
    }
    [[nodiscard]] Sight sight() const noexcept override {
        const People<Dim>& people = play_->people;
        Sight sight;
        sight.x = people.position[0];
        sight.y = people.position[1];
        sight.half = people.half;
        sight.common_half = people.common_half;
        sight.neighbours = people.neighbours;
        if constexpr (Dim == 3) { sight.z = people.position[2]; }
        sight.hues = play_->structure->hues();
        sight.wall_x = people.wall[0];
        sight.wall_y = people.wall[1];
        sight.wall_half_x = people.wall_half[0];
        sight.wall_half_y = people.wall_half[1];
        return sight;
    }
    [[nodiscard]] std::uint64_t pairs() const noexcept override { return play_->pairs; }
    [[nodiscard]] MemoryUse memory() const noexcept override { return play_->structure->memory(); }

    Status set_agents(std::size_t agents) override { return begin(agents, structure(), radius()); }
    [[nodiscard]] float radius() const noexcept override { return play_->people.radius; }
    Status set_radius(float radius) override {
        if (!(radius >= 0.0f)) { return {Cause::negative, Argument::radius}; }
        const auto swap = [&] { std::swap(play_->people.radius, radius); };
        swap();
        return ask_or_undo(swap);
    }
    [[nodiscard]] StructureKind structure() const noexcept override {
        return play_->structure->kind();
    }
    Status set_structure(StructureKind kind) override {
        if (!can_keep(kind, Dim, play_->people.size())) {
            return {Cause::too_many, Argument::positions};
        }
        auto other = make_structure<Dim>(kind, play_->people, executor_);
        if (const Status status = other->update(play_->people); !status.ok()) { return status; }
        const auto swap = [&] { std::swap(play_->structure, other); };
        swap();
        return ask_or_undo(swap);
    }

    void visit_cells(IndexCellVisitor<2> visitor) const override {
        play_->structure->visit_cells([&](const IndexCell<Dim>& cell) {
            return visitor(
                {{{{cell.box.lo[0], cell.box.lo[1]}}, {{cell.box.hi[0], cell.box.hi[1]}}},
                 cell.depth,
                 cell.count});
        });
    }
    [[nodiscard]] Brushed ask(const Brush& brush) const override {
        return play_->structure->ask(brush);
    }

private:
    /// Starts the scene again, with its own radius unless another is given.
    Status begin(std::size_t agents, StructureKind kind, std::optional<float> radius) {
        if (!can_keep(kind, Dim, agents)) { return {Cause::too_many, Argument::positions}; }
        auto play = std::make_unique<Play<Dim>>(Play<Dim>{make_scene<Dim>(scene_, seed_)});
        play->scene->begin(agents, play->people);
        play->people.radius = radius.value_or(play->people.radius);
        play->structure = kind == StructureKind::ranks
                              ? make_ranks<Dim>(ranks_, play->people, executor_)
                              : make_structure<Dim>(kind, play->people, executor_);
        if (const Status status = play->structure->update(play->people); !status.ok()) {
            return status;
        }
        if (const Status status = play->ask_anew(executor_); !status.ok()) { return status; }
        play_ = std::move(play);
        return {};
    }

    /// After a change: asks again; if the questions are refused, undoes the change and asks once
    /// more.
    template <class Undo>
    Status ask_or_undo(const Undo& undo) {
        const Status status = play_->ask_anew(executor_);
        if (!status.ok()) {
            undo();
            (void)play_->ask_anew(executor_);
        }
        return status;
    }

    Executor& executor_;
    std::string scene_;
    std::uint64_t seed_;
    std::uint32_t ranks_;
    std::unique_ptr<Play<Dim>> play_;
};

} // namespace

std::unique_ptr<Stage> make_stage(const Options& options, Executor& executor) {
    if (dimension_of(options.scene) == 3) {
        return std::make_unique<Theatre<3>>(options, executor);
    }
    return std::make_unique<Theatre<2>>(options, executor);
}

} // namespace throng::demo
