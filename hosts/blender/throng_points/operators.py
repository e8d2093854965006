"""The operators of the sidebar. What the library refuses becomes their report, and then nothing has changed."""

from typing import Any, Set

import bpy
from bpy.props import IntProperty

from . import tasks
from .refused import REFUSALS


class OnPoints:
    """An operator on the mesh of the active object."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: Any) -> bool:
        one = context.object
        if one is None or one.type != "MESH":
            cls.poll_message_set("The active object is no mesh")
        elif one.mode == "EDIT":
            cls.poll_message_set("Attributes cannot be set in edit mode")
        else:
            return True
        return False

    def execute(self, context: Any) -> Set[str]:
        try:
            done = self.work(context, context.object.data)
        except REFUSALS as refusal:
            self.report({"ERROR"}, str(refusal) or type(refusal).__name__)
            return {"CANCELLED"}
        self.report({"INFO"}, done)
        return {"FINISHED"}

    def work(self, context: Any, mesh: Any) -> str:
        raise NotImplementedError


class ThrongDensity(OnPoints, bpy.types.Operator):
    """How dense it is around each point: attribute point_density"""

    bl_idname = "throng.density"
    bl_label = "Density"

    def work(self, context: Any, mesh: Any) -> str:
        return tasks.density(mesh)


class ThrongNeighbours(OnPoints, bpy.types.Operator):
    """How many points are near each, and how far away the nearest is: attributes neighbours and nearest"""

    bl_idname = "throng.neighbours"
    bl_label = "Neighbours"

    def work(self, context: Any, mesh: Any) -> str:
        return tasks.neighbours(mesh)


class ThrongEdges(OnPoints, bpy.types.Operator):
    """A mesh with an edge between every two points that are near each other"""

    bl_idname = "throng.edges"
    bl_label = "Edges"

    def work(self, context: Any, mesh: Any) -> str:
        onto = mesh.throng.edges
        made = onto is None
        if made:
            onto = bpy.data.meshes.new(f"{mesh.name} edges")
        try:
            done = tasks.connect(mesh, onto)
        except REFUSALS:
            if made:
                bpy.data.meshes.remove(onto)
            raise
        mesh.throng.edges = onto
        if not any(one.data == onto for one in context.scene.objects):
            linked = bpy.data.objects.new(onto.name, onto)
            linked.matrix_world = context.object.matrix_world
            context.scene.collection.objects.link(linked)
        return done


class ThrongFlockBegin(OnPoints, bpy.types.Operator):
    """From this frame on the points move as a flock, one step in each frame"""

    bl_idname = "throng.flock_begin"
    bl_label = "Begin"

    def work(self, context: Any, mesh: Any) -> str:
        return tasks.begin_flock(mesh, context.scene.frame_current)


class ThrongFlockStep(OnPoints, bpy.types.Operator):
    """Moves the points by some steps, and stays in the frame"""

    bl_idname = "throng.flock_step"
    bl_label = "Step"

    steps: IntProperty(name="Steps", default=1, min=1, soft_max=1000)  # type: ignore[valid-type]

    def work(self, context: Any, mesh: Any) -> str:
        return tasks.step_flock(mesh, self.steps)


class ThrongFlockRewind(OnPoints, bpy.types.Operator):
    """Puts the points back to where the flock began"""

    bl_idname = "throng.flock_rewind"
    bl_label = "Rewind"

    def work(self, context: Any, mesh: Any) -> str:
        return tasks.rewind_flock(mesh)


CLASSES = (ThrongDensity, ThrongNeighbours, ThrongEdges, ThrongFlockBegin, ThrongFlockStep, ThrongFlockRewind)

register, unregister = bpy.utils.register_classes_factory(CLASSES)
