#include "window.hpp"

#include "theme.hpp"

#include <SDL.h>
#include <backends/imgui_impl_sdl.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace throng::demo {

namespace {

[[noreturn]] void fail(const char* what) {
    const std::string why = SDL_GetError();
    throw std::runtime_error(std::string(what) + (why.empty() ? "" : ": " + why));
}

template <class Handle>
using Owned = std::unique_ptr<Handle, void (*)(Handle*)>;

template <class Handle>
Owned<Handle> own(Handle* handle, void (*destroy)(Handle*), const char* what) {
    if (handle == nullptr) { fail(what); }
    return {handle, destroy};
}

struct Library {
    Library() {
        // Otherwise SDL would handle Ctrl-C on the terminal itself.
        SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
        SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "linear");
        // Otherwise SDL falls back to drivers that show nothing. The environment variable
        // SDL_VIDEODRIVER takes precedence.
        const bool wayland = std::getenv("WAYLAND_DISPLAY") != nullptr;
        SDL_SetHint(SDL_HINT_VIDEODRIVER, wayland ? "wayland,x11" : "x11");
        if (SDL_Init(SDL_INIT_VIDEO) != 0) { fail("there is no display for a window"); }
    }
    ~Library() { SDL_Quit(); }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
};

struct Gui {
    Gui() { ImGui::CreateContext(); }
    ~Gui() { ImGui::DestroyContext(); }
    Gui(const Gui&) = delete;
    Gui& operator=(const Gui&) = delete;
};

/// Debian's ImGui comes without the part that draws by an SDL_Renderer, so this does.
void draw(SDL_Renderer* renderer, const ImDrawData& data) {
    for (int l = 0; l < data.CmdListsCount; ++l) {
        const ImDrawList& list = *data.CmdLists[l];
        for (const ImDrawCmd& command : list.CmdBuffer) {
            const SDL_Rect clip = {static_cast<int>(command.ClipRect.x),
                                   static_cast<int>(command.ClipRect.y),
                                   static_cast<int>(command.ClipRect.z - command.ClipRect.x),
                                   static_cast<int>(command.ClipRect.w - command.ClipRect.y)};
            if (clip.w <= 0 || clip.h <= 0 || command.ElemCount == 0) { continue; }
            SDL_RenderSetClipRect(renderer, &clip);
            const ImDrawVert* const vertices = list.VtxBuffer.Data + command.VtxOffset;
            constexpr int kStride = sizeof(ImDrawVert);
            SDL_RenderGeometryRaw(
                renderer, static_cast<SDL_Texture*>(command.GetTexID()), &vertices->pos.x, kStride,
                reinterpret_cast<const SDL_Color*>(&vertices->col), kStride, &vertices->uv.x,
                kStride, list.VtxBuffer.Size - static_cast<int>(command.VtxOffset),
                list.IdxBuffer.Data + command.IdxOffset, static_cast<int>(command.ElemCount),
                sizeof(ImDrawIdx));
        }
    }
    SDL_RenderSetClipRect(renderer, nullptr);
}

/// The first usual font that exists, else ImGui's own.
ImFont* add_font(float pixels) {
    constexpr std::array<const char*, 3> kFiles = {
        "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
        "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
        "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf"};
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    for (const char* const file : kFiles) {
        // ImGui asserts that the file exists.
        if (std::FILE* const there = std::fopen(file, "rb"); there != nullptr) {
            std::fclose(there);
            return atlas.AddFontFromFileTTF(file, pixels);
        }
    }
    return atlas.AddFontDefault();
}

} // namespace

// Members are made in this order, and destroyed in the opposite one.
struct Window::Parts {
    Library library;
    Owned<SDL_Window> window;
    Owned<SDL_Renderer> renderer;
    Gui gui;
    ImFont* large = nullptr;
    Owned<SDL_Texture> font;
    Owned<SDL_Texture> picture{nullptr, SDL_DestroyTexture};
    std::pair<int, int> picture_size{0, 0};

    Parts(const std::string& title, int width, int height)
        : window(own(SDL_CreateWindow(title.c_str(), SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                                      width, height, SDL_WINDOW_RESIZABLE),
                     SDL_DestroyWindow, "the window cannot be opened")),
          renderer(own(make_renderer(), SDL_DestroyRenderer, "nothing can draw in the window")),
          font(nullptr, SDL_DestroyTexture) {
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr; // writes no file of settings
        io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
        io.ConfigFlags |= ImGuiConfigFlags_NoMouseCursorChange;
        add_font(15.0f);
        large = add_font(24.0f);
        apply_theme();
        make_font_texture(io);
        ImGui_ImplSDL2_InitForSDLRenderer(window.get());
    }
    ~Parts() { ImGui_ImplSDL2_Shutdown(); }
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;

    [[nodiscard]] SDL_Renderer* make_renderer() const {
        SDL_Renderer* const fast = SDL_CreateRenderer(
            window.get(), -1, SDL_RENDERER_ACCELERATED | SDL_RENDERER_PRESENTVSYNC);
        return fast != nullptr ? fast : SDL_CreateRenderer(window.get(), -1, SDL_RENDERER_SOFTWARE);
    }
    void make_font_texture(ImGuiIO& io) {
        unsigned char* pixels = nullptr;
        int width = 0, height = 0;
        io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
        font = own(SDL_CreateTexture(renderer.get(), SDL_PIXELFORMAT_RGBA32,
                                     SDL_TEXTUREACCESS_STATIC, width, height),
                   SDL_DestroyTexture, "there is no room for the font");
        SDL_UpdateTexture(font.get(), nullptr, pixels, width * 4);
        SDL_SetTextureBlendMode(font.get(), SDL_BLENDMODE_BLEND);
        SDL_SetTextureScaleMode(font.get(), SDL_ScaleModeLinear);
        io.Fonts->SetTexID(font.get());
    }
};

Window::Window(const std::string& title, int width, int height)
    : parts_(std::make_unique<Parts>(title, width, height)) {}
Window::~Window() = default;

int Window::width() const noexcept {
    int width = 0;
    SDL_GetRendererOutputSize(parts_->renderer.get(), &width, nullptr);
    return width;
}

int Window::height() const noexcept {
    int height = 0;
    SDL_GetRendererOutputSize(parts_->renderer.get(), nullptr, &height);
    return height;
}

void Window::take_events(int milliseconds, FunctionRef<void(const SDL_Event&)> handler) {
    SDL_Event event;
    bool there =
        milliseconds > 0 ? SDL_WaitEventTimeout(&event, milliseconds) : SDL_PollEvent(&event);
    for (; there; there = SDL_PollEvent(&event)) {
        ImGui_ImplSDL2_ProcessEvent(&event);
        handler(event);
    }
}

void Window::begin_frame() {
    ImGui_ImplSDL2_NewFrame();
    ImGui::NewFrame();
}

void Window::set_picture(const Image& image) {
    const std::pair size(static_cast<int>(image.width), static_cast<int>(image.height));
    if (size != parts_->picture_size) {
        parts_->picture =
            own(SDL_CreateTexture(parts_->renderer.get(), SDL_PIXELFORMAT_RGBA32,
                                  SDL_TEXTUREACCESS_STREAMING, size.first, size.second),
                SDL_DestroyTexture, "there is no room for the picture");
        SDL_SetTextureBlendMode(parts_->picture.get(), SDL_BLENDMODE_NONE);
        parts_->picture_size = size;
    }
    SDL_UpdateTexture(parts_->picture.get(), nullptr, image.rgba.data(), size.first * 4);
}

void Window::end_frame() {
    ImGui::Render();
    SDL_Renderer* const renderer = parts_->renderer.get();
    SDL_RenderClear(renderer);
    if (parts_->picture != nullptr) {
        SDL_RenderCopy(renderer, parts_->picture.get(), nullptr, nullptr);
    }
    draw(renderer, *ImGui::GetDrawData());
    SDL_RenderPresent(renderer);
}

ImFont* Window::large_font() const noexcept { return parts_->large; }

} // namespace throng::demo
