"""Settings of crowds, agents, memory, files, frames, and edits of single agents."""

from __future__ import annotations

import os
import tempfile
from typing import Any, Callable

import numpy as np
from yard import INFINITE, LAID_OUT, NAN, STANDING, TOO_LARGE, case, cases, empty_yard, places, yard

import throng


KEYS = np.array([1, 2, 3], np.uint64)


def updated(positions: Any, *sizes: Any) -> None:
    yard().update(positions, *sizes)


def updated_in_world(x: float) -> None:
    yard(origin=(0, 0)).update(np.array([(1, 1), (x, 1)]))


cases(
    {
        "bounds inverted": lambda: empty_yard(bounds=((0, 17), (16, 16))),
        "bounds not finite": lambda: empty_yard(bounds=((0, 0), (NAN, 16))),
        "bounds too large": lambda: empty_yard(bounds=((0, 0), (TOO_LARGE, 16))),
        "cell zero": lambda: empty_yard(cell=(2, 0)),
        "cell negative": lambda: empty_yard(cell=(-2, 2)),
        "cell not finite": lambda: empty_yard(cell=(NAN, 2)),
        "cells too many": lambda: empty_yard(cell=1e-7),
        "cell without bounds": lambda: throng.Crowd(dim=2, cell=2),
        "period without bounds": lambda: throng.Crowd(periodic=(True, False)),
        "period zero": lambda: empty_yard(bounds=((0, 0), (0, 16)), periodic=(True, False)),
        "origin not finite": lambda: empty_yard(origin=(0, NAN)),
        "positions not finite": lambda: updated(places((1, 1), (NAN, 1))),
        "positions infinite": lambda: updated(places((1, 1), (2, 1), (9, INFINITE))),
        "positions too large": lambda: updated(places((TOO_LARGE, 1))),
        "half extents negative": lambda: updated(
            STANDING, places((0.5, 0.5), (0.5, 0.5), (-0.5, 0.5))
        ),
        "half extents not finite": lambda: updated(
            STANDING, places((0.5, 0.5), (0.5, NAN), (0.5, 0.5))
        ),
        "half extents too few": lambda: updated(STANDING, places((0.5, 0.5))),
        "common half extent negative": lambda: updated(STANDING, (0, -1)),
        "groups too few": lambda: updated(STANDING, None, np.array([1, 2], np.uint32)),
        "world positions not finite": lambda: updated_in_world(NAN),
        "world positions too far": lambda: updated_in_world(1e200),
        "statics not finite": lambda: yard().set_statics(places((1, 1), (1, NAN))),
        "reserve without cells": lambda: throng.Crowd(dim=2).reserve(10),
        "reserve too many": lambda: yard().reserve(0xFFFFFFFF),
        "images point not finite": lambda: yard().images(places((1, NAN)), STANDING),
        "images position too large": lambda: yard().images(places((1, 1)), places((1, 1), (2e18, 1))),
        "images points too few": lambda: yard().images(places((1, 1), (2, 1)), STANDING),
        "frame edit unknown": lambda: throng.PublishedCrowd(places((1, 1))).edit(
            move=(np.array([0, 5], np.uint32), places((2, 2), (2, 2)))
        ),
        "frame edit not finite": lambda: throng.PublishedCrowd(places((1, 1))).edit(
            move=(np.array([0, 0], np.uint32), places((2, 2), (1, NAN)))
        ),
        "frame not finite": lambda: throng.PublishedCrowd(places((NAN, 1))),
        "memory over the cap": lambda: throng.Crowd(
            places(*[(1, 2)] * 10_000), memory_cap=50_000, threads=1
        ),
    }
)


def loaded(spoil: Callable[[bytes], bytes]) -> None:
    """A file with what `spoil` has made of a crowd that was saved, loaded as one in the plane."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "crowd")
        with open(path, "wb") as file:
            file.write(spoil(yard().to_bytes()))
        throng.Crowd.load(path, dim=2)


LETTER = b"a letter, and no crowd at all, which is long enough to be looked at"

cases(
    {
        "file missing": lambda: throng.Crowd.load("refusals_python.no_such_file"),
        "file no index": lambda: loaded(lambda saved: (LETTER * len(saved))[: len(saved)]),
        "file of space": lambda: loaded(lambda _: throng.Crowd(dim=3).to_bytes()),
        "file cut off": lambda: loaded(lambda saved: saved[:-5]),
        "file altered": lambda: loaded(lambda saved: saved[:-1] + bytes([saved[-1] ^ 1])),
    }
)


def ids(*values: int) -> Any:
    return np.array(values, np.uint32)


GOOD = (5.0, 5.0)


def inserted(id: int, place: Any = (1, 1), *kept: Any) -> None:
    """One good insertion, and the one that is refused."""
    yard().edit(insert=(ids(7, id), places(GOOD, place), *kept))


# Edits come as erasures, moves and insertions, so a good erasure comes before those that are refused.
cases(
    {
        "edit id taken": lambda: inserted(1),
        "edit id taken before": lambda: inserted(7),
        "edit erases nobody": lambda: yard().edit(erase=ids(0, 77)),
        "edit moves nobody": lambda: yard().edit(erase=ids(0), move=(ids(77), places((1, 1)))),
        "edit not finite": lambda: yard().edit(erase=ids(1), move=(ids(0), places((1, NAN)))),
        "edit id too large": lambda: inserted(throng.FIRST_STATIC - 1),
    }
)


@case("edit groups not kept")
def _() -> None:
    crowd = yard()
    crowd.edit(erase=ids(0), insert=(ids(5), places((1, 1)), None, ids(3)))


@case("edit groups missing")
def _() -> None:
    crowd = empty_yard()
    crowd.update(STANDING, None, ids(1, 1, 1))
    crowd.edit(erase=ids(0), insert=(ids(5), places((1, 1))))


@case("edit half extent negative")
def _() -> None:
    crowd = empty_yard()
    crowd.update(STANDING, places((0.5, 0.5), (0.5, 0.5), (0.5, 0.5)))
    crowd.edit(erase=ids(0), insert=(ids(5), places((1, 1)), places((0.5, -0.5))))


def named(**settings: Any) -> Any:
    """A yard whose three agents have these handles."""
    crowd = empty_yard(**settings)
    return crowd, crowd.add_many(STANDING)


def with_a_foreign_one() -> Any:
    """The same, but the second handle is another crowd's."""
    crowd, handles = named()
    handles = handles.copy()
    handles[1] = named()[1][1]
    return crowd, handles


cases(
    {
        "name twice": lambda: yard().update(STANDING, names=ids(0, 1, 1)),
        "names too few": lambda: yard().update(STANDING, names=ids(0, 1)),
        "name positions not finite": lambda: yard().update(
            places((1, 1), (NAN, 1)), names=ids(0, 1)
        ),
        "name of nobody": lambda: yard().move_many(ids(0, 77, 1), STANDING),
        "names moved not finite": lambda: yard().move_many(ids(0, 1), places((1, 1), (NAN, 1))),
        "names moved too few": lambda: yard().move_many(ids(0, 1), STANDING),
        "name too large": lambda: yard().update(STANDING, names=ids(0, throng.FIRST_STATIC, 1)),
    }
)


@case("handle updated stale")
def _() -> None:
    crowd, handles = named()
    crowd.remove(handles[1:2])
    crowd.update(STANDING[:2], names=handles[:2])


@case("handle updated foreign")
def _() -> None:
    crowd, handles = with_a_foreign_one()
    crowd.update(STANDING, names=handles)


@case("handle moved stale")
def _() -> None:
    crowd, handles = named()
    crowd.remove(handles[1:2])
    crowd.move_many(handles, STANDING)


@case("handle moved foreign")
def _() -> None:
    crowd, handles = with_a_foreign_one()
    crowd.move_many(handles, STANDING)


@case("handle moved not finite")
def _() -> None:
    crowd, handles = named()
    crowd.move_many(handles[:2], places((1, 1), (NAN, 1)))


@case("handle named twice")
def _() -> None:
    crowd, handles = named()
    crowd.update(STANDING, names=handles[[0, 1, 0]])


@case("handles too few")
def _() -> None:
    crowd, handles = named()
    crowd.update(STANDING[:2], names=handles[:2])


@case("handle stale")
def _() -> None:
    crowd, handles = named()
    crowd.remove(handles[1:2])
    crowd.remove(handles)


@case("keys too few")
def _() -> None:
    crowd, handles = named()
    crowd.set_keys(handles, KEYS[:2])


@case("key of an agent that is gone")
def _() -> None:
    crowd, handles = named()
    crowd.remove(handles[1:2])
    crowd.set_keys(handles, KEYS)


@case("handle twice")
def _() -> None:
    crowd, handles = named()
    crowd.remove(handles[[0, 1, 0]])


@case("handle foreign")
def _() -> None:
    crowd, handles = with_a_foreign_one()
    crowd.remove(handles)


cases(
    {
        "handle where ids are": lambda: yard().remove(named()[1]),
        "handle moved where ids are": lambda: yard().move(throng.Handle(*named()[1][0]), GOOD),
        "added where ids are": lambda: yard().add(GOOD),
        "id where handles are": lambda: named()[0].edit(erase=ids(0)),
        "id erased where handles are": lambda: named()[0].erase(0),
        "id inserted where handles are": lambda: named()[0].insert(7, GOOD),
        "id moved where handles are": lambda: named()[0].move(0, GOOD),
        "id moved in doubles where handles are": lambda: named(origin=(0, 0))[0].move(0, GOOD),
        "slots too few": lambda: named()[0].update(STANDING[:2]),
        "keys added too few": lambda: empty_yard().add_many(STANDING, keys=KEYS[:2]),
        "added not finite": lambda: empty_yard().add_many(places((1, 1), (NAN, 1))),
    }
)
