#include "state.hpp"

#include "../stage/names.hpp"

namespace throng::demo {

StructureKind next_structure(const Stage& stage, bool forward) noexcept {
    const std::size_t count = kStructureNames.size();
    auto kind = static_cast<std::size_t>(stage.structure());
    do {
        kind = (kind + (forward ? 1 : count - 1)) % count;
    } while (!can_keep(static_cast<StructureKind>(kind), stage.dim(), stage.sight().x.size()));
    return static_cast<StructureKind>(kind);
}

} // namespace throng::demo
