// Large searches over sparse grids: with an occupancy pyramid, and by a look at every cell.
#include "../benchmarks.hpp"
#include "../measure/measure.hpp"

#include "../../tests/support/random.hpp"
#include <throng/engine/agents/box.hpp>
#include <throng/engine/family/occupancy_pyramid.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace throng::bench {

namespace {

enum class Spread : std::uint8_t { uniform, clustered };
enum class Extent : std::uint8_t { tenth, all };

constexpr std::uint32_t kEmpty = 0xFFFF'FFFFu;

/// The hits of a search, in any order.
struct Answer {
    std::uint64_t count = 0, sum = 0;
    friend bool operator==(const Answer&, const Answer&) = default;
};

/// Cells of side 1, some with agents. Each cell has the index of its first agent, as in a grid of
/// linked lists.
template <std::size_t Dim>
class SparseGrid {
public:
    using Cell = typename OccupancyPyramid<Dim>::Cell;

    /// Returns the grid from a cache of one.
    static const SparseGrid& get(Spread spread, double share) {
        static std::unique_ptr<SparseGrid> grid;
        if (grid == nullptr || grid->spread_ != spread || grid->share_ != share) {
            grid.reset();
            grid = std::make_unique<SparseGrid>(spread, share);
        }
        return *grid;
    }

    SparseGrid(Spread spread, double share) : spread_(spread), share_(share) {
        cells_.fill(Dim == 2 ? 4'096 : 256);
        const std::size_t all = std::accumulate(cells_.begin(), cells_.end(), std::size_t{1},
                                                [](std::size_t a, std::size_t b) { return a * b; });
        heads_.assign(all, kEmpty);
        pyramid_.configure(cells_);
        occupy(spread, static_cast<std::size_t>(share * static_cast<double>(all)));
        // Agents are numbered in the order of cells, so that a look at every cell reads memory in
        // order.
        scenes::Random random(2);
        for (std::size_t i = 0; i < all; ++i) {
            if (heads_[i] == kEmpty) { continue; }
            heads_[i] = static_cast<std::uint32_t>(agents_.size());
            Point<Dim> position;
            std::size_t rest = i;
            for (std::size_t a = 0; a < Dim; ++a) {
                position[a] = static_cast<float>(rest % cells_[a]) + random.unit();
                rest /= cells_[a];
            }
            agents_.push_back({position});
        }
    }

    [[nodiscard]] const Cell& cells() const { return cells_; }
    [[nodiscard]] std::size_t occupied() const { return agents_.size(); }
    [[nodiscard]] std::size_t pyramid_bytes() const { return pyramid_.memory(); }

    [[nodiscard]] Answer by_heads(const Box<Dim>& box) const {
        const CellBlock<Dim> block = block_of(box);
        Answer answer;
        const std::uint32_t last_z = Dim == 2 ? 1 : block.end[Dim - 1];
        for (std::uint32_t z = Dim == 2 ? 0 : block.begin[Dim - 1]; z < last_z; ++z) {
            for (std::uint32_t y = block.begin[1]; y < block.end[1]; ++y) {
                const std::uint32_t* const row =
                    heads_.data() + (std::size_t{z} * cells_[1] + y) * cells_[0];
                for (std::uint32_t x = block.begin[0]; x < block.end[0]; ++x) {
                    if (row[x] != kEmpty) { look_at(row[x], box, answer); }
                }
            }
        }
        return answer;
    }

    [[nodiscard]] Answer by_pyramid(const Box<Dim>& box) const {
        Answer answer;
        // Takes several cells at a time: first all their heads are fetched, then all their agents.
        std::array<const std::uint32_t*, 64> heads;
        std::size_t pending = 0;
        const auto look = [&] {
            for (std::size_t i = 0; i < pending; ++i) {
                __builtin_prefetch(agents_.data() + *heads[i]);
            }
            for (std::size_t i = 0; i < pending; ++i) {
                look_at(*heads[i], box, answer);
            }
            pending = 0;
        };
        pyramid_.for_each(block_of(box), [&](const Cell& cell) {
            const std::uint32_t* const head = heads_.data() + index_of(cell);
            __builtin_prefetch(head);
            heads[pending++] = head;
            if (pending == heads.size()) { look(); }
        });
        look();
        return answer;
    }

    [[nodiscard]] Answer by_agents(const Box<Dim>& box) const {
        Answer answer;
        for (std::uint32_t i = 0; i < agents_.size(); ++i) {
            look_at(i, box, answer);
        }
        return answer;
    }

private:
    struct Agent {
        Point<Dim> position;
        std::uint32_t next = kEmpty; // the next agent in the same cell
    };

    [[nodiscard]] std::size_t index_of(const Cell& cell) const {
        std::size_t index = cell[Dim - 1];
        for (std::size_t a = Dim - 1; a-- > 0;) {
            index = index * cells_[a] + cell[a];
        }
        return index;
    }

    [[nodiscard]] CellBlock<Dim> block_of(const Box<Dim>& box) const {
        CellBlock<Dim> block;
        for (std::size_t a = 0; a < Dim; ++a) {
            block.begin[a] = static_cast<std::uint32_t>(std::max(box.lo[a], 0.0f));
            block.end[a] = std::min(cells_[a], static_cast<std::uint32_t>(box.hi[a]) + 1);
        }
        return block;
    }

    void look_at(std::uint32_t first, const Box<Dim>& box, Answer& answer) const {
        for (std::uint32_t i = first; i != kEmpty; i = agents_[i].next) {
            const Point<Dim>& position = agents_[i].position;
            bool inside = true;
            for (std::size_t a = 0; a < Dim; ++a) {
                inside = inside && box.lo[a] <= position[a] && position[a] <= box.hi[a];
            }
            answer.count += inside ? 1 : 0;
            answer.sum += inside ? i : 0;
        }
    }

    void occupy(Spread spread, std::size_t count) {
        scenes::Random random(1);
        std::vector<Cell> centres(64);
        for (Cell& centre : centres) {
            for (std::size_t a = 0; a < Dim; ++a) {
                centre[a] = random.below(cells_[a]);
            }
        }
        float reach = 4.0f; // of a cluster; grows while the cluster is full
        while (count > 0) {
            Cell cell;
            const Cell& centre = centres[random.below(64)];
            for (std::size_t a = 0; a < Dim; ++a) {
                const float near = static_cast<float>(centre[a]) + reach * random.bell();
                const auto most = static_cast<float>(cells_[a] - 1);
                cell[a] = spread == Spread::uniform
                              ? random.below(cells_[a])
                              : static_cast<std::uint32_t>(std::clamp(near, 0.0f, most));
            }
            std::uint32_t& head = heads_[index_of(cell)];
            if (head != kEmpty) {
                reach *= 1.0f + 1e-4f;
                continue;
            }
            head = 0;
            pyramid_.set(cell);
            --count;
        }
    }

    Spread spread_;
    double share_;
    Cell cells_{};
    std::vector<std::uint32_t> heads_; // x fastest, then y, then z
    std::vector<Agent> agents_;
    OccupancyPyramid<Dim> pyramid_;
};

template <std::size_t Dim>
std::vector<Box<Dim>> boxes_of(const SparseGrid<Dim>& grid, Extent extent) {
    const auto side = static_cast<float>(grid.cells()[0]);
    if (extent == Extent::all) { return {{Point<Dim>::all(0.0f), Point<Dim>::all(side)}}; }
    const float half = 0.5f * side * (Dim == 2 ? std::sqrt(0.1f) : std::cbrt(0.1f));
    scenes::Random random(3);
    std::vector<Box<Dim>> boxes(8);
    for (Box<Dim>& box : boxes) {
        Point<Dim> centre;
        for (std::size_t a = 0; a < Dim; ++a) {
            centre[a] = random.between(half, side - half);
        }
        box = Box<Dim>::around(centre, Point<Dim>::all(half));
    }
    return boxes;
}

/// Times both ways alternately; the reported time is the pyramid's.
template <std::size_t Dim>
void search(benchmark::State& state, Spread spread, double share, Extent extent) {
    const SparseGrid<Dim>& grid = SparseGrid<Dim>::get(spread, share);
    const std::vector<Box<Dim>> boxes = boxes_of(grid, extent);
    std::uint64_t hits = 0;
    for (const Box<Dim>& box : boxes) {
        const Answer truth = grid.by_agents(box);
        hits += truth.count;
        if (grid.by_heads(box) != truth || grid.by_pyramid(box) != truth) {
            state.SkipWithError("an answer differs from what looking at all agents finds");
            return;
        }
    }
    Stopwatch with, without;
    std::vector<double> ratios;
    for (auto _ : state) {
        Answer by_heads, by_pyramid;
        for (const Box<Dim>& box : boxes) {
            without.time([&] { by_heads = grid.by_heads(box); });
            with.time([&] { by_pyramid = grid.by_pyramid(box); });
            if (by_heads != by_pyramid) {
                state.SkipWithError("the answers are not what they were");
            }
        }
        ratios.push_back(without.running_nanoseconds() / with.running_nanoseconds());
        with.end_iteration(state);
        without.end_iteration();
    }
    std::nth_element(ratios.begin(), ratios.begin() + std::ssize(ratios) / 2, ratios.end());
    const auto searches = static_cast<double>(boxes.size());
    state.counters["pyramid_us"] = with.nanoseconds() / searches / 1e3;
    state.counters["all_cells_us"] = without.nanoseconds() / searches / 1e3;
    state.counters["times_faster"] = ratios[ratios.size() / 2];
    state.counters["hits"] = static_cast<double>(hits) / searches;
    state.counters["bytes_per_agent"] =
        static_cast<double>(grid.pyramid_bytes()) / static_cast<double>(grid.occupied());
}

template <std::size_t Dim>
void register_searches() {
    for (const Spread spread : {Spread::uniform, Spread::clustered}) {
        for (const double share : {0.001, 0.01, 0.1, 0.5}) {
            // With more agents, clusters would fill the world.
            if (spread == Spread::clustered && share > 0.01) { continue; }
            for (const Extent extent : {Extent::tenth, Extent::all}) {
                std::string percent = std::to_string(share * 100.0);
                percent.resize(percent.find('.') + 2);
                const std::string name = "family_sparse/" + std::to_string(Dim) + "d/" +
                                         (spread == Spread::uniform ? "uniform/" : "clustered/") +
                                         percent + (extent == Extent::all ? "/all" : "/tenth");
                benchmark::RegisterBenchmark(
                    name.c_str(),
                    [=](benchmark::State& state) { search<Dim>(state, spread, share, extent); })
                    ->UseManualTime()
                    ->Unit(benchmark::kMillisecond);
            }
        }
    }
}

} // namespace

void register_sparse() {
    register_searches<2>();
    register_searches<3>();
}

} // namespace throng::bench
