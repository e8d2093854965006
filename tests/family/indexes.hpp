// Every structure of the family, as the tests of all of them take it.
#pragma once

#include "../support/scenes/scenes.hpp"

#include <throng/engine/answers/spatial_index.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/family/brute_force.hpp>
#include <throng/engine/family/double_grid/double_grid.hpp>
#include <throng/engine/family/nested_quadtree/nested_index.hpp>
#include <throng/engine/family/tight_quadtree/tight_quadtree.hpp>
#include <throng/engine/grid/row_grid.hpp>
#include <throng/engine/loose_tree/loose_tree.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

namespace throng::test {

/// How a structure is laid out over a world, and what it is asked to do once a frame.
template <class Structure, std::size_t Dimensions>
struct Family {
    using Index = Structure;
    static constexpr std::size_t kDim = Dimensions;
    static_assert(SpatialIndex<Index, kDim>);

    /// Whether each agent is counted by one cell only.
    static constexpr bool kCountsOnce = true;
    static constexpr bool kHasCells = true;
    /// Whether several threads change the same index.
    static constexpr bool kIsParallel = false;

    /// Room for the scene's world, with cells for about one agent where there are cells.
    static Status lay_out(Index& index, const scenes::Scene<kDim>& scene,
                          const CrowdKind<kDim>& kind) {
        if constexpr (requires(CrowdSettings<kDim> settings) { index.configure(settings, kind); }) {
            return index.configure({scene.world, scene.cell}, kind);
        } else {
            return index.configure(scene.world, kind);
        }
    }
    /// Tidies the index, as hosts do once a frame, if its structure can be tidied.
    static void tidy(Index& index) {
        if constexpr (requires { index.cleanup(); }) { index.cleanup(); }
    }
};

template <std::size_t Dim>
struct InBruteForce : Family<BruteForce<Dim>, Dim> {
    static constexpr const char* kName = "brute_force";
    static constexpr bool kHasCells = false;
    static Status lay_out(BruteForce<Dim>& index, const scenes::Scene<Dim>&,
                          const CrowdKind<Dim>& kind) {
        return index.configure(kind);
    }
};

template <std::size_t Dim>
struct InRowGrid : Family<RowGrid<Dim>, Dim> {
    static constexpr const char* kName = "row_grid";
    static constexpr bool kIsParallel = true;
    static Status lay_out(RowGrid<Dim>& index, const scenes::Scene<Dim>& scene,
                          const CrowdKind<Dim>& kind) {
        return index.configure(scene.world, scene.cell, kind);
    }
};

template <std::size_t Dim>
struct InLooseTree : Family<LooseTree<Dim>, Dim> {
    static constexpr const char* kName = "loose_tree";
    static constexpr bool kIsParallel = true;
};

struct InTightQuadtree : Family<TightQuadtree, 2> {
    static constexpr const char* kName = "tight_quadtree";
    static constexpr bool kCountsOnce = false;
    static Status lay_out(TightQuadtree& index, const scenes::Scene<2>& scene,
                          const CrowdKind<2>& kind) {
        // Down to leaves of about one agent.
        TightSettings settings;
        while (settings.depth < TightSettings::kMostDepth &&
               scene.size() >> 2 * settings.depth > 2) {
            ++settings.depth;
        }
        return index.configure(scene.world, settings, kind);
    }
};

template <std::size_t Dim>
struct InDoubleGrid : Family<DoubleGrid<Dim>, Dim> {
    static constexpr const char* kName = "double_grid";
    static constexpr bool kIsParallel = true;
    static Status lay_out(DoubleGrid<Dim>& index, const scenes::Scene<Dim>& scene,
                          const CrowdKind<Dim>& kind) {
        return index.configure(scene.world, scene.cell, kind);
    }
    static void tidy(DoubleGrid<Dim>& index) { index.refit(); }
};

template <std::size_t Dim>
struct InCrowd : Family<Crowd<Dim>, Dim> {
    static constexpr const char* kName = "crowd";
};

struct InNestedIndex : Family<NestedIndex, 2> {
    static constexpr const char* kName = "nested_index";
};

using Indexes = testing::Types<InBruteForce<2>, InBruteForce<3>, InRowGrid<2>, InRowGrid<3>,
                               InLooseTree<2>, InLooseTree<3>, InTightQuadtree, InDoubleGrid<2>,
                               InDoubleGrid<3>, InNestedIndex, InCrowd<2>, InCrowd<3>>;

/// Names such as loose_tree_2d.
struct IndexNames {
    template <class Entry>
    static std::string GetName(int) {
        return std::string(Entry::kName) + "_" + std::to_string(Entry::kDim) + "d";
    }
};

} // namespace throng::test
