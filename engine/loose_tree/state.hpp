// What a LooseTree is made of. Internal to the engine.
#pragma once

#include "../core/access.hpp"
#include "../core/access_check.hpp"
#include "../memory/vector.hpp"
#include "edited_tree.hpp"
#include "loose_tree.hpp"

namespace throng {

template <std::size_t Dim>
struct LooseTree<Dim>::State : FromSource {
    EditedTree<Dim> tree;
    THRONG_NO_UNIQUE_ADDRESS AccessCheck access;

    /// Whether no agent can be found, whatever the shape.
    [[nodiscard]] bool is_empty_for(std::uint32_t groups) const noexcept {
        return tree.size() == 0 || groups == 0;
    }

    /// For a tree that is destroyed or assigned to: no call may be running on it.
    void expect_idle() noexcept { const AccessCheck::Changing going(access); }
};

} // namespace throng
