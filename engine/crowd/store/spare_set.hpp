// A second set beside a crowd's giants, and beside its statics. Internal to the engine.
#pragma once

#include "../../agents/edit.hpp"
#include "../../core/access.hpp"
#include "../../core/status.hpp"
#include "../../grid/store/state.hpp"
#include "../../memory/vector.hpp"
#include "../large/large_elements.hpp"
#include "shared_statics.hpp"

#include <cstddef>
#include <optional>
#include <utility>

namespace throng {

/// The set in which a crowd's next elements are made, while the present ones still answer: an
/// update fills it, and a list of edits makes it a copy and edits that. Whoever has made it swaps
/// it with the present set.
///
/// After a list it holds the elements of before the list, and lacks these edits alone. So the next
/// list makes them again, and copies nothing, if both sets are as they were left: their editions
/// say so. `Held` is LargeElements or SharedStatics.
template <std::size_t Dim, class Held>
class SpareSet {
public:
    /// Whether it holds a set.
    explicit operator bool() const noexcept { return set_.has_value(); }
    [[nodiscard]] const Held& operator*() const noexcept { return *set_; }
    [[nodiscard]] Held& operator*() noexcept { return *set_; }
    [[nodiscard]] const Held* operator->() const noexcept { return &*set_; }
    [[nodiscard]] Held* operator->() noexcept { return &*set_; }
    /// For an update, which fills the set.
    void put(Held&& set) noexcept { set_ = std::move(set); }

    /// Begins a list: makes the set a copy of the present one. `make(set, edit)` makes an edit.
    /// Throws std::bad_alloc.
    template <class Make>
    Status renew(const Held& present, const Make& make) {
        if (set_ && edition_of(*set_) == before_ && edition_of(present) == after_ &&
            lacks_.size() <= elements_of(present).size() / kElementsOfEdit + kFewest) {
            // Once an edit is made, or fails on the way, the set has another edition.
            for (const Edit<Dim>& edit : lacks_) {
                if (const Status status = make(*set_, edit); !status.ok()) { return status; }
            }
        } else {
            if (!set_) { set_.emplace(); }
            if (const Status status = set_->copy(present); !status.ok()) { return status; }
        }
        lacks_.clear();
        before_ = edition_of(present);
        return {};
    }

    /// Makes the next edit of the list. Throws std::bad_alloc.
    template <class Make>
    Status edit(const Edit<Dim>& edit, const Make& make) {
        lacks_.push_back(edit);
        const Status status = make(*set_, edit);
        after_ = edition_of(*set_);
        return status;
    }

    /// Bytes of heap.
    [[nodiscard]] std::size_t memory() const noexcept {
        return (set_ ? elements_of(*set_).memory().total() : 0) +
               lacks_.capacity() * sizeof(Edit<Dim>);
    }

private:
    using Elements = LargeElements<Dim>;

    // An edit takes as long as copying about so many elements; copying an empty set takes as long
    // as a few edits.
    static constexpr std::size_t kElementsOfEdit = 32, kFewest = 16;

    [[nodiscard]] static const Elements& elements_of(const Elements& set) noexcept { return set; }
    [[nodiscard]] static const Elements& elements_of(const SharedStatics<Dim>& held) noexcept {
        return *held;
    }
    [[nodiscard]] static Edition edition_of(const Held& held) noexcept {
        return detail::state_of(elements_of(held).centre_grid()).edition;
    }

    std::optional<Held> set_;
    Vector<Edit<Dim>> lacks_;    // the edits of the last list
    Edition before_{}, after_{}; // of the present set, before that list and after it
};

} // namespace throng
