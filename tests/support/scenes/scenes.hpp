// The crowds of tests, benchmarks and the demo, each with queries that are difficult for it.
#pragma once

#include "../random.hpp"

#include <throng/engine/agents/agents.hpp>
#include <throng/engine/agents/box.hpp>
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/shapes/ball.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace throng::scenes {

/// Whether agents have masks.
enum class Groups : std::uint8_t { none, masks };

/// The memory layout in which agents() gives the crowd.
enum class Layout : std::uint8_t {
    separate,  ///< one array for each axis
    float3,    ///< records of three floats; in the plane the third is garbage
    backwards, ///< separate arrays, the last agent first: negative strides
    unaligned, ///< records of odd size and odd address
};

/// A crowd with its own arrays.
template <std::size_t Dim>
struct Scene {
    std::string name;
    Box<Dim> world{};  ///< suggested bounds for configure()
    Point<Dim> cell{}; ///< suggested cells
    std::array<std::vector<float>, Dim> position;
    std::array<std::vector<float>, Dim> half_extent; ///< empty if all agents share the common one
    Point<Dim> common_half_extent{};
    std::vector<std::uint32_t> groups; ///< empty without masks
    Layout layout = Layout::separate;

    std::vector<Box<Dim>> boxes;
    std::vector<Ball<Dim>> balls;

    [[nodiscard]] std::size_t size() const noexcept { return position[0].size(); }
    [[nodiscard]] bool has_own_half_extents() const noexcept { return !half_extent[0].empty(); }
    [[nodiscard]] Point<Dim> position_of(std::size_t i) const noexcept;
    [[nodiscard]] Point<Dim> half_extent_of(std::size_t i) const noexcept;
    [[nodiscard]] std::vector<Point<Dim>> positions() const;

    void add(const Point<Dim>& point);
    void add(const Point<Dim>& point, const Point<Dim>& own_half_extent);

    /// Views of the arrays in the chosen layout, valid until the scene changes. All layouts except
    /// separate copy the arrays first.
    [[nodiscard]] Agents<Dim> agents();

private:
    std::vector<unsigned char> storage_;
};

/// The names that make() knows, in a fixed order.
[[nodiscard]] std::span<const std::string_view> names() noexcept;

/// The scene of that name with about `count` agents; some scenes have fewer. The same arguments
/// always give the same scene. Throws std::invalid_argument for an unknown name.
template <std::size_t Dim>
[[nodiscard]] Scene<Dim> make(std::string_view name, std::size_t count,
                              Groups groups = Groups::none);

/// For measurements: one agent for each unit of area or volume, with half extent 0.25; no queries.
template <std::size_t Dim>
[[nodiscard]] Scene<Dim> make_uniform(std::size_t count, std::uint64_t seed = 1);

/// The same world, but most agents are in `clusters` bell curves, denser towards the middle.
template <std::size_t Dim>
[[nodiscard]] Scene<Dim> make_clustered(std::size_t count, std::size_t clusters = 100,
                                        std::uint64_t seed = 1);

/// Adds masks of four groups; one agent in eight is in no group.
template <std::size_t Dim>
void add_groups(Scene<Dim>& scene, std::uint64_t seed = 7);

/// Adds queries that suit any crowd: at, around, beside and through agents and edges of cells, the
/// whole world, empty and inverted boxes, and radii that end on an agent or one float beside it.
template <std::size_t Dim>
void add_queries(Scene<Dim>& scene, std::size_t count, std::uint64_t seed = 11);

/// Very different grid shapes for the scene: as suggested, fitted, one cell, fine cells, wide and
/// narrow rows, another size on each axis, a window of a larger grid.
template <std::size_t Dim>
[[nodiscard]] std::vector<GridShape<Dim>> shapes_for(Scene<Dim>& scene);

} // namespace throng::scenes
