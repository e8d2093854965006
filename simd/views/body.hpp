// Body: whether a question means agents' centres, boxes or discs.
#pragma once

#include <cstdint>

namespace throng {

/// What an agent is to a question about distance: its centre, its box, or a disc (in space a ball)
/// whose radius is its half extent on the first axis, as for a Capsule. The question says which, so
/// one crowd can be asked about all three.
enum class Body : std::uint32_t { centre, box, disc };

} // namespace throng
