// The structures of the family.
#include "cases.hpp"

#include <functional>

namespace throng_refusals {

namespace {

throng_index_settings settings_of(std::uint32_t structure) {
    throng_index_settings settings = THRONG_INDEX_SETTINGS_INIT;
    settings.structure = structure;
    return settings;
}

/// A structure with the yard's agents.
struct Index {
    explicit Index(std::uint32_t structure) {
        const throng_index_settings settings = settings_of(structure);
        (void)throng_index_create(&settings, &index);
        (void)update(kPlaces);
    }
    ~Index() { (void)throng_index_destroy(index); }
    Index(const Index&) = delete;
    Index& operator=(const Index&) = delete;

    [[nodiscard]] throng_status update(const Places& places) const {
        const throng_agents agents = agents_at(places);
        return throng_index_update(index, &agents, nullptr);
    }

    throng_index* index = nullptr;
};

throng_status updated(std::uint32_t structure) { return Index(structure).update({1, 1, kNan, 1}); }

throng_status created(std::uint32_t structure,
                      const std::function<void(throng_index_settings&)>& spoil) {
    throng_index_settings settings = settings_of(structure);
    settings.given = THRONG_GIVEN_BOUNDS;
    settings.hi[0] = settings.hi[1] = 16;
    spoil(settings);
    throng_index* index = nullptr;
    return throng_index_create(&settings, &index);
}

throng_status edited(std::uint32_t kind, std::uint32_t id, float y = 1) {
    throng_edit edit{};
    edit.kind = kind;
    edit.id = id;
    edit.position[0] = 1;
    edit.position[1] = y;
    return throng_index_edit(Index(THRONG_LOOSE_TREE).index, &edit);
}

const Case kFamilyCases[] = {
    {"brute force not finite", [] { return updated(THRONG_BRUTE_FORCE); }},
    {"double grid not finite", [] { return updated(THRONG_DOUBLE_GRID); }},
    {"loose tree not finite", [] { return updated(THRONG_LOOSE_TREE); }},
    {"nested quadtree not finite", [] { return updated(THRONG_NESTED_QUADTREE); }},
    {"tight quadtree not finite", [] { return updated(THRONG_TIGHT_QUADTREE); }},
    {"double grid cell zero",
     [] {
         return created(THRONG_DOUBLE_GRID, [](auto& s) {
             s.given |= THRONG_GIVEN_CELL;
             s.cell[0] = 2;
         });
     }},
    {"nested quadtree bounds inverted",
     [] { return created(THRONG_NESTED_QUADTREE, [](auto& s) { s.lo[1] = 17; }); }},
    {"tight quadtree bounds not finite",
     [] { return created(THRONG_TIGHT_QUADTREE, [](auto& s) { s.lo[1] = kNan; }); }},
    {"tree id taken", [] { return edited(THRONG_INSERT, 1); }},
    {"tree erases nobody", [] { return edited(THRONG_ERASE, 77); }},
    {"tree moves to nowhere", [] { return edited(THRONG_MOVE, 1, kNan); }},
    {"tree ball negative",
     [] {
         const std::vector<throng_ball2> ball = {{{0, 0}, -1}};
         const throng_questions question = questions(THRONG_BALL2, ball);
         std::uint64_t total = 0;
         return throng_index_count_one(Index(THRONG_LOOSE_TREE).index, &question, &total);
     }},
};

} // namespace

std::span<const Case> family_cases() { return kFamilyCases; }

} // namespace throng_refusals
