#include "edits.hpp"

#include "boundary.hpp"
#include "points.hpp"
#include "world_points.hpp"

#include <cstdint>

namespace throng::c {

namespace {

/// Converts an edit, given its position in the crowd's form.
template <std::size_t Dim, class GivenEdit>
Edit<Dim> edit_at(const Point<Dim>& position, const GivenEdit& given, const char* name,
                  std::size_t index) {
    using Kind = typename Edit<Dim>::Kind;
    static_assert(static_cast<int>(Kind::insert) == THRONG_INSERT &&
                  static_cast<int>(Kind::erase) == THRONG_ERASE &&
                  static_cast<int>(Kind::move) == THRONG_MOVE);
    constexpr std::uint32_t kAnyKept = THRONG_KEPT_HALF_EXTENTS | THRONG_KEPT_GROUPS;
    const bool inserts = given.kind == THRONG_INSERT;
    if (given.kind > THRONG_MOVE || (inserts && given.kept > kAnyKept)) {
        refuse(THRONG_WRONG_VALUE, name, index);
    }
    Edit<Dim> edit = {static_cast<Kind>(given.kind), given.id, {position, {}, {}}};
    if (inserts && (given.kept & THRONG_KEPT_HALF_EXTENTS) != 0) {
        edit.agent.half_extent = point_of<Dim>(given.half_extent);
    }
    if (inserts && (given.kept & THRONG_KEPT_GROUPS) != 0) { edit.agent.groups = given.groups; }
    return edit;
}

template <std::size_t Dim>
Edit<Dim> edit_for(const throng::Crowd<Dim>&, const throng_edit& given, std::size_t index) {
    return edit_of<Dim>(given, "edits", index);
}
template <std::size_t Dim>
Edit<Dim> edit_for(const throng::Crowd<Dim>& crowd, const throng_world_edit& given,
                   std::size_t index) {
    if (given.reserved != 0) { refuse(THRONG_WRONG_VALUE, "edits", index); }
    return edit_at(kept_in(crowd, given.position), given, "edits", index);
}

} // namespace

template <std::size_t Dim>
Edit<Dim> edit_of(const throng_edit& given, const char* name, std::size_t index) {
    return edit_at(point_of<Dim>(given.position), given, name, index);
}

template <std::size_t Dim>
template <class GivenEdit>
void PreparedEdits<Dim>::read(std::span<const GivenEdit> given, const throng::Crowd<Dim>& crowd) {
    room_.resize(given.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
        room_[i] = edit_for(crowd, given[i], i);
    }
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Edit<Dim> edit_of<Dim>(const throng_edit&, const char*, std::size_t);                 \
    template void PreparedEdits<Dim>::read(std::span<const throng_edit>,                           \
                                           const throng::Crowd<Dim>&);                             \
    template void PreparedEdits<Dim>::read(std::span<const throng_world_edit>,                     \
                                           const throng::Crowd<Dim>&);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng::c
