#include "plot_panel.hpp"

#include "text.hpp"
#include "theme.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace throng::demo {

namespace {

constexpr std::array<Part, 4> kStacked = {move, update, query, collide};

std::string milliseconds(float value) { return duration(static_cast<double>(value) * 1e6); }

/// The parts' names and medians, in their colours.
void draw_legend(const RecentTimes& times, float pictures_a_second) {
    const std::string whole = milliseconds(times.quantile(frame, 0.5f));
    ImGui::TextUnformatted((whole + " a frame").c_str());
    for (std::size_t p = 0; p < kStacked.size(); ++p) {
        ImGui::SameLine(0.0f, 18.0f);
        const ImVec2 corner = ImGui::GetCursorScreenPos();
        const float middle = corner.y + ImGui::GetTextLineHeight() * 0.5f;
        ImGui::GetWindowDrawList()->AddRectFilled(
            {corner.x, middle - 4.0f}, {corner.x + 8.0f, middle + 5.0f}, theme::kParts[p], 2.0f);
        ImGui::Dummy({8.0f, 1.0f});
        ImGui::SameLine(0.0f, 6.0f);
        ImGui::TextDisabled("%s %s", kPartNames[kStacked[p]],
                            milliseconds(times.quantile(kStacked[p], 0.5f)).c_str());
    }
    std::array<char, 32> text{"paused"};
    if (pictures_a_second > 0.0f) {
        std::snprintf(text.data(), text.size(), "%.0f pictures a second",
                      static_cast<double>(pictures_a_second));
    }
    const float right = ImGui::GetWindowWidth() - ImGui::GetStyle().WindowPadding.x -
                        ImGui::CalcTextSize(text.data()).x;
    ImGui::SameLine();
    if (right > ImGui::GetCursorPosX()) {
        ImGui::SetCursorPosX(right);
        ImGui::TextDisabled("%s", text.data());
    } else {
        ImGui::NewLine();
    }
}

} // namespace

void draw_plot(const RecentTimes& times, float pictures_a_second) {
    draw_legend(times, pictures_a_second);

    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    constexpr float kWords = 64.0f; // room on the right for the labels of lines
    const float width = room.x - kWords, bottom = corner.y + room.y;
    const float top = times.top();
    const auto height_of = [&](float ms) { return std::min(ms / top, 1.0f) * room.y; };

    // The newest frame is on the right.
    const float column = width / static_cast<float>(RecentTimes::kMost);
    float left = corner.x + width - column * static_cast<float>(times.frames().size());
    for (const RecentTimes::Frame& one : times.frames()) {
        float below = 0.0f;
        for (std::size_t p = 0; p < kStacked.size(); ++p) {
            const float above = below + one.part[kStacked[p]];
            list.AddRectFilled({left, bottom - height_of(above)},
                               {left + std::max(column - 0.5f, 1.0f), bottom - height_of(below)},
                               theme::kParts[p]);
            below = above;
        }
        if (one.begins) {
            list.AddLine({left, corner.y}, {left, bottom}, fainter(theme::kFaint, 0.8f));
        }
        left += column;
    }
    const float line_height = ImGui::GetTextLineHeight();
    const auto rule = [&](float ms, ImU32 shade) {
        const float y = bottom - height_of(ms);
        list.AddLine({corner.x, y}, {corner.x + width, y}, shade);
        list.AddText({corner.x + width + 6.0f,
                      std::clamp(y - line_height * 0.5f, corner.y, bottom - line_height)},
                     shade, milliseconds(ms).c_str());
    };
    const ImU32 sixty = fainter(theme::kText, 0.75f), faint = fainter(theme::kFaint, 0.6f);
    if (kSixtyHertz <= top) {
        rule(kSixtyHertz, sixty);
        // Leaves out a line whose label would run into the other.
        if (height_of(top) - height_of(kSixtyHertz) > 1.2f * line_height) { rule(top, faint); }
        return;
    }
    // The 60 Hz line would be far above all frames: leaves it out, and writes where it is.
    rule(top, faint);
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "16.7 ms, for 60 a second, is %.0f times as high",
                  static_cast<double>(kSixtyHertz / top));
    list.AddText({corner.x, corner.y + 2.0f}, sixty, text.data());
}

} // namespace throng::demo
