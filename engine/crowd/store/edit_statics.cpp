// Inserts, erases and moves single statics of a crowd.
#include "../../../simd/isa/isa.hpp"
#include "../../agents/validation.hpp"
#include "state.hpp"

#include <utility>

namespace throng {

template <std::size_t Dim>
Status Crowd<Dim>::State::change_static(SharedStatics<Dim>& of, const Edit<Dim>& edit) const {
    using Kind = typename Edit<Dim>::Kind;
    const Point<Dim> position = world.kept(edit.agent.position);
    if (edit.kind == Kind::insert) {
        Agent<Dim> agent = edit.agent;
        agent.position = position;
        return insert_static(of, edit.id, agent);
    }
    if (!of->contains(edit.id)) { return {Cause::id_unknown, Argument::id, edit.id}; }
    if (edit.kind == Kind::erase) {
        return of.change([&](Statics& own) { return own.erase(edit.id); });
    }
    const Status status = check_point(position, Argument::positions);
    if (!status.ok()) { return status; }
    return of.change([&](Statics& own) { return own.move(edit.id, position); });
}

template <std::size_t Dim>
Status Crowd<Dim>::State::insert_static(SharedStatics<Dim>& of, Id id,
                                        const Agent<Dim>& agent) const {
    if (active_isa() == Isa::none) { return {Cause::no_such_isa, Argument::environment}; }
    const bool groups = of->size() == 0 ? agent.groups.has_value() : of->keeps_groups();
    const bool is_laid = of->is_laid() && of->keeps_groups() == groups;
    if (!configured && !settings.bounds && !of->is_laid()) {
        return {Cause::not_configured, Argument::none};
    }
    if (static_index(id) >= kMostInCrowd) { return {Cause::too_many, Argument::id, id}; }
    const Status status = check_agent(agent, {true, groups, {}});
    if (!status.ok()) { return status; }
    if (of->contains(id)) { return {Cause::id_taken, Argument::id, id}; }
    const auto insert = [&](Statics& own) {
        return own.insert(id, agent.position, *agent.half_extent, agent.groups.value_or(0));
    };
    if (is_laid) { return of.change(insert); }
    SharedStatics<Dim> first;
    const Box<Dim> over = configured        ? laid_over
                          : settings.bounds ? *settings.bounds
                                            : world_of(of->centre_grid().shape());
    const Status laid = first.fresh().configure(over, groups);
    if (!laid.ok()) { return laid; }
    first.fresh().forget_world(); // else a file would say that update() laid them out
    const Status inserted = insert(first.fresh());
    if (inserted.ok()) { of = std::move(first); }
    return inserted;
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Status Crowd<Dim>::State::change_static(SharedStatics<Dim>&, const Edit<Dim>&) const; \
    template Status Crowd<Dim>::State::insert_static(SharedStatics<Dim>&, Id, const Agent<Dim>&)   \
        const;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
