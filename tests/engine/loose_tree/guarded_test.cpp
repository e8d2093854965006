// Trees of 1 to 130 agents, and of many, in memory that ends at a page that may not be touched.
#include "../../family/questions.hpp"
#include "../../simd/kernels/guarded.hpp"
#include "../../support/dims.hpp"

#include <throng/engine/loose_tree/edited_tree.hpp>
#include <throng/engine/shapes/kernel_blocks.hpp>
#include <throng/simd/kernels/tree/tree_pack.hpp>
#include <throng/simd/kernels/tree/tree_pairs.hpp>
#include <throng/simd/kernels/tree/tree_walk.hpp>
#include <throng/simd/views/query_block.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

namespace throng {
namespace {

/// The arrays of a tree that kernels read, copied to guarded pages.
template <std::size_t Dim>
class GuardedTree {
public:
    explicit GuardedTree(const EditedTree<Dim>& tree)
        : leaves_(tree.store().begun * 16 * tree.store().leaf_words()),
          pages_(tree.store().begun * tree.store().kNodeWords), filled_(tree.store().begun * 4),
          page_of_(tree.store().layout.places()),
          nodes_(tree.store().layout.nodes() * tree.store().kNodeWords),
          totals_(tree.store().layout.nodes() * 16), view_(tree.view()) {
        const TreeStore<Dim>& store = tree.store();
        const auto copy = [](const auto* from, const auto& to) {
            std::memcpy(to.begin(), from, static_cast<std::size_t>(to.end() - to.begin()) * 4);
        };
        copy(store.leaves.data(), leaves_);
        copy(store.pages.data(), pages_);
        copy(store.filled.data(), filled_);
        copy(store.page_of.data(), page_of_);
        if (store.layout.levels > 1) {
            copy(store.nodes.data(), nodes_);
            copy(store.totals.data(), totals_);
        }
        view_.leaves = leaves_.begin();
        view_.pages = pages_.begin();
        view_.filled = reinterpret_cast<const std::uint8_t*>(filled_.begin());
        view_.page_of = page_of_.begin();
        view_.nodes = nodes_.begin();
        view_.totals = totals_.begin();
    }
    [[nodiscard]] const simd::TreeView<Dim>& view() const noexcept { return view_; }

private:
    test::Guarded<std::uint32_t> leaves_;
    test::Guarded<float> pages_;
    test::Guarded<std::uint32_t> filled_, page_of_;
    test::Guarded<float> nodes_;
    test::Guarded<std::uint32_t> totals_;
    simd::TreeView<Dim> view_;
};

/// The hits of a question, through a buffer of `room` ids at a time.
template <std::size_t Dim, class Shape>
test::Ids walked(const GuardedTree<Dim>& tree, const Shape& shape, std::size_t room) {
    const test::Guarded<Id> out(room);
    const test::Guarded<BlockOf<Shape>> block(1);
    put(*block.begin(), 0, shape);
    simd::QueryCursor walk;
    test::Ids ids;
    for (bool done = false; !done;) {
        walk.out = out.begin();
        walk.end = out.end();
        done = simd::query_tree<simd::Form::ids>(tree.view(), *block.begin(), {}, walk);
        ids.insert(ids.end(), out.begin(), walk.out);
    }
    std::sort(ids.begin(), ids.end());
    return ids;
}

template <std::size_t Dim, class Shape>
void check_walks(const GuardedTree<Dim>& tree, const test::Truth<Dim>& truth, std::size_t count,
                 const std::vector<Shape>& shapes) {
    for (std::size_t i = 0; i < std::min<std::size_t>(shapes.size(), 3); ++i) {
        const Shape& shape = shapes[(count + i) % shapes.size()];
        const test::Ids wanted = test::visited(truth, shape);
        for (const std::size_t room : {16u, 17u, 40u}) {
            ASSERT_EQ(walked(tree, shape, room), wanted) << count << " agents, room for " << room;
        }
        BlockOf<Shape> block;
        put(block, 0, shape);
        simd::QueryCursor walk;
        simd::query_tree<simd::Form::count>(tree.view(), block, {}, walk);
        ASSERT_EQ(walk.hits, wanted.size());
    }
}

/// Many questions at once, into buffers with room for all answers and for less.
template <std::size_t Dim, class Shape>
void check_selects(const GuardedTree<Dim>& tree, const test::Truth<Dim>& truth,
                   const std::vector<Shape>& shapes) {
    const test::Guarded<BlockOf<Shape>> block(1);
    const std::size_t count = std::min(shapes.size(), BlockOf<Shape>::kQueries);
    std::vector<test::Ids> wanted;
    std::size_t all = 0;
    for (std::size_t q = 0; q < count; ++q) {
        put(*block.begin(), q, shapes[q]);
        wanted.push_back(test::visited(truth, shapes[q]));
        all += wanted.back().size();
    }
    // Kernels want more room than they turn out to need, but not without bound.
    const std::size_t most = all + 4096;
    const test::Guarded<Id> ids(most + simd::kSlack);
    const test::Guarded<std::uint64_t> offsets(count + 1);
    for (const std::size_t room : {std::size_t{0}, all / 2, all, most}) {
        simd::BatchOutput out{ids.last(room + simd::kSlack), room, 0, offsets.begin()};
        offsets.begin()[0] = 0;
        const std::size_t answered =
            simd::query_tree_block(tree.view(), *block.begin(), count, {}, out);
        ASSERT_TRUE(room != most || answered == count);
        for (std::size_t q = 0; q < answered; ++q) {
            test::Ids got(out.ids + offsets.begin()[q], out.ids + offsets.begin()[q + 1]);
            std::sort(got.begin(), got.end());
            ASSERT_EQ(got, wanted[q]) << "question " << q << ", room for " << room;
        }
    }
}

/// Nodes that are made anew have the covers that the tree has.
template <std::size_t Dim>
void check_covers(const GuardedTree<Dim>& tree, const TreeStore<Dim>& store) {
    const TreeLayout& layout = store.layout;
    simd::TreeView<Dim> view = tree.view();
    const test::Guarded<float> pages(store.begun * store.kNodeWords);
    simd::cover_leaves(view, 0, store.begun * 16, pages.begin());
    ASSERT_TRUE(std::equal(pages.begin(), pages.end(), store.page_node(0)));
    if (layout.levels < 2) { return; }
    const test::Guarded<float> nodes(layout.nodes() * store.kNodeWords);
    view.nodes = nodes.begin();
    std::uint32_t below = layout.places();
    for (std::uint32_t k = 1; k < layout.levels; ++k) {
        simd::cover_nodes(view, k, 0, layout.count[k] * 16, below, nodes.begin());
        below = layout.count[k];
    }
    ASSERT_TRUE(std::equal(nodes.begin(), nodes.end(), store.node(1, 0)));
}

template <std::size_t Dim>
void check_pairs(const GuardedTree<Dim>& tree, const test::Truth<Dim>& truth, Body body) {
    const test::Guarded<Id> first(simd::kTreePairs), second(simd::kTreePairs);
    simd::TreePairsAt at;
    std::size_t pairs = 0;
    for (bool done = false; !done;) {
        simd::PairsOutput out = {first.begin(), second.begin(), simd::kTreePairs, 0};
        done = simd::list_tree_pairs(tree.view(), kAllGroups, body, at, out);
        pairs += out.used;
    }
    ASSERT_EQ(pairs, test::pairs_of(truth, kAllGroups, body).size());
}

template <class Dimension>
class LooseTreeGuarded : public testing::Test {};
TYPED_TEST_SUITE(LooseTreeGuarded, test::Dims, test::DimNames);

TYPED_TEST(LooseTreeGuarded, KernelsReadAndWriteNothingBeyondTheEnd) {
    constexpr std::size_t kDim = TypeParam::value;
    std::vector<std::size_t> counts(130);
    std::iota(counts.begin(), counts.end(), std::size_t{1});
    counts.insert(counts.end(), {240, 241, 300, 1000, 4000});
    for (const std::size_t count : counts) {
        auto scene = scenes::make<kDim>("mixed_sizes", count, scenes::Groups::masks);
        EditedTree<kDim> edited;
        ASSERT_EQ(edited.update(scene.agents(), serial_executor()), Status{});
        const GuardedTree<kDim> tree(edited);
        test::Truth<kDim> truth;
        ASSERT_EQ(truth.update(scene.agents()), Status{});
        const test::Questions<kDim> questions(scene, 6);
        const auto check_all = [&](const auto&... shapes) {
            (check_walks(tree, truth, count, shapes), ...);
        };
        check_all(questions.boxes, questions.balls, questions.others.segments,
                  questions.others.rays, questions.others.capsules, questions.others.sectors,
                  questions.others.convexes, questions.others.oriented_boxes,
                  questions.others.cylinders, questions.others.body_balls,
                  questions.others.body_sectors, questions.others.body_cylinders);
        check_selects(tree, truth, questions.boxes);
        check_selects(tree, truth, questions.balls);
        check_selects(tree, truth, questions.others.body_balls);
        check_covers(tree, edited.store());
        check_pairs(tree, truth, Body::box);
        check_pairs(tree, truth, Body::disc);
        if (this->HasFatalFailure()) { return; }
    }
}

} // namespace
} // namespace throng
