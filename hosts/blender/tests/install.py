"""Both archives are installed as users do it: the add-on, and the wheel that it brings along."""

import os
import sys
import zipfile
from pathlib import Path
from typing import Any, Callable

import bpy
import numpy as np

sys.dont_write_bytecode = True
here = Path(__file__).resolve().parent
scratch = Path(os.environ["THRONG_SCRATCH"])
sys.path.insert(0, str(here.parent))
from pack import pack  # noqa: E402

sys.path.pop(0)  # the add-on must be found where Blender has put it


def packed(name: str, pattern: str) -> Path:
    """A wheel of files of this build's package: to make a real one the library would have to be compiled again."""
    made = scratch / name
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("other/__init__.py", "")
        for file in Path(os.environ["THRONG_PACKAGE"], "throng").glob(pattern):
            if file.is_file():
                archive.write(file, f"throng/{file.name}")
    return made


wheel, foreign, other = packed("throng.whl", "*"), packed("throng-foreign.whl", "*.py"), packed("other.whl", "none")


def said(call: Callable[[], Any]) -> str:
    """What an operator reports as an error."""
    try:
        call()
    except RuntimeError as error:
        return str(error)
    return ""


assert "throng" not in sys.modules and "throng_points" not in sys.modules
bpy.ops.preferences.addon_install(filepath=str(pack(scratch, wheel)))
assert bpy.ops.preferences.addon_enable(module="throng_points") == {"FINISHED"}
module = sys.modules["throng_points"]
assert Path(module.__file__).is_relative_to(scratch / "scripts"), module.__file__

# The factory's cube. Without the wheel the reason is reported; what is no wheel of throng, or one for another Python,
# leaves nothing behind.
mesh = bpy.context.object.data
assert "the Python package throng cannot be imported" in said(bpy.ops.throng.density)
modules = scratch / "scripts/addons/modules"
assert "other.whl is no wheel of throng" in said(lambda: bpy.ops.throng.install(filepath=str(other)))
assert not (modules / "other").exists()
assert "throng-foreign.whl does not suit Blender's Python" in said(lambda: bpy.ops.throng.install(filepath=str(foreign)))
assert not (modules / "throng").exists()
assert "No such file" in said(lambda: bpy.ops.throng.install(filepath=str(scratch / "none.whl")))

(modules / "throng").mkdir()
(modules / "throng/older.py").touch()
assert bpy.ops.throng.install() == {"FINISHED"}
import throng  # noqa: E402

assert Path(throng.__file__).is_relative_to(modules), throng.__file__
assert not (modules / "throng/older.py").exists()
assert module.bl_info["version"] == tuple(map(int, throng.__version__.split("."))), throng.__version__
assert "is in use" in said(bpy.ops.throng.install)

mesh.throng.radius = 2.5
assert bpy.ops.throng.neighbours() == {"FINISHED"}
counts = np.empty(8, np.int32)
mesh.attributes["neighbours"].data.foreach_get("value", counts)
assert (counts == 3).all(), counts

assert bpy.ops.preferences.addon_disable(module="throng_points") == {"FINISHED"}
assert not hasattr(mesh, "throng")
print("installed, asked and removed")
