#include "family.hpp"

namespace throng::bench {

namespace {

/// A grid whose cells the first update fits to the crowd, as without settings.
template <std::size_t Dim>
struct InFittedRowGrid : test::InRowGrid<Dim> {
    static Status lay_out(RowGrid<Dim>&, const scenes::Scene<Dim>&, const CrowdKind<Dim>&) {
        return {};
    }
};

template <std::size_t Dim>
struct InFittedDoubleGrid : test::InDoubleGrid<Dim> {
    static Status lay_out(DoubleGrid<Dim>&, const scenes::Scene<Dim>&, const CrowdKind<Dim>&) {
        return {};
    }
};

constexpr std::size_t kCounts[] = {100'000, 250'000, 500'000, 1'000'000};

} // namespace

void register_family() {
    add_family<InFittedRowGrid<2>>("row_grid", kCounts);
    add_family<InFittedRowGrid<3>>("row_grid", kCounts);
    add_family<test::InLooseTree<2>>("loose_tree", kCounts);
    add_family<test::InLooseTree<3>>("loose_tree", kCounts);
    add_family<test::InTightQuadtree>("tight_quadtree", kCounts);
    add_family<InFittedDoubleGrid<2>>("double_grid", kCounts);
    add_family<InFittedDoubleGrid<3>>("double_grid", kCounts);
    add_family<test::InNestedIndex>("nested_index", kCounts);
}

} // namespace throng::bench
