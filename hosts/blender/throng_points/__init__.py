"""Density, neighbours and flocking for the points of meshes, by the library Throng."""

from . import frames, library, operators, panel, settings

bl_info = {
    "name": "Throng Points",
    "description": "Density, neighbours and flocking for the points of meshes, as attributes",
    "author": "The Throng authors",
    "version": (0, 2, 0),
    "blender": (3, 4, 0),
    "location": "3D Viewport > Sidebar > Throng",
    "category": "Object",
}

# Settings come first, since the others show and read them.
PARTS = (settings, library, operators, panel, frames)


def register() -> None:
    for part in PARTS:
        part.register()


def unregister() -> None:
    for part in reversed(PARTS):
        part.unregister()
