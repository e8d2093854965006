// The set of a crowd's giants, or of its statics: elements that are not in the grid. Internal to
// the engine.
#pragma once

#include "../../../simd/kernels/grid/first_hit.hpp"
#include "../../agents/agents.hpp"
#include "../../agents/filter.hpp"
#include "../../agents/found.hpp"
#include "../../agents/grid_shape.hpp"
#include "../../agents/nearest.hpp"
#include "../../agents/validation.hpp"
#include "../../answers/merge.hpp"
#include "../../answers/nearest_from.hpp"
#include "../../answers/spatial_index.hpp"
#include "../../core/executor.hpp"
#include "../../core/progress.hpp"
#include "../../core/status.hpp"
#include "../../grid/named_grid.hpp"
#include "../../grid/row_grid.hpp"
#include "../../loose_tree/loose_tree.hpp"
#include "../../memory/memory_use.hpp"
#include "../../memory/vector.hpp"
#include "../../shapes/shapes_view.hpp"
#include "../../shapes/with_shapes.hpp"
#include "name_index.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace throng {

template <class Index>
struct FrozenIndex;

/// The box of an agent, clamped to kLargest: the sides of questions must not be beyond that limit,
/// and no agent is.
template <std::size_t Dim>
[[nodiscard]] Box<Dim> box_to_ask(const Point<Dim>& position, const Point<Dim>& half) noexcept {
    Box<Dim> box = Box<Dim>::around(position, half);
    for (std::size_t a = 0; a < Dim; ++a) {
        box.lo[a] = std::max(box.lo[a], -kLargest);
        box.hi[a] = std::min(box.hi[a], kLargest);
    }
    return box;
}

/// One element of a set, as questions test it.
template <std::size_t Dim>
struct LargeElement {
    Id name = kNoId;
    Point<Dim> position, half_extent;
    std::uint32_t groups = kAllGroups;

    [[nodiscard]] bool passes(const Filter& filter) const noexcept {
        return name != filter.without &&
               (filter.groups == kAllGroups || (groups & filter.groups) != 0);
    }
};

/// Some elements of a crowd, stored twice: their boxes in a tree, and their centres in a grid,
/// which answers questions about centres alone. In both an element's id is its slot, 0 ..., in the
/// set's own arrays, which hold its name in the crowd.
///
/// Has the calls of an index. After a failed update(), copy() or configure(), a set must be
/// updated or configured before it is used again, so a crowd updates a spare set and swaps. After
/// update() a set is like a new one: nothing that it held before is left.
template <std::size_t Dim>
class LargeElements : public FromSource {
public:
    /// Forgets all elements. Lays tree and grid over a world, for elements that come one by one.
    Status configure(const Box<Dim>& world, bool groups);

    /// Becomes a copy of another set, down to the order of answers and to what edits will do. As
    /// after update(), nothing that the set held before is left.
    Status copy(const LargeElements& other);

    /// Forgets the world, so that a later update() lays cells for its elements alone.
    void forget_world() noexcept { world_.reset(); }

    /// Whether the set is as update() without elements leaves it.
    [[nodiscard]] bool is_as_new(bool groups) const noexcept;

    /// Takes the chosen elements of the arrays; their names in the crowd are `names`, which ascend.
    /// `kind` says what is kept of them, since empty arrays do not tell.
    Status update(const Agents<Dim>& agents, const CrowdKind<Dim>& kind, std::span<const Id> chosen,
                  std::span<const Id> names, Executor& executor, const Progress& progress = {});

    /// Adds one element, whose values have been checked. configure() or update() must have been
    /// called before. Throws std::bad_alloc.
    Status insert(Id name, const Point<Dim>& position, const Point<Dim>& half,
                  std::uint32_t groups);

    /// `name` must be in the set.
    Status erase(Id name);

    /// `name` must be in the set, and the position valid.
    Status move(Id name, const Point<Dim>& position);

    void clear() noexcept;

    void release_staging() noexcept {
        centres_.release_staging();
        tree_.release_staging();
    }

    /// Hands over runs of names; runs of the tree have at most `most` ids.
    Found visit(const ShapesView<Dim>& shape, IndexVisitor visitor, const Filter& filter,
                std::size_t most = kLongestRun) const;
    Found count(const ShapesView<Dim>& shape, const Filter& filter) const;
    Found any(const ShapesView<Dim>& shape, const Filter& filter) const;
    /// As RowGrid::query(), but writes nothing behind the answer.
    Found query(const ShapesView<Dim>& shape, std::span<Id> out, const Filter& filter) const;

    /// The first hit of a path after `after`, if it comes before `best`; else `best`.
    [[nodiscard]] PathHit first(const ShapesView<Dim>& path, const Filter& filter, PathHit best,
                                const PathHit& after) const;
    /// Adds the hits of a path that come after `after` to a page.
    void add_hits_after(const PathHit& after, const ShapesView<Dim>& path, const Filter& filter,
                        simd::HitPage& page) const;
    /// Appends the hits of a path. Throws std::bad_alloc.
    void hits(const ShapesView<Dim>& path, const Filter& filter, std::vector<PathHit>& all) const;

    /// As RowGrid::nearest(), for questions that have been checked.
    [[nodiscard]] std::size_t nearest(const NearestFrom<Dim>& from, const Nearest& nearest,
                                      std::span<Near> out, const Filter& filter) const;
    /// Merges the elements that RowGrid::nearest() would find into `best`, which has room for
    /// nearest.k, at least one, and holds `count` elements so far. Returns the new count.
    [[nodiscard]] std::size_t merge_nearest(const NearestFrom<Dim>& from, const Nearest& nearest,
                                            std::span<Near> best, std::size_t count,
                                            const Filter& filter) const;

    /// Hands over the names of the elements whose discs overlap this disc, a run at a time, in the
    /// order of visit() with a box. Does not count them.
    void visit_discs(const Point<Dim>& centre, float radius, IndexVisitor visitor,
                     std::uint32_t groups) const;
    /// A box that touches the boxes of all elements of visit_discs(); no side is beyond kLargest.
    [[nodiscard]] Box<Dim> box_around_disc(const Point<Dim>& centre, float radius) const noexcept;

    /// Visits the pairs within the set, as names, the smaller name first.
    Found visit_pairs(IndexPairVisitor visitor, std::uint32_t groups, Body body) const {
        return tree_.visit_pairs(
            [&](std::span<const Id> first, std::span<const Id> second) {
                std::array<Id, 2 * kLongestRun> a, b;
                for (std::size_t i = 0; i < first.size(); ++i) {
                    const Id one = names_[first[i]], other = names_[second[i]];
                    // std::min becomes a branch here, which is guessed wrong half of the time.
                    const Id difference = (one ^ other) & (Id{0} - Id{other < one});
                    a[i] = one ^ difference;
                    b[i] = other ^ difference;
                }
                return visitor({a.data(), first.size()}, {b.data(), first.size()});
            },
            groups, body);
    }

    /// Calls visit(name, box) for each element in the groups, in slots begin ... past - 1 or in
    /// all slots, until it returns false. The box is that of box_to_ask().
    template <class Visit>
    void for_each_box(std::uint32_t groups, Visit&& visit) const {
        for_each_box(groups, 0, slots(), visit);
    }
    template <class Visit>
    void for_each_box(std::uint32_t groups, std::size_t begin, std::size_t past,
                      Visit&& visit) const {
        if (groups == 0) { return; }
        for (std::size_t slot = begin; slot < past; ++slot) {
            if (names_[slot] == kNoId) { continue; }
            if (groups_kept_ && groups != kAllGroups && (groups_[slot] & groups) == 0) { continue; }
            if (!visit(names_[slot], box_to_ask(position_of(slot), half_of(slot)))) { return; }
        }
    }

    /// Writes the elements that a box finds; for kinds of shapes that look at centres alone, the
    /// elements whose centres the box holds. They come in the order in which tree or grid visit all
    /// elements, which is the same for every question. Nullopt if there is no room for all.
    [[nodiscard]] std::optional<std::size_t> elements_in(ShapeKind kind, const Box<Dim>& box,
                                                         std::span<LargeElement<Dim>> out) const;

    void visit_cells(IndexCellVisitor<Dim> visitor) const { tree_.visit_cells(visitor); }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// On each axis at least the half extent of every element.
    [[nodiscard]] const Point<Dim>& largest() const noexcept { return largest_; }
    /// Elements are in slots below this; edits may have left some slots empty.
    [[nodiscard]] std::size_t slots() const noexcept { return names_.size(); }
    [[nodiscard]] bool contains(Id name) const noexcept { return find(name) != kNoId; }
    [[nodiscard]] bool keeps_groups() const noexcept { return groups_kept_; }
    /// All names are smaller than this: one more than the largest since the last update() or
    /// clear().
    [[nodiscard]] std::size_t name_bound() const noexcept { return bound_; }
    /// The world that configure() was given.
    [[nodiscard]] const std::optional<Box<Dim>>& world() const noexcept { return world_; }
    /// Whether tree and grid are laid out, so that insert() may be called.
    [[nodiscard]] bool is_laid() const noexcept { return centres_.shape().cells[0] != 0; }

    /// Writes the names in ascending order, as many as fit. Returns size().
    std::size_t names(std::span<Id> out) const noexcept {
        if (!indexed_) {
            std::copy_n(names_.begin(), std::min(names_.size(), out.size()), out.begin());
            return size_;
        }
        std::size_t next = 0;
        by_name_.for_each([&](Id slot) {
            if (next == out.size()) { return false; }
            out[next++] = names_[slot];
            return true;
        });
        return size_;
    }

    /// The values of an element of the set.
    [[nodiscard]] Agent<Dim> agent(Id name) const noexcept {
        const Id slot = find(name);
        Agent<Dim> agent{position_of(slot), half_of(slot), {}};
        if (groups_kept_) { agent.groups = groups_[slot]; }
        return agent;
    }

    /// The tree of boxes, and the grid of centres.
    [[nodiscard]] const LooseTree<Dim>& tree() const noexcept { return tree_; }
    [[nodiscard]] const RowGrid<Dim>& centre_grid() const noexcept { return centres_; }
    /// The name of the element of each slot.
    [[nodiscard]] std::span<const Id> name_of_slot() const noexcept { return names_; }
    /// The slot of an element of the set.
    [[nodiscard]] Id slot_of(Id name) const noexcept { return find(name); }
    /// The grid of centres with these names, and with the half extents that it does not keep.
    [[nodiscard]] NamedGrid<Dim> named_grid() const noexcept {
        NamedGrid<Dim> named(centres_, names_);
        for (std::size_t a = 0; a < Dim; ++a) {
            named.half_extents[a] = half_[a].data();
        }
        named.largest = largest_;
        return named;
    }

    [[nodiscard]] MemoryUse memory() const noexcept {
        MemoryUse use = tree_.memory();
        const MemoryUse centres = centres_.memory();
        use.nodes += centres.index();
        use.staging += centres.staging;
        for (std::size_t a = 0; a < Dim; ++a) {
            use.nodes += (position_[a].capacity() + half_[a].capacity()) * sizeof(float);
        }
        use.nodes += groups_.capacity() * sizeof(std::uint32_t);
        use.ids += (names_.capacity() + free_.capacity()) * sizeof(Id) + by_name_.memory();
        return use;
    }

    /// Null, or the first fault: in the arrays, the tree or the grid, or a difference between them.
    /// Takes time in proportion to the elements.
    [[nodiscard]] const char* validate() const;

private:
    template <class>
    friend struct FrozenIndex; // archives whole sets
    [[nodiscard]] Point<Dim> position_of(std::size_t slot) const noexcept {
        Point<Dim> position;
        for (std::size_t a = 0; a < Dim; ++a) {
            position[a] = position_[a][slot];
        }
        return position;
    }
    [[nodiscard]] Point<Dim> half_of(std::size_t slot) const noexcept {
        Point<Dim> half;
        for (std::size_t a = 0; a < Dim; ++a) {
            half[a] = half_[a][slot];
        }
        return half;
    }
    [[nodiscard]] LargeElement<Dim> element_in(std::size_t slot) const noexcept {
        return {names_[slot], position_of(slot), half_of(slot),
                groups_kept_ ? groups_[slot] : kAllGroups};
    }
    /// Calls visit(hit) for every hit of a path.
    template <class Visit>
    void for_each_path_hit(const ShapesView<Dim>& path, const Filter& filter,
                           const Visit& visit) const;
    /// merge_nearest() for bodies, which searches the tree.
    struct NearBodies;
    [[nodiscard]] std::size_t merge_bodies(const NearestFrom<Dim>& from, const Nearest& nearest,
                                           std::span<Near> best, std::size_t count,
                                           const Filter& filter) const noexcept;
    /// Nearest::after for `centres_`, which knows slots in place of names.
    [[nodiscard]] Near slot_after(const Near& after) const noexcept;
    /// Calls visit(near, position) for each element that is exactly this far away.
    template <class Visit>
    void visit_at(const Point<Dim>& point, float distance2, const Filter& filter,
                  const Visit& visit) const;
    /// Breaks ties at the distance of the last of `found` by name. Returns the count, which does
    /// not change.
    std::size_t settle_last(const Point<Dim>& point, const Nearest& nearest, std::span<Near> found,
                            const Filter& filter) const;
    /// Returns ask(index) with the index that answers shapes of this kind.
    template <class Ask>
    auto with_index_for(ShapeKind kind, const Ask& ask) const {
        return finds_centres(kind) ? ask(centres_) : ask(tree_);
    }

    [[nodiscard]] Filter by_slot(const Filter& filter) const noexcept {
        return {filter.groups, filter.without == kNoId ? kNoId : find(filter.without)};
    }

    [[nodiscard]] Id find(Id name) const noexcept {
        if (indexed_) { return by_name_.find(name, names_); }
        const auto at = std::lower_bound(names_.begin(), names_.end(), name);
        return at != names_.end() && *at == name ? static_cast<Id>(at - names_.begin()) : kNoId;
    }

    /// The first edit calls this: names ascend only until then. There must be room for all.
    void index_names() noexcept;

    [[nodiscard]] const char* fault_of_arrays() const;
    [[nodiscard]] const char* fault_of_names() const;
    [[nodiscard]] const char* fault_of_slots() const;
    [[nodiscard]] const char* fault_of_layout() const;
    [[nodiscard]] const char* fault_of_tree() const;
    [[nodiscard]] const char* fault_of_centres() const;
    [[nodiscard]] bool has_element(std::size_t slot) const noexcept {
        return slot < names_.size() && names_[slot] != kNoId;
    }

    void reserve_slot();
    void add_slot() noexcept;
    /// A capacity for `count` elements that grows by doubling.
    template <class T>
    [[nodiscard]] static std::size_t room_for(const Vector<T>& values, std::size_t count) noexcept {
        if (count <= values.capacity()) { return values.capacity(); }
        return std::max(count, 2 * values.capacity() + 16);
    }

    /// Copies the values of the chosen elements. Throws std::bad_alloc.
    void gather(const Agents<Dim>& agents, std::span<const Id> chosen, const CrowdKind<Dim>& kind);

    void put(std::size_t slot, Id name, const Point<Dim>& position, const Point<Dim>& half,
             std::uint32_t groups) noexcept;

    [[nodiscard]] Agents<Dim> views() const noexcept;
    [[nodiscard]] Agents<Dim> centres() const noexcept;

    /// The cells for the centres: they follow from the elements and the world alone. Fewer than
    /// kFew elements are found soon in any cells, so their cells follow from the world.
    [[nodiscard]] OrStatus<GridShape<Dim>> wanted_shape() const noexcept;
    [[nodiscard]] OrStatus<GridShape<Dim>> shape_over_world() const noexcept;

    /// Empties tree and grid and lays them out, the grid with these cells.
    Status lay(const OrStatus<GridShape<Dim>>& cells);

    static constexpr float kCellsOfWorld = 16.0f;
    static constexpr std::size_t kFew = 64;

    LooseTree<Dim> tree_;
    RowGrid<Dim> centres_;
    std::array<Vector<float>, Dim> position_, half_; // by slot
    Vector<std::uint32_t> groups_;
    Vector<Id> names_; // kNoId: an empty slot
    Vector<Id> free_;
    NameIndex by_name_;     // used from the first edit on
    bool indexed_ = false;  // before the first edit names ascend, and no slot is empty
    std::size_t bound_ = 0; // see name_bound()
    std::size_t size_ = 0;
    Point<Dim> largest_{};
    bool groups_kept_ = false;
    std::optional<Box<Dim>> world_; // for elements that come one by one
};

extern template class LargeElements<2>;
extern template class LargeElements<3>;

} // namespace throng
