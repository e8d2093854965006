"""What builds the package: names of wheels, and what it asks for."""

from __future__ import annotations

import importlib.util
import os
import sys
import sysconfig
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path
from typing import Any
from unittest import mock

_ROOT = Path(__file__).resolve().parent.parent.parent
_FILE = _ROOT / "python" / "build_backend" / "throng_build.py"


def backend() -> Any:
    spec = importlib.util.spec_from_file_location("throng_build", _FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Backend(unittest.TestCase):
    def setUp(self) -> None:
        self.build = backend()

    def test_platforms(self) -> None:
        with mock.patch.object(sysconfig, "get_platform", lambda: "linux-x86_64"):
            for symbols, wanted in (
                (b"GLIBC_2.2.5 GLIBC_2.34 GLIBCXX_3.4.30", "manylinux_2_35_x86_64"),
                (b"GLIBC_2.36 GLIBCXX_3.4.30", "manylinux_2_36_x86_64"),
                (b"GLIBC_2.14 GLIBCXX_3.4.21", "manylinux_2_28_x86_64"),
                (b"GLIBC_2.34 GLIBCXX_3.4.33", "linux_x86_64"),
                (b"GLIBC_2.34 GLIBCXX_3.4.30 libtbb.so.12", "linux_x86_64"),
                (b"", "linux_x86_64"),
            ):
                self.assertEqual(self.build._platform(symbols), wanted)
        with mock.patch.object(sysconfig, "get_platform", lambda: "macosx-11.0-arm64"):
            self.assertEqual(self.build._platform(b"GLIBC_2.34"), "macosx_11_0_arm64")

    def test_a_wheel(self) -> None:
        python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
        with tempfile.TemporaryDirectory() as folder:
            extension = Path(folder) / "_native.so"
            extension.write_bytes(b"GLIBC_2.36 GLIBCXX_3.4.30")
            with mock.patch.object(self.build, "_build_extension", lambda: extension):
                with mock.patch.object(sysconfig, "get_platform", lambda: "linux-x86_64"):
                    name = self.build.build_wheel(folder)
            self.assertTrue(name.endswith(f"-{python}-{python}-manylinux_2_36_x86_64.whl"), name)
            with zipfile.ZipFile(Path(folder) / name) as wheel:
                names = wheel.namelist()
                info = next(file for file in names if file.endswith("/WHEEL"))
                self.assertIn(f"Tag: {python}-{python}-manylinux_2_36", wheel.read(info).decode())
                record = wheel.read(info.replace("WHEEL", "RECORD")).decode()
            self.assertIn("throng/reductions.py", names)
            self.assertEqual(len(record.splitlines()), len(names))

    def test_an_sdist_has_all_sources(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name in ("include/xsimd/xsimd.hpp", "include/xsimd/arch/one.hpp", "share/xsimd/copyright"):
                path = Path(folder, "prefix", name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch()
            with mock.patch.dict(os.environ, {"CMAKE_PREFIX_PATH": str(Path(folder, "prefix"))}):
                name = self.build.build_sdist(folder)
            with tarfile.open(Path(folder) / name) as archive:
                names = archive.getnames()
        stem = name.removesuffix(".tar.gz")
        for file in ("PKG-INFO", "pyproject.toml", "CMakeLists.txt", "simd/isa/lanes.hpp"):
            self.assertIn(f"{stem}/{file}", names)
        # An unpacked sdist has its own.
        inner = "LICENSE" if Path(self.build.ROOT, "third_party").exists() else "arch/one.hpp"
        self.assertIn(f"{stem}/third_party/xsimd/{inner}", names)

    def test_an_sdist_needs_xsimd(self) -> None:
        with mock.patch.object(Path, "exists", lambda path: False):
            with self.assertRaisesRegex(RuntimeError, "headers of xsimd with their licence"):
                self.build.build_sdist("")

    def test_what_it_asks_for(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            with mock.patch.object(Path, "exists", lambda path: False):
                self.assertEqual(self.build.get_requires_for_build_wheel(), ["pybind11>=2.10"])
            there = Path(folder) / "share" / "cmake" / "pybind11"
            there.mkdir(parents=True)
            (there / "pybind11Config.cmake").touch()
            with mock.patch.dict(os.environ, {"CMAKE_PREFIX_PATH": folder}):
                self.assertEqual(self.build.get_requires_for_build_wheel(), [])
        self.assertEqual(self.build.get_requires_for_build_sdist(), [])

    def test_machines_that_do_not_say_which_processors(self) -> None:
        ran = []
        with mock.patch.object(self.build.subprocess, "run", lambda call, check: ran.append(call)):
            with mock.patch.object(self.build.os, "sched_getaffinity", None, create=True):
                with mock.patch.object(Path, "exists", lambda path: True):
                    self.build._build_extension()
        self.assertEqual(ran[1][-2:], ["--parallel", str(os.cpu_count() or 1)])
