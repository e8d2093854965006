// Readers keep a finished state for as long as they like, while the next one is being built.
#pragma once

#include "assert.hpp"
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

/// A state, on cache lines of its own: readers count themselves on the one before.
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

/// A state that was published, which nobody changes while this holds it; or nothing.
///
/// Copies hold the same state. It outlives the Snapshots that it comes from: the state is then
/// destroyed by the last who lets it go, on that thread. One Snapshot is used by one thread at a
/// time, the state by all that have one.
template <class State>
class Snapshot {
public:
    Snapshot() = default;
    Snapshot(const Snapshot& other) noexcept : node_(other.node_) {
        if (node_ != nullptr) { node_->hold(); }
    }
    Snapshot(Snapshot&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
    Snapshot& operator=(const Snapshot& other) noexcept {
        Snapshot(other).swap(*this);
        return *this;
    }
    Snapshot& operator=(Snapshot&& other) noexcept {
        Snapshot(std::move(other)).swap(*this);
        return *this;
    }
    ~Snapshot() { reset(); }

    /// Lets the state go.
    void reset() noexcept {
        if (Node* const node = std::exchange(node_, nullptr)) { node->let_go(); }
    }
    void swap(Snapshot& other) noexcept { std::swap(node_, other.node_); }

    /// Whether there is a state. If not, there is nothing to point to, here and below.
    [[nodiscard]] explicit operator bool() const noexcept { return node_ != nullptr; }
    [[nodiscard]] const State* get() const noexcept {
        return node_ == nullptr ? nullptr : &node_->state;
    }
    [[nodiscard]] const State& operator*() const noexcept {
        THRONG_ASSERT(node_ != nullptr);
        return node_->state;
    }
    [[nodiscard]] const State* operator->() const noexcept { return &**this; }

    /// Which it was of those published, from 1 on; 0 if there is none.
    [[nodiscard]] std::uint64_t frame() const noexcept {
        return node_ == nullptr ? 0 : node_->frame;
    }

private:
    friend class Snapshots<State>;
    using Node = detail::SnapshotNode<State>;

    explicit Snapshot(Node* node) noexcept : node_(node) {} // which it holds already

    Node* node_ = nullptr;
};

/// States of which the last that was published can be had by any number of readers at any time,
/// while one writer builds the next in another. Publishing is one atomic exchange, acquiring and
/// letting go one atomic addition each: wait-free where the processor adds in one instruction, and
/// otherwise lock-free. Readers neither wait nor allocate.
///
/// States are used again as soon as nobody holds them. A writer that publishes again and again, and
/// readers that hold at most n different frames at a time, need n + 2 of them; after that nothing
/// is allocated here.
///
/// The writer's calls are made by one thread at a time; the others by any, at any time before the
/// destructor begins. Snapshots that are held then stay good.
template <class State>
class Snapshots {
public:
    /// States begin as State().
    Snapshots() requires std::is_default_constructible_v<State> : make_([] { return State(); }) {}

    /// They begin as what `make` returns, which is called by next(). `move_at` is for tests.
    explicit Snapshots(std::function<State()> make,
                       std::uint64_t move_at = detail::SnapshotCore::kMoveAt)
        : make_(std::move(make)), core_(move_at) {}

    Snapshots(const Snapshots&) = delete;
    Snapshots& operator=(const Snapshots&) = delete;

    /// For the writer: a state that nobody reads. Until it is published this is always the same
    /// one, so after an update that failed, or was thought better of, begin again with next().
    ///
    /// It holds what was written to it when it was last used, some frames ago, and keeps its
    /// memory. Only if readers hold all the others a new one is made: that may throw std::bad_alloc
    /// or what `make` throws, and beyond 65,535 states std::length_error; then nothing has changed.
    [[nodiscard]] State& next() {
        detail::SnapshotSlot* slot = core_.spare();
        if (slot == nullptr) {
            core_.make_room();
            slot = std::make_unique<Node>(make_).release();
            core_.add(slot);
        }
        return static_cast<Node*>(slot)->state;
    }

    /// For the writer: from now on readers get what next() gave, which must not be changed any
    /// more. next() must have been called since the last time. Returns the number of the frame.
    std::uint64_t publish() noexcept { return core_.publish(); }

    /// For the writer: destroys states that nobody holds and that are not needed now, such as those
    /// made while readers were slow.
    void shrink() noexcept { core_.shrink(); }

    /// For the writer: how many states there are.
    [[nodiscard]] std::size_t size() const noexcept { return core_.size(); }

    /// For readers: the state published last; nothing before the first.
    [[nodiscard]] Snapshot<State> acquire() const noexcept {
        return Snapshot<State>(static_cast<Node*>(core_.acquire()));
    }

private:
    using Node = detail::SnapshotNode<State>;

    std::function<State()> make_;
    mutable detail::SnapshotCore core_; // readers count themselves
};

} // namespace throng
