#include "picture.hpp"

#include <algorithm>
#include <cmath>

namespace throng::demo {

namespace {

constexpr std::size_t kWidth = 1000, kHeight = 560;
constexpr Area kWorld = {0, 0, 560, 560};
constexpr Area kPart = {572, 0, 1000, 560};

constexpr Colour kBackground = {0.031f, 0.039f, 0.066f};
constexpr Colour kLines = {0.55f, 0.68f, 0.90f};
constexpr Colour kFound = {0.62f, 1.00f, 0.92f};

/// From lonely to crowded.
Colour colour_of(float t) noexcept {
    constexpr std::array<Colour, 6> kRamp = {{{0.16f, 0.20f, 0.52f},
                                              {0.36f, 0.22f, 0.68f},
                                              {0.72f, 0.24f, 0.58f},
                                              {0.95f, 0.40f, 0.34f},
                                              {0.99f, 0.70f, 0.25f},
                                              {1.00f, 0.95f, 0.66f}}};
    const float place = std::clamp(t, 0.0f, 1.0f) * static_cast<float>(kRamp.size() - 1);
    const std::size_t below = std::min(static_cast<std::size_t>(place), kRamp.size() - 2);
    const float share = place - static_cast<float>(below);
    Colour colour;
    for (std::size_t c = 0; c < 3; ++c) {
        colour[c] = kRamp[below][c] + (kRamp[below + 1][c] - kRamp[below][c]) * share;
    }
    return colour;
}

template <std::size_t Dim>
class Picture {
public:
    explicit Picture(const Crowd<Dim>& crowd)
        : crowd_(crowd), canvas_(kWidth, kHeight, kBackground) {
        // The loneliest and the fullest hundredth do not set the scale.
        std::vector<std::uint32_t> sorted = crowd.neighbours();
        std::sort(sorted.begin(), sorted.end());
        least_ = std::sqrt(static_cast<float>(sorted[sorted.size() / 100]));
        most_ = std::sqrt(static_cast<float>(sorted[sorted.size() - 1 - sorted.size() / 100]));
        choose_part();
    }

    Canvas draw() {
        draw_world();
        draw_rows();
        draw_agents();
        draw_frames();
        return std::move(canvas_);
    }

private:
    [[nodiscard]] Colour colour_of_agent(Id id) const noexcept {
        const float n = std::sqrt(static_cast<float>(crowd_.neighbours()[id]));
        return colour_of((n - least_) / std::max(most_ - least_, 1.0f));
    }
    [[nodiscard]] float side(std::size_t a) const noexcept {
        return crowd_.world().hi[a] - crowd_.world().lo[a];
    }

    /// The column or row of a panel as wide as the world, from 0 to `count`.
    [[nodiscard]] std::size_t place(Id id, std::size_t a, std::size_t count) const noexcept {
        const float share = (crowd_.position_of(id)[a] - crowd_.world().lo[a]) / side(a);
        return std::min(static_cast<std::size_t>(share * static_cast<float>(count)), count - 1);
    }

    void choose_part() {
        constexpr std::size_t kCoarse = 24;
        std::vector<std::size_t> count(kCoarse * kCoarse);
        for (Id id = 0; id < crowd_.size(); ++id) {
            ++count[place(id, 1, kCoarse) * kCoarse + place(id, 0, kCoarse)];
        }
        const auto fullest =
            static_cast<std::size_t>(std::max_element(count.begin(), count.end()) - count.begin());
        const std::array<std::size_t, 2> cell = {fullest % kCoarse, fullest / kCoarse};
        const float width = std::min(Dim == 2 ? 40.0f : 16.0f, side(0) * 0.5f);
        const std::array<float, 2> size = {width, width * (kPart.bottom - kPart.top) /
                                                      (kPart.right - kPart.left)};
        part_ = crowd_.world();
        for (std::size_t a = 0; a < 2; ++a) {
            const float middle = crowd_.world().lo[a] + side(a) *
                                                            (static_cast<float>(cell[a]) + 0.5f) /
                                                            static_cast<float>(kCoarse);
            const float most = std::max(crowd_.world().hi[a] - size[a], crowd_.world().lo[a]);
            part_.lo[a] = std::clamp(middle - size[a] * 0.5f, crowd_.world().lo[a], most);
            part_.hi[a] = part_.lo[a] + size[a];
        }
        if constexpr (Dim == 3) {
            const float middle = (part_.lo[2] + part_.hi[2]) * 0.5f;
            part_.lo[2] = middle - 0.75f;
            part_.hi[2] = middle + 0.75f;
        }
        scale_ = (kPart.right - kPart.left) / width;
        Point<Dim> centre, half;
        for (std::size_t a = 0; a < Dim; ++a) {
            centre[a] = (part_.lo[a] + part_.hi[a]) * 0.5f;
            half[a] = a < 2 ? width * (a == 0 ? 0.16f : 0.12f) : 0.75f;
        }
        query_ = Box<Dim>::around(centre, half);
    }

    /// Where a box lies on the right, its y axis up.
    [[nodiscard]] Area on_right(const Box<Dim>& box) const noexcept {
        return {kPart.left + (box.lo[0] - part_.lo[0]) * scale_,
                kPart.bottom - (box.hi[1] - part_.lo[1]) * scale_,
                kPart.left + (box.hi[0] - part_.lo[0]) * scale_,
                kPart.bottom - (box.lo[1] - part_.lo[1]) * scale_};
    }
    [[nodiscard]] Area on_left(const Box<Dim>& box) const noexcept {
        const float scale = (kWorld.right - kWorld.left) / side(0);
        const Point<Dim>& origin = crowd_.world().lo;
        return {kWorld.left + (box.lo[0] - origin[0]) * scale,
                kWorld.bottom - (box.hi[1] - origin[1]) * scale,
                kWorld.left + (box.hi[0] - origin[0]) * scale,
                kWorld.bottom - (box.lo[1] - origin[1]) * scale};
    }

    /// Each pixel shows the mean colour of its agents, the brighter the more they are.
    void draw_world() {
        constexpr auto kSide = static_cast<std::size_t>(kWorld.right - kWorld.left);
        struct Glow {
            Colour sum{};
            float agents = 0.0f;
        };
        std::vector<Glow> glow(kSide * kSide);
        for (Id id = 0; id < crowd_.size(); ++id) {
            const std::size_t row = kSide - 1 - place(id, 1, kSide);
            Glow& pixel = glow[row * kSide + place(id, 0, kSide)];
            const Colour colour = colour_of_agent(id);
            for (std::size_t c = 0; c < 3; ++c) {
                pixel.sum[c] += colour[c];
            }
            ++pixel.agents;
        }
        const float mean = static_cast<float>(crowd_.size()) / static_cast<float>(kSide * kSide);
        for (std::size_t i = 0; i < glow.size(); ++i) {
            if (glow[i].agents == 0.0f) { continue; }
            Colour colour = glow[i].sum;
            for (float& c : colour) {
                c /= glow[i].agents;
            }
            const float opacity = 1.0f - std::exp(-1.2f * glow[i].agents / std::max(mean, 1.0f));
            canvas_.blend(static_cast<std::ptrdiff_t>(i % kSide),
                          static_cast<std::ptrdiff_t>(i / kSide), colour, opacity);
        }
    }

    /// The edges of rows, and the cells that the query looks into.
    void draw_rows() {
        const GridShape<Dim>& shape = crowd_.grid().shape();
        const auto edge = [&](std::size_t a, std::uint32_t cell) {
            return shape.origin[a] + static_cast<float>(cell) / shape.inverse_cell[a];
        };
        std::array<std::uint32_t, 2> low, past;
        Box<Dim> searched = query_;
        for (std::size_t a = 0; a < 2; ++a) {
            const float reach = crowd_.half_extent()[a];
            low[a] = shape.cell_on(a, query_.lo[a] - reach);
            past[a] = shape.cell_on(a, query_.hi[a] + reach) + 1;
            searched.lo[a] = edge(a, low[a]);
            searched.hi[a] = edge(a, past[a]);
        }
        canvas_.fill(on_right(searched), 0.0f, kLines, 0.14f, kPart);
        for (std::uint32_t r = 0; r <= shape.cells[1]; ++r) {
            Box<Dim> row = part_;
            row.lo[1] = row.hi[1] = edge(1, r);
            Area line = on_right(row);
            line.top -= 0.5f;
            line.bottom += 0.5f;
            canvas_.fill(line, 0.0f, kLines, 0.24f, kPart);
        }
        for (std::uint32_t c = low[0]; c <= past[0]; ++c) {
            Box<Dim> cell = searched;
            cell.lo[0] = cell.hi[0] = edge(0, c);
            Area line = on_right(cell);
            line.left -= 0.5f;
            line.right += 0.5f;
            canvas_.fill(line, 0.0f, kLines, 0.24f, kPart);
        }
    }

    void draw_agents() {
        std::vector<Id> seen;
        const Found found = crowd_.grid().visit(part_, [&](std::span<const Id> ids) {
            seen.insert(seen.end(), ids.begin(), ids.end());
            return true;
        });
        if (!found.status.ok()) { return; }
        // Lonely ones below, so that the bright ones stay whole.
        std::stable_sort(seen.begin(), seen.end(), [&](Id a, Id b) {
            return crowd_.neighbours()[a] < crowd_.neighbours()[b];
        });
        for (const Id id : seen) {
            const Point<Dim> at = crowd_.position_of(id);
            const Point<Dim> half = crowd_.half_extent();
            const bool hit = overlaps(query_, at, half);
            const Area body = on_right(Box<Dim>::around(at, half));
            const float corner = std::min(half[0], half[1]) * scale_ * 0.8f;
            const Area shadow = {body.left - 1, body.top - 1, body.right + 1, body.bottom + 1};
            canvas_.fill(shadow, corner + 1.0f, kBackground, 0.55f, kPart);
            canvas_.fill(body, corner, hit ? kFound : colour_of_agent(id), 0.95f, kPart);
        }
    }

    void draw_frames() {
        constexpr Area kAll = {0, 0, kWidth, kHeight};
        constexpr Colour kWhite = {1, 1, 1};
        const Area part = on_left(part_);
        canvas_.frame(part, 1.5f, kWhite, 0.9f, kWorld);
        canvas_.line(part.right, part.top, kPart.left, kPart.top, kWhite, 0.45f);
        canvas_.line(part.right, part.bottom, kPart.left, kPart.bottom, kWhite, 0.45f);
        canvas_.frame(
            {kPart.left + 1.5f, kPart.top + 1.5f, kPart.right - 1.5f, kPart.bottom - 1.5f}, 1.5f,
            kWhite, 0.9f, kAll);
        canvas_.frame(on_right(query_), 1.5f, kWhite, 1.0f, kPart);
    }

    const Crowd<Dim>& crowd_;
    Canvas canvas_;
    float least_ = 0.0f, most_ = 1.0f; // roots of neighbours, for the colours
    Box<Dim> part_{};                  // what is shown on the right
    Box<Dim> query_{};                 // in the middle of it
    float scale_ = 1.0f;
};

} // namespace

template <std::size_t Dim>
Canvas draw(const Crowd<Dim>& crowd) {
    return Picture<Dim>(crowd).draw();
}

template Canvas draw(const Crowd<2>&);
template Canvas draw(const Crowd<3>&);

} // namespace throng::demo
