// Shortens a failing sequence as far as it still fails.
#pragma once

#include "sequence.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace throng::test {

/// Leaves out elements of a list that are not needed: halves first, then smaller and smaller parts.
/// `still()` tells whether the rest still fails; it must be true at the start. Returns whether
/// anything was left out.
template <class Item, class Still>
bool leave_out(std::vector<Item>& items, const Still& still) {
    const std::size_t before = items.size();
    for (std::size_t part = (items.size() + 1) / 2; part != 0; part /= 2) {
        std::size_t begin = 0;
        while (begin < items.size()) {
            const std::vector<Item> whole = items;
            const auto first = items.begin() + static_cast<std::ptrdiff_t>(begin);
            const std::size_t count = std::min(part, items.size() - begin);
            items.erase(first, first + static_cast<std::ptrdiff_t>(count));
            if (still()) { continue; }
            items = whole;
            begin += count;
        }
    }
    return items.size() != before;
}

/// Leaves out operations, then agents, edits and questions of the remaining ones, as long as
/// `fails(sequence)` is true.
template <std::size_t Dim, class Fails>
Sequence<Dim> shrunk(Sequence<Dim> sequence, const Fails& fails) {
    const auto still = [&] { return fails(std::as_const(sequence)); };
    for (bool smaller = true; smaller;) {
        smaller = leave_out(sequence.operations, still);
        for (Operation<Dim>& operation : sequence.operations) {
            const bool batch = operation.what == What::batch;
            const bool list = operation.what == What::edit_many;
            smaller = leave_out(operation.agents, still) || smaller;
            smaller = (list && leave_out(operation.edits, still)) || smaller;
            smaller = (batch && leave_out(operation.shapes, still)) || smaller;
        }
    }
    return sequence;
}

} // namespace throng::test
