// Makes one edit by the single call for it.
#pragma once

#include <throng/engine/agents/edit.hpp>
#include <throng/engine/core/status.hpp>

#include <cstddef>

namespace throng::test {

template <std::size_t Dim, class Index>
Status apply_to(Index& index, const Edit<Dim>& edit) {
    switch (edit.kind) {
    case Edit<Dim>::Kind::insert:
        return index.insert(edit.id, edit.agent);
    case Edit<Dim>::Kind::erase:
        return index.erase(edit.id);
    default:
        return index.move(edit.id, edit.agent.position);
    }
}

} // namespace throng::test
