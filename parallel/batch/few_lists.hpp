// Lists that are found from the other side: by few agents, for many askers. Internal.
#pragma once

#include "../../engine/agents/buffers.hpp"
#include "../../engine/agents/found.hpp"
#include "../../engine/core/id.hpp"
#include "../../engine/grid/named_grid.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng {

/// For each agent of a grid, by its id: which of the few agents of another grid are near it. If one
/// agent is near another, the other is near it too, and it takes less time to ask the few.
class FewLists {
public:
    [[nodiscard]] bool any(Id asker) const noexcept {
        return (near_any_[asker / 64] >> (asker % 64) & 1) != 0;
    }
    /// How many of the few are near an asker.
    [[nodiscard]] std::size_t length(Id asker) const noexcept {
        return any(asker) ? links_[last_[asker]].length : 0;
    }
    /// Calls call(name) with the names of the few near an asker, the last of the few first.
    template <class Call>
    void for_each_backwards(Id asker, const Call& call) const {
        if (!any(asker)) { return; }
        const Link* link = &links_[last_[asker]];
        for (; link->length > 1; link = &links_[link->before]) {
            call(link->name);
        }
        call(link->name);
    }

    /// Makes the lists. found.of(k) has the askers near the k-th of the few; all askers' ids are
    /// below `bound`. There must be fewer than 2^32 ids in `found`.
    void turn(const Hits& found, std::span<const Id> few, std::size_t bound);

    [[nodiscard]] std::size_t memory() const noexcept {
        return near_any_.capacity() * sizeof(std::uint64_t) +
               last_.capacity() * sizeof(std::uint32_t) + links_.capacity() * sizeof(Link);
    }

private:
    struct Link {
        Id name;
        std::uint32_t
            before; ///< the link of the few before that is near the asker, if there is one
        std::uint32_t length; ///< how many there are, with this one
    };
    std::vector<std::uint64_t> near_any_; // a bit for each asker: few enough to stay in the cache
    std::vector<std::uint32_t> last_;     // links by asker, where it has any; else anything
    std::vector<Link> links_;
};

/// What few agents have found among some askers.
struct FewFound {
    std::array<const FewLists*, kMostGrids> lists{}; ///< of the grids asked; null: not of few
    std::size_t grids = 0;                           ///< how many are asked
    std::span<const Id> askers; ///< their ids, in storage order; empty if no grid is of few

    /// The number of the only grid that is not one of few agents; else kMostGrids.
    [[nodiscard]] std::size_t main() const noexcept;
    /// Adds the lengths of the lists to the askers' counts. Returns their sum.
    std::uint64_t add_lengths_to(std::span<std::uint32_t> counts) const noexcept;
    /// Inserts the lists into the answers of the main grid, which begin at out.used, so that each
    /// asker's are in the order of the grids. `numbers` has room for a number for each asker.
    /// Returns how many names it inserts.
    std::uint64_t insert_into(const HitsBuffer& out,
                              std::span<std::uint32_t> numbers) const noexcept;

private:
    /// Writes the numbers of the askers that have found any. Returns how many these are.
    std::size_t list_askers(std::span<std::uint32_t> numbers) const noexcept;
};

} // namespace throng
