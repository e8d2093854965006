// A Crowd that is also asked for lists and pairs of all its agents, and so is a second one with the
// same agents in a periodic world.
#pragma once

#include "../support/scenes/periodic.hpp"
#include "../support/threads/executors.hpp"
#include "../support/truth.hpp"
#include "subjects.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/parallel/batch/batch.hpp>
#include <throng/parallel/frames/lasting_neighbours.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

namespace throng::test {

/// What a batch says of all agents of a crowd, against the oracle: lists by centres and by bodies,
/// whole lists and halves, counts, the nearest, and pairs.
template <std::size_t Dim>
class ListsOfAll {
public:
    ListsOfAll(const Crowd<Dim>& crowd, const Truth<Dim>& truth, float radius)
        : crowd_(crowd), truth_(truth), radius_(radius) {}

    /// Null if all is right, else what is not.
    [[nodiscard]] const char* complaint() {
        if (truth_.size() == 0) { return nullptr; }
        for (const Body body : {Body::centre, Body::box, Body::disc}) {
            for (const std::uint32_t groups : {kAllGroups, 5u}) {
                for (const char* const wrong :
                     {lists(body, groups), nearest(body, groups), overlaps(body, groups)}) {
                    if (wrong != nullptr) { return wrong; }
                }
            }
        }
        return nullptr;
    }

private:
    static Ids sorted(std::span<const Id> ids) {
        Ids all(ids.begin(), ids.end());
        std::sort(all.begin(), all.end());
        return all;
    }

    const char* lists(Body body, std::uint32_t groups) {
        const Neighbourhood whole{radius_, groups != kAllGroups, groups, false, body};
        std::vector<Ids> wanted = truth_.neighbours(whole);
        wanted.resize(crowd_.id_bound());
        Hits hits;
        if (!batch_.neighbours(crowd_, whole, hits, Order::ids).status.ok() ||
            hits.offsets.size() != wanted.size() + 1) {
            return "neighbours refused";
        }
        std::vector<std::uint32_t> counts(wanted.size());
        const Found sum = batch_.count_neighbours(crowd_, whole, counts, Order::ids);
        if (sum.count != hits.total()) { return "a wrong sum of neighbours"; }
        for (std::size_t id = 0; id < wanted.size(); ++id) {
            if (sorted(hits.of(id)) != wanted[id]) { return "wrong neighbours"; }
            if (counts[id] != wanted[id].size()) { return "a wrong number of neighbours"; }
        }
        return groups == kAllGroups ? halves(whole, wanted) : nullptr;
    }

    /// Each two that find each other are in one of the two lists.
    const char* halves(Neighbourhood asked, const std::vector<Ids>& whole) {
        asked.later_only = true;
        Hits hits;
        Pairs pairs;
        if (!batch_.neighbours(crowd_, asked, hits, Order::ids).status.ok() ||
            !batch_.pairs_within({crowd_, PairSets::all}, radius_, pairs, kAllGroups, asked.body)
                 .status.ok()) {
            return "halves refused";
        }
        std::vector<Ids> half(whole.size());
        std::size_t entries = 0;
        for (std::size_t id = 0; id < half.size(); ++id) {
            half[id] = sorted(hits.of(id));
            entries += half[id].size();
        }
        if (pairs.count != entries) { return "other pairs than in halves"; }
        const auto has = [](const std::vector<Ids>& lists, Id one, Id other) {
            return std::binary_search(lists[one].begin(), lists[one].end(), other);
        };
        for (std::size_t p = 0; p < pairs.count; ++p) {
            if (!has(half, pairs.first[p], pairs.second[p])) { return "another pair"; }
        }
        for (Id id = 0; id < half.size(); ++id) {
            for (const Id other : half[id]) {
                if (!has(whole, id, other)) { return "a half has too much"; }
                if (!is_static(other) && has(half, other, id)) { return "a pair twice"; }
            }
            for (const Id other : whole[id]) {
                const bool once =
                    has(half, id, other) || (!is_static(other) && has(half, other, id));
                const bool both = is_static(other) || has(whole, other, id);
                if (both && !once) { return "a half lacks a pair"; }
            }
        }
        return nullptr;
    }

    const char* nearest(Body body, std::uint32_t groups) {
        NearestNeighbours asked{.k = 3, .radius = 2.0f * radius_, .groups = groups, .body = body};
        NearHits near;
        if (!batch_.nearest_neighbours(crowd_, asked, near, Order::ids).status.ok()) {
            return "the nearest refused";
        }
        for (const auto& member : truth_.members()) {
            if (is_static(member.name)) { break; }
            if (!std::ranges::equal(near.of(member.name), truth_.nearest_to(member.name, asked))) {
                return "wrong nearest";
            }
        }
        return nullptr;
    }

    const char* overlaps(Body body, std::uint32_t groups) {
        if (body == Body::centre) { return nullptr; } // points do not overlap
        Pairs pairs;
        const PairsOf<Dim> all{crowd_, PairSets::all};
        if (!batch_.pairs(all, pairs, groups, body).status.ok()) { return "pairs refused"; }
        if (batch_.count_pairs(all, groups, body).count != pairs.count) {
            return "a wrong number of pairs";
        }
        const auto count = static_cast<std::size_t>(pairs.count); // of 64 bits everywhere
        const auto firsts = std::span<const Id>(pairs.first).first(count);
        const auto seconds = std::span<const Id>(pairs.second).first(count);
        const bool right =
            truth_.settled(firsts, seconds) == truth_.pairs(groups, PairSets::all, 2, body);
        return right ? nullptr : "wrong pairs";
    }

    const Crowd<Dim>& crowd_;
    const Truth<Dim>& truth_;
    float radius_;
    ShuffleExecutor executor_{5};
    Batch<Dim> batch_{executor_};
};

/// Its questions are those of a Crowd. validate() asks for lists of all agents, here and in the
/// periodic world; update() also keeps lasting lists, in either world by turns of sequences.
template <std::size_t Dim>
class CrowdByLists : public CrowdWithOthers<CrowdByLists<Dim>, Dim> {
    using Base = Crowd<Dim>;
    friend class CrowdWithOthers<CrowdByLists<Dim>, Dim>;

public:
    Status configure(const CrowdSettings<Dim>& settings, const CrowdKind<Dim>& kind) {
        const Status status = Base::configure(settings, kind);
        if (!status.ok()) { return status; }
        radius_ = 0.75f * settings.cell->axis[0];
        CrowdSettings<Dim> around = settings;
        for (std::size_t a = 0; a < Dim; ++a) {
            around.periodic[a] = kind.groups || a != 1;
            const float period = settings.bounds->hi[a] - settings.bounds->lo[a];
            least_period_ = a == 0 ? period : std::min(least_period_, period);
        }
        ring_truth_ = Truth<Dim>(Periodic<Dim>{*around.bounds, around.periodic}, 2);
        LastingSettings lasting;
        lasting.neighbourhood.radius = radius_;
        lasting.neighbourhood.later_only = kind.own_half_extents;
        lasting.skin = radius_;
        lists_.emplace(lasting);
        // Some worlds are too wide to be periodic.
        has_ring_ = ring_.configure(around, kind).ok();
        lasts_around_ = has_ring_ && kind.groups;
        truth_.go_by(*this);
        ring_truth_.go_by(ring_);
        return first_refusal({truth_.configure(kind), ring_truth_.configure(kind),
                              lasting_.configure(lasts_around_ ? around : settings, kind)});
    }
    Status update(const Agents<Dim>& agents) {
        const Status status = change([&](auto& index) { return index.update(agents); });
        return status.ok() && !lasts(agents) ? kWrong : status;
    }
    void clear() noexcept {
        Base::clear();
        ring_.clear();
        truth_.clear();
        ring_truth_.clear();
    }

    [[nodiscard]] const char* validate() const {
        const char* wrong = Base::validate();
        if (wrong == nullptr && has_ring_) { wrong = ring_.validate(); }
        if (wrong != nullptr || Base::size() > kMost) { return wrong; }
        wrong = ListsOfAll<Dim>(*this, truth_, radius_).complaint();
        if (wrong != nullptr || !has_ring_ || !has_enough_copies()) { return wrong; }
        return ListsOfAll<Dim>(ring_, ring_truth_, radius_).complaint();
    }

private:
    static constexpr Status kWrong{Cause::corrupted};
    static constexpr std::size_t kMost = 64; // of which all pairs are searched

    static Status first_refusal(std::initializer_list<Status> all) {
        for (const Status& status : all) {
            if (!status.ok()) { return status; }
        }
        return {};
    }

    /// Makes the change here, around the world, and to both oracles.
    template <class Change>
    Status change(const Change& make) {
        const Status status = make(static_cast<Base&>(*this));
        if (has_ring_ && make(ring_) != status) { return kWrong; }
        if (!status.ok()) { return status; }
        return first_refusal({make(truth_), has_ring_ ? make(ring_truth_) : Status{}});
    }

    /// In an oracle with two copies on each side, nothing may reach farther than a period.
    [[nodiscard]] bool has_enough_copies() const {
        float reach = 2.0f * radius_;
        for (const auto& member : ring_truth_.members()) {
            for (const float half : member.half_extent.axis) {
                reach = std::max(reach, 2.0f * half + radius_);
            }
        }
        return reach < least_period_;
    }

    /// Whether lists of these agents are right, and last if nothing moves.
    bool lasts(const Agents<Dim>& agents) {
        const Truth<Dim>& truth = lasts_around_ ? ring_truth_ : truth_;
        if (agents.positions.count > kMost || (lasts_around_ && !has_enough_copies())) {
            return true;
        }
        Neighbourhood whole = lists_->settings().neighbourhood;
        whole.later_only = false;
        const std::vector<Ids> wanted = truth.neighbours(whole);
        std::size_t entries = 0, wanted_entries = 0;
        for (const Ids& list : wanted) {
            wanted_entries += list.size();
        }
        for (const std::uint64_t least : {std::uint64_t{0}, std::uint64_t{1}}) {
            Hits hits;
            if (!lists_->update(lasting_, agents).ok() || lists_->lasted() < least ||
                !lists_->neighbours(agents, hits).ok() || lists_->order().size() != truth.size()) {
                return false;
            }
            entries = 0;
            for (std::size_t k = 0; k < lists_->order().size(); ++k) {
                const Ids& list = wanted[lists_->order()[k]];
                for (const Id id : hits.of(k)) {
                    if (!std::binary_search(list.begin(), list.end(), id)) { return false; }
                }
                entries += hits.of(k).size();
            }
            const bool half = lists_->settings().neighbourhood.later_only;
            if (half ? 2 * entries < wanted_entries : entries != wanted_entries) { return false; }
        }
        return true;
    }

    Crowd<Dim> ring_, lasting_;
    Truth<Dim> truth_, ring_truth_;
    std::optional<LastingNeighbours<Dim>> lists_;
    float radius_ = 0.0f, least_period_ = 0.0f;
    bool has_ring_ = false, lasts_around_ = false;
};

template <std::size_t Dim>
struct InCrowdByLists : Family<CrowdByLists<Dim>, Dim> {
    static constexpr const char* kName = "crowd_by_lists";
};

} // namespace throng::test
