// Walls as segments in a packed R-tree of Boost.Geometry.
#include "../obstacle_peers.hpp"

#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>

#include <memory>
#include <vector>

namespace throng::shootout {

namespace {

namespace bg = boost::geometry;
namespace bgi = boost::geometry::index;

using BoostPoint = bg::model::point<float, 2, bg::cs::cartesian>;
using BoostSegment = bg::model::segment<BoostPoint>;
using Tree = bgi::rtree<BoostSegment, bgi::rstar<16>>;

BoostPoint boost_point(const Point<2>& point) { return {point[0], point[1]}; }

} // namespace

ObstacleContender<2> boost_walls(std::span<const Wall> walls) {
    std::vector<BoostSegment> segments;
    for (const Wall& wall : walls) {
        segments.emplace_back(boost_point(wall.from), boost_point(wall.to));
    }
    const auto tree = std::make_shared<const Tree>(segments.begin(), segments.end());
    ObstacleContender<2> boost = {"boost_rtree"};
    boost.nearest = [tree](std::span<const Point<2>> points, std::span<float> distances) {
        for (std::size_t i = 0; i < points.size(); ++i) {
            const BoostPoint point = boost_point(points[i]);
            const auto found = tree->qbegin(bgi::nearest(point, 1));
            distances[i] = static_cast<float>(bg::distance(point, *found));
        }
    };
    boost.sight = [tree](std::span<const Segment<2>> looks, std::span<std::uint8_t> clear) {
        for (std::size_t i = 0; i < looks.size(); ++i) {
            const BoostSegment way(boost_point(looks[i].from), boost_point(looks[i].to));
            clear[i] = tree->qbegin(bgi::intersects(way)) == tree->qend() ? 1 : 0;
        }
    };
    return boost;
}

} // namespace throng::shootout
