#include "edits.hpp"

#include "boundary.hpp"
#include "points.hpp"
#include "world_points.hpp"

#include <cstdint>

namespace throng::c {

namespace {

template <std::size_t Dim>
Point<Dim> place_of(const throng_edit& edit, const throng::Crowd<Dim>&) noexcept {
    return point_of<Dim>(edit.position);
}
template <std::size_t Dim>
Point<Dim> place_of(const throng_world_edit& edit, const throng::Crowd<Dim>& crowd) noexcept {
    return kept_in(crowd, edit.position);
}

bool has_garbage(const throng_edit&) noexcept { return false; }
bool has_garbage(const throng_world_edit& edit) noexcept { return edit.reserved != 0; }

} // namespace

template <std::size_t Dim>
template <class GivenEdit>
void PreparedEdits<Dim>::read(std::span<const GivenEdit> given, const throng::Crowd<Dim>& crowd) {
    using Kind = typename Edit<Dim>::Kind;
    static_assert(static_cast<int>(Kind::insert) == THRONG_INSERT &&
                  static_cast<int>(Kind::erase) == THRONG_ERASE &&
                  static_cast<int>(Kind::move) == THRONG_MOVE);
    constexpr std::uint32_t kAnyKept = THRONG_KEPT_HALF_EXTENTS | THRONG_KEPT_GROUPS;
    room_.resize(given.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
        const GivenEdit& edit = given[i];
        const bool inserts = edit.kind == THRONG_INSERT;
        if (edit.kind > THRONG_MOVE || (inserts && edit.kept > kAnyKept) || has_garbage(edit)) {
            refuse(THRONG_WRONG_VALUE, "edits", i);
        }
        room_[i].kind = static_cast<Kind>(edit.kind);
        room_[i].id = edit.id;
        Agent<Dim>& agent = room_[i].agent;
        agent.position = place_of(edit, crowd);
        agent.half_extent.reset();
        agent.groups.reset();
        if (inserts && (edit.kept & THRONG_KEPT_HALF_EXTENTS) != 0) {
            agent.half_extent = point_of<Dim>(edit.half_extent);
        }
        if (inserts && (edit.kept & THRONG_KEPT_GROUPS) != 0) { agent.groups = edit.groups; }
    }
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template void PreparedEdits<Dim>::read(std::span<const throng_edit>,                           \
                                           const throng::Crowd<Dim>&);                             \
    template void PreparedEdits<Dim>::read(std::span<const throng_world_edit>,                     \
                                           const throng::Crowd<Dim>&);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng::c
