#include "frozen.hpp"

#include "../../archive/archive_numbers.hpp"
#include "../../archive/save_index.hpp"
#include "../../core/access.hpp"
#include "../../loose_tree/frozen.hpp"
#include "state.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace throng {

namespace {

constexpr std::uint32_t kNumbers = archive_tag("ONUM");
constexpr std::uint32_t kRecords = archive_tag("OBST");
constexpr std::uint32_t kSlots = archive_tag("SLOT");
constexpr std::uint32_t kFree = archive_tag("FREE");

template <std::size_t Dim>
constexpr std::size_t kRecordWords = sizeof(obstacle::Record<Dim>) / sizeof(std::uint32_t);

template <std::size_t Dim>
struct WorldNumbers {
    float size = 0.0f;
    Box<Dim> bounds{};
    std::array<bool, Dim> periodic{};
    bool wraps = false;

    template <class Numbers>
    void name_all(Numbers& numbers) {
        numbers.number(size);
        // Files of worlds that are not periodic end here, as those of older libraries.
        if (!numbers.goes_on(wraps)) { return; }
        numbers.number(bounds.lo);
        numbers.number(bounds.hi);
        numbers.number(periodic);
    }
};

/// The status with which set() would meet the obstacle in a record.
template <std::size_t Dim>
Status check_record(const obstacle::Record<Dim>& record) noexcept {
    switch (record.kind) {
    case obstacle::Kind::box:
        return obstacle::check(record.template as<Box<Dim>>(), 0);
    case obstacle::Kind::turned_box:
        return obstacle::check(record.template as<OrientedBox<Dim>>(), 0);
    case obstacle::Kind::thin:
        return obstacle::check(record.template as<obstacle::Thin<Dim>>(), 0);
    }
    return {Cause::out_of_range};
}

} // namespace

template <std::size_t Dim>
void FrozenIndex<Obstacles<Dim>>::write(const Obstacles<Dim>& obstacles, ArchiveWriter& out) {
    const auto& state = detail::state_of(obstacles);
    const AccessCheck::Reading reading(state.access);
    NumbersOut numbers;
    WorldNumbers<Dim> all{state.around.size, state.around.world.bounds, state.around.world.periodic,
                          state.around.world.wraps};
    all.name_all(numbers);
    numbers.write(kNumbers, out);
    if (out.begin(kRecords, std::uint64_t{state.records.size()} * kRecordWords<Dim>)) {
        for (std::size_t slot = 0; slot < state.records.size(); ++slot) {
            const obstacle::Record<Dim>& record = state.records[slot];
            if (state.slot_of(record.id) == slot) {
                out.add(&record, kRecordWords<Dim>);
            } else {
                out.add_zeros(kRecordWords<Dim>);
            }
        }
        out.end();
    }
    out.section(kSlots, state.slots.data(), state.slots.size());
    out.section(kFree, state.free.data(), state.free.size());
    FrozenIndex<LooseTree<Dim>>::write(state.tree, out);
}

template <std::size_t Dim>
void FrozenIndex<Obstacles<Dim>>::read(ArchiveReader& in, Obstacles<Dim>& obstacles) {
    using Record = obstacle::Record<Dim>;
    static_assert(std::is_trivially_copyable_v<Record> &&
                  sizeof(Record) == kRecordWords<Dim> * sizeof(std::uint32_t));
    Obstacles<Dim> loaded;
    auto& state = detail::state_of(loaded);
    const CrowdKind<Dim> kind = state.tree.kind();
    NumbersIn numbers(kNumbers, in);
    WorldNumbers<Dim> all;
    all.name_all(numbers);
    if (!numbers.end()) { return; }
    // A middle and half a side add up to more than the largest coordinate only by rounding.
    if (!(all.size >= 0.0f && all.size <= 1.001f * kLargest)) { return in.refuse(); }
    if (!loaded.configure(all.bounds, all.periodic).ok()) { return in.refuse(); }
    state.around.size = all.size;
    const std::uint64_t words = in.begin(kRecords);
    if (words % kRecordWords<Dim> != 0) { return in.refuse(); }
    state.records.resize(static_cast<std::size_t>(words / kRecordWords<Dim>));
    in.read(state.records.data(), static_cast<std::size_t>(words));
    if (!in.end() || !in.list(kSlots, state.slots) || !in.list(kFree, state.free)) { return; }
    if (state.slots.size() > kMaxAgents) { return in.refuse(); }
    obstacle::Surroundings<Dim> there;
    for (std::size_t id = 0; id < state.slots.size(); ++id) {
        const std::uint32_t slot = state.slots[id];
        if (slot == obstacle::kNowhere) { continue; }
        if (slot >= state.records.size() || !check_record(state.records[slot]).ok()) {
            return in.refuse();
        }
        const obstacle::Place<Dim> place = obstacle::place_of(state.records[slot]);
        there.include(place.position, place.half_extent);
    }
    state.around.spread = there.spread;
    FrozenIndex<LooseTree<Dim>>::read(in, state.tree);
    if (!in.ok()) { return; }
    if (state.tree.kind() != kind || state.validate() != nullptr) { return in.refuse(); }
    const AccessCheck::Changing changing(detail::state_of(obstacles).access);
    detail::state_of(obstacles) = std::move(state);
}

template struct FrozenIndex<Obstacles<2>>;
template struct FrozenIndex<Obstacles<3>>;

THRONG_FREEZE(Obstacles<2>)
THRONG_FREEZE(Obstacles<3>)

} // namespace throng
