// Pairs over time.
#include "../arrays/block.hpp"
#include "../asked.hpp"
#include "../classes.hpp"

#include <throng/parallel/frames/contacts.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng::python {

namespace {

/// The answers of one frame, which NumPy arrays keep.
struct ContactFrame {
    std::vector<Contact> pairs, ended;
    std::vector<std::uint32_t> previous, began, ended_previous;
};

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

/// Calls wait for each other.
template <std::size_t Dim>
class ContactsOf {
public:
    /// The pairs, their indices in the frame before, the indices of those that begin, those that
    /// ended, and their indices in the frame before.
    [[nodiscard]] py::tuple update(Asked<Dim>& asked, const Pairing& pairing) {
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
    void clear() {
        const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
        contacts_.clear();
    }
    [[nodiscard]] std::size_t memory() {
        const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
        return contacts_.memory();
    }
    void release() {
        const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
        contacts_.release();
        frames_.clear();
    }

private:
    Turnstile turnstile_;
    PatientExecutor executor_;
    Contacts<Dim> contacts_{executor_};
    Pool<ContactFrame> frames_;
};

template <std::size_t Dim>
void contacts_class(py::module_& module, const char* name) {
    using Self = ContactsOf<Dim>;
    py::class_<Self>(module, name, "Pairs over time.")
        .def(py::init<>())
        .def("update", &Self::update)
        .def("clear", &Self::clear)
        .def("memory", &Self::memory)
        .def("release", &Self::release);
}

} // namespace

void define_contacts(py::module_& module) {
    contacts_class<2>(module, "Contacts2");
    contacts_class<3>(module, "Contacts3");
}

} // namespace throng::python
