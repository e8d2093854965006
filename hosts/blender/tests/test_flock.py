"""Flocks against a plain loop of NumPy over all pairs, in doubles."""

import functools
import tempfile
import unittest.mock
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Tuple

import bpy
import numpy as np
import throng
from support import Case, distances, located, near, scattered, separate, values
from throng_points import flocks


def reference(positions: Any, velocities: Any, flock: Any) -> Tuple[Any, Any]:
    """One step by the rules of the page, all pairs at once."""
    ways = separate(positions).astype(float)
    inside = near(positions.astype(np.float32), flock.radius)
    count = np.maximum(inside.sum(1), 1)[:, None]
    some = inside.any(1)[:, None]
    alignment = np.where(some, inside @ velocities / count - velocities, 0)
    cohesion = (ways * inside[:, :, None]).sum(1) / count
    push = np.where(near(positions.astype(np.float32), flock.apart), 1 - distances(positions) / flock.apart, 0)
    separation = -(ways * push[:, :, None]).sum(1)
    velocities = (velocities + flock.alignment * alignment + flock.cohesion * cohesion
                  + flock.separation * separation)
    far = np.linalg.norm(positions, axis=1)[:, None]
    velocities = velocities - flock.home * np.maximum(far - flock.range, 0) / far * positions
    speed = np.linalg.norm(velocities, axis=1)[:, None]
    velocities = velocities * np.clip(speed, flock.least_speed, flock.most_speed) / speed
    return positions + velocities, velocities


class Flocks(Case):
    def flock(self, axes: str = "SPACE") -> Any:
        mesh = self.mesh(scattered(300, 4) - np.float32(3))
        mesh.throng.axes = axes
        flock = mesh.throng.flock
        flock.radius, flock.apart, flock.range = 1.1, 0.7, 2.5
        flock.separation, flock.cohesion, flock.alignment, flock.home = 0.3, 0.05, 0.25, 0.1
        flock.least_speed, flock.most_speed = 0.03, 0.12
        bpy.context.scene.frame_set(1)
        self.assertEqual(bpy.ops.throng.flock_begin(), {"FINISHED"})
        return mesh

    def test_each_step_is_that_of_all_pairs(self) -> None:
        for axes, dim in (("SPACE", 3), ("GROUND", 2)):
            mesh = self.flock(axes)
            heights = located(mesh)[:, dim:]
            for frame in range(2, 8):
                want = reference(located(mesh)[:, :dim], values(mesh, "flock_velocity")[:, :dim].astype(float),
                                 mesh.throng.flock)
                bpy.context.scene.frame_set(frame)
                np.testing.assert_allclose(located(mesh)[:, :dim], want[0], atol=2e-6)
                np.testing.assert_allclose(values(mesh, "flock_velocity")[:, :dim], want[1], atol=2e-6)
            np.testing.assert_array_equal(located(mesh)[:, dim:], heights)

    def test_a_frame_is_the_same_bits_in_whatever_order_frames_are_asked_for(self) -> None:
        mesh, scene = self.flock(), bpy.context.scene
        seen = {}
        for frame in (1, 2, 3, 4, 5, 6):
            scene.frame_set(frame)
            seen[frame] = self.state(mesh)
        self.assertEqual(len(set(seen.values())), 6)
        for frame in (6, 3, 5, 1, 4, 2, 6):
            scene.frame_set(frame)
            self.assertEqual(self.state(mesh), seen[frame], frame)
        scene.frame_set(-3)
        self.assertEqual(self.state(mesh), seen[1])
        scene.frame_set(2)
        self.assertEqual(self.state(mesh), seen[2])

    def test_a_step_is_the_same_bits_on_one_thread_and_on_many(self) -> None:
        points = scattered(30_000, 5, 25) - np.float32(12)
        rules = flocks.Rules(1.5, 0.8, 0.3, 0.05, 0.25, 0.1, 10, 0.03, 0.12)
        start = points, flocks.begin(len(points), 3, 0.1, 1)
        wanted = [values.tobytes() for values in flocks.step(*start, rules)]
        for threads in (1, 3):
            crowd = functools.partial(throng.Crowd, threads=threads)
            with unittest.mock.patch.object(flocks, "throng", lambda: SimpleNamespace(Crowd=crowd)):
                self.assertEqual([values.tobytes() for values in flocks.step(*start, rules)], wanted)

    def test_two_meshes_with_the_same_points_move_alike_and_a_shared_one_moves_once(self) -> None:
        one, scene = self.flock(), bpy.context.scene
        other = one.copy()
        for mesh in (one, other):
            scene.collection.objects.link(bpy.data.objects.new("again", mesh))
        scene.frame_set(2)
        once = self.state(one)
        self.assertEqual(self.state(other), once)
        one.throng.flock.moves = False
        bpy.ops.throng.flock_rewind()
        bpy.ops.throng.flock_step()
        self.assertEqual(self.state(one), once)

    def test_steps_and_rewinding_without_frames(self) -> None:
        mesh, scene = self.flock(), bpy.context.scene
        begun = self.state(mesh)
        bpy.ops.throng.flock_step(steps=5)
        stepped = self.state(mesh)
        bpy.ops.throng.flock_rewind()
        self.assertEqual(self.state(mesh), begun)
        scene.frame_set(6)
        self.assertEqual(self.state(mesh), stepped)

    def test_velocities_that_are_there_are_kept_and_others_come_from_the_seed(self) -> None:
        points = scattered(100)
        mesh = self.mesh(points)
        own = scattered(100, 9)
        mesh.attributes.new("flock_velocity", "FLOAT_VECTOR", "POINT").data.foreach_set("vector", own.ravel())
        bpy.ops.throng.flock_begin()
        np.testing.assert_array_equal(values(mesh, "flock_velocity"), own)

        made = []
        for seed in (1, 1, 2):
            mesh = self.mesh(points)
            mesh.throng.flock.seed = seed
            bpy.ops.throng.flock_begin()
            made.append(values(mesh, "flock_velocity"))
        np.testing.assert_array_equal(made[0], made[1])
        self.assertTrue((made[0] != made[2]).any())
        self.assertLessEqual(np.abs(made).max(), mesh.throng.flock.most_speed)

    def test_density_and_neighbours_in_every_frame(self) -> None:
        mesh = self.flock()
        mesh.throng.every_frame = True
        bpy.context.scene.frame_set(4)
        np.testing.assert_array_equal(values(mesh, "neighbours"), near(located(mesh), 1.0).sum(1))
        measured = values(mesh, "point_density")
        bpy.ops.throng.density()
        np.testing.assert_array_equal(values(mesh, "point_density"), measured)

    def test_renders_show_the_frame(self) -> None:
        """What is rendered is the evaluated mesh, which must have moved, too."""
        mesh, scene, one = self.flock(), bpy.context.scene, bpy.context.object
        scene.frame_set(4)
        wanted = self.state(mesh)
        scene.frame_set(1)
        shown = []

        def show(_scene: Any, depsgraph: Any) -> None:
            if _scene.frame_current == 4:
                shown.append(self.state(one.evaluated_get(depsgraph).data))

        with tempfile.TemporaryDirectory() as folder:
            bpy.ops.object.camera_add()
            scene.camera = bpy.context.object
            scene.frame_start, scene.frame_end = 2, 4
            scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising = "CYCLES", 1, False
            scene.render.resolution_x = scene.render.resolution_y = 8
            scene.render.filepath = f"{folder}/frame"
            bpy.app.handlers.frame_change_post.append(show)
            try:
                bpy.ops.render.render(animation=True)
            finally:
                bpy.app.handlers.frame_change_post.remove(show)
            self.assertEqual(len(list(Path(folder).iterdir())), 3)
        self.assertEqual(shown[0], wanted)


class Refusals(Case):
    def test_what_has_not_begun_neither_steps_nor_rewinds(self) -> None:
        self.mesh(scattered(9))
        self.refused(bpy.ops.throng.flock_step, "the flock has not begun")
        self.refused(bpy.ops.throng.flock_rewind, "the flock has not begun")

    def test_in_a_frame_they_are_shown_in_the_panel_once_and_end_the_flock(self) -> None:
        mesh = self.mesh(scattered(9))
        bpy.ops.throng.flock_begin()
        mesh.throng.every_frame = True
        points = located(mesh)
        points[3, 0] = np.inf
        mesh.vertices.foreach_set("co", points.ravel())
        before = self.state(mesh)
        bpy.context.scene.frame_set(bpy.context.scene.frame_current + 1)
        self.assertEqual(mesh.throng.refusal, "positions[3] is NaN or infinite")
        self.assertFalse(mesh.throng.flock.moves or mesh.throng.every_frame)
        self.assertEqual(self.state(mesh), before)
        points[3, 0] = 0
        mesh.vertices.foreach_set("co", points.ravel())
        mesh.throng.every_frame = True
        self.assertEqual(mesh.throng.refusal, "")
        bpy.context.scene.frame_set(bpy.context.scene.frame_current + 1)
        self.assertEqual((mesh.throng.refusal, mesh.throng.every_frame), ("", True))

    def test_shape_keys(self) -> None:
        mesh = self.mesh(scattered(9))
        bpy.context.object.shape_key_add()
        self.refused(bpy.ops.throng.flock_begin, "the mesh has shape keys")
        bpy.context.object.shape_key_clear()
        bpy.ops.throng.flock_begin()
        bpy.context.object.shape_key_add()
        before = self.state(mesh)
        self.refused(bpy.ops.throng.flock_step, "the mesh has shape keys")
        self.assertEqual(self.state(mesh), before)

    def test_velocities_that_are_no_numbers(self) -> None:
        mesh = self.mesh(scattered(9))
        bpy.ops.throng.flock_begin()
        velocities = values(mesh, "flock_velocity")
        velocities[5, 1] = np.nan
        mesh.attributes["flock_velocity"].data.foreach_set("vector", velocities.ravel())
        mesh.throng.flock.radius = 0.1
        before = self.state(mesh)
        self.refused(bpy.ops.throng.flock_step, "the velocity of point 5 is NaN or infinite")
        self.assertEqual(self.state(mesh), before)
