// Agents of the caller's arrays who are to be passed over. Internal to the engine.
#pragma once

#include "id.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace throng {

/// Ids in ascending order, each once.
struct LeftOutIds {
    std::span<const Id> ids;

    /// Those from `begin` to `end` - 1.
    [[nodiscard]] std::span<const Id> within(std::size_t begin, std::size_t end) const noexcept {
        if (ids.empty()) { return {}; }
        const auto first = std::lower_bound(ids.begin(), ids.end(), begin);
        return {first, std::lower_bound(first, ids.end(), end)};
    }

    /// Calls work(from, to) for each stretch of begin ... end - 1 that leaves nobody out.
    template <class Work>
    void between(std::size_t begin, std::size_t end, const Work& work) const {
        for (const Id id : within(begin, end)) {
            if (begin < id) { work(begin, std::size_t{id}); }
            begin = std::size_t{id} + 1;
        }
        if (begin < end) { work(begin, end); }
    }
};

} // namespace throng
