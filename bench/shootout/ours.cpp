// The library's own structures as contenders.
#include "contenders.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/family/brute_force.hpp>
#include <throng/engine/family/double_grid/double_grid.hpp>
#include <throng/engine/family/nested_quadtree/nested_index.hpp>
#include <throng/engine/family/tight_quadtree/tight_quadtree.hpp>
#include <throng/engine/grid/query_stats.hpp>
#include <throng/engine/grid/row_grid.hpp>
#include <throng/engine/loose_tree/loose_tree.hpp>
#include <throng/parallel/batch/batch.hpp>

#include <array>
#include <concepts>
#include <stdexcept>
#include <utility>

namespace throng::shootout {

namespace {

void demand(const Status& status) {
    if (!status.ok()) { throw std::runtime_error("the library refused a crowd or a question"); }
}

/// The batch for questions about a whole crowd; most structures have none.
template <class Index>
struct BatchOf {
    explicit BatchOf(Executor&) {}
};
template <std::size_t Dim>
struct BatchOf<RowGrid<Dim>> : Batch<Dim> {
    using Batch<Dim>::Batch;
};
template <std::size_t Dim>
struct BatchOf<Crowd<Dim>> : Batch<Dim> {
    using Batch<Dim>::Batch;
};

template <class Index, std::size_t Dim>
class Ours final : public Subject<Dim> {
    static constexpr bool kIsCrowd = std::same_as<Index, Crowd<Dim>>;
    static constexpr bool kHasBatch = kIsCrowd || std::same_as<Index, RowGrid<Dim>>;
    static constexpr bool kAsksSpans = kHasBatch || std::same_as<Index, LooseTree<Dim>>;

public:
    explicit Ours(const Crew& crew) : crew_(crew), batch_(crew.executor) {}

    void update(const Walkers<Dim>& walkers) override {
        if constexpr (std::same_as<Index, TightQuadtree>) {
            if (index_.size() == 0) { lay_out(walkers); }
        }
        demand(index_.update(walkers.agents(), crew_.executor));
        if constexpr (std::same_as<Index, TightQuadtree>) { index_.cleanup(); }
    }

    [[nodiscard]] bool offers(Skill skill, Way way) const noexcept override {
        // Structures without a batch are asked on one thread, even if several threads built them.
        if (crew_.threads > 1 && !kHasBatch) { return skill == Skill::pairs && way == Way::single; }
        if (skill == Skill::nearest && !kHasBatch && !std::same_as<Index, BruteForce<Dim>>) {
            return false;
        }
        return way == Way::single ||
               (skill != Skill::pairs && kAsksSpans && (skill != Skill::nearest || kHasBatch));
    }

    void pairs(PairTally& tally) const override {
        if constexpr (kHasBatch) {
            if (crew_.threads > 1) {
                BatchOf<Index> batch(crew_.executor);
                demand(batch
                           .visit_pairs(index_,
                                        [&](std::size_t, std::span<const Id> first,
                                            std::span<const Id> second) {
                                            tally.take(first, second);
                                            return true;
                                        })
                           .status);
                return;
            }
        }
        demand(index_
                   .visit_pairs([&](std::span<const Id> first, std::span<const Id> second) {
                       tally.take(first, second);
                       return true;
                   })
                   .status);
    }

    void ask(std::span<const Box<Dim>> boxes, Way way, Answers& answers) override {
        find(boxes, way, answers);
    }
    void ask(std::span<const Ball<Dim>> balls, Way way, Answers& answers) override {
        find(balls, way, answers);
    }
    void ask(std::span<const Segment<Dim>> segments, Way way, Answers& answers) override {
        find(segments, way, answers);
    }
    void ask(std::span<const Point<Dim>> points, Way way, Answers& answers) override {
        if constexpr (requires(std::span<Near> out) { index_.nearest(points[0], {}, out); }) {
            const Nearest nearest{kNearest};
            if constexpr (kHasBatch) {
                if (way == Way::batch) {
                    demand(batch_.nearest(index_, points, nearest, near_));
                    for (std::size_t q = 0; q < points.size(); ++q) {
                        const std::span<const Near> found = near_.of(q);
                        answers.take(found.size(), [&](std::size_t i) { return found[i].id; });
                    }
                    return;
                }
            }
            std::array<Near, kNearest> out;
            for (const Point<Dim>& point : points) {
                const Found found = index_.nearest(point, nearest, out);
                answers.take(found.count, [&](std::size_t i) { return out[i].id; });
            }
        }
    }

    [[nodiscard]] std::size_t bytes() const override { return index_.memory().total(); }
    [[nodiscard]] std::string_view path_of(const Box<Dim>& box) const override {
        if constexpr (kIsCrowd) {
            return to_string(index_.explain(box).path);
        } else {
            return "";
        }
    }

private:
    template <class Shape>
    void find(std::span<const Shape> shapes, Way way, Answers& answers) {
        if (way == Way::batch) {
            if constexpr (kHasBatch) {
                demand(batch_.query(index_, shapes, hits_));
            } else if constexpr (kAsksSpans) {
                demand(index_.query(shapes, hits_));
            }
            answers.take(hits_);
            return;
        }
        for (const Shape& shape : shapes) {
            answers.take(index_.query(shape, answers.room()).count);
        }
    }

    /// Settings for about sixteen agents in each leaf of an even crowd, which suits vectors.
    void lay_out(const Walkers<Dim>& walkers) requires std::same_as<Index, TightQuadtree> {
        TightSettings settings;
        while (settings.depth < TightSettings::kMostDepth &&
               walkers.size() >> (2 * settings.depth) > 16) {
            ++settings.depth;
        }
        CrowdKind<2> kind;
        kind.own_half_extents = walkers.has_own_sizes();
        if (!kind.own_half_extents) { kind.common_half_extent = walkers.half_of(0); }
        demand(index_.configure(walkers.world(), settings, kind));
    }

    Crew crew_;
    Index index_;
    BatchOf<Index> batch_;
    Hits hits_;
    NearHits near_;
};

template <class Index, std::size_t Dim>
Maker<Dim> maker() {
    return [](const Crew& crew) { return std::make_unique<Ours<Index, Dim>>(crew); };
}

template <template <std::size_t> class Index>
Entry in_both(std::string name) {
    return {Kind::ours, std::move(name), "", "", maker<Index<2>, 2>(), maker<Index<3>, 3>()};
}

} // namespace

std::vector<Entry> ours() {
    std::vector<Entry> entries;
    entries.push_back(in_both<Crowd>("crowd"));
    entries.push_back(in_both<RowGrid>("row_grid"));
    entries.push_back(in_both<DoubleGrid>("double_grid"));
    entries.push_back({Kind::ours, "tight_quadtree", "", "", maker<TightQuadtree, 2>(), {}});
    entries.push_back({Kind::ours, "nested_index", "", "", maker<NestedIndex, 2>(), {}});
    entries.push_back(in_both<LooseTree>("loose_tree"));
    entries.push_back(in_both<BruteForce>("brute_force"));
    for (Entry& entry : entries) {
        entry.threaded = entry.sweeps =
            entry.name == "crowd" || entry.name == "row_grid" || entry.name == "loose_tree";
    }
    // The time of pairs grows with the square of the crowd.
    entries.back().most_agents = 10'000;
    return entries;
}

} // namespace throng::shootout
