// The members of a scene, and queries that suit every scene.
#include "scenes.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace throng::scenes {

namespace {

float within_limits(float value) { return std::clamp(value, -kLargest, kLargest); }

float above(float value) { return within_limits(std::nextafter(value, 2.0f * kLargest)); }

float below(float value) { return within_limits(std::nextafter(value, -2.0f * kLargest)); }

/// The values from which queries are made.
template <std::size_t Dim>
struct Ingredients {
    Point<Dim> agent, half, other, edge;
    std::size_t axis;
    float size; ///< in cells
};

template <std::size_t Dim>
Ingredients<Dim> pick(const Scene<Dim>& scene, Random& random) {
    Ingredients<Dim> in;
    const auto agents = static_cast<std::uint32_t>(scene.size());
    const std::size_t first = agents == 0 ? 0 : random.below(agents);
    const std::size_t second = agents == 0 ? 0 : random.below(agents);
    in.agent = agents == 0 ? scene.world.lo : scene.position_of(first);
    in.half = agents == 0 ? Point<Dim>{} : scene.half_extent_of(first);
    in.other = agents == 0 ? scene.world.hi : scene.position_of(second);
    for (std::size_t a = 0; a < Dim; ++a) {
        in.edge[a] = scene.world.lo[a] + static_cast<float>(random.below(16)) * scene.cell[a];
    }
    in.axis = random.below(Dim);
    in.size = random.between(0.1f, 3.0f);
    return in;
}

template <std::size_t Dim>
Box<Dim> nasty_box(const Scene<Dim>& scene, std::size_t kind, Random& random) {
    const Ingredients<Dim> in = pick(scene, random);
    const std::size_t axis = in.axis;
    Point<Dim> reach;
    for (std::size_t a = 0; a < Dim; ++a) {
        reach[a] = in.size * scene.cell[a];
    }
    Box<Dim> box = Box<Dim>::around(in.agent, reach);
    switch (kind % 18) {
    case 0:
        return {in.agent, in.agent};
    case 1: // touches the agent from above
        box.lo[axis] = in.agent[axis] + in.half[axis];
        box.hi[axis] = box.lo[axis] + scene.cell[axis];
        break;
    case 2: // misses it by one float
        box.lo[axis] = above(in.agent[axis] + in.half[axis]);
        box.hi[axis] = box.lo[axis] + scene.cell[axis];
        break;
    case 3: // touches it from below
        box.hi[axis] = in.agent[axis] - in.half[axis];
        box.lo[axis] = box.hi[axis] - scene.cell[axis];
        break;
    case 4:
        box.hi[axis] = below(in.agent[axis] - in.half[axis]);
        box.lo[axis] = box.hi[axis] - scene.cell[axis];
        break;
    case 5: // covers whole cells
        box.lo = in.edge;
        for (std::size_t a = 0; a < Dim; ++a) {
            box.hi[a] = box.lo[a] + static_cast<float>(1 + random.below(4)) * scene.cell[a];
        }
        break;
    case 6: // ends just inside whole cells
        box.lo = in.edge;
        for (std::size_t a = 0; a < Dim; ++a) {
            box.hi[a] = below(box.lo[a] + 2.0f * scene.cell[a]);
            box.lo[a] = above(box.lo[a]);
        }
        break;
    case 7:
        return scene.world;
    case 8:
        return {Point<Dim>::all(-kLargest), Point<Dim>::all(kLargest)};
    case 9: // contains nothing
        std::swap(box.lo[axis], box.hi[axis]);
        break;
    case 10: // a whole row
        box.lo[0] = -kLargest;
        box.hi[0] = kLargest;
        break;
    case 11: // a column, the height of the world
        for (std::size_t a = 1; a < Dim; ++a) {
            box.lo[a] = scene.world.lo[a];
            box.hi[a] = scene.world.hi[a];
        }
        break;
    case 12: // outside the world
        box.lo[axis] = scene.world.hi[axis] + reach[axis];
        box.hi[axis] = box.lo[axis] + 100.0f * scene.cell[axis];
        break;
    case 13: // from one agent to another
        for (std::size_t a = 0; a < Dim; ++a) {
            box.lo[a] = std::min(in.agent[a], in.other[a]);
            box.hi[a] = std::max(in.agent[a], in.other[a]);
        }
        break;
    case 14:
        return {Point<Dim>::all(-kLargest), in.agent};
    case 15:
        return {in.agent, Point<Dim>::all(kLargest)};
    case 16:
        return {Point<Dim>::all(-0.0f), Point<Dim>::all(0.0f)};
    default:
        break;
    }
    for (std::size_t a = 0; a < Dim; ++a) {
        box.lo[a] = within_limits(box.lo[a]);
        box.hi[a] = within_limits(box.hi[a]);
    }
    return box;
}

template <std::size_t Dim>
float distance_between(const Point<Dim>& p, const Point<Dim>& q) {
    float sum = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        sum = sum + (p[a] - q[a]) * (p[a] - q[a]);
    }
    return std::min(std::sqrt(sum), kLargest);
}

template <std::size_t Dim>
Ball<Dim> nasty_ball(const Scene<Dim>& scene, std::size_t kind, Random& random) {
    const Ingredients<Dim> in = pick(scene, random);
    const float cell = scene.cell[in.axis];
    Point<Dim> near = in.agent;
    for (std::size_t a = 0; a < Dim; ++a) {
        near[a] = within_limits(near[a] + random.between(-2.0f, 2.0f) * scene.cell[a]);
    }
    const float rim = distance_between(near, in.agent);
    switch (kind % 14) {
    case 0:
        return {in.agent, 0.0f};
    case 1:
        return {near, rim}; // ends on the agent, up to rounding
    case 2:
        return {near, above(rim)};
    case 3:
        return {near, std::max(0.0f, below(rim))};
    case 4:
        return {in.agent, distance_between(in.agent, in.other)};
    case 5:
        return {scene.world.lo, distance_between(scene.world.lo, scene.world.hi)};
    case 6:
        return {in.agent, kLargest};
    case 7: { // from far away
        Point<Dim> far = in.agent;
        far[in.axis] = within_limits(far[in.axis] + 1000.0f * cell);
        return {far, distance_between(far, in.agent)};
    }
    case 8:
        return {Point<Dim>::all(kLargest), cell}; // mostly finds none
    case 9:
        return {in.agent, std::numeric_limits<float>::denorm_min()};
    case 10:
        return {in.edge, cell};
    case 11:
        return {in.edge, 2.0f * cell};
    case 12:
        return {in.agent, 5.0f * in.size * cell};
    default:
        return {near, in.size * cell};
    }
}

/// Appends room for `count` records, and returns its offset.
std::size_t append(std::vector<unsigned char>& storage, std::size_t count, std::size_t record) {
    const std::size_t start = storage.size() + 1; // may be an odd address
    storage.resize(start + count * record);
    return start;
}

struct Placement {
    std::size_t first;     ///< of agent 0's value, in bytes
    std::ptrdiff_t stride; ///< to the next agent's value
};

/// Copies each agent's value to the bytes that `place` gives.
template <class T>
void scatter(const std::vector<T>& values, std::vector<unsigned char>& storage,
             const Placement& place) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        unsigned char* const to =
            storage.data() + place.first + static_cast<std::ptrdiff_t>(i) * place.stride;
        std::memcpy(to, &values[i], sizeof(T));
    }
}

/// Copies one attribute, with several values for each agent, into the given layout.
template <class T, std::size_t kColumns>
std::array<Placement, kColumns> lay_out(const std::array<std::vector<T>, kColumns>& columns,
                                        Layout layout, std::vector<unsigned char>& storage) {
    const std::size_t count = columns[0].size();
    std::array<Placement, kColumns> places;
    if (layout == Layout::backwards) {
        for (std::size_t c = 0; c < kColumns; ++c) {
            const std::size_t start = append(storage, count, sizeof(T));
            places[c] = {start + (count == 0 ? 0 : count - 1) * sizeof(T),
                         -static_cast<std::ptrdiff_t>(sizeof(T))};
        }
    } else {
        const std::size_t record =
            layout == Layout::float3 ? 3 * sizeof(T) : kColumns * sizeof(T) + 3;
        const std::size_t start = append(storage, count, record);
        // All bits are set, which is NaN, in bytes that the library must not read.
        std::fill(storage.begin() + static_cast<std::ptrdiff_t>(start), storage.end(),
                  static_cast<unsigned char>(0xFF));
        for (std::size_t c = 0; c < kColumns; ++c) {
            places[c] = {start + c * sizeof(T), static_cast<std::ptrdiff_t>(record)};
        }
    }
    for (std::size_t c = 0; c < kColumns; ++c) {
        scatter(columns[c], storage, places[c]);
    }
    return places;
}

template <std::size_t Dim>
PointView<Dim> view_of(const std::vector<unsigned char>& storage,
                       const std::array<Placement, Dim>& places, std::size_t count) {
    PointView<Dim> view;
    for (std::size_t a = 0; a < Dim; ++a) {
        view.axis[a] = reinterpret_cast<const float*>(storage.data() + places[a].first);
        view.stride[a] = places[a].stride;
    }
    view.count = count;
    return view;
}

template <std::size_t Dim>
PointView<Dim> view_of(const std::array<std::vector<float>, Dim>& axes) {
    std::array<const float*, Dim> pointers;
    for (std::size_t a = 0; a < Dim; ++a) {
        pointers[a] = axes[a].data();
    }
    return PointView<Dim>::separate(pointers, axes[0].size());
}

} // namespace

template <std::size_t Dim>
Point<Dim> Scene<Dim>::position_of(std::size_t i) const noexcept {
    Point<Dim> point;
    for (std::size_t a = 0; a < Dim; ++a) {
        point[a] = position[a][i];
    }
    return point;
}

template <std::size_t Dim>
Point<Dim> Scene<Dim>::half_extent_of(std::size_t i) const noexcept {
    if (!has_own_half_extents()) { return common_half_extent; }
    Point<Dim> half;
    for (std::size_t a = 0; a < Dim; ++a) {
        half[a] = half_extent[a][i];
    }
    return half;
}

template <std::size_t Dim>
std::vector<Point<Dim>> Scene<Dim>::positions() const {
    std::vector<Point<Dim>> points(size());
    for (std::size_t i = 0; i < size(); ++i) {
        points[i] = position_of(i);
    }
    return points;
}

template <std::size_t Dim>
void Scene<Dim>::add(const Point<Dim>& point) {
    for (std::size_t a = 0; a < Dim; ++a) {
        position[a].push_back(point[a]);
    }
}

template <std::size_t Dim>
void Scene<Dim>::add(const Point<Dim>& point, const Point<Dim>& own_half_extent) {
    add(point);
    for (std::size_t a = 0; a < Dim; ++a) {
        half_extent[a].push_back(own_half_extent[a]);
    }
}

template <std::size_t Dim>
Agents<Dim> Scene<Dim>::agents() {
    Agents<Dim> view;
    view.common_half_extent = common_half_extent;
    if (layout == Layout::separate) {
        view.positions = view_of(position);
        if (has_own_half_extents()) { view.half_extents = view_of(half_extent); }
        if (!groups.empty()) {
            view.groups = {groups.data(), sizeof(std::uint32_t), groups.size()};
        }
        return view;
    }
    storage_.clear();
    const auto positions_at = lay_out(position, layout, storage_);
    const auto extents_at = lay_out(half_extent, layout, storage_);
    const auto groups_at = lay_out(std::array{groups}, layout, storage_);
    view.positions = view_of(storage_, positions_at, size());
    if (has_own_half_extents()) { view.half_extents = view_of(storage_, extents_at, size()); }
    if (!groups.empty()) {
        view.groups = {storage_.data() + groups_at[0].first, groups_at[0].stride, groups.size()};
    }
    return view;
}

template <std::size_t Dim>
void add_groups(Scene<Dim>& scene, std::uint64_t seed) {
    Random random(seed);
    scene.groups.resize(scene.size());
    for (std::uint32_t& mask : scene.groups) {
        mask = random.below(8) == 0 ? 0u : 1u << random.below(4);
        if (random.below(4) == 0) { mask |= 0x8000'0000u; }
    }
}

template <std::size_t Dim>
void add_queries(Scene<Dim>& scene, std::size_t count, std::uint64_t seed) {
    Random random(seed);
    for (std::size_t i = 0; i < count; ++i) {
        scene.boxes.push_back(nasty_box(scene, i, random));
        scene.balls.push_back(nasty_ball(scene, i, random));
    }
}

template <std::size_t Dim>
std::vector<GridShape<Dim>> shapes_for(Scene<Dim>& scene) {
    std::vector<GridShape<Dim>> shapes;
    const auto add = [&](const OrStatus<GridShape<Dim>>& candidate) {
        // Small enough for a test that builds hundreds of grids.
        const bool small = candidate.status.ok() && candidate.value.rows() <= 20'000 &&
                           candidate.value.cells[0] <= 20'000;
        if (small) { shapes.push_back(candidate.value); }
    };
    const auto scaled = [&](float x, float y, float z) {
        Point<Dim> cell = scene.cell;
        cell[0] *= x;
        cell[1] *= y;
        if constexpr (Dim == 3) { cell[2] *= z; }
        return shape_over(scene.world, cell);
    };
    add(scaled(1.0f, 1.0f, 1.0f));
    add(shape_for(scene.agents()));
    add(scaled(1e6f, 1e6f, 1e6f));
    add(scaled(0.23f, 0.23f, 0.23f));
    add(scaled(0.01f, 4.0f, 3.0f));
    add(scaled(1e6f, 0.3f, 2.0f));
    add(scaled(0.7f, 2.9f, 1.3f));
    // The middle of a fine grid; most agents are outside, on every side.
    const auto fine = scaled(0.23f, 0.23f, 0.23f);
    std::array<std::uint32_t, Dim> first{}, cells{};
    for (std::size_t a = 0; a < Dim && fine.status.ok(); ++a) {
        first[a] = fine.value.cells[a] / 3;
        cells[a] = fine.value.cells[a] - 2 * first[a];
    }
    add(window_in(fine.value, first, cells));
    return shapes;
}

template struct Scene<2>;
template struct Scene<3>;
template void add_groups(Scene<2>&, std::uint64_t);
template void add_groups(Scene<3>&, std::uint64_t);
template void add_queries(Scene<2>&, std::size_t, std::uint64_t);
template void add_queries(Scene<3>&, std::size_t, std::uint64_t);
template std::vector<GridShape<2>> shapes_for(Scene<2>&);
template std::vector<GridShape<3>> shapes_for(Scene<3>&);

} // namespace throng::scenes
