// The crowds of all contenders: all agents walk a little in every frame.
#pragma once

#include "../../tests/support/scenes/scenes.hpp"

#include <throng/engine/agents/agents.hpp>
#include <throng/engine/agents/box.hpp>
#include <throng/engine/core/id.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace throng::shootout {

enum class SceneKind : std::uint8_t {
    uniform,   ///< one agent for each unit of area or volume
    clustered, ///< the same world; nine in ten agents are in a hundred clusters
    mixed,     ///< uniform, with one in a thousand 32 times as large
    sparse,    ///< a world a hundred times as large, all agents in a hundred clusters
};
inline constexpr std::array kSceneKinds = {SceneKind::uniform, SceneKind::clustered,
                                           SceneKind::mixed, SceneKind::sparse};
[[nodiscard]] std::string_view name_of(SceneKind kind) noexcept;

/// Each agent moves 0.1 to 0.5 units per frame on each axis, for some frames forth and for as many
/// back, so that the crowd keeps its shape in a run of any length.
template <std::size_t Dim>
class Walkers {
public:
    using Arrays = std::array<std::vector<float>, Dim>;

    Walkers(SceneKind kind, std::size_t agents);

    void walk();
    /// Puts all agents back at their start; they then walk the same way again.
    void restart();

    [[nodiscard]] std::size_t size() const noexcept { return position_[0].size(); }
    [[nodiscard]] const Box<Dim>& world() const noexcept { return world_; }
    [[nodiscard]] bool has_own_sizes() const noexcept { return !half_[0].empty(); }
    /// The largest half extent of any agent, on any axis.
    [[nodiscard]] float largest_half() const noexcept;

    [[nodiscard]] Point<Dim> position_of(std::size_t i) const noexcept { return at(position_, i); }
    [[nodiscard]] Point<Dim> half_of(std::size_t i) const noexcept {
        return has_own_sizes() ? at(half_, i) : common_half_;
    }
    [[nodiscard]] Box<Dim> box_of(std::size_t i) const noexcept {
        return Box<Dim>::around(position_of(i), half_of(i));
    }

    /// Views of the arrays, valid as long as this object.
    [[nodiscard]] Agents<Dim> agents() const noexcept;

private:
    [[nodiscard]] static Point<Dim> at(const Arrays& arrays, std::size_t i) noexcept {
        Point<Dim> point;
        for (std::size_t a = 0; a < Dim; ++a) {
            point[a] = arrays[a][i];
        }
        return point;
    }

    Box<Dim> world_{};
    Point<Dim> common_half_{};
    Arrays position_, home_, half_;
    Arrays speed_, first_speed_;
    int frame_ = 0;
};

extern template class Walkers<2>;
extern template class Walkers<3>;

} // namespace throng::shootout
