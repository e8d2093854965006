// The functions that the page calls, for one crowd and one picture.
#include "bouncing_crowd.hpp"
#include "picture.hpp"

#include <cstdint>
#include <optional>

// Exports a function from the module under this name, for JavaScript.
#define THRONG_PAGE(name) extern "C" __attribute__((export_name(#name)))

namespace {

using throng::Id;
using throng::web::BouncingCrowd;
using throng::web::Picture;

std::optional<BouncingCrowd> crowd;
std::optional<Picture> picture;
std::span<const Id> found;

} // namespace

THRONG_PAGE(start) void start(std::uint32_t agents, float radius) {
    found = {};
    crowd.reset(); // frees memory for the next crowd
    crowd.emplace(agents, radius);
    if (!picture) { picture.emplace(); }
}

THRONG_PAGE(update) std::uint32_t update() {
    found = {};
    return crowd->update().ok() ? 1 : 0;
}

THRONG_PAGE(find_pairs) std::uint32_t find_pairs() { return crowd->find_pairs().ok() ? 1 : 0; }

THRONG_PAGE(move) void move(float speed) { crowd->move(speed); }

THRONG_PAGE(set_radius) void set_radius(float radius) { crowd->set_radius(radius); }

THRONG_PAGE(pairs) double pairs() { return static_cast<double>(crowd->pairs()); }

THRONG_PAGE(side) float side() { return crowd->side(); }

THRONG_PAGE(hash) std::uint64_t hash() { return crowd->hash(); }

THRONG_PAGE(ask)
std::uint32_t ask(std::uint32_t brush, float from_x, float from_y, float to_x, float to_y,
                  std::uint32_t nearest) {
    found = crowd->ask(throng::web::Brush{brush}, {{from_x, from_y}}, {{to_x, to_y}}, nearest);
    return static_cast<std::uint32_t>(found.size());
}

THRONG_PAGE(ray_time) float ray_time() { return crowd->ray_time(); }

THRONG_PAGE(draw)
std::uint32_t draw(float x, float y, float scale, std::uint32_t width, std::uint32_t height) {
    return picture->draw(*crowd, {{{x, y}}, scale}, found, width, height);
}

THRONG_PAGE(pixels) const std::uint32_t* pixels() { return picture->pixels(); }
