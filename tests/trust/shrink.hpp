// Makes a failing sequence as small as it can be and still fail.
#pragma once

#include "sequence.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace throng::test {

/// Leaves out elements of a list in a case that are not needed: halves first, then ever smaller
/// parts. `still()` says whether the case is still of interest; it is when this begins. Returns
/// whether anything was left out.
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

/// Leaves out operations and, of those that are left, agents, edits and questions of a list, as
/// long as `fails(sequence)`.
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
