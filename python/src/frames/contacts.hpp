// Pairs over time.
#pragma once

#include "../asked.hpp"

#include <throng/parallel/frames/contacts.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::python {

/// The answers of one frame, kept alive by NumPy arrays.
struct ContactFrame {
    std::vector<Contact> pairs, ended;
    std::vector<std::uint32_t> previous, began, ended_previous;
};

/// Contacts for Python. Calls wait for each other.
template <std::size_t Dim>
class ContactsOf {
public:
    /// Returns the pairs, their indices in the last frame, the indices of pairs that began, the
    /// pairs that ended, and the last frame's indices of these.
    [[nodiscard]] py::tuple update(Asked<Dim>& asked, const typename Asked<Dim>::Pairing& pairing);
    void clear();
    [[nodiscard]] std::size_t memory();
    void release();

private:
    Turnstile turnstile_;
    PatientExecutor executor_;
    Contacts<Dim> contacts_{executor_};
    Pool<ContactFrame> frames_;
};

template <std::size_t Dim>
void define_contacts(py::module_& module, const char* name);
extern template void define_contacts<2>(py::module_&, const char*);
extern template void define_contacts<3>(py::module_&, const char*);

} // namespace throng::python
