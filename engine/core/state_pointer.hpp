// How a public class owns the state that its header does not define.
#pragma once

#include <memory>
#include <utility>

namespace throng::detail {

/// Owns the State of a public class, which then needs no destructor and no moves of its own. Moving
/// hands the state on and leaves null behind. make_state() makes one, where State is defined.
template <class State>
class StatePointer {
public:
    StatePointer(StatePointer&& other) noexcept : state_(std::move(other.state_)) { leave(); }
    StatePointer& operator=(StatePointer&& other) noexcept {
        leave();
        other.leave();
        state_ = std::move(other.state_);
        return *this;
    }
    ~StatePointer() = default;

    [[nodiscard]] State& operator*() const noexcept { return *state_; }
    [[nodiscard]] State* operator->() const noexcept { return state_.get(); }

private:
    /// Asserts that no call uses the state, and destroys it if it `goes`.
    using Leave = void (*)(State* state, bool goes) noexcept;
    struct Destroy {
        Leave how;
        void operator()(State* state) const noexcept { how(state, true); }
    };

    StatePointer(State* state, Leave how) noexcept : state_(state, Destroy{how}) {}
    template <class Made, class... Arguments>
    friend StatePointer<Made> make_state(Arguments&&... arguments);

    void leave() const noexcept {
        if (state_ != nullptr) { state_.get_deleter().how(state_.get(), false); }
    }

    std::unique_ptr<State, Destroy> state_;
};

/// A new State of these arguments. Where it has expect_idle(), moves and destruction call it.
template <class State, class... Arguments>
StatePointer<State> make_state(Arguments&&... arguments) {
    return {new State(std::forward<Arguments>(arguments)...), [](State* state, bool goes) noexcept {
                if constexpr (requires { state->expect_idle(); }) { state->expect_idle(); }
                if (goes) { delete state; }
            }};
}

} // namespace throng::detail
