"""Shapes, their filters, room for answers, and questions about all agents."""

from __future__ import annotations

from typing import Any

import numpy as np
from yard import INFINITE, NAN, STANDING, TOO_LARGE, cases, empty_yard, numbers, places, yard

import throng
import throng.distributed
from throng import Balls, BodyBalls, Boxes, Capsules, Cylinders, Frusta, OrientedBoxes, Polygons
from throng import Rays, Sectors, Segments

ZERO = (0, 0)
TWO = places(ZERO, ZERO)


def balls(centre: Any, radius: float) -> None:
    yard().query(Balls(places(ZERO, centre), numbers(0, radius)))


def boxes(lo: Any, hi: Any) -> None:
    yard().query(Boxes(places(ZERO, lo), places(ZERO, hi)))


def rays(origin: Any, direction: Any, length: float) -> None:
    yard().query(Rays(places(ZERO, origin), places((1, 0), direction), numbers(1, length)))


def sectors(radius: float, direction: Any, cosine: float) -> None:
    shapes = Sectors(TWO, numbers(1, radius), places((1, 0), direction), numbers(0, cosine))
    yard().query(shapes)


def cylinders(radius: float, low: float) -> None:
    yard().query(Cylinders(TWO, numbers(1, radius), numbers(0, low), numbers(1, 1), 1))


def edges(x: float) -> Any:
    square = [(1, 0), (0, 1)]
    return np.array([square, [(x, 0), (0, 1)]], np.float32)


def polygon(*corners: Any) -> None:
    yard().query(Polygons(np.array([corners], np.float32)))


SQUARE = [(0, 0, 0), (0, 1, 0), (0, 1, 1), (0, 0, 1)]
THREE_BALLS = Balls(places((1, 1), (9, 9), (5, 5)), 1)

cases(
    {
        "ball radius negative": lambda: balls(ZERO, -1),
        "ball radius not finite": lambda: balls(ZERO, NAN),
        "ball centre not finite": lambda: balls((0, INFINITE), 1),
        "ball too large": lambda: balls((TOO_LARGE, 0), 1),
        "box not finite": lambda: boxes(ZERO, (1, NAN)),
        "box too large": lambda: boxes((-TOO_LARGE, 0), (1, 1)),
        "segment not finite": lambda: yard().query(Segments(TWO, places(ZERO, (NAN, 1)))),
        "ray without direction": lambda: rays(ZERO, ZERO, 1),
        "ray length negative": lambda: rays(ZERO, (1, 0), -1),
        "ray origin not finite": lambda: rays((NAN, 0), (1, 0), 1),
        "capsule radius negative": lambda: yard().query(
            Capsules(TWO, places(ZERO, (1, 1)), numbers(1, -1))
        ),
        "sector cosine": lambda: sectors(1, (1, 0), 1.5),
        "sector without direction": lambda: sectors(1, ZERO, 0),
        "sector radius negative": lambda: sectors(-1, (1, 0), 0),
        "oriented box not finite": lambda: yard().query(OrientedBoxes(TWO, edges(NAN))),
        "cylinder upright on z": lambda: yard().query(Cylinders(places(ZERO), 1, 0, 1, 2)),
        "cylinder radius negative": lambda: cylinders(-1, 0),
        "cylinder low not finite": lambda: cylinders(1, NAN),
        "body ball radius negative": lambda: yard().query(BodyBalls(TWO, numbers(1, -1), "box")),
        "body ball without body": lambda: yard().query(BodyBalls(TWO, 1, "ghost")),
        "polygon not convex": lambda: polygon((0, 0), (4, 0), (1, 1), (0, 4)),
        "polygon too many corners": lambda: polygon(*[ZERO] * 9),
        "polygon not finite": lambda: polygon((NAN, 0), (4, 0), (0, 4)),
        "frustum flat": lambda: throng.Crowd(dim=3).query(
            Frusta(np.array([SQUARE + SQUARE], np.float32))
        ),
        "filters too few": lambda: yard().query(THREE_BALLS, groups=np.array([1, 1], np.uint32)),
        "shapes unknown": lambda: yard().query(TWO),
        "shapes no paths": lambda: yard().first(THREE_BALLS),
        "one question of three": lambda: yard().explain(THREE_BALLS),
        "one ball negative": lambda: yard().explain(Balls(places(ZERO), -1)),
        "ray around a periodic world": lambda: empty_yard(periodic=(True, False)).explain(
            Rays(places(ZERO), places((1, 0)), 1e18)
        ),
        "counts too short": lambda: yard().count(THREE_BALLS, out=np.zeros(2, np.uint32)),
        "offsets too short": lambda: yard().query(
            THREE_BALLS, out=(np.zeros(3, np.uint64), np.zeros(9, np.uint32))
        ),
    }
)


def lasting(radius: float, skin: float) -> None:
    throng.LastingNeighbours(radius, skin)


def listed(*points: Any) -> None:
    """Lists with a radius and a skin of 1 for the agents of the yard, and then of these."""
    lists = throng.LastingNeighbours(1, 1)
    lists.update(yard(), STANDING)
    lists.neighbours(places(*points))


cases(
    {
        "neighbours radius negative": lambda: yard().neighbours(-1),
        "neighbours radius not finite": lambda: yard().neighbours(NAN),
        "neighbours radius too large": lambda: yard().neighbours(TOO_LARGE),
        "neighbours without body": lambda: yard().neighbours(1, body="ghost"),
        "neighbour counts too short": lambda: yard().count_neighbours(
            1, out=np.zeros(2, np.uint32)
        ),
        "nearest k too many": lambda: yard().nearest(STANDING, 1025),
        "nearest radius negative": lambda: yard().nearest(STANDING, radius=-1),
        "nearest radius not finite": lambda: yard().nearest(STANDING, radius=NAN),
        "nearest least negative": lambda: yard().nearest(STANDING, least=-1),
        "nearest band not finite": lambda: yard().nearest(STANDING, band=(NAN, 1)),
        "nearest band on z": lambda: yard().nearest(STANDING, band=(1, 1), up=2),
        "nearest after not finite": lambda: yard().nearest(STANDING, after=(NAN, 0)),
        "nearest points not finite": lambda: yard().nearest(places(ZERO, (NAN, 0))),
        "nearest points too large": lambda: yard().nearest(places(ZERO, (0, TOO_LARGE))),
        "nearest neighbours radius negative": lambda: yard().nearest_neighbours(radius=-1),
        "pairs within not finite": lambda: yard().pairs(within=NAN),
        "pairs within too large": lambda: yard().pairs(within=TOO_LARGE),
        "pairs without body": lambda: yard().pairs(body="centre"),
        "contacts within not finite": lambda: throng.Contacts().update(yard(), within=NAN),
        "reach too far around": lambda: throng.distributed.Crowd(
            None, bounds=((0, 0), (16, 16)), cell=2.0, reach=8.0, periodic=(True, False)
        ),
        "lasting radius negative": lambda: lasting(-1, 1),
        "lasting radius not finite": lambda: lasting(NAN, 1),
        "lasting skin negative": lambda: lasting(1, -1),
        "lasting skin not finite": lambda: lasting(1, INFINITE),
        "lasting positions not finite": lambda: listed((1, 1), (NAN, 1), (9, 9)),
        "lasting moved too far": lambda: listed((1, 1), (2, 1), (5, 9)),
        "lasting too few": lambda: listed((1, 1), (2, 1)),
    }
)
