// What the window shows, and what the user wants: shared by input, panels and the stage.
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

    /// Wishes are fulfilled and cleared before the next frame.
    struct Wishes {
        std::optional<StructureKind> structure;
        std::optional<std::size_t> agents;
        std::optional<float> radius;
        bool step = false;  ///< one frame, though paused
        bool whole = false; ///< show the whole world
        bool quit = false;
    } wishes;

    Brushed brushed;
    std::string trouble; ///< why the last wish was refused, or empty
};

/// The next or previous structure that can keep the stage's agents.
[[nodiscard]] StructureKind next_structure(const Stage& stage, bool forward) noexcept;

} // namespace throng::demo
