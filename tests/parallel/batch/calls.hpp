// Every call of a batch, to be made over and over on whatever executor.
#pragma once

#include "../../support/hash.hpp"
#include "../../support/scenes.hpp"

#include <throng/parallel/batch/batch.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

namespace throng::test {

using Ids = std::vector<Id>;

/// What came of a call: `hash` stands for all that it answered.
struct Outcome {
    Status status;
    std::uint64_t hash = 0;

    friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// A crowd, another one in the same place, and questions about both.
template <std::size_t Dim>
struct Crowd {
    RowGrid<Dim> grid, others;
    std::vector<Box<Dim>> boxes;
    std::vector<Ball<Dim>> balls;
    std::vector<Point<Dim>> points; ///< the balls' centres
    float near = 0.75f, far = 1.5f; ///< for the neighbours of everybody

    /// `agents` of either, and as many questions, all of them small.
    explicit Crowd(std::size_t agents)
        : scene_(scenes::make<Dim>("unaligned", agents, scenes::Groups::masks)),
          second_(scenes::make_clustered<Dim>(agents, 20)) {
        lay_out(Point<Dim>::all(1.5f), Point<Dim>::all(2.0f));
        scenes::Random random(3);
        for (std::size_t q = 0; q < agents; ++q) {
            const auto agent = random.below(static_cast<std::uint32_t>(agents));
            const Point<Dim> at = scene_.position_of(agent);
            boxes.push_back(Box<Dim>::around(at, Point<Dim>::all(random.between(-0.1f, 0.5f))));
            balls.push_back({at, random.between(0.0f, 1.0f)});
        }
        note_centres();
    }

    /// The scene of that name, and as many questions as agents: the scene's own, which end on
    /// agents and on edges of cells. Those that find many come up less often than the others.
    Crowd(std::string_view name, std::size_t agents)
        : scene_(scenes::make<Dim>(name, agents, scenes::Groups::masks)),
          second_(scenes::make<Dim>(name, agents / 2)) {
        lay_out(scene_.cell, second_.cell);
        near = 0.5f * scene_.cell[0];
        far = scene_.cell[0]; // as far apart as corners are
        boxes = repeated(scene_.boxes, agents);
        balls = repeated(scene_.balls, agents);
        note_centres();
    }

    void update(Executor& executor) {
        EXPECT_EQ(grid.update(scene_.agents(), executor), Status{});
        EXPECT_EQ(others.update(second_.agents(), executor), Status{});
    }

private:
    void note_centres() {
        for (const Ball<Dim>& ball : balls) {
            points.push_back(ball.centre);
        }
    }

    void lay_out(const Point<Dim>& cell, const Point<Dim>& cell_of_others) {
        EXPECT_EQ(grid.configure(scene_.world, cell), Status{});
        EXPECT_EQ(others.configure(second_.world, cell_of_others), Status{});
        update(serial_executor());
    }

    template <class Shape>
    std::vector<Shape> repeated(const std::vector<Shape>& all, std::size_t count) const {
        std::vector<Shape> small, list;
        std::copy_if(all.begin(), all.end(), std::back_inserter(small),
                     [&](const Shape& shape) { return grid.count(shape).count < 20; });
        for (std::size_t q = 0; q < count; ++q) {
            const std::vector<Shape>& from = q % 32 == 0 ? all : small;
            list.push_back(from[(q % 32 == 0 ? q / 32 : q) % from.size()]);
        }
        return list;
    }

    scenes::Scene<Dim> scene_, second_;
};

/// Scenes whose agents are exactly on rims of balls, and on corners of cells.
constexpr std::string_view kExactScenes[] = {"rim", "lattice_of_tenths"};

/// The calls; one object keeps their outputs from one to the next, as a host does.
template <std::size_t Dim>
class Calls {
public:
    static constexpr std::size_t kCount = 29;

    explicit Calls(const Crowd<Dim>& crowd)
        : crowd_(crowd), names_(crowd.others.id_bound()), both_{crowd.grid, {crowd.others, names_}},
          offsets_(std::max(crowd.boxes.size(), past_names()) + 1), counts_(offsets_.size()),
          ids_(crowd.grid.size()), seconds_(crowd.grid.size()), visited_(crowd.grid.slices()),
          nearest_(kNear * offsets_.size()) {
        // Backwards, behind those of the first.
        for (std::size_t i = 0; i < names_.size(); ++i) {
            names_[i] = static_cast<Id>(past_names() - 1 - i);
        }
    }

    /// Makes one of them. Lets through what it throws.
    [[nodiscard]] Outcome make(std::size_t call, Batch<Dim>& batch) {
        const RowGrid<Dim>&grid = crowd_.grid, &others = crowd_.others;
        const std::span<const Box<Dim>> boxes(crowd_.boxes);
        const std::span<const Ball<Dim>> balls(crowd_.balls);
        const Neighbourhood near = {crowd_.near, false, kAllGroups};
        const Neighbourhood far = {crowd_.far, true, 0x8000'0001u};
        const HitsBuffer some = {offsets_, ids_};
        const PairsBuffer some_pairs = {ids_, seconds_};
        const NearBuffer some_near = {nearest_, counts_};
        switch (call) {
        case 0:
            return listed(batch.query(grid, boxes, hits_));
        case 1:
            return listed(batch.query(grid, balls, hits_, kSome));
        case 2:
            return buffered(batch.query(grid, boxes, some, kSome), boxes.size());
        case 3:
            return buffered(batch.query(grid, balls, some), balls.size());
        case 4:
            return counted(batch.count(grid, boxes, counts_), boxes.size());
        case 5:
            return counted(batch.count(grid, balls, counts_, kSome), balls.size());
        case 6:
            return counted(batch.any(grid, boxes, counts_, kSome), boxes.size());
        case 7:
            return counted(batch.any(grid, balls, counts_), balls.size());
        case 8:
            return listed(batch.neighbours(grid, near, hits_));
        case 9:
            return listed(batch.neighbours(grid, near, hits_, Order::ids));
        case 10:
            return buffered(batch.neighbours(grid, far, some), grid.size());
        case 11:
            return buffered(batch.neighbours(grid, far, some, Order::ids), grid.id_bound());
        case 12:
            return counted(batch.count_neighbours(grid, far, counts_), grid.size());
        case 13:
            return counted(batch.count_neighbours(grid, near, counts_, Order::ids),
                           grid.id_bound());
        case 14:
            return listed_pairs(batch.pairs(grid, pairs_));
        case 15:
            return buffered_pairs(batch.pairs(grid, some_pairs, 0x3u));
        case 16:
            return counted(batch.count_pairs(grid), 0);
        case 17:
            return visited([&](auto visitor) { return batch.visit_pairs(grid, visitor); });
        case 18:
            return listed_pairs(batch.pairs(grid, others, pairs_, 0x3u));
        case 19:
            return buffered_pairs(batch.pairs(grid, others, some_pairs));
        case 20:
            return visited(
                [&](auto visitor) { return batch.visit_pairs(grid, others, visitor, 0x3u); });
        case 21:
            return listed_near(
                batch.nearest(grid, std::span<const Point<Dim>>(crowd_.points), {5}, near_hits_));
        case 22:
            return listed_near(batch.nearest_neighbours(grid, {3}, near_hits_));
        case 23:
            return buffered_near(batch.nearest_neighbours(grid, {kNear, crowd_.far, true, 0x3u},
                                                          some_near, Order::ids),
                                 grid.id_bound());
        case 24:
            return listed(batch.neighbours(both_, both_, near, hits_));
        case 25:
            return buffered(batch.neighbours(both_, both_, far, some, Order::ids), past_names());
        case 26:
            return counted(batch.count_neighbours(both_, both_, far, counts_), named());
        case 27:
            return listed_near(
                batch.nearest_neighbours(both_, both_, {3, crowd_.far}, near_hits_, Order::ids));
        default:
            return buffered_near(batch.nearest(grid, std::span<const Point<Dim>>(crowd_.points),
                                               {kNear, crowd_.far}, some_near, kSome),
                                 crowd_.points.size());
        }
    }

    /// All of them, which must succeed.
    [[nodiscard]] std::vector<std::uint64_t> make_all(Batch<Dim>& batch) {
        std::vector<std::uint64_t> hashes;
        for (std::size_t call = 0; call < kCount; ++call) {
            const Outcome outcome = make(call, batch);
            EXPECT_EQ(outcome.status, Status{}) << "call " << call;
            hashes.push_back(outcome.hash);
        }
        return hashes;
    }

    /// After a call that failed: whether the arrays that it would have filled have nothing in them.
    [[nodiscard]] bool is_empty(std::size_t call) const noexcept {
        const bool hits = call < 2 || call == 8 || call == 9 || call == 24;
        const bool pairs = call == 14 || call == 18;
        const bool near = call == 21 || call == 22 || call == 27;
        return (!hits || (hits_.offsets.empty() && hits_.total() == 0)) &&
               (!pairs || pairs_.count == 0) &&
               (!near || (near_hits_.nearest.empty() && near_hits_.counts.empty()));
    }
    void forget() {
        hits_ = {};
        pairs_ = {};
        near_hits_ = {};
    }

private:
    static constexpr Filter kSome = {0x3u, 5};
    static constexpr std::uint32_t kNear = 4;

    /// Of both crowds, when they are asked as one.
    [[nodiscard]] std::size_t past_names() const noexcept {
        return crowd_.grid.id_bound() + crowd_.others.id_bound();
    }
    [[nodiscard]] std::size_t named() const noexcept {
        return crowd_.grid.size() + crowd_.others.size();
    }

    static Outcome closed(test::Hash& hash, const Status& status) {
        return {status, status.ok() ? hash.value() : 0};
    }
    void add_answers(test::Hash& hash, std::span<const std::uint64_t> offsets,
                     std::span<const Id> ids) const {
        for (const std::uint64_t offset : offsets) {
            hash.add(offset);
        }
        hash.add(ids.first(std::min<std::size_t>(offsets.back(), ids.size())));
    }
    Outcome listed(const Status& status) const {
        test::Hash hash;
        if (status.ok()) { add_answers(hash, hits_.offsets, hits_.ids); }
        return closed(hash, status);
    }
    Outcome buffered(const Found& found, std::size_t questions) const {
        test::Hash hash;
        hash.add(found.count);
        if (found.status.ok()) {
            add_answers(hash, std::span(offsets_).first(questions + 1), ids_);
        }
        return closed(hash, found.status);
    }
    Outcome counted(const Found& found, std::size_t questions) const {
        test::Hash hash;
        hash.add(found.count);
        hash.add(std::span(counts_).first(questions));
        return closed(hash, found.status);
    }
    static void add_near(test::Hash& hash, std::span<const Near> nearest,
                         std::span<const std::uint32_t> counts) {
        for (const Near& near : nearest) {
            hash.add(std::uint64_t{std::bit_cast<std::uint32_t>(near.distance2)} << 32 | near.id);
        }
        hash.add(counts);
    }
    Outcome listed_near(const Status& status) const {
        test::Hash hash;
        add_near(hash, near_hits_.nearest, near_hits_.counts);
        return closed(hash, status);
    }
    Outcome buffered_near(const Found& found, std::size_t questions) const {
        test::Hash hash;
        hash.add(found.count);
        if (found.status.ok()) {
            add_near(hash, std::span(nearest_).first(kNear * questions),
                     std::span(counts_).first(questions));
        }
        return closed(hash, found.status);
    }
    static void add_pairs(test::Hash& hash, const Ids& first, const Ids& second,
                          std::uint64_t count) {
        hash.add(count);
        hash.add(std::span(first).first(std::min(count, std::uint64_t{first.size()})));
        hash.add(std::span(second).first(std::min(count, std::uint64_t{second.size()})));
    }
    Outcome listed_pairs(const Status& status) const {
        test::Hash hash;
        add_pairs(hash, pairs_.first, pairs_.second, pairs_.count);
        return closed(hash, status);
    }
    Outcome buffered_pairs(const Found& found) const {
        test::Hash hash;
        add_pairs(hash, ids_, seconds_, found.count);
        return closed(hash, found.status);
    }
    template <class Visit>
    Outcome visited(const Visit& visit) {
        std::fill(visited_.begin(), visited_.end(), 0);
        const auto visitor = [&](std::size_t slice, std::span<const Id> first,
                                 std::span<const Id> second) {
            test::Hash hash;
            hash.add(visited_.at(slice)); // zero, unless it comes twice
            hash.add(first);
            hash.add(second);
            visited_[slice] = hash.value();
            return true;
        };
        const Found found = visit(typename Batch<Dim>::PairVisitor(visitor));
        test::Hash hash;
        hash.add(found.count);
        for (const std::uint64_t slice : visited_) {
            hash.add(slice);
        }
        return closed(hash, found.status);
    }

    const Crowd<Dim>& crowd_;
    Ids names_; // of the others
    std::array<NamedGrid<Dim>, 2> both_;
    Hits hits_;
    Pairs pairs_;
    std::vector<std::uint64_t> offsets_;
    std::vector<std::uint32_t> counts_;
    Ids ids_, seconds_; // too short for most answers, on purpose
    std::vector<std::uint64_t> visited_;
    NearHits near_hits_;
    std::vector<Near> nearest_;
};

} // namespace throng::test
