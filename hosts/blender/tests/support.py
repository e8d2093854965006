"""Meshes to ask about, and answers by plain NumPy over all pairs."""

import unittest
from typing import Any

import bpy
import numpy as np

#: The integral of each kernel over a ball of radius 1, in the plane and in space.
INTEGRALS = {
    "flat": (np.pi, np.pi * 4 / 3),
    "linear": (np.pi / 3, np.pi / 3),
    "poly6": (np.pi / 4, np.pi * 64 / 315),
    "inverse": (np.pi * 2, np.pi * 2),
}


def scattered(count: int, seed: int = 1, side: float = 6.0) -> Any:
    return np.random.default_rng(seed).random((count, 3), np.float32) * np.float32(side)


def separate(positions: Any) -> Any:
    """The vectors from each point to each, of shape (n, n, axes), as 32-bit floats, as the library has them."""
    return positions[None, :, :] - positions[:, None, :]


def near(positions: Any, radius: float) -> Any:
    """Which points are within the radius of which, of shape (n, n), the point itself not."""
    ways = separate(positions)
    squares = (ways * ways).sum(2)
    inside = squares <= np.float32(radius) * np.float32(radius)
    np.fill_diagonal(inside, False)
    return inside


def distances(positions: Any) -> Any:
    """Of each point to each, as doubles; to itself it is infinite."""
    far = np.sqrt((separate(positions).astype(float) ** 2).sum(2))
    np.fill_diagonal(far, np.inf)
    return far


def values(mesh: Any, name: str) -> Any:
    """An attribute, read without the add-on."""
    one = mesh.attributes[name]
    vector = one.data_type == "FLOAT_VECTOR"
    flat = np.empty(len(one.data) * (3 if vector else 1), np.int32 if one.data_type == "INT" else np.float32)
    one.data.foreach_get("vector" if vector else "value", flat)
    return flat.reshape(-1, 3) if vector else flat


def located(mesh: Any) -> Any:
    flat = np.empty(len(mesh.vertices) * 3, np.float32)
    mesh.vertices.foreach_get("co", flat)
    return flat.reshape(-1, 3)


class Case(unittest.TestCase):
    """Each test has a file of its own, with nothing in it."""

    def setUp(self) -> None:
        bpy.ops.wm.read_factory_settings(use_empty=True)

    def mesh(self, positions: Any) -> Any:
        """A mesh of these points, on the active object."""
        mesh = bpy.data.meshes.new("points")
        mesh.vertices.add(len(positions))
        mesh.vertices.foreach_set("co", np.ascontiguousarray(positions, np.float32).ravel())
        mesh.update()
        one = bpy.data.objects.new("points", mesh)
        bpy.context.scene.collection.objects.link(one)
        bpy.context.view_layer.objects.active = one
        return mesh

    def state(self, mesh: Any) -> bytes:
        """Where a flock is, to the bit."""
        return located(mesh).tobytes() + values(mesh, "flock_velocity").tobytes()

    def refused(self, call: Any, sentence: str) -> None:
        """An operator's report is an exception to scripts."""
        with self.assertRaises(RuntimeError) as caught:
            call()
        self.assertIn(sentence, str(caught.exception))
