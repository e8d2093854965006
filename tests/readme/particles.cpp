// The programs of docs/particles.md: atoms that attract and repel each other in a periodic box.
#include <throng/throng.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

struct Atoms {
    std::vector<double> at[3], velocity[3], force[3]; // by id
};

constexpr double kRadius = 2.5; // of forces

throng::Status make_box(throng::Crowd<3>& crowd, float side) {
    throng::CrowdSettings<3> box;
    box.bounds = {{0.0f, 0.0f, 0.0f}, {side, side, side}}; // the period of an axis is hi - lo
    box.periodic = {true, true, true};                     // false in z: no images above
    return crowd.configure(box);
}

// Atoms may have left the box. The crowd takes them back in doubles, and then rounds them once.
throng::Status put(throng::Crowd<3>& crowd, const Atoms& atoms) {
    const auto& [x, y, z] = atoms.at;
    return crowd.update(throng::WorldAgents<3>(
        throng::WorldPointView<3>::separate({x.data(), y.data(), z.data()}, x.size())));
}

// What two atoms do to each other, by Lennard and Jones.
void push(Atoms& atoms, throng::Id one, throng::Id other, double period) {
    double way[3], distance2 = 0.0; // from one to the nearest image of the other
    for (int a = 0; a < 3; ++a) {
        way[a] = atoms.at[a][other] - atoms.at[a][one];
        way[a] -= period * std::round(way[a] / period);
        distance2 += way[a] * way[a];
    }
    if (distance2 > kRadius * kRadius) { return; }
    const double power6 = 1.0 / (distance2 * distance2 * distance2);
    const double pull = 24.0 * (power6 - 2.0 * power6 * power6) / distance2;
    for (int a = 0; a < 3; ++a) {
        atoms.force[a][one] += pull * way[a];
        atoms.force[a][other] -= pull * way[a];
    }
}

// Every pair once: of two atoms one has the other in its list.
throng::Status forces(throng::Batch<3>& batch, const throng::Crowd<3>& crowd, Atoms& atoms,
                      throng::Hits& near, double period) {
    const float reach = static_cast<float>(kRadius) + 2e-5f; // as positions were rounded
    const throng::Status status =
        batch.neighbours(crowd, {.radius = reach, .later_only = true}, near, throng::Order::ids);
    if (!status.ok()) { return status; }
    for (throng::Id one = 0; one < atoms.at[0].size(); ++one) {
        for (const throng::Id other : near.of(one)) {
            push(atoms, one, other, period);
        }
    }
    return {};
}

// Made once: {.neighbourhood = {.radius = kRadius, .later_only = true}, .skin = 0.3f}.
throng::Status lasting_forces(throng::LastingNeighbours<3>& lists, throng::Crowd<3>& crowd,
                              Atoms& atoms, double period) {
    const auto& [x, y, z] = atoms.at;
    const throng::WorldAgents<3> now(
        throng::WorldPointView<3>::separate({x.data(), y.data(), z.data()}, x.size()));
    const throng::Status status = lists.update(crowd, now); // in place of crowd.update()
    if (!status.ok()) { return status; }
    for (std::size_t k = 0; k < lists.order().size(); ++k) {
        for (const throng::Id other : lists.candidates().of(k)) {
            push(atoms, lists.order()[k], other, period); // which leaves out what is too far
        }
    }
    return {};
}

// How many atoms each one has in its first shell.
throng::Status coordination(throng::Batch<3>& batch, const throng::Crowd<3>& crowd,
                            std::vector<std::uint32_t>& counts) {
    counts.resize(crowd.id_bound());
    return batch.count_neighbours(crowd, {.radius = 1.5f}, counts, throng::Order::ids);
}

// For each pair, by how many periods the second atom is moved to be where the first one sees it.
void images_of(const throng::Crowd<3>& crowd, const Atoms& atoms, const throng::Pairs& pairs,
               std::vector<throng::Image<3>>& out) {
    const throng::Images<3> images(crowd);
    const auto at = [&](throng::Id id) {
        return throng::WorldPoint<3>({atoms.at[0][id], atoms.at[1][id], atoms.at[2][id]});
    };
    out.clear();
    for (std::size_t i = 0; i < pairs.count; ++i) {
        out.push_back(images.of(at(pairs.first[i]), at(pairs.second[i])));
    }
}

namespace {

/// Whether images are those to which rounding leads, for atoms in the box.
bool images_are_nearest(throng::Batch<3>& batch, throng::Crowd<3>& crowd, Atoms atoms,
                        double period) {
    for (std::vector<double>& axis : atoms.at) {
        for (double& x : axis) {
            x = static_cast<float>(x - period * std::floor(x / period));
            if (x == period) { x = 0.0; }
        }
    }
    throng::Pairs pairs;
    std::vector<throng::Image<3>> images;
    if (!put(crowd, atoms).ok() || !batch.pairs_within(crowd, 2.5f, pairs).ok()) { return false; }
    images_of(crowd, atoms, pairs, images);
    bool alike = pairs.count != 0;
    for (std::size_t i = 0; i < pairs.count; ++i) {
        for (std::size_t a = 0; a < 3; ++a) {
            const double way = atoms.at[a][pairs.second[i]] - atoms.at[a][pairs.first[i]];
            alike = alike && images[i][a] == -std::round(way / period);
        }
    }
    return alike;
}

void clear_forces(Atoms& atoms) {
    for (std::vector<double>& axis : atoms.force) {
        axis.assign(atoms.at[0].size(), 0.0);
    }
}

/// The largest difference between forces, on any axis.
double difference(const Atoms& a, const Atoms& b) {
    double most = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        for (std::size_t i = 0; i < a.force[axis].size(); ++i) {
            most = std::max(most, std::abs(a.force[axis][i] - b.force[axis][i]));
        }
    }
    return most;
}

} // namespace

int main() {
    constexpr int kRows = 10;
    constexpr float kSide = 12.0f;
    Atoms atoms;
    for (int i = 0; i < kRows * kRows * kRows; ++i) {
        const int place[] = {i % kRows, i / kRows % kRows, i / (kRows * kRows)};
        for (int a = 0; a < 3; ++a) {
            atoms.at[a].push_back(1.2 * place[a]);
            atoms.velocity[a].push_back((i * (a + 7) % 11 - 5) * 0.5);
        }
    }
    throng::Crowd<3> crowd;
    throng::LastingNeighbours<3> lists(
        {.neighbourhood = {.radius = kRadius, .later_only = true}, .skin = 0.3f});
    if (!make_box(crowd, kSide).ok()) { return 1; }
    constexpr double kStep = 0.005;
    for (int step = 0; step < 100; ++step) {
        clear_forces(atoms);
        if (!lasting_forces(lists, crowd, atoms, kSide).ok()) { return 1; }
        for (int a = 0; a < 3; ++a) {
            for (std::size_t i = 0; i < atoms.at[a].size(); ++i) {
                atoms.velocity[a][i] += kStep * atoms.force[a][i];
                atoms.at[a][i] += kStep * atoms.velocity[a][i];
            }
        }
    }
    // Fresh lists, lists that last, and all pairs.
    throng::Batch<3> batch;
    throng::Hits near;
    std::vector<std::uint32_t> counts;
    Atoms fresh = atoms, lasting = atoms, all = atoms;
    clear_forces(fresh);
    clear_forces(lasting);
    clear_forces(all);
    if (!lasting_forces(lists, crowd, lasting, kSide).ok() || !put(crowd, atoms).ok() ||
        !forces(batch, crowd, fresh, near, kSide).ok() ||
        !coordination(batch, crowd, counts).ok()) {
        return 1;
    }
    for (throng::Id one = 0; one < atoms.at[0].size(); ++one) {
        for (throng::Id other = 0; other < one; ++other) {
            push(all, one, other, kSide);
        }
    }
    double sum = 0.0;
    for (const std::uint32_t count : counts) {
        sum += count;
    }
    std::printf("lists made %d times, forces alike: %s\n", static_cast<int>(lists.made()),
                difference(fresh, all) < 1e-8 && difference(lasting, all) < 1e-8 ? "yes" : "no");
    std::printf("%.0f atoms in a first shell\n", sum / static_cast<double>(counts.size()));
    return images_are_nearest(batch, crowd, atoms, kSide) ? 0 : 1;
}
