// The spatial hash of many games: the cells of a world without borders, in a table of fixed size
// that a counting sort fills anew every frame.
#include "../contenders.hpp"
#include "plain_nearest.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace throng::shootout {

namespace {

/// Cells are as wide as the widest agent, so all agents that overlap an agent are in its cell or in
/// cells beside it; or wide enough for one agent on average, but at most twice as wide as the
/// widest, since most of the world may be empty. Cells of one row have consecutive buckets, so a
/// row is one run of agents; where a row begins is hashed. Rows may share buckets, so each hit is
/// asked for its cell.
template <std::size_t Dim>
class PlainHash final : public Subject<Dim> {
public:
    void update(const Walkers<Dim>& walkers) override {
        if (agents_.empty()) { lay_out(walkers); }
        std::fill(start_.begin(), start_.end(), 0u);
        for (std::size_t i = 0; i < walkers.size(); ++i) {
            bucket_of_[i] = bucket_of(cell_of(walkers.position_of(i)));
            ++start_[bucket_of_[i]];
        }
        // The end of each bucket; filling backwards moves it to the beginning.
        std::partial_sum(start_.begin(), start_.end(), start_.begin());
        for (std::size_t i = walkers.size(); i-- > 0;) {
            agents_[--start_[bucket_of_[i]]] = {walkers.position_of(i), walkers.half_of(i),
                                                static_cast<Id>(i)};
        }
    }

    [[nodiscard]] bool offers(Skill skill, Way way) const noexcept override {
        return way == Way::single && skill != Skill::segments;
    }

    void pairs(PairTally& tally) const override {
        PairBuffer buffer(tally);
        for (std::uint32_t i = 0; i < agents_.size(); ++i) {
            const Agent& agent = agents_[i];
            const auto hits = overlap(Box<Dim>::around(agent.position, agent.half));
            const auto meet = [&](const Agent& other) { buffer.add(agent.id, other.id); };
            // Of two neighbouring cells, the first one searches the other.
            const Cell cell = cell_of(agent.position);
            visit_run(cell, 2, i + 1, hits, meet);
            for (std::int32_t z = 0; z <= (Dim == 3 ? 1 : 0); ++z) {
                for (std::int32_t y = z == 0 ? 1 : -1; y <= 1; ++y) {
                    Cell first = cell;
                    first[Dim - 1] += z;
                    first[1] += y;
                    first[0] -= 1;
                    visit_run(first, 3, 0, hits, meet);
                }
            }
        }
    }

    void ask(std::span<const Box<Dim>> boxes, Way, Answers& answers) override {
        Id* const out = answers.room().data();
        for (const Box<Dim>& box : boxes) {
            std::size_t found = 0;
            const Box<Dim> wider{shifted(box.lo, -reach_), shifted(box.hi, reach_)};
            visit(wider, overlap(box), [&](const Agent& agent) { out[found++] = agent.id; });
            answers.take(found);
        }
    }

    void ask(std::span<const Ball<Dim>> balls, Way, Answers& answers) override {
        Id* const out = answers.room().data();
        for (const Ball<Dim>& ball : balls) {
            std::size_t found = 0;
            visit(
                Box<Dim>::around(ball.centre, Point<Dim>::all(ball.radius)),
                [&](const Agent& agent) { return contains(ball, agent.position); },
                [&](const Agent& agent) { out[found++] = agent.id; });
            answers.take(found);
        }
    }

    /// Searches larger and larger balls until one has enough agents, or has been everywhere.
    void ask(std::span<const Point<Dim>> points, Way, Answers& answers) override {
        NearestSoFar near;
        for (const Point<Dim>& point : points) {
            for (float radius = 1.5f / inverse_;; radius *= 1.5f) {
                const Box<Dim> box = Box<Dim>::around(point, Point<Dim>::all(radius));
                const bool everywhere = has_many_cells(box);
                everywhere ? near.begin() : near.begin(radius * radius);
                visit(
                    box,
                    [&](const Agent& agent) {
                        return distance2_between(point, agent.position) < near.limit2();
                    },
                    [&](const Agent& agent) {
                        near.offer(distance2_between(point, agent.position), agent.id);
                    });
                if (near.full() || everywhere) { break; }
            }
            near.answer(answers);
        }
    }

private:
    using Cell = std::array<std::int32_t, Dim>;
    struct Agent {
        Point<Dim> position, half;
        Id id;
    };

    void lay_out(const Walkers<Dim>& walkers) {
        // Slightly more, because touching counts and positions are rounded.
        reach_ = walkers.largest_half() * 1.001f;
        const float widest = 2.0f * reach_;
        inverse_ = 1.0f / std::clamp(room_of_one(walkers), widest, 2.0f * widest);
        buckets_ = static_cast<std::uint32_t>(std::bit_ceil(walkers.size()));
        shift_ = 32 - std::countr_zero(buckets_);
        start_.resize(buckets_ + 1);
        bucket_of_.resize(walkers.size());
        agents_.resize(walkers.size());
    }

    /// The side of the cube that each agent would have in an even crowd.
    [[nodiscard]] static float room_of_one(const Walkers<Dim>& walkers) noexcept {
        const Box<Dim>& world = walkers.world();
        double volume = 1.0;
        for (std::size_t a = 0; a < Dim; ++a) {
            volume *= static_cast<double>(world.hi[a] - world.lo[a]);
        }
        return static_cast<float>(
            std::pow(volume / static_cast<double>(walkers.size()), 1.0 / static_cast<double>(Dim)));
    }

    [[nodiscard]] static Point<Dim> shifted(Point<Dim> point, float by) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            point[a] += by;
        }
        return point;
    }

    [[nodiscard]] Cell cell_of(const Point<Dim>& point) const noexcept {
        Cell cell;
        for (std::size_t a = 0; a < Dim; ++a) {
            // Rounds down. std::floor is a call where there is no SSE4.1.
            const float x = point[a] * inverse_;
            const auto towards_zero = static_cast<std::int32_t>(x);
            cell[a] = towards_zero - (static_cast<float>(towards_zero) > x ? 1 : 0);
        }
        return cell;
    }
    /// Multiples of the golden ratio spread consecutive rows evenly, whatever the table's size; in
    /// space, those of the plastic ratio's inverse and of its square do.
    [[nodiscard]] std::uint32_t bucket_of(const Cell& cell) const noexcept {
        std::uint32_t row = 0;
        if constexpr (Dim == 2) {
            row = static_cast<std::uint32_t>(cell[1]) * 0x9E37'79B9u;
        } else {
            row = static_cast<std::uint32_t>(cell[1]) * 0xC13F'A9A9u +
                  static_cast<std::uint32_t>(cell[2]) * 0x91E1'0DA5u;
        }
        return ((row >> shift_) + static_cast<std::uint32_t>(cell[0])) & (buckets_ - 1);
    }

    /// overlaps() without a branch: in cells around a box, no axis alone can be guessed. Pairs in
    /// space take 90 ns an agent instead of 150.
    [[nodiscard]] static auto overlap(const Box<Dim>& box) noexcept {
        return [box](const Agent& agent) {
            const Box<Dim> other = Box<Dim>::around(agent.position, agent.half);
            unsigned hit = 1;
            for (std::size_t a = 0; a < Dim; ++a) {
                hit &= static_cast<unsigned>(other.lo[a] <= box.hi[a]) &
                       static_cast<unsigned>(box.lo[a] <= other.hi[a]);
            }
            return hit != 0;
        };
    }

    /// Whether the table has no more buckets than the box has cells.
    [[nodiscard]] bool has_many_cells(const Box<Dim>& box) const noexcept {
        double cells = 1.0;
        for (std::size_t a = 0; a < Dim; ++a) {
            cells *= static_cast<double>((box.hi[a] - box.lo[a]) * inverse_) + 2.0;
        }
        return cells > static_cast<double>(buckets_);
    }

    /// Passes on all agents that pass the test, and whose centres may be in the box. Tests come
    /// first: most agents fail them, and few remain to be asked for their cells.
    template <class Test, class Take>
    void visit(const Box<Dim>& box, const Test& test, const Take& take) const {
        if (has_many_cells(box)) {
            for (const Agent& agent : agents_) {
                if (test(agent)) { take(agent); }
            }
            return;
        }
        const Cell lo = cell_of(box.lo);
        const Cell hi = cell_of(box.hi);
        for (std::int32_t z = lo[Dim - 1]; z <= (Dim == 3 ? hi[Dim - 1] : lo[Dim - 1]); ++z) {
            for (std::int32_t y = lo[1]; y <= hi[1]; ++y) {
                Cell first = lo;
                first[Dim - 1] = z;
                first[1] = y;
                visit_run(first, static_cast<std::uint32_t>(hi[0] - lo[0]) + 1, 0, test, take);
            }
        }
    }

    /// The same for `count` cells of a row, leaving out agents before `from`.
    template <class Test, class Take>
    void visit_run(const Cell& first, std::uint32_t count, std::uint32_t from, const Test& test,
                   const Take& take) const {
        const auto look_at = [&](std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t i = begin; i < end; ++i) {
                if (test(agents_[i]) && is_in(agents_[i], first, count)) { take(agents_[i]); }
            }
        };
        const std::uint32_t bucket = bucket_of(first);
        look_at(std::max(start_[bucket], from), start_[std::min(bucket + count, buckets_)]);
        if (bucket + count > buckets_) { look_at(0, start_[bucket + count - buckets_]); }
    }
    [[nodiscard]] bool is_in(const Agent& agent, const Cell& first,
                             std::uint32_t count) const noexcept {
        const Cell cell = cell_of(agent.position);
        return static_cast<std::uint32_t>(cell[0] - first[0]) < count &&
               std::equal(cell.begin() + 1, cell.end(), first.begin() + 1);
    }

    float inverse_ = 1.0f, reach_ = 0.0f;
    std::uint32_t buckets_ = 1;
    int shift_ = 0;
    std::vector<std::uint32_t> start_, bucket_of_;
    std::vector<Agent> agents_; // by bucket
};

} // namespace

std::vector<Entry> plain_hash() {
    Entry entry{Kind::plain,
                "plain_hash",
                "",
                "",
                [](const Crew&) { return std::make_unique<PlainHash<2>>(); },
                [](const Crew&) { return std::make_unique<PlainHash<3>>(); }};
    entry.sweeps = true;
    return {entry};
}

} // namespace throng::shootout
