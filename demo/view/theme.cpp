#include "theme.hpp"

namespace throng::demo {

void apply_theme() {
    ImGuiStyle& style = ImGui::GetStyle();
    ImGui::StyleColorsDark();
    style.WindowRounding = 8.0f;
    style.FrameRounding = 4.0f;
    style.GrabRounding = 4.0f;
    style.WindowPadding = {14.0f, 12.0f};
    style.FramePadding = {8.0f, 4.0f};
    style.ItemSpacing = {8.0f, 6.0f};
    style.ItemInnerSpacing = {6.0f, 4.0f};
    style.WindowBorderSize = 1.0f;
    style.GrabMinSize = 12.0f;
    style.DisabledAlpha = 0.35f;

    const ImVec4 kPanel = {0.051f, 0.063f, 0.094f, 0.93f};
    const ImVec4 kField = {0.110f, 0.133f, 0.188f, 1.0f};
    const ImVec4 kFieldHovered = {0.153f, 0.188f, 0.263f, 1.0f};
    const ImVec4 kFieldActive = {0.173f, 0.278f, 0.196f, 1.0f};
    const ImVec4 accent = ImGui::ColorConvertU32ToFloat4(theme::kAccent);
    const auto set = [&](ImGuiCol which, const ImVec4& shade) { style.Colors[which] = shade; };
    set(ImGuiCol_Text, ImGui::ColorConvertU32ToFloat4(theme::kText));
    set(ImGuiCol_TextDisabled, ImGui::ColorConvertU32ToFloat4(theme::kFaint));
    set(ImGuiCol_WindowBg, kPanel);
    set(ImGuiCol_Border, {0.35f, 0.42f, 0.55f, 0.28f});
    set(ImGuiCol_Separator, {0.35f, 0.42f, 0.55f, 0.28f});
    set(ImGuiCol_FrameBg, kField);
    set(ImGuiCol_FrameBgHovered, kFieldHovered);
    set(ImGuiCol_FrameBgActive, kFieldHovered);
    set(ImGuiCol_Button, kField);
    set(ImGuiCol_ButtonHovered, kFieldHovered);
    set(ImGuiCol_ButtonActive, kFieldActive);
    set(ImGuiCol_Header, kFieldActive);
    set(ImGuiCol_HeaderHovered, kFieldHovered);
    set(ImGuiCol_HeaderActive, kFieldActive);
    set(ImGuiCol_SliderGrab, accent);
    set(ImGuiCol_SliderGrabActive, accent);
    set(ImGuiCol_CheckMark, accent);
}

} // namespace throng::demo
