#include "box.hpp"

#include "../measure/statistics.hpp"
#include "scaling.hpp"
#include "timing.hpp"

#include <throng/distributed/one_rank.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <stdexcept>

namespace throng::bench {

namespace {

/// The density and radius of LAMMPS's own benchmark of a liquid: about 78 neighbours for each atom.
constexpr double kDensity = 0.8442;
constexpr float kRadius = 2.8f;
/// Coordinates are multiples of this, so that squared distances are exact in doubles and floats,
/// and none equals the squared radius: the number of pairs does not depend on rounding.
constexpr float kStep = 1.0f / 64.0f;

struct AtomBox {
    float side;
    explicit AtomBox(std::size_t atoms)
        : side(std::ceil(static_cast<float>(std::cbrt(static_cast<double>(atoms) / kDensity)))) {}

    [[nodiscard]] Point<3> place(std::size_t atom) const {
        scenes::Random random(atom);
        Point<3> place;
        for (float& x : place.axis) {
            x = kStep * std::floor(random.between(0.0f, side) / kStep);
        }
        return place;
    }
};

} // namespace

void write_box(const std::string& file, std::size_t atoms) {
    const AtomBox box(atoms);
    std::ofstream out(file);
    out << "atoms\n\n" << atoms << " atoms\n1 atom types\n";
    for (const char* axis : {"x", "y", "z"}) {
        out << "0 " << box.side << ' ' << axis << "lo " << axis << "hi\n";
    }
    out << "\nMasses\n\n1 1\n\nAtoms # atomic\n\n";
    for (std::size_t i = 0; i < atoms; ++i) {
        const Point<3> place = box.place(i);
        char line[100];
        std::snprintf(line, sizeof line, "%zu 1 %.9g %.9g %.9g\n", i + 1, double{place[0]},
                      double{place[1]}, double{place[2]});
        out << line;
    }
    if (!out.flush()) { throw std::runtime_error("cannot write " + file); }
}

void print_box(Job& job, std::size_t atoms, int steps) {
    OneRank self;
    Ranks& ranks = job.ranks() != nullptr ? *job.ranks() : self;
    const AtomBox box(atoms);
    Share<3> mine;
    for (std::size_t i = ranks.rank(); i < atoms; i += ranks.size()) {
        mine.ids.push_back(i);
        mine.positions.push_back(box.place(i));
    }
    DistributedGrid<3> crowd(ranks);
    DistributedSettings<3> settings;
    settings.bounds = {{}, Point<3>::all(box.side)};
    settings.cell = {{0.25f * kRadius, 0.5f * kRadius, 0.5f * kRadius}};
    settings.reach = kRadius;
    expect_ok(crowd.configure(settings));
    std::vector<double> updates, lists;
    Hits near;
    for (int step = 0; step <= steps; ++step) {
        gather_numbers(ranks, 0.0); // so that all begin together
        const auto start = Clock::now();
        expect_ok(crowd.update(mine));
        const double update = seconds_since(start);
        expect_ok(crowd.neighbours({kRadius}, near));
        const double both = seconds_since(start);
        if (step == 0) { continue; } // arrays still grow
        updates.push_back(update);
        lists.push_back(both - update);
    }
    const auto of_all = [&](double own) { return gather_numbers(ranks, own); };
    const std::vector<double> found = of_all(static_cast<double>(near.offsets.back()));
    const std::vector<double> update = of_all(median(updates)), list = of_all(median(lists));
    if (!job.first()) { return; }
    std::printf("%.0f pairs, update %.3f s, lists %.3f s\n",
                std::accumulate(found.begin(), found.end(), 0.0) / 2.0,
                *std::max_element(update.begin(), update.end()),
                *std::max_element(list.begin(), list.end()));
}

} // namespace throng::bench
