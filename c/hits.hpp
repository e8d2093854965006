// Writes answers to where a host wants them.
#pragma once

#include "../engine/agents/buffers.hpp"
#include "../engine/answers/spatial_index.hpp"
#include "arrays.hpp"
#include "boundary.hpp"
#include "structs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace throng::c {

/// Reports answers that stay in a batch.
class HitsWriter {
public:
    explicit HitsWriter(throng_hits* out) : out_(out), hits_(read(out, "out")) {}

    void write(const Hits& answers) {
        hits_.offsets = answers.offsets.data();
        hits_.ids = answers.ids.data();
        hits_.count = answers.offsets.size() - 1;
        hits_.total = answers.total();
        c::write(hits_, out_);
    }

private:
    throng_hits* out_;
    throng_hits hits_;
};

/// Reports answers in the host's arrays.
class HitsRoom {
public:
    explicit HitsRoom(throng_hits_room* out)
        : out_(out),
          room_(read(out, "out")), buffer_{array_of<std::uint64_t>(room_.offsets, room_.offset_room,
                                                                   "out.offsets",
                                                                   "out.offset_room"),
                                           array_of<std::uint32_t>(room_.ids, room_.id_room,
                                                                   "out.ids", "out.id_room")} {}

    [[nodiscard]] const HitsBuffer& buffer() const noexcept { return buffer_; }

    /// Reports the number of ids.
    [[nodiscard]] throng_status write(std::uint64_t total) {
        room_.total = total;
        c::write(room_, out_);
        return total <= buffer_.ids.size() ? kOk : status_with(THRONG_NO_ROOM, "out.ids", total);
    }

private:
    throng_hits_room* out_;
    throng_hits_room room_;
    HitsBuffer buffer_;
};

/// Writes cells and nodes to the host's array.
class CellsRoom {
public:
    CellsRoom(throng_cell* cells, std::size_t room)
        : to_(array_of<throng_cell>(cells, room, "cells", "room")) {}

    /// Adds the next cell, which has agents of these sets.
    template <std::size_t Dim>
    void add(const IndexCell<Dim>& cell, std::uint32_t set) noexcept {
        if (count_ < to_.size()) {
            throng_cell& out = to_[count_];
            out = {};
            std::copy_n(cell.box.lo.axis.begin(), Dim, out.lo);
            std::copy_n(cell.box.hi.axis.begin(), Dim, out.hi);
            out.set = set;
            out.depth = cell.depth;
            out.agents = cell.count;
        }
        ++count_;
    }

    /// Reports the number of cells.
    [[nodiscard]] throng_status write(std::uint64_t* total) const noexcept {
        *total = count_;
        return count_ <= to_.size() ? kOk : status_with(THRONG_NO_ROOM, "cells", count_);
    }

private:
    std::span<throng_cell> to_;
    std::size_t count_ = 0;
};

} // namespace throng::c
