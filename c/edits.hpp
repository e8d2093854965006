// Converts lists of edits from hosts' form to crowds'.
#pragma once

#include "../engine/agents/edit.hpp"
#include "../engine/crowd/crowd.hpp"
#include "../engine/memory/vector.hpp"
#include "../throng.h"

#include <cstddef>
#include <span>

namespace throng::c {

/// Converts one edit. Throws Refused, with this index of the argument `name`.
template <std::size_t Dim>
[[nodiscard]] Edit<Dim> edit_of(const throng_edit& given, const char* name, std::size_t index);

/// The edits of one call. Their memory is kept for the next call, unless this call is refused.
template <std::size_t Dim>
class PreparedEdits {
public:
    explicit PreparedEdits(Vector<Edit<Dim>>& room) noexcept : room_(room) {}
    PreparedEdits(const PreparedEdits&) = delete;
    PreparedEdits& operator=(const PreparedEdits&) = delete;
    ~PreparedEdits() {
        if (!kept_) { Vector<Edit<Dim>>().swap(room_); }
    }

    /// Reads throng_edit or throng_world_edit, for this crowd. Throws Refused, with the index of
    /// the first edit that is wrong. Takes memory from the thread's memory source.
    template <class GivenEdit>
    void read(std::span<const GivenEdit> given, const throng::Crowd<Dim>& crowd);
    [[nodiscard]] std::span<const Edit<Dim>> all() const noexcept { return room_; }
    void keep() noexcept { kept_ = true; }

private:
    Vector<Edit<Dim>>& room_;
    bool kept_ = false;
};

} // namespace throng::c
