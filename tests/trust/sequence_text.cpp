#include "sequence.hpp"

#include <cstdio>

namespace throng::test {

namespace {

/// A number with enough digits to restore all its bits.
std::string text(float value) {
    char digits[40];
    std::snprintf(digits, sizeof digits, "%.9g", static_cast<double>(value));
    return digits;
}

template <std::size_t Dim>
std::string text(const Point<Dim>& point) {
    std::string all = "(";
    for (std::size_t a = 0; a < Dim; ++a) {
        all += (a == 0 ? "" : ", ") + text(point[a]);
    }
    return all + ")";
}

template <std::size_t Dim>
std::string text(const Agent<Dim>& agent) {
    std::string all = "at " + text(agent.position);
    if (agent.half_extent) { all += " half " + text(*agent.half_extent); }
    if (agent.groups) { all += " groups " + std::to_string(*agent.groups); }
    return all;
}

template <std::size_t Dim>
std::string text(const CrowdKind<Dim>& kind) {
    return (kind.own_half_extents ? "extents of their own"
                                  : "extents " + text(kind.common_half_extent)) +
           (kind.groups ? ", groups" : "");
}

template <std::size_t Dim>
std::string text(const Edit<Dim>& edit) {
    const std::string id = std::to_string(edit.id);
    switch (edit.kind) {
    case Edit<Dim>::Kind::insert:
        return "insert " + id + " " + text(edit.agent);
    case Edit<Dim>::Kind::erase:
        return "erase " + id;
    default:
        return "move " + id + " to " + text(edit.agent.position);
    }
}

template <std::size_t Dim>
std::string text(const Box<Dim>& box) {
    return "box " + text(box.lo) + " to " + text(box.hi);
}
template <std::size_t Dim>
std::string text(const Ball<Dim>& ball) {
    return "ball " + text(ball.centre) + " radius " + text(ball.radius);
}
template <std::size_t Dim>
std::string text(const Sector<Dim>& sector) {
    return "sector " + text(sector.centre) + " radius " + text(sector.radius) + " direction " +
           text(sector.direction) + " cosine " + text(sector.cosine);
}
template <std::size_t Dim>
std::string text(const Segment<Dim>& segment) {
    return "segment " + text(segment.from) + " to " + text(segment.to);
}
template <std::size_t Dim>
std::string text(const Ray<Dim>& ray) {
    return "ray " + text(ray.origin) + " direction " + text(ray.direction) + " length " +
           text(ray.length);
}
template <std::size_t Dim>
std::string text(const Capsule<Dim>& capsule) {
    return "capsule " + text(capsule.from) + " to " + text(capsule.to) + " radius " +
           text(capsule.radius);
}
template <std::size_t Dim>
std::string text(const Convex<Dim>& convex) {
    std::string all = "convex in " + text(convex.bounds);
    for (std::size_t s = 0; s < convex.count; ++s) {
        all +=
            ", normal " + text(convex.sides[s].normal) + " offset " + text(convex.sides[s].offset);
    }
    return all;
}
template <std::size_t Dim>
std::string text(const OrientedBox<Dim>& box) {
    std::string all = "oriented box " + text(box.centre) + " half edges";
    for (const Point<Dim>& edge : box.half_edges) {
        all += " " + text(edge);
    }
    return all;
}
template <std::size_t Dim>
std::string text(const Cylinder<Dim>& cylinder) {
    return "cylinder " + text(cylinder.centre) + " radius " + text(cylinder.radius) + " low " +
           text(cylinder.low) + " high " + text(cylinder.high) + " up " +
           std::to_string(cylinder.up);
}

/// In the order of What.
constexpr const char* kNames[] = {"update", "edit_one", "edit",        "tidy",  "clear",
                                  "visit",  "query",    "query into ", "count", "any",
                                  "batch",  "nearest",  "path_hits",   "pairs", "validate"};

} // namespace

template <std::size_t Dim>
std::string to_string(const Operation<Dim>& operation) {
    if (operation.what == What::edit_one) { return text(operation.edits[0]); }
    std::string all = kNames[static_cast<std::size_t>(operation.what)];
    if (operation.what == What::query_some || operation.what == What::nearest) {
        all += " " + std::to_string(operation.k);
    }
    if (operation.what == What::update) {
        all += " of " + std::to_string(operation.agents.size()) + ", " + text(operation.kind);
    }
    const bool list =
        operation.agents.size() + operation.edits.size() + operation.shapes.size() > 1;
    const char* const between = list ? "\n        " : " ";
    for (const Agent<Dim>& agent : operation.agents) {
        all += between + text(agent);
    }
    for (const Edit<Dim>& edit : operation.edits) {
        all += between + text(edit);
    }
    for (const AnyShape<Dim>& shape : operation.shapes) {
        all += between + std::visit([](const auto& one) { return text(one); }, shape);
    }
    if (operation.filter.groups != kAllGroups) {
        all += " groups " + std::to_string(operation.filter.groups);
    }
    if (operation.filter.without != kNoId) {
        all += " without " + std::to_string(operation.filter.without);
    }
    return all;
}

template <std::size_t Dim>
std::string to_string(const Sequence<Dim>& sequence) {
    std::string all = "seed " + std::to_string(sequence.seed) + ", " + std::to_string(Dim) + "d, " +
                      kDistributionNames[static_cast<std::size_t>(sequence.distribution)] +
                      "\n  world " + text(sequence.layout.world) + ", cells of " +
                      text(sequence.layout.cell) + " for about " +
                      std::to_string(sequence.layout.size()) + " agents\n  at first " +
                      text(sequence.kind) + "\n";
    for (std::size_t o = 0; o < sequence.operations.size(); ++o) {
        all += "  " + std::to_string(o) + ": " + to_string(sequence.operations[o]) + "\n";
    }
    return all;
}

template std::string to_string(const Operation<2>&);
template std::string to_string(const Operation<3>&);
template std::string to_string(const Sequence<2>&);
template std::string to_string(const Sequence<3>&);

} // namespace throng::test
