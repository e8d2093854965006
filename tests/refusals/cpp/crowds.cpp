// Settings of crowds, agents, memory, files and frames.
#include "../../../engine/memory/capped_memory.hpp"
#include "cases.hpp"

#include <cstdio>
#include <functional>

namespace throng::refusals {

namespace {

std::string configured(const std::function<void(CrowdSettings<2>&)>& spoil) {
    CrowdSettings<2> settings = yard_settings();
    spoil(settings);
    return said(Crowd<2>().configure(settings));
}

std::string updated(const Places& places) { return said(yard().update(agents_at(places))); }

std::string updated(const std::function<void(Agents<2>&)>& spoil) {
    Agents<2> agents = agents_at(kPlaces);
    spoil(agents);
    return said(yard().update(agents));
}

std::string updated_in_world(double x) {
    const double places[] = {1, 1, x, 1};
    return said(yard().update(WorldAgents<2>(WorldPointView<2>::interleaved(places, 2))));
}

/// Saves a crowd, spoils the bytes, and loads them as a crowd in the plane.
std::string loaded(const std::function<void(std::vector<std::byte>&)>& spoil) {
    std::vector<std::byte> bytes;
    (void)save(yard(), bytes);
    spoil(bytes);
    const char* const path = "refusals_cpp.crowd";
    std::FILE* const file = std::fopen(path, "wb");
    (void)std::fwrite(bytes.data(), 1, bytes.size(), file);
    (void)std::fclose(file);
    Crowd<2> crowd;
    const Status status = load(crowd, path);
    (void)std::remove(path);
    return said(status);
}

/// An executor that runs no blocks.
class Idle final : public Executor {
public:
    void run(std::size_t, Body) override {}
};

Status images_of(const Places& points, const Places& positions) {
    std::array<Image<2>, 3> out{};
    return Images<2>(yard()).write(agents_at(points).positions, agents_at(positions).positions,
                                   out);
}

const Case kCrowdCases[] = {
    {"bounds inverted", [] { return configured([](auto& s) { s.bounds->lo[1] = 17; }); }},
    {"bounds not finite", [] { return configured([](auto& s) { s.bounds->hi[0] = kNan; }); }},
    {"bounds too large", [] { return configured([](auto& s) { s.bounds->hi[0] = kTooLarge; }); }},
    {"cell zero", [] { return configured([](auto& s) { (*s.cell)[1] = 0; }); }},
    {"cell negative", [] { return configured([](auto& s) { (*s.cell)[0] = -2; }); }},
    {"cell not finite", [] { return configured([](auto& s) { (*s.cell)[0] = kNan; }); }},
    {"cells too many", [] { return configured([](auto& s) { s.cell = Point<2>::all(1e-7f); }); }},
    {"cell without bounds", [] { return configured([](auto& s) { s.bounds.reset(); }); }},
    {"period without bounds",
     [] {
         return configured([](auto& s) {
             s.bounds.reset();
             s.cell.reset();
             s.periodic = {true, false};
         });
     }},
    {"period zero",
     [] {
         return configured([](auto& s) {
             s.bounds->hi[0] = 0;
             s.periodic = {true, false};
         });
     }},
    {"origin not finite", [] { return configured([](auto& s) { s.origin[1] = double{kNan}; }); }},

    {"positions not finite",
     [] {
         return updated({{{1, 1}}, {{kNan, 1}}});
     }},
    {"positions infinite",
     [] {
         return updated({{{1, 1}}, {{2, 1}}, {{9, kInfinite}}});
     }},
    {"positions too large",
     [] {
         return updated({{{kTooLarge, 1}}});
     }},
    {"positions null",
     [] { return updated([](auto& agents) {
              agents.positions.axis = {nullptr, nullptr};
          }); }},
    {"half extents negative",
     [] {
         const Places halves = {{{0.5f, 0.5f}}, {{0.5f, 0.5f}}, {{-0.5f, 0.5f}}};
         return updated([&](auto& agents) { agents.half_extents = view(halves); });
     }},
    {"half extents not finite",
     [] {
         const Places halves = {{{0.5f, 0.5f}}, {{0.5f, kNan}}, {{0.5f, 0.5f}}};
         return updated([&](auto& agents) { agents.half_extents = view(halves); });
     }},
    {"half extents too few",
     [] {
         const Places halves = {{{0.5f, 0.5f}}};
         return updated([&](auto& agents) { agents.half_extents = view(halves); });
     }},
    {"common half extent negative",
     [] { return updated([](auto& agents) { agents.common_half_extent[1] = -1; }); }},
    {"groups too few",
     [] {
         const std::uint32_t groups[] = {1, 2};
         return updated([&](auto& agents) { agents.groups = {groups, 4, 2}; });
     }},
    {"world positions not finite", [] { return updated_in_world(double{kNan}); }},
    {"world positions too far", [] { return updated_in_world(1e200); }},
    {"statics not finite",
     [] {
         return said(yard().set_statics(agents_at({{{1, 1}}, {{1, kNan}}})));
     }},
    {"reserve without cells", [] { return said(Crowd<2>().reserve(10)); }},
    {"reserve too many", [] { return said(yard().reserve(std::size_t{0xFFFF'FFFF})); }},
    {"images point not finite",
     [] {
         return said(images_of({{{1, kNan}}}, kPlaces));
     }},
    {"images position too large",
     [] {
         return said(images_of({{{1, 1}}}, {{{1, 1}}, {{2e18f, 1}}}));
     }},
    {"images points too few",
     [] {
         return said(images_of({{{1, 1}}, {{2, 1}}}, kPlaces));
     }},
    {"frame not finite",
     [] {
         return said(PublishedCrowd<2>().update(agents_at({{{kNan, 1}}})));
     }},
    {"frame edit unknown",
     [] {
         PublishedCrowd<2> crowd;
         const Status status = crowd.update(agents_at({{{1, 1}}}));
         const std::array edits = {Edit<2>::move(0, {2, 2}), Edit<2>::move(5, {2, 2})};
         return said(status.ok() ? crowd.edit(edits) : status);
     }},
    {"frame edit not finite",
     [] {
         PublishedCrowd<2> crowd;
         const Status status = crowd.update(agents_at({{{1, 1}}}));
         const std::array edits = {Edit<2>::move(0, {2, 2}), Edit<2>::move(0, {1, kNan})};
         return said(status.ok() ? crowd.edit(edits) : status);
     }},
    {"change not finite",
     [] {
         Crowd<2> crowd = yard();
         const Places places = {{{1, 1}}, {{kNan, 1}}};
         CrowdChange<2> change;
         Status status = change.update(crowd, agents_at(places));
         while (status.ok() && change.blocks() != 0) {
             change.run(0, change.blocks());
             status = change.next();
         }
         return said(status);
     }},

    {"memory over the cap",
     [] {
         CappedMemory memory(50'000);
         CrowdSettings<2> settings;
         settings.memory = &memory;
         Crowd<2> crowd;
         (void)crowd.configure(settings);
         const Places many(10'000, {{1, 2}});
         return said(capped(&memory, [&] { return crowd.update(agents_at(many)); }));
     }},
    {"executor idle",
     [] {
         Idle idle;
         return said(yard().update(agents_at(kPlaces), idle));
     }},
    {"order twice",
     [] {
         const Id order[] = {0, 0};
         std::uint32_t values[] = {1, 2};
         return said(reorder(order, serial_executor(), values));
     }},
    {"order too short",
     [] {
         const Id order[] = {1, 0};
         std::uint32_t values[] = {1, 2, 3};
         return said(reorder(order, serial_executor(), values));
     }},

    {"file missing",
     [] {
         Crowd<2> crowd;
         return said(load(crowd, "refusals_cpp.no_such_file"));
     }},
    {"file no index",
     [] {
         return loaded([](auto& bytes) {
             const std::string letter =
                 "a letter, and no crowd at all, which is long enough to be looked at";
             for (std::byte& byte : bytes) {
                 byte = static_cast<std::byte>(
                     letter[static_cast<std::size_t>(&byte - bytes.data()) % letter.size()]);
             }
         });
     }},
    {"file of space",
     [] {
         return loaded([](auto& bytes) {
             bytes.clear();
             (void)save(Crowd<3>(), bytes);
         });
     }},
    {"file cut off", [] { return loaded([](auto& bytes) { bytes.resize(bytes.size() - 5); }); }},
    {"file altered", [] { return loaded([](auto& bytes) { bytes.back() ^= std::byte{1}; }); }},
};

} // namespace

std::span<const Case> crowd_cases() { return kCrowdCases; }

} // namespace throng::refusals
