"""How crowds are made, changed and described; files; refusals."""

from __future__ import annotations

import copy
import os
import pickle
import tempfile
from typing import Any

import numpy as np
from support import TestCase, assert_same, lattice, over_boxes

import throng


class Making(TestCase):
    def test_dim_follows_from_what_is_given(self) -> None:
        plane, space = np.zeros((1, 2), np.float32), np.zeros((1, 3), np.float32)
        self.assertEqual(throng.Crowd(plane).dim, 2)
        self.assertEqual(throng.Crowd(space).dim, 3)
        self.assertEqual(throng.Crowd(tuple(space.T)).dim, 3)
        self.assertEqual(throng.Crowd(memoryview(space)).dim, 3)
        self.assertEqual(throng.Crowd(bounds=((0, 0), (1, 1))).dim, 2)
        self.assertEqual(throng.Crowd(origin=(1, 2, 3)).dim, 3)
        self.assertEqual(throng.Crowd(dim=3).dim, 3)
        self.assert_refused(ValueError, ["dim:"], throng.Crowd)
        self.assert_refused(ValueError, ["dim:", "4"], throng.Crowd, dim=4)
        self.assert_refused(ValueError, ["dim:", "4"], throng.Crowd, np.zeros((1, 4), np.float32))
        self.assert_refused(ValueError, ["(1, 3)", "(n, 2)"], throng.Crowd, space, dim=2)
        self.assert_refused(ValueError, ["positions:"], throng.Crowd, None, 1.0, dim=2)

    def test_settings(self) -> None:
        crowd = throng.Crowd(
            bounds=((0, -1), (10, 20)), cell=2, periodic=(True, False), origin=(1e9, 0)
        )
        settings = crowd.settings
        self.assertEqual(settings.bounds, ((0, -1), (10, 20)))
        self.assertEqual(settings.cell, (2, 2))
        self.assertEqual(settings.origin, (1e9, 0))
        self.assertEqual(settings.periodic, (True, False))
        self.assertEqual(throng.Crowd(bounds=np.array([(0, 0), (1, 2)]), cell=(1, 2)).stats().cells, (1, 1))
        make = throng.Crowd
        self.assertEqual(
            make(bounds=((0, 0), (9, 9)), periodic=np.True_).settings.periodic, (True, True)
        )
        self.assert_refused(throng.Error, ["bounds are missing"], make, dim=2, periodic=True)
        self.assert_refused(throng.Error, ["bounds"], make, bounds=((1, 0), (0, 0)))
        self.assert_refused(throng.Error, ["bounds are missing"], make, dim=2, cell=2)
        self.assert_refused(throng.Error, ["cell"], make, bounds=((0, 0), (1, 1)), cell=0)
        self.assert_refused(ValueError, ["bounds:"], make, dim=2, bounds=((0, 0), (1, 1), (2, 2)))
        self.assert_refused(ValueError, ["bounds:", "2 numbers"], make, dim=2, bounds=((0,), (1,)))
        self.assert_refused(ValueError, ["cell:"], make, bounds=((0, 0), (1, 1)), cell="1")
        self.assert_refused(ValueError, ["origin:"], make, dim=2, origin=(0, 0, 0))
        self.assert_refused(TypeError, ["memory_cap:"], make, dim=2, memory_cap="1")
        self.assert_refused(ValueError, ["memory_cap:", "-1"], make, dim=2, memory_cap=-1)
        for bad in (5, (0, 1), np.array(3)):
            self.assert_refused(TypeError, ["bounds:"], make, bounds=bad)
        for bad in ("abc", ((0, 0),)):
            self.assert_refused(ValueError, ["bounds:"], make, bounds=bad)
        for made in (make, throng.PublishedCrowd):
            self.assert_refused(ValueError, ["threads:", "-1"], made, dim=2, threads=-1)
            self.assert_refused(TypeError, ["threads:", "str"], made, dim=2, threads="4")
            self.assert_refused(TypeError, ["threads:"], made, dim=2, threads=None)
            self.assert_refused(ValueError, ["executor:", "'fibers'"], made, dim=2, executor="fibers")
            self.assert_refused(TypeError, ["executor:", "int"], made, dim=2, executor=1)
            self.assert_refused(
                ValueError, ["threads:", "2"], made, dim=2, threads=2, executor="serial"
            )
        for dim in ("2", 2.0):
            self.assert_refused(ValueError, ["dim:", repr(dim)], make, dim=dim)
        self.assert_refused(TypeError, ["positions:", "dict"], make, {1.0: 2.0})
        self.assert_refused(ValueError, ["positions:", "(4,)"], make, np.zeros(4, np.float32))
        crowd = make(dim=2)
        with self.assertRaisesRegex(TypeError, "threads: .*float"):
            crowd.threads = 1.5  # type: ignore[assignment]

    def test_what_it_says_of_itself(self) -> None:
        crowd = throng.Crowd(lattice(100, 2), 0.5, threads=2)
        crowd.set_statics(lattice(5, 2))
        text = repr(crowd)
        for word in ("throng.Crowd", "2D", "100 agents", "5 statics", "cells of", "2 threads"):
            self.assertIn(word, text)
        self.assertEqual(len(crowd), 100)
        self.assertTrue(throng.Crowd(dim=2))
        for id in (0, 99, np.uint32(7), np.int64(7)):
            self.assertIn(id, crowd)
        for id in (100, -1, 1 << 40, "7", None, 7.5):
            self.assertNotIn(id, crowd)
        self.assertRegex(throng.__version__, r"^\d+\.\d+\.\d+$")
        self.assertIn(throng.isa(), ("scalar", "sse2", "sse4.2", "avx2", "avx512", "neon"))
        forced = os.environ.get("THRONG_FORCE_ISA")
        self.assertTrue(forced is None or forced == throng.isa())
        memory = crowd.memory()
        self.assertEqual(memory.total, sum(memory))
        self.assertGreater(memory.nodes, 100 * 8)


class Changing(TestCase):
    def test_reserve_takes_memory_and_changes_no_answer(self) -> None:
        points = lattice(40, 2)
        crowd = throng.Crowd(points)
        lo, hi = points - 1, points + 1
        held = crowd.memory().total
        crowd.reserve(200_000)
        self.assertGreater(crowd.memory().total, held + 200_000 * 4)
        self.assertEqual(len(crowd), len(points))
        self.assert_hits(crowd.query_boxes(lo, hi), over_boxes(points, 0, lo, hi))
        crowd.reserve(5)  # fewer than there are
        self.assert_hits(crowd.query_boxes(lo, hi), over_boxes(points, 0, lo, hi))
        self.assert_refused(ValueError, ["agents"], crowd.reserve, 2**40)
        self.assert_refused(ValueError, ["agents asks for more"], crowd.reserve, 2**31)
        self.assert_refused(TypeError, ["agents"], crowd.reserve, "many")

    def test_extents(self) -> None:
        for dim in (2, 3):
            positions = lattice(200, dim)
            own = lattice(200, dim, seed=2, side=3) / 2
            axes = (0.5, 1.0, 1.5)[:dim]
            lo = lattice(50, dim, seed=3)
            hi = lo + 1
            same = np.repeat(own[:, :1], dim, 1)
            for given, half in (
                (None, 0),
                (0.5, 0.5),
                (axes, axes),
                (own, own),
                (own[:, 0], same),
                (tuple(own.T), own),
                (own[::-1][::-1], own),
            ):
                crowd = throng.Crowd(positions, given)
                self.assert_hits(crowd.query_boxes(lo, hi), over_boxes(positions, half, lo, hi))

    def test_edits(self) -> None:
        positions = lattice(20, 2)
        crowd = throng.Crowd(positions, bounds=((0, 0), (24, 24)), cell=2)
        crowd.insert(100, (3, 4))
        crowd.move(0, np.array((7, 8), np.float32))
        crowd.erase(1)
        where = {i: tuple(p) for i, p in enumerate(positions.tolist())}
        where.update({100: (3, 4), 0: (7, 8)})
        del where[1]
        ids = np.array([2, 3, 4, 5, 200, 201], np.uint32)
        places = lattice(6, 2, seed=5)
        crowd.edit(erase=ids[:2], move=(ids[2:4], places[2:4]), insert=(ids[4:], places[4:]))
        for id in ids[:2].tolist():
            del where[id]
        for id, place in zip(ids[2:].tolist(), places[2:].tolist()):
            where[id] = tuple(place)
        self.assertEqual(len(crowd), len(where))
        for id, place in where.items():
            self.assertIn(id, crowd)
            at = np.array([place], np.float32)
            self.assertIn(id, crowd.query_balls(at, 0)[0])

        def edit(**edits: Any) -> None:
            crowd.edit(**edits)

        before = crowd.to_bytes()
        error = self.assert_refused(throng.Error, [], edit, erase=np.array([4, 3], np.uint32))
        self.assertEqual((error.cause, error.argument, error.index), ("id_unknown", "edits", 1))
        self.refuse_conversions()
        self.assert_refused(TypeError, ["erase:"], edit, erase=[1, 2])
        self.assert_refused(TypeError, ["erase:"], edit, erase=3)
        self.assert_refused(TypeError, ["move:"], edit, move=ids)
        self.assert_refused(ValueError, ["move[1]:"], edit, move=(ids, places[:5]))
        self.assert_refused(TypeError, ["insert[1]:"], edit, insert=(ids, places.astype("f8")))
        self.assert_refused(TypeError, ["insert:"], edit, insert=(ids,))
        few = (ids, places, np.empty(0, np.float32))
        self.assert_refused(ValueError, ["insert[2]:"], edit, insert=few)
        self.assert_refused(TypeError, ["insert[3]:"], edit, insert=(ids, places, None, 1))
        self.assert_refused(throng.Error, ["100 is taken"], crowd.insert, 100, (0, 0))
        self.assert_refused(throng.Error, ["not in"], crowd.erase, 999)
        self.assert_refused(throng.Error, ["half_extents"], crowd.insert, 999, (0, 0), 1.0)
        self.assert_refused(ValueError, ["position:"], crowd.insert, 999, (0, 0, 0))
        self.assert_refused(TypeError, ["position:"], crowd.move, 0, "ab")
        self.assert_refused(ValueError, ["id:"], crowd.erase, -1)
        self.assertEqual(crowd.to_bytes(), before)
        crowd.clear()
        self.assertEqual(len(crowd), 0)

    def test_edits_of_crowds_that_keep_more(self) -> None:
        positions = lattice(5, 2)
        crowd = throng.Crowd(positions, lattice(5, 2, seed=2, side=2), np.ones(5, np.uint32))
        crowd.insert(5, (1, 2), 0.5, 4)
        crowd.insert(6, (1, 2), (0.5, 0.25), 4)
        ids = np.array([7, 8], np.uint32)
        crowd.edit(insert=(ids, positions[:2], positions[:2], ids))
        self.assertEqual(len(crowd), 9)
        self.assert_refused(throng.Error, ["half_extents"], crowd.insert, 9, (1, 2))
        crowd.edit(insert=(ids + 2, positions[:2], 0.5, ids))
        balls = throng.Balls(positions[:1], 100.0)
        self.assertEqual(sorted(crowd.query(balls, groups=4)[0]), [5, 6, 7, 9])

    def test_world_coordinates(self) -> None:
        origin = np.array((4.5e9, -1.2e7))
        local = lattice(100, 2)
        crowd = throng.Crowd(local.astype("f8") + origin, origin=origin.tolist())
        hits = throng.Crowd(local).query_balls(local, 3.0)
        for centres in (local, local.astype("f8") + origin, tuple((local + origin).T)):
            same = crowd.query_balls(centres, 3.0)
            assert_same(same.ids, hits.ids)
        crowd.insert(100, (4.5e9 + 3.25, -1.2e7))
        crowd.move(0, (4.5e9 + 3.25, -1.2e7))
        crowd.move(1, np.array((3.25, 0), np.float32)) # floats are local
        crowd.edit(move=(np.array([2], np.uint32), np.array([(3.25, 0)]) + origin))
        self.assertEqual(sorted(crowd.query_balls(np.array([(3.25, 0)], "f4"), 0)[0]), [0, 1, 2, 100])
        found = crowd.nearest(np.array([(3.25, 0)]) + origin, 1)
        self.assertEqual((found.ids[0, 0], found.distances2[0, 0]), (0, 0))
        self.assert_refused(
            throng.Error, [], crowd.update, np.array([(0, 0), (np.inf, 0)]), cause="not_finite", index=1
        )
        self.refuse_conversions()
        self.assert_refused(TypeError, ["float32"], crowd.query_sectors, local, 1.0, local + origin, 0.0)

    def test_images(self) -> None:
        for origin, kind in ((None, np.float32), ((1e9, 0), np.float64)):
            place = np.array(origin or (0, 0), kind)
            at = np.array([[0.5, 5], [9.5, 5], [5, 0.25], [5, 9.75], [4, 4]], kind) + place
            crowd = throng.Crowd(
                at, bounds=((0, 0), (10, 10)), cell=1, periodic=(True, False), origin=origin
            )
            pairs = crowd.pairs(within=2)
            images = crowd.images(at[pairs.first], at[pairs.second])
            self.assertEqual(images.dtype, np.int8)
            ways = at[pairs.second] + images * np.array([10, 0]) - at[pairs.first]
            self.assertTrue((np.hypot(*ways.T) <= 2).all())
            np.testing.assert_array_equal(
                crowd.images(at[:1], at), [[0, 0], [-1, 0], [0, 0], [0, 0], [0, 0]]
            )
            np.testing.assert_array_equal(crowd.images(at[1], at)[0], [1, 0])
            self.assertEqual(crowd.images(at[:0], at[:0]).shape, (0, 2))
            at[3, 1] = np.nan
            self.assert_refused(throng.Error, ["positions[3] is NaN"], crowd.images, at[:1], at)
            self.assert_refused(throng.Error, ["points has another count"], crowd.images, at[:2], at)

    def test_periodic(self) -> None:
        positions = np.array([(0.5, 5), (9.5, 5), (5, 5)], np.float32)
        crowd = throng.Crowd(positions, bounds=((0, 0), (10, 10)), cell=1, periodic=True)
        self.assertEqual([ids.tolist() for ids in crowd.neighbours(1)], [[1], [0], []])
        self.assertEqual(crowd.nearest_neighbours(1).ids[:, 0].tolist(), [1, 0, 0])

    def test_memory_cap(self) -> None:
        crowd = throng.Crowd(lattice(100, 2), dim=2, memory_cap=1_000_000)
        before = crowd.to_bytes()
        error = self.assert_refused(MemoryError, ["cap"], crowd.update, lattice(100_000, 2))
        self.assertIsInstance(error, throng.MemoryCapError)
        self.assertIsInstance(error, throng.Error)
        self.assertEqual(error.cause, "over_memory")
        self.assertEqual(crowd.to_bytes(), before)
        crowd.update(lattice(200, 2))
        self.assertEqual(len(crowd), 200)


class Refusals(TestCase):
    def test_values(self) -> None:
        good = lattice(20, 2)
        crowd = throng.Crowd(good)
        before = crowd.to_bytes()
        for value, cause in ((np.nan, "not_finite"), (-np.inf, "not_finite"), (2e18, "too_large")):
            bad = good.copy()
            bad[17, 1] = value
            for name, call, more in (
                ("positions", crowd.update, ()),
                ("statics", crowd.set_statics, ()),
                ("ball", crowd.query_balls, (1.0,)),
            ):
                self.assert_refused(
                    throng.Error, [name + "[17]"], call, bad, *more, cause=cause, argument=name, index=17
                )
            self.assert_refused(throng.Error, ["points[17]"], crowd.nearest, bad)
        half = np.ones(20, np.float32)
        half[3] = -1
        self.assert_refused(throng.Error, ["half_extents[3]"], crowd.update, good, half, cause="negative")
        self.assert_refused(throng.Error, ["half_extents"], crowd.update, good, -1.0)
        self.assert_refused(throng.Error, ["radius"], crowd.neighbours, -1.0)
        self.assert_refused(throng.Error, ["radius"], crowd.neighbours, 1e300)
        self.assert_refused(throng.Error, ["k is"], crowd.nearest, good, throng.MOST_NEAREST + 1)
        still = np.zeros_like(good)
        self.assert_refused(throng.Error, ["direction"], crowd.query_rays, good, still)
        self.assert_refused(throng.Error, ["cosine"], crowd.query_sectors, good, 1.0, good + 1, 2.0)
        bent = np.array([[(0, 0), (4, 0), (1, 1), (0, 4)]], np.float32)
        flat = np.array([[(0, 0), (4, 0), (4, 4), (0, 4)]], np.float32)
        both = np.concatenate((flat, bent))
        self.assert_refused(throng.Error, ["corners"], crowd.query_polygons, both, cause="not_convex", index=1)
        self.assertEqual(crowd.to_bytes(), before)

    def test_errors_as_objects(self) -> None:
        error = self.assert_refused(throng.Error, [], throng.Crowd(dim=2).erase, 7)
        self.assertIsInstance(error, ValueError)
        self.assertEqual((error.argument, error.index), ("id", 7))
        same = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(same), same.cause, same.index), (str(error), error.cause, 7))
        self.assertEqual(throng.Error("words").cause, "")

    def test_causes_have_the_library_s_names(self) -> None:
        header = os.path.join(os.path.dirname(__file__), "../../engine/core/status.hpp")
        with open(header, encoding="utf-8") as file:
            text = file.read()
        body = text[text.index("enum class Cause") :]
        body = body[body.index("{") + 1 : body.index("};")]
        names = [line.split(",")[0].strip() for line in body.splitlines() if "," in line.split("//")[0]]
        self.assertEqual(tuple(names), throng._native.CAUSES)


class Files(TestCase):
    def test_round_trips(self) -> None:
        for dim in (2, 3):
            positions = lattice(100, dim)
            crowd = throng.Crowd(positions, 0.5, threads=2)
            crowd.set_statics(lattice(9, dim), 1.0)
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "crowd.throng")
                crowd.save(path)
                loaded = [throng.Crowd.load(path), throng.Crowd.load(path, dim=dim, threads=2)]
            loaded.append(throng.Crowd.from_bytes(crowd.to_bytes()))
            loaded.append(pickle.loads(pickle.dumps(crowd)))
            loaded.append(copy.copy(crowd))
            loaded.append(copy.deepcopy(crowd))
            for same in loaded:
                self.assertEqual((same.dim, len(same), same.stats()), (dim, 100, crowd.stats()))
                self.assertEqual(same.to_bytes(), crowd.to_bytes())
            every = throng.Crowd(dim=2).threads
            self.assertEqual([c.threads for c in loaded], [every, 2, every, 2, 2, 2])
            loaded[-1].erase(0)
            self.assertIn(0, crowd)

    def test_copies_keep_what_a_file_does_not(self) -> None:
        self.refuse_conversions()
        positions = lattice(100, 2)
        for origin in ((0, 0), (1e9, 0), None):
            crowd = throng.Crowd(positions, origin=origin, memory_cap=1_000_000)
            same = pickle.loads(pickle.dumps(crowd))
            self.assert_refused(throng.MemoryCapError, [], same.update, lattice(100_000, 2))
            if origin is None:
                self.assert_refused(TypeError, ["float64"], same.update, positions.astype("f8"))
            else:
                for each in (same, crowd):
                    each.update(positions + np.array(origin, "f8"))
                self.assertEqual(same.to_bytes(), crowd.to_bytes())
        loaded = throng.Crowd.from_bytes(crowd.to_bytes(), memory_cap=1_000_000)
        self.assert_refused(MemoryError, [], loaded.update, lattice(100_000, 2))

    def test_what_holds_bytes(self) -> None:
        data = throng.Crowd(lattice(100, 3)).to_bytes()
        for held in (bytearray(data), memoryview(data), np.frombuffer(data, np.uint8)):
            self.assertEqual(throng.Crowd.from_bytes(held).to_bytes(), data)

    def test_paths(self) -> None:
        crowd = throng.Crowd(lattice(100, 2))
        with tempfile.TemporaryDirectory() as folder:
            for name in (b"plain", b"\xff\xfe no text", "schön".encode()):
                encoded = os.path.join(os.fsencode(folder), name)
                for path in (encoded, os.fsdecode(encoded)):
                    crowd.save(path)
                    self.assertEqual(len(throng.Crowd.load(path)), 100)
            there = os.listdir(folder)
            self.assertEqual(len(there), 3)
            cut = os.path.join(folder, "a\0b")
            self.assert_refused(ValueError, ["path:", "null"], crowd.save, cut)
            self.assert_refused(ValueError, ["path:", "null"], throng.Crowd.load, cut)
            self.assertEqual(sorted(os.listdir(folder)), sorted(there))

    def test_refused(self) -> None:
        crowd = throng.Crowd(lattice(100, 2))
        error = self.assert_refused(OSError, ["file"], crowd.save, "/nowhere/at/all")
        self.assertIsInstance(error, throng.FileError)
        self.assertEqual((error.cause, error.argument), ("io_failed", "file"))
        self.assert_refused(throng.FileError, [], throng.Crowd.load, "/nowhere/at/all")
        data = crowd.to_bytes()
        load = throng.Crowd.from_bytes
        for bad, cause in (
            (data[:-1], "truncated"),
            (data + b"x", "truncated"),
            (b"", "truncated"),
            (b"x" * 100, "not_an_index"),
            (data[:99] + bytes([data[99] ^ 1]) + data[100:], "corrupted"),
        ):
            error = self.assert_refused(throng.Error, [], load, bad)
            self.assertIn(error.cause, (cause, "corrupted", "not_an_index"))
        self.assert_refused(throng.Error, [], load, data, dim=3, cause="other_version")
