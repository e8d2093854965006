// Lists of edits, as hosts and as crowds have them.
#pragma once

#include "../engine/edit.hpp"
#include "../throng.h"

#include <cstddef>
#include <span>
#include <vector>

namespace throng::c {

/// Throws Refused, with the index of the first that makes no sense.
template <std::size_t Dim>
[[nodiscard]] std::vector<Edit<Dim>> edits_of(std::span<const throng_edit> given);

} // namespace throng::c
