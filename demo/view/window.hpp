// A window of pixels with Dear ImGui over them.
#pragma once

#include "../output/image.hpp"

#include <throng/engine/core/function_ref.hpp>

#include <memory>
#include <string>

struct ImFont;
union SDL_Event;

namespace throng::demo {

/// A window. At most one exists at a time. All failures throw std::runtime_error with a sentence.
class Window {
public:
    Window(const std::string& title, int width, int height);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    [[nodiscard]] int width() const noexcept;
    [[nodiscard]] int height() const noexcept;

    /// Waits for events, at most this long. ImGui sees each event before the handler.
    void take_events(int milliseconds, FunctionRef<void(const SDL_Event&)> handler);

    /// From this call to end_frame(), ImGui accepts drawings.
    void begin_frame();
    /// Replaces the picture behind ImGui's panels.
    void set_picture(const Image& image);
    void end_frame();

    [[nodiscard]] ImFont* large_font() const noexcept;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace throng::demo
