#include "workload.hpp"

#include "makers.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>
#include <string>

namespace throng::bench {

namespace {

struct Recipe {
    std::string_view name;
    std::unique_ptr<Workload> (*make)(const Setting&);
};

constexpr Recipe kRecipes[] = {
    {"update", make_update},
    {"edits", make_edits},
    {"pairs", make_pairs},
    {"pairs_count", make_pairs_count},
    {"neighbours", make_neighbours},
    {"nearest", make_nearest},
    {"balls", make_balls},
    {"balls_shuffled", make_balls_shuffled},
    {"large_boxes", make_large_boxes},
    {"rays", make_rays},
    {"fused", make_fused},
};

} // namespace

const char* to_string(IndexKind kind) noexcept {
    return kind == IndexKind::grid ? "grid" : "crowd";
}

const char* to_string(PopulationKind kind) noexcept {
    switch (kind) {
    case PopulationKind::uniform:
        return "uniform";
    case PopulationKind::clustered:
        return "clustered";
    case PopulationKind::mixed:
        break;
    }
    return "mixed";
}

std::span<const std::string_view> workload_names() noexcept {
    static constexpr auto kNames = [] {
        std::array<std::string_view, std::size(kRecipes)> names;
        std::transform(std::begin(kRecipes), std::end(kRecipes), names.begin(),
                       [](const Recipe& recipe) { return recipe.name; });
        return names;
    }();
    return kNames;
}

std::unique_ptr<Workload> make_workload(std::string_view name, const Setting& setting) {
    for (const Recipe& recipe : kRecipes) {
        if (recipe.name == name) { return recipe.make(setting); }
    }
    throw std::invalid_argument("there is no workload '" + std::string(name) + "'");
}

} // namespace throng::bench
