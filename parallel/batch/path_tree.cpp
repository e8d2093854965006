#include "path_tree.hpp"

#include "../../engine/core/profile_scope.hpp"
#include "../../engine/grid/planner/planner_costs.hpp"
#include "../../engine/grid/query_stats.hpp"
#include "../../engine/grid/rows/storage_range.hpp"
#include "../../engine/shapes/single_shape.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace throng {

namespace {

/// At most this many questions are tried to predict the cost of all.
constexpr std::size_t kSample = 16;
/// Predictions are not exact: the predicted saving must be this many times the cost of packing.
constexpr double kMargin = 2.0;

/// Nanoseconds that a tree would save on a question, predicted from the work of the search in rows.
template <std::size_t Dim>
double saving_of(const QueryStats& did, PathAnswer answer) noexcept {
    using namespace planner_costs;
    constexpr double kRowsCall = Dim == 2 ? kPlanePathCall : kSpacePathCall;
    constexpr double kRowsRow = Dim == 2 ? kPlanePathRow : kSpacePathRow;
    constexpr double kRowsNode = Dim == 2 ? kPlanePathNode : kSpacePathNode;
    constexpr double kTreeCall = Dim == 2 ? kPlaneTreeCall : kSpaceTreeCall;
    constexpr double kTreeRow = Dim == 2 ? kPlaneTreeRow : kSpaceTreeRow;
    constexpr double kTreeHit = Dim == 2 ? kPlaneTreeHit : kSpaceTreeHit;
    const auto rows = static_cast<double>(did.rows), tested = static_cast<double>(did.tested);
    const auto hits = static_cast<double>(did.hits);
    double in_rows = kRowsRow * rows + kRowsNode * tested;
    double in_tree = kTreeRow * rows + kTreeHit * hits;
    if (answer == PathAnswer::any) { // the search stops at the first hit
        in_rows /= hits + 1.0;
        in_tree /= hits + 1.0;
    }
    if (answer == PathAnswer::ids) { in_tree += kSortHit * hits; }
    return kRowsCall + in_rows - kTreeCall - in_tree;
}

} // namespace

void sort_spread(std::span<std::uint32_t> numbers, std::span<std::uint32_t> scratch) noexcept {
    constexpr std::size_t kFew = 24, kMostParts = 512;
    const std::size_t n = numbers.size();
    if (n <= kFew) { return std::sort(numbers.begin(), numbers.end()); }
    const auto [least, greatest] = std::minmax_element(numbers.begin(), numbers.end());
    const std::uint32_t low = *least;
    const auto wanted = static_cast<unsigned>(std::bit_width(std::min(n, kMostParts - 1)));
    const auto width = static_cast<unsigned>(std::bit_width(*greatest - low));
    const unsigned shift = width > wanted ? width - wanted : 0;
    // First the number of elements in each part, then where the part ends.
    std::array<std::uint32_t, kMostParts> end;
    const std::size_t parts = ((*greatest - low) >> shift) + 1;
    std::fill_n(end.begin(), parts, 0u);
    for (const std::uint32_t number : numbers) {
        ++end[(number - low) >> shift];
    }
    std::uint32_t sum = 0;
    for (std::size_t part = 0; part < parts; ++part) {
        const std::uint32_t count = end[part];
        end[part] = sum;
        sum += count;
    }
    for (const std::uint32_t number : numbers) {
        scratch[end[(number - low) >> shift]++] = number;
    }
    // Larger parts are sorted here; parts of a few numbers are sorted while they are copied back.
    constexpr std::uint32_t kLarge = 16;
    std::uint32_t begin = 0;
    for (std::size_t part = 0; part < parts; ++part) {
        if (end[part] - begin > kLarge) {
            std::sort(scratch.begin() + begin, scratch.begin() + end[part]);
        }
        begin = end[part];
    }
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t number = scratch[i];
        std::size_t at = i;
        for (; at > 0 && numbers[at - 1] > number; --at) {
            numbers[at] = numbers[at - 1];
        }
        numbers[at] = number;
    }
}

template <std::size_t Dim>
Found PathTree<Dim>::pays(const RowGrid<Dim>& grid, const ShapesView<Dim>& questions,
                          const Filters& filters, PathAnswer answer, Executor& executor) {
    const auto& state = detail::state_of(grid);
    const Edition now = state.edition;
    if (now != asked_) {
        before_ = now.grid == asked_.grid ? saving_ : 0.0;
        saving_ = 0.0;
        asked_ = now;
    }
    const std::size_t sample = std::min(kSample, questions.count / least(answer));
    double saving = 0.0;
    for (std::size_t i = 0; i < sample; ++i) {
        const std::size_t q = i * questions.count / sample;
        const ShapesView<Dim> path = questions.part(q, 1);
        if (!check_single(path).ok()) { return {}; } // refused later, by the rows
        const QueryStats did = state.stats_of(path, filters.of(q));
        if (did.path != SearchPath::none) { saving += saving_of<Dim>(did, answer); }
    }
    saving *= static_cast<double>(questions.count) / static_cast<double>(sample);
    if (saving <= 0.0) { return {}; }
    saving_ += saving;
    if (packed_ == now) { return {1, {}}; }
    constexpr double kPack = Dim == 2 ? planner_costs::kPlanePack : planner_costs::kSpacePack;
    const double packing = kMargin * kPack * static_cast<double>(grid.size());
    if (std::max(saving_, before_) < packing) { return {}; }
    const Status status = pack(grid, executor);
    return {status.ok() ? 1u : 0u, status};
}

template <std::size_t Dim>
Status PathTree<Dim>::pack(const RowGrid<Dim>& grid, Executor& executor) {
    const ProfileScope profiled("Batch::pack_tree");
    packed_ = {};
    const auto& state = detail::state_of(grid);
    const RowStore<Dim>& store = state.store;
    const CrowdKind<Dim>& kind = store.kind();
    const std::size_t agents = grid.size(), slices = state.slices.count();
    using Fields = simd::Fields<Dim>;
    const auto range = [&](std::size_t slice) {
        return StorageRange<Dim>(state.slices, slice, slice + 1);
    };
    first_of_.resize(slices + 1);
    first_of_[0] = 0;
    for (std::size_t slice = 0; slice < slices; ++slice) {
        first_of_[slice + 1] = first_of_[slice] + range(slice).agents(store);
    }
    id_of_.resize(agents);
    for (std::size_t a = 0; a < Dim; ++a) {
        position_[a].resize(agents);
        half_[a].resize(kind.own_half_extents ? agents : 0);
    }
    groups_.resize(kind.groups ? agents : 0);
    const auto gather = [&](std::size_t slice) {
        std::size_t place = first_of_[slice];
        range(slice).for_each_row(
            store, [&](std::uint32_t r, std::uint32_t first, std::uint32_t past) {
                const simd::Row& row = store.rows()[r];
                const std::size_t bytes = (past - first) * sizeof(std::uint32_t);
                const auto copy = [&](std::size_t field, auto& to) {
                    std::memcpy(to.data() + place, store.field(row, field) + first, bytes);
                };
                copy(Fields::kId, id_of_);
                for (std::size_t a = 0; a < Dim; ++a) {
                    copy(Fields::kPosition + a, position_[a]);
                    if (kind.own_half_extents) { copy(Fields::kHalfExtent + a, half_[a]); }
                }
                if (kind.groups) { copy(Fields::groups(kind.own_half_extents), groups_); }
                place += past - first;
            });
    };
    Status status = run_blocks(executor, slices, gather, claims_, LoopCost::of(agents, 1.0));
    if (!status.ok()) { return status; }
    const auto all_axes = [](const auto& values) {
        std::array<const float*, Dim> axes;
        for (std::size_t a = 0; a < Dim; ++a) {
            axes[a] = values[a].data();
        }
        return axes;
    };
    Agents<Dim> all{PointView<Dim>::separate(all_axes(position_), agents)};
    all.common_half_extent = kind.common_half_extent;
    if (kind.own_half_extents) {
        all.half_extents = PointView<Dim>::separate(all_axes(half_), agents);
    }
    if (kind.groups) { all.groups = {groups_.data(), sizeof(std::uint32_t), agents}; }
    status = tree_.update(all, executor);
    if (status.ok()) { packed_ = state.edition; }
    return status;
}

template <std::size_t Dim>
Found PathTree<Dim>::find(const ShapesView<Dim>& path, OutputPart& part,
                          const Filter& filter) const {
    if (part.found.empty()) { part.found.resize(1024); }
    Found found;
    for (;;) {
        const std::size_t half = part.found.size() / 2;
        found = tree_.query(path, std::span(part.found).first(half), {filter.groups});
        if (found.count <= half) { break; }
        part.found.resize(2 * (found.count + found.count / 4));
    }
    const std::span<std::uint32_t> places = std::span(part.found).first(found.count);
    if (filter.without != kNoId) {
        const auto gone = std::find_if(places.begin(), places.end(), [&](std::uint32_t place) {
            return id_of_[place] == filter.without;
        });
        if (gone != places.end()) { std::swap(*gone, places[--found.count]); }
    }
    return found;
}

template <std::size_t Dim>
Found PathTree<Dim>::query(const ShapesView<Dim>& questions, OutputPart& part,
                           const HitsBuffer& out, const Filters& filters) const {
    std::uint64_t end = out.used;
    out.offsets[0] = end;
    for (std::size_t q = 0; q < questions.count; ++q) {
        const Found found = find(questions.part(q, 1), part, filters.of(q));
        if (!found.status.ok()) { return found; }
        const std::span<std::uint32_t> all(part.found);
        sort_spread(all.first(found.count), all.subspan(all.size() / 2));
        const std::uint64_t room = out.ids.size() - std::min<std::uint64_t>(end, out.ids.size());
        for (std::size_t i = 0; i < std::min<std::uint64_t>(found.count, room); ++i) {
            out.ids[end + i] = id_of_[part.found[i]];
        }
        end += found.count;
        out.offsets[q + 1] = end;
    }
    return Found::of(end - out.used);
}

template <std::size_t Dim>
template <class TallyOne>
Found PathTree<Dim>::tally(const ShapesView<Dim>& questions, std::span<std::uint32_t> counts,
                           const Filters& filters, const TallyOne& tally_one) const {
    Found sum;
    for (std::size_t q = 0; q < questions.count; ++q) {
        const Found found = tally_one(questions.part(q, 1), filters.of(q));
        if (!found.status.ok()) { return found; }
        counts[q] = static_cast<std::uint32_t>(found.count);
        sum.count += found.count;
    }
    return sum;
}

template <std::size_t Dim>
Found PathTree<Dim>::count(const ShapesView<Dim>& questions, OutputPart& part,
                           std::span<std::uint32_t> counts, const Filters& filters) const {
    return tally(questions, counts, filters, [&](const auto& path, const Filter& filter) {
        return filter.without == kNoId ? tree_.count(path, filter) : find(path, part, filter);
    });
}

template <std::size_t Dim>
Found PathTree<Dim>::any(const ShapesView<Dim>& questions, std::span<std::uint32_t> counts,
                         const Filters& filters) const {
    return tally(questions, counts, filters, [&](const auto& path, const Filter& filter) {
        if (filter.without == kNoId) { return tree_.any(path, filter); }
        constexpr std::size_t kFew = 32; // most paths soon hit an agent other than `without`
        bool hit = false;
        Found found = tree_.visit(
            path,
            [&](std::span<const std::uint32_t> places) {
                hit = std::any_of(places.begin(), places.end(), [&](std::uint32_t place) {
                    return id_of_[place] != filter.without;
                });
                return !hit;
            },
            {filter.groups}, kFew);
        found.count = hit ? 1 : 0;
        return found;
    });
}

template <std::size_t Dim>
std::size_t PathTree<Dim>::memory() const noexcept {
    std::size_t words = id_of_.capacity() + groups_.capacity();
    for (std::size_t a = 0; a < Dim; ++a) {
        words += position_[a].capacity() + half_[a].capacity();
    }
    return tree_.memory().total() + words * sizeof(std::uint32_t) +
           first_of_.capacity() * sizeof(std::size_t) + claims_.memory();
}

template class PathTree<2>;
template class PathTree<3>;

} // namespace throng
