// The statics of a crowd, which other crowds may share. Internal to the engine.
#pragma once

#include "../../memory/vector.hpp"
#include "../large/large_elements.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace throng {

/// Frames of a PublishedCrowd, and parts of a larger crowd, share one set. Whoever changes a set
/// that was ever shared changes a copy, which is then its own.
///
/// The set itself remembers that it was shared. The reference count would not do: a frame may be
/// destroyed by the thread of its last reader at any time, and a count of one says nothing about
/// whether that reader's reads have happened before. A set that was never shared is known to one
/// crowd alone, and no call may read a crowd while another changes it.
template <std::size_t Dim>
class SharedStatics {
public:
    using Set = LargeElements<Dim>;

    /// An empty set. Throws std::bad_alloc.
    SharedStatics() : held_(std::allocate_shared<Held>(Allocated<Held>())) {}
    SharedStatics(SharedStatics&&) noexcept = default;
    SharedStatics& operator=(SharedStatics&&) noexcept = default;
    SharedStatics(const SharedStatics&) = delete;
    SharedStatics& operator=(const SharedStatics&) = delete;
    ~SharedStatics() = default;

    [[nodiscard]] const Set& operator*() const noexcept { return held_->set; }
    [[nodiscard]] const Set* operator->() const noexcept { return &held_->set; }

    /// Drops the set, and shares that of another crowd. Several threads may share one crowd's set
    /// at the same time.
    void share(const SharedStatics& other) noexcept {
        // Relaxed: only the other crowd's own changes read it, and its caller orders these.
        other.held_->shared.store(true, std::memory_order_relaxed);
        held_ = other.held_;
    }

    /// The set of an object that has just been made, which nobody shares yet.
    [[nodiscard]] Set& fresh() noexcept { return held_->set; }

    /// Makes the set, which nobody may share, a copy of another one.
    Status copy(const SharedStatics& other) { return held_->set.copy(other.held_->set); }

    /// Whether the set was ever shared.
    [[nodiscard]] bool is_shared() const noexcept {
        return held_->shared.load(std::memory_order_relaxed);
    }

    /// Returns edit(set), with a set that is this crowd's own. An edit that fails, with a status or
    /// an exception, must leave the set as it was.
    template <class Edit>
    Status change(const Edit& edit) {
        if (!is_shared()) { return edit(held_->set); }
        SharedStatics own;
        Status status = own.copy(*this);
        if (status.ok()) { status = edit(own.held_->set); }
        if (status.ok()) { *this = std::move(own); }
        return status;
    }

    /// Gives back the scratch memory of edits, unless others share the set.
    void release_staging() noexcept {
        if (!is_shared()) { held_->set.release_staging(); }
    }

private:
    struct Held {
        Set set;
        std::atomic<bool> shared{false};
    };

    std::shared_ptr<Held> held_;
};

} // namespace throng
