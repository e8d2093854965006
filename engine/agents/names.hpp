// The names of many agents, beside arrays of what they have.
#pragma once

#include "../core/id.hpp"
#include "handles.hpp"
#include "view.hpp"

#include <concepts>
#include <cstddef>
#include <span>

namespace throng {

/// Names agents one by one, by ids or by handles, in any order. Made from an array of either, which
/// is borrowed for the length of one call.
struct Names {
    ValueView<Id> ids; ///< those of handles are their slots
    std::span<const Handle> handles{};
    bool by_handle = false;

    template <std::convertible_to<std::span<const Id>> Ids>
    Names(const Ids& names) noexcept : Names(std::span<const Id>(names), 0) {}
    template <std::convertible_to<std::span<const Handle>> Handles>
    Names(const Handles& names) noexcept : Names(std::span<const Handle>(names), 0) {}

    [[nodiscard]] std::size_t count() const noexcept { return ids.count; }

private:
    Names(std::span<const Id> names, int) noexcept : ids{names.data(), sizeof(Id), names.size()} {}
    Names(std::span<const Handle> names, int) noexcept
        : ids{names.empty() ? nullptr : &names.front().slot, sizeof(Handle), names.size()},
          handles(names), by_handle(true) {}
};

} // namespace throng
