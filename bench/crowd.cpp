#include "crowd.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <tuple>

namespace throng::bench {

namespace {

/// Clusters are up to hundreds of times denser than the rest, and answers there are as much longer.
/// So only this many agents ask, in evenly spread chunks.
constexpr std::size_t kMostAskersInClusters = 200'000;

template <std::size_t Dim>
bool hits(const Box<Dim>& box, const Point<Dim>& point, const Point<Dim>& half) noexcept {
    return overlaps(box, point, half);
}
template <std::size_t Dim>
bool hits(const Ball<Dim>& ball, const Point<Dim>& point, const Point<Dim>&) noexcept {
    return contains(ball, point);
}

template <std::size_t Dim>
void around(const Point<Dim>& point, Box<Dim>& box) noexcept {
    box = Box<Dim>::around(point, Point<Dim>::all(kHalfExtent));
}
template <std::size_t Dim>
void around(const Point<Dim>& point, Ball<Dim>& ball) noexcept {
    ball = {point, kRadius};
}

/// Keeps evenly spread chunks of the ids, so that about `most` ids remain.
std::vector<Id> thinned(const std::vector<Id>& ids, std::size_t most) {
    const std::size_t step = std::max<std::size_t>(1, (ids.size() + most - 1) / most);
    std::vector<Id> kept;
    for (std::size_t begin = 0; begin < ids.size(); begin += step * kChunk) {
        const std::size_t end = std::min(ids.size(), begin + kChunk);
        kept.insert(kept.end(), ids.begin() + static_cast<std::ptrdiff_t>(begin),
                    ids.begin() + static_cast<std::ptrdiff_t>(end));
    }
    return kept;
}

} // namespace

template <template <std::size_t> class Shape, std::size_t Dim>
Crowd<Shape, Dim>::Crowd(SceneKind kind, std::size_t count)
    : scene_(kind == SceneKind::uniform ? scenes::make_uniform<Dim>(count)
                                        : scenes::make_clustered<Dim>(count)),
      kind_(kind), count_(count) {
    if (const Status status = grid_.use(bench_shape<Shape>(scene_)); !status.ok()) {
        throw std::runtime_error(to_string(status));
    }
    refill();
    std::vector<Id> all(grid_.size());
    (void)grid_.order(all);
    stored_ = thinned(all, kind == SceneKind::uniform ? count : kMostAskersInClusters);
    // Scenes place agents at random, so ids say nothing about positions.
    callers_ = stored_;
    std::sort(callers_.begin(), callers_.end());
}

template <template <std::size_t> class Shape, std::size_t Dim>
Crowd<Shape, Dim>& Crowd<Shape, Dim>::get(SceneKind kind, std::size_t count) {
    static std::unique_ptr<Crowd> latest;
    if (latest == nullptr || latest->kind_ != kind || latest->count_ != count) {
        latest.reset(); // so that there are never two in memory
        latest = std::make_unique<Crowd>(kind, count);
    }
    return *latest;
}

template <template <std::size_t> class Shape, std::size_t Dim>
void Crowd<Shape, Dim>::refill() {
    if (const Status status = grid_.update(scene_.agents()); !status.ok()) {
        throw std::runtime_error(to_string(status));
    }
}

template <template <std::size_t> class Shape, std::size_t Dim>
Shape<Dim> Crowd<Shape, Dim>::around(Id id) const noexcept {
    Shape<Dim> shape;
    bench::around(position_of(id), shape);
    return shape;
}

template <template <std::size_t> class Shape, std::size_t Dim>
std::vector<Id> Crowd<Shape, Dim>::look_at_all(const Shape<Dim>& shape) const {
    std::vector<Id> ids;
    for (std::size_t i = 0; i < scene_.size(); ++i) {
        const Id id = static_cast<Id>(i);
        if (hits(shape, position_of(id), scene_.common_half_extent)) { ids.push_back(id); }
    }
    const GridShape<Dim>& cells = grid_.shape();
    const auto key = [&](Id id) {
        const Point<Dim> point = position_of(id);
        return std::tuple(cells.row_of(point), cells.cell_on(0, point[0]), id);
    };
    std::sort(ids.begin(), ids.end(), [&](Id a, Id b) { return key(a) < key(b); });
    return ids;
}

template <template <std::size_t> class Shape, std::size_t Dim>
bool Crowd<Shape, Dim>::answers_are_right(std::size_t count) const {
    std::vector<Id> ids(scene_.size());
    for (std::size_t i = 0; i < count; ++i) {
        const Shape<Dim> shape = around(stored_[i * stored_.size() / count]);
        const Found found = grid_.query(shape, std::span<Id>(ids));
        const std::vector<Id> wanted = look_at_all(shape);
        if (!found.status.ok() || found.count != wanted.size() ||
            !std::equal(wanted.begin(), wanted.end(), ids.begin())) {
            return false;
        }
    }
    return true;
}

template <template <std::size_t> class Shape, std::size_t Dim>
const std::optional<Checksum>& Crowd<Shape, Dim>::expected() {
    if (reckoned_) { return expected_; }
    reckoned_ = true;
    if (!answers_are_right(100)) { return expected_; }
    Checksum sum;
    std::vector<Shape<Dim>> shapes;
    Hits found;
    for (std::size_t begin = 0; begin < stored_.size(); begin += kChunk) {
        const std::size_t count = std::min(kChunk, stored_.size() - begin);
        shapes.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            shapes[i] = around(stored_[begin + i]);
        }
        if (!grid_.query(std::span<const Shape<Dim>>(shapes), found).ok()) { return expected_; }
        for (std::size_t i = 0; i < count; ++i) {
            sum.add(stored_[begin + i], found.of(i));
        }
    }
    expected_ = sum;
    return expected_;
}

template class Crowd<Box, 2>;
template class Crowd<Box, 3>;
template class Crowd<Ball, 2>;
template class Crowd<Ball, 3>;

} // namespace throng::bench
