"""Builds the package throng by PEP 517 and PEP 660, with CMake and nothing else.

The extension is built in build/wheel, so a second build is short. CMake finds a compiler and the like by
its own means, such as CXX and CMAKE_ARGS in the environment.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import os
import re
import shlex
import stat
import subprocess
import sys
import sysconfig
import tarfile
import time
import tomllib
import zipfile
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Tuple

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build" / "wheel"
PACKAGE = ROOT / "python" / "throng"
Settings = Optional[Mapping[str, Any]]


def _project() -> Dict[str, Any]:
    project: Dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    header = (ROOT / "simd" / "isa" / "version.hpp").read_text()
    numbers = re.findall(r"^#define THRONG_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.MULTILINE)
    assert len(numbers) == 3
    return {**project, "version": ".".join(numbers)}


def _metadata() -> bytes:
    project = _project()
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"License: {project['license']['text']}",
        f"Requires-Python: {project['requires-python']}",
    ]
    lines += [f"Classifier: {classifier}" for classifier in project["classifiers"]]
    lines += [f"Requires-Dist: {requirement}" for requirement in project["dependencies"]]
    lines += ["Description-Content-Type: text/markdown", "", (ROOT / project["readme"]).read_text()]
    return "\n".join(lines).encode()


#: The first manylinux that has each version of g++'s library, the last number of GLIBCXX_3.4.n.
_MANYLINUX_OF_GLIBCXX = ((24, 28), (28, 31), (29, 34), (30, 35), (32, 39))


def _platform(extension: bytes) -> str:
    """Where a wheel with this extension runs: on Linux by the newest symbols that it asks for. An index takes
    no wheel that needs another library than the system's; one that does says only where it was built."""
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    needs_tbb = re.search(rb"libtbb\.so", extension) is not None
    libc = [int(minor) for minor in re.findall(rb"GLIBC_2\.(\d+)", extension)]
    if not platform.startswith("linux") or needs_tbb or not libc:
        return platform
    least = max(libc)
    glibcxx = max(map(int, re.findall(rb"GLIBCXX_3\.4\.(\d+)", extension)), default=0)
    for newest, manylinux in _MANYLINUX_OF_GLIBCXX:
        if glibcxx <= newest:
            return platform.replace("linux", f"manylinux_2_{max(least, manylinux)}", 1)
    return platform


def _tag(platform: str) -> str:
    python = "cp{}{}".format(*sys.version_info)
    return f"{python}-{python}-{platform}"


def _build_extension() -> Path:
    """The extension, in a package of the build tree that can be imported."""
    options = {
        "CMAKE_BUILD_TYPE": "Release",
        "THRONG_BUILD_PYTHON": "ON",
        "THRONG_BUILD_TESTS": "OFF",
        "THRONG_BUILD_DEMO": "OFF",
        "THRONG_INSTALL": "OFF",
        "THRONG_FAMILY": "ON",
        "THRONG_TBB": "AUTO",  # a wheel for other machines is built with CMAKE_ARGS=-DTHRONG_TBB=OFF
        "BUILD_SHARED_LIBS": "OFF",
        "Python_EXECUTABLE": sys.executable,
    }
    configure = ["cmake", "-S", str(ROOT), "-B", str(BUILD)]
    configure += [f"-D{name}={value}" for name, value in options.items()]
    configure += shlex.split(os.environ.get("CMAKE_ARGS", ""))
    subprocess.run(configure, check=True)
    affinity = getattr(os, "sched_getaffinity", None)  # of Linux alone
    jobs = str(len(affinity(0)) if affinity else os.cpu_count() or 1)
    build = ["cmake", "--build", str(BUILD), "--config", "Release", "--target", "throng_python"]
    subprocess.run([*build, "--parallel", jobs], check=True)
    name = f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"
    folder = BUILD / "python" / "throng"
    # Generators for several configurations give each a folder.
    return next(path for path in (folder / name, folder / "Release" / name) if path.exists())


def _date() -> int:
    # Zip files know no time before 1980.
    return max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315_532_800)


class _Wheel:
    """A wheel: the same bytes for the same contents."""

    def __init__(self, folder: str, platform: str) -> None:
        project = _project()
        stem = f"{project['name']}-{project['version']}"
        self._tag = _tag(platform)
        self.name = f"{stem}-{self._tag}.whl"
        self._info = f"{stem}.dist-info"
        self._files: Dict[str, Tuple[bytes, int]] = {}
        self._path = Path(folder) / self.name

    def add(self, name: str, content: bytes, mode: int = 0o644) -> None:
        self._files[name] = content, mode

    def info_files(self) -> Dict[str, bytes]:
        tags = f"Wheel-Version: 1.0\nGenerator: throng_build\nRoot-Is-Purelib: false\nTag: {self._tag}\n"
        return {
            f"{self._info}/METADATA": _metadata(),
            f"{self._info}/WHEEL": tags.encode(),
            f"{self._info}/LICENSE": (ROOT / "LICENSE").read_bytes(),
        }

    def write(self) -> str:
        for name, content in self.info_files().items():
            self.add(name, content)
        record = "".join(_record_line(name, content) for name, (content, _) in sorted(self._files.items()))
        self.add(f"{self._info}/RECORD", f"{record}{self._info}/RECORD,,\n".encode())
        with zipfile.ZipFile(self._path, "w") as archive:
            # What describes the wheel comes last, so that it can be read without the rest.
            for name, (content, mode) in sorted(
                self._files.items(), key=lambda item: (item[0].startswith(self._info), item[0])
            ):
                entry = zipfile.ZipInfo(name, time.gmtime(_date())[:6])
                entry.external_attr = (stat.S_IFREG | mode) << 16
                archive.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)
        return self.name


def _record_line(name: str, content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def get_requires_for_build_wheel(config_settings: Settings = None) -> List[str]:
    """pybind11, where CMake would find none: a package of the system's will do, and needs no download."""
    places = ("share/cmake/pybind11", "lib/cmake/pybind11")
    found = any((prefix / place / "pybind11Config.cmake").exists() for prefix in _prefixes() for place in places)
    return [] if found or "pybind11_DIR" in os.environ.get("CMAKE_ARGS", "") else ["pybind11>=2.10"]


def get_requires_for_build_sdist(config_settings: Settings = None) -> List[str]:
    return []


get_requires_for_build_editable = get_requires_for_build_wheel


def prepare_metadata_for_build_wheel(
    metadata_directory: str, config_settings: Settings = None
) -> str:
    files = _Wheel(metadata_directory, "any").info_files()
    for name, content in files.items():
        path = Path(metadata_directory) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return os.path.dirname(next(iter(files)))


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(
    wheel_directory: str,
    config_settings: Settings = None,
    metadata_directory: Optional[str] = None,
) -> str:
    extension = _build_extension()
    content = extension.read_bytes()
    wheel = _Wheel(wheel_directory, _platform(content))
    for source in PACKAGE.iterdir():
        if source.suffix in (".py", ".pyi") or source.name == "py.typed":
            wheel.add(f"throng/{source.name}", source.read_bytes())
    wheel.add(f"throng/{extension.name}", content, 0o755)
    return wheel.write()


def build_editable(
    wheel_directory: str,
    config_settings: Settings = None,
    metadata_directory: Optional[str] = None,
) -> str:
    """The package of the build tree has links to the sources, so changes there take effect at once."""
    extension = _build_extension()
    wheel = _Wheel(wheel_directory, re.sub(r"[-.]", "_", sysconfig.get_platform()))
    wheel.add("_throng_editable.pth", f"{extension.parent.parent}\n".encode())
    return wheel.write()


def _sources() -> List[str]:
    """The files that git tracks; or, in an unpacked sdist, all files."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(
            ["git", "-C", str(ROOT), "ls-files", "-z"], check=True, capture_output=True
        )
        return sorted(name for name in listed.stdout.decode().split("\0") if name)
    return sorted(
        path.relative_to(ROOT).as_posix()
        for path in ROOT.rglob("*")
        if path.is_file() and path.parts[len(ROOT.parts)] != "build" and path.name != "PKG-INFO"
    )


def _prefixes() -> List[Path]:
    """Where libraries are installed, in the order in which CMake looks."""
    folders = os.environ.get("CMAKE_PREFIX_PATH", "").split(os.pathsep)
    return [Path(folder) for folder in [*folders, sys.prefix, sys.base_prefix, "/usr/local", "/usr"] if folder]


def xsimd_headers() -> Dict[str, bytes]:
    """The headers of xsimd, which no index of Python's has, and their licence: CMake finds them in third_party."""
    if (ROOT / "third_party" / "xsimd").exists():
        return {} # an unpacked sdist, whose files they are
    for prefix in _prefixes():
        headers = prefix / "include" / "xsimd"
        licences = ("doc/libxsimd-dev/copyright", "licenses/xsimd/LICENSE", "xsimd/copyright")
        licence = next((prefix / "share" / name for name in licences if (prefix / "share" / name).exists()), None)
        if (headers / "xsimd.hpp").exists() and licence is not None:
            found = {path.relative_to(headers.parent).as_posix(): path for path in sorted(headers.rglob("*.hpp"))}
            found["xsimd/LICENSE"] = licence
            return {f"third_party/{name}": path.read_bytes() for name, path in found.items()}
    raise RuntimeError("an sdist holds the headers of xsimd with their licence, which are nowhere in "
                       f"{', '.join(map(str, _prefixes()))}: install xsimd, or set CMAKE_PREFIX_PATH")


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    project = _project()
    stem = f"{project['name']}-{project['version']}"
    contents = {name: (ROOT / name).read_bytes() for name in _sources() if (ROOT / name).is_file()}
    contents.update(xsimd_headers())
    contents["PKG-INFO"] = _metadata()
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in contents.items():
            entry = tarfile.TarInfo(f"{stem}/{name}")
            entry.size = len(content)
            entry.mtime = _date()
            entry.mode = 0o755 if os.access(ROOT / name, os.X_OK) else 0o644
            archive.addfile(entry, io.BytesIO(content))
    path = Path(sdist_directory) / f"{stem}.tar.gz"
    with open(path, "wb") as file:
        with gzip.GzipFile("", "wb", fileobj=file, mtime=_date()) as packed:
            packed.write(plain.getvalue())
    return path.name
