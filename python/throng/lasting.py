"""Neighbour lists that are kept while agents move little: Verlet lists."""

from __future__ import annotations

import threading
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from throng.answers import Hits, as_array
from throng.crowd import Crowd, HalfExtents, Ids
from throng.keywords import Lists, Unpack, joined, takes
from throng.native import native_class
from throng.shapes import Points


class LastingNeighbours:
    """The neighbours of every agent over many frames.

    Lists are made with a skin around the radius, and kept while no agent has moved farther than half of
    it. As long as they last, a frame costs a look at every position, and neither an update of the crowd
    nor a search. Whatever else changes the crowd ends the lists.

    All crowds must have the dimension of the first one. Calls of several threads wait for each other.
    Arrays that are returned are copies, and stay as they are.
    """

    __slots__ = ("_dim", "_first", "_native", "_settings")

    _dim: Optional[int]
    _first: threading.Lock
    _native: Any
    _settings: Any

    @takes(Lists)
    def __init__(self, radius: float, skin: float, **lists: Unpack[Lists]) -> None:
        """What Crowd.neighbours() takes, and the skin. Zero: new lists whenever an agent has moved.

        With later_only each agent finds only those that come after it in order(), and statics.
        """
        self._settings = (joined(lists, radius=radius), skin)
        native_class("Lasting", 2)(*self._settings)  # refuses what makes no sense
        self._dim = None
        self._first = threading.Lock()  # whose update is the first
        self._native = None

    def update(
        self,
        crowd: Crowd,
        positions: Points,
        half_extents: HalfExtents = None,
        groups: Optional[Ids] = None,
    ) -> None:
        """The next frame, with the arguments of Crowd.update(). Keeps the lists if they hold for these
        agents; else updates the crowd, and makes new lists. If it fails the lists are as they were."""
        agents = (crowd._native, positions, half_extents, groups)
        if self._native is None:
            with self._first:
                if self._native is None:
                    native = native_class("Lasting", crowd.dim)(*self._settings)
                    native.update(*agents)
                    self._dim, self._native = crowd.dim, native
                    return
        if crowd.dim != self._dim:
            raise ValueError(f"crowd: expected one of {self._dim} dimensions, got {crowd.dim}")
        self._native.update(*agents)

    def neighbours(self, positions: Points) -> Hits:
        """The agents within the radius now: hits[k] for order()[k]. Takes the positions of the last
        update(), or others for which the lists hold too."""
        return Hits.of(self._made().neighbours(positions))

    def candidates(self) -> Hits:
        """For order()[k] all agents that are within the radius of it now, and some that are farther."""
        return Hits.of(self._made().candidates())

    def order(self) -> npt.NDArray[np.uint32]:
        """The agents in the order of the lists: crowd.order() when they were made."""
        return as_array(self._made().order(), np.uint32)

    @property
    def made(self) -> int:
        """How often lists were made."""
        return int(self._frames()[0])

    @property
    def lasted(self) -> int:
        """How many frames have kept the lists; zero in the frame that made them."""
        return int(self._frames()[1])

    @property
    def moved(self) -> float:
        """The farthest that any agent has been, in these frames, from where it was."""
        return float(self._frames()[2])

    def _frames(self) -> Any:
        return (0, 0, 0.0) if self._native is None else self._native.frames()

    def memory(self) -> int:
        """Bytes of lists and scratch."""
        return 0 if self._native is None else int(self._native.memory())

    def release(self) -> None:
        """Gives all memory back, the lists included."""
        if self._native is not None:
            self._native.release()

    def _made(self) -> Any:
        if self._native is None:
            raise ValueError("there are no lists yet: update() makes them")
        return self._native

    def __repr__(self) -> str:
        dim = "" if self._dim is None else f"{self._dim}D, "
        return f"<throng.LastingNeighbours: {dim}made {self.made} times>"
