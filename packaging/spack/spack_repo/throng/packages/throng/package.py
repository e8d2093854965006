"""Builds a tree of Throng's with Spack."""

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Throng(CMakePackage):
    """A SIMD spatial query engine for very large moving crowds: which agents are near which?

    The recipe has no address to download from: `spack develop --path <tree> throng@0.2.0` builds a tree.
    """

    license("MIT")

    version("0.2.0")

    variant("shared", default=True, description="Build a shared library")
    variant("tbb", default=True, description="Run on oneTBB; otherwise on threads of the library's own")
    variant("family", default=True, description="Build the structures beside Crowd and RowGrid")
    variant("mpi", default=False, description="Build the ranks of MPI jobs: throng::mpi")

    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    # Headers for kernels of a program's own include it.
    depends_on("xsimd@8.1:14", type=("build", "link"))
    depends_on("tbb", when="+tbb")
    depends_on("mpi@3:", when="+mpi")

    conflicts("%gcc@:11", msg="Throng needs g++ 12 or newer")
    conflicts("%clang@:13", msg="Throng needs clang 14 or newer")

    def cmake_args(self):
        return [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("THRONG_TBB", "tbb"),
            self.define_from_variant("THRONG_FAMILY", "family"),
            self.define_from_variant("THRONG_MPI", "mpi"),
            self.define("THRONG_BUILD_TESTS", False),
            self.define("THRONG_BUILD_DEMO", False),
        ]
