#include "edits.hpp"

#include "boundary.hpp"
#include "points.hpp"

#include <cstdint>

namespace throng::c {

template <std::size_t Dim>
void PreparedEdits<Dim>::read(std::span<const throng_edit> given) {
    using Kind = typename Edit<Dim>::Kind;
    static_assert(static_cast<int>(Kind::insert) == THRONG_INSERT &&
                  static_cast<int>(Kind::erase) == THRONG_ERASE &&
                  static_cast<int>(Kind::move) == THRONG_MOVE);
    constexpr std::uint32_t kAnyKept = THRONG_KEPT_HALF_EXTENTS | THRONG_KEPT_GROUPS;
    room_.resize(given.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
        const throng_edit& edit = given[i];
        const bool inserts = edit.kind == THRONG_INSERT;
        if (edit.kind > THRONG_MOVE || (inserts && edit.kept > kAnyKept)) {
            refuse(THRONG_WRONG_VALUE, "edits", i);
        }
        room_[i].kind = static_cast<Kind>(edit.kind);
        room_[i].id = edit.id;
        Agent<Dim>& agent = room_[i].agent;
        agent.position = point_of<Dim>(edit.position);
        agent.half_extent.reset();
        agent.groups.reset();
        if (inserts && (edit.kept & THRONG_KEPT_HALF_EXTENTS) != 0) {
            agent.half_extent = point_of<Dim>(edit.half_extent);
        }
        if (inserts && (edit.kept & THRONG_KEPT_GROUPS) != 0) { agent.groups = edit.groups; }
    }
}

template class PreparedEdits<2>;
template class PreparedEdits<3>;

} // namespace throng::c
