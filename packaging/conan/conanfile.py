"""Builds the tree that this recipe lies in, with Conan 2."""

import re
from pathlib import Path

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, rmdir
from conan.tools.scm import Version

class ThrongRecipe(ConanFile):
    name = "throng"
    description = "A SIMD spatial query engine for very large moving crowds: which agents are near which?"
    license = "MIT"
    topics = ("spatial-index", "simd", "crowd-simulation", "games")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "tbb": [True, False], "family": [True, False]}
    default_options = {"shared": False, "fPIC": True, "tbb": True, "family": True}
    implements = ["auto_shared_fpic"]

    def set_version(self):
        header = Path(self.recipe_folder, "..", "..", "simd", "isa", "version.hpp").read_text()
        self.version = ".".join(re.findall(r"^#define THRONG_VERSION_[A-Z]+ (\d+)$", header, re.MULTILINE))

    def export_sources(self):
        root = Path(self.recipe_folder, "..", "..").resolve()
        for name in (root / "packaging" / "sources.txt").read_text().split():
            if (root / name).is_dir():
                copy(self, "*", root / name, Path(self.export_sources_folder, name))
            else:
                copy(self, name, root, self.export_sources_folder)

    def requirements(self):
        # Headers for kernels of a host's own include it.
        self.requires("xsimd/[>=8.1 <15]", transitive_headers=True)
        if self.options.tbb:
            self.requires("onetbb/[>=2021]")

    def validate(self):
        check_min_cppstd(self, 20)
        compiler = str(self.settings.compiler)
        oldest = {"gcc": "12", "clang": "14"}
        if compiler not in oldest:
            raise ConanInvalidConfiguration(f"Throng was never built with {compiler}: g++ and clang are what it is for")
        if Version(self.settings.compiler.version) < oldest[compiler]:
            raise ConanInvalidConfiguration(f"Throng needs {compiler} {oldest[compiler]} or newer")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["THRONG_TBB"] = bool(self.options.tbb)
        toolchain.cache_variables["THRONG_FAMILY"] = bool(self.options.family)
        toolchain.cache_variables["THRONG_BUILD_TESTS"] = False
        toolchain.cache_variables["THRONG_BUILD_DEMO"] = False
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, Path(self.package_folder, "licenses"))
        CMake(self).install()
        rmdir(self, Path(self.package_folder, "lib", "pkgconfig"))

    def package_info(self):
        # Hosts get the targets that the library installs, with its components, instead of Conan's own.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs.append("lib/cmake/throng")
        # For other build systems, which know no components.
        parts = ["throng"]
        if not self.options.shared:
            parts = (["throng_family"] if self.options.family else []) + ["throng_distributed", "throng"]
        self.cpp_info.libs = parts
        if self.options.shared:
            self.cpp_info.defines = ["THRONG_SHARED"]
        elif self.settings.os == "Linux":
            self.cpp_info.system_libs = ["m", "pthread"]
