#include "panels.hpp"

#include "../stage/names.hpp"
#include "input.hpp"
#include "layout.hpp"
#include "plot_panel.hpp"
#include "text.hpp"
#include "theme.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace throng::demo {

namespace {

constexpr float kNarrowGap = 4.0f;
constexpr float kLabel = 80.0f; // where values start
constexpr float kValue = 76.0f; // width of slider values
constexpr ImGuiWindowFlags kPanel = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                    ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                    ImGuiWindowFlags_NoNav;

void begin_panel(const char* name, const ScreenArea& area) {
    ImGui::SetNextWindowPos({area.left, area.top});
    ImGui::SetNextWindowSize({area.width(), area.height()});
    ImGui::Begin(name, nullptr, kPanel);
}

void heading(const char* text) {
    ImGui::Dummy({0.0f, 3.0f});
    ImGui::Separator();
    ImGui::Dummy({0.0f, 1.0f});
    ImGui::TextDisabled("%s", text);
}

void fact(const char* label, const std::string& value) {
    ImGui::TextDisabled("%s", label);
    ImGui::SameLine(kLabel);
    ImGui::TextWrapped("%s", value.c_str());
}

void trouble(const std::string& text) {
    ImGui::PushStyleColor(ImGuiCol_Text, theme::kTrouble);
    ImGui::TextWrapped("%s", text.c_str());
    ImGui::PopStyleColor();
}

/// One of several buttons in a row, of which one is chosen.
bool choice(const char* label, bool chosen, float width) {
    if (chosen) {
        ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyle().Colors[ImGuiCol_Header]);
        ImGui::PushStyleColor(ImGuiCol_Text, theme::kAccent);
    }
    const bool pressed = ImGui::Button(label, {width, 0.0f});
    if (chosen) { ImGui::PopStyleColor(2); }
    return pressed;
}

std::string rounded(float value, int decimals) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.*f", decimals, static_cast<double>(value));
    return text.data();
}

/// Draws a name, a slider, and its value to the right of the slider, where the grab does not cover
/// it.
void begin_setting(const char* name) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", name);
    ImGui::SameLine(kLabel);
    ImGui::SetNextItemWidth(-kValue);
}
void end_setting(const std::string& value) {
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(value.c_str()).x);
    ImGui::TextUnformatted(value.c_str());
}

/// The width of each of `count` items in a row.
float share_of_row(int count) {
    const auto n = static_cast<float>(count);
    return (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x * (n - 1.0f)) / n;
}

void draw_crowd(ViewState& state, const Readings& readings) {
    const Stage& stage = readings.stage;
    ImGui::PushFont(readings.large);
    ImGui::TextUnformatted(stage.scene());
    ImGui::PopFont();
    ImGui::TextDisabled("%s agents in %s", grouped(stage.sight().x.size()).c_str(),
                        stage.dim() == 2 ? "the plane" : "space");

    const float half = share_of_row(2);
    if (choice(state.paused ? "go on" : "pause", state.paused, half)) {
        state.paused = !state.paused;
    }
    ImGui::SameLine();
    if (ImGui::Button("one frame", {half, 0.0f})) {
        state.paused = true;
        state.wishes.step = true;
    }

    // Applied only when the slider is released, because each number of agents restarts the scene.
    constexpr int kLeast = 1000;
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const ImGuiID dragged = ImGui::GetID("dragged agents");
    int agents = storage.GetInt(dragged, 0);
    if (agents == 0) { agents = static_cast<int>(stage.sight().x.size()); }
    begin_setting("agents");
    ImGui::SliderInt("##agents", &agents, kLeast, static_cast<int>(readings.most_agents), "",
                     ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_NoInput);
    storage.SetInt(dragged, ImGui::IsItemActive() ? agents : 0);
    if (ImGui::IsItemDeactivatedAfterEdit()) {
        state.wishes.agents = static_cast<std::size_t>(agents);
    }
    end_setting(grouped(static_cast<std::uint64_t>(agents)));

    float radius = stage.radius();
    begin_setting("radius");
    if (ImGui::SliderFloat("##radius", &radius, readings.usual_radius * 0.25f,
                           readings.usual_radius * 3.0f, "", ImGuiSliderFlags_NoInput)) {
        state.wishes.radius = radius;
    }
    end_setting(rounded(radius, 2));
}

void draw_structures(ViewState& state, const Readings& readings) {
    const Stage& stage = readings.stage;
    heading("structure");
    const float half = share_of_row(2);
    for (std::size_t k = 0; k < kStructureNames.size(); ++k) {
        const auto kind = static_cast<StructureKind>(k);
        ImGui::BeginDisabled(!can_keep(kind, stage.dim(), stage.sight().x.size()));
        if (choice(kStructureNames[k], kind == stage.structure(), half)) {
            state.wishes.structure = kind;
        }
        ImGui::EndDisabled();
        if (k % 2 == 0) { ImGui::SameLine(); }
    }
    ImGui::Checkbox("show all cells", &state.cells);
    if (state.cells && readings.thinned) {
        ImGui::SameLine();
        ImGui::TextDisabled("zoom in for more");
    }
    fact("memory", bytes(stage.memory().total()));
    fact("pairs", grouped(stage.pairs()));
    if (!state.trouble.empty()) { trouble(state.trouble); }
}

void draw_brush_settings(Hand& hand) {
    // The buttons fill the row, and each is as wide as its name requires.
    const auto text_width = [](const char* text) { return ImGui::CalcTextSize(text).x; };
    float padding = ImGui::GetContentRegionAvail().x + kNarrowGap;
    for (const char* const name : kBrushNames) {
        padding -= text_width(name) + kNarrowGap;
    }
    padding /= static_cast<float>(kBrushNames.size());
    for (std::size_t k = 0; k < kBrushNames.size(); ++k) {
        const auto kind = static_cast<BrushKind>(k);
        if (k > 0) { ImGui::SameLine(0.0f, kNarrowGap); }
        if (choice(kBrushNames[k], kind == hand.kind, text_width(kBrushNames[k]) + padding)) {
            hand.kind = kind;
        }
    }

    if (hand.kind == BrushKind::nearest) {
        begin_setting("count");
        ImGui::SliderInt("##nearest", &hand.nearest, 1, Hand::kMostNearest, "",
                         ImGuiSliderFlags_NoInput);
        end_setting(std::to_string(hand.nearest));
        return;
    }
    begin_setting("size");
    ImGui::SliderFloat("##size", &hand.size, Hand::kSmallest, Hand::kLargest, "",
                       ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_NoInput);
    end_setting(rounded(hand.size, 0) + " pixels");
    if (hand.kind == BrushKind::view) {
        begin_setting("width");
        ImGui::SliderFloat("##width", &hand.view_angle, Hand::kNarrowest, Hand::kWidest, "",
                           ImGuiSliderFlags_NoInput);
        end_setting(rounded(hand.view_angle * 57.29578f, 0) + "\xC2\xB0");
    }
}

void draw_brush_panel(ViewState& state, const Readings& readings) {
    heading(state.pinned ? "brush, pinned" : "brush");
    draw_brush_settings(state.hand);

    const Brushed& brushed = state.brushed;
    if (!brushed.status.ok()) {
        trouble(to_string(brushed.status));
        return;
    }
    ImGui::PushFont(readings.large);
    ImGui::PushStyleColor(ImGuiCol_Text, theme::kAccent);
    ImGui::TextUnformatted(grouped(brushed.ids.size()).c_str());
    ImGui::PopStyleColor();
    ImGui::SameLine();
    ImGui::TextUnformatted(duration(brushed.nanoseconds).c_str());
    ImGui::PopFont();
    fact("way", brushed.way);
    const std::size_t met = brushed.met.size();
    fact("meets", grouped(met) + (met < kMostMet ? " cells" : " cells or more"));
    if (brushed.tested != 0) { fact("tested", grouped(brushed.tested) + " agents"); }
}

/// Draws the legend of the agents' colours.
void draw_legend(const Painter& painter) {
    constexpr int kSteps = 24;
    const float width = ImGui::GetContentRegionAvail().x;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const auto shade = [](int step) {
        const Colour c = colour_of_share(static_cast<float>(step) / kSteps);
        return ImGui::ColorConvertFloat4ToU32({c.r, c.g, c.b, 1.0f});
    };
    for (int step = 0; step < kSteps; ++step) {
        const float left = corner.x + width * static_cast<float>(step) / kSteps;
        const float right = corner.x + width * static_cast<float>(step + 1) / kSteps;
        ImGui::GetWindowDrawList()->AddRectFilledMultiColor(
            {left, corner.y}, {right, corner.y + 6.0f}, shade(step), shade(step + 1),
            shade(step + 1), shade(step));
    }
    ImGui::Dummy({width, 6.0f});
    ImGui::TextDisabled("%.0f", static_cast<double>(painter.fewest()));
    const std::string most = std::to_string(static_cast<int>(painter.most() + 0.5f));
    const char* const kMiddle = "neighbours";
    const auto text_width = [](const char* text) { return ImGui::CalcTextSize(text).x; };
    ImGui::SameLine(ImGui::GetStyle().WindowPadding.x + (width - text_width(kMiddle)) * 0.5f);
    ImGui::TextDisabled("%s", kMiddle);
    ImGui::SameLine(ImGui::GetStyle().WindowPadding.x + width - text_width(most.c_str()));
    ImGui::TextDisabled("%s", most.c_str());
}

void draw_side(ViewState& state, const Readings& readings) {
    begin_panel("side", side_panel(state.camera.height()));
    draw_crowd(state, readings);
    draw_structures(state, readings);
    draw_brush_panel(state, readings);

    // At the bottom, if there is room.
    constexpr float kFoot = 62.0f;
    const float room = ImGui::GetContentRegionAvail().y;
    if (room > kFoot) { ImGui::SetCursorPosY(ImGui::GetCursorPosY() + room - kFoot); }
    draw_legend(readings.painter);
    ImGui::TextDisabled("F1 shows the keys");
    ImGui::End();
}

void help_lines(std::span<const KeyHelp> lines) {
    for (const KeyHelp& line : lines) {
        ImGui::TextUnformatted(line.keys);
        ImGui::SameLine(150.0f);
        ImGui::TextDisabled("%s", line.what);
    }
}

void draw_help(const ViewState& state) {
    const ScreenArea area = free_area(state.camera.width(), state.camera.height(), state.panels);
    ImGui::SetNextWindowPos({(area.left + area.right) * 0.5f, (area.top + area.bottom) * 0.5f},
                            ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowFocus();
    ImGui::Begin("help", nullptr, kPanel | ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::TextDisabled("mouse");
    help_lines(mouse_help());
    heading("keys");
    help_lines(key_help());
    ImGui::End();
}

} // namespace

void draw_panels(ViewState& state, const Readings& readings) {
    if (state.panels) {
        draw_side(state, readings);
        begin_panel("plot", plot_panel(state.camera.width(), state.camera.height()));
        draw_plot(readings.times, state.paused ? 0.0f : readings.pictures_a_second);
        ImGui::End();
    }
    if (state.help) { draw_help(state); }
}

} // namespace throng::demo
