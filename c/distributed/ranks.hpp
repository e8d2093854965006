// The ranks of a job that hosts hold.
#pragma once

#include "../../distributed/ranks.hpp"
#include "../../throng_distributed.h"
#include "../held.hpp"

#include <memory>

namespace throng::detail {

/// Hands ranks out: a shared library shows this to that of throng::mpi.
THRONG_API throng_status give_ranks(std::shared_ptr<Ranks> ranks, throng_ranks** out) noexcept;

} // namespace throng::detail

namespace throng::c {

/// Crowds keep theirs alive.
struct RanksObject {
    std::shared_ptr<Ranks> ranks;
};

template <>
struct Held<throng_ranks> {
    using Object = RanksObject;
    static constexpr Kind kKind = Kind::ranks;
};

} // namespace throng::c
