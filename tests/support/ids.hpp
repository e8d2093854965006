// Lists of ids and of pairs of ids.
#pragma once

#include <throng/engine/core/id.hpp>

#include <utility>
#include <vector>

namespace throng::test {

using Ids = std::vector<Id>;
using IdPairs = std::vector<std::pair<Id, Id>>;

} // namespace throng::test
