// The cells of a structure worth drawing, and cells that still glow from a brush.
#pragma once

#include "../stage/stage.hpp"
#include "camera.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng::demo {

/// The cells in view that are large enough to distinguish; if there are very many, only the larger
/// ones. In space several cells may have the same outline from above, which is kept once.
class ShownCells {
public:
    static constexpr float kSmallest = 4.0f; ///< pixels of the longer side
    static constexpr std::size_t kMost = 12'000;

    void gather(const Stage& stage, const ViewCamera& camera);
    void clear() noexcept;

    [[nodiscard]] std::span<const IndexCell<2>> cells() const noexcept { return cells_; }
    [[nodiscard]] std::uint32_t deepest() const noexcept { return deepest_; }
    /// Whether cells in view were left out.
    [[nodiscard]] bool thinned() const noexcept { return thinned_; }

private:
    std::vector<IndexCell<2>> cells_;
    std::uint32_t deepest_ = 0;
    bool thinned_ = false;
};

/// Cells light up when a brush meets them, and fade afterwards.
class Glow {
public:
    struct Cell {
        Box<2> box;
        float light; ///< from 0 to 1, for a cell met just now
    };
    static constexpr float kFadesIn = 0.45f; ///< seconds

    /// Lights the cells that the brush meets now.
    void light(std::span<const Box<2>> met);
    void fade(float seconds);
    void clear() noexcept { cells_.clear(); }

    /// All glowing cells, each once, in no particular order.
    [[nodiscard]] std::span<const Cell> cells() const noexcept { return cells_; }

private:
    std::vector<Cell> cells_;
};

} // namespace throng::demo
