"""The Python package throng: where it comes from, and how it gets into Blender's Python.

A wheel is an archive, and what pip does with this one is to unpack it. So no pip is needed, which not every
Blender has, and nothing is written where only administrators may.
"""

import importlib
import shutil
import sys
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any, Optional, Set

import bpy
from bpy.props import StringProperty

from .refused import REFUSALS, Refused


def throng() -> ModuleType:
    """The package, or a refusal that says how to get it."""
    try:
        return importlib.import_module("throng")
    except ImportError as error:
        missing = "the Python package throng cannot be imported: install its wheel in this add-on's preferences"
        raise Refused(f"{missing} ({error})") from error


def bundled_wheel() -> Optional[Path]:
    """The wheel that came with the add-on, if one did."""
    return next(Path(__file__).parent.glob("wheels/*.whl"), None)


def install(wheel: Path) -> str:
    """Unpacks a wheel into the user's modules of add-ons, imports it from there, and returns its version."""
    if "throng" in sys.modules:
        raise Refused("throng is in use: start Blender anew, without the add-on, to replace it")
    folder = Path(bpy.utils.user_resource("SCRIPTS", path="addons/modules", create=True))
    try:
        with zipfile.ZipFile(wheel) as archive:
            if "throng/__init__.py" not in archive.namelist():
                raise Refused(f"{wheel.name} is no wheel of throng")
            shutil.rmtree(folder / "throng", ignore_errors=True)  # modules that only an older version had
            archive.extractall(folder)
    except (OSError, zipfile.BadZipFile) as error:
        raise Refused(f"{wheel}: {error}") from error
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
    importlib.invalidate_caches()
    try:
        return str(importlib.import_module("throng").__version__)
    except ImportError as error:
        # Or the panel would take it for installed.
        shutil.rmtree(folder / "throng")
        python = ".".join(map(str, sys.version_info[:2]))
        raise Refused(f"{wheel.name} does not suit Blender's Python {python}: {error}") from error


class ThrongInstall(bpy.types.Operator):
    """Install the Python package throng from its wheel, for this user"""

    bl_idname = "throng.install"
    bl_label = "Install throng"

    filepath: StringProperty(subtype="FILE_PATH")  # type: ignore[valid-type]
    filter_glob: StringProperty(default="*.whl", options={"HIDDEN"})  # type: ignore[valid-type]

    def invoke(self, context: Any, event: Any) -> Set[str]:
        if bundled_wheel():
            return self.execute(context)
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: Any) -> Set[str]:
        wheel = Path(self.filepath) if self.filepath else bundled_wheel()
        try:
            if wheel is None:
                raise Refused("no wheel was chosen")
            self.report({"INFO"}, f"throng {install(wheel)} is installed")
        except REFUSALS as refusal:
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        return {"FINISHED"}


register, unregister = bpy.utils.register_classes_factory((ThrongInstall,))
