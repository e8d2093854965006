// A Crowd of agents among statics, as an index of only the agents.
#pragma once

#include "../support/numbers.hpp"
#include "../support/truth.hpp"
#include "subjects.hpp"

#include <throng/engine/crowd/crowd.hpp>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace throng::test {

/// Every other update() puts statics where the first agents are; they stay until the update after
/// the next. All questions are about agents and statics: the statics of an answer are compared with
/// the oracle, and its agents are returned. If the statics are wrong, the status is kWrong.
template <std::size_t Dim>
class CrowdAmongStatics : public CrowdWithOthers<CrowdAmongStatics<Dim>, Dim> {
    using Base = Crowd<Dim>;
    friend class CrowdWithOthers<CrowdAmongStatics<Dim>, Dim>;

public:
    Status configure(const CrowdSettings<Dim>& settings, const CrowdKind<Dim>& kind) {
        const Status status = Base::configure(settings, kind);
        return status.ok() ? truth_.configure(kind) : status;
    }
    Status update(const Agents<Dim>& agents) {
        const Status status = change([&](auto& index) { return index.update(agents); });
        if (!status.ok()) { return status; }
        ++updates_;
        return has_stood() ? stand(first_of(agents, kMost)) : status;
    }
    Status insert(Id id, const Agent<Dim>& agent) {
        return change_both(Edit<Dim>::insert(id, agent));
    }
    Status erase(Id id) { return change_both(Edit<Dim>::erase(id)); }
    Status move(Id id, const Point<Dim>& position) {
        return change_both(Edit<Dim>::move(id, position));
    }
    /// A list of edits of agents has edits of statics between them: those that will be accepted.
    Status edit(std::span<const Edit<Dim>> edits) {
        std::vector<Edit<Dim>> all;
        std::vector<std::size_t> index_of;
        Truth<Dim> statics = truth_;
        for (std::size_t i = 0; i < edits.size(); ++i) {
            Edit<Dim> castle = of_static(edits[i]);
            if (!statics.edit(castle).ok()) {
                castle.kind = Edit<Dim>::Kind::erase;
                if (!statics.edit(castle).ok()) { castle.id = edits[i].id; }
            }
            if (is_static(castle.id)) { all.push_back(castle); }
            all.push_back(edits[i]);
            index_of.resize(all.size(), i);
        }
        Status status =
            change([&](auto& index) { return index.edit(std::span<const Edit<Dim>>(all)); });
        if (status.argument == Argument::edits) { status.index = index_of[status.index]; }
        return status;
    }
    void clear() noexcept {
        Base::clear();
        truth_.clear();
    }

    template <ShapeIn<Dim> Shape>
    Found visit(const Shape& shape, IndexVisitor visitor, const Filter& filter = {}) const {
        Ids all;
        const Found found = Base::visit(shape, appends_to(all), filter);
        if (!found.status.ok()) { return found; }
        if (found.count != all.size() || !take_statics(all, shape, filter)) { return {0, kWrong}; }
        if (!all.empty()) { visitor(all); }
        return {all.size(), {}};
    }
    template <ShapeIn<Dim> Shape>
    Found query(const Shape& shape, std::span<Id> out, const Filter& filter = {}) const {
        const Found found = Base::query(shape, std::span<Id>(), filter);
        if (!found.status.ok()) { return found; }
        Ids all(found.count);
        const Found again = Base::query(shape, std::span<Id>(all), filter);
        if (!again.status.ok() || again.count != all.size() ||
            !fills(shape, out.size(), filter, all) || !take_statics(all, shape, filter)) {
            return {0, kWrong};
        }
        std::copy_n(all.begin(), std::min(all.size(), out.size()), out.begin());
        return {all.size(), {}};
    }
    template <ShapesIn<Dim> Shapes>
    Found query(const Shapes& shapes, Hits& hits, const Filter& filter = {}) const {
        Hits both;
        const Status status = Base::query(shapes, both, filter);
        if (!status.ok()) { return {0, status}; }
        hits.offsets.assign(1, 0);
        hits.ids.clear();
        std::size_t q = 0;
        for (const auto& shape : SpanOf<Shapes>(shapes)) {
            Ids all(both.of(q).begin(), both.of(q).end());
            if (!take_statics(all, shape, filter)) { return {0, kWrong}; }
            hits.ids.insert(hits.ids.end(), all.begin(), all.end());
            hits.offsets.push_back(hits.ids.size());
            ++q;
        }
        return Found::of(hits.total());
    }
    template <ShapeIn<Dim> Shape>
    Found count(const Shape& shape, const Filter& filter = {}) const {
        const Found all = Base::count(shape, filter);
        if (!all.status.ok()) { return all; }
        return {all.count - truth_.ids_in(shape, filter, Sets::statics).size(), {}};
    }
    template <ShapeIn<Dim> Shape>
    Found any(const Shape& shape, const Filter& filter = {}) const {
        const Found all = Base::any(shape, filter);
        const Found agents = Base::any(shape, filter, Sets::agents);
        if (!all.status.ok()) { return all; }
        const bool statics = !truth_.ids_in(shape, filter, Sets::statics).empty();
        return all.count == (statics ? 1 : agents.count) ? agents : Found{0, kWrong};
    }

    Found nearest(const Point<Dim>& point, const Nearest& asked, std::span<Near> out,
                  const Filter& filter = {}) const {
        std::vector<Near> all(out.begin(), out.end());
        const Found found = Base::nearest(point, asked, all, filter);
        const Found agents = Base::nearest(point, asked, out, filter, Sets::agents);
        if (!found.status.ok()) { return found; }
        std::vector<Near> wanted = truth_.nearest_to(point, asked, filter, Sets::statics);
        wanted.insert(wanted.end(), out.begin(),
                      out.begin() + static_cast<std::ptrdiff_t>(agents.count));
        std::sort(wanted.begin(), wanted.end(), [](const Near& a, const Near& b) {
            return std::pair(a.distance2, a.id) < std::pair(b.distance2, b.id);
        });
        const std::size_t count = std::min<std::size_t>(wanted.size(), asked.k);
        wanted.resize(count);
        wanted.resize(out.size()); // then empty slots
        return found.count == count && all == wanted ? agents : Found{0, kWrong};
    }

    template <PathIn<Dim> Path>
    Status hits(const Path& path, std::vector<PathHit>& met, const Filter& filter = {}) const {
        const Status status = Base::hits(path, met, filter);
        if (!status.ok()) { return status; }
        const auto all = met;
        std::erase_if(met, [](const PathHit& hit) { return is_static(hit.id); });
        std::vector<PathHit> wanted = truth_.hits(path, filter, Sets::statics);
        wanted.insert(wanted.end(), met.begin(), met.end());
        std::sort(wanted.begin(), wanted.end());
        return all == wanted ? Status{} : kWrong;
    }
    template <PathIn<Dim> Path>
    Found first(const Path& path, PathHit& hit, const Filter& filter = {}) const {
        std::vector<PathHit> all;
        const Status status = Base::hits(path, all, filter);
        const PathHit before = hit;
        const Found found = Base::first(path, hit, filter);
        if (!status.ok()) { return found; }
        const bool right = found.status.ok() && found.count == (all.empty() ? 0 : 1) &&
                           hit == (all.empty() ? before : all[0]);
        hit = before;
        return right ? Base::first(path, hit, filter, Sets::agents) : Found{0, kWrong};
    }

    Found visit_pairs(IndexPairVisitor visitor, std::uint32_t groups = kAllGroups) const {
        Ids first, second;
        IdPairs with_statics;
        const Found found = Base::visit_pairs(
            PairSets::all,
            [&](std::span<const Id> ones, std::span<const Id> others) {
                for (std::size_t i = 0; i < ones.size(); ++i) {
                    if (is_static(others[i])) {
                        with_statics.emplace_back(ones[i], others[i]);
                    } else {
                        first.push_back(ones[i]);
                        second.push_back(others[i]);
                    }
                }
                return true;
            },
            groups);
        if (!found.status.ok()) { return found; }
        std::sort(with_statics.begin(), with_statics.end());
        if (found.count != first.size() + with_statics.size() ||
            with_statics != truth_.pairs(groups, PairSets::statics)) {
            return {0, kWrong};
        }
        if (!first.empty()) { visitor(first, second); }
        return {first.size(), {}};
    }

    [[nodiscard]] const char* validate() const {
        for (const auto& member : truth_.members()) {
            if (!Base::contains(member.name)) { return "a member is not there"; }
        }
        return Base::size(Sets::statics) == truth_.statics() ? Base::validate() : "wrong statics";
    }

protected:
    /// Whether the last update placed new statics.
    [[nodiscard]] bool has_stood() const noexcept { return updates_ % 2 == 1; }

private:
    static constexpr Status kWrong{Cause::corrupted};
    static constexpr std::size_t kMost = 100; // of which all pairs are searched

    static auto appends_to(Ids& ids) {
        return [&ids](std::span<const Id> run) {
            ids.insert(ids.end(), run.begin(), run.end());
            return true;
        };
    }

    /// Makes the change, and makes the same change to the oracle.
    template <class Change>
    Status change(const Change& make) {
        const Status status = make(static_cast<Base&>(*this));
        return status.ok() ? make(truth_) : status;
    }
    /// The edit of a static that goes with an edit of an agent. Some ids have gaps between them.
    [[nodiscard]] Edit<Dim> of_static(Edit<Dim> edit) const {
        const Id id = edit.id;
        edit.id = static_id(id % 2 == 0 ? id % kMost : std::size_t{id % 1000} * 1'000'000);
        if (edit.kind == Edit<Dim>::Kind::insert) {
            if (!edit.agent.half_extent) { edit.agent.half_extent = Point<Dim>::all(0.5f); }
            edit.agent.groups.reset();
            if (Base::grids()[2].grid->kind().groups) { edit.agent.groups = id % 8; }
        }
        return edit;
    }

    /// Makes an edit to an agent, and the one that goes with it to a static.
    Status change_both(const Edit<Dim>& edit) {
        const Status status = change([&](auto& index) { return apply_to(index, edit); });
        const Edit<Dim> castle = of_static(edit);
        const Status made = apply_to(static_cast<Base&>(*this), castle);
        return made == truth_.edit(castle) ? status : kWrong;
    }

    Status stand(const Agents<Dim>& statics) {
        const Status status = truth_.set_statics(statics);
        return status.ok() ? Base::set_statics(statics) : status;
    }

    /// Whether an array of `room` ids gets the first ids of `all`, and nothing is written behind
    /// it.
    template <class Shape>
    bool fills(const Shape& shape, std::size_t room, const Filter& filter, const Ids& all) const {
        constexpr std::size_t kBehind = 16;
        Ids some(room + kBehind, kCanary);
        const Found found = Base::query(shape, std::span<Id>(some).first(room), filter);
        const std::size_t filled = std::min(all.size(), room);
        return found.status.ok() && found.count == all.size() &&
               std::equal(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(filled),
                          some.begin()) &&
               std::count(some.end() - kBehind, some.end(), kCanary) == kBehind;
    }

    /// Whether the statics come last in `all` and are the oracle's; removes them from `all`.
    template <class Shape>
    bool take_statics(Ids& all, const Shape& shape, const Filter& filter) const {
        const auto first = std::find_if(all.begin(), all.end(), is_static);
        Ids got(first, all.end());
        all.erase(first, all.end());
        std::sort(got.begin(), got.end());
        return got == truth_.ids_in(shape, filter, Sets::statics);
    }

    Truth<Dim> truth_;
    std::size_t updates_ = 0;
};

template <std::size_t Dim>
struct InCrowdAmongStatics : Family<CrowdAmongStatics<Dim>, Dim> {
    static constexpr const char* kName = "crowd_among_statics";
};

} // namespace throng::test
