// The elements of a crowd that are not in its grid: giants, or statics. Internal to the engine.
#pragma once

#include "agent_test.hpp"
#include "agents.hpp"
#include "ball.hpp"
#include "executor.hpp"
#include "filter.hpp"
#include "found.hpp"
#include "grid_shape.hpp"
#include "memory_use.hpp"
#include "near_merge.hpp"
#include "nearest.hpp"
#include "progress.hpp"
#include "row_grid.hpp"
#include "spatial_index.hpp"
#include "static_tree.hpp"
#include "status.hpp"
#include "validation.hpp"
#include "vector.hpp"

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

/// A shape that looks at centres alone.
template <class Shape, std::size_t Dim>
concept CentresIn = std::same_as<Shape, Ball<Dim>> || std::same_as<Shape, Sector<Dim>>;

/// The box of an agent, as questions may have it: sides beyond kLargest are no question's, and
/// nobody is beyond.
template <std::size_t Dim>
[[nodiscard]] Box<Dim> box_to_ask(const Point<Dim>& position, const Point<Dim>& half) noexcept {
    Box<Dim> box = Box<Dim>::around(position, half);
    for (std::size_t a = 0; a < Dim; ++a) {
        box.lo[a] = std::max(box.lo[a], -kLargest);
        box.hi[a] = std::min(box.hi[a], kLargest);
    }
    return box;
}

/// One of a set, as questions look at it.
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

/// Some elements of a crowd, twice: their boxes in a tree, and their centres in a grid, which
/// answers what looks at centres alone. In both they are called by their places 0 ... in arrays of
/// the set's own, which tell what the crowd calls them.
///
/// Speaks as an index does. After a change that failed it is not to be used any more: whoever
/// changes one that matters changes a spare one.
template <std::size_t Dim, class Tree>
class LargeSet : public FromSource {
public:
    /// Forgets all. Lays tree and grid over a world, for those who come one by one.
    Status configure(const Box<Dim>& world, bool groups);

    /// Takes those elements of the arrays that are chosen; the crowd calls them by these names,
    /// which ascend. What is kept of them `kind` says: arrays of nobody do not tell.
    Status update(const Agents<Dim>& agents, const CrowdKind<Dim>& kind, std::span<const Id> chosen,
                  std::span<const Id> names, Executor& executor, const Progress& progress = {});

    /// One element, whose values have been checked; there must have been a configure() or an
    /// update(). Throws std::bad_alloc.
    Status insert(Id name, const Point<Dim>& position, const Point<Dim>& half,
                  std::uint32_t groups);

    /// `name` must be here.
    Status erase(Id name);

    /// `name` must be here, and the position sound.
    Status move(Id name, const Point<Dim>& position);

    void clear() noexcept;

    void release_staging() noexcept {
        centres_.release_staging();
        if constexpr (requires { tree_.release_staging(); }) { tree_.release_staging(); }
    }

    /// Hands over runs of names, of at most `most` ids where the tree is asked.
    template <class Shape>
    Found visit(const Shape& shape, IndexVisitor visitor, const Filter& filter,
                std::size_t most = kLongestRun) const {
        const auto by_name = [&](std::span<const Id> places) {
            std::array<Id, kLongestRun> names;
            std::transform(places.begin(), places.end(), names.begin(),
                           [&](Id place) { return names_[place]; });
            return visitor({names.data(), places.size()});
        };
        if constexpr (CentresIn<Shape, Dim>) {
            return centres_.visit(shape, by_name, by_place(filter));
        } else {
            return tree_.visit(shape, by_name, by_place(filter), most);
        }
    }

    template <class Shape>
    Found count(const Shape& shape, const Filter& filter) const {
        if constexpr (CentresIn<Shape, Dim>) {
            return centres_.count(shape, by_place(filter));
        } else {
            return tree_.count(shape, by_place(filter));
        }
    }

    template <class Shape>
    Found any(const Shape& shape, const Filter& filter) const {
        if constexpr (CentresIn<Shape, Dim>) {
            return centres_.any(shape, by_place(filter));
        } else {
            return tree_.any(shape, by_place(filter));
        }
    }

    /// The answers to many; the arrays hold them alone.
    template <class Shape>
    Status query(std::span<const Shape> shapes, Hits& hits, const Filter& filter) const {
        Status status;
        if constexpr (CentresIn<Shape, Dim>) {
            status = centres_.query(shapes, hits, by_place(filter));
        } else {
            status = tree_.query(shapes, hits, by_place(filter));
        }
        if (!status.ok()) { return status; }
        for (std::size_t i = 0; i < hits.total(); ++i) {
            hits.ids[i] = names_[hits.ids[i]];
        }
        return {};
    }

    /// The first of a path; `best` if nobody here is met before it.
    template <class Path>
    [[nodiscard]] Meeting first(const Path& path, const Filter& filter, Meeting best) const {
        const AgentTest<Path> test(path);
        (void)tree_.visit(
            path,
            [&](std::span<const Id> places) {
                for (const Id place : places) {
                    best = std::min(best, meeting(test, place));
                }
                return true;
            },
            by_place(filter));
        return best;
    }

    /// Appends whom a path meets. Throws std::bad_alloc.
    template <class Path>
    void meetings(const Path& path, const Filter& filter, std::vector<Meeting>& all) const {
        const AgentTest<Path> test(path);
        (void)tree_.visit(
            path,
            [&](std::span<const Id> places) {
                for (const Id place : places) {
                    all.push_back(meeting(test, place));
                }
                return true;
            },
            by_place(filter));
    }

    /// As RowGrid::nearest(), of questions that make sense.
    [[nodiscard]] std::size_t nearest(const Point<Dim>& point, const Nearest& nearest,
                                      std::span<Near> out, const Filter& filter) const {
        std::size_t count = centres_.nearest(point, nearest, out, by_place(filter)).count;
        const std::span<Near> found = out.first(count);
        for (Near& near : found) {
            near.id = names_[near.id];
        }
        if (place_of_.empty()) { return count; }
        // Edits have mixed up names and places, which decide between those equally near: also
        // between the last one and others.
        std::sort(found.begin(), found.end(), comes_before);
        if (count < nearest.k) { return count; }
        const float farthest = found.back().distance2;
        (void)centres_.visit(
            Ball<Dim>{point, radius_over(farthest)},
            [&](std::span<const Id> places) {
                for (const Id place : places) {
                    const Near near{distance2_between(point, position_of(place)), names_[place]};
                    if (near.distance2 != farthest || !comes_before(near, found.back())) {
                        continue;
                    }
                    const auto at =
                        std::lower_bound(found.begin(), found.end(), near, comes_before);
                    if (at->id == near.id) { continue; }
                    std::move_backward(at, found.end() - 1, found.end());
                    *at = near;
                }
                return true;
            },
            by_place(filter));
        return count;
    }

    /// Pairs within the set, by name.
    Found visit_pairs(IndexPairVisitor visitor, std::uint32_t groups) const {
        return tree_.visit_pairs(
            [&](std::span<const Id> first, std::span<const Id> second) {
                std::array<Id, 2 * kLongestRun> a, b;
                for (std::size_t i = 0; i < first.size(); ++i) {
                    a[i] = names_[first[i]];
                    b[i] = names_[second[i]];
                }
                return visitor({a.data(), first.size()}, {b.data(), first.size()});
            },
            groups);
    }

    /// Calls visit(name, box) for each element in the groups, of those in places begin ... past - 1
    /// or of all, until it returns false; the box is as questions may have it.
    template <class Visit>
    void for_each_box(std::uint32_t groups, Visit&& visit) const {
        for_each_box(groups, 0, places(), visit);
    }
    template <class Visit>
    void for_each_box(std::uint32_t groups, std::size_t begin, std::size_t past,
                      Visit&& visit) const {
        if (groups == 0) { return; }
        for (std::size_t place = begin; place < past; ++place) {
            if (names_[place] == kNoId) { continue; }
            if (groups_kept_ && groups != kAllGroups && (groups_[place] & groups) == 0) {
                continue;
            }
            if (!visit(names_[place], box_to_ask(position_of(place), half_of(place)))) { return; }
        }
    }

    /// Writes the elements that a box finds, or of those that shapes of this kind find by their
    /// centres, whose centres it holds. Trees and grids go over all in one order, whatever is
    /// asked: in that they come. Nothing where there is no room for all.
    template <class Shape>
    [[nodiscard]] std::optional<std::size_t> elements_in(const Box<Dim>& box,
                                                         std::span<LargeElement<Dim>> out) const {
        std::size_t count = 0;
        bool fit = true;
        const auto note = [&](std::span<const Id> places) {
            fit = count + places.size() <= out.size();
            for (std::size_t i = 0; fit && i < places.size(); ++i) {
                const Id place = places[i];
                out[count++] = {names_[place], position_of(place), half_of(place),
                                groups_kept_ ? groups_[place] : kAllGroups};
            }
            return fit;
        };
        if constexpr (CentresIn<Shape, Dim>) {
            (void)centres_.visit(box, note);
        } else {
            (void)tree_.visit(box, note);
        }
        return fit ? std::optional(count) : std::nullopt;
    }

    void visit_cells(IndexCellVisitor<Dim> visitor) const { tree_.visit_cells(visitor); }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// On each axis no less than the half extent of any element.
    [[nodiscard]] const Point<Dim>& largest() const noexcept { return largest_; }
    /// Elements are in places below this, some of which edits have left empty.
    [[nodiscard]] std::size_t places() const noexcept { return names_.size(); }
    [[nodiscard]] bool contains(Id name) const noexcept { return find(name) != kNoId; }
    [[nodiscard]] bool keeps_groups() const noexcept { return groups_kept_; }
    /// All names are smaller than this.
    [[nodiscard]] std::size_t name_bound() const noexcept {
        if (!place_of_.empty()) { return place_of_.size(); }
        return names_.empty() ? 0 : std::size_t{names_.back()} + 1;
    }

    /// Appends the names in ascending order, as far as there is room. Returns size().
    std::size_t names(std::span<Id> out) const noexcept {
        if (place_of_.empty()) {
            std::copy_n(names_.begin(), std::min(names_.size(), out.size()), out.begin());
            return size_;
        }
        std::size_t next = 0;
        for (std::size_t name = 0; name < place_of_.size() && next < out.size(); ++name) {
            if (place_of_[name] != kNoId) { out[next++] = static_cast<Id>(name); }
        }
        return size_;
    }

    /// What an element is, which must be here.
    [[nodiscard]] Agent<Dim> agent(Id name) const noexcept {
        const Id place = find(name);
        Agent<Dim> agent{position_of(place), half_of(place), {}};
        if (groups_kept_) { agent.groups = groups_[place]; }
        return agent;
    }

    /// The tree's, and the grid of centres.
    [[nodiscard]] const Tree& tree() const noexcept { return tree_; }
    [[nodiscard]] const RowGrid<Dim>& centre_grid() const noexcept { return centres_; }
    /// What the crowd calls the element of each place.
    [[nodiscard]] std::span<const Id> name_of_place() const noexcept { return names_; }

    [[nodiscard]] MemoryUse memory() const noexcept {
        MemoryUse use = tree_.memory();
        const MemoryUse centres = centres_.memory();
        use.nodes += centres.index();
        use.staging += centres.staging;
        for (std::size_t a = 0; a < Dim; ++a) {
            use.nodes += (position_[a].capacity() + half_[a].capacity()) * sizeof(float);
        }
        use.nodes += groups_.capacity() * sizeof(std::uint32_t);
        use.ids += (names_.capacity() + free_.capacity() + place_of_.capacity()) * sizeof(Id);
        return use;
    }

    [[nodiscard]] const char* validate() const {
        if (tree_.size() != size_ || centres_.size() != size_) {
            return "the tree or the grid of a set holds another number of elements";
        }
        if (const char* wrong = tree_.validate(); wrong != nullptr) { return wrong; }
        if (const char* wrong = centres_.validate(); wrong != nullptr) { return wrong; }
        std::size_t named = 0;
        for (std::size_t place = 0; place < names_.size(); ++place) {
            if (names_[place] == kNoId) { continue; }
            ++named;
            if (find(names_[place]) != place) { return "a name does not lead to its place"; }
            if (!tree_.contains(static_cast<Id>(place)) ||
                !centres_.contains(static_cast<Id>(place))) {
                return "an element is not in the tree or in the grid";
            }
        }
        return named == size_ ? nullptr : "a set has another number of names";
    }

private:
    template <class>
    friend struct FrozenIndex; // writes all that there is, and reads it
    [[nodiscard]] Point<Dim> position_of(std::size_t place) const noexcept {
        Point<Dim> position;
        for (std::size_t a = 0; a < Dim; ++a) {
            position[a] = position_[a][place];
        }
        return position;
    }
    [[nodiscard]] Point<Dim> half_of(std::size_t place) const noexcept {
        Point<Dim> half;
        for (std::size_t a = 0; a < Dim; ++a) {
            half[a] = half_[a][place];
        }
        return half;
    }
    template <class Test>
    [[nodiscard]] Meeting meeting(const Test& test, Id place) const noexcept {
        return {test.time(position_of(place), half_of(place)), names_[place]};
    }

    [[nodiscard]] Filter by_place(const Filter& filter) const noexcept {
        return {filter.groups, filter.without == kNoId ? kNoId : find(filter.without)};
    }

    [[nodiscard]] Id find(Id name) const noexcept {
        if (!place_of_.empty()) { return name < place_of_.size() ? place_of_[name] : kNoId; }
        const auto at = std::lower_bound(names_.begin(), names_.end(), name);
        return at != names_.end() && *at == name ? static_cast<Id>(at - names_.begin()) : kNoId;
    }

    /// From the first edit on, a table: names are in order only after an update. Throws
    /// std::bad_alloc, and then nothing has changed.
    void index_names();

    void add_place();
    /// A capacity for so many that grows by doubling.
    template <class T>
    [[nodiscard]] static std::size_t room_for(const Vector<T>& values, std::size_t count) noexcept {
        if (count <= values.capacity()) { return values.capacity(); }
        return std::max(count, 2 * values.capacity() + 16);
    }

    /// The values of those who are chosen. Throws std::bad_alloc.
    void gather(const Agents<Dim>& agents, std::span<const Id> chosen, const CrowdKind<Dim>& kind);

    void put(std::size_t place, Id name, const Point<Dim>& position, const Point<Dim>& half,
             std::uint32_t groups) noexcept;

    Status insert_or_undo(Id place, const Agent<Dim>& agent);

    [[nodiscard]] Agents<Dim> views() const noexcept;
    [[nodiscard]] Agents<Dim> centres() const noexcept;

    /// Whether the elements have left the bounds that tree and grid were laid over, or live in a
    /// small part of them. A few are found soon wherever they are.
    [[nodiscard]] bool needs_refit(const Box<Dim>& bounds) const noexcept;

    Status lay_over_world();

    Status refit(const Box<Dim>& bounds, const ShapeOrStatus<Dim>& shape);

    static constexpr float kCellsOfWorld = 16.0f;
    static constexpr std::size_t kFew = 64;

    Tree tree_;
    RowGrid<Dim> centres_;
    std::array<Vector<float>, Dim> position_, half_; // by place
    Vector<std::uint32_t> groups_;
    Vector<Id> names_; // kNoId: a hole
    Vector<Id> free_;
    Vector<Id> place_of_; // by name; empty before the first edit
    std::size_t size_ = 0;
    Point<Dim> largest_{};
    bool groups_kept_ = false;
    std::optional<Box<Dim>> world_;  // where those come who come one by one
    std::optional<Box<Dim>> fitted_; // what tree and grid were laid over
    std::size_t fitted_size_ = 0;
    bool fitted_groups_ = false;
};

extern template class LargeSet<2, StaticTree<2>>;
extern template class LargeSet<3, StaticTree<3>>;

} // namespace throng
