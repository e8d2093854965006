// Lists of edits, as hosts and as crowds have them.
#pragma once

#include "../engine/edit.hpp"
#include "../throng.h"

#include <cstddef>
#include <span>
#include <vector>

namespace throng::c {

/// Replaces `edits` by what is given. Throws Refused, with the index of the first that makes no
/// sense.
template <std::size_t Dim>
void read_edits(std::span<const throng_edit> given, std::vector<Edit<Dim>>& edits);

} // namespace throng::c
