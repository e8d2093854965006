// A search goes through tight cells, then loose cells, then agents, a vector at a time.
#include "double_grid.hpp"

#include "../bucket_query.hpp"
#include "state.hpp"

#include <array>
#include <utility>

namespace throng {

template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
Found DoubleGrid<Dim>::visit(const Shape& shape, IndexVisitor visitor, const Filter& filter,
                             std::size_t most) const {
    if (const Status status = check_shape(shape); !status.ok()) { return {0, status}; }
    const State& state = *state_;
    const ShapeGate<Dim> gate(shape);
    for (std::size_t a = 0; a < Dim; ++a) {
        if (!(gate.bounds().lo[a] <= gate.bounds().hi[a])) { return {}; }
    }
    BucketQuery<Dim, Shape> scan(scan_crowd(kind(), state.max_half_extent), shape, filter, visitor,
                                 most);

    // Notes the loose cells that may have hits, without a branch, which would be unpredictable.
    // Then prefetches the buckets of all noted cells before it tests the first.
    std::array<std::uint32_t, 32> noted;
    std::size_t count = 0;
    const auto scan_noted = [&] {
        const std::size_t cells = std::exchange(count, 0);
        for (std::size_t k = 0; k < cells; ++k) {
            const std::uint32_t* const words = state.agents.words(state.cells[noted[k]].head);
            for (std::size_t a = 0; a <= Dim; ++a) { // positions and ids
                __builtin_prefetch(words + a * state.agents.kRoom);
            }
        }
        for (std::size_t k = 0; k < cells; ++k) {
            const LooseCell<Dim>& cell = state.cells[noted[k]];
            if (!gate.may_hold(cell.cover)) { continue; }
            for (std::uint32_t b = cell.head; b != kNoBucket; b = state.agents.next(b)) {
                if (!scan.add(state.agents.span(b))) { return false; }
            }
        }
        return true;
    };
    const Box<Dim> bounds = gate.bounds();
    const bool all =
        state.tight.search(state.range_of(bounds), [&](std::uint32_t cell, bool first) {
            const Box<Dim>& cover = state.cells[cell].cover;
            std::size_t near{first};
            for (std::size_t a = 0; a < Dim; ++a) {
                near &= std::size_t{cover.lo[a] <= bounds.hi[a]};
                near &= std::size_t{bounds.lo[a] <= cover.hi[a]};
            }
            noted[count] = cell;
            count += near;
            return count < noted.size() || scan_noted();
        });
    if (all) { scan_noted(); }
    return scan.finish();
}

#define THRONG_FOR_DIM(Shape, Dim)                                                                 \
    template Found DoubleGrid<Dim>::visit(const Shape<Dim>&, IndexVisitor, const Filter&,          \
                                          std::size_t) const;
#define THRONG_FOR_SHAPE(Shape, kind, KIND) THRONG_FOR_DIM(Shape, 2) THRONG_FOR_DIM(Shape, 3)
THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_DIM
#undef THRONG_FOR_SHAPE

} // namespace throng
