// Readers hold a finished state for as long as they like, while the next one is being built.
#pragma once

#include "../core/assert.hpp"
#include "snapshot_core.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace throng {

template <class State>
class Snapshots;

namespace detail {

/// A state, on cache lines of its own: readers write their count on the line before.
template <class State>
struct SnapshotNode : SnapshotSlot {
    template <class Make>
    explicit SnapshotNode(const Make& make)
        : SnapshotSlot(
              [](SnapshotSlot* slot) noexcept { delete static_cast<SnapshotNode*>(slot); }),
          state(make()) {}

    alignas(kApart) alignas(State) State state;
};

} // namespace detail

/// Holds a state that was published, which does not change meanwhile; or is empty.
///
/// Copies hold the same state. A held state outlives the Snapshots that it comes from: the last
/// Snapshot to let it go then destroys it, on its own thread. One Snapshot is used by one thread at
/// a time, the state by any number.
template <class State>
class Snapshot {
public:
    Snapshot() = default;
    Snapshot(const Snapshot& other) noexcept : node_(other.node_) {
        if (node_ != nullptr) { node_->hold(); }
    }
    Snapshot(Snapshot&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
    Snapshot& operator=(Snapshot other) noexcept {
        std::swap(node_, other.node_);
        return *this;
    }
    ~Snapshot() {
        if (node_ != nullptr) { node_->let_go(); }
    }

    /// Whether there is a state. If not, the operators below must not be used.
    [[nodiscard]] explicit operator bool() const noexcept { return node_ != nullptr; }
    [[nodiscard]] const State& operator*() const noexcept {
        THRONG_ASSERT(node_ != nullptr);
        return node_->state;
    }
    [[nodiscard]] const State* operator->() const noexcept { return &**this; }

    /// The number of the frame: 1 for the first that was published; 0 if this is empty.
    [[nodiscard]] std::uint64_t frame() const noexcept {
        return node_ == nullptr ? 0 : node_->frame;
    }

private:
    friend class Snapshots<State>;
    using Node = detail::SnapshotNode<State>;

    explicit Snapshot(Node* node) noexcept : node_(node) {} // already held

    Node* node_ = nullptr;
};

/// A sequence of published states. Any number of readers may acquire the last one at any time,
/// while one writer builds the next in another state. Publishing is one atomic exchange; acquiring
/// and letting go are one atomic addition each: wait-free where the processor adds in one
/// instruction, and otherwise lock-free. Readers do not wait and do not allocate.
///
/// States are used again as soon as no reader holds them. A writer that publishes again and again,
/// and readers that hold at most n different frames at a time, need n + 2 states; after that
/// nothing is allocated here.
///
/// The writer's calls are for one thread at a time, the others for any thread, at any time before
/// the destructor begins. Snapshots that are held then stay valid.
template <class State>
class Snapshots {
public:
    /// States begin as State().
    Snapshots() requires std::is_default_constructible_v<State> : make_([] { return State(); }) {}

    /// States begin as what `make` returns; next() calls it. `move_at` is for tests.
    explicit Snapshots(std::function<State()> make,
                       std::uint64_t move_at = detail::SnapshotCore::kMoveAt)
        : make_(std::move(make)), core_(move_at) {}

    Snapshots(const Snapshots&) = delete;
    Snapshots& operator=(const Snapshots&) = delete;

    /// For the writer: a state that no reader holds. It is the same one until it is published, so
    /// after an update that failed, or that is not wanted after all, begin again with next().
    ///
    /// The state holds what was written to it when it was last used, and keeps its memory: how many
    /// frames ago that was depends on what readers hold, so write the state as a whole. If readers
    /// hold all other states, a new one is made: that may throw std::bad_alloc, what `make` throws,
    /// or beyond 65,535 states std::length_error; then nothing has changed.
    [[nodiscard]] State& next() {
        if (core_.spare() == nullptr) { add_state(); }
        return static_cast<Node*>(core_.spare())->state;
    }

    /// For the writer: calls prepare(state) for each state that next() may return now, until
    /// prepare() returns false. First makes states until there are two, enough while readers hold
    /// no older state, and next() may return one of them. Throws as next() does.
    template <class Prepare>
    void prepare(const Prepare& prepare) {
        while (core_.size() < 2 || core_.idle_after(nullptr) == nullptr) {
            add_state();
        }
        detail::SnapshotSlot* slot = nullptr;
        do {
            slot = core_.idle_after(slot);
        } while (slot != nullptr && prepare(static_cast<Node*>(slot)->state));
    }

    /// For the writer: from now on readers get the state that next() returned, which must not
    /// change any more. next() must have been called since the last publish(). Returns the number
    /// of the frame.
    std::uint64_t publish() noexcept { return core_.publish(); }

    /// For the writer: destroys states that no reader holds and that are not needed now, such as
    /// states made while readers were slow.
    void shrink() noexcept { core_.shrink(); }

    /// For the writer: how many states there are.
    [[nodiscard]] std::size_t size() const noexcept { return core_.size(); }

    /// For readers: the state published last; empty before the first publish().
    [[nodiscard]] Snapshot<State> acquire() const noexcept {
        return Snapshot<State>(static_cast<Node*>(core_.acquire()));
    }

private:
    using Node = detail::SnapshotNode<State>;

    void add_state() {
        core_.make_room();
        core_.add(std::make_unique<Node>(make_).release());
    }

    std::function<State()> make_;
    mutable detail::SnapshotCore core_; // mutable: acquire() counts readers
};

} // namespace throng
