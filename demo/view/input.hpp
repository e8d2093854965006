// Input by keys and mouse.
#pragma once

#include "state.hpp"

#include <optional>
#include <span>

union SDL_Event;

namespace throng::demo {

/// One line of the help panel.
struct KeyHelp {
    const char* keys;
    const char* what;
};
[[nodiscard]] std::span<const KeyHelp> mouse_help() noexcept;
/// The keys in order of importance, each with both texts.
[[nodiscard]] std::span<const KeyHelp> key_help() noexcept;

class Input {
public:
    /// Must be called for each event, after ImGui has seen it.
    void take(const SDL_Event& event, const Stage& stage, ViewState& state);

private:
    void press_key(int key, bool shift, const Stage& stage, ViewState& state);

    [[nodiscard]] Pixel mouse() const;
    [[nodiscard]] bool is_taken(const Pixel& pixel, const ViewState& state) const noexcept;

    std::optional<Pixel> mouse_; // last known place
    bool panning_ = false;
    bool on_panel_ = false; // a button is held that was pressed on a panel
    std::optional<Pixel> aiming_from_;
};

} // namespace throng::demo
