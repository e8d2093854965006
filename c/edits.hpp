// Lists of edits, as hosts and as crowds have them.
#pragma once

#include "../engine/edit.hpp"
#include "../engine/vector.hpp"
#include "../throng.h"

#include <cstddef>
#include <span>

namespace throng::c {

/// The edits of one call, in room that is there for the next call too unless this one is refused.
template <std::size_t Dim>
class PreparedEdits {
public:
    explicit PreparedEdits(Vector<Edit<Dim>>& room) noexcept : room_(room) {}
    PreparedEdits(const PreparedEdits&) = delete;
    PreparedEdits& operator=(const PreparedEdits&) = delete;
    ~PreparedEdits() {
        if (!kept_) { Vector<Edit<Dim>>().swap(room_); }
    }

    /// Throws Refused, with the index of the first that makes no sense. Takes memory where the
    /// thread takes it.
    void read(std::span<const throng_edit> given);
    [[nodiscard]] std::span<const Edit<Dim>> all() const noexcept { return room_; }
    void keep() noexcept { kept_ = true; }

private:
    Vector<Edit<Dim>>& room_;
    bool kept_ = false;
};

} // namespace throng::c
