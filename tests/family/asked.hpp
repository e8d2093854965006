// The questions of an index of any type, so that checks of answers are compiled once for all types.
#pragma once

#include <throng/engine/agents/filter.hpp>
#include <throng/engine/agents/found.hpp>
#include <throng/engine/answers/spatial_index.hpp>
#include <throng/engine/shapes/shapes.hpp>

#include <cstddef>
#include <span>
#include <tuple>
#include <vector>

namespace throng::test {

/// Every way of asking with one shape.
template <class Shape>
struct Ways {
    Found (*visit)(const void*, const Shape&, IndexVisitor, const Filter&);
    Found (*query)(const void*, const Shape&, std::span<Id>, const Filter&);
    Found (*query_all)(const void*, const std::vector<Shape>&, Hits&, const Filter&);
    Found (*count)(const void*, const Shape&, const Filter&);
    Found (*any)(const void*, const Shape&, const Filter&);
};

template <class Index, class Shape>
constexpr Ways<Shape> kWays = {
    [](const void* index, const Shape& shape, IndexVisitor visitor, const Filter& filter) {
        return static_cast<const Index*>(index)->visit(shape, visitor, filter);
    },
    [](const void* index, const Shape& shape, std::span<Id> out, const Filter& filter) {
        return static_cast<const Index*>(index)->query(shape, out, filter);
    },
    [](const void* index, const std::vector<Shape>& shapes, Hits& hits, const Filter& filter) {
        return static_cast<const Index*>(index)->query(shapes, hits, filter);
    },
    [](const void* index, const Shape& shape, const Filter& filter) {
        return static_cast<const Index*>(index)->count(shape, filter);
    },
    [](const void* index, const Shape& shape, const Filter& filter) {
        return static_cast<const Index*>(index)->any(shape, filter);
    }};

/// Borrows the index.
template <std::size_t Dim>
class Asked {
    template <class... Shapes>
    using WaysOf = std::tuple<const Ways<Shapes>*...>;
    using AllWays =
        WaysOf<Box<Dim>, Ball<Dim>, Sector<Dim>, Segment<Dim>, Ray<Dim>, Capsule<Dim>, Convex<Dim>,
               OrientedBox<Dim>, Cylinder<Dim>, BodyBall<Dim>, BodySector<Dim>, BodyCylinder<Dim>>;

    template <class Index, class... Shapes>
    static constexpr WaysOf<Shapes...> ways_of(const WaysOf<Shapes...>*) noexcept {
        return {&kWays<Index, Shapes>...};
    }

public:
    // Implicit, so that an index can be passed.
    template <class Index>
    Asked(const Index& index) noexcept
        : index_(&index), ways_(ways_of<Index>(static_cast<const AllWays*>(nullptr))) {}

    template <class Shape>
    Found visit(const Shape& shape, IndexVisitor visitor, const Filter& filter) const {
        return ways<Shape>().visit(index_, shape, visitor, filter);
    }
    template <class Shape>
    Found query(const Shape& shape, std::span<Id> out, const Filter& filter) const {
        return ways<Shape>().query(index_, shape, out, filter);
    }
    template <class Shape>
    Found query(const std::vector<Shape>& shapes, Hits& hits, const Filter& filter) const {
        return ways<Shape>().query_all(index_, shapes, hits, filter);
    }
    template <class Shape>
    Found count(const Shape& shape, const Filter& filter) const {
        return ways<Shape>().count(index_, shape, filter);
    }
    template <class Shape>
    Found any(const Shape& shape, const Filter& filter) const {
        return ways<Shape>().any(index_, shape, filter);
    }

private:
    template <class Shape>
    [[nodiscard]] const Ways<Shape>& ways() const noexcept {
        return *std::get<const Ways<Shape>*>(ways_);
    }

    const void* index_;
    AllWays ways_;
};

} // namespace throng::test
