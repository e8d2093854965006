// Cuts a crowd into parts of similar size that can be worked on at the same time. Internal to the
// engine.
#pragma once

#include "../../../simd/views/grid_view.hpp"
#include "../../memory/vector.hpp"
#include "row_store.hpp"

#include <cstddef>

namespace throng {

/// Slices of the storage order, some thousand agents each: a part of a row, or many rows. They are
/// cut between slots and not between agents, so edits leave them valid, but maybe uneven.
class Slices {
public:
    [[nodiscard]] std::size_t count() const noexcept {
        return cuts_.empty() ? 0 : cuts_.size() - 1;
    }
    /// The begin of a slice; for number count(), the end of the last one.
    [[nodiscard]] simd::RowSlot operator[](std::size_t slice) const noexcept {
        return cuts_[slice];
    }

    /// Makes room to cut() this many agents. Throws std::bad_alloc, and then nothing has changed.
    void reserve(std::size_t agents);
    /// Cuts a store of `agents` agents anew. The cuts depend on the agents alone.
    template <std::size_t Dim>
    void cut(const RowStore<Dim>& store, std::size_t agents) noexcept;
    void clear() noexcept { cuts_.clear(); }

    /// Whether so many agents have been added that a new cut is worth its time.
    [[nodiscard]] bool outgrown(std::size_t agents) const noexcept {
        return agents > 2 * agents_cut_ || count() == 0;
    }

    [[nodiscard]] std::size_t memory() const noexcept {
        return cuts_.capacity() * sizeof(simd::RowSlot);
    }

private:
    Vector<simd::RowSlot> cuts_;
    std::size_t agents_cut_ = 0;
};

extern template void Slices::cut(const RowStore<2>&, std::size_t) noexcept;
extern template void Slices::cut(const RowStore<3>&, std::size_t) noexcept;

} // namespace throng
