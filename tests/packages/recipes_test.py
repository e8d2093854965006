"""The recipes of packages say what the library says: its version, CMake's options, its sources.

Most of their tools are not on every machine, so a recipe that is out of date would not be noticed by a run.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
import unittest
from pathlib import Path
from typing import Callable, Dict, List, Set

ROOT = Path(__file__).resolve().parents[2]
DEBIAN = Path("packaging", "debian")
CONAN = Path("packaging", "conan", "conanfile.py")
VCPKG = Path("packaging", "vcpkg", "throng")
SPACK = Path("packaging", "spack", "spack_repo", "throng", "packages", "throng", "package.py")
RUST = Path("hosts", "rust")
BLENDER = Path("hosts", "blender", "throng_points", "__init__.py")
SOURCES = Path("packaging", "sources.txt")
PAGE = Path("docs", "packages.md")


def version(root: Path) -> str:
    header = (root / "simd" / "isa" / "version.hpp").read_text()
    return ".".join(re.findall(r"^#define THRONG_VERSION_[A-Z]+ (\d+)$", header, re.MULTILINE))


def one(pattern: str, text: str) -> str:
    found: List[str] = re.findall(pattern, text, re.MULTILINE)
    return found[0] if len(found) == 1 else f"{len(found)} places"


def stated_versions(root: Path) -> Dict[str, str]:
    """The version in each file that has to state it by itself."""
    crates = {
        f"{crate}/Cargo.toml": one(r'^version = "(.*)"$', (root / RUST / crate / "Cargo.toml").read_text())
        for crate in ("throng", "throng-sys")
    }
    needed = one(r'^throng-sys = .*version = "(.*?)"', (root / RUST / "throng" / "Cargo.toml").read_text())
    blender = one(r'^    "version": \((.*)\),$', (root / BLENDER).read_text())
    return {
        **crates,
        "hosts/blender": blender.replace(", ", "."),
        "throng-sys, of throng": needed,
        "vcpkg.json": str(json.loads((root / VCPKG / "vcpkg.json").read_text())["version"]),
        "package.py": one(r'^    version\("(.*)"\)$', (root / SPACK).read_text()),
        "docs/packages.md": one(r"GIT_TAG v([0-9.]+) GIT_SHALLOW", (root / PAGE).read_text()),
        "debian/changelog": (root / DEBIAN / "changelog").read_text().split("(")[1].split("-")[0],
    }


def stale_versions(root: Path) -> List[str]:
    return [f"{file}: {stated}" for file, stated in stated_versions(root).items() if stated != version(root)]


def options(root: Path) -> Set[str]:
    """The options of CMakeLists.txt and of what it includes."""
    text = "".join(path.read_text() for path in [root / "CMakeLists.txt", *(root / "cmake").glob("*.cmake")])
    return set(re.findall(r"option\((THRONG_[A-Z_]+)\b", text)) | set(
        re.findall(r"set\((THRONG_[A-Z_]+) \S+ CACHE", text)
    )


def unknown_options(root: Path) -> List[str]:
    """What recipes set and CMake does not know: it would ignore that in silence."""
    known = options(root)
    unknown: List[str] = []
    for recipe in (CONAN, VCPKG / "portfile.cmake", SPACK, DEBIAN / "rules"):
        # Definitions of the preprocessor are no options.
        text = (root / recipe).read_text().replace("THRONG_SHARED", "").replace("THRONG_VERSION_", "")
        named = set(re.findall(r"(?:\b|-D)(THRONG_[A-Z_]+)\b", text))
        unknown += [f"{recipe}: {option}" for option in sorted(named - known)]
        if not named:
            unknown.append(f"{recipe}: sets nothing")
    return unknown


def missing_sources(root: Path) -> List[str]:
    """Sources and headers of the library that packages of sources would not take along."""
    text = (root / "CMakeLists.txt").read_text() + (root / "cmake" / "headers.cmake").read_text()
    needed = set(re.findall(r"^ +([a-z]+)/[a-z_/]+\.[ch]pp\b", text, re.MULTILINE))
    needed |= set(re.findall(r"^ +([a-z_]+\.h(?:pp)?)\b", text, re.MULTILINE))
    taken = set((root / SOURCES).read_text().split())
    return sorted(needed - taken) if len(needed) > 8 else ["CMakeLists.txt names no sources"]


def library_package(root: Path) -> List[str]:
    """Debian names the package of a library after its SONAME, which has the first two numbers."""
    expected = "libthrong" + ".".join(version(root).split(".")[:2])
    control = (root / DEBIAN / "control").read_text()
    wrong = [] if f"\nPackage: {expected}\n" in control else ["control has no package of that name"]
    wrong += [] if f"Depends: {expected} (=" in control else ["libthrong-dev depends on another"]
    wrong += [] if (root / DEBIAN / f"{expected}.install").exists() else ["no .install of that name"]
    return [f"{expected}: {what}" for what in wrong]


class Recipes(unittest.TestCase):
    def test_versions(self) -> None:
        self.assertRegex(version(ROOT), r"^\d+\.\d+\.\d+$")
        self.assertEqual(stale_versions(ROOT), [])

    def test_options(self) -> None:
        self.assertGreater(len(options(ROOT)), 10)
        self.assertEqual(unknown_options(ROOT), [])

    def test_sources(self) -> None:
        self.assertEqual(missing_sources(ROOT), [])
        for name in (ROOT / SOURCES).read_text().split():
            self.assertTrue((ROOT / name).exists(), name)

    def test_library_package(self) -> None:
        self.assertEqual(library_package(ROOT), [])


class Mistakes(unittest.TestCase):
    """Each of the checks sees a mistake."""

    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = Path(scratch.name)
        for folder in ("packaging", "cmake"):
            shutil.copytree(ROOT / folder, self.root / folder)
        (self.root / "docs").mkdir()
        shutil.copy(ROOT / PAGE, self.root / PAGE)
        for crate in ("throng", "throng-sys"):
            (self.root / RUST / crate).mkdir(parents=True)
            shutil.copy(ROOT / RUST / crate / "Cargo.toml", self.root / RUST / crate)
        (self.root / BLENDER.parent).mkdir(parents=True)
        shutil.copy(ROOT / BLENDER, self.root / BLENDER)
        (self.root / "simd" / "isa").mkdir(parents=True)
        shutil.copy(ROOT / "simd" / "isa" / "version.hpp", self.root / "simd" / "isa")
        shutil.copy(ROOT / "CMakeLists.txt", self.root)

    def expect(self, check: Callable[[Path], List[str]], file: Path, old: str, new: str, count: int = 1) -> None:
        """That check is silent, and then, with that in the place of the old text, finds so many mistakes."""
        self.assertEqual(check(self.root), [])
        text = (self.root / file).read_text()
        self.assertIn(old, text)
        (self.root / file).write_text(text.replace(old, new))
        self.assertEqual(len(check(self.root)), count)

    def test_a_version_that_was_raised(self) -> None:
        raised = "#define THRONG_VERSION_MINOR "
        header = Path("simd", "isa", "version.hpp")
        self.expect(stale_versions, header, raised, raised + "1", len(stated_versions(self.root)))
        self.assertEqual(len(library_package(self.root)), 3)

    def test_each_version_that_was_not(self) -> None:
        number = version(self.root)
        for file, around in (
            (VCPKG / "vcpkg.json", '"version": "{}"'),
            (SPACK, 'version("{}")'),
            (DEBIAN / "changelog", "({}-"),
            (PAGE, "v{} GIT_SHALLOW"),
            (RUST / "throng-sys" / "Cargo.toml", 'version = "{}"'),
        ):
            with self.subTest(file):
                self.expect(stale_versions, file, around.format(number), around.format("9.9.9"))
                (self.root / file).write_text((ROOT / file).read_text())

        add_on = number.replace(".", ", ")
        self.expect(stale_versions, BLENDER, f"({add_on}),\n    \"blender\"", "(9, 9, 9),\n    \"blender\"")

    def test_an_option_of_another_name(self) -> None:
        self.expect(unknown_options, SPACK, "THRONG_TBB", "THRONG_ONETBB")

    def test_a_folder_that_is_left_out(self) -> None:
        self.expect(missing_sources, SOURCES, "simd\n", "")


if __name__ == "__main__":
    unittest.main()
