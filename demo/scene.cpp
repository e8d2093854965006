#include "scenes.hpp"

#include <stdexcept>
#include <string>

namespace throng::demo {

namespace {

template <std::size_t Dim>
struct Entry {
    std::string_view name;
    std::unique_ptr<Scene<Dim>> (*make)(std::uint64_t seed);
};

template <std::size_t Dim>
std::unique_ptr<Scene<Dim>> find_scene(std::span<const Entry<Dim>> scenes, std::string_view name,
                                       std::uint64_t seed) {
    for (const Entry<Dim>& scene : scenes) {
        if (scene.name == name) { return scene.make(seed); }
    }
    throw std::invalid_argument("there is no scene '" + std::string(name) + "'");
}

} // namespace

template <>
std::unique_ptr<Scene<2>> make_scene(std::string_view name, std::uint64_t seed) {
    constexpr Entry<2> kScenes[] = {{"bounce", make_bounce}};
    return find_scene<2>(kScenes, name, seed);
}

template <>
std::unique_ptr<Scene<3>> make_scene(std::string_view name, std::uint64_t seed) {
    return find_scene<3>({}, name, seed);
}

void place_in_rows(People<2>& people, const Random& random) {
    const std::size_t agents = people.size();
    const float area = people.side(0) * people.side(1);
    const float step = std::sqrt(area / static_cast<float>(agents));
    const auto columns = static_cast<std::size_t>(std::ceil(people.side(0) / step));
    const std::size_t rows = (agents + columns - 1) / columns;
    const float across = people.side(0) / static_cast<float>(columns);
    const float along = people.side(1) / static_cast<float>(rows);
    for (std::size_t i = 0; i < agents; ++i) {
        people.put(
            i,
            {{people.world.lo[0] + (static_cast<float>(i % columns) + random.unit(i, 1)) * across,
              people.world.lo[1] + (static_cast<float>(i / columns) + random.unit(i, 2)) * along}});
    }
}

} // namespace throng::demo
