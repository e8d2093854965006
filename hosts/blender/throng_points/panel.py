"""The sidebar of the 3D viewport, and the add-on's preferences."""

import importlib.util
from typing import Any

import bpy

RULES = (
    "radius", "apart", "separation", "cohesion", "alignment", "home", "range", "least_speed", "most_speed", "seed"
)


class ThrongPanel(bpy.types.Panel):
    bl_idname = "VIEW3D_PT_throng"
    bl_label = "Throng"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Throng"

    @classmethod
    def poll(cls, context: Any) -> bool:
        return context.object is not None and context.object.type == "MESH"

    def draw(self, context: Any) -> None:
        settings = context.object.data.throng
        layout = self.layout
        layout.use_property_split = True
        if importlib.util.find_spec("throng") is None:
            layout.operator("throng.install", icon="IMPORT")
        if settings.refusal:
            layout.label(text=settings.refusal, icon="ERROR")
        for name in ("axes", "radius", "kernel", "every_frame"):
            layout.prop(settings, name)
        row = layout.row(align=True)
        row.operator("throng.density")
        row.operator("throng.neighbours")
        layout.prop(settings, "most_edges")
        layout.operator("throng.edges")


class ThrongFlockPanel(bpy.types.Panel):
    bl_idname = "VIEW3D_PT_throng_flock"
    bl_parent_id = "VIEW3D_PT_throng"
    bl_label = "Flock"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Throng"

    def draw(self, context: Any) -> None:
        flock = context.object.data.throng.flock
        layout = self.layout
        layout.use_property_split = True
        for name in RULES:
            layout.prop(flock, name)
        layout.prop(flock, "moves")
        row = layout.row(align=True)
        row.operator("throng.flock_begin")
        row.operator("throng.flock_step")
        row.operator("throng.flock_rewind")


class ThrongPreferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    def draw(self, context: Any) -> None:
        if importlib.util.find_spec("throng"):
            self.layout.label(text="The Python package throng is installed")
        else:
            self.layout.operator("throng.install", icon="IMPORT")


CLASSES = (ThrongPanel, ThrongFlockPanel, ThrongPreferences)

register, unregister = bpy.utils.register_classes_factory(CLASSES)
