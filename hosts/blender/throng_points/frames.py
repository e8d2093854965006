"""What happens when the frame changes: flocks move, and what is measured in every frame is measured."""

import sys
from typing import Any, Callable

import bpy
from bpy.app.handlers import persistent

from . import tasks
from .refused import REFUSALS


def _done(mesh: Any, task: Callable[[], Any]) -> bool:
    """A frame has nobody to report to: the reason is shown in the panel, and printed for renders without one."""
    try:
        task()
    except REFUSALS as refusal:
        mesh.throng.refusal = str(refusal) or type(refusal).__name__
        print(f"Throng: {mesh.name}: {mesh.throng.refusal}", file=sys.stderr)
        return False
    return True


def compute(mesh: Any, frame: int) -> None:
    """What one mesh wants of a frame. What was refused is switched off, or every frame would say so again."""
    settings = mesh.throng
    if settings.flock.moves and not _done(mesh, lambda: tasks.flock_at(mesh, frame)):
        settings.flock.moves = False
    if settings.every_frame and not _done(mesh, lambda: (tasks.density(mesh), tasks.neighbours(mesh))):
        settings.every_frame = False


@persistent
def on_frame(scene: Any, _depsgraph: Any = None) -> None:
    # Objects may share a mesh, which moves once. Attributes have no values in edit mode.
    meshes = {one.data for one in scene.objects if one.type == "MESH" and not one.data.is_editmode}
    for mesh in meshes:
        compute(mesh, scene.frame_current)


def register() -> None:
    bpy.app.handlers.frame_change_pre.append(on_frame)


def unregister() -> None:
    bpy.app.handlers.frame_change_pre.remove(on_frame)
