"""A crowd that is asked while it is updated."""

from __future__ import annotations

from typing import Any, Optional, Tuple, Union

from throng import _native
from throng.asked import Asked
from throng.crowd import HalfExtents, Ids, described, edit_parts, made
from throng.keywords import Unpack, World, takes
from throng.native import OnThreads
from throng.shapes import Points


class Snapshot(Asked):
    """A finished frame of a PublishedCrowd, which never changes. The frame lives as long as this."""

    __slots__ = ()

    _native: Union[_native.Frame2, _native.Frame3]

    def __init__(self, native: Any, dim: int) -> None:
        """Made by PublishedCrowd.acquire()."""
        self._native = native
        self._dim = dim

    @property
    def frame(self) -> int:
        """Its number: frames are counted from 1 as they are published."""
        return self._native.number()

    def __repr__(self) -> str:
        return f"<throng.Snapshot of frame {self.frame}: {described(self)}>"


class PublishedCrowd(OnThreads):
    """Readers keep and ask the last finished frame while the next is built, so they never wait.

    One thread may update, any number acquire(). The settings are those of Crowd.
    """

    __slots__ = ()

    _native: Union[_native.Published2, _native.Published3]

    @takes(World)
    def __init__(
        self,
        positions: Optional[Points] = None,
        half_extents: HalfExtents = None,
        groups: Optional[Ids] = None,
        **world: Unpack[World],
    ) -> None:
        self._dim, self._native, positions = made("Published", positions, world)
        if positions is not None:
            self.update(positions, half_extents, groups)

    def update(
        self, positions: Points, half_extents: HalfExtents = None, groups: Optional[Ids] = None
    ) -> None:
        """Builds the next frame from the arguments of Crowd.update(), and publishes it. If it fails, the
        last frame stays published."""
        self._native.update(positions, half_extents, groups)

    def edit(
        self,
        *,
        erase: Optional[Ids] = None,
        move: Optional[Tuple[Ids, Points]] = None,
        insert: Optional[Tuple[Any, ...]] = None,
    ) -> None:
        """Builds the next frame from the last one, by the edits of Crowd.edit(), and publishes it. If it
        fails, the last frame stays published."""
        self._native.edit(*edit_parts(erase, move, insert))

    def edit_statics(
        self,
        *,
        erase: Optional[Ids] = None,
        move: Optional[Tuple[Ids, Points]] = None,
        insert: Optional[Tuple[Any, ...]] = None,
    ) -> None:
        """Removes, moves and adds statics of frames to come; edits of agents are refused."""
        self._native.edit_statics(*edit_parts(erase, move, insert))

    def reserve(self, agents: int) -> None:
        """Crowd.reserve() for the frames that no reader holds, so that the first updates are as fast as
        later ones."""
        self._native.reserve(agents)

    def set_statics(
        self, positions: Points, half_extents: HalfExtents = None, groups: Optional[Ids] = None
    ) -> None:
        """Replaces all statics, from the next frame on."""
        self._native.set_statics(positions, half_extents, groups)

    def acquire(self) -> Optional[Snapshot]:
        """The last frame; None before the first. Never waits."""
        frame = self._native.acquire()
        return None if frame is None else Snapshot(frame, self._dim)

    @property
    def frames(self) -> int:
        """The number of frames in memory."""
        return self._native.frames()

    def shrink(self) -> None:
        """Frees frames that no reader holds."""
        self._native.shrink()

    def __repr__(self) -> str:
        snapshot = self.acquire()
        if snapshot is None:
            return f"<throng.PublishedCrowd: {self._dim}D, nothing published>"
        return f"<throng.PublishedCrowd: frame {snapshot.frame}, {described(snapshot)}>"
