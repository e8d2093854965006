// Lasting neighbour lists for Python.
#pragma once

#include "../crowd.hpp"

#include <throng/parallel/frames/lasting_neighbours.hpp>

#include <cstddef>
#include <memory>

namespace throng::python {

/// Calls wait for each other. Answers are copies, because lists change and NumPy arrays must not.
template <std::size_t Dim>
class LastingOf {
public:
    explicit LastingOf(const LastingSettings& settings);

    void update(OwnCrowd<Dim>& crowd, py::handle positions, py::handle half_extents,
                py::handle groups);
    /// Offsets and ids; the same for candidates().
    [[nodiscard]] py::tuple neighbours(py::handle positions);
    [[nodiscard]] py::tuple candidates();
    [[nodiscard]] py::object order();
    /// A tuple of made(), lasted() and moved().
    [[nodiscard]] py::tuple frames();
    [[nodiscard]] std::size_t memory();
    void release();

private:
    Turnstile turnstile_;
    PatientExecutor executor_;
    LastingNeighbours<Dim> lists_;
    std::shared_ptr<Team> team_ = Team::of({}); ///< of the last crowd
    Doubles doubles_ = Doubles::no_origin;      ///< whether that crowd takes doubles
    Pool<Hits> hits_;
    Pool<std::vector<Id>> orders_;
};

template <std::size_t Dim>
void define_lasting(py::module_& module, const char* name);
extern template void define_lasting<2>(py::module_&, const char*);
extern template void define_lasting<3>(py::module_&, const char*);

} // namespace throng::python
