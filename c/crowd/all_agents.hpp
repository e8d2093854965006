// Questions of all agents of a crowd at once.
#pragma once

#include "../../engine/agents/nearest.hpp"
#include "../../parallel/batch/batch.hpp"
#include "../questions.hpp"
#include "../structs.hpp"
#include "crowd.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::c {

/// The number of answers when all agents ask.
[[nodiscard]] inline std::uint64_t answers_of(const CrowdObject& crowd, Order order) {
    return crowd.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) -> std::uint64_t {
        return throng::Batch<Dim>::answers(of, order);
    });
}

/// The question of all agents, and the order of the answers.
struct AllAgents {
    Neighbourhood neighbourhood;
    Order order;
    Sets sets;

    explicit AllAgents(const throng_neighbourhood* from) {
        const throng_neighbourhood given = read(from, "neighbourhood");
        neighbourhood = {given.radius, flag_of(given.with_self, "neighbourhood.with_self"),
                         given.groups, flag_of(given.later_only, "neighbourhood.later_only"),
                         static_cast<Body>(given.body)};
        if (given.reserved != 0) { refuse(THRONG_WRONG_VALUE, "neighbourhood.reserved"); }
        order = static_cast<Order>(flag_of(given.order, "neighbourhood.order"));
        sets = sets_of(given.sets, "neighbourhood.sets");
    }
};
static_assert(static_cast<int>(Body::centre) == THRONG_BODY_CENTRE &&
              static_cast<int>(Body::box) == THRONG_BODY_BOX &&
              static_cast<int>(Body::disc) == THRONG_BODY_DISC);
static_assert(static_cast<int>(Order::storage) == THRONG_ORDER_STORAGE &&
              static_cast<int>(Order::ids) == THRONG_ORDER_IDS);

} // namespace throng::c
