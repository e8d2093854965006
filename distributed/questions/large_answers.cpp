#include "large_answers.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace throng {

/// The number of giants whose global ids are at most `id`.
template <std::size_t Dim>
std::size_t LargeAnswers<Dim>::giants_up_to(GlobalId id) const noexcept {
    const std::span<const Id> giants = here_.part.giants();
    const auto past = std::partition_point(
        giants.begin(), giants.end(), [&](Id giant) { return here_.census.name(giant) <= id; });
    return static_cast<std::size_t>(past - giants.begin());
}

/// The largest id in the crowd that a giant or static with a global id up to `id` can have; larger
/// global ids have larger ids.
template <std::size_t Dim>
Id LargeAnswers<Dim>::last_up_to(GlobalId id) const noexcept {
    if (id >= kFirstGlobalStatic) {
        constexpr GlobalId kLast = kMostInCrowd - 1;
        return static_id(std::min(id - kFirstGlobalStatic, kLast));
    }
    // Where there are giants, the part has agents.
    const std::size_t names = here_.part.agents() + giants_up_to(id);
    return names == 0 ? 0 : static_cast<Id>(names - 1);
}

template <std::size_t Dim>
Filter LargeAnswers<Dim>::local(const GlobalFilter& filter) const noexcept {
    const Id last = last_up_to(filter.without);
    const bool large =
        is_static(last) || giants_up_to(filter.without) != 0; // then `last` is a giant or a static
    return {filter.groups, large && global(last) == filter.without ? last : kNoId};
}

template <std::size_t Dim>
Filter LargeAnswers<Dim>::filter(std::size_t question) const noexcept {
    if (filters_.empty()) { return {}; }
    return local(filters_.size() == 1 ? filters_[0] : filters_[question]);
}

template <std::size_t Dim>
Status LargeAnswers<Dim>::list(const ShapesView<Dim>& shapes, GlobalHits& hits) {
    Vector<Filter> each(filters_.size());
    std::transform(filters_.begin(), filters_.end(), each.begin(),
                   [&](const GlobalFilter& filter) { return local(filter); });
    Filters filters;
    if (each.size() == 1) { filters = each[0]; }
    if (each.size() > 1) { filters = each; }
    Hits found;
    const Status status = here_.batch.query({here_.part.crowd(), sets_}, shapes, found, filters);
    if (!status.ok()) { return status; }
    found.ids.resize(length_of(found.total()));
    hits.ids.resize(found.ids.size());
    std::transform(found.ids.begin(), found.ids.end(), hits.ids.begin(),
                   [&](Id name) { return global(name); });
    hits.offsets = std::move(found.offsets);
    return {};
}

template <std::size_t Dim>
Status LargeAnswers<Dim>::count(const ShapesView<Dim>& shapes, bool any,
                                std::span<std::uint64_t> counts) {
    const Crowd<Dim>& crowd = here_.part.crowd();
    return answer_each(here_, shapes.count, [&](std::size_t q) {
        const ShapesView<Dim> shape = shapes.part(q, 1);
        counts[q] = any ? crowd.any(shape, filter(q), sets_).count
                        : crowd.count(shape, filter(q), sets_).count;
    });
}

template <std::size_t Dim>
Status LargeAnswers<Dim>::nearest(std::span<const Point<Dim>> points, const GlobalNearest& nearest,
                                  GlobalNearHits& hits) {
    const std::size_t k = nearest.k;
    if (k == 0) { return {}; }
    Nearest asked = {nearest.k,    nearest.radius, nearest.least,
                     nearest.band, kBeforeAll,     nearest.body};
    if (!(nearest.after.distance2 < 0.0f)) {
        asked.after = {nearest.after.distance2, last_up_to(nearest.after.id)};
    }
    return answer_each(here_, points.size(), [&](std::size_t q) {
        std::array<Near, kMostNearest> near;
        const Found found = here_.part.nearest(here_.world, points[q], asked,
                                               std::span(near).first(k), filter(q), sets_);
        for (std::size_t i = 0; i < found.count; ++i) {
            hits.nearest[q * k + i] = {near[i].distance2, global(near[i].id)};
        }
        hits.counts[q] = static_cast<std::uint32_t>(found.count);
    });
}

template <std::size_t Dim>
Status LargeAnswers<Dim>::first(const ShapesView<Dim>& paths, std::span<GlobalMeeting> first) {
    return answer_each(here_, paths.count, [&](std::size_t q) {
        PathHit hit;
        const Found found = here_.part.crowd().first(paths.part(q, 1), hit, filter(q), sets_);
        if (found.count != 0) { first[q] = {hit.time, global(hit.id)}; }
    });
}

template <std::size_t Dim>
Status LargeAnswers<Dim>::meetings(const ShapesView<Dim>& paths, GlobalMeetings& meetings) {
    Vector<std::vector<PathHit>> all(paths.count);
    const Status status = answer_each(here_, paths.count, [&](std::size_t q) {
        // Refuses nothing: the paths are sound.
        (void)here_.part.crowd().hits(paths.part(q, 1), all[q], filter(q), sets_);
    });
    if (!status.ok()) { return status; }
    meetings.offsets.assign(1, 0);
    meetings.meetings.clear();
    for (const std::vector<PathHit>& hits : all) {
        for (const PathHit& hit : hits) {
            meetings.meetings.push_back({hit.time, global(hit.id)});
        }
        meetings.offsets.push_back(meetings.meetings.size());
    }
    return {};
}

template class LargeAnswers<2>;
template class LargeAnswers<3>;

} // namespace throng
