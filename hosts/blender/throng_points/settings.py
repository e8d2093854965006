"""What the user sets. It belongs to the mesh, as its points and attributes do, and is saved with it."""

from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty, StringProperty

AXES = (
    ("SPACE", "Space", "Distances are in space, densities for each unit of volume"),
    ("GROUND", "Ground", "Distances are on x and y, densities for each unit of area; heights stay as they are"),
)
KERNELS = (
    ("poly6", "Smooth", "(1 - d² / r²)³: falls smoothly to nothing at the radius"),
    ("linear", "Linear", "1 - d / r"),
    ("flat", "Flat", "1: all points within the radius count alike"),
    ("inverse", "Inverse", "1 / d: near points count most; the point itself does not count"),
)


def _weight(name: str, default: float, text: str) -> Any:
    return FloatProperty(name=name, default=default, soft_min=0, soft_max=1, precision=3, description=text)


def _length(name: str, default: float, text: str) -> Any:
    return FloatProperty(name=name, default=default, min=0.0, soft_max=100.0, description=text)


def _again(switch: str) -> Any:
    """Who switches something on again has read why it was switched off."""

    def update(self: Any, _context: Any) -> None:
        if getattr(self, switch):
            self.id_data.throng.refusal = ""

    return update


class ThrongFlock(bpy.types.PropertyGroup):
    radius: _length("Radius", 2.0, "Within it points follow their neighbours")
    apart: _length("Apart", 0.8, "Within it points push each other apart")
    separation: _weight("Separation", 0.1, "How much nearer neighbours push more")
    cohesion: _weight("Cohesion", 0.005, "How much of the way to the mean place of neighbours is added to a velocity")
    alignment: _weight("Alignment", 0.1, "How much of the difference to the mean velocity of neighbours is added")
    home: _weight("Home", 0.01, "How much points beyond the range are pulled back, for each unit of distance")
    range: _length("Range", 10.0, "How far from the origin points may go before they are pulled back")
    least_speed: _length("Least Speed", 0.05, "In each frame a point moves at least that far")
    most_speed: _length("Most Speed", 0.15, "In each frame a point moves at most that far")
    seed: IntProperty(name="Seed", default=1, min=0, description="Of velocities, for meshes that have none")
    moves: BoolProperty(
        name="Move with Frames", update=_again("moves"), description="One step for each frame after the first"
    )
    begun: IntProperty(name="Begun", options={"HIDDEN"}, description="The frame in which it began")
    frame: IntProperty(name="Frame", options={"HIDDEN"}, description="The frame that the points are in")


class ThrongPoints(bpy.types.PropertyGroup):
    axes: EnumProperty(name="Axes", items=AXES)
    radius: _length("Radius", 1.0, "How far away neighbours may be, in the mesh's own space")
    kernel: EnumProperty(name="Kernel", items=KERNELS, description="What a neighbour counts for in a density")
    most_edges: IntProperty(
        name="Most Edges", default=1_000_000, min=0, description="More edges than that are refused, not made"
    )
    edges: PointerProperty(name="Edges", type=bpy.types.Mesh, description="The mesh that has the edges")
    every_frame: BoolProperty(
        name="In Every Frame", update=_again("every_frame"),
        description="Density and neighbours are measured again in each frame"
    )
    flock: PointerProperty(type=ThrongFlock)
    refusal: StringProperty(name="Refusal", options={"HIDDEN"}, description="Why a frame was not computed")


def register() -> None:
    bpy.utils.register_class(ThrongFlock)
    bpy.utils.register_class(ThrongPoints)
    bpy.types.Mesh.throng = PointerProperty(type=ThrongPoints)


def unregister() -> None:
    del bpy.types.Mesh.throng
    bpy.utils.unregister_class(ThrongPoints)
    bpy.utils.unregister_class(ThrongFlock)
