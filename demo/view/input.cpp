#include "input.hpp"

#include "layout.hpp"

#include <SDL.h>
#include <imgui.h>

#include <array>
#include <cmath>

namespace throng::demo {

namespace {

constexpr float kZoomStep = 1.2f;
constexpr float kGrowStep = 1.15f;
constexpr float kTurnStep = 0.1f; // radians
constexpr float kPanStep = 60.0f; // pixels

constexpr std::array kMouseHelp = {
    KeyHelp{"wheel", "zoom"},
    KeyHelp{"shift + wheel", "size of the brush"},
    KeyHelp{"drag", "move the view"},
    KeyHelp{"right drag", "draw the brush, aim rays and views"},
};

constexpr std::array kKeyHelp = {
    KeyHelp{"space", "pause, and go on"},
    KeyHelp{".", "one frame"},
    KeyHelp{"1 to 5", "brush: box, circle, ray, nearest, view"},
    KeyHelp{"[  ]", "smaller and larger brush"},
    KeyHelp{"A  D", "turn a ray or a view"},
    KeyHelp{"P", "pin the brush where it is"},
    KeyHelp{"S  shift + S", "next and previous structure"},
    KeyHelp{"G", "show all cells of the structure"},
    KeyHelp{"+  -  arrows", "zoom, and move the view"},
    KeyHelp{"Home", "show all of the world"},
    KeyHelp{"Tab", "hide and show the panels"},
    KeyHelp{"F1  ?", "this help"},
    KeyHelp{"Q  Esc", "quit"},
};

Pixel middle_of(const ViewCamera& camera) noexcept {
    return {camera.width() * 0.5f, camera.height() * 0.5f};
}

} // namespace

std::span<const KeyHelp> mouse_help() noexcept { return kMouseHelp; }
std::span<const KeyHelp> key_help() noexcept { return kKeyHelp; }

/// The mouse's place from the system, since a wheel may turn before the mouse moved in the window.
Pixel Input::mouse() const {
    if (mouse_) { return *mouse_; }
    int x = 0, y = 0;
    SDL_GetMouseState(&x, &y);
    return {static_cast<float>(x), static_cast<float>(y)};
}

/// Whether the mouse at this pixel belongs to a panel. ImGui learns of moves and released buttons
/// only in the next frame, and frames may be slow.
bool Input::is_taken(const Pixel& pixel, const ViewState& state) const noexcept {
    const float width = state.camera.width(), height = state.camera.height();
    const bool covered = state.panels && (holds(side_panel(height), pixel) ||
                                          holds(plot_panel(width, height), pixel));
    return covered || on_panel_ || (state.help && ImGui::GetIO().WantCaptureMouse);
}

void Input::take(const SDL_Event& event, const Stage& stage, ViewState& state) {
    switch (event.type) {
    case SDL_QUIT:
        state.wishes.quit = true;
        break;
    case SDL_KEYDOWN:
        if (!ImGui::GetIO().WantTextInput) {
            press_key(event.key.keysym.sym, (event.key.keysym.mod & KMOD_SHIFT) != 0, stage, state);
        }
        break;
    case SDL_MOUSEWHEEL:
        if (is_taken(mouse(), state)) { break; }
        if ((SDL_GetModState() & KMOD_SHIFT) != 0) {
            // Some systems turn the wheel sideways when shift is held.
            const float turned = event.wheel.y != 0 ? event.wheel.preciseY : event.wheel.preciseX;
            state.hand.grow(std::pow(kGrowStep, turned));
        } else {
            state.camera.zoom(mouse(), std::pow(kZoomStep, event.wheel.preciseY));
        }
        break;
    case SDL_MOUSEBUTTONDOWN:
        mouse_ = {static_cast<float>(event.button.x), static_cast<float>(event.button.y)};
        if (is_taken(*mouse_, state)) {
            on_panel_ = true;
            break;
        }
        panning_ = event.button.button == SDL_BUTTON_LEFT;
        if (event.button.button == SDL_BUTTON_RIGHT) { aiming_from_ = mouse_; }
        break;
    case SDL_MOUSEBUTTONUP:
        panning_ = on_panel_ = false;
        aiming_from_.reset();
        break;
    case SDL_MOUSEMOTION: {
        const Pixel to = {static_cast<float>(event.motion.x), static_cast<float>(event.motion.y)};
        if (panning_) { state.camera.pan(to.x - mouse().x, to.y - mouse().y); }
        mouse_ = to;
        if (aiming_from_) {
            state.hand.aim(*aiming_from_, to, state.camera);
        } else if (!state.pinned && !is_taken(to, state)) {
            state.hand.point_at(state.camera.to_world(to));
        }
        break;
    }
    default:
        break;
    }
}

void Input::press_key(int key, bool shift, const Stage& stage, ViewState& state) {
    switch (key) {
    case SDLK_SPACE:
        state.paused = !state.paused;
        break;
    case SDLK_PERIOD:
        state.paused = true;
        state.wishes.step = true;
        break;
    case SDLK_1:
    case SDLK_2:
    case SDLK_3:
    case SDLK_4:
    case SDLK_5:
        state.hand.kind = static_cast<BrushKind>(key - SDLK_1);
        break;
    case SDLK_LEFTBRACKET:
        state.hand.grow(1.0f / kGrowStep);
        break;
    case SDLK_RIGHTBRACKET:
        state.hand.grow(kGrowStep);
        break;
    case SDLK_a:
        state.hand.turn(kTurnStep);
        break;
    case SDLK_d:
        state.hand.turn(-kTurnStep);
        break;
    case SDLK_p:
        state.pinned = !state.pinned;
        break;
    case SDLK_s:
        state.wishes.structure = next_structure(stage, !shift);
        break;
    case SDLK_g:
        state.cells = !state.cells;
        break;
    case SDLK_PLUS:
    case SDLK_EQUALS:
    case SDLK_KP_PLUS:
        state.camera.zoom(middle_of(state.camera), kZoomStep);
        break;
    case SDLK_MINUS:
    case SDLK_KP_MINUS:
        state.camera.zoom(middle_of(state.camera), 1.0f / kZoomStep);
        break;
    case SDLK_LEFT:
        state.camera.pan(kPanStep, 0.0f);
        break;
    case SDLK_RIGHT:
        state.camera.pan(-kPanStep, 0.0f);
        break;
    case SDLK_UP:
        state.camera.pan(0.0f, kPanStep);
        break;
    case SDLK_DOWN:
        state.camera.pan(0.0f, -kPanStep);
        break;
    case SDLK_HOME:
        state.wishes.whole = true;
        break;
    case SDLK_TAB:
        state.panels = !state.panels;
        break;
    case SDLK_F1:
    case SDLK_QUESTION:
    case SDLK_SLASH:
        state.help = !state.help;
        break;
    case SDLK_ESCAPE:
        // Closes the help first, as programs usually do.
        if (state.help) {
            state.help = false;
            break;
        }
        [[fallthrough]];
    case SDLK_q:
        state.wishes.quit = true;
        break;
    default:
        break;
    }
}

} // namespace throng::demo
