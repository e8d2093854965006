// Queries that are built on visit().
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../agents/filter.hpp"
#include "../agents/found.hpp"
#include "../core/id.hpp"
#include "../shapes/shapes.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace throng {

/// Gives an index query(), count() and any() by way of its visit(shape, visitor, filter, most),
/// which hands over ids in runs of at most `most`.
template <class Index, std::size_t Dim>
class AskByVisit {
public:
    /// Writes the ids of the agents that the shape finds to `out`, and returns how many there are,
    /// which may exceed out.size(): then the first out.size() were written.
    template <ShapeIn<Dim> Shape>
    Found query(const Shape& shape, std::span<Id> out, const Filter& filter = {}) const {
        std::size_t seen = 0;
        return self().visit(
            shape,
            [&](std::span<const Id> run) {
                if (seen < out.size()) {
                    std::copy_n(run.data(), std::min(run.size(), out.size() - seen),
                                out.data() + seen);
                }
                seen += run.size();
                return true;
            },
            filter);
    }

    /// The same for many shapes, in their order. If a shape is refused, the status names the first
    /// one, and nothing has changed. After std::bad_alloc the answers must not be read.
    template <ShapesIn<Dim> Shapes>
    Found query(const Shapes& shapes, Hits& hits, const Filter& filter = {}) const {
        const SpanOf<Shapes> all(shapes);
        for (std::size_t q = 0; q < all.size(); ++q) {
            Status status = check_shape(all[q]);
            status.index = q;
            if (!status.ok()) { return {0, status}; }
        }
        hits.ids.clear();
        hits.offsets.assign(1, 0);
        for (const auto& shape : all) {
            const Found found = self().visit(
                shape,
                [&](std::span<const Id> run) {
                    hits.ids.insert(hits.ids.end(), run.begin(), run.end());
                    return true;
                },
                filter);
            hits.offsets.push_back(hits.offsets.back() + found.count);
        }
        return Found::of(hits.total());
    }

    /// Only counts.
    template <ShapeIn<Dim> Shape>
    Found count(const Shape& shape, const Filter& filter = {}) const {
        return self().visit(
            shape, [](std::span<const Id>) { return true; }, filter);
    }

    /// Stops at the first hit: count is 1 or 0.
    template <ShapeIn<Dim> Shape>
    Found any(const Shape& shape, const Filter& filter = {}) const {
        return self().visit(
            shape, [](std::span<const Id>) { return false; }, filter, 1);
    }

private:
    friend Index;
    AskByVisit() = default;
    [[nodiscard]] const Index& self() const noexcept { return static_cast<const Index&>(*this); }
};

} // namespace throng

#include "../../simd/isa/names_end.hpp"
