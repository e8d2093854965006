"""What docs/hosts/blender.md shows: its lines are run as they stand."""

import re
from pathlib import Path
from typing import Any, Dict

import bpy
import numpy as np
from support import Case, located, values

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "hosts" / "blender.md").read_text()


def block(begin: str) -> str:
    """The indented lines that begin with these words."""
    lines = re.search(rf"^    {re.escape(begin)}.*\n(?:    .*\n)*", PAGE, re.MULTILINE).group()
    return re.sub("^    ", "", lines, flags=re.MULTILINE)


class Page(Case):
    def test_what_it_asks(self) -> None:
        bpy.ops.mesh.primitive_uv_sphere_add()
        known: Dict[str, Any] = {"bpy": bpy}
        exec(block("mesh = bpy.context.object.data"), known)
        exec(block("bpy.ops.throng.neighbours()"), known)
        self.assertGreater(values(known["mesh"], "point_density").min(), 0)
        self.assertGreater(values(known["mesh"], "neighbours").min(), 0)
        self.assertEqual(len(known["lines"].edges), values(known["mesh"], "neighbours").sum() / 2)

    def test_the_flock(self) -> None:
        bpy.ops.mesh.primitive_uv_sphere_add()
        mesh = bpy.context.object.data
        exec(block("mesh.throng.flock.alignment"), {"bpy": bpy, "mesh": mesh})
        self.assertEqual(mesh.throng.flock.frame, 281)

    def test_the_points_of_particles(self) -> None:
        bpy.ops.mesh.primitive_uv_sphere_add()
        bpy.context.object.modifiers.new("particles", "PARTICLE_SYSTEM")
        for frame in range(1, 31):
            bpy.context.scene.frame_set(frame)
        known: Dict[str, Any] = {"bpy": bpy, "np": np}
        exec(block("system = "), known)
        one_by_one = np.array([particle.location for particle in known["system"].particles], np.float32)
        self.assertEqual(one_by_one.shape, (1000, 3))
        np.testing.assert_array_equal(located(known["mesh"]), one_by_one)
