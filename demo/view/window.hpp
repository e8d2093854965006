// A window of pixels with Dear ImGui over them.
#pragma once

#include "../output/image.hpp"

#include <throng/engine/core/function_ref.hpp>

#include <memory>
#include <string>

struct ImFont;
union SDL_Event;

namespace throng::demo {

/// There is at most one at a time. Whatever fails throws std::runtime_error with a sentence.
class Window {
public:
    Window(const std::string& title, int width, int height);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    [[nodiscard]] int width() const noexcept;
    [[nodiscard]] int height() const noexcept;

    /// Waits for events if there are none, but no longer than that; ImGui has seen those that the
    /// handler receives.
    void take_events(int milliseconds, FunctionRef<void(const SDL_Event&)> handler);

    /// From here to end_frame(), ImGui can be told what to draw.
    void begin_frame();
    /// Replaces what is behind ImGui's panels.
    void set_picture(const Image& image);
    void end_frame();

    [[nodiscard]] ImFont* large_font() const noexcept;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace throng::demo
