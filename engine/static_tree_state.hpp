// What a StaticTree is made of. Internal to the engine.
#pragma once

#include "edited_tree.hpp"
#include "phase.hpp"
#include "static_tree.hpp"
#include "vector.hpp"

namespace throng {

template <std::size_t Dim>
struct StaticTree<Dim>::State : FromSource {
    EditedTree<Dim> tree;
    [[no_unique_address]] Phase phase;

    /// Whether nobody can be found, whatever the question.
    [[nodiscard]] bool has_nobody_for(std::uint32_t groups) const noexcept {
        return tree.size() == 0 || groups == 0;
    }

    /// Of a tree that goes, or becomes another: nobody may be in it.
    static void expect_nobody(const std::unique_ptr<State>& state) noexcept {
        if (state != nullptr) { const Phase::Changing going(state->phase); }
    }
};

} // namespace throng
