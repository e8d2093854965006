// The giants of a crowd after a list of edits. Internal to the engine.
#pragma once

#include "../../memory/vector.hpp"
#include "state.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>

namespace throng {

/// Makes the giants' part of a list of edits to the spare giants, while the giants still answer.
///
/// A list that edits few of the giants makes its edits one by one, as single calls would, to a
/// SpareSet, so an edit costs two paths in the tree. A list that edits many sorts all giants anew,
/// which then takes less time.
template <std::size_t Dim>
class GiantList {
public:
    using State = detail::StateOf<Crowd<Dim>>;
    using Giants = typename State::Giants;

    /// `edits` is about the number of edits of giants.
    GiantList(State& state, std::size_t edits) noexcept
        : state_(state), giants_(state.giants), few_(edits * kFew <= giants_.size()) {}

    [[nodiscard]] bool contains(Id name) const {
        if (!changed_) { return giants_.contains(name); }
        return few_ ? state_.spare->contains(name) : agents_.count(name) != 0;
    }
    [[nodiscard]] bool changed() const noexcept { return changed_; }

    /// Makes an edit whose values have been checked. Throws std::bad_alloc.
    Status make(const Edit<Dim>& edit) {
        using Kind = typename Edit<Dim>::Kind;
        if (const Status status = begin(); !status.ok()) { return status; }
        if (few_) { return state_.spare.edit(edit, State::edit_giants); }
        if (edit.kind == Kind::insert) {
            agents_.emplace(edit.id, edit.agent);
        } else if (edit.kind == Kind::erase) {
            agents_.erase(edit.id);
        } else {
            agents_.at(edit.id).position = edit.agent.position;
        }
        return {};
    }

    /// To be called behind the last edit: makes the spare giants the giants after the list.
    Status end(Executor& executor) {
        return changed_ && !few_ ? fill(*state_.spare, executor) : Status{};
    }

private:
    /// A list is of few if it edits at most one giant in this many.
    static constexpr std::size_t kFew = 8;

    Status begin() {
        if (changed_) { return {}; }
        changed_ = true;
        if (few_) { return state_.spare.renew(giants_, State::edit_giants); }
        for (const Id name : giants_.name_of_slot()) {
            if (name != kNoId) { agents_.emplace(name, giants_.agent(name)); }
        }
        return state_.prepare_spare();
    }

    /// Replaces the elements of a set with the listed giants.
    Status fill(Giants& giants, Executor& executor) const {
        const bool groups = state_.kind.groups;
        std::array<Vector<float>, Dim> position, half;
        Vector<std::uint32_t> masks;
        Vector<Id> names, all;
        for (const auto& [name, agent] : agents_) {
            all.push_back(static_cast<Id>(names.size()));
            names.push_back(name);
            for (std::size_t a = 0; a < Dim; ++a) {
                position[a].push_back(agent.position[a]);
                half[a].push_back((*agent.half_extent)[a]);
            }
            if (groups) { masks.push_back(*agent.groups); }
        }
        std::array<const float*, Dim> x, h;
        for (std::size_t a = 0; a < Dim; ++a) {
            x[a] = position[a].data();
            h[a] = half[a].data();
        }
        Agents<Dim> agents;
        agents.positions = PointView<Dim>::separate(x, names.size());
        agents.half_extents = PointView<Dim>::separate(h, names.size());
        if (groups) { agents.groups = {masks.data(), sizeof(std::uint32_t), masks.size()}; }
        return giants.update(agents, {true, groups, {}}, all, names, executor);
    }

    using ById = std::map<Id, Agent<Dim>, std::less<>, Allocated<std::pair<const Id, Agent<Dim>>>>;

    State& state_;
    const Giants& giants_;
    const bool few_;
    bool changed_ = false;
    ById agents_; // of many: the giants after the list, by name
};

} // namespace throng
