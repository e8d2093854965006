// Updates and edits of a crowd whose loops the host runs.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../grid/change.hpp"
#include "crowd.hpp"

#include <cstddef>

namespace throng {

/// A change of a Crowd.
template <std::size_t Dim>
using CrowdChange = Change<Crowd, Dim>;

extern template class Change<Crowd, 2>;
extern template class Change<Crowd, 3>;

} // namespace throng

#include "../../simd/isa/names_end.hpp"
