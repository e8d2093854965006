// Questions by moving boxes and capsules, single ones and many.
#include "../moving.hpp"

#include "../../agents/validation.hpp"
#include "../../core/access.hpp"
#include "../../core/profile_scope.hpp"
#include "../store/answers.hpp"
#include "contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace throng {

namespace obstacle {

namespace {

/// Calls with(mover) for mover `i` of a view.
template <std::size_t Dim, class With>
auto with_mover(const MoversView<Dim>& movers, std::size_t i, const With& with) {
    switch (movers.kind) {
    case MoverKind::box:
        return with(static_cast<const Moving<Dim, Box>*>(movers.movers)[i]);
    case MoverKind::oriented_box:
        return with(static_cast<const Moving<Dim, OrientedBox>*>(movers.movers)[i]);
    default:
        return with(static_cast<const Moving<Dim, Capsule>*>(movers.movers)[i]);
    }
}

template <std::size_t Dim, template <std::size_t> class Shape>
Mover<Dim> mover_of(const Moving<Dim, Shape>& moving) noexcept {
    Mover<Dim> mover{};
    mover.way = real(moving.way);
    if constexpr (std::is_same_v<Shape<Dim>, Capsule<Dim>>) {
        mover.from = real(moving.shape.from);
        mover.to = real(moving.shape.to);
        mover.radius = moving.shape.radius;
        find_bounds(mover.from, mover.to, mover.radius, mover.lo, mover.hi);
    } else {
        mover.is_box = true;
        mover.box = body_of(moving.shape);
        find_bounds(mover.box, mover.lo, mover.hi);
    }
    return mover;
}

/// The argument that a status names for movers of a kind.
constexpr Argument argument_of_mover(MoverKind kind) noexcept {
    if (kind == MoverKind::capsule) { return Argument::capsule; }
    return kind == MoverKind::box ? Argument::box : Argument::oriented_box;
}

template <std::size_t Dim>
Status check_mover(const MoversView<Dim>& movers, std::size_t i) noexcept {
    return with_mover(
        movers, i, [&]<template <std::size_t> class Shape>(const Moving<Dim, Shape>& moving) {
            Status status;
            if constexpr (std::is_same_v<Shape<Dim>, Capsule<Dim>>) {
                status = check_shape(moving.shape);
                if (!status.ok()) { status.index = i; }
            } else {
                status = check(moving.shape, i);
            }
            return status.ok() ? check_point(moving.way, argument_of_mover(movers.kind), i)
                               : status;
        });
}

template <std::size_t Dim>
Mover<Dim> mover_at(const MoversView<Dim>& movers, std::size_t i) noexcept {
    return with_mover(movers, i, [](const auto& moving) { return mover_of(moving); });
}

/// The status of the first mover that is not valid or has too many copies, or ok.
template <std::size_t Dim>
Status check_movers(const MoversView<Dim>& movers, const WorldWrap<Dim>& world) noexcept {
    if (movers.kind > MoverKind::capsule) { return {Cause::out_of_range, Argument::shapes}; }
    if (movers.movers == nullptr && movers.count != 0) {
        return {Cause::null_pointer, Argument::shapes};
    }
    for (std::size_t i = 0; i < movers.count; ++i) {
        if (const Status status = check_mover(movers, i); !status.ok()) { return status; }
    }
    return check_copies(world, movers.count, argument_of_mover(movers.kind),
                        [&](std::size_t i) { return extent_of(mover_at(movers, i)); });
}

template <std::size_t Dim>
Contact<Dim> contact_with(const Record<Dim>& record, const Mover<Dim>& mover, bool place) noexcept {
    return with_body(record, [&](const auto& body) { return contact_of(mover, body, place); });
}

template <std::size_t Dim, class By>
ObstacleHit<Dim> hit_with(const Record<Dim>& record, const Mover<Dim>& mover,
                          const By& shift) noexcept {
    const Contact<Dim> contact = contact_with(record, mover, true);
    return {record.id, static_cast<float>(contact.time), rounded(shift.seen(contact.point)),
            rounded(contact.normal)};
}

/// The search for the first obstacle that one mover touches.
template <std::size_t Dim>
struct FirstTouched {
    const View<Dim>& view;
    const Mover<Dim>& mover;
    float time = std::numeric_limits<float>::infinity();
    Id id = kNoId;
    std::uint32_t slot = kNowhere;
    float limit = 2.0f;

    static float test(void* context, std::uint32_t candidate) noexcept {
        auto& self = *static_cast<FirstTouched*>(context);
        const Record<Dim>& record = self.view.records[candidate];
        const double there = contact_with(record, self.mover, false).time;
        const auto at = static_cast<float>(there);
        if (there == kNever || at > self.time || (at == self.time && record.id > self.id)) {
            return self.limit;
        }
        self.time = at;
        self.id = record.id;
        self.slot = candidate;
        self.limit = limit_at(at);
        return self.limit;
    }
    void find() noexcept {
        const Real<Dim> middle = mover.middle();
        Real<Dim> half;
        for (std::size_t a = 0; a < Dim; ++a) {
            const double size = std::max(std::abs(mover.lo[a]), std::abs(mover.hi[a]));
            half[a] = mover.hi[a] - middle[a] + (size + mixed_of(mover)) * kSlack;
        }
        seek_along(view, middle, mover.way, half, {this, test, true});
    }
};

/// The first obstacle that a mover touches, or any of its copies.
template <std::size_t Dim>
ObstacleHit<Dim> first_touched(const View<Dim>& view, const Mover<Dim>& mover) noexcept {
    ObstacleHit<Dim> best;
    const auto ask = [&](const Mover<Dim>& copy, const auto& shift) {
        FirstTouched<Dim> search = {view, copy, best.time, best.id};
        search.find();
        if (search.slot == kNowhere || (search.time == best.time && search.id == best.id)) {
            return;
        }
        best = hit_with(view.records[search.slot], copy, shift);
    };
    if (view.has_copies(mover)) {
        view.each_copy(extent_of(mover),
                       [&](const Shift<Dim>& shift) { ask(moved(mover, shift), shift); });
    } else {
        ask(mover, Unmoved{});
    }
    return best;
}

/// The box around a whole way, wider by more than the rounding error.
template <std::size_t Dim>
Box<Dim> box_of_way(const Mover<Dim>& mover) noexcept {
    Real<Dim> low = mover.lo, high = mover.hi;
    for (std::size_t a = 0; a < Dim; ++a) {
        low[a] += std::min(mover.way[a], 0.0);
        high[a] += std::max(mover.way[a], 0.0);
    }
    return box_around(low, high, mixed_of(mover));
}

} // namespace
} // namespace obstacle

template <std::size_t Dim>
Found Obstacles<Dim>::first(const MoversView<Dim>& movers, std::span<ObstacleHit<Dim>> hits,
                            Executor& executor, const Filter& filter) const {
    const AccessCheck::Reading reading(state_->access);
    const Status status = obstacle::check_movers(movers, state_->around.world);
    if (!status.ok()) { return {0, status}; }
    if (hits.size() < movers.count) { return {0, {Cause::no_room, Argument::path_hits}}; }
    if (state_->is_empty_for(filter)) {
        std::fill_n(hits.begin(), movers.count, ObstacleHit<Dim>{});
        return {};
    }
    const obstacle::View<Dim> view = obstacle::view_of<Dim>(*state_, filter);
    const auto answer = [&](std::size_t i) -> std::size_t {
        hits[i] = obstacle::first_touched(view, obstacle::mover_at(movers, i));
        return hits[i].id != kNoId ? 1 : 0;
    };
    if (movers.count == 1) { return {answer(0), {}}; }
    const ProfileScope profiled("Obstacles::first");
    return obstacle::answer_all<256>(movers.count, executor, 400.0, [&] {
        return [&](std::size_t begin, std::size_t end) {
            std::size_t found = 0;
            for (std::size_t i = begin; i < end; ++i) {
                found += answer(i);
            }
            return found;
        };
    });
}

template <std::size_t Dim>
Found Obstacles<Dim>::first(const MoversView<Dim>& mover, ObstacleHit<Dim>& hit,
                            const Filter& filter) const {
    if (mover.count != 1) {
        const Status status = obstacle::check_movers(mover, state_->around.world);
        return {0, status.ok() ? Status{Cause::count_mismatch, Argument::shapes} : status};
    }
    return first(mover, {&hit, 1}, serial_executor(), filter);
}

template <std::size_t Dim>
Found Obstacles<Dim>::query(const MoversView<Dim>& mover, std::vector<ObstacleHit<Dim>>& hits,
                            const Filter& filter) const {
    const AccessCheck::Reading reading(state_->access);
    Status status = obstacle::check_movers(mover, state_->around.world);
    if (status.ok() && mover.count != 1) { status = {Cause::count_mismatch, Argument::shapes}; }
    if (!status.ok()) { return {0, status}; }
    hits.clear();
    if (state_->is_empty_for(filter)) { return {}; }
    const auto ask = [&](const obstacle::Mover<Dim>& copy, const auto& shift) {
        (void)state_->tree.visit(
            obstacle::box_of_way(copy),
            [&](std::span<const Id> slots) {
                for (const std::uint32_t slot : slots) {
                    const auto hit = obstacle::hit_with(state_->records[slot], copy, shift);
                    if (hit.time <= 1.0f) { hits.push_back(hit); }
                }
                return true;
            },
            state_->filter_of(filter));
    };
    const obstacle::View<Dim> view = obstacle::view_of<Dim>(*state_, filter);
    const obstacle::Mover<Dim> whole = obstacle::mover_at(mover, 0);
    if (view.has_copies(whole)) {
        view.each_copy(extent_of(whole), hits, &ObstacleHit<Dim>::time,
                       [&](const obstacle::Shift<Dim>& shift) { ask(moved(whole, shift), shift); });
    } else {
        ask(whole, obstacle::Unmoved{});
    }
    std::sort(hits.begin(), hits.end(), [](const auto& a, const auto& b) {
        return a.time < b.time || (a.time == b.time && a.id < b.id);
    });
    return {hits.size(), {}};
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Found Obstacles<Dim>::first(const MoversView<Dim>&, std::span<ObstacleHit<Dim>>,      \
                                         Executor&, const Filter&) const;                          \
    template Found Obstacles<Dim>::first(const MoversView<Dim>&, ObstacleHit<Dim>&, const Filter&) \
        const;                                                                                     \
    template Found Obstacles<Dim>::query(const MoversView<Dim>&, std::vector<ObstacleHit<Dim>>&,   \
                                         const Filter&) const;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
