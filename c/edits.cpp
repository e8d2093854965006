#include "edits.hpp"

#include "boundary.hpp"
#include "points.hpp"

#include <algorithm>

namespace throng::c {

namespace {

template <std::size_t Dim>
Agent<Dim> agent_of(const throng_edit& given) noexcept {
    Agent<Dim> agent{point_of<Dim>(given.position)};
    if ((given.kept & THRONG_KEPT_HALF_EXTENTS) != 0) {
        agent.half_extent = point_of<Dim>(given.half_extent);
    }
    if ((given.kept & THRONG_KEPT_GROUPS) != 0) { agent.groups = given.groups; }
    return agent;
}

} // namespace

template <std::size_t Dim>
std::vector<Edit<Dim>> edits_of(std::span<const throng_edit> given) {
    std::vector<Edit<Dim>> edits;
    edits.reserve(given.size());
    for (const throng_edit& edit : given) {
        switch (edit.kind) {
        case THRONG_INSERT:
            if (edit.kept > (THRONG_KEPT_HALF_EXTENTS | THRONG_KEPT_GROUPS)) {
                refuse(THRONG_WRONG_VALUE, "edits", edits.size());
            }
            edits.push_back(Edit<Dim>::insert(edit.id, agent_of<Dim>(edit)));
            break;
        case THRONG_ERASE:
            edits.push_back(Edit<Dim>::erase(edit.id));
            break;
        case THRONG_MOVE:
            edits.push_back(Edit<Dim>::move(edit.id, point_of<Dim>(edit.position)));
            break;
        default:
            refuse(THRONG_WRONG_VALUE, "edits", edits.size());
        }
    }
    return edits;
}

template std::vector<Edit<2>> edits_of(std::span<const throng_edit>);
template std::vector<Edit<3>> edits_of(std::span<const throng_edit>);

} // namespace throng::c
