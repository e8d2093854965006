// Measures the constants by which the planner predicts the cost of a search, and writes them as a
// header: throng_planner_costs FILE; or throng_planner_costs --quick FILE with small worlds, whose
// constants are useless.
//
// Constants of counts are fitted to all searches of the sweep by least squares of the relative
// error; those of any() come from searches that do only one thing.
#include "../../engine/grid/planner/query_planner.hpp"
#include "../../parallel/batch/path_tree.hpp"
#include "../../tests/support/path_choice.hpp"
#include "../machine/machine.hpp"
#include "planner_worlds.hpp"

#include <throng/simd/isa/isa.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace throng::bench {

namespace {

constexpr std::size_t kFactors = 5;
constexpr std::array<const char*, kFactors> kFactorNames = {"kCall", "kRow", "kNode", "kTile",
                                                            "kTileWord"};
using Factors = std::array<double, kFactors>;

/// A search: its work, and the time that it took.
struct Observation {
    Factors work;
    double nanoseconds;
};

/// The factors that fit the observations with the least squares of the relative error; factors not
/// in use are zero.
Factors solve(const std::vector<Observation>& observations,
              const std::array<bool, kFactors>& in_use) {
    std::array<std::array<double, kFactors + 1>, kFactors> rows{};
    for (const Observation& seen : observations) {
        for (std::size_t i = 0; i < kFactors; ++i) {
            for (std::size_t j = 0; j < kFactors; ++j) {
                rows[i][j] += seen.work[i] * seen.work[j] / (seen.nanoseconds * seen.nanoseconds);
            }
            rows[i][kFactors] += seen.work[i] / seen.nanoseconds;
        }
    }
    for (std::size_t i = 0; i < kFactors; ++i) {
        if (in_use[i] && rows[i][i] > 0.0) { continue; }
        for (std::size_t j = 0; j < kFactors; ++j) {
            rows[i][j] = rows[j][i] = 0.0;
        }
        rows[i][i] = 1.0;
        rows[i][kFactors] = 0.0;
    }
    // The matrix is positive definite, so elimination works in any order.
    for (std::size_t i = 0; i < kFactors; ++i) {
        for (std::size_t below = 0; below < kFactors; ++below) {
            if (below == i) { continue; }
            const double times = rows[below][i] / rows[i][i];
            for (std::size_t j = i; j <= kFactors; ++j) {
                rows[below][j] -= times * rows[i][j];
            }
        }
    }
    Factors factors{};
    for (std::size_t i = 0; i < kFactors; ++i) {
        factors[i] = rows[i][kFactors] / rows[i][i];
    }
    return factors;
}

/// The same without negative factors: leaves out the most negative one until none is negative.
Factors fit(const std::vector<Observation>& observations) {
    std::array<bool, kFactors> in_use;
    in_use.fill(true);
    for (;;) {
        const Factors factors = solve(observations, in_use);
        const auto least = std::min_element(factors.begin(), factors.end());
        if (*least >= 0.0) { return factors; }
        in_use[static_cast<std::size_t>(least - factors.begin())] = false;
    }
}

/// The least time of some turns, per question.
double least_of(std::size_t turns, std::size_t count, const auto& ask_all) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t turn = 0; turn < turns; ++turn) {
        least = std::min(least, warm_nanoseconds_of(ask_all));
    }
    return least / static_cast<double>(count);
}

class Measurement {
public:
    explicit Measurement(bool quick) : part_(quick ? 0.1f : 1.0f), turns_(quick ? 2 : 9) {}

    template <std::size_t Dim>
    void run() {
        for (const World world : {World::dense, World::sparse, World::clustered}) {
            const SweepWorld<Dim> sweep(world, part_);
            count_all(sweep);
            count_paths(sweep);
            if (world == World::dense) {
                note(any_, any_of(sweep, Searched::box, 1.0f, Sets::small));
                note(any_path_, any_of(sweep, Searched::segment, 8.0f, Sets::small));
            }
            if (world == World::sparse) {
                const double tiled = any_of(sweep, Searched::box, 16.0f, Sets::small);
                note(any_tiled_, tiled);
                // The thin box has a row for each cell of side 1, and its first agent comes after
                // about `ahead` rows.
                const auto volume = std::pow(static_cast<double>(sweep.side), double{Dim});
                const double ahead = volume / (1.5 * static_cast<double>(sweep.scene.size()));
                const double slice =
                    any_of(sweep, Searched::slice, Dim == 2 ? 64.0f : 8.0f, Sets::small);
                note(any_tiled_row_, std::max(slice - tiled, 0.0) / ahead);
            }
        }
        const SweepWorld<Dim> mixed(World::sparse_mixed, part_);
        constexpr Sets kLarge = Sets::giants | Sets::statics;
        note(any_large_, any_of(mixed, Searched::box, 1.0f, kLarge));
        note(any_large_path_, any_of(mixed, Searched::segment, 8.0f, kLarge));
        note(sort_hit_, sorting());
    }

    /// Returns false if the file cannot be written.
    [[nodiscard]] bool write(const std::string& file) const {
        std::ofstream out(file);
        out << "// Written by throng_planner_costs (bench/planner/planner_costs.cpp); "
               "docs/planner.md says "
               "how.\n// Nanoseconds on one thread of: "
            << this_machine().name << ", " << to_string(active_isa())
            << ".\n#pragma once\n\nnamespace throng::planner_costs {\n\n";
        const auto constant = [&](const char* name, double value) {
            char line[80];
            std::snprintf(line, sizeof line, "inline constexpr double %s = %.2f;\n", name, value);
            out << line;
        };
        const Factors factors = fit(observations_);
        for (std::size_t i = 0; i < kFactors; ++i) {
            constant(kFactorNames[i], factors[i]);
        }
        constant("kAllAgents", mean(all_agents_));
        out << "\n// any(): the first hit of a box or a ball, in a grid without and with tiles, "
               "and "
               "of a path; a row\n// of a grid with tiles before it; and none among giants and "
               "statics.\n";
        constant("kAny", mean(any_));
        constant("kAnyTiled", mean(any_tiled_));
        constant("kAnyTiledRow", mean(any_tiled_row_));
        constant("kAnyPath", mean(any_path_));
        constant("kAnyLarge", mean(any_large_));
        constant("kAnyLargePath", mean(any_large_path_));
        out << "\n// Paths in the plane and in space, in rows and in a packed tree: a question, a "
               "row that is looked\n// into, an agent tested, a hit; packing, for an agent; and "
               "sorting, for a hit.\n";
        const std::string worlds[] = {"kPlane", "kSpace"};
        for (std::size_t i = 0; i < std::size(worlds); ++i) {
            const Factors rows = fit(path_rows_[i]), tree = fit(path_tree_[i]);
            constant((worlds[i] + "PathCall").c_str(), rows[0]);
            constant((worlds[i] + "PathRow").c_str(), rows[1]);
            constant((worlds[i] + "PathNode").c_str(), rows[2]);
            constant((worlds[i] + "TreeCall").c_str(), tree[0]);
            constant((worlds[i] + "TreeRow").c_str(), tree[1]);
            constant((worlds[i] + "TreeHit").c_str(), tree[2]);
            constant((worlds[i] + "Pack").c_str(), mean(pack_[i]));
        }
        constant("kSortHit", mean(sort_hit_));
        out << "\n} // namespace throng::planner_costs\n";
        return static_cast<bool>(out.flush());
    }

    /// Prints the ratios of predicted and measured times: the median, and the tenths at both ends.
    void report() const {
        const Factors factors = fit(observations_);
        std::vector<double> ratios;
        for (const Observation& seen : observations_) {
            double predicted = 0.0;
            for (std::size_t i = 0; i < kFactors; ++i) {
                predicted += factors[i] * seen.work[i];
            }
            ratios.push_back(predicted / seen.nanoseconds);
        }
        std::sort(ratios.begin(), ratios.end());
        const std::size_t n = ratios.size();
        std::printf("%zu searches; predicted times are %.2f, %.2f (median), %.2f of the measured\n",
                    n, ratios[n / 10], ratios[n / 2], ratios[n - 1 - n / 10]);
    }

private:
    static void note(std::vector<double>& all, double value) { all.push_back(value); }
    [[nodiscard]] static double mean(const std::vector<double>& all) {
        double sum = 0.0;
        for (const double value : all) {
            sum += value;
        }
        return all.empty() ? 0.0 : sum / static_cast<double>(all.size());
    }

    template <std::size_t Dim>
    void count_all(const SweepWorld<Dim>& world) {
        using Choice = PathChoice<Dim>;
        const RowGrid<Dim>& grid = world.crowd.grid();
        const GridFacts<Dim> facts = detail::state_of(grid).facts();
        for (const Searched searched : {Searched::box, Searched::slice, Searched::beam}) {
            for (const float part : sweep_parts(Dim)) {
                const float half = part * world.side;
                const std::size_t count = part < 0.02f ? 256 : part < 0.2f ? 32 : 8;
                world.with_shapes(searched, half, count, [&](const auto& shapes) {
                    for (const SearchPath path :
                         {SearchPath::rows, SearchPath::tiles, SearchPath::all}) {
                        if (!std::all_of(shapes.begin(), shapes.end(), [&](const auto& shape) {
                                return Choice::is(grid, path, shape, {});
                            })) {
                            continue;
                        }
                        std::size_t hits = 0;
                        const double took = least_of(turns_, shapes.size(), [&] {
                            for (const auto& shape : shapes) {
                                hits += Choice::count(grid, path, shape).count;
                            }
                        });
                        if (path == SearchPath::all) {
                            note(all_agents_, took);
                            continue;
                        }
                        Observation seen{{}, took};
                        for (const auto& shape : shapes) {
                            add(seen, work_of(path, bounds_of(ShapesView<Dim>(shape)), facts),
                                1.0 / static_cast<double>(shapes.size()));
                        }
                        observations_.push_back(seen);
                    }
                });
            }
        }
    }

    /// Measures paths, in rows and in a tree of the same agents, and the packing of that tree.
    template <std::size_t Dim>
    void count_paths(const SweepWorld<Dim>& world) {
        const RowGrid<Dim>& grid = world.crowd.grid();
        auto scene = world.scene;
        LooseTree<Dim> tree;
        note(pack_[Dim - 2], least_of(turns_, scene.size(), [&] {
                 if (!tree.update(scene.agents()).ok()) { std::abort(); }
             }));
        for (const float part : sweep_parts(Dim)) {
            world.with_shapes(Searched::segment, part * world.side, 64, [&](const auto& shapes) {
                Observation rows{}, packed{};
                const double share = 1.0 / static_cast<double>(shapes.size());
                for (const auto& shape : shapes) {
                    const QueryStats did = grid.explain(shape);
                    const double call = 1.0;
                    const Factors in_rows = {call, double(did.rows), double(did.tested)};
                    const Factors in_tree = {call, double(did.rows), double(did.hits)};
                    for (std::size_t i = 0; i < 3; ++i) {
                        rows.work[i] += share * in_rows[i];
                        packed.work[i] += share * in_tree[i];
                    }
                }
                std::size_t hits = 0;
                const auto count_in = [&](const auto& index) {
                    return least_of(turns_, shapes.size(), [&] {
                        for (const auto& shape : shapes) {
                            hits += index.count(shape).count;
                        }
                    });
                };
                rows.nanoseconds = count_in(grid);
                packed.nanoseconds = count_in(tree);
                path_rows_[Dim - 2].push_back(rows);
                path_tree_[Dim - 2].push_back(packed);
            });
        }
    }

    /// The time of sorting the hits of a path, per hit.
    [[nodiscard]] double sorting() const {
        constexpr std::size_t kPaths = 1000, kHits = 50;
        constexpr std::uint32_t kAgents = 1'000'000;
        const std::vector<Id> id_of(kAgents, 1);
        std::vector<std::uint32_t> places(kHits), unsorted(kPaths * kHits), scratch(kHits);
        scenes::Random random(7);
        for (std::uint32_t& place : unsorted) {
            place = random.below(kAgents);
        }
        volatile Id sum = 0;
        return least_of(turns_, kPaths * kHits, [&] {
            for (std::size_t path = 0; path < kPaths; ++path) {
                std::copy_n(unsorted.begin() + std::ptrdiff_t(path * kHits), kHits, places.begin());
                sort_spread(places, scratch);
                Id ids = 0;
                for (const std::uint32_t place : places) {
                    ids += id_of[place];
                }
                sum = sum + ids;
            }
        });
    }

    static void add(Observation& seen, const SearchWork& work, double share) {
        const Factors some = {work.calls, work.rows, work.nodes, work.tiles, work.words};
        for (std::size_t i = 0; i < kFactors; ++i) {
            seen.work[i] += share * some[i];
        }
    }

    /// The time of any(): small agents are asked at agents, other sets anywhere.
    template <std::size_t Dim>
    double any_of(const SweepWorld<Dim>& world, Searched searched, float half, Sets sets) const {
        double took = 0.0;
        world.with_shapes(searched, half, 256, [&](const auto& shapes) {
            std::size_t hits = 0;
            took = least_of(turns_ * 4, shapes.size(), [&] {
                for (const auto& shape : shapes) {
                    hits += world.crowd.any(shape, {}, sets).count;
                }
            });
        });
        return took;
    }

    float part_;
    std::size_t turns_;
    std::vector<Observation> observations_;
    std::array<std::vector<Observation>, 2> path_rows_, path_tree_; // for the plane, and for space
    std::array<std::vector<double>, 2> pack_;
    std::vector<double> all_agents_, any_, any_tiled_, any_tiled_row_, any_path_, any_large_,
        any_large_path_, sort_hit_;
};

} // namespace

} // namespace throng::bench

int main(int argc, char** argv) {
    const bool quick = argc == 3 && std::strcmp(argv[1], "--quick") == 0;
    if (argc != 2 && !quick) {
        std::fprintf(stderr, "throng_planner_costs [--quick] FILE\n");
        return EXIT_FAILURE;
    }
    throng::bench::Measurement measurement(quick);
    measurement.run<2>();
    measurement.run<3>();
    measurement.report();
    if (!measurement.write(argv[argc - 1])) {
        std::fprintf(stderr, "throng_planner_costs: %s cannot be written\n", argv[argc - 1]);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
