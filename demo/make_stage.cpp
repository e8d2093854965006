#include "make_stage.hpp"

#include "names.hpp"
#include "scene.hpp"
#include "structure.hpp"

#include <string>
#include <utility>

namespace throng::demo {

namespace {

template <std::size_t Dim>
class Theatre final : public Stage {
public:
    Theatre(const Options& options, Executor& executor)
        : executor_(executor), scene_(make_scene<Dim>(options.scene, options.seed)),
          kind_(options.structure) {
        must(set_agents(options.agents));
    }

    Status step(FrameTimes& times) override {
        times.begin();
        scene_->move(people_, ++frame_, executor_);
        times.ended(Part::move);
        if (const Status status = structure_->update(people_); !status.ok()) { return status; }
        times.ended(Part::update);
        if (const Status status = look(); !status.ok()) { return status; }
        times.ended(Part::query);
        if (const Status status = collide(); !status.ok()) { return status; }
        times.ended(Part::collide);
        times.ended(Part::frame);
        return {};
    }

    [[nodiscard]] const char* scene() const noexcept override { return scene_->name(); }
    [[nodiscard]] std::size_t dim() const noexcept override { return Dim; }
    [[nodiscard]] Box<2> world() const noexcept override {
        const Box<Dim>& world = people_.world;
        return {{{world.lo[0], world.lo[1]}}, {{world.hi[0], world.hi[1]}}};
    }
    [[nodiscard]] Sight sight() const noexcept override {
        Sight sight;
        sight.x = people_.position[0];
        sight.y = people_.position[1];
        sight.half = people_.half;
        sight.common_half = people_.common_half;
        sight.neighbours = people_.neighbours;
        if constexpr (Dim == 3) { sight.z = people_.position[2]; }
        sight.wall_x = people_.wall[0];
        sight.wall_y = people_.wall[1];
        sight.wall_half_x = people_.wall_half[0];
        sight.wall_half_y = people_.wall_half[1];
        return sight;
    }
    [[nodiscard]] std::uint64_t pairs() const noexcept override { return pairs_; }
    [[nodiscard]] MemoryUse memory() const noexcept override { return structure_->memory(); }

    Status set_agents(std::size_t agents) override {
        if (!can_keep(kind_, Dim, agents)) { return {Cause::too_many, Argument::positions}; }
        people_ = {};
        frame_ = 0;
        scene_->begin(agents, people_);
        return move_into(kind_);
    }
    [[nodiscard]] float radius() const noexcept override { return people_.radius; }
    Status set_radius(float radius) override {
        if (!(radius >= 0.0f)) { return {Cause::negative, Argument::radius}; }
        people_.radius = radius;
        return look();
    }
    [[nodiscard]] StructureKind structure() const noexcept override { return kind_; }
    Status set_structure(StructureKind kind) override {
        if (!can_keep(kind, Dim, people_.size())) { return {Cause::too_many, Argument::positions}; }
        return move_into(kind);
    }

    void visit_cells(IndexCellVisitor<2> visitor) const override {
        structure_->visit_cells([&](const IndexCell<Dim>& cell) {
            return visitor(
                {{{{cell.box.lo[0], cell.box.lo[1]}}, {{cell.box.hi[0], cell.box.hi[1]}}},
                 cell.depth,
                 cell.count});
        });
    }
    [[nodiscard]] Brushed ask(const Brush& brush) const override { return structure_->ask(brush); }

private:
    /// A new structure for people as they stand; the old one stays where it is refused.
    Status move_into(StructureKind kind) {
        auto structure = make_structure<Dim>(kind, people_, executor_);
        if (const Status status = structure->update(people_); !status.ok()) { return status; }
        structure_ = std::move(structure);
        kind_ = kind;
        if (const Status status = look(); !status.ok()) { return status; }
        return collide();
    }
    Status look() { return scene_->look(people_, *structure_, executor_); }
    Status collide() {
        people_.touched.reset(people_.size());
        const Found found = scene_->collide(people_, *structure_);
        pairs_ = found.count;
        return found.status;
    }

    Executor& executor_;
    std::unique_ptr<Scene<Dim>> scene_;
    People<Dim> people_;
    StructureKind kind_;
    std::unique_ptr<Structure<Dim>> structure_;
    std::size_t frame_ = 0;
    std::uint64_t pairs_ = 0;
};

} // namespace

std::unique_ptr<Stage> make_stage(const Options& options, Executor& executor) {
    if (dimension_of(options.scene) == 3) {
        return std::make_unique<Theatre<3>>(options, executor);
    }
    return std::make_unique<Theatre<2>>(options, executor);
}

} // namespace throng::demo
