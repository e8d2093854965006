// The structures of the family.
#include "cases.hpp"

namespace throng::refusals {

namespace {

constexpr Box<2> kBounds = {{{0, 0}}, {{16, 16}}};

/// A tree with the yard's agents.
LooseTree<2> tree() {
    LooseTree<2> tree;
    (void)tree.update(agents_at(kPlaces));
    return tree;
}

template <class Index>
std::string updated() {
    return said(Index().update(agents_at({{{1, 1}}, {{kNan, 1}}})));
}

const Case kFamilyCases[] = {
    {"brute force not finite", [] { return updated<BruteForce<2>>(); }},
    {"double grid not finite", [] { return updated<DoubleGrid<2>>(); }},
    {"loose tree not finite", [] { return updated<LooseTree<2>>(); }},
    {"nested quadtree not finite", [] { return updated<NestedIndex>(); }},
    {"tight quadtree not finite", [] { return updated<TightQuadtree>(); }},
    {"double grid cell zero",
     [] {
         return said(DoubleGrid<2>().configure(kBounds, {{2, 0}}));
     }},
    {"nested quadtree bounds inverted",
     [] {
         return said(NestedIndex().configure({{{0, 17}}, {{16, 16}}}));
     }},
    {"tight quadtree bounds not finite",
     [] {
         return said(TightQuadtree().configure({{{0, kNan}}, {{16, 16}}}));
     }},
    {"tree id taken",
     [] {
         return said(tree().insert(1, {{{1, 1}}}));
     }},
    {"tree erases nobody", [] { return said(tree().erase(77)); }},
    {"tree moves to nowhere",
     [] {
         return said(tree().move(1, {{1, kNan}}));
     }},
    {"tree ball negative",
     [] {
         return said(tree().count(Ball<2>{{{0, 0}}, -1}));
     }},
};

} // namespace

std::span<const Case> family_cases() { return kFamilyCases; }

} // namespace throng::refusals
