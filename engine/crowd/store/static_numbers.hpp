// Numbers for a crowd's statics, whose ids may have gaps. Internal to the library.
#pragma once

#include "../../core/id.hpp"
#include "../large/large_elements.hpp"
#include "../sets.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng {

/// Numbers statics from 0 on, by ascending ids: for arrays with an element for each static. Edits
/// may give a static any id, so the ids themselves do not say how long an array must be.
class StaticNumbers {
public:
    /// Numbers these statics. Throws std::bad_alloc.
    template <std::size_t Dim>
    void renew(const LargeElements<Dim>& statics) {
        ids_.clear();
        // Ids are different, so they have no gaps if none is beyond the first ones.
        if (statics.name_bound() <= kFirstStatic + statics.size()) { return; }
        ids_.resize(statics.size());
        (void)statics.names(ids_);
    }

    /// The number of a static.
    [[nodiscard]] std::uint32_t operator()(Id id) const noexcept {
        if (ids_.empty()) { return id & ~kFirstStatic; }
        const auto at = std::lower_bound(ids_.begin(), ids_.end(), id);
        return static_cast<std::uint32_t>(at - ids_.begin());
    }

    /// Bytes of heap.
    [[nodiscard]] std::size_t memory() const noexcept { return ids_.capacity() * sizeof(Id); }

private:
    std::vector<Id> ids_; // empty if they have no gaps
};

} // namespace throng
