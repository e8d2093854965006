// Distributed crowds that hosts hold.
#pragma once

#include "../../distributed/distributed_grid.hpp"
#include "../../throng_distributed.h"
#include "../executor.hpp"
#include "../held.hpp"
#include "ranks.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

namespace throng::c {

/// A crowd of either dimension, and its latest answers.
class DistributedObject {
public:
    DistributedObject(std::shared_ptr<Ranks> ranks, std::uint32_t dimension)
        : ranks_(std::move(ranks)), crowd_(make(*ranks_, dimension)) {}

    [[nodiscard]] std::uint32_t dimension() const noexcept {
        return std::holds_alternative<DistributedGrid<2>>(crowd_) ? 2 : 3;
    }
    /// Calls call(crowd).
    template <class Call>
    decltype(auto) visit(const Call& call) {
        return std::visit(call, crowd_);
    }

    // Answers stay here until the next call.
    Hits hits;
    Pairs pairs;
    GlobalHits global_hits;
    GlobalNearHits near;
    GlobalMeetings meetings;
    std::vector<GlobalMeeting> first;
    std::vector<std::uint64_t> counts;

private:
    using Either = std::variant<DistributedGrid<2>, DistributedGrid<3>>;
    static Either make(Ranks& ranks, std::uint32_t dimension) {
        if (dimension == 2) { return DistributedGrid<2>(ranks); }
        return DistributedGrid<3>(ranks);
    }

    std::shared_ptr<Ranks> ranks_; // declared before the crowd that borrows them
    Either crowd_;
};

template <>
struct Held<throng_distributed> {
    using Object = DistributedObject;
    static constexpr Kind kKind = Kind::distributed;
};

/// The executor of a call; null means the calling thread.
[[nodiscard]] inline std::shared_ptr<Executor> executor_of_rank(const throng_executor* executor) {
    if (executor == nullptr) { return {std::shared_ptr<void>(), &serial_executor()}; }
    return executor_for(executor);
}

/// A collective call: call(crowd object) reads the host's arguments, makes the call, and writes the
/// results. If the arguments are refused, the other ranks are told, and do not wait.
template <class Call>
[[nodiscard]] throng_status together(throng_distributed* crowd, const Call& call) noexcept {
    return guarded([&] {
        DistributedObject& object = look_up(crowd, "crowd");
        try {
            return call(object);
        } catch (...) {
            // Only reading arguments throws; collective calls do not.
            const throng_status refused = status_of_exception();
            (void)object.visit([](auto& of) { return of.abstain(); });
            return refused;
        }
    });
}

} // namespace throng::c
