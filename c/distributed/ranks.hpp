// Ranks of a job that hosts hold.
#pragma once

#include "../../distributed/ranks.hpp"
#include "../../throng_distributed.h"
#include "../held.hpp"

#include <memory>

namespace throng::detail {

/// Gives ranks to the host. Exported, for the library of throng::mpi.
THRONG_API throng_status give_ranks(std::shared_ptr<Ranks> ranks, throng_ranks** out) noexcept;

} // namespace throng::detail

namespace throng::c {

/// The object behind a host's ranks. Crowds keep their ranks alive.
struct RanksObject {
    std::shared_ptr<Ranks> ranks;
};

template <>
struct Held<throng_ranks> {
    using Object = RanksObject;
    static constexpr Kind kKind = Kind::ranks;
};

} // namespace throng::c
