"""Obstacles, what is asked of them, sight past them, and the structures beside crowds."""

from __future__ import annotations

from typing import Any

import numpy as np
from yard import NAN, STANDING, cases, empty_yard, numbers, places, yard

import throng
from throng import Balls, Boxes, MovingBoxes, Obstacles, OrientedBoxes, Rays, Triangles, Walls
from throng.family import BruteForce, DoubleGrid, LooseTree, NestedIndex, TightQuadtree

ZERO = (0, 0)


def boxes() -> Obstacles:
    """Two boxes, with ids 0 and 1."""
    return Obstacles(Boxes(places((3, 3), (6, 6)), places((4, 4), (7, 7))))


def set_box(lo: Any, hi: Any) -> None:
    boxes().set(Boxes(places((3, 3), lo), places((4, 4), hi)))


ONE_BOX = Boxes(places((3, 3)), places((4, 4)))
BENT = OrientedBoxes(places(ZERO), np.array([[(1, 0), (1, 1)]], np.float32))

cases(
    {
        "obstacle box inverted": lambda: set_box((1, 5), (2, 4)),
        "obstacle box not finite": lambda: set_box((1, NAN), (2, 4)),
        "obstacle box turned and bent": lambda: boxes().set(BENT),
        "obstacle wall thickness negative": lambda: boxes().set(
            Walls(places(ZERO, ZERO), places((1, 0), (1, 0)), numbers(1, -1))
        ),
        "obstacle triangle not finite": lambda: Obstacles(dim=3).set(
            Triangles(np.array([[(0, 0, 0), (1, 0, 0), (0, NAN, 0)]], np.float32))
        ),
        "obstacle groups too few": lambda: boxes().set(
            Boxes(places((3, 3), (6, 6)), places((4, 4), (7, 7))), groups=np.array([1], np.uint32)
        ),
        "obstacle wider than its world": lambda: Obstacles(
            Boxes(places(ZERO), places((17, 1))), bounds=(ZERO, (16, 16)), periodic=(True, False)
        ),
        "obstacles period zero": lambda: boxes().configure(
            bounds=(ZERO, (0, 16)), periodic=(True, False)
        ),
        "obstacle id taken": lambda: boxes().insert(1, ONE_BOX),
        "obstacle id too large": lambda: boxes().insert(throng.NO_ID, ONE_BOX),
        "obstacle wall not finite": lambda: boxes().insert(
            5, Walls(places((NAN, 0)), places((1, 0)), 1)
        ),
        "obstacle replaces nothing": lambda: boxes().replace(5, ONE_BOX),
        "obstacle erases nothing": lambda: boxes().erase(5),
        "obstacle file missing": lambda: throng.Obstacles.load("refusals_python.no_such_file"),
        "obstacles nearest within negative": lambda: boxes().nearest(STANDING, within=-1),
        "obstacles nearest not finite": lambda: boxes().nearest(places(ZERO, (0, NAN))),
        "obstacles first without direction": lambda: boxes().first(
            Rays(places(ZERO, ZERO), places((1, 0), ZERO), 1)
        ),
        "obstacles moving box inverted": lambda: boxes().first(
            MovingBoxes(places((1, 0)), places((0, 1)), places((1, 1)))
        ),
        "obstacles sight not finite": lambda: boxes().sight(
            places(ZERO, ZERO), places((1, 1), (NAN, 1))
        ),
        "obstacles within negative": lambda: boxes().within(Balls(places(ZERO), -1)),
        "obstacles within each negative": lambda: boxes().within_each(
            Balls(places(ZERO, ZERO), numbers(1, -1))
        ),
        "obstacles overlaps not finite": lambda: boxes().overlaps(
            Boxes(places(ZERO), places((NAN, 1)))
        ),
        "sight in a periodic world": lambda: empty_yard(periodic=True).neighbours_in_sight(
            boxes(), 1
        ),
        "sight radius negative": lambda: yard().neighbours_in_sight(boxes(), -1),
        "sight ball negative": lambda: yard().query_in_sight(
            boxes(), Balls(places(ZERO, ZERO), numbers(1, -1))
        ),
    }
)

WRONG = places((1, 1), (NAN, 1))
cases(
    {
        "brute force not finite": lambda: BruteForce(WRONG),
        "double grid not finite": lambda: DoubleGrid(WRONG),
        "loose tree not finite": lambda: LooseTree(WRONG),
        "nested quadtree not finite": lambda: NestedIndex(WRONG),
        "tight quadtree not finite": lambda: TightQuadtree(WRONG),
        "double grid cell zero": lambda: DoubleGrid(bounds=(ZERO, (16, 16)), cell=(2, 0)),
        "nested quadtree bounds inverted": lambda: NestedIndex(bounds=((0, 17), (16, 16))),
        "tight quadtree bounds not finite": lambda: TightQuadtree(
            bounds=((0, NAN), (16, 16))
        ),
        "tree id taken": lambda: LooseTree(STANDING).insert(1, (1, 1)),
        "tree erases nobody": lambda: LooseTree(STANDING).erase(77),
        "tree moves to nowhere": lambda: LooseTree(STANDING).move(1, (1, NAN)),
        "tree ball negative": lambda: LooseTree(STANDING).count(Balls(places(ZERO), -1)),
    }
)
