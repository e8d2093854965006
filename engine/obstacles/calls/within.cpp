// Questions which obstacles are within a distance, single ones and many.
#include "../../agents/validation.hpp"
#include "../../core/access.hpp"
#include "../../core/profile_scope.hpp"
#include "../store/answers.hpp"
#include "../store/packet.hpp"
#include "collect.hpp"

#include <algorithm>
#include <cstdint>

namespace throng {

namespace obstacle {

namespace {

/// Adds an obstacle, if it is within the ball.
template <std::size_t Dim, class By = Unmoved>
void add_near(const Record<Dim>& record, const Real<Dim>& centre, float radius,
              std::vector<ObstacleNear<Dim>>& near, const By& shift = {}) {
    const ObstacleNear<Dim> one = near_of(record, centre, shift);
    if (one.distance <= radius) { near.push_back(one); }
}

/// Puts the answers from `begin` on in order.
template <std::size_t Dim>
void sort_near(std::vector<ObstacleNear<Dim>>& near, std::size_t begin) {
    std::sort(near.begin() + static_cast<std::ptrdiff_t>(begin), near.end(),
              [](const auto& a, const auto& b) {
                  return a.distance < b.distance || (a.distance == b.distance && a.id < b.id);
              });
}

/// Adds all obstacles within a ball, the nearest first.
template <std::size_t Dim>
void add_within(const View<Dim>& view, const Ball<Dim>& ball,
                std::vector<ObstacleNear<Dim>>& near) {
    const std::size_t begin = near.size();
    const auto ask = [&](const AroundPoint<Dim>& around, const auto& shift) {
        collect(
            around.allowed.limit_for(ball.radius),
            [&](const simd::SeekTest& test) { around.seek(ball.radius, test); },
            [&](std::uint32_t slot) {
                add_near(view.records[slot], around.point, ball.radius, near, shift);
            });
    };
    if (view.has_copies(ball)) {
        view.each_copy(extent_of(ball), near, &ObstacleNear<Dim>::distance,
                       [&](const Shift<Dim>& shift) {
                           ask(AroundPoint<Dim>(view, shift.moved(real(ball.centre))), shift);
                       });
    } else {
        ask(AroundPoint<Dim>(view, ball.centre), Unmoved{});
    }
    sort_near(near, begin);
}

/// Finds the obstacles within each of many balls, sixteen balls at a time.
template <std::size_t Dim>
class WithinOfMany {
public:
    explicit WithinOfMany(const View<Dim>& view) noexcept : view_(view), vicinity_(view) {
        bounds_.all = true;
    }

    /// Adds what each ball finds. Writes how many answers there are after each.
    void find(const Ball<Dim>* balls, std::size_t count, std::vector<ObstacleNear<Dim>>& near,
              std::uint64_t* ends) {
        for (std::size_t i = 0; i < count; i += kPacket) {
            const std::size_t n = std::min(count - i, kPacket);
            bool together = luck_.tries();
            if (together) {
                together = gather(balls + i, n);
                luck_.told(together);
            }
            for (std::size_t j = 0; j < n; ++j) {
                if (together && !view_.has_copies(balls[i + j])) {
                    add_candidates(balls[i + j], candidates_[j], near);
                } else {
                    add_within(view_, balls[i + j], near);
                }
                ends[i + j] = near.size();
            }
        }
    }

private:
    /// Finds the candidates of some balls; false if they are better asked about one by one.
    [[nodiscard]] bool gather(const Ball<Dim>* balls, std::size_t count) noexcept {
        Surrounding<Dim> all;
        float largest = 0.0f;
        for (std::size_t i = 0; i < kPacket; ++i) {
            const Ball<Dim>& ball = balls[i < count ? i : 0];
            all.add(ball.centre);
            for (std::size_t a = 0; a < Dim; ++a) {
                packet_.axis[a][i] = ball.centre[a];
            }
            bounds_.limit[i] = ball.radius;
            largest = std::max(largest, ball.radius);
        }
        const Allowance allowed = {(view_.size + all.size()) * kSlack};
        if (!vicinity_.gather(all.box, allowed.limit_for(largest))) { return false; }
        simd::bound_nearest(vicinity_.bodies, packet_, allowed.distance_for(0.0), bounds_);
        candidates_ = candidates_of(bounds_.may_win, vicinity_.bodies.count,
                                    static_cast<std::uint32_t>((1u << count) - 1u));
        return true;
    }

    void add_candidates(const Ball<Dim>& ball, std::uint64_t candidates,
                        std::vector<ObstacleNear<Dim>>& near) const {
        const std::size_t begin = near.size();
        const Real<Dim> centre = real(ball.centre);
        for (; candidates != 0; candidates &= candidates - 1) {
            const auto c = static_cast<std::uint32_t>(std::countr_zero(candidates));
            add_near(vicinity_.record_of(c), centre, ball.radius, near);
        }
        sort_near(near, begin);
    }

    const View<Dim>& view_;
    PacketLuck luck_;
    Vicinity<Dim> vicinity_;
    simd::PointPacket<Dim> packet_;
    simd::NearBounds bounds_;
    Candidates candidates_;
};

} // namespace
} // namespace obstacle

template <std::size_t Dim>
Found Obstacles<Dim>::query(const Ball<Dim>& ball, std::vector<ObstacleNear<Dim>>& near,
                            const Filter& filter) const {
    const AccessCheck::Reading reading(state_->access);
    if (const Status status = check_shape(ball); !status.ok()) { return {0, status}; }
    near.clear();
    if (state_->is_empty_for(filter)) { return {}; }
    obstacle::add_within(obstacle::view_of<Dim>(*state_, filter), ball, near);
    return {near.size(), {}};
}

template <std::size_t Dim>
Found Obstacles<Dim>::query(std::span<const Ball<Dim>> balls, ObstaclesWithin<Dim>& within,
                            Executor& executor, const Filter& filter) const {
    const ProfileScope profiled("Obstacles::query");
    const AccessCheck::Reading reading(state_->access);
    if (const Status status = first_fault(ShapesView<Dim>(balls)); !status.ok()) {
        return {0, status};
    }
    if (balls.empty() || state_->is_empty_for(filter)) {
        within.offsets.assign(balls.size() + 1, 0);
        return {};
    }
    const obstacle::View<Dim> view = obstacle::view_of<Dim>(*state_, filter);
    return obstacle::list_all<1024>(
        balls.size(), executor, 150.0, within.offsets, within.near, [&] {
            return [&, search = obstacle::WithinOfMany<Dim>(view)](std::size_t begin,
                                                                   std::size_t end, auto& near,
                                                                   std::uint64_t* ends) mutable {
                search.find(balls.data() + begin, end - begin, near, ends);
            };
        });
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Found Obstacles<Dim>::query(const Ball<Dim>&, std::vector<ObstacleNear<Dim>>&,        \
                                         const Filter&) const;                                     \
    template Found Obstacles<Dim>::query(std::span<const Ball<Dim>>, ObstaclesWithin<Dim>&,        \
                                         Executor&, const Filter&) const;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
