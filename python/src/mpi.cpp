// The extension module throng._mpi for processes of an MPI job. It is separate, because the rest
// needs no MPI.
#include <throng/distributed/mpi_ranks.hpp>

#include <chrono>
#include <memory>

#include <pybind11/pybind11.h>

namespace py = pybind11;

PYBIND11_MODULE(_mpi, module) {
    using throng::MpiRanks;
    module.doc() = "What package throng is made of. Use that: this may change in any version.";
    py::module_::import("throng._native"); // defines the base class of MpiRanks
    py::class_<MpiRanks, throng::Ranks, std::shared_ptr<MpiRanks>>(module, "MpiRanks",
                                                                   "A process of an MPI job.")
        // The communicator comes as a Fortran handle, from comm.py2f() of mpi4py.
        .def(py::init([](MPI_Fint job, double patience) {
            return std::make_shared<MpiRanks>(
                MPI_Comm_f2c(job), throng::MpiSettings{std::chrono::duration<double>(patience)});
        }));
}
