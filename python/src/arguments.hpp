// The arguments of calls, as the package's Python code gives them, and what they become here.
// Names and defaults are in that code, which alone calls what is bound.
#pragma once

#include "arrays/array.hpp"

#include <throng/engine/agents/filter.hpp>
#include <throng/engine/agents/nearest.hpp>
#include <throng/engine/core/id.hpp>
#include <throng/engine/crowd/sets.hpp>
#include <throng/engine/shapes/shapes_view.hpp>
#include <throng/parallel/batch/batch.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <utility>

namespace throng::python {

/// A type that makes itself of a Python object, or raises: a function that is bound may take it.
template <class T>
concept FromPython = requires(py::handle given) {
    { T::from(given) } -> std::same_as<T>;
};

/// The keywords of a call, in a dict.
class Keywords {
public:
    explicit Keywords(py::handle named) : named_(py::reinterpret_borrow<py::dict>(named)) {}
    [[nodiscard]] static Keywords from(py::handle named) { return Keywords(named); }

    [[nodiscard]] const py::dict& all() const noexcept { return named_; }
    [[nodiscard]] bool has(const char* name) const { return named_.contains(name); }
    /// None where it is not there.
    [[nodiscard]] py::object operator[](const char* name) const {
        return has(name) ? py::object(named_[name]) : py::none();
    }
    [[nodiscard]] float number(const char* name) const { return float_from((*this)[name], name); }
    [[nodiscard]] std::uint32_t whole(const char* name) const {
        return uint32_from((*this)[name], name);
    }
    [[nodiscard]] bool truth(const char* name) const { return truth_of((*this)[name]); }

private:
    py::dict named_;
};

/// The name of an agent or an obstacle.
struct GivenId {
    Id id;

    [[nodiscard]] static GivenId from(py::handle given) { return {uint32_from(given, "id")}; }
    operator Id() const noexcept { return id; }
};

/// Shapes: a pair of the number of their kind, and a tuple of their arrays.
struct GivenShapes {
    unsigned number;
    py::tuple parts;

    [[nodiscard]] static GivenShapes from(py::handle pair);
    /// Raises ValueError for what is no kind.
    [[nodiscard]] ShapeKind kind() const;
    /// These; raises TypeError for what is no path.
    [[nodiscard]] const GivenShapes& as_paths() const;
};

/// Which agents a question is about: groups and without are a number for all questions, or an
/// array with one for each.
struct Leaving {
    py::object groups, without;
    Sets sets = Sets::all;
    std::uint32_t hiding = kAllGroups; ///< of obstacles

    [[nodiscard]] static Leaving from(py::handle named);
    /// For calls that take one for all questions.
    [[nodiscard]] Filter one() const;
};

/// What neighbours() asks.
struct Around {
    Neighbourhood neighbourhood;
    Order order = Order::storage;
    Sets sets = Sets::all;
    std::uint32_t hiding = kAllGroups;

    [[nodiscard]] static Around from(py::handle named);
};

/// Which pairs: those whose bodies are `within` a distance, or overlap. No body: boxes that
/// overlap, or centres within the distance.
struct Pairing {
    PairSets sets;
    std::uint32_t groups;
    std::optional<float> within;
    Body body;

    [[nodiscard]] static Pairing from(py::handle named);
};

/// What nearest() asks; the band is None or (axis, below, above), after is None or (squared
/// distance, id).
[[nodiscard]] Nearest nearest_from(const Keywords& named);
[[nodiscard]] NearestNeighbours nearest_neighbours_from(const Keywords& named);

/// "centre", "box" or "disc".
[[nodiscard]] Body body_from(py::handle object);
/// "ids" or "storage".
[[nodiscard]] Order order_from(py::handle order);
/// Raise ValueError for what is no sum of Sets, or PairSets.
[[nodiscard]] Sets sets_from(py::handle sets);
[[nodiscard]] PairSets pair_sets_from(py::handle sets);

} // namespace throng::python

namespace pybind11::detail {

template <throng::python::FromPython T>
struct type_caster<T> {
    static constexpr auto name = const_name("arguments");
    template <class>
    using cast_op_type = T&;

    bool load(handle given, bool /*convert*/) {
        value_.emplace(T::from(given));
        return true;
    }
    operator T&() { return *value_; }

private:
    std::optional<T> value_;
};

} // namespace pybind11::detail
