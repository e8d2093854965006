// How the folders of the library reach into each other's classes. Internal to the library.
#pragma once

namespace throng::detail {

/// A friend of the public classes, so that their headers do not name the code built on them.
struct Access {
    /// A class, not an alias: an alias would need access to State wherever it is used.
    template <class Index>
    struct StateIs {
        using Type = typename Index::State;
    };

    template <class Index>
    [[nodiscard]] static auto& state(Index& index) noexcept {
        return *index.state_;
    }
};

/// The State of an index; its state.hpp must be included.
template <class Index>
using StateOf = typename Access::StateIs<Index>::Type;
template <class Index>
[[nodiscard]] auto& state_of(Index& index) noexcept {
    return Access::state(index);
}
template <class Index>
[[nodiscard]] const auto& state_of(const Index& index) noexcept {
    return Access::state(index);
}

} // namespace throng::detail
