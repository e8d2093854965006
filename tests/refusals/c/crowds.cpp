// Settings of crowds, agents, memory, files and frames.
#include "cases.hpp"

#include <cstdio>
#include <functional>
#include <string>

namespace throng_refusals {

namespace {

throng_status configured(const std::function<void(throng_crowd_settings&)>& spoil) {
    throng_crowd_settings settings = yard_settings();
    spoil(settings);
    throng_crowd* crowd = nullptr;
    return throng_crowd_create(&settings, &crowd);
}

throng_status updated(const Places& places) { return Yard().update(places); }

throng_status updated(const std::function<void(throng_agents&)>& spoil) {
    const Yard yard;
    throng_agents agents = agents_at(kPlaces);
    spoil(agents);
    return throng_crowd_update(yard.crowd, &agents, nullptr);
}

throng_status updated(const Places& places, const Places& halves) {
    const Yard yard;
    throng_agents agents = agents_at(places);
    agents.half_extent[0] = halves.data();
    agents.half_extent[1] = halves.data() + 1;
    agents.half_extent_stride[0] = agents.half_extent_stride[1] = 8;
    return throng_crowd_update(yard.crowd, &agents, nullptr);
}

throng_status updated_in_world(double x) {
    const Yard yard;
    const double places[] = {1, 1, x, 1};
    throng_agents agents = THRONG_AGENTS_INIT;
    agents.doubles = 1;
    agents.count = 2;
    agents.position[0] = places;
    agents.position[1] = places + 1;
    agents.position_stride[0] = agents.position_stride[1] = 16;
    return throng_crowd_update(yard.crowd, &agents, nullptr);
}

constexpr const char* kPath = "refusals_c.crowd";

/// Saves a crowd with these settings, spoils the bytes of the file, and loads it into a plain yard.
throng_status loaded(const std::function<void(std::string&)>& spoil,
                     const throng_crowd_settings& settings = yard_settings()) {
    const Yard saved(settings), yard;
    (void)throng_crowd_save(saved.crowd, kPath);
    std::string bytes;
    std::FILE* file = std::fopen(kPath, "rb");
    for (int byte = std::fgetc(file); byte != EOF; byte = std::fgetc(file)) {
        bytes.push_back(static_cast<char>(byte));
    }
    (void)std::fclose(file);
    spoil(bytes);
    file = std::fopen(kPath, "wb");
    (void)std::fwrite(bytes.data(), 1, bytes.size(), file);
    (void)std::fclose(file);
    const throng_status status = throng_crowd_load(yard.crowd, kPath);
    (void)std::remove(kPath);
    return status;
}

/// Reorders an array of 32-bit elements by `order`.
throng_status reordered(std::vector<std::uint32_t> order) {
    std::vector<std::uint32_t> values(order.size());
    const throng_array arrays[] = {{values.data(), 4}};
    return throng_reorder(order.data(), order.size(), arrays, 1, nullptr);
}

throng_status images_of(const Places& points, const Places& positions) {
    const throng_agents from = agents_at(points), seen = agents_at(positions);
    int8_t out[6] = {};
    return throng_crowd_images(Yard().crowd, &from, &seen, out, 6);
}

/// A published crowd of an agent moves that, and then the agent `id` to this `y`.
throng_status frame_edited(std::uint32_t id, float y) {
    const throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
    const Places places = {1, 1};
    const throng_agents agents = agents_at(places);
    throng_edit edits[2] = {};
    edits[0].kind = edits[1].kind = THRONG_MOVE;
    edits[1].id = id;
    edits[1].position[1] = y;
    throng_published* published = nullptr;
    (void)throng_published_create(&settings, &published);
    (void)throng_published_update(published, &agents, nullptr);
    const throng_status status = throng_published_edit(published, edits, 2, nullptr);
    (void)throng_published_destroy(published);
    return status;
}

const Case kCrowdCases[] = {
    {"bounds inverted", [] { return configured([](auto& s) { s.lo[1] = 17; }); }},
    {"bounds not finite", [] { return configured([](auto& s) { s.hi[0] = kNan; }); }},
    {"bounds too large", [] { return configured([](auto& s) { s.hi[0] = kTooLarge; }); }},
    {"cell zero", [] { return configured([](auto& s) { s.cell[1] = 0; }); }},
    {"cell negative", [] { return configured([](auto& s) { s.cell[0] = -2; }); }},
    {"cell not finite", [] { return configured([](auto& s) { s.cell[0] = kNan; }); }},
    {"cells too many", [] { return configured([](auto& s) { s.cell[0] = s.cell[1] = 1e-7f; }); }},
    {"cell without bounds",
     [] {
         return configured([](auto& s) {
             s.given = THRONG_GIVEN_CELL;
             s.hi[0] = s.hi[1] = 0;
         });
     }},
    {"period without bounds",
     [] {
         return configured([](auto& s) {
             s = THRONG_CROWD_SETTINGS_INIT;
             s.periodic = 1;
         });
     }},
    {"period zero",
     [] {
         return configured([](auto& s) {
             s.hi[0] = 0;
             s.periodic = 1;
         });
     }},
    {"origin not finite", [] { return configured([](auto& s) { s.origin[1] = double{kNan}; }); }},

    {"positions not finite",
     [] {
         return updated({1, 1, kNan, 1});
     }},
    {"positions infinite",
     [] {
         return updated({1, 1, 2, 1, 9, kInfinite});
     }},
    {"positions too large",
     [] {
         return updated({kTooLarge, 1});
     }},
    {"positions null",
     [] {
         return updated([](auto& agents) { agents.position[0] = agents.position[1] = nullptr; });
     }},
    {"half extents negative",
     [] {
         return updated(kPlaces, {0.5f, 0.5f, 0.5f, 0.5f, -0.5f, 0.5f});
     }},
    {"half extents not finite",
     [] {
         return updated(kPlaces, {0.5f, 0.5f, 0.5f, kNan, 0.5f, 0.5f});
     }},
    {"common half extent negative",
     [] { return updated([](auto& agents) { agents.common_half_extent[1] = -1; }); }},
    {"world positions not finite", [] { return updated_in_world(double{kNan}); }},
    {"world positions too far", [] { return updated_in_world(1e200); }},
    {"statics not finite",
     [] {
         const Yard yard;
         const Places places = {1, 1, 1, kNan};
         const throng_agents statics = agents_at(places);
         return throng_crowd_set_statics(yard.crowd, &statics, nullptr);
     }},
    {"reserve without cells",
     [] {
         const Yard yard(THRONG_CROWD_SETTINGS_INIT);
         return throng_crowd_reserve(yard.crowd, 10, nullptr);
     }},
    {"reserve too many",
     [] { return throng_crowd_reserve(Yard().crowd, std::size_t{0xFFFF'FFFF}, nullptr); }},
    {"images point not finite",
     [] {
         return images_of({1, kNan}, kPlaces);
     }},
    {"images position too large",
     [] {
         return images_of({1, 1}, {1, 1, 2e18f, 1});
     }},
    {"images points too few",
     [] {
         return images_of({1, 1, 2, 1}, kPlaces);
     }},
    {"frame not finite",
     [] {
         const throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
         const Places places = {kNan, 1};
         const throng_agents agents = agents_at(places);
         throng_published* published = nullptr;
         (void)throng_published_create(&settings, &published);
         const throng_status status = throng_published_update(published, &agents, nullptr);
         (void)throng_published_destroy(published);
         return status;
     }},
    {"frame edit unknown", [] { return frame_edited(5, 0); }},
    {"frame edit not finite", [] { return frame_edited(0, kNan); }},
    {"change not finite",
     [] {
         const Yard yard;
         const Places places = {1, 1, kNan, 1};
         const throng_agents agents = agents_at(places);
         throng_change* change = nullptr;
         (void)throng_change_create(&change);
         throng_loop loop = THRONG_LOOP_INIT;
         throng_status status = throng_change_update(change, yard.crowd, &agents, 0, &loop);
         while (status.code == THRONG_OK && loop.blocks != 0) {
             (void)throng_change_run(change, 0, loop.blocks);
             status = throng_change_next(change, &loop);
         }
         (void)throng_change_destroy(change);
         return status;
     }},

    {"memory over the cap",
     [] {
         throng_memory_settings capped = THRONG_MEMORY_SETTINGS_INIT;
         capped.cap = 50'000;
         throng_memory* memory = nullptr;
         (void)throng_memory_create(&capped, &memory);
         throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
         settings.memory = memory;
         throng_status status{};
         {
             const Yard yard(settings);
             status = yard.update(Places(20'000, 1.0f));
         }
         (void)throng_memory_destroy(memory);
         return status;
     }},
    {"executor idle",
     [] {
         const Yard yard;
         throng_executor_callbacks idle = THRONG_EXECUTOR_CALLBACKS_INIT;
         idle.enqueue = [](throng_job, std::size_t, void*, void*) -> void* { return nullptr; };
         throng_executor* executor = nullptr;
         (void)throng_executor_create(&idle, &executor);
         const throng_agents agents = agents_at(kPlaces);
         const throng_status status = throng_crowd_update(yard.crowd, &agents, executor);
         (void)throng_executor_destroy(executor);
         return status;
     }},
    {"order twice",
     [] {
         return reordered({0, 0});
     }},

    {"file missing", [] { return throng_crowd_load(Yard().crowd, "refusals_c.no_such_file"); }},
    {"file no index",
     [] {
         return loaded([](std::string& bytes) {
             const std::string letter =
                 "a letter, and no crowd at all, which is long enough to be looked at";
             for (std::size_t i = 0; i < bytes.size(); ++i) {
                 bytes[i] = letter[i % letter.size()];
             }
         });
     }},
    {"file of space",
     [] {
         throng_crowd_settings space = THRONG_CROWD_SETTINGS_INIT;
         space.dimension = 3;
         return loaded([](std::string&) {}, space);
     }},
    {"file cut off",
     [] { return loaded([](std::string& bytes) { bytes.resize(bytes.size() - 5); }); }},
    {"file altered",
     [] {
         return loaded(
             [](std::string& bytes) { bytes.back() = static_cast<char>(bytes.back() ^ 1); });
     }},
};

} // namespace

std::span<const Case> crowd_cases() { return kCrowdCases; }

} // namespace throng_refusals
