// The R-tree of Boost.Geometry.
#include "../contenders.hpp"

#include <throng/engine/shapes/ray_test.hpp>

#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/iterator/function_output_iterator.hpp>
#include <boost/version.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace throng::shootout {

namespace {

namespace bg = boost::geometry;
namespace bgi = boost::geometry::index;

template <std::size_t Dim>
using BoostPoint = bg::model::point<float, Dim, bg::cs::cartesian>;
template <std::size_t Dim>
using BoostBox = bg::model::box<BoostPoint<Dim>>;

template <std::size_t Dim>
BoostPoint<Dim> boost_point(const Point<Dim>& point) {
    if constexpr (Dim == 2) {
        return {point[0], point[1]};
    } else {
        return {point[0], point[1], point[2]};
    }
}
template <std::size_t Dim>
BoostBox<Dim> boost_box(const Box<Dim>& box) {
    return {boost_point(box.lo), boost_point(box.hi)};
}

template <std::size_t Dim>
Point<Dim> point_of(const BoostPoint<Dim>& point) {
    if constexpr (Dim == 2) {
        return {bg::get<0>(point), bg::get<1>(point)};
    } else {
        return {bg::get<0>(point), bg::get<1>(point), bg::get<2>(point)};
    }
}

template <class Take>
auto each(const Take& take) {
    return boost::make_function_output_iterator(take);
}

/// Packed anew in every frame: that is faster than moving boxes, and makes questions faster too.
template <std::size_t Dim>
class PackedTree final : public Subject<Dim> {
    using Value = std::pair<BoostBox<Dim>, Id>;
    using Centre = std::pair<BoostPoint<Dim>, Id>;

public:
    void update(const Walkers<Dim>& walkers) override {
        walkers_ = &walkers;
        values_.resize(walkers.size());
        for (std::size_t i = 0; i < walkers.size(); ++i) {
            values_[i] = {boost_box(walkers.box_of(i)), static_cast<Id>(i)};
        }
        tree_ = bgi::rtree<Value, bgi::rstar<16>>(values_.begin(), values_.end());
    }

    [[nodiscard]] bool offers(Skill, Way way) const noexcept override { return way == Way::single; }

    void pairs(PairTally& tally) const override {
        PairBuffer buffer(tally);
        // In the tree's own order, so that consecutive questions are neighbours.
        for (const auto& [box, id] : tree_) {
            tree_.query(bgi::intersects(box), each([&, first = id](const Value& value) {
                            if (value.second > first) { buffer.add(first, value.second); }
                        }));
        }
    }

    void ask(std::span<const Box<Dim>> boxes, Way, Answers& answers) override {
        Id* const out = answers.room().data();
        for (const Box<Dim>& box : boxes) {
            std::size_t found = 0;
            tree_.query(bgi::intersects(boost_box(box)),
                        each([&](const Value& value) { out[found++] = value.second; }));
            answers.take(found);
        }
    }

    void ask(std::span<const Segment<Dim>> segments, Way, Answers& answers) override {
        Id* const out = answers.room().data();
        for (const Segment<Dim>& segment : segments) {
            const detail::RayTest<Dim> track = detail::ray_test(segment);
            const bg::model::segment<BoostPoint<Dim>> way(boost_point(segment.from),
                                                          boost_point(segment.to));
            std::size_t found = 0;
            tree_.query(bgi::intersects(way), each([&](const Value& value) {
                            const Id id = value.second;
                            if (meets(track, walkers_->position_of(id), walkers_->half_of(id))) {
                                out[found++] = id;
                            }
                        }));
            answers.take(found);
        }
    }

    void prepare_centres(const Walkers<Dim>& walkers) override {
        std::vector<Centre> centres(walkers.size());
        for (std::size_t i = 0; i < walkers.size(); ++i) {
            centres[i] = {boost_point(walkers.position_of(i)), static_cast<Id>(i)};
        }
        centres_ = bgi::rtree<Centre, bgi::rstar<16>>(centres.begin(), centres.end());
    }

    void ask(std::span<const Ball<Dim>> balls, Way, Answers& answers) override {
        Id* const out = answers.room().data();
        for (const Ball<Dim>& ball : balls) {
            std::size_t found = 0;
            const Box<Dim> box = Box<Dim>::around(ball.centre, Point<Dim>::all(ball.radius));
            centres_.query(bgi::intersects(boost_box(box)), each([&](const Centre& centre) {
                               if (contains(ball, point_of(centre.first))) {
                                   out[found++] = centre.second;
                               }
                           }));
            answers.take(found);
        }
    }

    void ask(std::span<const Point<Dim>> points, Way, Answers& answers) override {
        Id* const out = answers.room().data();
        for (const Point<Dim>& point : points) {
            std::size_t found = 0;
            centres_.query(bgi::nearest(boost_point(point), kNearest),
                           each([&](const Centre& centre) { out[found++] = centre.second; }));
            answers.take(found);
        }
    }

private:
    const Walkers<Dim>* walkers_ = nullptr;
    std::vector<Value> values_;
    bgi::rtree<Value, bgi::rstar<16>> tree_;
    bgi::rtree<Centre, bgi::rstar<16>> centres_;
};

/// Removes all agents and inserts them at their new positions, with the splits that the
/// documentation calls the fastest for insertion.
template <std::size_t Dim>
class MovedTree final : public Subject<Dim> {
    using Value = std::pair<BoostBox<Dim>, Id>;

public:
    void update(const Walkers<Dim>& walkers) override {
        if (values_.empty()) {
            for (std::size_t i = 0; i < walkers.size(); ++i) {
                values_.emplace_back(boost_box(walkers.box_of(i)), static_cast<Id>(i));
            }
            tree_ = bgi::rtree<Value, bgi::linear<16>>(values_.begin(), values_.end());
            return;
        }
        for (std::size_t i = 0; i < walkers.size(); ++i) {
            tree_.remove(values_[i]);
            values_[i].first = boost_box(walkers.box_of(i));
            tree_.insert(values_[i]);
        }
    }

    [[nodiscard]] bool offers(Skill, Way) const noexcept override { return false; }

private:
    std::vector<Value> values_;
    bgi::rtree<Value, bgi::linear<16>> tree_;
};

template <template <std::size_t> class Tree>
Entry entry(const char* way) {
    return {Kind::peer,
            "boost_rtree",
            way,
            std::to_string(BOOST_VERSION / 100'000) + '.' +
                std::to_string(BOOST_VERSION / 100 % 1000),
            [](const Crew&) { return std::make_unique<Tree<2>>(); },
            [](const Crew&) { return std::make_unique<Tree<3>>(); }};
}

} // namespace

std::vector<Entry> boost_rtree() {
    std::vector<Entry> entries = {entry<PackedTree>("rebuild"), entry<MovedTree>("move")};
    entries.front().sweeps = true;
    entries.back().only_updates = true;
    return entries;
}

} // namespace throng::shootout
