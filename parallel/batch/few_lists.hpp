// Lists that are found from the other side: by few agents, for many askers. Internal.
#pragma once

#include "../../engine/agents/found.hpp"
#include "../../engine/core/id.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng {

/// For each agent of a grid, by its id: which of the few agents of another grid are near it. If one
/// agent is near another, the other is near it too, and it takes less time to ask the few.
class FewLists {
public:
    /// The names of the few near an asker, in the order of the few.
    [[nodiscard]] std::span<const Id> of(Id asker) const noexcept {
        return std::span(names_).subspan(begins_[asker], begins_[asker + 1] - begins_[asker]);
    }
    [[nodiscard]] bool any(Id asker) const noexcept { return begins_[asker + 1] != begins_[asker]; }

    /// Makes the lists. found.of(k) has the askers near the k-th of the few; all askers' ids are
    /// below `bound`. There must be fewer than 2^32 ids in `found`.
    void turn(const Hits& found, std::span<const Id> few, std::size_t bound) {
        // While names are placed, begins_[id + 1] is where the next name for `id` goes, and in the
        // end where the list of the next id begins.
        begins_.assign(bound + 2, 0);
        for (std::size_t k = 0; k < few.size(); ++k) {
            for (const Id asker : found.of(k)) {
                ++begins_[asker + 2];
            }
        }
        for (std::size_t id = 2; id < begins_.size(); ++id) {
            begins_[id] += begins_[id - 1];
        }
        names_.resize(begins_.back());
        for (std::size_t k = 0; k < few.size(); ++k) {
            for (const Id asker : found.of(k)) {
                names_[begins_[asker + 1]++] = few[k];
            }
        }
    }

    [[nodiscard]] std::size_t memory() const noexcept {
        return begins_.capacity() * sizeof(std::uint32_t) + names_.capacity() * sizeof(Id);
    }

private:
    std::vector<std::uint32_t> begins_;
    std::vector<Id> names_;
};

} // namespace throng
