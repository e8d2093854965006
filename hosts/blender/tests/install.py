"""Both archives are installed as users do it: the add-on, and the wheel that it brings along."""

import os
import sys
import zipfile
from pathlib import Path

import bpy
import numpy as np

sys.dont_write_bytecode = True
here = Path(__file__).resolve().parent
scratch = Path(os.environ["THRONG_SCRATCH"])
sys.path.insert(0, str(here.parent))
from pack import pack  # noqa: E402

sys.path.pop(0)  # the add-on must be found where Blender has put it

# Of the package of this build: to make a real wheel the library would have to be compiled again.
wheel = scratch / "throng-0.0.0-py3-none-any.whl"
with zipfile.ZipFile(wheel, "w") as archive:
    for file in Path(os.environ["THRONG_PACKAGE"], "throng").glob("*"):
        if file.is_file():
            archive.write(file, f"throng/{file.name}")
broken = scratch / "throng-broken.whl"
with zipfile.ZipFile(broken, "w") as archive:
    archive.writestr("other/__init__.py", "")


def said(call) -> str:
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

# The factory's cube. Without the wheel the reason is reported; a file that is no wheel of throng changes nothing.
mesh = bpy.context.object.data
assert "the Python package throng cannot be imported" in said(bpy.ops.throng.density)
assert "is no wheel of throng" in said(lambda: bpy.ops.throng.install(filepath=str(broken)))
assert "No such file" in said(lambda: bpy.ops.throng.install(filepath=str(scratch / "none.whl")))
assert not (scratch / "scripts/addons/modules/other").exists()

assert bpy.ops.throng.install() == {"FINISHED"}
import throng  # noqa: E402

assert Path(throng.__file__).is_relative_to(scratch / "scripts"), throng.__file__
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
