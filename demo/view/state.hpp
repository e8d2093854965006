// What the window shows and what its user has asked for: between input, panels and the stage.
#pragma once

#include "../stage/stage.hpp"
#include "camera.hpp"
#include "hand.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace throng::demo {

struct ViewState {
    ViewCamera camera;
    Hand hand;

    bool paused = false;
    bool cells =
        false; ///< all of the structure's are outlined, not just those that the brush meets
    bool panels = true;
    bool help = false;
    bool pinned = false; ///< the brush stays where it is

    /// Granted before the next frame, and then none again.
    struct Wishes {
        std::optional<StructureKind> structure;
        std::optional<std::size_t> agents;
        std::optional<float> radius;
        bool step = false;  ///< one frame, though paused
        bool whole = false; ///< all of the world is to be seen
        bool quit = false;
    } wishes;

    Brushed brushed;
    std::string trouble; ///< why something was refused; empty: nothing was
};

/// The next structure in which the stage's agents can be kept, or the one before.
[[nodiscard]] StructureKind next_structure(const Stage& stage, bool forward) noexcept;

} // namespace throng::demo
