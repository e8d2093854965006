// The grid that most people write: agents sorted by cell with a counting sort, in plain C++.
#include "../contenders.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

namespace throng::shootout {

namespace {

/// Cells are as wide as the widest agent, or wide enough for one agent on average if that is more.
/// So all agents that overlap an agent are in its cell or in cells beside it.
template <std::size_t Dim>
class PlainGrid final : public Subject<Dim> {
public:
    void update(const Walkers<Dim>& walkers) override {
        if (start_.empty()) { lay_out(walkers); }
        std::fill(start_.begin(), start_.end(), 0u);
        for (std::size_t i = 0; i < walkers.size(); ++i) {
            cell_of_[i] = cell_of(walkers.position_of(i));
            ++start_[cell_of_[i]];
        }
        // The end of each cell; filling backwards moves it to the beginning.
        std::partial_sum(start_.begin(), start_.end(), start_.begin());
        for (std::size_t i = walkers.size(); i-- > 0;) {
            agents_[--start_[cell_of_[i]]] = {walkers.position_of(i), walkers.half_of(i),
                                              static_cast<Id>(i)};
        }
    }

    [[nodiscard]] bool offers(Skill skill, Way way) const noexcept override {
        return way == Way::single && skill != Skill::segments;
    }

    void pairs(PairTally& tally) const override {
        PairBuffer buffer(tally);
        Cell cell{};
        for (std::uint32_t c = 0; c + 1 < start_.size(); ++c) {
            for (std::uint32_t i = start_[c]; i < start_[c + 1]; ++i) {
                const Agent& agent = agents_[i];
                const Box<Dim> box = Box<Dim>::around(agent.position, agent.half);
                for (std::uint32_t j = i + 1; j < start_[c + 1]; ++j) {
                    test(box, agent, j, buffer);
                }
                // Of two neighbouring cells, the first one searches the other.
                for (const Offset& offset : later_) {
                    Cell next;
                    bool inside = true;
                    for (std::size_t a = 0; a < Dim; ++a) {
                        next[a] = cell[a] + offset[a];
                        inside = inside && next[a] >= 0 && next[a] < cells_[a];
                    }
                    if (!inside) { continue; }
                    const std::uint32_t n = index_of(next);
                    for (std::uint32_t j = start_[n]; j < start_[n + 1]; ++j) {
                        test(box, agent, j, buffer);
                    }
                }
            }
            for (std::size_t a = 0; a < Dim && ++cell[a] == cells_[a]; ++a) {
                cell[a] = 0;
            }
        }
    }

    void ask(std::span<const Box<Dim>> boxes, Way, Answers& answers) override {
        Id* const out = answers.room().data();
        for (const Box<Dim>& box : boxes) {
            std::size_t found = 0;
            visit(box, reach_, [&](const Agent& agent) {
                if (overlaps(box, agent.position, agent.half)) { out[found++] = agent.id; }
            });
            answers.take(found);
        }
    }

    void ask(std::span<const Ball<Dim>> balls, Way, Answers& answers) override {
        Id* const out = answers.room().data();
        for (const Ball<Dim>& ball : balls) {
            std::size_t found = 0;
            visit(Box<Dim>::around(ball.centre, Point<Dim>::all(ball.radius)), 0.0f,
                  [&](const Agent& agent) {
                      if (contains(ball, agent.position)) { out[found++] = agent.id; }
                  });
            answers.take(found);
        }
    }

    /// Searches larger and larger balls until one has enough agents.
    void ask(std::span<const Point<Dim>> points, Way, Answers& answers) override {
        std::vector<std::pair<float, Id>> near;
        const float farthest = 2.0f * static_cast<float>(Dim) *
                               static_cast<float>(*std::max_element(cells_.begin(), cells_.end())) /
                               inverse_;
        for (const Point<Dim>& point : points) {
            for (float radius = 1.5f / inverse_;; radius *= 1.5f) {
                near.clear();
                visit(Box<Dim>::around(point, Point<Dim>::all(radius)), 0.0f,
                      [&](const Agent& agent) {
                          const float distance2 = distance2_between(point, agent.position);
                          if (distance2 <= radius * radius) {
                              near.emplace_back(distance2, agent.id);
                          }
                      });
                if (near.size() >= kNearest || radius > farthest) { break; }
            }
            const std::size_t found = std::min(near.size(), kNearest);
            std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(found),
                              near.end());
            answers.take(found, [&](std::size_t i) { return near[i].second; });
        }
    }

private:
    using Cell = std::array<std::int32_t, Dim>;
    using Offset = std::array<std::int32_t, Dim>;
    struct Agent {
        Point<Dim> position, half;
        Id id;
    };

    void lay_out(const Walkers<Dim>& walkers) {
        const Box<Dim>& world = walkers.world();
        // Slightly more, because touching counts and positions are rounded.
        reach_ = walkers.largest_half() * 1.001f;
        double volume = 1.0;
        for (std::size_t a = 0; a < Dim; ++a) {
            volume *= static_cast<double>(world.hi[a] - world.lo[a]);
        }
        const auto even = static_cast<float>(
            std::pow(volume / static_cast<double>(walkers.size()), 1.0 / static_cast<double>(Dim)));
        const float side = std::max(even, 2.0f * reach_);
        origin_ = world.lo;
        inverse_ = 1.0f / side;
        std::size_t count = 1;
        for (std::size_t a = 0; a < Dim; ++a) {
            cells_[a] = static_cast<std::int32_t>((world.hi[a] - world.lo[a]) * inverse_) + 1;
            count *= static_cast<std::size_t>(cells_[a]);
        }
        start_.assign(count + 1, 0);
        cell_of_.resize(walkers.size());
        agents_.resize(walkers.size());
        Offset offset;
        offset.fill(-1);
        // The half of the neighbouring cells that have larger numbers.
        for (bool more = true; more;) {
            std::int32_t sign = 0;
            for (std::size_t a = Dim; a-- > 0 && sign == 0;) {
                sign = offset[a];
            }
            if (sign > 0) { later_.push_back(offset); }
            more = false;
            for (std::size_t a = 0; a < Dim; ++a) {
                if (++offset[a] <= 1) {
                    more = true;
                    break;
                }
                offset[a] = -1;
            }
        }
    }

    [[nodiscard]] std::int32_t place_on(std::size_t a, float x) const noexcept {
        const float cell = (x - origin_[a]) * inverse_;
        return static_cast<std::int32_t>(std::clamp(cell, 0.0f, static_cast<float>(cells_[a] - 1)));
    }
    [[nodiscard]] std::uint32_t index_of(const Cell& cell) const noexcept {
        std::int32_t index = 0;
        for (std::size_t a = Dim; a-- > 0;) {
            index = index * cells_[a] + cell[a];
        }
        return static_cast<std::uint32_t>(index);
    }
    [[nodiscard]] std::uint32_t cell_of(const Point<Dim>& point) const noexcept {
        Cell cell;
        for (std::size_t a = 0; a < Dim; ++a) {
            cell[a] = place_on(a, point[a]);
        }
        return index_of(cell);
    }

    void test(const Box<Dim>& box, const Agent& agent, std::uint32_t other,
              PairBuffer& buffer) const noexcept {
        const Agent& second = agents_[other];
        if (overlaps(box, second.position, second.half)) { buffer.add(agent.id, second.id); }
    }

    /// Visits all agents whose centres may be in the box or within `reach` of it.
    template <class Visit>
    void visit(const Box<Dim>& box, float reach, const Visit& visit) const {
        Cell lo;
        Cell hi;
        for (std::size_t a = 0; a < Dim; ++a) {
            lo[a] = place_on(a, box.lo[a] - reach);
            hi[a] = place_on(a, box.hi[a] + reach);
        }
        const std::int32_t planes_begin = Dim == 3 ? lo[Dim - 1] : 0;
        const std::int32_t planes_end = Dim == 3 ? hi[Dim - 1] : 0;
        for (std::int32_t z = planes_begin; z <= planes_end; ++z) {
            for (std::int32_t y = lo[1]; y <= hi[1]; ++y) {
                Cell cell{};
                cell[Dim - 1] = z;
                cell[1] = y;
                // Cells of one row are neighbours in memory.
                cell[0] = lo[0];
                const std::uint32_t begin = index_of(cell);
                cell[0] = hi[0];
                const std::uint32_t end = start_[index_of(cell) + 1];
                for (std::uint32_t i = start_[begin]; i < end; ++i) {
                    visit(agents_[i]);
                }
            }
        }
    }

    Point<Dim> origin_{};
    float inverse_ = 1.0f, reach_ = 0.0f;
    Cell cells_{};
    std::vector<Offset> later_;
    std::vector<std::uint32_t> start_, cell_of_;
    std::vector<Agent> agents_;
};

} // namespace

std::vector<Entry> plain_grid() {
    Entry entry{Kind::plain,
                "plain_grid",
                "",
                "",
                [](const Crew&) { return std::make_unique<PlainGrid<2>>(); },
                [](const Crew&) { return std::make_unique<PlainGrid<3>>(); }};
    entry.sweeps = true;
    return {entry};
}

} // namespace throng::shootout
