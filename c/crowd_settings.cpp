#include "crowd_settings.hpp"

#include "points.hpp"
#include "structs.hpp"

#include <algorithm>

namespace throng::c {

SettingsReader::SettingsReader(const throng_crowd_settings* settings)
    : given_(read(settings, "settings")) {
    if (given_.memory != nullptr) { memory_ = look_up(given_.memory, "settings.memory").memory; }
    const auto demand = [](bool holds, const char* name) {
        if (!holds) { refuse(THRONG_WRONG_VALUE, name); }
    };
    demand(given_.dimension == 2 || given_.dimension == 3, "settings.dimension");
    demand(given_.given <= (THRONG_GIVEN_BOUNDS | THRONG_GIVEN_CELL | THRONG_KEEPS_CELLS),
           "settings.given");
    demand(given_.periodic < 1u << given_.dimension, "settings.periodic");
    demand(given_.kept <= (THRONG_KEPT_HALF_EXTENTS | THRONG_KEPT_GROUPS), "settings.kept");
    if (given_.dimension == 3) { return; }
    demand(given_.lo[2] == 0.0f, "settings.lo");
    demand(given_.hi[2] == 0.0f, "settings.hi");
    demand(given_.cell[2] == 0.0f, "settings.cell");
    demand(given_.origin[2] == 0.0, "settings.origin");
    demand(given_.common_half_extent[2] == 0.0f, "settings.common_half_extent");
}

template <std::size_t Dim>
CrowdSettings<Dim> SettingsReader::settings() const {
    CrowdSettings<Dim> wanted;
    if ((given_.given & THRONG_GIVEN_BOUNDS) != 0) {
        wanted.bounds = Box<Dim>{point_of<Dim>(given_.lo), point_of<Dim>(given_.hi)};
    }
    if ((given_.given & THRONG_GIVEN_CELL) != 0) { wanted.cell = point_of<Dim>(given_.cell); }
    wanted.refits = (given_.given & THRONG_KEEPS_CELLS) == 0;
    std::copy_n(given_.origin, Dim, wanted.origin.begin());
    for (std::size_t a = 0; a < Dim; ++a) {
        wanted.periodic[a] = (given_.periodic >> a & 1) != 0;
    }
    if (memory_ != nullptr) { wanted.memory = &memory_->source(); }
    return wanted;
}

template <std::size_t Dim>
CrowdKind<Dim> SettingsReader::kind() const {
    return {(given_.kept & THRONG_KEPT_HALF_EXTENTS) != 0, (given_.kept & THRONG_KEPT_GROUPS) != 0,
            point_of<Dim>(given_.common_half_extent)};
}

void SettingsReader::check(const Status& status) {
    if (status.ok()) { return; }
    throw Refused{status_of(status, {.half_extents = "settings.common_half_extent"})};
}

template CrowdSettings<2> SettingsReader::settings<2>() const;
template CrowdSettings<3> SettingsReader::settings<3>() const;
template CrowdKind<2> SettingsReader::kind<2>() const;
template CrowdKind<3> SettingsReader::kind<3>() const;

} // namespace throng::c
