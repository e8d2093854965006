// A table of values that structures of the C API refuse.
#include "refusals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

namespace throng::test {

namespace {

constexpr std::uint64_t kAnyIndex = ~std::uint64_t{0};

/// One way to spoil a structure, and the status that every call with that structure must give.
struct Spoilt {
    AnyGiven (*structure)(Rig&);
    const char* what;
    void (*spoil)(Rig&);
    int code;
    const char* argument; // if it begins with a dot, the structure's name comes first
    std::uint64_t index = kAnyIndex;
};

const Spoilt kSpoilt[] = {
    {given<&Rig::settings>, "dimension", [](Rig& r) { r.settings.value.dimension = 4; },
     THRONG_WRONG_VALUE, ".dimension"},
    {given<&Rig::settings>, "no dimension", [](Rig& r) { r.settings.value.dimension = 0; },
     THRONG_WRONG_VALUE, ".dimension"},
    {given<&Rig::settings>, "given", [](Rig& r) { r.settings.value.given = 8; }, THRONG_WRONG_VALUE,
     ".given"},
    {given<&Rig::settings>, "a cell alone",
     [](Rig& r) { r.settings.value.given = THRONG_GIVEN_CELL; }, THRONG_MISSING, ".given"},
    {given<&Rig::settings>, "inverted", [](Rig& r) { r.settings.value.lo[1] = 99; },
     THRONG_INVERTED, ".lo", 1},
    {given<&Rig::settings>, "NaN in bounds", [](Rig& r) { r.settings.value.hi[0] = kNan; },
     THRONG_NOT_FINITE, ".lo"},
    {given<&Rig::settings>, "no cell", [](Rig& r) { r.settings.value.cell[1] = 0; },
     THRONG_NOT_POSITIVE, ".cell", 1},
    {given<&Rig::settings>, "NaN in cell", [](Rig& r) { r.settings.value.cell[0] = kNan; },
     THRONG_NOT_FINITE, ".cell"},
    {given<&Rig::settings>, "periodic", [](Rig& r) { r.settings.value.periodic = 8; },
     THRONG_WRONG_VALUE, ".periodic"},
    {given<&Rig::settings>, "periodic without bounds",
     [](Rig& r) {
         r.settings.value.periodic = 1;
         r.settings.value.given = 0;
     },
     THRONG_MISSING, ".given"},
    {given<&Rig::obstacle_world>, "periodic",
     [](Rig& r) { r.obstacle_world.value.periodic = 8; }, THRONG_WRONG_VALUE, ".periodic"},
    {given<&Rig::obstacle_world>, "periodic without bounds",
     [](Rig& r) { r.obstacle_world.value.given = 0; }, THRONG_MISSING, ".given"},
    {given<&Rig::obstacle_world>, "no period",
     [](Rig& r) { r.obstacle_world.value.lo[0] = r.obstacle_world.value.hi[0]; },
     THRONG_NOT_POSITIVE, ".periodic"},
    {given<&Rig::settings>, "origin",
     [](Rig& r) { r.settings.value.origin[1] = std::numeric_limits<double>::infinity(); },
     THRONG_NOT_FINITE, ".origin", 1},
    {given<&Rig::settings>, "kept", [](Rig& r) { r.settings.value.kept = 4; }, THRONG_WRONG_VALUE,
     ".kept"},
    {given<&Rig::settings>, "common extent",
     [](Rig& r) { r.settings.value.common_half_extent[0] = -1; }, THRONG_NEGATIVE,
     ".common_half_extent"},
    {given<&Rig::settings>, "memory",
     [](Rig& r) { r.settings.value.memory = static_cast<throng_memory*>(dead(Kind::memory)); },
     THRONG_DEAD_HANDLE, ".memory"},
    {given<&Rig::settings>, "no memory",
     [](Rig& r) { r.settings.value.memory = r.handle<throng_memory>(Kind::batch); },
     THRONG_WRONG_HANDLE, ".memory"},

    {given<&Rig::agents>, "dimension", [](Rig& r) { r.agents.value.dimension = 5 - r.dimension; },
     THRONG_WRONG_DIMENSION, ".dimension"},
    {given<&Rig::agents>, "no dimension", [](Rig& r) { r.agents.value.dimension = 77; },
     THRONG_WRONG_DIMENSION, ".dimension"},
    {given<&Rig::agents>, "doubles", [](Rig& r) { r.agents.value.doubles = 2; }, THRONG_WRONG_VALUE,
     ".doubles"},
    {given<&Rig::agents>, "reserved", [](Rig& r) { r.agents.value.reserved = 1; },
     THRONG_WRONG_VALUE, ".reserved"},
    {given<&Rig::agents>, "no positions", [](Rig& r) { r.agents.value.position[1] = nullptr; },
     THRONG_NULL_POINTER, "positions"},
    {given<&Rig::agents>, "too many", [](Rig& r) { r.agents.value.count = kHuge; }, THRONG_TOO_MANY,
     "positions", THRONG_FIRST_STATIC - 64},
    {given<&Rig::agents>, "too many for ids",
     [](Rig& r) { r.agents.value.count = THRONG_FIRST_STATIC; }, THRONG_TOO_MANY, "positions",
     THRONG_FIRST_STATIC - 64},
    {given<&Rig::agents>, "NaN", [](Rig& r) { r.coordinates[3 * r.dimension + 1] = kNan; },
     THRONG_NOT_FINITE, "positions", 3},
    {given<&Rig::agents>, "infinite", [](Rig& r) { r.coordinates[5 * r.dimension] = INFINITY; },
     THRONG_NOT_FINITE, "positions", 5},
    {given<&Rig::agents>, "too large", [](Rig& r) { r.coordinates[7 * r.dimension] = 2e18f; },
     THRONG_TOO_LARGE, "positions", 7},
    {given<&Rig::agents>, "negative extent", [](Rig& r) { r.extents[9 * r.dimension] = -1; },
     THRONG_NEGATIVE, "half_extents", 9},
    {given<&Rig::agents>, "an extent missing",
     [](Rig& r) { r.agents.value.half_extent[1] = nullptr; }, THRONG_NULL_POINTER, "half_extents"},
    {given<&Rig::agents>, "the first extent missing",
     [](Rig& r) { r.agents.value.half_extent[0] = nullptr; }, THRONG_WRONG_VALUE, ".half_extent"},
    {given<&Rig::agents>, "common extent",
     [](Rig& r) {
         for (const float*& axis : r.agents.value.half_extent) {
             axis = nullptr;
         }
         r.agents.value.common_half_extent[0] = kNan;
     },
     THRONG_NOT_FINITE, "common_half_extent"},

    {given<&Rig::questions>, "shape", [](Rig& r) { r.questions.value.shape = 0; },
     THRONG_WRONG_VALUE, ".shape"},
    {given<&Rig::questions>, "no such shape", [](Rig& r) { r.questions.value.shape = 132; },
     THRONG_WRONG_VALUE, ".shape"},
    {given<&Rig::questions>, "no such dimension", [](Rig& r) { r.questions.value.shape = 14; },
     THRONG_WRONG_VALUE, ".shape"},
    {given<&Rig::questions>, "huge shape", [](Rig& r) { r.questions.value.shape = 0xFFFF'FFF2u; },
     THRONG_WRONG_VALUE, ".shape"},
    {given<&Rig::questions>, "dimension",
     [](Rig& r) { r.questions.value.shape = THRONG_BOX2 + 3 - r.dimension; },
     THRONG_WRONG_DIMENSION, ".shape"},
    {given<&Rig::questions>, "sets", [](Rig& r) { r.questions.value.sets = 8; }, THRONG_WRONG_VALUE,
     ".sets"},
    {given<&Rig::questions>, "no shapes", [](Rig& r) { r.questions.value.shapes = nullptr; },
     THRONG_NULL_POINTER, ".shapes"},
    {given<&Rig::questions>, "misaligned",
     [](Rig& r) { r.questions.value.shapes = misaligned(r.shapes.data()); }, THRONG_WRONG_VALUE,
     ".shapes"},
    {given<&Rig::questions>, "overflow",
     [](Rig& r) {
         r.questions.value.count = kHuge / 8;
         r.questions.value.filter_count = 0;
     },
     THRONG_TOO_MANY, ".count"},
    {given<&Rig::questions>, "NaN", [](Rig& r) { r.shapes[2 * r.dimension] = kNan; },
     THRONG_NOT_FINITE, ".shapes", 1},
    {given<&Rig::questions>, "fewer filters", [](Rig& r) { r.questions.value.filter_count = 2; },
     THRONG_COUNT_MISMATCH, ".filters"},
    {given<&Rig::questions>, "more filters",
     [](Rig& r) {
         r.filters.resize(5);
         r.questions.value.filters = r.filters.data();
         r.questions.value.filter_count = 5;
     },
     THRONG_COUNT_MISMATCH, ".filters"},
    {given<&Rig::questions>, "no filters", [](Rig& r) { r.questions.value.filters = nullptr; },
     THRONG_NULL_POINTER, ".filters"},
    {given<&Rig::questions>, "misaligned filters",
     [](Rig& r) {
         r.questions.value.filters =
             static_cast<const throng_filter*>(misaligned(r.filters.data()));
     },
     THRONG_WRONG_VALUE, ".filters"},

    {given<&Rig::question>, "many", [](Rig& r) { r.question.value.count = 2; }, THRONG_WRONG_VALUE,
     ".count"},
    {given<&Rig::question>, "none", [](Rig& r) { r.question.value.count = 0; }, THRONG_WRONG_VALUE,
     ".count"},
    {given<&Rig::question>, "shape", [](Rig& r) { r.question.value.shape = 1; }, THRONG_WRONG_VALUE,
     ".shape"},
    {given<&Rig::question>, "dimension",
     [](Rig& r) { r.question.value.shape = THRONG_BALL2 + 3 - r.dimension; },
     THRONG_WRONG_DIMENSION, ".shape"},
    {given<&Rig::question>, "no shape at all", [](Rig& r) { r.question.value.shapes = nullptr; },
     THRONG_NULL_POINTER, ".shapes"},
    {given<&Rig::question>, "misaligned",
     [](Rig& r) { r.question.value.shapes = misaligned(r.shapes.data()); }, THRONG_WRONG_VALUE,
     ".shapes"},
    {given<&Rig::question>, "NaN", [](Rig& r) { r.shapes[1] = kNan; }, THRONG_NOT_FINITE,
     ".shapes"},
    {given<&Rig::question>, "filters", [](Rig& r) { r.question.value.filter_count = 2; },
     THRONG_COUNT_MISMATCH, ".filters"},
    {given<&Rig::question>, "sets", [](Rig& r) { r.question.value.sets = 9; }, THRONG_WRONG_VALUE,
     ".sets"},

    {given<&Rig::paths>, "no path",
     [](Rig& r) { r.paths.value.shape = THRONG_BOX2 - 2 + r.dimension; }, THRONG_WRONG_VALUE,
     ".shape"},
    {given<&Rig::paths>, "dimension",
     [](Rig& r) { r.paths.value.shape = THRONG_RAY2 + 3 - r.dimension; }, THRONG_WRONG_DIMENSION,
     ".shape"},
    {given<&Rig::paths>, "NaN", [](Rig& r) { r.shapes[4 * r.dimension] = kNan; }, THRONG_NOT_FINITE,
     ".shapes", 2},
    {given<&Rig::paths>, "no paths", [](Rig& r) { r.paths.value.shapes = nullptr; },
     THRONG_NULL_POINTER, ".shapes"},
    {given<&Rig::paths>, "filters", [](Rig& r) { r.paths.value.filter_count = 2; },
     THRONG_COUNT_MISMATCH, ".filters"},

    {given<&Rig::one_path>, "no path",
     [](Rig& r) { r.one_path.value.shape = THRONG_BOX2 - 2 + r.dimension; }, THRONG_WRONG_VALUE,
     ".shape"},
    {given<&Rig::one_path>, "dimension",
     [](Rig& r) { r.one_path.value.shape = THRONG_RAY2 + 3 - r.dimension; }, THRONG_WRONG_DIMENSION,
     ".shape"},
    {given<&Rig::one_path>, "many", [](Rig& r) { r.one_path.value.count = 2; }, THRONG_WRONG_VALUE,
     ".count"},
    {given<&Rig::one_path>, "NaN", [](Rig& r) { r.shapes[1] = kNan; }, THRONG_NOT_FINITE,
     ".shapes"},
    {given<&Rig::one_path>, "sets", [](Rig& r) { r.one_path.value.sets = 9; }, THRONG_WRONG_VALUE,
     ".sets"},

    {given<&Rig::neighbourhood>, "radius", [](Rig& r) { r.neighbourhood.value.radius = -1; },
     THRONG_NEGATIVE, ".radius"},
    {given<&Rig::neighbourhood>, "NaN", [](Rig& r) { r.neighbourhood.value.radius = kNan; },
     THRONG_NOT_FINITE, ".radius"},
    {given<&Rig::neighbourhood>, "sets", [](Rig& r) { r.neighbourhood.value.sets = 8; },
     THRONG_WRONG_VALUE, ".sets"},
    {given<&Rig::neighbourhood>, "order", [](Rig& r) { r.neighbourhood.value.order = 2; },
     THRONG_WRONG_VALUE, ".order"},
    {given<&Rig::neighbourhood>, "with_self", [](Rig& r) { r.neighbourhood.value.with_self = 2; },
     THRONG_WRONG_VALUE, ".with_self"},
    {given<&Rig::neighbourhood>, "later_only", [](Rig& r) { r.neighbourhood.value.later_only = 2; },
     THRONG_WRONG_VALUE, ".later_only"},
    {given<&Rig::neighbourhood>, "body", [](Rig& r) { r.neighbourhood.value.body = 3; },
     THRONG_OUT_OF_RANGE, ".body"},
    {given<&Rig::neighbourhood>, "reserved", [](Rig& r) { r.neighbourhood.value.reserved = 1; },
     THRONG_WRONG_VALUE, ".reserved"},

    {given<&Rig::pairing>, "sets", [](Rig& r) { r.pairing.value.sets = 32; }, THRONG_WRONG_VALUE,
     ".sets"},
    {given<&Rig::pairing>, "NaN", [](Rig& r) { r.pairing.value.within = kNan; }, THRONG_NOT_FINITE,
     ".within"},
    {given<&Rig::pairing>, "reserved", [](Rig& r) { r.pairing.value.reserved = 1; },
     THRONG_WRONG_VALUE, ".reserved"},
    {given<&Rig::pairing>, "body", [](Rig& r) { r.pairing.value.body = 3; }, THRONG_OUT_OF_RANGE,
     ".body"},
    {given<&Rig::pairing>, "body of near ones",
     [](Rig& r) {
         r.pairing.value.within = 1.0f;
         r.pairing.value.body = 3;
     },
     THRONG_OUT_OF_RANGE, ".body"},
    {given<&Rig::pairing>, "reserved_too", [](Rig& r) { r.pairing.value.reserved_too = 1; },
     THRONG_WRONG_VALUE, ".reserved_too"},

    {given<&Rig::moved>, "dimension", [](Rig& r) { r.moved.value.dimension = 5 - r.dimension; },
     THRONG_WRONG_DIMENSION, ".dimension"},
    {given<&Rig::moved>, "count", [](Rig& r) { --r.moved.value.count; }, THRONG_COUNT_MISMATCH,
     "positions"},
    {given<&Rig::moved>, "no positions", [](Rig& r) { r.moved.value.position[1] = nullptr; },
     THRONG_NULL_POINTER, "positions"},
    {given<&Rig::moved>, "NaN", [](Rig& r) { r.coordinates[r.dimension * 9] = kNan; },
     THRONG_NOT_FINITE, "positions", 9},
    {given<&Rig::moved>, "moved", [](Rig& r) { r.coordinates[r.dimension * 9] += 1; },
     THRONG_OUT_OF_RANGE, "positions", 9},
    {given<&Rig::lasting_settings>, "radius",
     [](Rig& r) { r.lasting_settings.value.radius = -1; }, THRONG_NEGATIVE, ".radius"},
    {given<&Rig::lasting_settings>, "NaN", [](Rig& r) { r.lasting_settings.value.radius = kNan; },
     THRONG_NOT_FINITE, ".radius"},
    {given<&Rig::lasting_settings>, "skin", [](Rig& r) { r.lasting_settings.value.skin = -1; },
     THRONG_NEGATIVE, ".skin"},
    {given<&Rig::lasting_settings>, "NaN in skin",
     [](Rig& r) { r.lasting_settings.value.skin = kNan; }, THRONG_NOT_FINITE, ".skin"},
    {given<&Rig::lasting_settings>, "far", [](Rig& r) { r.lasting_settings.value.skin = 2e18f; },
     THRONG_TOO_LARGE, ".skin"},
    {given<&Rig::lasting_settings>, "sets", [](Rig& r) { r.lasting_settings.value.sets = 8; },
     THRONG_WRONG_VALUE, ".sets"},
    {given<&Rig::lasting_settings>, "with_self",
     [](Rig& r) { r.lasting_settings.value.with_self = 2; }, THRONG_WRONG_VALUE, ".with_self"},
    {given<&Rig::lasting_settings>, "later_only",
     [](Rig& r) { r.lasting_settings.value.later_only = 2; }, THRONG_WRONG_VALUE, ".later_only"},

    {given<&Rig::nearest>, "none", [](Rig& r) { r.nearest.value.k = 1025; }, THRONG_TOO_MANY, ".k"},
    {given<&Rig::nearest>, "radius", [](Rig& r) { r.nearest.value.radius = -1; }, THRONG_NEGATIVE,
     ".radius"},
    {given<&Rig::nearest>, "NaN", [](Rig& r) { r.nearest.value.radius = kNan; }, THRONG_NOT_FINITE,
     ".radius"},
    {given<&Rig::nearest>, "sets", [](Rig& r) { r.nearest.value.sets = 8; }, THRONG_WRONG_VALUE,
     ".sets"},
    {given<&Rig::nearest>, "order", [](Rig& r) { r.nearest.value.order = 2; }, THRONG_WRONG_VALUE,
     ".order"},
    {given<&Rig::nearest>, "with_self", [](Rig& r) { r.nearest.value.with_self = 2; },
     THRONG_WRONG_VALUE, ".with_self"},
    {given<&Rig::nearest>, "least", [](Rig& r) { r.nearest.value.least = -1; }, THRONG_NEGATIVE, ".least"},
    {given<&Rig::nearest>, "least NaN", [](Rig& r) { r.nearest.value.least = kNan; }, THRONG_NOT_FINITE, ".least"},
    {given<&Rig::nearest>, "up", [](Rig& r) { r.nearest.value.band.up = 3; }, THRONG_OUT_OF_RANGE, ".band"},
    {given<&Rig::nearest>, "below", [](Rig& r) { r.nearest.value.band.below = -1; }, THRONG_NEGATIVE, ".band"},
    {given<&Rig::nearest>, "above", [](Rig& r) { r.nearest.value.band.above = 2e18f; }, THRONG_TOO_LARGE, ".band"},
    {given<&Rig::nearest>, "reserved", [](Rig& r) { r.nearest.value.reserved = 1; },
     THRONG_WRONG_VALUE, ".reserved"},
    {given<&Rig::nearest>, "body", [](Rig& r) { r.nearest.value.body = 3; }, THRONG_WRONG_VALUE,
     ".body"},
    {given<&Rig::nearest>, "reserved too", [](Rig& r) { r.nearest.value.reserved_too = 1; },
     THRONG_WRONG_VALUE, ".reserved_too"},

    {given<&Rig::point>, "dimension", [](Rig& r) { r.point.value.dimension = 5 - r.dimension; },
     THRONG_WRONG_DIMENSION, ".dimension"},
    {given<&Rig::point>, "reserved", [](Rig& r) { r.point.value.reserved = 1; }, THRONG_WRONG_VALUE,
     ".reserved"},
    {given<&Rig::point>, "many", [](Rig& r) { r.point.value.count = 2; }, THRONG_WRONG_VALUE,
     ".count"},
    {given<&Rig::point>, "none", [](Rig& r) { r.point.value.count = 0; }, THRONG_WRONG_VALUE,
     ".count"},
    {given<&Rig::point>, "nowhere", [](Rig& r) { r.point.value.coordinates = nullptr; },
     THRONG_NULL_POINTER, ".coordinates"},
    {given<&Rig::point>, "NaN", [](Rig& r) { r.places[1] = kNan; }, THRONG_NOT_FINITE,
     "point"},

    {given<&Rig::points>, "dimension", [](Rig& r) { r.points.value.dimension = 5 - r.dimension; },
     THRONG_WRONG_DIMENSION, ".dimension"},
    {given<&Rig::points>, "reserved", [](Rig& r) { r.points.value.reserved = 1; },
     THRONG_WRONG_VALUE, ".reserved"},
    {given<&Rig::points>, "nowhere", [](Rig& r) { r.points.value.coordinates = nullptr; },
     THRONG_NULL_POINTER, ".coordinates"},
    {given<&Rig::points>, "misaligned",
     [](Rig& r) {
         r.points.value.coordinates = static_cast<const float*>(misaligned(r.places.data()));
     },
     THRONG_WRONG_VALUE, ".coordinates"},
    {given<&Rig::points>, "overflow", [](Rig& r) { r.points.value.count = kHuge / 4; },
     THRONG_TOO_MANY, ".count"},
    {given<&Rig::points>, "NaN", [](Rig& r) { r.places[r.dimension] = kNan; }, THRONG_NOT_FINITE,
     "points", 1},

    {given<&Rig::hits_room>, "no offsets", [](Rig& r) { r.hits_room.value.offsets = nullptr; }, THRONG_NULL_POINTER, ".offsets"},
    {given<&Rig::hits_room>, "too few offsets", [](Rig& r) { r.hits_room.value.offset_room -= 1; }, THRONG_NO_ROOM, ".offsets", Rig::kQuestions + 1},
    {given<&Rig::hits_room>, "no place for offsets", [](Rig& r) { r.hits_room.value.offset_room = 0; }, THRONG_NO_ROOM, ".offsets", Rig::kQuestions + 1},
    {given<&Rig::hits_room>, "misaligned offsets", [](Rig& r) { r.hits_room.value.offsets = static_cast<std::uint64_t*>(misaligned(r.hits_room.value.offsets)); }, THRONG_WRONG_VALUE, ".offsets"},
    {given<&Rig::hits_room>, "no ids", [](Rig& r) { r.hits_room.value.ids = nullptr; }, THRONG_NULL_POINTER, ".ids"},
    {given<&Rig::hits_room>, "misaligned ids", [](Rig& r) { r.hits_room.value.ids = static_cast<std::uint32_t*>(misaligned(r.hits_room.value.ids)); }, THRONG_WRONG_VALUE, ".ids"},
    {given<&Rig::hits_room>, "endless ids", [](Rig& r) { r.hits_room.value.id_room = kHuge; }, THRONG_TOO_MANY, ".id_room"},
    {given<&Rig::hits_room>, "few ids", [](Rig& r) { r.hits_room.value.id_room = 3; }, THRONG_NO_ROOM, ".ids"},
    {given<&Rig::neighbours_room>, "no offsets", [](Rig& r) { r.neighbours_room.value.offsets = nullptr; }, THRONG_NULL_POINTER, ".offsets"},
    {given<&Rig::neighbours_room>, "too few offsets", [](Rig& r) { r.neighbours_room.value.offset_room -= 1; }, THRONG_NO_ROOM, ".offsets", Rig::kAgents + 1},
    {given<&Rig::neighbours_room>, "no place for offsets", [](Rig& r) { r.neighbours_room.value.offset_room = 0; }, THRONG_NO_ROOM, ".offsets", Rig::kAgents + 1},
    {given<&Rig::neighbours_room>, "misaligned offsets", [](Rig& r) { r.neighbours_room.value.offsets = static_cast<std::uint64_t*>(misaligned(r.neighbours_room.value.offsets)); }, THRONG_WRONG_VALUE, ".offsets"},
    {given<&Rig::neighbours_room>, "no ids", [](Rig& r) { r.neighbours_room.value.ids = nullptr; }, THRONG_NULL_POINTER, ".ids"},
    {given<&Rig::neighbours_room>, "misaligned ids", [](Rig& r) { r.neighbours_room.value.ids = static_cast<std::uint32_t*>(misaligned(r.neighbours_room.value.ids)); }, THRONG_WRONG_VALUE, ".ids"},
    {given<&Rig::neighbours_room>, "endless ids", [](Rig& r) { r.neighbours_room.value.id_room = kHuge; }, THRONG_TOO_MANY, ".id_room"},
    {given<&Rig::neighbours_room>, "few ids", [](Rig& r) { r.neighbours_room.value.id_room = 3; }, THRONG_NO_ROOM, ".ids"},
    {given<&Rig::pairs_room>, "no first", [](Rig& r) { r.pairs_room.value.first = nullptr; }, THRONG_NULL_POINTER, ".first"},
    {given<&Rig::pairs_room>, "misaligned first", [](Rig& r) { r.pairs_room.value.first = static_cast<std::uint32_t*>(misaligned(r.pairs_room.value.first)); }, THRONG_WRONG_VALUE, ".first"},
    {given<&Rig::pairs_room>, "no second", [](Rig& r) { r.pairs_room.value.second = nullptr; }, THRONG_NULL_POINTER, ".second"},
    {given<&Rig::pairs_room>, "misaligned second", [](Rig& r) { r.pairs_room.value.second = static_cast<std::uint32_t*>(misaligned(r.pairs_room.value.second)); }, THRONG_WRONG_VALUE, ".second"},
    {given<&Rig::pairs_room>, "endless", [](Rig& r) { r.pairs_room.value.room = kHuge; }, THRONG_TOO_MANY, ".room"},
    {given<&Rig::pairs_room>, "few", [](Rig& r) { r.pairs_room.value.room = 1; }, THRONG_NO_ROOM, ".first"},
    {given<&Rig::near_room>, "no places", [](Rig& r) { r.near_room.value.nearest = nullptr; }, THRONG_NULL_POINTER, ".nearest"},
    {given<&Rig::near_room>, "misaligned places", [](Rig& r) { r.near_room.value.nearest = static_cast<throng_near*>(misaligned(r.near_room.value.nearest)); }, THRONG_WRONG_VALUE, ".nearest"},
    {given<&Rig::near_room>, "a place too few", [](Rig& r) { r.near_room.value.near_room -= 1; }, THRONG_NO_ROOM, ".nearest", 2 * Rig::kPoints},
    {given<&Rig::near_room>, "no counts", [](Rig& r) { r.near_room.value.counts = nullptr; }, THRONG_NULL_POINTER, ".counts"},
    {given<&Rig::near_room>, "a count too few", [](Rig& r) { r.near_room.value.count_room -= 1; }, THRONG_NO_ROOM, ".counts", Rig::kPoints},
    {given<&Rig::everybody_room>, "no places", [](Rig& r) { r.everybody_room.value.nearest = nullptr; }, THRONG_NULL_POINTER, ".nearest"},
    {given<&Rig::everybody_room>, "misaligned places", [](Rig& r) { r.everybody_room.value.nearest = static_cast<throng_near*>(misaligned(r.everybody_room.value.nearest)); }, THRONG_WRONG_VALUE, ".nearest"},
    {given<&Rig::everybody_room>, "a place too few", [](Rig& r) { r.everybody_room.value.near_room -= 1; }, THRONG_NO_ROOM, ".nearest", 2 * Rig::kAgents},
    {given<&Rig::everybody_room>, "no counts", [](Rig& r) { r.everybody_room.value.counts = nullptr; }, THRONG_NULL_POINTER, ".counts"},
    {given<&Rig::everybody_room>, "a count too few", [](Rig& r) { r.everybody_room.value.count_room -= 1; }, THRONG_NO_ROOM, ".counts", Rig::kAgents},

    {given<&Rig::memory_settings>, "nothing that gives",
     [](Rig& r) { r.memory_settings.value.allocate = nullptr; }, THRONG_NULL_POINTER, ".allocate"},
    {given<&Rig::memory_settings>, "nothing that takes back",
     [](Rig& r) { r.memory_settings.value.deallocate = nullptr; }, THRONG_NULL_POINTER,
     ".deallocate"},

    {given<&Rig::callbacks>, "no enqueue", [](Rig& r) { r.callbacks.value.enqueue = nullptr; },
     THRONG_NULL_POINTER, ".enqueue"},
};

TEST(CApi, RefusesWrongValues) {
    for (const Spoilt& spoilt : kSpoilt) {
        std::size_t calls_with_it = 0;
        for (const Call& call : calls()) {
            const auto structure =
                std::find_if(call.structs.begin(), call.structs.end(),
                             [&](const StructOf& one) { return one.of == spoilt.structure; });
            if (structure == call.structs.end()) { continue; }
            ++calls_with_it;
            const std::string name = structure->name;
            // A bad array of statics is reported as `statics`; only the common extent is named by
            // itself.
            const std::string blamed = spoilt.argument;
            const std::string argument = blamed[0] == '.' ? name + blamed
                                         : name == "statics" && blamed != "common_half_extent"
                                             ? name
                                             : blamed;
            for (const std::uint32_t dimension : kDimensions) {
                SCOPED_TRACE(testing::Message() << spoilt.what << ", " << dimension << "D");
                const throng_status status =
                    expect_refused(call, dimension, spoilt.code, argument, spoilt.spoil);
                if (spoilt.index == kAnyIndex) { continue; }
                EXPECT_EQ(status.index, spoilt.index) << call.name << ": " << text_of(status);
            }
        }
        EXPECT_GT(calls_with_it, 0u) << spoilt.what;
    }
}

} // namespace

} // namespace throng::test
