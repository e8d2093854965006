#include "in_sight.hpp"

#include "../../engine/core/access_check.hpp"
#include "../../engine/core/profile_scope.hpp"
#include "../../engine/core/threads.hpp"
#include "../../engine/crowd/store/content.hpp"
#include "../../engine/crowd/store/static_numbers.hpp"
#include "../../engine/grid/grid_parts.hpp"
#include "../../engine/memory/checked_loop.hpp"
#include "../../engine/obstacles/calls/looks.hpp"
#include "../batch/offsets.hpp"
#include "around_borders.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace throng {

namespace {

/// The number of lists from which one block removes the hidden agents.
constexpr std::size_t kLists = 128;

template <std::size_t Dim>
void widen(Box<Dim>& box, const Box<Dim>& other) noexcept {
    for (std::size_t a = 0; a < Dim; ++a) {
        box.lo[a] = std::min(box.lo[a], other.lo[a]);
        box.hi[a] = std::max(box.hi[a], other.hi[a]);
    }
}

/// Whether a box is no more than twice as long as `sides` on each axis.
template <std::size_t Dim>
bool is_within_twice(const Box<Dim>& box, const Point<Dim>& sides) noexcept {
    bool within = true;
    for (std::size_t a = 0; a < Dim; ++a) {
        within = within && box.hi[a] - box.lo[a] <= 2.0f * sides[a];
    }
    return within;
}

template <std::size_t Dim>
void widen(Point<Dim>& sides, const Box<Dim>& box) noexcept {
    for (std::size_t a = 0; a < Dim; ++a) {
        sides[a] = std::max(sides[a], box.hi[a] - box.lo[a]);
    }
}

} // namespace

template <std::size_t Dim>
struct InSight<Dim>::State {
    /// The obstacles that hide agents from each other.
    struct Blinds {
        const Obstacles<Dim>& obstacles;
        const Filter& looks;
        const std::optional<AroundBorders<Dim>> around; ///< in periodic worlds

        Blinds(const Asked<Dim>& asked, const Obstacles<Dim>& given, const Filter& filter) noexcept
            : obstacles(given), looks(filter),
              around(asked.crowd != nullptr && asked.crowd->wraps()
                         ? std::optional<AroundBorders<Dim>>(*asked.crowd)
                         : std::nullopt) {}

        /// Whether looks within these bounds may cross a border, or meet copies of obstacles.
        [[nodiscard]] bool cross(const Looks<Dim>& among, const Box<Dim>& bounds) const noexcept {
            return around && (!around->are_together(bounds) || among.meet_copies(bounds));
        }
    };

    /// Scratch of one block.
    struct Scratch {
        typename Looks<Dim>::Scratch looks;
        std::vector<Point<Dim>> found; ///< the positions of all agents in the block's lists
        std::vector<Box<Dim>> bounds;  ///< around each list's agents and its asker
        std::vector<std::uint8_t> hidden;
        // The agents of a slice.
        std::vector<Id> ids;
        std::vector<Point<Dim>> positions;

        [[nodiscard]] std::size_t memory() const noexcept {
            return looks.memory() + found.capacity() * sizeof(Point<Dim>) +
                   bounds.capacity() * sizeof(Box<Dim>) + hidden.capacity() +
                   ids.capacity() * sizeof(Id) + positions.capacity() * sizeof(Point<Dim>);
        }
    };
    /// Scratch that a block has for as long as it runs.
    class Lent {
    public:
        explicit Lent(State& state) : state_(state), scratch_(state.lend()) {}
        Lent(const Lent&) = delete;
        Lent& operator=(const Lent&) = delete;
        ~Lent() {
            const std::lock_guard lock(state_.lending);
            state_.idle.push_back(std::move(scratch_)); // lend() has made room
        }
        Scratch& operator*() const noexcept { return *scratch_; }

    private:
        State& state_;
        std::unique_ptr<Scratch> scratch_;
    };

    Executor* executor;
    Batch<Dim> batch;
    Hits all;                           ///< the batch's lists; hidden agents are removed in place
    std::vector<std::uint32_t> lengths; ///< of each list, without hidden agents
    // The positions of the agents, by their names, and the order in which they ask.
    Content content;
    bool noted = false;
    std::vector<Point<Dim>> places, static_places;
    StaticNumbers static_numbers;
    std::vector<Id> order;
    Offsets sums;
    LoopClaims claims;
    Mutex lending;
    std::vector<std::unique_ptr<Scratch>> idle;
    std::size_t lent_ever = 0;
    THRONG_NO_UNIQUE_ADDRESS AccessCheck serving;

    explicit State(Executor& borrowed) : executor(&borrowed), batch(borrowed) {}

    /// Held through a call.
    struct Serving {
        ProfileScope profiled;
        THRONG_NO_UNIQUE_ADDRESS AccessCheck::Serving serving;
        Serving(const char* name, State& state) noexcept : profiled(name), serving(state.serving) {}
    };
    void expect_idle() noexcept { const AccessCheck::Serving going(serving); }

    std::unique_ptr<Scratch> lend() {
        const std::lock_guard lock(lending);
        if (idle.empty()) {
            idle.reserve(lent_ever + 1);
            auto scratch = std::make_unique<Scratch>();
            ++lent_ever;
            return scratch;
        }
        std::unique_ptr<Scratch> scratch = std::move(idle.back());
        idle.pop_back();
        return scratch;
    }

    [[nodiscard]] const Point<Dim>& place_of(Id id) const noexcept {
        return is_static(id) ? static_places[static_numbers(id)] : places[id];
    }

    /// Notes where all agents of a grid are, by their names.
    Status note(const NamedGrid<Dim>& named, bool of_statics) {
        const RowGrid<Dim>& grid = *named.grid;
        std::vector<Point<Dim>>& to = of_statics ? static_places : places;
        const auto put = [&](std::size_t slice) {
            const Lent lent(*this);
            Scratch& mine = *lent;
            const std::size_t count = grid.parts().agents_in(slice, slice + 1);
            mine.ids.resize(count);
            mine.positions.resize(count);
            (void)grid.parts().order(slice, slice + 1, mine.ids);
            (void)grid.parts().positions(slice, slice + 1, mine.positions);
            for (std::size_t i = 0; i < count; ++i) {
                const Id name = named.name_of(mine.ids[i]);
                to[of_statics ? static_numbers(name) : name] = mine.positions[i];
            }
        };
        return run_blocks(*executor, grid.parts().slices(), put, claims,
                          LoopCost::of(grid.size(), 3.0));
    }
    Status note(const Asked<Dim>& asked) {
        const Content wanted =
            asked.crowd != nullptr ? Content(*asked.crowd) : Content(*asked.grid);
        if (noted && wanted == content) { return {}; }
        noted = false;
        Status status;
        if (asked.crowd != nullptr) {
            const Crowd<Dim>& crowd = *asked.crowd;
            places.resize(crowd.id_bound());
            static_places.resize(crowd.size(Sets::statics));
            static_numbers.renew(*detail::state_of(crowd).statics);
            order.resize(crowd.size());
            (void)crowd.order(order);
            const std::array<NamedGrid<Dim>, 3> grids = crowd.grids();
            for (std::size_t g = 0; g < grids.size() && status.ok(); ++g) {
                status = note(grids[g], g == 2);
            }
        } else {
            places.resize(asked.grid->id_bound());
            order.resize(asked.grid->size());
            (void)asked.grid->order(order);
            status = note(NamedGrid<Dim>(*asked.grid), false);
        }
        noted = status.ok();
        content = wanted;
        return status;
    }

    /// Removes hidden agents from lists first ... past - 1; origin(k) is where list k looks from.
    template <class Origin>
    void cut_block(const Blinds& blinds, std::size_t first, std::size_t past, const Origin& origin,
                   Scratch& mine) {
        const std::uint64_t begin = all.offsets[first];
        const std::span<Id> ids(all.ids.data() + begin, all.offsets[past] - begin);
        constexpr std::size_t kAhead = 16; // positions are stored by id, so they lie scattered
        mine.found.resize(ids.size());
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (i + kAhead < ids.size()) { __builtin_prefetch(&place_of(ids[i + kAhead])); }
            mine.found[i] = place_of(ids[i]);
        }
        mine.bounds.resize(past - first);
        const auto place_of_look = [&](std::size_t k) -> Point<Dim> {
            return blinds.around ? blinds.around->kept(origin(k)) : origin(k);
        };
        for (std::size_t k = first; k < past; ++k) {
            const Point<Dim> from = place_of_look(k);
            Box<Dim> bounds = {from, from};
            const auto list =
                std::span(mine.found)
                    .subspan(all.offsets[k] - begin, all.offsets[k + 1] - all.offsets[k]);
            for (const Point<Dim>& to : list) {
                widen(bounds, {to, to});
            }
            mine.bounds[k - first] = bounds;
        }
        Looks<Dim> looks(detail::state_of(blinds.obstacles), blinds.looks, mine.looks);
        const auto crosses = [&](std::size_t k) {
            return blinds.cross(looks, mine.bounds[k - first]);
        };
        for (std::size_t k = first; k < past;) {
            if (crosses(k)) {
                const Point<Dim> from = place_of_look(k);
                std::uint64_t seen = all.offsets[k] - begin;
                for (std::uint64_t i = seen; i < all.offsets[k + 1] - begin; ++i) {
                    ids[seen] = ids[i];
                    seen += blinds.around->hide(looks, from, mine.found[i]) ? 0 : 1;
                }
                lengths[k] = static_cast<std::uint32_t>(seen - (all.offsets[k] - begin));
                ++k;
                continue;
            }
            // Lists that are near each other share a search for obstacles.
            Box<Dim> together = mine.bounds[k - first];
            Point<Dim> sides{};
            widen(sides, together);
            std::size_t end = k + 1;
            for (; end < past && !crosses(end); ++end) {
                Box<Dim> more = together;
                widen(more, mine.bounds[end - first]);
                widen(sides, mine.bounds[end - first]);
                if (!is_within_twice(more, sides)) { break; }
                together = more;
            }
            looks.begin(together, end - k, all.offsets[end] - all.offsets[k]);
            for (; k < end; ++k) {
                const std::uint64_t from = all.offsets[k] - begin;
                const std::uint64_t length = all.offsets[k + 1] - begin - from;
                lengths[k] = static_cast<std::uint32_t>(length);
                if (length == 0 || looks.clear()) { continue; }
                looks.hide(place_of_look(k), std::span(mine.found).subspan(from, length),
                           mine.bounds[k - first], mine.hidden);
                std::uint64_t seen = from;
                for (std::uint64_t i = 0; i < length; ++i) {
                    ids[seen] = ids[from + i]; // without a branch: overwritten if it is hidden
                    seen += mine.hidden[i] == 0 ? 1 : 0;
                }
                lengths[k] = static_cast<std::uint32_t>(seen - from);
            }
        }
    }
    template <class Origin>
    Status cut(const Blinds& blinds, const Origin& origin) {
        const AccessCheck::Reading reading(detail::state_of(blinds.obstacles).access);
        const std::size_t lists = all.offsets.size() - 1;
        lengths.resize(lists);
        const auto work = [&](std::size_t block) {
            const Lent lent(*this);
            const std::size_t first = block * kLists;
            cut_block(blinds, first, std::min(first + kLists, lists), origin, *lent);
        };
        return run_blocks(*executor, (lists + kLists - 1) / kLists, work, claims,
                          LoopCost::of(all.total() + lists, 10.0));
    }

    /// Lists all agents' neighbours in storage order, and removes the hidden ones.
    Status cut_neighbours(const Asked<Dim>& asked, const Blinds& blinds,
                          const Neighbourhood& neighbourhood) {
        Status status = batch.neighbours(asked, neighbourhood, all);
        if (status.ok()) { status = note(asked); }
        if (!status.ok()) { return status; }
        return cut(blinds, [&](std::size_t k) { return places[order[k]]; });
    }
    /// Lists the answers to questions, and removes hidden agents.
    Status cut_seen(const Asked<Dim>& asked, const Blinds& blinds, const ShapesView<Dim>& shapes,
                    const Filters& filters) {
        if (const Status status = check_kind(shapes); !status.ok()) { return status; }
        if (shapes.kind != ShapeKind::ball && shapes.kind != ShapeKind::sector) {
            return {Cause::out_of_range, Argument::shapes};
        }
        Status status = batch.query(asked, shapes, all, filters);
        if (status.ok()) { status = note(asked); }
        if (!status.ok()) { return status; }
        if (shapes.kind == ShapeKind::ball) {
            const auto balls = shapes.template as<Ball<Dim>>();
            return cut(blinds, [&](std::size_t k) { return balls[k].centre; });
        }
        const auto sectors = shapes.template as<Sector<Dim>>();
        return cut(blinds, [&](std::size_t k) { return sectors[k].centre; });
    }

    /// Refuses obstacles in another world than the crowd's.
    [[nodiscard]] static Status refusal_of(const Asked<Dim>& asked,
                                           const Obstacles<Dim>& obstacles) noexcept {
        const WorldWrap<Dim> plain;
        const auto& world = asked.crowd != nullptr ? detail::state_of(*asked.crowd).world : plain;
        return detail::state_of(obstacles).around.world.wraps_alike(world)
                   ? Status{}
                   : Status{Cause::wraps, Argument::period};
    }
    /// The index of the answer of list k.
    [[nodiscard]] std::size_t answer_of(std::size_t k, bool by_id) const noexcept {
        return by_id ? order[k] : k;
    }

    /// Copies the lists to `hits`, after hidden agents were removed.
    Status copy(std::size_t answers, bool by_id, Hits& hits) {
        hits.offsets.resize(answers + 1);
        std::fill(hits.offsets.begin(), hits.offsets.end(), std::uint64_t{0});
        for (std::size_t k = 0; k < lengths.size(); ++k) {
            hits.offsets[answer_of(k, by_id) + 1] = lengths[k];
        }
        if (const Status status = sums.add_up(*executor, hits.offsets); !status.ok()) {
            return status;
        }
        const std::uint64_t total = hits.total();
        if (hits.ids.size() < total) {
            // A little more, so that totals that vary from frame to frame do not reallocate.
            hits.ids.resize(length_of(total + total / 16));
        }
        const auto work = [&](std::size_t block) {
            const std::size_t past = std::min((block + 1) * kLists, lengths.size());
            for (std::size_t k = block * kLists; k < past; ++k) {
                std::copy_n(all.ids.data() + all.offsets[k], lengths[k],
                            hits.ids.data() + hits.offsets[answer_of(k, by_id)]);
            }
        };
        return run_blocks(*executor, (lengths.size() + kLists - 1) / kLists, work, claims,
                          LoopCost::of(total, 0.5));
    }

    /// Calls make(), which makes the lists without hidden agents, and copies these to `hits`.
    template <class Make>
    Found list(const char* name, const Asked<Dim>& asked, const Obstacles<Dim>& obstacles,
               std::size_t answers, bool by_id, Hits& hits, const Make& make) {
        const Serving alone(name, *this);
        Hits filling;
        std::swap(filling, hits); // leaves `hits` empty in case anything fails
        Status status = refusal_of(asked, obstacles);
        if (status.ok()) { status = make(); }
        if (status.ok()) { status = copy(answers, by_id, filling); }
        if (!status.ok()) { filling.offsets.clear(); }
        std::swap(filling, hits);
        return Found::of(hits.total(), status);
    }
    template <class Make>
    Found tally(const char* name, const Asked<Dim>& asked, const Obstacles<Dim>& obstacles,
                std::size_t answers, bool by_id, std::span<std::uint32_t> counts,
                const Make& make) {
        const Serving alone(name, *this);
        Status status = refusal_of(asked, obstacles);
        if (status.ok() && counts.size() < answers) { status = {Cause::no_room, Argument::counts}; }
        if (status.ok()) { status = make(); }
        if (!status.ok()) { return {0, status}; }
        std::fill_n(counts.begin(), answers, 0u); // ids that no agent has keep 0
        for (std::size_t k = 0; k < lengths.size(); ++k) {
            counts[answer_of(k, by_id)] = lengths[k];
        }
        return Found::of(std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0}));
    }

    [[nodiscard]] std::size_t memory() const noexcept {
        std::size_t bytes = batch.memory() + all.offsets.capacity() * sizeof(std::uint64_t) +
                            all.ids.capacity() * sizeof(Id) +
                            lengths.capacity() * sizeof(std::uint32_t) +
                            (places.capacity() + static_places.capacity()) * sizeof(Point<Dim>) +
                            static_numbers.memory() + order.capacity() * sizeof(Id) +
                            sums.memory() + claims.memory();
        for (const std::unique_ptr<Scratch>& scratch : idle) {
            bytes += sizeof(Scratch) + scratch->memory();
        }
        return bytes;
    }
    void release() noexcept {
        batch.release();
        all = Hits();
        noted = false;
        std::vector<std::uint32_t>().swap(lengths);
        std::vector<Point<Dim>>().swap(places);
        std::vector<Point<Dim>>().swap(static_places);
        static_numbers = StaticNumbers();
        std::vector<Id>().swap(order);
        sums = Offsets();
        claims = LoopClaims();
        std::vector<std::unique_ptr<Scratch>>().swap(idle);
        lent_ever = 0;
    }
};

template <std::size_t Dim>
InSight<Dim>::InSight(Executor& executor) : state_(detail::make_state<State>(executor)) {}

template <std::size_t Dim>
Found InSight<Dim>::neighbours(const Asked<Dim>& all, const Obstacles<Dim>& obstacles,
                               const Neighbourhood& neighbourhood, Hits& hits, Order order,
                               const Filter& looks) {
    return state_->list(
        "InSight::neighbours", all, obstacles, Batch<Dim>::answers(all, order), order == Order::ids,
        hits, [&] {
            return state_->cut_neighbours(all, {all, obstacles, looks}, neighbourhood);
        });
}
template <std::size_t Dim>
Found InSight<Dim>::count_neighbours(const Asked<Dim>& all, const Obstacles<Dim>& obstacles,
                                     const Neighbourhood& neighbourhood,
                                     std::span<std::uint32_t> counts, Order order,
                                     const Filter& looks) {
    return state_->tally(
        "InSight::count_neighbours", all, obstacles, Batch<Dim>::answers(all, order),
        order == Order::ids, counts, [&] {
            return state_->cut_neighbours(all, {all, obstacles, looks}, neighbourhood);
        });
}
template <std::size_t Dim>
Found InSight<Dim>::query(const Asked<Dim>& asked, const Obstacles<Dim>& obstacles,
                          const ShapesView<Dim>& shapes, Hits& hits, const Filters& filters,
                          const Filter& looks) {
    return state_->list("InSight::query", asked, obstacles, shapes.count, false, hits, [&] {
        return state_->cut_seen(asked, {asked, obstacles, looks}, shapes, filters);
    });
}
template <std::size_t Dim>
Found InSight<Dim>::count(const Asked<Dim>& asked, const Obstacles<Dim>& obstacles,
                          const ShapesView<Dim>& shapes, std::span<std::uint32_t> counts,
                          const Filters& filters, const Filter& looks) {
    return state_->tally("InSight::count", asked, obstacles, shapes.count, false, counts, [&] {
        return state_->cut_seen(asked, {asked, obstacles, looks}, shapes, filters);
    });
}

template <std::size_t Dim>
std::size_t InSight<Dim>::memory() const noexcept {
    const AccessCheck::Serving serving(state_->serving);
    return state_->memory();
}
template <std::size_t Dim>
void InSight<Dim>::release() noexcept {
    const AccessCheck::Serving serving(state_->serving);
    state_->release();
}

template class InSight<2>;
template class InSight<3>;

} // namespace throng
