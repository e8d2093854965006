"""Density, neighbours and edges against all pairs, and what is refused."""

from typing import Any

import bpy
import numpy as np
from support import INTEGRALS, Case, distances, located, near, scattered, values


def weights(kernel: str, far: Any, radius: float) -> Any:
    part = far / radius
    return {"flat": np.ones_like, "linear": lambda p: 1 - p, "poly6": lambda p: (1 - p * p) ** 3,
            "inverse": lambda p: 1 / (p * radius)}[kernel](part)


class Density(Case):
    def test_is_that_of_all_pairs_for_every_kernel_in_space_and_on_the_ground(self) -> None:
        points, radius = scattered(400), 1.2
        mesh = self.mesh(points)
        mesh.throng.radius = radius
        for axes, dim in (("GROUND", 2), ("SPACE", 3)):
            mesh.throng.axes = axes
            flat = points[:, :dim]
            far, inside = distances(flat), near(flat, radius)
            for kernel, integrals in INTEGRALS.items():
                mesh.throng.kernel = kernel
                self.assertEqual(bpy.ops.throng.density(), {"FINISHED"})
                sums = np.where(inside, weights(kernel, far, radius), 0).sum(1) + (kernel != "inverse")
                power = dim - 1 if kernel == "inverse" else dim
                want = sums / (integrals[dim - 2] * radius**power)
                np.testing.assert_allclose(values(mesh, "point_density"), want, rtol=2e-4, err_msg=f"{axes} {kernel}")

    def test_is_written_again_into_the_same_attribute(self) -> None:
        mesh = self.mesh(scattered(50))
        bpy.ops.throng.density()
        before = values(mesh, "point_density").copy()
        mesh.throng.radius = 2
        bpy.ops.throng.density()
        self.assertTrue((values(mesh, "point_density") != before).all())
        names = [one.name for one in mesh.attributes if one.name.startswith("point_density")]
        self.assertEqual(names, ["point_density"])

    def test_of_no_points_is_no_values(self) -> None:
        mesh = self.mesh(np.empty((0, 3), np.float32))
        self.assertEqual(bpy.ops.throng.density(), {"FINISHED"})
        self.assertEqual(len(mesh.attributes["point_density"].data), 0)


class Neighbours(Case):
    def test_are_those_of_all_pairs(self) -> None:
        points = scattered(500, 2)
        mesh = self.mesh(points)
        for axes, dim in (("SPACE", 3), ("GROUND", 2)):
            mesh.throng.axes = axes
            self.assertEqual(bpy.ops.throng.neighbours(), {"FINISHED"})
            flat = points[:, :dim]
            np.testing.assert_array_equal(values(mesh, "neighbours"), near(flat, 1.0).sum(1))
            np.testing.assert_allclose(values(mesh, "nearest"), distances(flat).min(1), rtol=1e-5)

    def test_rims_count(self) -> None:
        mesh = self.mesh([(0, 0, 0), (1, 0, 0), (0, 2, 0)])
        bpy.ops.throng.neighbours()
        self.assertEqual(values(mesh, "neighbours").tolist(), [1, 1, 0])
        self.assertEqual(values(mesh, "nearest").tolist()[:2] + [round(float(values(mesh, "nearest")[2]))], [1, 1, 2])

    def test_a_point_alone_has_none(self) -> None:
        mesh = self.mesh([(3, 4, 5)])
        bpy.ops.throng.neighbours()
        self.assertEqual(values(mesh, "neighbours").tolist(), [0])
        self.assertEqual(values(mesh, "nearest").tolist(), [-1])


class Edges(Case):
    def test_join_all_pairs_that_are_near(self) -> None:
        points = scattered(300, 3)
        mesh = self.mesh(points)
        bpy.context.object.location = (5, 0, 0)
        bpy.context.view_layer.update()
        self.assertEqual(bpy.ops.throng.edges(), {"FINISHED"})
        onto = mesh.throng.edges
        pairs = np.empty(len(onto.edges) * 2, np.int32)
        onto.edges.foreach_get("vertices", pairs)
        pairs = pairs.reshape(-1, 2)
        want = np.argwhere(np.triu(near(points, 1.0)))
        np.testing.assert_array_equal(np.unique(np.sort(pairs), axis=0), want)
        self.assertEqual(len(pairs), len(want))
        np.testing.assert_array_equal(located(onto), points)
        far = distances(points)[pairs[:, 0], pairs[:, 1]]
        np.testing.assert_allclose(values(onto, "length"), far, rtol=1e-5)
        self.assertEqual([tuple(one.location) for one in bpy.data.objects if one.data == onto], [(5, 0, 0)])

    def test_are_made_anew_in_the_same_mesh(self) -> None:
        mesh = self.mesh([(0, 0, 0), (1, 0, 0), (0, 2, 0)])
        bpy.ops.throng.edges()
        mesh.throng.radius = 3
        bpy.ops.throng.edges()
        self.assertEqual((len(bpy.data.meshes), len(bpy.data.objects)), (2, 2))
        self.assertEqual(len(mesh.throng.edges.edges), 3)
        self.assertFalse(mesh.throng.edges.validate())

    def test_more_than_are_allowed_are_refused_and_nothing_is_made(self) -> None:
        mesh = self.mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)])
        mesh.throng.most_edges = 1
        self.refused(bpy.ops.throng.edges, "2 pairs are within 1 of each other, more than the 1 allowed")
        self.assertEqual((len(bpy.data.meshes), len(bpy.data.objects)), (1, 1))


class Refusals(Case):
    def test_are_reported_in_the_library_s_words_and_nothing_changes(self) -> None:
        points = scattered(20)
        points[7, 1] = np.nan
        mesh = self.mesh(points)
        before = mesh.attributes.keys()
        for operator in (bpy.ops.throng.density, bpy.ops.throng.neighbours, bpy.ops.throng.edges):
            self.refused(operator, "positions[7] is NaN or infinite")
        self.assertEqual(mesh.attributes.keys(), before)

    def test_of_radii(self) -> None:
        mesh = self.mesh(scattered(20))
        mesh.throng.radius = 0
        self.refused(bpy.ops.throng.density, "radius: expected more than zero, got 0.0")

    def test_of_attributes_that_are_somebody_else_s(self) -> None:
        mesh = self.mesh(scattered(20))
        mesh.attributes.new("point_density", "INT", "POINT")
        mesh.attributes.new("nearest", "FLOAT_VECTOR", "POINT")
        self.refused(bpy.ops.throng.density, 'an attribute "point_density" of another kind: INT of POINT')
        self.refused(bpy.ops.throng.neighbours, 'an attribute "nearest" of another kind: FLOAT_VECTOR of POINT')
        self.assertNotIn("neighbours", mesh.attributes)
        mesh.attributes.new("flock_start", "FLOAT_VECTOR", "EDGE")
        self.refused(bpy.ops.throng.flock_begin, "FLOAT_VECTOR of EDGE, not FLOAT_VECTOR of POINT")

    def test_of_objects_that_are_no_meshes_and_of_edit_mode(self) -> None:
        self.mesh(scattered(20))
        bpy.ops.object.mode_set(mode="EDIT")
        self.refused(bpy.ops.throng.density, "Attributes cannot be set in edit mode")
        bpy.ops.object.mode_set(mode="OBJECT")
        bpy.ops.object.camera_add()
        self.refused(bpy.ops.throng.density, "The active object is no mesh")
