// A Crowd whose agents have handles, as an index with ids of the caller's.
#pragma once

#include "subjects.hpp"

#include <throng/engine/agents/handles.hpp>
#include <throng/engine/answers/ask_by_visit.hpp>
#include <throng/engine/answers/spatial_index.hpp>
#include <throng/engine/crowd/crowd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace throng::test {

/// Keeps the handle of each agent, whose key is the caller's id, and makes lists of edits by calls
/// for lists. Checks that handles of removed agents are stale.
template <std::size_t Dim>
class CrowdByHandles : public AskByVisit<CrowdByHandles<Dim>, Dim> {
public:
    Status configure(const CrowdSettings<Dim>& settings, const CrowdKind<Dim>& kind) {
        handles_.clear();
        return crowd_.configure(settings, kind);
    }

    Status update(const Agents<Dim>& agents) {
        if (const Status status = check_agents(agents); !status.ok()) { return status; }
        const std::size_t count = agents.positions.count;
        const bool same = count == handles_.size() &&
                          (count == 0 || handles_.rbegin()->first + 1 == count) &&
                          kind_of(agents) == crowd_.kind();
        return same && count != 0 ? update_all(agents) : begin_anew(agents);
    }

    Status insert(Id id, const Agent<Dim>& agent) {
        const Edit<Dim> one[] = {Edit<Dim>::insert(id, agent)};
        if (const Status status = refusal(one, id); !status.ok()) { return status; }
        Handle& handle = handles_[id];
        if (id % 2 == 0) { return crowd_.add(agent, handle, id); }
        const Status status = crowd_.add(agent, handle);
        return status.ok() ? crowd_.set_key(handle, id) : status;
    }
    Status erase(Id id) {
        const auto named = handles_.find(id);
        if (named == handles_.end()) { return {Cause::id_unknown, Argument::id, id}; }
        const Handle handle = named->second;
        handles_.erase(named);
        const Status status = crowd_.remove(handle);
        return status.ok() ? gone(handle) : status;
    }
    Status move(Id id, const Point<Dim>& position) {
        const auto named = handles_.find(id);
        if (named == handles_.end()) { return {Cause::id_unknown, Argument::id, id}; }
        return crowd_.move(named->second, position);
    }

    /// Makes neighbouring edits of one kind by one call.
    Status edit(std::span<const Edit<Dim>> edits) {
        if (const Status status = refusal_of(*this, edits); !status.ok()) { return status; }
        while (!edits.empty()) {
            const auto kind = edits.front().kind;
            const auto end = std::find_if(edits.begin(), edits.end(),
                                          [&](const auto& edit) { return edit.kind != kind; });
            const auto some = edits.first(static_cast<std::size_t>(end - edits.begin()));
            edits = edits.subspan(some.size());
            const Status status = kind == Edit<Dim>::Kind::insert  ? add(some)
                                  : kind == Edit<Dim>::Kind::erase ? remove(some)
                                                                   : move(some);
            if (!status.ok()) { return status; }
        }
        return {};
    }

    void clear() noexcept {
        crowd_.clear();
        handles_.clear();
    }

    template <ShapeIn<Dim> Shape>
    Found visit(const Shape& shape, IndexVisitor visitor, const Filter& filter = {},
                std::size_t most = kLongestRun) const {
        Filter by_slot = filter;
        const auto without = handles_.find(filter.without);
        by_slot.without = without == handles_.end() ? kNoId : without->second.slot;
        std::size_t seen = 0;
        Found found = crowd_.visit(
            shape,
            [&](std::span<const Id> run) {
                const std::vector<Id> ids = ids_of(run.first(std::min(run.size(), most)));
                seen += ids.size();
                return visitor(ids);
            },
            by_slot);
        found.count = seen;
        return found;
    }
    Found visit_pairs(IndexPairVisitor visitor, std::uint32_t groups = kAllGroups) const {
        return crowd_.visit_pairs(
            [&](std::span<const Id> first, std::span<const Id> second) {
                return visitor(ids_of(first), ids_of(second));
            },
            groups);
    }
    void visit_cells(IndexCellVisitor<Dim> visitor) const { crowd_.visit_cells(visitor); }

    [[nodiscard]] std::size_t size() const noexcept { return crowd_.size(); }
    [[nodiscard]] bool contains(Id id) const noexcept {
        const auto named = handles_.find(id);
        return named != handles_.end() && crowd_.check(named->second).ok();
    }
    [[nodiscard]] const CrowdKind<Dim>& kind() const noexcept { return crowd_.kind(); }
    [[nodiscard]] MemoryUse memory() const noexcept { return crowd_.memory(); }
    [[nodiscard]] const char* validate() const { return crowd_.validate(); }

private:
    [[nodiscard]] std::vector<Id> ids_of(std::span<const Id> slots) const {
        std::vector<std::uint64_t> keys(slots.size());
        const Status status = crowd_.keys(slots, keys);
        if (!status.ok()) { keys.clear(); }
        return {keys.begin(), keys.end()};
    }

    [[nodiscard]] Status refusal(std::span<const Edit<Dim>> edits, Id id) const {
        const Edit<Dim>& edit = edits.front();
        if (const Status status = check_agent(edit.agent, kind()); !status.ok()) { return status; }
        if (handles_.contains(id)) { return {Cause::id_taken, Argument::id, id}; }
        return {};
    }

    [[nodiscard]] Status gone(Handle handle) const {
        const bool stale = crowd_.check(handle).cause == Cause::handle_stale;
        return stale ? Status{} : Status{Cause::handle_foreign, Argument::handle, handle.slot};
    }

    Status add(std::span<const Edit<Dim>> edits) {
        std::vector<Agent<Dim>> agents;
        std::vector<std::uint64_t> keys;
        for (const Edit<Dim>& edit : edits) {
            agents.push_back(edit.agent);
            keys.push_back(edit.id);
        }
        std::vector<Handle> handles(agents.size());
        const Status status = crowd_.add(agents, handles, keys);
        for (std::size_t i = 0; i < edits.size(); ++i) {
            handles_[edits[i].id] = handles[i];
        }
        return status;
    }
    Status remove(std::span<const Edit<Dim>> edits) {
        std::vector<Handle> handles;
        for (const Edit<Dim>& edit : edits) {
            handles.push_back(handles_.at(edit.id));
            handles_.erase(edit.id);
        }
        const Status status = crowd_.remove(handles);
        return status.ok() ? gone(handles.back()) : status;
    }
    Status move(std::span<const Edit<Dim>> edits) {
        std::vector<Handle> names;
        for (const Edit<Dim>& edit : edits) {
            names.push_back(handles_.at(edit.id));
        }
        const float* const first = edits.front().agent.position.axis.data();
        return crowd_.move(names,
                           PointView<Dim>::interleaved(first, edits.size(), sizeof(Edit<Dim>)));
    }

    /// Updates all agents, by turns with a handle beside each, and with arrays that have an element
    /// for each slot, garbage for empty slots.
    Status update_all(const Agents<Dim>& agents) {
        if (++updates_ % 2 == 0) {
            std::vector<Handle> names;
            for (const auto& [id, handle] : handles_) {
                names.push_back(handle);
            }
            return crowd_.update(agents, names);
        }
        constexpr Agent<Dim> kRubbish{Point<Dim>::all(NAN), Point<Dim>::all(-1.0f), 0xFFu};
        Operation<Dim> of_slots{What::update};
        of_slots.kind = kind_of(agents);
        of_slots.agents.assign(crowd_.slots(), kRubbish);
        for (const auto& [id, handle] : handles_) {
            of_slots.agents[handle.slot] = agent_at(agents, id);
        }
        return crowd_.update(agents_of(of_slots));
    }

    /// Makes an empty crowd of that kind, and adds all agents.
    Status begin_anew(const Agents<Dim>& agents) {
        clear();
        if (const Status status = crowd_.update(agents); !status.ok()) { return status; }
        crowd_.clear();
        std::vector<Edit<Dim>> all;
        for (Id id = 0; id < agents.positions.count; ++id) {
            all.push_back(Edit<Dim>::insert(id, agent_at(agents, id)));
        }
        return add(all);
    }

    Crowd<Dim> crowd_;
    std::map<Id, Handle> handles_;
    std::size_t updates_ = 0;
};

template <std::size_t Dim>
struct InCrowdByHandles : Family<CrowdByHandles<Dim>, Dim> {
    static constexpr const char* kName = "crowd_by_handles";
};

} // namespace throng::test
