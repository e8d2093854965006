// How the folders of the library reach into each other's classes. Internal to the library: public
// headers include it for their templates.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "id.hpp"

#include <utility>

namespace throng::detail {

/// The only friend of the public classes, so that their headers do not name the code built on them.
struct Access {
    /// A class, not an alias: access to State would be checked where an alias is used.
    template <class Index>
    struct StateIs {
        using Type = typename Index::State;
    };

    template <class Index>
    [[nodiscard]] static auto& state(Index& index) noexcept {
        return *index.state_;
    }
    template <class Grid, class... Args>
    static auto update_without(Grid& grid, Args&&... args) {
        return grid.update_without(std::forward<Args>(args)...);
    }
    template <class Grid, class... Args>
    static auto reserve_for(Grid& grid, Args&&... args) {
        return grid.reserve_for(std::forward<Args>(args)...);
    }
    template <class Index, class... Args>
    static auto hits_after(const Index& index, Args&&... args)
        -> decltype(index.hits_after(std::forward<Args>(args)...)) {
        return index.hits_after(std::forward<Args>(args)...);
    }
    template <class Tree>
    static auto prepare_edit(Tree& tree, Id id) {
        return tree.prepare_edit(id);
    }
    template <class Crowd, class Shapes>
    [[nodiscard]] static auto refusal_of(const Crowd& crowd, const Shapes& one) noexcept {
        return crowd.refusal_of(one);
    }
};

/// The State of an index; its state.hpp must be included.
template <class Index>
using StateOf = typename Access::StateIs<Index>::Type;
template <class Index>
[[nodiscard]] auto& state_of(Index& index) noexcept {
    return Access::state(index);
}
template <class Index>
[[nodiscard]] const auto& state_of(const Index& index) noexcept {
    return Access::state(index);
}

} // namespace throng::detail

#include "../../simd/isa/names_end.hpp"
