// A Crowd whose agents go among statics, as an index of the agents.
#pragma once

#include "subjects.hpp"

#include <throng/engine/brute_force.hpp>
#include <throng/engine/crowd.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace throng::test {

/// Where some stood at the last update(), a static stands until the next one. All questions are
/// about both; what is said of the statics is compared with brute force, and what is said of the
/// agents is the answer: or, where the statics were wrong, a status that nothing else says.
template <std::size_t Dim>
class CrowdAmongStatics : public Crowd<Dim> {
    using Base = Crowd<Dim>;
    using Ids = std::vector<Id>;

public:
    Status configure(const CrowdSettings<Dim>& settings, const CrowdKind<Dim>& kind) {
        const Status status = Base::configure(settings, kind);
        if (status.ok()) { forget(); }
        return status;
    }
    Status update(const Agents<Dim>& agents) {
        const Status status = Base::update(agents);
        return status.ok() ? stand(agents) : status;
    }

    template <ShapeIn<Dim> Shape>
    Found visit(const Shape& shape, IndexVisitor visitor, const Filter& filter = {}) const {
        Ids all;
        const Found found = Base::visit(shape, appends_to(all), filter);
        if (!found.status.ok()) { return found; }
        if (found.count != all.size() || !take_statics(all, shape, filter)) { return {0, kWrong}; }
        std::size_t seen = 0;
        for (std::span<const Id> left = all; !left.empty();) {
            const auto run = left.first(std::min(left.size(), kLongestRun));
            left = left.subspan(run.size());
            seen += run.size();
            if (!visitor(run)) { break; }
        }
        return {seen, {}};
    }
    template <ShapeIn<Dim> Shape>
    Found query(const Shape& shape, std::span<Id> out, const Filter& filter = {}) const {
        const Found found = Base::query(shape, std::span<Id>(), filter);
        Ids all(found.count);
        if (!found.status.ok()) { return found; }
        const Found again = Base::query(shape, std::span<Id>(all), filter);
        if (again.count != all.size() || !take_statics(all, shape, filter)) { return {0, kWrong}; }
        std::copy_n(all.begin(), std::min(all.size(), out.size()), out.begin());
        return {all.size(), {}};
    }
    template <ShapesIn<Dim> Shapes>
    Status query(const Shapes& shapes, Hits& hits, const Filter& filter = {}) const {
        Hits both;
        const Status status = Base::query(shapes, both, filter);
        if (!status.ok()) { return status; }
        hits.offsets.assign(1, 0);
        hits.ids.clear();
        std::size_t q = 0;
        for (const auto& shape : SpanOf<Shapes>(shapes)) {
            Ids all(both.of(q).begin(), both.of(q).end());
            if (!take_statics(all, shape, filter)) { return kWrong; }
            hits.ids.insert(hits.ids.end(), all.begin(), all.end());
            hits.offsets.push_back(hits.ids.size());
            ++q;
        }
        return {};
    }
    template <ShapeIn<Dim> Shape>
    Found count(const Shape& shape, const Filter& filter = {}) const {
        const Found all = Base::count(shape, filter);
        if (!all.status.ok()) { return all; }
        return {all.count - statics_.count(shape, of_statics(filter)).count, {}};
    }
    template <ShapeIn<Dim> Shape>
    Found any(const Shape& shape, const Filter& filter = {}) const {
        const Found all = Base::any(shape, filter);
        const Found agents = Base::any(shape, filter, Sets::agents);
        if (!all.status.ok()) { return all; }
        const Found statics = statics_.any(shape, of_statics(filter));
        return all.count == std::max(agents.count, statics.count) ? agents : Found{0, kWrong};
    }

    Found nearest(const Point<Dim>& point, const Nearest& asked, std::span<Near> out,
                  const Filter& filter = {}) const {
        std::vector<Near> all(out.begin(), out.end());
        std::vector<Near> wanted = all;
        const Found found = Base::nearest(point, asked, all, filter);
        const Found agents = Base::nearest(point, asked, out, filter, Sets::agents);
        if (!found.status.ok()) { return found; }
        wanted.resize(statics_.nearest(point, asked, wanted, of_statics(filter)).count);
        for (Near& near : wanted) {
            near.id = static_id(near.id);
        }
        wanted.insert(wanted.end(), out.begin(),
                      out.begin() + static_cast<std::ptrdiff_t>(agents.count));
        std::sort(wanted.begin(), wanted.end(), [](const Near& a, const Near& b) {
            return std::pair(a.distance2, a.id) < std::pair(b.distance2, b.id);
        });
        wanted.resize(std::min<std::size_t>(wanted.size(), asked.k));
        all.resize(found.count);
        return all == wanted ? agents : Found{0, kWrong};
    }

    template <PathIn<Dim> Path>
    Status meetings(const Path& path, std::vector<Meeting>& met, const Filter& filter = {}) const {
        const Status status = Base::meetings(path, met, filter);
        if (!status.ok()) { return status; }
        const auto all = met;
        std::erase_if(met, [](const Meeting& meeting) { return is_static(meeting.id); });
        std::vector<Meeting> wanted;
        (void)statics_.meetings(path, wanted, of_statics(filter));
        for (Meeting& meeting : wanted) {
            meeting.id = static_id(meeting.id);
        }
        wanted.insert(wanted.end(), met.begin(), met.end());
        std::sort(wanted.begin(), wanted.end());
        return all == wanted ? Status{} : kWrong;
    }
    template <PathIn<Dim> Path>
    Found first(const Path& path, Meeting& meeting, const Filter& filter = {}) const {
        std::vector<Meeting> all;
        if (!Base::meetings(path, all, filter).ok()) { return Base::first(path, meeting, filter); }
        Meeting met;
        const Found found = Base::first(path, met, filter);
        const bool right = all.empty() ? found.count == 0 : found.count == 1 && met == all[0];
        return right ? Base::first(path, meeting, filter, Sets::agents) : Found{0, kWrong};
    }

    Found visit_pairs(IndexPairVisitor visitor, std::uint32_t groups = kAllGroups) const {
        Ids first, second;
        Pairs with_statics;
        const Found found = Base::visit_pairs(
            PairSets::all,
            [&](std::span<const Id> ones, std::span<const Id> others) {
                for (std::size_t i = 0; i < ones.size(); ++i) {
                    if (is_static(others[i])) {
                        with_statics.emplace_back(others[i], ones[i]);
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
            with_statics != pairs_of_statics(groups)) {
            return {0, kWrong};
        }
        if (!first.empty()) { visitor(first, second); }
        return {first.size(), {}};
    }

    [[nodiscard]] const char* validate() const {
        return Base::statics() == statics_.size() ? Base::validate() : "statics are missing";
    }

protected:
    static constexpr std::size_t kMost = 100; // of which every pair is looked for

    static void keep_first(Agents<Dim>& agents, std::size_t most) noexcept {
        for (std::size_t* const count :
             {&agents.positions.count, &agents.half_extents.count, &agents.groups.count}) {
            *count = std::min(*count, most);
        }
    }

private:
    /// The static, and the agent.
    using Pairs = std::vector<std::pair<Id, Id>>;

    static constexpr Status kWrong{Cause::corrupted};

    static auto appends_to(Ids& ids) {
        return [&ids](std::span<const Id> run) {
            ids.insert(ids.end(), run.begin(), run.end());
            return true;
        };
    }
    static Filter of_statics(const Filter& filter) noexcept { return {filter.groups}; }

    void forget() {
        statics_ = {};
        stood_.clear();
    }
    Status stand(Agents<Dim> agents) {
        keep_first(agents, kMost);
        stood_.clear();
        for (Id i = 0; i < agents.positions.count; ++i) {
            stood_.push_back(agent_at(agents, i));
            if (!kind_of(agents).own_half_extents) {
                stood_.back().half_extent = agents.common_half_extent;
            }
            if (!kind_of(agents).groups) { stood_.back().groups = kAllGroups; }
        }
        const Status status = statics_.update(agents);
        return status.ok() ? Base::set_statics(agents) : status;
    }

    /// The statics come last, and are those that brute force finds: takes them out.
    template <class Shape>
    bool take_statics(Ids& all, const Shape& shape, const Filter& filter) const {
        const auto first = std::find_if(all.begin(), all.end(), is_static);
        Ids got(first, all.end());
        all.erase(first, all.end());
        std::sort(got.begin(), got.end());
        Ids wanted;
        (void)statics_.visit(shape, appends_to(wanted), of_statics(filter));
        for (Id& id : wanted) {
            id = static_id(id);
        }
        return got == wanted;
    }

    /// By asking for the agents in their boxes.
    [[nodiscard]] Pairs pairs_of_statics(std::uint32_t groups) const {
        Pairs pairs;
        for (std::size_t s = 0; s < stood_.size(); ++s) {
            const bool in = groups == kAllGroups || (*stood_[s].groups & groups) != 0;
            if (!in) { continue; }
            auto box = Box<Dim>::around(stood_[s].position, *stood_[s].half_extent);
            for (std::size_t a = 0; a < Dim; ++a) { // Shapes end there, and so do all centres.
                box.lo[a] = std::max(box.lo[a], -kLargest);
                box.hi[a] = std::min(box.hi[a], kLargest);
            }
            (void)Base::visit(
                box,
                [&](std::span<const Id> run) {
                    for (const Id id : run) {
                        pairs.emplace_back(static_id(s), id);
                    }
                    return true;
                },
                {groups}, Sets::agents);
        }
        std::sort(pairs.begin(), pairs.end());
        return pairs;
    }

    BruteForce<Dim> statics_;
    std::vector<Agent<Dim>> stood_;
};

template <std::size_t Dim>
struct InCrowdAmongStatics : Family<CrowdAmongStatics<Dim>, Dim> {
    static constexpr const char* kName = "crowd_among_statics";
};

} // namespace throng::test
