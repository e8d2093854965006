// The agents of a rank, which Python's arrays are copied to and from.
#pragma once

#include "arrays/array.hpp"
#include "threads/turnstile.hpp"

#include <throng/distributed/share.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace throng::python {

/// Calls wait for each other, those of a crowd with this share included.
template <std::size_t Dim>
class OwnShare {
public:
    /// `columns` are tuples of the bytes of an element, and whether it travels with ghosts.
    OwnShare(bool half_extents, bool groups, const py::tuple& columns);

    /// Takes all agents from arrays, of which those of columns are contiguous bytes.
    void put(py::handle ids, py::handle positions, py::handle half_extents, py::handle groups,
             const py::tuple& columns);
    /// Copies of all arrays, as put() takes them.
    [[nodiscard]] py::tuple take();
    void keep_only(py::handle kept);
    /// How many agents the rank owns, and how many ghosts it has.
    [[nodiscard]] py::tuple sizes();
    [[nodiscard]] std::size_t memory();

    /// The only user of the share until this is gone.
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

template <std::size_t Dim>
void define_share(py::module_& module, const char* name);
extern template void define_share<2>(py::module_&, const char*);
extern template void define_share<3>(py::module_&, const char*);

} // namespace throng::python
