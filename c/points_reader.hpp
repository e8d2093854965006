// Points at which hosts ask.
#pragma once

#include "../engine/agents/point.hpp"
#include "arrays.hpp"
#include "boundary.hpp"
#include "structs.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace throng::c {

/// How a call names its points, and their fields.
struct PointNames {
    const char *whole, *dimension, *reserved, *coordinates, *count;
};
inline constexpr PointNames kPoints = {"points", "points.dimension", "points.reserved",
                                       "points.coordinates", "points.count"};
inline constexpr PointNames kPoint = {"point", "point.dimension", "point.reserved",
                                      "point.coordinates", "point.count"};

class PointsReader {
public:
    explicit PointsReader(const throng_points* points, const PointNames& names = kPoints)
        : given_(points, names.whole), names_(names) {
        if (given_->reserved != 0) { refuse(THRONG_WRONG_VALUE, names_.reserved); }
    }

    /// Throws Refused unless there is exactly one point.
    void demand_one() const {
        if (given_->count != 1) { refuse(THRONG_WRONG_VALUE, names_.count); }
    }

    /// Throws Refused if the points have another dimension.
    template <std::size_t Dim>
    [[nodiscard]] std::span<const Point<Dim>> in() const {
        if (given_->dimension != Dim) { refuse(THRONG_WRONG_DIMENSION, names_.dimension); }
        return array_of<const Point<Dim>>(given_->coordinates, given_->count, names_.coordinates,
                                          names_.count);
    }

    [[nodiscard]] std::uint64_t count() const noexcept { return given_->count; }

private:
    const Given<throng_points> given_;
    const PointNames& names_;
};

} // namespace throng::c
