#include "slices.hpp"

#include "../../core/assert.hpp"

#include <algorithm>

namespace throng {

namespace {

/// The size of slices: large enough to hide the cost of handing a slice to a thread, and small
/// enough that its answers fit the second-level cache. Small crowds get smaller slices, so that
/// there are some for all threads.
std::size_t slice_size(std::size_t agents) noexcept {
    return std::clamp<std::size_t>(agents / 64, 512, 4096);
}

} // namespace

void Slices::reserve(std::size_t agents) { cuts_.reserve(agents / slice_size(agents) + 2); }

template <std::size_t Dim>
void Slices::cut(const RowStore<Dim>& store, std::size_t agents) noexcept {
    THRONG_ASSERT(cuts_.capacity() >= agents / slice_size(agents) + 2);
    const std::size_t size = slice_size(agents);
    cuts_.assign(1, {0, 0});
    std::size_t before = 0; // agents in the rows before
    std::size_t next = size;
    store.occupied().for_each([&](std::size_t r) {
        const std::size_t count = store.rows()[r].count;
        for (; next < before + count; next += size) {
            cuts_.push_back(
                {static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(next - before)});
        }
        before += count;
    });
    if (before != 0) { cuts_.push_back({static_cast<std::uint32_t>(store.rows().size()), 0}); }
    agents_cut_ = agents;
}

template void Slices::cut(const RowStore<2>&, std::size_t) noexcept;
template void Slices::cut(const RowStore<3>&, std::size_t) noexcept;

} // namespace throng
