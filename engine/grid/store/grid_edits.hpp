// The edits of a list that are for the grid. Internal to the engine.
#pragma once

#include "../../agents/edit.hpp"
#include "../../core/status.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace throng {

/// A list of edits, some of which another structure makes. Indices are those of the whole list.
template <std::size_t Dim>
struct GridEdits {
    std::span<const Edit<Dim>> all;
    std::span<const std::size_t> elsewhere{}; ///< the edits that the grid leaves out, ascending

    [[nodiscard]] std::size_t size() const noexcept { return all.size() - elsewhere.size(); }

    /// Calls make(index, edit) for the edits from `first` on and before `end`, in order; the status
    /// is the first that is not ok.
    template <class Make>
    Status for_each(std::size_t first, std::size_t end, Make&& make) const {
        auto left_out = std::lower_bound(elsewhere.begin(), elsewhere.end(), first);
        for (std::size_t i = first; i < end; ++i) {
            if (left_out != elsewhere.end() && *left_out == i) {
                ++left_out;
                continue;
            }
            if (const Status status = make(i, all[i]); !status.ok()) { return status; }
        }
        return {};
    }
    template <class Make>
    Status for_each(Make&& make) const {
        return for_each(0, all.size(), make);
    }
};

} // namespace throng
