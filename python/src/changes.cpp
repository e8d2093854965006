#include "changes.hpp"

namespace throng::python {

template <std::size_t Dim>
CrowdSettings<Dim> settings_from(const Keywords& named) {
    CrowdSettings<Dim> settings;
    const py::object bounds = named["bounds"], cell = named["cell"], origin = named["origin"];
    if (!bounds.is_none()) {
        const Expected expected = {"bounds",
                                   "a pair (lo, hi) of " + std::to_string(Dim) + " numbers each"};
        if (PySequence_Check(bounds.ptr()) == 0) { refuse_type(expected, bounds); }
        const auto pair = py::reinterpret_borrow<py::sequence>(bounds);
        if (pair.size() != 2) { refuse_shape(expected, bounds); }
        settings.bounds = {Numbers<Dim>(py::object(pair[0]), "bounds").point(),
                           Numbers<Dim>(py::object(pair[1]), "bounds").point()};
    }
    if (!cell.is_none()) {
        settings.cell = is_number(cell) ? Point<Dim>::all(float_from(cell, "cell"))
                                        : Numbers<Dim>(cell, "cell").point();
    }
    if (!origin.is_none()) { settings.origin = Numbers<Dim>(origin, "origin").value; }
    if (named.has("refits")) { settings.refits = named.truth("refits"); }
    if (named.has("periodic")) { settings.periodic = axes_from<Dim>(named["periodic"]); }
    return settings;
}

template <std::size_t Dim>
std::array<bool, Dim> axes_from(const py::object& periodic) {
    std::array<bool, Dim> axes{};
    if (is_number(periodic)) {
        axes.fill(truth_of(periodic));
        return axes;
    }
    const std::array<double, Dim> each = Numbers<Dim>(periodic, "periodic").value;
    for (std::size_t a = 0; a < Dim; ++a) {
        axes[a] = each[a] != 0.0;
    }
    return axes;
}

template std::array<bool, 2> axes_from<2>(const py::object&);
template std::array<bool, 3> axes_from<3>(const py::object&);

template CrowdSettings<2> settings_from(const Keywords&);
template CrowdSettings<3> settings_from(const Keywords&);

} // namespace throng::python
