// The oracle: a world in plain lists, whose members are tested one by one.
#pragma once

#include "canonical_order.hpp"
#include "ids.hpp"
#include "scenes/periodic.hpp"

#include <throng/engine/agents/agents.hpp>
#include <throng/engine/agents/edit.hpp>
#include <throng/engine/agents/filter.hpp>
#include <throng/engine/agents/found.hpp>
#include <throng/engine/agents/nearest.hpp>
#include <throng/engine/answers/ask_by_visit.hpp>
#include <throng/engine/answers/spatial_index.hpp>
#include <throng/engine/core/status.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/shapes/shapes.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng::test {

/// The offset from one point to another, and its squared length as the documentation defines it.
template <std::size_t Dim>
struct Apart {
    std::array<float, Dim> offset;
    float distance2;

    Apart(const Point<Dim>& from, const Point<Dim>& to) {
        for (std::size_t a = 0; a < Dim; ++a) {
            offset[a] = to[a] - from[a];
            const float square = offset[a] * offset[a];
            distance2 = a == 0 ? square : distance2 + square;
        }
    }
};

/// The answers that any index, crowd or batch must give: loops over all agents and statics, each
/// tested alone by the shape's own test. Answers are sorted by name, so statics come after agents;
/// order() and by_set() give the order of grids and crowds. It can be asked and edited like an
/// index.
template <std::size_t Dim>
class Truth : public AskByVisit<Truth<Dim>, Dim> {
public:
    /// An agent or a static, by its name in answers.
    struct Member {
        Id name = kNoId;
        Point<Dim> position{}, half_extent{};
        std::uint32_t groups = kAllGroups;
    };

    Truth() = default;
    /// A shape has copies up to this many periods away on either side.
    explicit Truth(const Periodic<Dim>& world, int copies = 5) : world_(world), copies_(copies) {}

    /// Asks this crowd, each time, which agents are giants and where small ones are stored. Without
    /// a crowd all agents are small.
    void go_by(const throng::Crowd<Dim>& crowd) noexcept { crowd_ = &crowd; }

    // Edits are refused as in every index.

    Status configure(const CrowdKind<Dim>& kind);
    Status update(const Agents<Dim>& agents);
    Status set_statics(const Agents<Dim>& statics);
    Status insert(Id id, const Agent<Dim>& agent);
    Status erase(Id id);
    Status move(Id id, const Point<Dim>& position);
    Status edit(const Edit<Dim>& edit);
    Status edit(std::span<const Edit<Dim>> edits);
    void clear() noexcept; ///< statics remain
    /// Adds a member without checks, for worlds that are made member by member.
    void put(const Member& member);

    [[nodiscard]] const std::vector<Member>& members() const noexcept { return members_; }
    [[nodiscard]] std::size_t size() const noexcept; ///< without statics
    [[nodiscard]] std::size_t statics() const noexcept { return members_.size() - size(); }
    [[nodiscard]] std::size_t id_bound() const noexcept; ///< larger than all names of agents
    [[nodiscard]] const CrowdKind<Dim>& kind() const noexcept { return kind_; }
    [[nodiscard]] bool contains(Id name) const noexcept { return find(name) != nullptr; }
    /// The name must exist.
    [[nodiscard]] const Member& operator[](Id name) const noexcept { return *find(name); }
    [[nodiscard]] Sets set_of(Id name) const;

    /// The members that a shape finds.
    template <ShapeIn<Dim> Shape>
    [[nodiscard]] Ids ids_in(const Shape& shape, const Filter& filter = {},
                             Sets sets = Sets::all) const;
    /// The members that a path hits, in order of time.
    template <PathIn<Dim> Path>
    [[nodiscard]] std::vector<PathHit> hits(const Path& path, const Filter& filter = {},
                                            Sets sets = Sets::all) const;
    /// The nearest members, the nearest first. If the half extents of an asking body are given,
    /// distances are between the two bodies.
    [[nodiscard]] std::vector<Near> nearest_to(const Point<Dim>& point, const Nearest& nearest,
                                               const Filter& filter = {}, Sets sets = Sets::all,
                                               const Point<Dim>& of_asker = {}) const;
    /// The members nearest to the body of this agent, which must exist.
    [[nodiscard]] std::vector<Near> nearest_to(Id agent, const NearestNeighbours& asked,
                                               Sets sets = Sets::all) const;
    /// Pairs of members whose boxes or discs overlap: small agents before giants before statics,
    /// within a set the smaller name first.
    [[nodiscard]] IdPairs pairs(std::uint32_t groups = kAllGroups, PairSets sets = PairSets::all,
                                int copies = 1, Body body = Body::box) const;

    // The answers of all agents by id; empty for ids that are not in use.

    [[nodiscard]] std::vector<Ids> neighbours(const Neighbourhood& asked,
                                              Sets sets = Sets::all) const;
    /// The neighbours of one agent by bodies: the distance is that between the two bodies.
    [[nodiscard]] Ids bodies_near(const Member& asker, const Neighbourhood& asked,
                                  Sets sets = Sets::all) const;
    /// The members of `others`, which may be this one, that each agent overlaps.
    [[nodiscard]] std::vector<Ids> touching(const Truth& others, std::uint32_t groups,
                                            Body body = Body::box) const;

    /// All agents in the canonical order of a grid of that shape, and below, some agents sorted so.
    [[nodiscard]] CanonicalOrder order(const GridShape<Dim>& shape) const;
    [[nodiscard]] Ids stored(const GridShape<Dim>& shape, Ids agents) const;
    /// Names in the order of a crowd's answers: small agents as its grid stores them, then giants,
    /// then statics. A crowd's trees have an order of their own; here giants and statics are sorted
    /// by name.
    [[nodiscard]] Ids by_set(const Ids& names) const;

    // A crowd's answer in the form of the functions above: sorts only what the documentation leaves
    // open.

    /// Sorts giants by name, and statics by name.
    [[nodiscard]] Ids settled(std::span<const Id> answer) const;
    /// In a pair of small agents puts the smaller name first; then sorts all pairs.
    [[nodiscard]] IdPairs settled(std::span<const Id> first, std::span<const Id> second) const;

    // The calls of an index.

    template <ShapeIn<Dim> Shape>
    Found visit(const Shape& shape, IndexVisitor visitor, const Filter& filter = {},
                std::size_t most = 1) const;

private:
    [[nodiscard]] const Member* find(Id name) const noexcept;
    [[nodiscard]] Member* find(Id name) noexcept;
    /// Whether a filter and sets admit the member.
    [[nodiscard]] bool is_asked(const Member& member, const Filter& filter, Sets sets) const;
    template <class Shape>
    [[nodiscard]] std::vector<PathHit> tested(const Shape& shape, const Filter& filter,
                                              Sets sets) const;
    [[nodiscard]] bool comes_within_a_period(const Box<Dim>& bounds) const;
    [[nodiscard]] bool is_wide(const Member& member) const;
    [[nodiscard]] bool wraps() const noexcept;

    Periodic<Dim> world_{};
    int copies_ = 0;
    const throng::Crowd<Dim>* crowd_ = nullptr;
    CrowdKind<Dim> kind_{};
    std::vector<Member> members_; // by name
    bool statics_have_groups_ = false;
};

template <std::size_t Dim>
IdPairs pairs_of(const Truth<Dim>& truth, std::uint32_t groups = kAllGroups,
                 Body body = Body::box) {
    return truth.pairs(groups, PairSets::all, 1, body);
}

} // namespace throng::test
