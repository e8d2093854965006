#include "structure.hpp"

#include "../stage/names.hpp"
#include "ask.hpp"
#include "look.hpp"

#include <throng/engine/answers/spatial_index.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/family/brute_force.hpp>
#include <throng/engine/family/double_grid/double_grid.hpp>
#include <throng/engine/family/nested_quadtree/nested_index.hpp>
#include <throng/engine/family/tight_quadtree/tight_quadtree.hpp>
#include <throng/engine/grid/row_grid.hpp>
#include <throng/engine/loose_tree/loose_tree.hpp>
#include <throng/parallel/batch/batch.hpp>
#include <throng/parallel/sight/in_sight.hpp>

#include <mutex>
#include <stdexcept>

namespace throng::demo {

void must(const Status& status) {
    if (!status.ok()) { throw std::runtime_error(to_string(status)); }
}

namespace {

/// Remembers the first refusal of several threads' questions.
class Refusals {
public:
    void note(const Status& status) {
        if (status.ok()) { return; }
        const std::lock_guard lock(mutex_);
        if (first_.ok()) { first_ = status; }
    }
    [[nodiscard]] Status first() const noexcept { return first_; }

private:
    std::mutex mutex_;
    Status first_{};
};

/// What all have in common: whose people they keep, and on which threads they ask.
template <std::size_t Dim>
class Keeper : public Structure<Dim> {
public:
    Keeper(StructureKind kind, const People<Dim>& people, Executor& executor)
        : people_(&people), executor_(executor), kind_(kind) {}

    [[nodiscard]] StructureKind kind() const noexcept override { return kind_; }
    std::optional<Status> steer(const Flock&, float) override { return std::nullopt; }
    std::optional<Status> steer(const Walkers&, float) override { return std::nullopt; }

protected:
    const People<Dim>* people_;
    Executor& executor_;

private:
    StructureKind kind_;
};

/// Structures that know nothing of walls: these stand in a tree of their own.
template <std::size_t Dim>
class BesideWalls : public Keeper<Dim> {
public:
    BesideWalls(StructureKind kind, const People<Dim>& people, Executor& executor)
        : Keeper<Dim>(kind, people, executor) {
        if (!people.wall[0].empty()) { must(walls_.update(people.walls(), executor)); }
    }

protected:
    [[nodiscard]] std::size_t wall_memory() const noexcept { return walls_.memory().index(); }

    LooseTree<Dim> walls_;
};

/// Any SpatialIndex, asked agent by agent.
template <class Index, std::size_t Dim>
class AnyIndex final : public BesideWalls<Dim> {
public:
    using typename Structure<Dim>::NearVisitor;
    using typename Structure<Dim>::PairVisitor;

    AnyIndex(StructureKind kind, const People<Dim>& people, Executor& executor)
        : BesideWalls<Dim>(kind, people, executor) {
        if constexpr (std::is_same_v<Index, DoubleGrid<Dim>>) {
            const float cell = people.cell * kDoubleGridCell;
            must(index_.configure(people.world, Point<Dim>::all(cell)));
        } else if constexpr (!std::is_same_v<Index, BruteForce<Dim>>) {
            must(index_.configure(people.world));
        }
    }

    Status update(const People<Dim>& people) override {
        this->people_ = &people;
        return index_.update(people.agents(), this->executor_);
    }

    Status count_neighbours(float radius, std::span<std::uint32_t> counts) override {
        return ask_everyone([&](Id agent) {
            const Found found = index_.count(around(agent, radius), others_than(agent));
            counts[agent] = static_cast<std::uint32_t>(found.count);
            return found.status;
        });
    }

    Status visit_neighbours(float radius, NearVisitor visitor) override {
        return ask_everyone([&](Id agent) {
            thread_local std::vector<Id> near;
            near.clear();
            const Found found = index_.visit(
                around(agent, radius),
                [](std::span<const Id> run) {
                    near.insert(near.end(), run.begin(), run.end());
                    return true;
                },
                others_than(agent));
            visitor(agent, near);
            return found.status;
        });
    }

    Status visit_seen(const Obstacles<Dim>& obstacles, float radius, NearVisitor visitor) override {
        return visit_neighbours(radius, [&](Id agent, std::span<const Id> near) {
            thread_local std::vector<Id> seen;
            seen.clear();
            for (const Id other : near) {
                if (see_each_other(obstacles, *this->people_, agent, other)) {
                    seen.push_back(other);
                }
            }
            visitor(agent, seen);
        });
    }
    Status find(std::span<const Ball<Dim>> balls, Hits& hits) override {
        return index_.query(balls, hits);
    }

    Found visit_pairs(PairVisitor visitor) override {
        return index_.visit_pairs([&](std::span<const Id> first, std::span<const Id> second) {
            visitor(first, second);
            return true;
        });
    }

    void visit_cells(IndexCellVisitor<Dim> visitor) const override { index_.visit_cells(visitor); }
    [[nodiscard]] Brushed ask(const Brush& brush) const override {
        return Asker<Index, Dim>(index_, this->walls_, *this->people_).ask(brush, this->kind());
    }
    [[nodiscard]] MemoryUse memory() const noexcept override {
        MemoryUse use = index_.memory();
        use.nodes += this->wall_memory();
        return use;
    }

private:
    // About twelve agents a cell, where scenes' cells are for about one.
    static constexpr float kDoubleGridCell = Dim == 2 ? 3.5f : 2.3f;

    [[nodiscard]] Ball<Dim> around(Id agent, float radius) const noexcept {
        return {this->people_->at(agent), radius};
    }
    [[nodiscard]] static Filter others_than(Id agent) noexcept { return {kAllGroups, agent}; }

    template <class Question>
    Status ask_everyone(const Question& question) {
        Refusals refusals;
        for_blocks(this->executor_, this->people_->size(), [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                refusals.note(question(static_cast<Id>(i)));
            }
        });
        return refusals.first();
    }

    Index index_;
};

/// Lists of all agents' neighbours, in storage order. Reused from frame to frame.
struct NeighbourLists {
    Hits hits;
    std::vector<Id> order;

    /// On the executor.
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

/// A RowGrid, which is asked for everyone at once.
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

/// A Crowd, which knows of giants and walls besides.
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
        return batch_.count_neighbours(crowd_, {radius}, counts, Order::ids, Sets::agents).status;
    }
    Status visit_neighbours(float radius, NearVisitor visitor) override {
        const Status status =
            batch_.neighbours(crowd_, {radius}, lists_.hits, Order::storage, Sets::agents);
        if (status.ok()) { lists_.hand_over(this->executor_, crowd_, visitor); }
        return status;
    }
    Status visit_seen(const Obstacles<Dim>& obstacles, float radius, NearVisitor visitor) override {
        const Status status = in_sight_.neighbours(crowd_, obstacles, {radius}, lists_.hits,
                                                   Order::storage, Sets::agents);
        if (status.ok()) { lists_.hand_over(this->executor_, crowd_, visitor); }
        return status;
    }
    Status find(std::span<const Ball<Dim>> balls, Hits& hits) override {
        return batch_.query(crowd_, balls, hits, {}, Sets::agents);
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
    const auto any = [&]<class Index>(std::in_place_type_t<Index>) {
        return std::make_unique<AnyIndex<Index, Dim>>(kind, people, executor);
    };
    switch (kind) {
    case StructureKind::crowd:
        return std::make_unique<CrowdKeeper<Dim>>(people, executor);
    case StructureKind::row_grid:
        return std::make_unique<GridKeeper<Dim>>(people, executor);
    case StructureKind::double_grid:
        return any(std::in_place_type<DoubleGrid<Dim>>);
    case StructureKind::loose_tree:
        return any(std::in_place_type<LooseTree<Dim>>);
    case StructureKind::brute_force:
        return any(std::in_place_type<BruteForce<Dim>>);
    case StructureKind::tight_quadtree:
        if constexpr (Dim == 2) { return any(std::in_place_type<TightQuadtree>); }
        break;
    case StructureKind::nested_index:
        if constexpr (Dim == 2) { return any(std::in_place_type<NestedIndex>); }
        break;
    case StructureKind::ranks: // which make_ranks() makes
        break;
    }
    throw std::runtime_error("this structure is for the plane, not for space");
}

template std::unique_ptr<Structure<2>> make_structure(StructureKind, const People<2>&, Executor&);
template std::unique_ptr<Structure<3>> make_structure(StructureKind, const People<3>&, Executor&);

} // namespace throng::demo
