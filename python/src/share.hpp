// The agents of a rank, copied to and from Python's arrays.
#pragma once

#include "arrays/array.hpp"
#include "threads/turnstile.hpp"

#include <throng/distributed/share.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace throng::python {

/// A share for Python. Its calls, and those of a crowd with this share, wait for each other.
template <std::size_t Dim>
class OwnShare {
public:
    /// Each of `columns` is a tuple: the bytes of an element, and whether it travels with ghosts.
    OwnShare(bool half_extents, bool groups, const py::tuple& columns);

    /// Takes all agents from arrays; those of columns must be contiguous bytes.
    void put(py::handle ids, py::handle positions, py::handle half_extents, py::handle groups,
             const py::tuple& columns);
    /// Returns copies of all arrays, in the form of put().
    [[nodiscard]] py::tuple take();
    void keep_only(py::handle kept);
    /// The number of agents that the rank owns, and its number of ghosts.
    [[nodiscard]] py::tuple sizes();
    [[nodiscard]] std::size_t memory();

    /// Makes its holder the only user of the share while it lives.
    class Use {
    public:
        explicit Use(OwnShare& own) : inside_(own.turnstile_, Turnstile::As::writer), own_(own) {}
        [[nodiscard]] Share<Dim>& share() const noexcept { return own_.share_; }

    private:
        const Turnstile::Inside inside_;
        OwnShare& own_;
    };

private:
    const bool half_extents_, groups_;
    Turnstile turnstile_;
    Share<Dim> share_;
    std::vector<ByteColumn> columns_;
};

} // namespace throng::python
