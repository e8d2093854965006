#include "share.hpp"

#include "arrays/block.hpp"
#include "arrays/points.hpp"
#include "classes.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace throng::python {

namespace {

template <class T>
void copy(py::handle object, const char* argument, Element element, std::vector<T>& to) {
    const Expected expected = {
        argument, "a contiguous " + std::string(sizeof(T) == 8 ? "uint64" : "uint32") + " array"};
    const Array array(object, expected);
    if (array.element() != element) { refuse_type(expected, object); }
    const auto bytes = array.in_one_piece();
    if (array.dimensions() != 1 || !bytes) { refuse_shape(expected, object); }
    const T* const from = array.data<T>();
    to.assign(from, from + array.extent(0));
}

template <std::size_t Dim>
void copy(py::handle object, const char* argument, std::vector<Point<Dim>>& to) {
    const Points<Dim> points(object, argument);
    to.resize(points.count());
    for (std::size_t i = 0; i < to.size(); ++i) {
        to[i] = {at(points.floats(), i)};
    }
}

template <std::size_t Dim>
py::object rows_of(const std::vector<Point<Dim>>& points) {
    const auto copied = std::make_shared<std::vector<Point<Dim>>>(points);
    return block_of_rows(copied, reinterpret_cast<float*>(copied->data()), copied->size(), Dim,
                         sizeof(float));
}
template <class T>
py::object row_of(const std::vector<T>& values) {
    const auto copied = std::make_shared<std::vector<T>>(values);
    return block_of(copied, *copied);
}

} // namespace

template <std::size_t Dim>
OwnShare<Dim>::OwnShare(bool half_extents, bool groups, const py::tuple& columns)
    : half_extents_(half_extents), groups_(groups) {
    for (const py::handle column : columns) {
        const auto [bytes, with_ghosts] = column.cast<std::pair<std::size_t, bool>>();
        columns_.push_back(
            share_.byte_column(bytes, with_ghosts ? Travels::with_ghosts : Travels::with_owner));
    }
}

template <std::size_t Dim>
void OwnShare<Dim>::put(py::handle ids, py::handle positions, py::handle half_extents,
                        py::handle groups, const py::tuple& columns) {
    const Use use(*this);
    copy(ids, "ids", Element::uint64, share_.ids);
    copy(positions, "positions", share_.positions);
    if (half_extents_) { copy(half_extents, "half_extents", share_.half_extents); }
    if (groups_) { copy(groups, "groups", Element::uint32, share_.groups); }
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        const Expected expected = {"columns", "contiguous bytes"};
        const Array array(columns[c], expected);
        const auto bytes = array.in_one_piece();
        if (!bytes) { refuse_shape(expected, columns[c]); }
        share_[columns_[c]].assign(bytes->begin(), bytes->end());
    }
}

template <std::size_t Dim>
py::tuple OwnShare<Dim>::take() {
    const Use use(*this);
    py::tuple columns(columns_.size());
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        const std::vector<std::byte>& bytes = share_[columns_[c]];
        columns[c] = py::bytearray(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    return py::make_tuple(row_of(share_.ids), rows_of(share_.positions),
                          half_extents_ ? rows_of(share_.half_extents) : py::none(),
                          groups_ ? row_of(share_.groups) : py::none(), columns);
}

template <std::size_t Dim>
void OwnShare<Dim>::keep_only(py::handle kept) {
    const Use use(*this);
    const std::size_t agents = share_.positions.size();
    const auto check_length = [&](bool there, std::size_t length, const char* argument) {
        if (there && length != agents) {
            refuse_value(argument, "has another length than positions: " + std::to_string(length) +
                                       ", not " + std::to_string(agents));
        }
    };
    check_length(true, share_.ids.size(), "ids");
    check_length(half_extents_, share_.half_extents.size(), "half_extents");
    check_length(groups_, share_.groups.size(), "groups");
    std::vector<Id> ids;
    copy(kept, "kept", Element::uint32, ids);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (ids[i] >= share_.owned() || (i != 0 && ids[i] <= ids[i - 1])) {
            refuse_value("kept", "must ascend, and be local ids of agents that this rank owns");
        }
    }
    share_.keep_only(ids);
}

template <std::size_t Dim>
py::tuple OwnShare<Dim>::sizes() {
    const Use use(*this);
    return py::make_tuple(share_.owned(), share_.ghosts());
}

template <std::size_t Dim>
std::size_t OwnShare<Dim>::memory() {
    const Use use(*this);
    return share_.memory();
}

namespace {

template <std::size_t Dim>
void share_class(py::module_& module, const char* name) {
    using Self = OwnShare<Dim>;
    py::class_<Self>(module, name, "The agents of a rank.")
        .def(py::init<bool, bool, const py::tuple&>())
        .def("put", &Self::put)
        .def("take", &Self::take)
        .def("keep_only", &Self::keep_only)
        .def("sizes", &Self::sizes)
        .def("memory", &Self::memory);
}

} // namespace

void define_share(py::module_& module) {
    share_class<2>(module, "Share2");
    share_class<3>(module, "Share3");
}

template class OwnShare<2>;
template class OwnShare<3>;

} // namespace throng::python
