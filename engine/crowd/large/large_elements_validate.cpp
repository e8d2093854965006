// Checks a set of large elements: its arrays, its tree and its grid must agree.
#include "large_elements.hpp"

#include "../../agents/validation.hpp"
#include "../../core/access.hpp"
#include "../../grid/store/state.hpp"
#include "../../loose_tree/state.hpp"
#include "../../memory/vector.hpp"
#include "../sets.hpp"

#include <cmath>
#include <cstdint>

namespace throng {

template <std::size_t Dim>
const char* LargeElements<Dim>::validate() const {
    // In this order: each check relies on the ones before it.
    for (const auto check : {&LargeElements::fault_of_arrays, &LargeElements::fault_of_names,
                             &LargeElements::fault_of_slots, &LargeElements::fault_of_layout,
                             &LargeElements::fault_of_tree, &LargeElements::fault_of_centres}) {
        if (const char* const wrong = (this->*check)(); wrong != nullptr) { return wrong; }
    }
    return nullptr;
}

template <std::size_t Dim>
const char* LargeElements<Dim>::fault_of_arrays() const {
    const std::size_t slots = names_.size();
    bool alike = groups_.size() == (groups_kept_ ? slots : 0);
    for (std::size_t a = 0; a < Dim; ++a) {
        alike = alike && position_[a].size() == slots && half_[a].size() == slots;
    }
    if (!alike) { return "the arrays of a set differ in length"; }
    if (!check_half_extent(largest_).ok()) { return "a set's largest extent is none"; }
    for (std::size_t slot = 0; slot < slots; ++slot) {
        if (!has_element(slot)) { continue; }
        for (std::size_t a = 0; a < Dim; ++a) {
            const float half = half_[a][slot];
            if (!(std::abs(position_[a][slot]) <= kLargest)) { return "a position that is none"; }
            if (!(half >= 0.0f && half <= largest_[a])) { return "an extent beyond the largest"; }
        }
    }
    return nullptr;
}

template <std::size_t Dim>
const char* LargeElements<Dim>::fault_of_names() const {
    const std::size_t slots = names_.size();
    std::size_t named = 0;
    for (std::size_t slot = 0; slot < slots; ++slot) {
        if (!has_element(slot)) { continue; }
        ++named;
        if (names_[slot] >= bound_) { return "a name beyond the bound"; }
        if (slot > 0 && !indexed_ && names_[slot - 1] >= names_[slot]) {
            return "the names of a set do not ascend";
        }
        if (find(names_[slot]) != slot) { return "a name does not lead to its slot"; }
    }
    if (named != size_) { return "a set has another number of names"; }
    if (!indexed_) {
        const std::size_t past = slots == 0 ? 0 : std::size_t{names_.back()} + 1;
        return named == slots && bound_ == past ? nullptr : "a set that was edited does not say so";
    }
    std::size_t indexed = 0;
    by_name_.for_each([&](Id) { return ++indexed <= size_; });
    return indexed == size_ ? nullptr : "the index has names of elements that are not there";
}

/// The free slots are exactly the slots without a name, each listed once.
template <std::size_t Dim>
const char* LargeElements<Dim>::fault_of_slots() const {
    Vector<std::uint8_t> seen(names_.size(), 0);
    for (const Id slot : free_) {
        if (slot >= seen.size() || seen[slot] != 0 || has_element(slot)) {
            return "a free slot that is none";
        }
        seen[slot] = 1;
    }
    return free_.size() + size_ == names_.size() ? nullptr : "a free slot is lost";
}

template <std::size_t Dim>
const char* LargeElements<Dim>::fault_of_layout() const {
    if (world_ && !check_bounds(*world_).ok()) { return "a set lies over no world"; }
    // A set that was never laid out has never had an element.
    if (!is_laid()) { return names_.empty() ? nullptr : "a set with elements was never laid out"; }
    const CrowdKind<Dim> boxes{true, groups_kept_, {}}, points{false, groups_kept_, {}};
    return tree_.kind() == boxes && centres_.kind() == points
               ? nullptr
               : "a set keeps masks where its tree or grid does not, or the other way round";
}

template <std::size_t Dim>
const char* LargeElements<Dim>::fault_of_tree() const {
    if (const char* wrong = tree_.validate(); wrong != nullptr) { return wrong; }
    if (tree_.size() != size_) { return "the tree of a set holds another number of elements"; }
    if (size_ == 0) { return nullptr; }
    const auto& store = detail::state_of(tree_).tree.store();
    bool same = true;
    // The tree has as many elements as the set, and none of them twice, so it has them all.
    store.for_each_slot([&](std::uint32_t slot) {
        const std::uint32_t element = store.id(slot);
        if (!same) { return; }
        same = has_element(element) && store.position(slot) == position_of(element) &&
               store.half_extent(slot) == half_of(element) &&
               (!groups_kept_ || store.groups(slot) == groups_[element]);
    });
    return same ? nullptr : "the tree of a set holds other elements than the set";
}

template <std::size_t Dim>
const char* LargeElements<Dim>::fault_of_centres() const {
    if (const char* wrong = centres_.validate(); wrong != nullptr) { return wrong; }
    if (centres_.size() != size_) { return "the grid of a set holds another number of elements"; }
    // Calls over several grids look names up by slot.
    if (centres_.id_bound() > names_.size()) { return "the grid of a set knows slots beyond it"; }
    using Fields = simd::Fields<Dim>;
    const RowStore<Dim>& store = detail::state_of(centres_).store;
    for (const simd::Row& row : store.rows()) {
        for (std::uint32_t slot = 0; slot < row.count; ++slot) {
            const NodeWords<Dim> node = store.node(row, slot);
            const Id element = node[Fields::kId];
            if (!has_element(element) || throng::position_of<Dim>(node) != position_of(element) ||
                (groups_kept_ && node[Fields::groups(false)] != groups_[element])) {
                return "the grid of a set holds other centres than the set";
            }
        }
    }
    return nullptr;
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template const char* LargeElements<Dim>::validate() const;                                     \
    template const char* LargeElements<Dim>::fault_of_arrays() const;                              \
    template const char* LargeElements<Dim>::fault_of_names() const;                               \
    template const char* LargeElements<Dim>::fault_of_slots() const;                               \
    template const char* LargeElements<Dim>::fault_of_layout() const;                              \
    template const char* LargeElements<Dim>::fault_of_tree() const;                                \
    template const char* LargeElements<Dim>::fault_of_centres() const;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
