// What keys and the mouse do.
#pragma once

#include "state.hpp"

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
    [[nodiscard]] bool is_taken(const Pixel& pixel, const ViewState& state) const noexcept;

    std::optional<Pixel> mouse_; // where it was last told to be
    bool panning_ = false;
    bool on_panel_ = false; // a button went down there, and is held
    std::optional<Pixel> aiming_from_;
};

} // namespace throng::demo
