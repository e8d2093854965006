// What keys and the mouse do.
#pragma once

#include "view_state.hpp"

#include <optional>
#include <span>

union SDL_Event;

namespace throng::demo {

/// A line of the help panel.
struct KeyHelp {
    const char* keys;
    const char* what;
};
[[nodiscard]] std::span<const KeyHelp> mouse_help() noexcept;
/// In the order of importance; each has both texts.
[[nodiscard]] std::span<const KeyHelp> key_help() noexcept;

class Input {
public:
    /// Call it for each event that ImGui has seen before.
    void take(const SDL_Event& event, const Stage& stage, ViewState& state);

private:
    void press_key(int key, bool shift, const Stage& stage, ViewState& state);

    [[nodiscard]] Pixel mouse() const;

    std::optional<Pixel> mouse_; // where it was last told to be
    bool panning_ = false;
    std::optional<Pixel> aiming_from_;
};

} // namespace throng::demo
