#include "brush.hpp"

namespace throng::demo {

namespace {

/// Whether all of the cell is beyond one edge of a sector. A sector has two edges in the plane, and
/// two more in space, below and above. A sector of more than half a turn has no such edge.
template <std::size_t Dim>
bool is_past_edges(const Sector<Dim>& sector, const Box<Dim>& cell) noexcept {
    if (sector.cosine <= 0.0f) { return false; }
    const float sine = std::sqrt(std::max(1.0f - sector.cosine * sector.cosine, 0.0f));
    for (std::size_t pair = 0; pair + 1 < Dim; ++pair) {
        Point<Dim> across{};
        if (pair == 0) {
            across[0] = -sector.direction[1];
            across[1] = sector.direction[0];
        } else {
            across[Dim - 1] = 1.0f;
        }
        for (const float side : {1.0f, -1.0f}) {
            float nearest = 0.0f; // least value in the cell, along the edge's normal
            for (std::size_t a = 0; a < Dim; ++a) {
                const float away = side * sector.cosine * across[a] - sine * sector.direction[a];
                nearest += std::min(away * (cell.lo[a] - sector.centre[a]),
                                    away * (cell.hi[a] - sector.centre[a]));
            }
            if (nearest > 0.0f) { return true; }
        }
    }
    return false;
}

} // namespace

template <std::size_t Dim>
bool meets(const Box<Dim>& box, const Box<Dim>& cell) noexcept {
    bool apart = false;
    for (std::size_t a = 0; a < Dim; ++a) {
        apart = apart || cell.lo[a] > box.hi[a] || cell.hi[a] < box.lo[a];
    }
    return !apart;
}

template <std::size_t Dim>
bool meets(const Ball<Dim>& ball, const Box<Dim>& cell) noexcept {
    float distance2 = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float outside =
            std::max({cell.lo[a] - ball.centre[a], ball.centre[a] - cell.hi[a], 0.0f});
        distance2 += outside * outside;
    }
    return distance2 <= ball.radius * ball.radius;
}

// On each axis, the ray is in the cell's range between two times.
template <std::size_t Dim>
bool meets(const Ray<Dim>& ray, const Box<Dim>& cell) noexcept {
    float enters = 0.0f, leaves = ray.length;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float low = cell.lo[a] - ray.origin[a], high = cell.hi[a] - ray.origin[a];
        const float way = ray.direction[a];
        if (way == 0.0f) {
            if (low > 0.0f || high < 0.0f) { return false; }
            continue;
        }
        enters = std::max(enters, std::min(low / way, high / way));
        leaves = std::min(leaves, std::max(low / way, high / way));
    }
    return enters <= leaves;
}

template <std::size_t Dim>
bool meets(const Sector<Dim>& sector, const Box<Dim>& cell) noexcept {
    return meets(Ball<Dim>{sector.centre, sector.radius}, cell) && !is_past_edges(sector, cell);
}

template bool meets(const Box<2>&, const Box<2>&) noexcept;
template bool meets(const Box<3>&, const Box<3>&) noexcept;
template bool meets(const Ball<2>&, const Box<2>&) noexcept;
template bool meets(const Ball<3>&, const Box<3>&) noexcept;
template bool meets(const Ray<2>&, const Box<2>&) noexcept;
template bool meets(const Ray<3>&, const Box<3>&) noexcept;
template bool meets(const Sector<2>&, const Box<2>&) noexcept;
template bool meets(const Sector<3>&, const Box<3>&) noexcept;

} // namespace throng::demo
