#include "view.hpp"

#include "../output/paint.hpp"
#include "../stage/names.hpp"
#include "cells.hpp"
#include "input.hpp"
#include "layout.hpp"
#include "overlay.hpp"
#include "panels.hpp"
#include "plot.hpp"
#include "state.hpp"
#include "trace.hpp"
#include "window.hpp"

#include <SDL.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace throng::demo {

namespace {

constexpr float kIdleAfter = 1.0f;            // seconds without an event, when nothing moves
constexpr int kIdleWait = 200;                // milliseconds between looks when idle
constexpr std::size_t kUsualMost = 2'000'000; // least end of the agents' slider

int size_or(std::size_t wanted, int usual) noexcept {
    return wanted == 0 ? usual : static_cast<int>(wanted);
}

bool same(const Brush& a, const Brush& b) noexcept {
    return a.kind == b.kind && a.at == b.at && a.towards == b.towards && a.size == b.size &&
           a.view_angle == b.view_angle && a.nearest == b.nearest;
}

template <class... Values>
std::string line(const char* format, Values... values) {
    std::array<char, 256> text{};
    std::snprintf(text.data(), text.size(), format, values...);
    return text.data();
}

class Show {
public:
    Show(Stage& stage, const Options& options, Executor& executor)
        : stage_(stage), trace_(std::getenv("THRONG_DEMO_TRACE")),
          window_(std::string("throng-demo \xE2\x80\x94 ") + stage.scene(),
                  size_or(options.width, 1280), size_or(options.height, 720)),
          painter_(executor), most_agents_(std::max(options.agents, kUsualMost)),
          usual_radius_(stage.radius()) {
        state_.cells = options.overlay;
        state_.wishes.whole = true;
        const Box<2> world = stage.world();
        state_.hand.point_at(
            {{(world.lo[0] + world.hi[0]) * 0.5f, (world.lo[1] + world.hi[1]) * 0.5f}});
        trace_.say(line("shown %s agents=%zu", stage.scene(), stage.sight().x.size()));
    }

    void run() {
        Clock::time_point begin = Clock::now();
        while (!state_.wishes.quit) {
            take_events();
            look();
            grant_wishes();
            if (!state_.wishes.quit) { play(); }
            ask();
            paint();
            trace();
            wait_for_sixty_hertz(begin);
            const Clock::time_point now = Clock::now();
            seconds_ = std::chrono::duration<float>(now - begin).count();
            begin = now;
        }
        trace_.say("quit");
    }

private:
    using Clock = std::chrono::steady_clock;

    void take_events() {
        // A picture that does not change is drawn only now and then.
        const bool idle = state_.paused && idle_for_ > kIdleAfter;
        idle_for_ += seconds_;
        window_.take_events(idle ? kIdleWait : 0, [&](const SDL_Event& event) {
            idle_for_ = 0.0f;
            input_.take(event, stage_, state_);
        });
    }

    void look() {
        const auto width = static_cast<float>(window_.width());
        const auto height = static_cast<float>(window_.height());
        state_.camera.resize(width, height);
        if (state_.wishes.whole) {
            state_.camera.fit(stage_.world(), free_area(width, height, state_.panels));
            state_.wishes.whole = false;
        }
    }

    void grant_wishes() {
        ViewState::Wishes& wishes = state_.wishes;
        if (wishes.structure) {
            if (grant(stage_.set_structure(*wishes.structure), name_of(*wishes.structure))) {
                times_.begin_anew();
                trace_.say(line("structure %s", name_of(stage_.structure())));
            }
            wishes.structure.reset();
        }
        if (wishes.agents) {
            const Box<2> before = stage_.world();
            if (grant(stage_.set_agents(*wishes.agents), "agents")) {
                times_.begin_anew();
                trace_.say(line("agents %zu", stage_.sight().x.size()));
            }
            wishes.agents.reset();
            wishes.whole = !(stage_.world() == before);
            if (wishes.whole) { look(); }
        }
        if (wishes.radius) {
            if (grant(stage_.set_radius(*wishes.radius), "radius")) {
                trace_.say(line("radius %.3f", static_cast<double>(stage_.radius())));
            }
            wishes.radius.reset();
        }
    }

    bool grant(const Status& status, const char* what) {
        changed_ = true;
        state_.trouble = status.ok() ? "" : std::string(what) + ": " + to_string(status);
        if (!status.ok()) { trace_.say("refused " + state_.trouble); }
        return status.ok();
    }

    void play() {
        if (state_.paused && !state_.wishes.step) { return; }
        state_.wishes.step = false;
        const Status status = stage_.step(frame_times_);
        times_.follow(frame_times_);
        changed_ = true;
        if (status.ok()) { return; }
        state_.paused = true;
        (void)grant(status, "frame");
    }

    void ask() {
        const Brush brush = state_.hand.brush(state_.camera);
        if (changed_ || !same(brush, asked_)) {
            state_.brushed = stage_.ask(brush);
            asked_ = brush;
        }
        // Cells of an old structure must not keep glowing.
        changed_ ? glow_.clear() : glow_.fade(seconds_);
        glow_.light(state_.brushed.met);
        if (!state_.cells) {
            cells_.clear();
        } else if (changed_ || !cells_gathered_ || !(state_.camera == painted_)) {
            cells_.gather(stage_, state_.camera);
        }
        cells_gathered_ = state_.cells;
    }

    void paint() {
        const auto width = static_cast<std::size_t>(state_.camera.width());
        const auto height = static_cast<std::size_t>(state_.camera.height());
        if (changed_ || !(state_.camera == painted_)) {
            if (image_.width != width || image_.height != height) { image_ = Image(width, height); }
            painter_.paint(stage_.sight(), {state_.camera.centre(), 1.0f / state_.camera.scale()},
                           image_);
            window_.set_picture(image_);
            painted_ = state_.camera;
            changed_ = false;
        }
        window_.begin_frame();
        ImDrawList& list = *ImGui::GetBackgroundDrawList();
        draw_world(list, stage_.world(), state_.camera);
        draw_cells(list, cells_, state_.camera);
        draw_glow(list, glow_.cells(), state_);
        draw_hits(list, state_, stage_.sight(), dots_);
        draw_brush(list, state_, stage_.sight());
        if (!state_.paused) { count_picture(); }
        draw_panels(state_, {stage_, times_, painter_, most_agents_, usual_radius_,
                             cells_.thinned(), pictures_a_second_, window_.large_font()});
        window_.end_frame();
    }

    /// Updates a mean that changes slowly enough to be read.
    void count_picture() {
        pictures_a_second_ += (1.0f / std::max(seconds_, 1e-3f) - pictures_a_second_) * 0.05f;
    }

    void trace() {
        if (!trace_.on()) { return; }
        const Point<2>& centre = state_.camera.centre();
        trace_.say_news(told_camera_,
                        line("camera scale=%.5g x=%.4f y=%.4f",
                             static_cast<double>(state_.camera.scale()),
                             static_cast<double>(centre[0]), static_cast<double>(centre[1])));
        trace_.say_news(told_paused_, line("%s frame=%zu", state_.paused ? "paused" : "playing",
                                           state_.paused ? frame_times_.frames() : 0));
        trace_.say_news(told_shown_, line("cells %zu help=%d panels=%d", cells_.cells().size(),
                                          state_.help, state_.panels));
        trace_.say_news(told_asked_,
                        line("asked %s of %s hits=%zu met=%zu size=%.4g way=%s",
                             name_of(asked_.kind), name_of(stage_.structure()),
                             state_.brushed.ids.size(), state_.brushed.met.size(),
                             static_cast<double>(asked_.size), state_.brushed.way.c_str()));
    }

    /// Limits small crowds to 60 frames per second: hundreds would be too fast to watch.
    void wait_for_sixty_hertz(Clock::time_point begin) const {
        constexpr auto kFrame = std::chrono::microseconds(16'667);
        const auto left = kFrame - (Clock::now() - begin);
        const auto whole = std::chrono::duration_cast<std::chrono::milliseconds>(left).count();
        if (whole > 0) { SDL_Delay(static_cast<Uint32>(whole)); }
    }

    Stage& stage_;
    Trace trace_;
    Window window_;
    Painter painter_;
    Image image_;
    ViewState state_;
    Input input_;
    FrameTimes frame_times_;
    RecentTimes times_;
    ShownCells cells_;
    Glow glow_;
    Dots dots_;
    Brush asked_;
    ViewCamera painted_;          // what the present picture shows
    bool changed_ = true;         // since the last picture
    bool cells_gathered_ = false; // at the last frame
    std::size_t most_agents_;
    float usual_radius_;
    float seconds_ = 1.0f / 60.0f; // total time of the last frame
    float pictures_a_second_ = 60.0f;
    float idle_for_ = 0.0f;
    std::string told_camera_, told_paused_, told_shown_, told_asked_;
};

} // namespace

void show(Stage& stage, const Options& options, Executor& executor) {
    Show(stage, options, executor).run();
}

} // namespace throng::demo
