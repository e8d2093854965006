#include "structure.hpp"

#include "any_index.hpp"
#include "family.hpp"

#include <throng/engine/answers/spatial_index.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/grid/row_grid.hpp>
#include <throng/engine/loose_tree/loose_tree.hpp>
#include <throng/parallel/batch/batch.hpp>
#include <throng/parallel/sight/in_sight.hpp>

#include <stdexcept>

namespace throng::demo {

void must(const Status& status) {
    if (!status.ok()) { throw std::runtime_error(to_string(status)); }
}

namespace {

/// Lists of all agents' neighbours, in storage order; reused from frame to frame.
struct NeighbourLists {
    Hits hits;
    std::vector<Id> order;

    /// Passes all lists to the visitor, on the executor.
    template <class Index, class NearVisitor>
    void hand_over(Executor& executor, const Index& index, NearVisitor visitor) {
        order.resize(index.size());
        (void)index.order(order);
        for_blocks(executor, order.size(), [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) {
                visitor(order[k], hits.of(k));
            }
        });
    }

    [[nodiscard]] std::size_t memory() const noexcept {
        return hits.offsets.capacity() * sizeof(std::uint64_t) +
               (hits.ids.capacity() + order.capacity()) * sizeof(Id);
    }
};

/// A RowGrid, which answers questions of all agents by one call.
template <std::size_t Dim>
class GridKeeper final : public BesideWalls<Dim> {
public:
    using typename Structure<Dim>::NearVisitor;
    using typename Structure<Dim>::PairVisitor;

    GridKeeper(const People<Dim>& people, Executor& executor)
        : BesideWalls<Dim>(StructureKind::row_grid, people, executor), batch_(executor),
          in_sight_(executor), loop_(executor) {
        must(grid_.configure(people.world, Point<Dim>::all(people.cell)));
    }

    Status update(const People<Dim>& people) override {
        this->people_ = &people;
        return grid_.update(people.agents(), this->executor_);
    }
    Status count_neighbours(float radius, std::span<std::uint32_t> counts) override {
        return batch_.count_neighbours(grid_, {radius}, counts, Order::ids).status;
    }
    Status visit_neighbours(float radius, NearVisitor visitor) override {
        const Status status = batch_.neighbours(grid_, {radius}, lists_.hits);
        if (status.ok()) { lists_.hand_over(this->executor_, grid_, visitor); }
        return status;
    }
    Status visit_seen(const Obstacles<Dim>& obstacles, float radius, NearVisitor visitor) override {
        const Status status = in_sight_.neighbours(grid_, obstacles, {radius}, lists_.hits);
        if (status.ok()) { lists_.hand_over(this->executor_, grid_, visitor); }
        return status;
    }
    Status find(std::span<const Ball<Dim>> balls, Hits& hits) override {
        return batch_.query(grid_, balls, hits);
    }
    Found visit_pairs(PairVisitor visitor) override {
        return batch_.visit_pairs(
            grid_, [&](std::size_t, std::span<const Id> first, std::span<const Id> second) {
                visitor(first, second);
                return true;
            });
    }
    std::optional<Status> steer(const Flock& flock, float radius) override {
        return steer_by(flock, radius);
    }
    std::optional<Status> steer(const Walkers& walkers, float radius) override {
        return steer_by(walkers, radius);
    }

    void visit_cells(IndexCellVisitor<Dim> visitor) const override { grid_.visit_cells(visitor); }
    [[nodiscard]] Brushed ask(const Brush& brush) const override {
        return Asker<RowGrid<Dim>, Dim>(grid_, this->walls_, *this->people_)
            .ask(brush, this->kind());
    }
    [[nodiscard]] MemoryUse memory() const noexcept override {
        MemoryUse use = grid_.memory();
        use.nodes += this->wall_memory();
        use.staging += batch_.memory() + in_sight_.memory() + loop_.memory() + lists_.memory();
        return use;
    }

private:
    template <class Kernel>
    std::optional<Status> steer_by(const Kernel& kernel, float radius) {
        if constexpr (Dim == 2) { return run_fused(loop_, grid_, radius, kernel); }
        return std::nullopt;
    }

    RowGrid<Dim> grid_;
    Batch<Dim> batch_;
    InSight<Dim> in_sight_;
    NeighbourLoop<Dim> loop_;
    NeighbourLists lists_;
};

/// A Crowd, which also has giants and walls.
template <std::size_t Dim>
class CrowdKeeper final : public Keeper<Dim> {
public:
    using typename Structure<Dim>::NearVisitor;
    using typename Structure<Dim>::PairVisitor;

    CrowdKeeper(const People<Dim>& people, Executor& executor)
        : Keeper<Dim>(StructureKind::crowd, people, executor), batch_(executor),
          in_sight_(executor), loop_(executor) {
        CrowdSettings<Dim> settings;
        settings.bounds = people.world;
        settings.cell = Point<Dim>::all(people.cell);
        must(crowd_.configure(settings));
        if (!people.wall[0].empty()) { must(crowd_.set_statics(people.walls(), executor)); }
    }

    Status update(const People<Dim>& people) override {
        this->people_ = &people;
        return crowd_.update(people.agents(), this->executor_);
    }
    Status count_neighbours(float radius, std::span<std::uint32_t> counts) override {
        return batch_.count_neighbours({crowd_, Sets::agents}, {radius}, counts, Order::ids).status;
    }
    Status visit_neighbours(float radius, NearVisitor visitor) override {
        const Status status =
            batch_.neighbours({crowd_, Sets::agents}, {radius}, lists_.hits, Order::storage);
        if (status.ok()) { lists_.hand_over(this->executor_, crowd_, visitor); }
        return status;
    }
    Status visit_seen(const Obstacles<Dim>& obstacles, float radius, NearVisitor visitor) override {
        const Status status = in_sight_.neighbours({crowd_, Sets::agents}, obstacles, {radius},
                                                   lists_.hits, Order::storage);
        if (status.ok()) { lists_.hand_over(this->executor_, crowd_, visitor); }
        return status;
    }
    Status find(std::span<const Ball<Dim>> balls, Hits& hits) override {
        return batch_.query({crowd_, Sets::agents}, balls, hits, {});
    }
    Found visit_pairs(PairVisitor visitor) override {
        return batch_.visit_pairs(
            crowd_, [&](std::size_t, std::span<const Id> first, std::span<const Id> second) {
                visitor(first, second);
                return true;
            });
    }
    std::optional<Status> steer(const Flock& flock, float radius) override {
        return steer_by(flock, radius);
    }
    std::optional<Status> steer(const Walkers& walkers, float radius) override {
        return steer_by(walkers, radius);
    }

    void visit_cells(IndexCellVisitor<Dim> visitor) const override { crowd_.visit_cells(visitor); }
    [[nodiscard]] Brushed ask(const Brush& brush) const override {
        return Asker<throng::Crowd<Dim>, Dim>(crowd_, no_walls_, *this->people_)
            .ask(brush, this->kind());
    }
    [[nodiscard]] MemoryUse memory() const noexcept override {
        MemoryUse use = crowd_.memory();
        use.staging += batch_.memory() + in_sight_.memory() + loop_.memory() + lists_.memory();
        return use;
    }

private:
    template <class Kernel>
    std::optional<Status> steer_by(const Kernel& kernel, float radius) {
        if constexpr (Dim == 2) { return run_fused(loop_, crowd_, radius, kernel); }
        return std::nullopt;
    }

    throng::Crowd<Dim> crowd_;
    Batch<Dim> batch_;
    InSight<Dim> in_sight_;
    NeighbourLoop<Dim> loop_;
    LooseTree<Dim> no_walls_;
    NeighbourLists lists_;
};

} // namespace

template <std::size_t Dim>
std::unique_ptr<Structure<Dim>> make_structure(StructureKind kind, const People<Dim>& people,
                                               Executor& executor) {
    switch (kind) {
    case StructureKind::crowd:
        return std::make_unique<CrowdKeeper<Dim>>(people, executor);
    case StructureKind::row_grid:
        return std::make_unique<GridKeeper<Dim>>(people, executor);
    case StructureKind::loose_tree:
        return std::make_unique<AnyIndex<LooseTree<Dim>, Dim>>(
            kind, people, executor,
            [&](LooseTree<Dim>& tree) { return tree.configure(people.world); });
    default:
        return make_of_family<Dim>(kind, people, executor);
    }
}

template std::unique_ptr<Structure<2>> make_structure(StructureKind, const People<2>&, Executor&);
template std::unique_ptr<Structure<3>> make_structure(StructureKind, const People<3>&, Executor&);

} // namespace throng::demo
