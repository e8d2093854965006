#include "contacts.hpp"

#include "../arrays/out.hpp"

#include <span>

namespace throng::python {

namespace {

template <class T>
void copy(std::span<const T> from, std::vector<T>& to) {
    to.assign(from.begin(), from.end());
}

py::object rows_of(const std::shared_ptr<ContactFrame>& owner, std::vector<Contact>& pairs) {
    static_assert(sizeof(Contact) == 2 * sizeof(Id));
    return block_of_rows(owner, pairs.empty() ? nullptr : &pairs.front().first, pairs.size(), 2,
                         sizeof(Id));
}
py::object row_of(const std::shared_ptr<ContactFrame>& owner, std::vector<std::uint32_t>& numbers) {
    return block_of(owner, numbers.data(), numbers.size());
}

} // namespace

template <std::size_t Dim>
py::tuple ContactsOf<Dim>::update(Asked<Dim>& asked, const typename Asked<Dim>::Pairing& pairing) {
    const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
    const std::shared_ptr<ContactFrame> frame = frames_.lend();
    asked.next_frame(contacts_, executor_, pairing, [&] {
        copy(contacts_.pairs(), frame->pairs);
        copy(contacts_.previous(), frame->previous);
        copy(contacts_.began(), frame->began);
        copy(contacts_.ended(), frame->ended);
        copy(contacts_.ended_previous(), frame->ended_previous);
    });
    return py::make_tuple(rows_of(frame, frame->pairs), row_of(frame, frame->previous),
                          row_of(frame, frame->began), rows_of(frame, frame->ended),
                          row_of(frame, frame->ended_previous));
}

template <std::size_t Dim>
void ContactsOf<Dim>::clear() {
    const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
    contacts_.clear();
}

template <std::size_t Dim>
std::size_t ContactsOf<Dim>::memory() {
    const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
    return contacts_.memory();
}

template <std::size_t Dim>
void ContactsOf<Dim>::release() {
    const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
    contacts_.release();
    frames_.clear();
}

template <std::size_t Dim>
void define_contacts(py::module_& module, const char* name) {
    using Self = ContactsOf<Dim>;
    py::class_<Self>(module, name, "Pairs over time.")
        .def(py::init<>())
        .def("update",
             [](Self& self, Asked<Dim>& asked, py::handle sets, py::handle groups,
                py::handle within, py::handle body) {
                 return self.update(asked, pairing_from<Dim>(sets, groups, within, body));
             })
        .def("clear", &Self::clear)
        .def("memory", &Self::memory)
        .def("release", &Self::release);
}

template void define_contacts<2>(py::module_&, const char*);
template void define_contacts<3>(py::module_&, const char*);

} // namespace throng::python
