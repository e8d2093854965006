// Edits and frames in every structure of the family: after each, all structures must hold what
// brute force holds.
#include "../family/every_index.hpp"
#include "fuzz.hpp"

#include <throng/engine/agents/edit.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace throng::fuzz {
namespace {

constexpr Id kIds = 48;
constexpr std::size_t kMostSteps = 200;

template <class Entry>
class Edits {
    static constexpr std::size_t kDim = Entry::kDim;
    using Index = typename Entry::Index;

public:
    explicit Edits(Input& input) : input_(input) {}

    void run() {
        SCOPED_TRACE(testing::Message() << Entry::kName << " " << kDim << "d");
        lay_out();
        for (std::size_t s = 0; s < kMostSteps && !input_.empty(); ++s) {
            step();
        }
        check();
    }

private:
    void lay_out() {
        scenes::Scene<kDim> scene;
        scene.world = {Point<kDim>::all(0.0f), Point<kDim>::all(16.0f)};
        static constexpr float kCells[] = {1.0f, 2.5f, 0.4f, 16.0f};
        scene.cell = Point<kDim>::all(input_.any_of(kCells));
        const CrowdKind<kDim> kind = input_.kind<kDim>();
        ASSERT_EQ(Entry::lay_out(index_, scene, kind), Status{});
        ASSERT_EQ(truth_.configure(kind), Status{});
    }

    void step() {
        const std::uint32_t what = input_.below(32);
        const Id id = input_.below(kIds);
        // Most edits are valid; structure and oracle must refuse the others with the same status.
        if (what < 9) {
            const Agent<kDim> agent = input_.agent(truth_.kind());
            ASSERT_EQ(index_.insert(id, agent), truth_.insert(id, agent)) << "insert " << id;
        } else if (what < 13) {
            ASSERT_EQ(index_.erase(id), truth_.erase(id)) << "erase " << id;
        } else if (what < 20) {
            const Point<kDim> to = input_.point<kDim>();
            ASSERT_EQ(index_.move(id, to), truth_.move(id, to)) << "move " << id;
        } else if (what < 22) {
            frame(id);
        } else if (what == 22) {
            edit_together(id % 12);
        } else if (what == 23) {
            Entry::tidy(index_);
        } else if (what == 24) {
            check();
        } else if (what == 25 && id == 0) {
            index_.clear();
            truth_.clear();
        } else if (what == 26) {
            const std::uint32_t groups = input_.filter(kIds).groups;
            ASSERT_EQ(test::pairs_of(index_, groups), test::pairs_of(truth_, groups));
        } else {
            ask();
        }
    }

    /// Updates all agents; the crowd may change its kind.
    void frame(std::size_t count) {
        const CrowdKind<kDim> kind = input_.flip() ? input_.kind<kDim>() : truth_.kind();
        scenes::Scene<kDim> scene;
        scene.common_half_extent = kind.common_half_extent;
        for (std::size_t i = 0; i < count; ++i) {
            const Agent<kDim> agent = input_.agent(kind);
            for (std::size_t a = 0; a < kDim; ++a) {
                scene.position[a].push_back(agent.position[a]);
                if (agent.half_extent) { scene.half_extent[a].push_back((*agent.half_extent)[a]); }
            }
            if (agent.groups) { scene.groups.push_back(*agent.groups); }
        }
        ASSERT_EQ(index_.update(scene.agents()), truth_.update(scene.agents()));
    }

    void edit_together(std::size_t count) {
        if constexpr (requires(Index & index, std::span<const Edit<kDim>> edits) {
                          index.edit(edits);
                      }) {
            std::vector<Edit<kDim>> edits;
            for (std::size_t e = 0; e < count; ++e) {
                const Id id = input_.below(kIds);
                const std::uint32_t kind = input_.below(3);
                edits.push_back(kind == 0   ? Edit<kDim>::insert(id, input_.agent(truth_.kind()))
                                : kind == 1 ? Edit<kDim>::erase(id)
                                            : Edit<kDim>::move(id, input_.point<kDim>()));
            }
            ASSERT_EQ(index_.edit(edits), truth_.edit(edits));
        }
    }

    void ask() {
        input_.with_sane_shape<kDim>([&]<class Shape>(const Shape& shape) {
            const Filter filter = input_.filter(kIds);
            if (!check_shape(shape).ok()) { return; } // the target `shapes` tests these
            test::check_question<kDim>(index_, truth_, shape, filter);
        });
    }

    void check() {
        ASSERT_STREQ(index_.validate(), nullptr);
        ASSERT_EQ(index_.size(), truth_.size());
        ASSERT_EQ(index_.kind(), truth_.kind());
        for (Id id = 0; id < kIds; ++id) {
            ASSERT_EQ(index_.contains(id), truth_.contains(id)) << id;
        }
        ASSERT_EQ(test::in_order(test::all_ids<kDim>(index_)), test::all_ids<kDim>(truth_));
        ASSERT_EQ(test::pairs_of(index_), test::pairs_of(truth_));
    }

    Input& input_;
    Index index_;
    test::Truth<kDim> truth_;
};

template <class Entry>
void edit(Input& input) {
    Edits<Entry>(input).run();
}

} // namespace

void run(Input& input) {
    using Target = void (*)(Input&);
    static constexpr Target kTargets[] = {edit<test::InRowGrid<2>>,    edit<test::InRowGrid<3>>,
                                          edit<test::InDoubleGrid<2>>, edit<test::InDoubleGrid<3>>,
                                          edit<test::InLooseTree<2>>,  edit<test::InLooseTree<3>>,
                                          edit<test::InCrowd<2>>,      edit<test::InCrowd<3>>,
                                          edit<test::InTightQuadtree>, edit<test::InNestedIndex>};
    input.any_of(kTargets)(input);
}

} // namespace throng::fuzz
