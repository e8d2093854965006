// People on the ranks of a job.
#pragma once

#include "structure.hpp"

#include <cstdint>
#include <memory>

namespace throng::demo {

/// A DistributedGrid whose ranks are threads of this process, one of which runs at a time. Its
/// cells are the bricks, which follow the crowd, and agents have the hues of their owners. Brushes
/// cannot ask it. No agent may be larger than the radius within which agents see each other.
template <std::size_t Dim>
[[nodiscard]] std::unique_ptr<Structure<Dim>>
make_ranks(std::uint32_t ranks, const People<Dim>& people, Executor& executor);

extern template std::unique_ptr<Structure<2>> make_ranks(std::uint32_t, const People<2>&,
                                                         Executor&);
extern template std::unique_ptr<Structure<3>> make_ranks(std::uint32_t, const People<3>&,
                                                         Executor&);

} // namespace throng::demo
