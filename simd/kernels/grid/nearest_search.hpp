// Finds the k nearest with a ball of a guessed radius, and a larger one where the ball holds too
// few agents. For *.kernel.cpp files only.
#pragma once

#include "../../isa/packed_lanes.hpp"
#include "../../search/query_packets.hpp"
#include "../../search/search_rows.hpp"
#include "nearest_conditions.hpp"
#include "nearest_select.hpp"
#include "nearest_together.hpp"

#include <type_traits>

namespace throng::simd {

/// Keeps the hits of a packet as candidates, one query after another: an output of search_near().
template <class Arch, class Ball>
struct NearCandidates {
    static constexpr bool kCountsOnly = false;
    Candidates<Arch> next; ///< where the next hit goes
    std::uint32_t* end;    ///< the end of the ids: only kSlack more are written from here on
    std::uint32_t* ends;   ///< how many candidates there are up to the end of each query
    std::uint32_t* ids;
    typename Ball::Distance distance = {};

    [[gnu::always_inline]] bool has_room_for(std::ptrdiff_t count) const noexcept {
        return end - next.ids >= count;
    }
    [[gnu::always_inline]] void begin_query(const Ball& ball) noexcept {
        distance = typename Ball::Distance(ball);
    }
    [[gnu::always_inline]] void take(const NodeArrays& row, std::uint32_t field, std::uint32_t i,
                                     std::uint32_t bits) noexcept {
        next.distances =
            compress_store<Arch>(next.distances, bits_of<Arch>(distance.to(row, i)), bits);
        next.ids = compress_store<Arch>(next.ids, words_at<Arch>(row, field, i), bits);
    }
    [[gnu::always_inline]] void finish_query() noexcept {
        *ends++ = static_cast<std::uint32_t>(next.ids - ids);
    }
};

/// Keeps the nearest of all hits of one query, however many: a sink of search_rows(). With
/// `skips_inside`, search_rows() passes the agents in the inner ball of a ConditionalBall to
/// copy(), which drops them.
template <class Arch, class Ball, bool skips_inside = false>
struct NearestSink {
    const Ball& ball;
    Candidates<Arch> all;
    std::uint32_t room, k;
    std::uint32_t count = 0;
    Words<Arch> bound = Words<Arch>(0x7FFF'FFFFu); ///< candidates beyond it are not wanted

    [[gnu::always_inline]] bool full() const noexcept { return false; }
    [[gnu::always_inline]] bool enough() const noexcept { return false; }
    [[gnu::always_inline]] static constexpr bool takes_ids() noexcept { return true; }
    [[gnu::always_inline]] static constexpr bool one_is_enough() noexcept { return false; }
    [[gnu::always_inline]] void look_at(std::uint32_t) noexcept {}
    [[gnu::always_inline]] void enter_row() noexcept {}

    [[gnu::always_inline]] static std::uint32_t copy(const std::uint32_t*,
                                                     std::uint32_t count) noexcept {
        return count;
    }
    [[gnu::always_inline]] void take(const NodeArrays& row, std::uint32_t id_field, std::uint32_t i,
                                     std::uint32_t bits) noexcept {
        if (room - count < kLanes<Arch>) [[unlikely]] { make_room(); }
        const Words<Arch> distance = bits_of<Arch>(ball.distance2(row, i));
        bits &= ~lane_bits<Arch>(less_small<Arch>(bound, distance));
        const std::uint32_t* const end =
            compress_store<Arch>(all.ids + count, words_at<Arch>(row, id_field, i), bits);
        compress_store<Arch>(all.distances + count, distance, bits);
        count = static_cast<std::uint32_t>(end - all.ids);
    }

private:
    void make_room() noexcept {
        count = keep_nearest<Arch>(all, count, k);
        std::uint32_t farthest = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            farthest = farthest < all.distances[i] ? all.distances[i] : farthest;
        }
        bound = Words<Arch>(farthest);
    }
};
template <class Arch, class Ball, bool skips_inside>
inline constexpr bool kCopies<NearestSink<Arch, Ball, skips_inside>> = skips_inside;

/// The size of a cell or a row on an axis.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline float cell_size(const GridView<Dim>& grid, std::size_t a) noexcept {
    return 1.0f / grid.inverse_cell[a];
}

/// About the square of the distance from a point to its k-th neighbour, from the number of agents
/// in the cells around it. Only a guess.
template <class Arch, std::size_t Dim>
[[gnu::noinline]] float guess_at(const GridView<Dim>& grid, const float (&centre)[Dim],
                                 std::uint32_t k) noexcept {
    // A window about as wide as it is high, twice as large each time, until it holds four agents.
    constexpr std::uint32_t kLargestReach = Dim == 2 ? 16 : 4;
    float height = cell_size<Arch>(grid, 1);
    if constexpr (Dim == 3) {
        const float depth = cell_size<Arch>(grid, 2);
        height = height < depth ? height : depth;
    }
    float square = 0.0f;
    for (std::uint32_t reach = 0; reach <= kLargestReach; reach = 2 * reach + (reach == 0)) {
        const float half = (static_cast<float>(reach) + 0.5f) * height;
        std::uint32_t low[Dim];
        std::uint32_t high[Dim];
        for (std::size_t a = 0; a < Dim; ++a) {
            low[a] = cell_of<Arch>(grid, a, centre[a] - half);
            high[a] = cell_of<Arch>(grid, a, centre[a] + half);
        }
        const std::uint32_t planes = Dim == 3 ? high[Dim - 1] - low[Dim - 1] + 1 : 1;
        const std::uint32_t first = low[1] + (Dim == 3 ? low[Dim - 1] * grid.cells[1] : 0);
        std::uint32_t found = 0;
        for (std::uint32_t plane = 0; plane < planes; ++plane) {
            for (std::uint32_t y = 0; y <= high[1] - low[1]; ++y) {
                const Row& row = grid.rows[first + plane * grid.cells[1] + y];
                if (row.words == nullptr) { continue; }
                const Span span = span_of<Arch>(row, low[0], high[0]);
                found += span.end - span.begin;
            }
        }
        // The area of the part of the window that holds k agents. In space the right power is 2/3;
        // 3/4 needs only square roots.
        square = 1.0f;
        for (std::size_t a = 0; a < 2; ++a) {
            square *= static_cast<float>(high[a] - low[a] + 1) * cell_size<Arch>(grid, a);
        }
        if (found >= 4) {
            const float share = static_cast<float>(k) / static_cast<float>(found);
            const float power =
                Dim == 2 ? share : __builtin_sqrtf(share) * __builtin_sqrtf(__builtin_sqrtf(share));
            return square * power * (Dim == 2 ? 0.318f : 0.385f);
        }
    }
    return square;
}

/// Answers queries of the same NearestAsk, one after another; `Ball` measures the distances.
template <Skips skips, class Arch, std::size_t Dim, class Ball = BallLanes<Arch, Dim>>
class NearestSearch {
    using Block = typename Ball::Block;
    static constexpr std::uint32_t kLane = kLanes<Arch>;
    static constexpr bool kMayGoTogether = 1 < kLane && std::is_same_v<Ball, BallLanes<Arch, Dim>>;

public:
    NearestSearch(const GridView<Dim>& grid, Block& balls, const KernelFilter& kernel_filter,
                  const NearestAsk& ask, const NearestOutput& out) noexcept
        : grid_(grid), balls_(balls), kernel_filter_(kernel_filter), ask_(ask),
          out_(out), all_{ask.candidates, ask.candidates + ask.room + kSlack} {
        margin_ = margin(2.2f);
        // If a packet is searched for together, a query that finds too few agents costs more, and a
        // larger ball costs less.
        together_margin_ = margin(3.5f);
    }

    void answer(std::size_t count, float& guess2, GoingApart& apart) noexcept {
        if (guess2 < 0.0f) { guess2 = capped(first_guess()); }
        bool may_go_together = kMayGoTogether && ask_.k <= kMostNearTogether<Arch> &&
                               ask_.room >= kMostTogether && count >= kLane &&
                               kernel_filter_.groups_of_each == nullptr && !apart.next();
        for (std::size_t q = 0; q < count;) {
            const std::size_t packet = count - q < kLane ? count - q : kLane;
            // Not together if most queries find fewer than k agents in the largest ball: then there
            // is little to choose from.
            const bool together = may_go_together && packet == kLane &&
                                  guess2 <= 0.75f * ask_.radius * ask_.radius &&
                                  answer_together(q, guess2, apart, may_go_together);
            const std::size_t answered = together ? packet : answer_packet(q, packet, guess2);
            learn(q, answered, guess2);
            q += answered;
        }
    }

    /// The same for queries with conditions, one by one.
    void answer_each(std::size_t count, float& guess2) noexcept {
        const ConditionalNear<Arch, Dim, Ball> wanted(*ask_.conditions);
        const float base = wanted.base();
        const float base2 = base * base;
        if (guess2 < 0.0f) {
            // The ball is to hold k agents more than the inner ball does. In the plane areas add
            // up; in space this thickness of the shell is right within 6 %.
            const float guess = first_guess();
            const float plain = __builtin_sqrtf(guess);
            const float around = base + plain * guess / (guess + 3.0f * base2);
            guess2 = capped(Dim == 2 ? base2 + guess : around * around);
        }
        for (std::size_t q = 0; q < count; ++q) {
            const float shell2 = guess2 < base2 ? 0.0f : guess2 - base2;
            const float guess = __builtin_sqrtf(base2 + shell2 * margin_);
            answer_alone(q, guess < ask_.radius ? guess : ask_.radius, wanted);
            learn(q, 1, guess2);
        }
    }

private:
    [[nodiscard]] float first_guess() const noexcept {
        float centre[Dim];
        for (std::size_t a = 0; a < Dim; ++a) {
            centre[a] = balls_.centre[a][0];
        }
        return guess_at<Arch>(grid_, centre, ask_.k);
    }
    /// With huge cells a guess may be infinite.
    [[nodiscard]] float capped(float guess) const noexcept {
        const float most = ask_.radius * ask_.radius;
        return guess < most ? guess : most;
    }

    /// The factor for a ball's squared radius. Without it the ball would hold k random agents on
    /// average, and so often fewer.
    [[nodiscard]] float margin(float factor) const noexcept {
        const float more = factor / __builtin_sqrtf(static_cast<float>(ask_.k));
        return 1.0f + (Dim == 2 ? more : more * (2.0f / 3.0f));
    }
    /// Gives the queries of a packet from q on their first radius.
    float begin_packet(std::size_t q, float radius2) noexcept {
        const float guess = __builtin_sqrtf(radius2);
        const float radius = guess < ask_.radius ? guess : ask_.radius;
        Floats<Arch>(radius).store_unaligned(balls_.radius + q);
        Floats<Arch>(radius * radius).store_unaligned(balls_.radius2 + q);
        return radius;
    }

    /// Answers a whole packet from q on, or returns false. Clears `again` where many agents are
    /// equally near: then the next packets take less time query by query.
    bool answer_together(std::size_t q, float guess2, GoingApart& apart, bool& again) noexcept {
        if constexpr (kMayGoTogether) {
            const float radius = begin_packet(q, guess2 * together_margin_);
            const auto window = TogetherWindow<Arch, Dim, 1>::template of<Ball>(grid_, balls_, q);
            NearAnswered answered;
            if (window.pays_for_nearest(grid_)) {
                answered = nearest_together<Arch>(grid_, balls_, q, window.all(), kernel_filter_,
                                                  ask_.k, all_, near(q), out_.counts + q);
            }
            again = answered.level <= kLane / 4;
            apart.went(answered.all && again);
            // With the largest radius, a query that found fewer than k has found all.
            for (std::uint32_t few = answered.few; few != 0 && radius < ask_.radius;
                 few &= few - 1) {
                const std::size_t i = q + static_cast<std::size_t>(__builtin_ctz(few));
                answer_alone(i, wider(radius, out_.counts[i]), AnyNear<Arch, Dim, Ball>());
            }
            return answered.all;
        }
        return false;
    }

    /// Returns how many queries of the packet it answered: at least one.
    std::size_t answer_packet(std::size_t q, std::size_t packet, float guess2) noexcept {
        const float radius = begin_packet(q, guess2 * margin_);
        const auto cells = PacketCells<Arch, Dim>::template of<Ball>(grid_, balls_, q, packet);
        const NearRows most = {cells.most_rows(1, packet),
                               Dim == 3 ? cells.most_rows(Dim - 1, packet) : 1};
        if (most.y > kNearRows || most.z > kNearRows || cells.most_cells(packet) > kNearCells) {
            for (std::size_t i = 0; i < packet; ++i) {
                answer_alone(q + i, radius, AnyNear<Arch, Dim, Ball>());
            }
            return packet;
        }
        std::uint32_t ends[kLane + 1] = {};
        NearCandidates<Arch, Ball> output = {all_, all_.ids + ask_.room, ends + 1, all_.ids};
        const std::size_t fitted = search_near<skips, Arch, Ball>(grid_, balls_, q, packet, cells,
                                                                  most, kernel_filter_, output);
        // The last query first: selection may overwrite what lies behind its candidates.
        std::uint32_t lacking = 0;
        for (std::size_t i = fitted; i-- > 0;) {
            const std::uint32_t n = ends[i + 1] - ends[i];
            if (n < ask_.k && radius < ask_.radius) [[unlikely]] {
                lacking |= 1u << i;
                continue;
            }
            write_answer<Arch>(all_.from(ends[i]), n, ask_.k, near(q + i), out_.counts[q + i]);
        }
        for (; lacking != 0; lacking &= lacking - 1) {
            const auto i = static_cast<std::size_t>(__builtin_ctz(lacking));
            answer_alone(q + i, wider(radius, ends[i + 1] - ends[i]), AnyNear<Arch, Dim, Ball>());
        }
        if (fitted < packet) {
            answer_alone(q + fitted, radius, AnyNear<Arch, Dim, Ball>());
            return fitted + 1;
        }
        return packet;
    }

    /// Answers one query: begins with this radius, and widens it until it is large enough.
    template <class WantedNear>
    [[gnu::noinline]] void answer_alone(std::size_t q, float radius,
                                        const WantedNear& wanted) noexcept {
        // Squared distances to the world and to its farthest corner. In a window, the world here is
        // from the origin of the whole grid to the end of the window, which is enough for a start.
        float near2 = 0.0f;
        float far2 = 0.0f;
        for (std::size_t a = 0; a < Dim; ++a) {
            const float before = grid_.origin[a] - balls_.centre[a][q];
            const float past = before + cell_size<Arch>(grid_, a) * (grid_.last_cell[a] + 1.0f);
            const float nearest = before > 0.0f ? before : past < 0.0f ? -past : 0.0f;
            const float farthest = -before > past ? -before : past;
            near2 += nearest * nearest;
            far2 += farthest * farthest;
        }
        // Outside the world the radius grows from the world's border on, and around an inner ball
        // from its radius on.
        const float border = __builtin_sqrtf(near2);
        const float outside = border < wanted.base() ? wanted.base() : border;
        radius = radius < wanted.base() ? 0.0f : radius - wanted.base();
        const float least = 0.5f * cell_size<Arch>(grid_, 0);
        float step = least < radius ? radius : least;
        const float far_step = outside * 0x1p-12f;
        step = step < far_step ? far_step : step;
        float reach = outside > 0.0f ? outside + step : radius;
        for (;;) {
            if (!(reach < ask_.radius) || reach * reach >= far2) { reach = ask_.radius; }
            // Stored in a whole vector: the lanes after q are computed, too.
            Floats<Arch>(reach).store_unaligned(balls_.radius + q);
            Floats<Arch>(reach * reach).store_unaligned(balls_.radius2 + q);
            const auto cells = PacketCells<Arch, Dim>::template of<Ball>(grid_, balls_, q, 1);
            CellBox<Dim> box = cells.box(0);
            wanted.cut(balls_, q, grid_, box);
            const auto ball = wanted.ball(grid_, balls_, q);
            NearestSink<Arch, Ball, WantedNear::kSkipsInside> sink = {ball, all_, ask_.room,
                                                                      ask_.k};
            QueryCursor cursor;
            search_rows<skips, Arch>(grid_, ball, box, filter_of_query<Arch>(kernel_filter_, q),
                                     sink, cursor);
            if (sink.count >= ask_.k || reach == ask_.radius) {
                write_one_answer<Arch>(all_, sink.count, ask_.k, near(q), out_.counts[q]);
                return;
            }
            step = wider(step, sink.count);
            step = step < least ? least : step;
            reach = outside + step;
        }
    }

    /// The next radius for a ball that holds too few agents.
    [[nodiscard]] float wider(float radius, std::uint32_t found) const noexcept {
        const float scale = 1.5f * static_cast<float>(ask_.k + 1) / static_cast<float>(found + 1);
        return radius * (scale < 2.0f ? 1.414f : scale < 16.0f ? __builtin_sqrtf(scale) : 4.0f);
    }

    /// The guess follows the answers, but not the outliers.
    void learn(std::size_t q, std::size_t count, float& guess2) noexcept {
        const float radius2 = ask_.radius * ask_.radius;
        const float least = 0.0625f * cell_size<Arch>(grid_, 0) * cell_size<Arch>(grid_, 0);
        const float most = 4.0f * (guess2 < least ? least : guess2);
        float sum = 0.0f;
        for (std::size_t i = 0; i < count; ++i) {
            float last;
            __builtin_memcpy(&last, near(q + i) + kNearBytes * (ask_.k - 1), sizeof last);
            last = last < radius2 ? last : radius2;
            sum += last < most ? last : most;
        }
        const auto asked = static_cast<float>(count);
        guess2 += (sum / asked - guess2) * (asked / (asked + 8.0f));
    }

    [[nodiscard]] unsigned char* near(std::size_t q) const noexcept {
        return out_.near + q * ask_.k * kNearBytes;
    }

    const GridView<Dim>& grid_;
    Block& balls_;
    const KernelFilter& kernel_filter_;
    const NearestAsk& ask_;
    const NearestOutput& out_;
    const Candidates<Arch> all_;
    float margin_, together_margin_;
};

} // namespace throng::simd
