// A crowd in a structure, as viewers see it from above.
#pragma once

#include "frame_times.hpp"

#include <throng/engine/agents/box.hpp>
#include <throng/engine/agents/point.hpp>
#include <throng/engine/answers/spatial_index.hpp>
#include <throng/engine/core/function_ref.hpp>
#include <throng/engine/core/id.hpp>
#include <throng/engine/core/status.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace throng::demo {

/// The structure that keeps the agents.
enum class StructureKind : std::uint8_t {
    crowd,
    row_grid,
    double_grid,
    tight_quadtree,
    nested_index,
    loose_tree,
    brute_force,
    ranks, ///< the ranks of a job; the window does not offer them
};

enum class BrushKind : std::uint8_t { box, circle, ray, nearest, view };

/// A question under the cursor. In space it is asked at the middle of the third axis; boxes reach
/// along all of that axis.
struct Brush {
    BrushKind kind = BrushKind::circle;
    Point<2> at{};
    Point<2> towards{};      ///< of rays and fields of view, of length 1
    float size = 1.0f;       ///< half the box, the radius, the length of a ray or a view
    float view_angle = 2.0f; ///< full angle of a view, in radians
    std::size_t nearest = 8; ///< how many
};

/// More cells than anybody can distinguish; a brush reports at most this many.
inline constexpr std::size_t kMostMet = 20'000;

/// The answer to a brush, and its cost.
struct Brushed {
    std::vector<Id> ids;      ///< ids of statics begin at Crowd's kFirstStatic
    std::vector<Box<2>> met;  ///< cells or nodes whose boxes may hold hits
    std::string way;          ///< the search plan, in a few words
    double nanoseconds = 0.0; ///< the median of several queries
    std::uint64_t tested = 0; ///< agents tested one by one, if the structure counts them
    Status status{};
};

/// What viewers see of the agents and the walls. Valid until the stage changes.
struct Sight {
    std::span<const float> x, y;
    std::span<const float> half; ///< empty if all have common_half
    float common_half = 0.0f;
    std::span<const std::uint32_t> neighbours; ///< of each agent in the last frame
    std::span<const float> wall_x, wall_y, wall_half_x, wall_half_y;
    std::span<const float> z; ///< distance from the front; empty in the plane
    /// Empty if colours show the numbers of neighbours. Otherwise for each agent twice the number
    /// of a colour, plus one for a lighter shade.
    std::span<const std::uint8_t> hues;

    [[nodiscard]] float half_of(std::size_t i) const noexcept {
        return half.empty() ? common_half : half[i];
    }
};

class Stage {
public:
    virtual ~Stage() = default;

    /// Runs one frame, and reports its parts to `times`.
    [[nodiscard]] virtual Status step(FrameTimes& times) = 0;

    [[nodiscard]] virtual const char* scene() const noexcept = 0;
    [[nodiscard]] virtual std::size_t dim() const noexcept = 0;
    [[nodiscard]] virtual Box<2> world() const noexcept = 0;
    [[nodiscard]] virtual Sight sight() const noexcept = 0;
    [[nodiscard]] virtual std::uint64_t pairs() const noexcept = 0; ///< in the last frame
    [[nodiscard]] virtual MemoryUse memory() const noexcept = 0;

    // If one of the calls below is refused, the stage does not change.

    /// Restarts the scene with this number of agents and the same radius.
    [[nodiscard]] virtual Status set_agents(std::size_t agents) = 0;
    [[nodiscard]] virtual float radius() const noexcept = 0; ///< within it agents see others
    [[nodiscard]] virtual Status set_radius(float radius) = 0;
    [[nodiscard]] virtual StructureKind structure() const noexcept = 0;
    /// Moves the agents to another structure, at their present places.
    [[nodiscard]] virtual Status set_structure(StructureKind kind) = 0;

    /// Visits the cells or nodes as seen from above, from the outermost inward.
    virtual void visit_cells(IndexCellVisitor<2> visitor) const = 0;
    [[nodiscard]] virtual Brushed ask(const Brush& brush) const = 0;
};

} // namespace throng::demo
