// The agents of the caller's arrays that an index skips. Internal to the engine.
#pragma once

#include "../core/id.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace throng {

/// Ids in ascending order, each once.
struct SkippedIds {
    std::span<const Id> ids;

    /// The skipped ids from `begin` to `end` - 1.
    [[nodiscard]] std::span<const Id> within(std::size_t begin, std::size_t end) const noexcept {
        if (ids.empty()) { return {}; }
        const auto first = std::lower_bound(ids.begin(), ids.end(), begin);
        return {first, std::lower_bound(first, ids.end(), end)};
    }

    /// Calls work(from, to) for each run of ids in begin ... end - 1 that are not skipped.
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
