"""Pairs over time: which begin, which last and which end, from one frame to the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from throng import _native
from throng.answers import Answer
from throng.crowd import Crowd
from throng.keywords import Pairing, Unpack, joined, takes
from throng.native import native_class
from throng.published import Snapshot
from throng.sets import PairSets


@dataclass(slots=True, eq=False, repr=False)
class ContactFrame(Answer):
    """The pairs of a frame, and what has changed since the frame before: made by Contacts.update(). Its arrays
    stay as they are."""

    _elements = (np.uint32, np.uint32, np.uint32, np.uint32, np.uint32)

    #: Two ids a row, the smaller one first; rows ascend by the first id, then by the second.
    pairs: npt.NDArray[np.uint32]
    #: The index of each pair in the frame before; NO_CONTACT if it begins.
    previous: npt.NDArray[np.uint32]
    #: The indices of the pairs that begin.
    began: npt.NDArray[np.uint32]
    #: The pairs of the frame before that have ended.
    ended: npt.NDArray[np.uint32]
    #: The index of each of these in the frame before.
    ended_previous: npt.NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.pairs)

    def carried(self, values: npt.NDArray[Any], new: Any = 0) -> npt.NDArray[Any]:
        """Values for these pairs: those of the frame before, one a pair, and `new` for pairs that
        begin."""
        lasts = self.previous != _native.NO_CONTACT
        here = np.full((len(self),) + values.shape[1:], new, values.dtype)
        here[lasts] = values[self.previous[lasts]]
        return here

    def __repr__(self) -> str:
        return (
            f"<throng.ContactFrame: {len(self)} pairs, "
            f"{len(self.began)} began, {len(self.ended)} ended>"
        )


class Contacts:
    """Keeps the pairs of the last frame, and compares the next with them.

    Pairs last as long as both frames have the same two ids. All crowds must have the dimension of the
    first one. Calls of several threads wait for each other.
    """

    __slots__ = ("_dim", "_native")

    _dim: Optional[int]
    _native: Any

    def __init__(self) -> None:
        self._dim = None
        self._native = None

    @takes(Pairing)
    def update(
        self,
        crowd: Union[Crowd, Snapshot],
        sets: PairSets = PairSets.AGENTS,
        **pairing: Unpack[Pairing],
    ) -> ContactFrame:
        """The next frame: the pairs of crowd.pairs() with these arguments. If it fails, the next call
        compares with the same frame as this one."""
        if self._native is None:
            self._dim = crowd.dim
            self._native = native_class("Contacts", crowd.dim)()
        elif crowd.dim != self._dim:
            raise ValueError(f"crowd: expected one of {self._dim} dimensions, got {crowd.dim}")
        return ContactFrame.of(self._native.update(crowd._native, joined(pairing, sets=sets)))

    def clear(self) -> None:
        """Forgets the last frame: in the next one all pairs begin."""
        if self._native is not None:
            self._native.clear()

    def memory(self) -> int:
        """Bytes of scratch, and of the last frame."""
        return 0 if self._native is None else int(self._native.memory())

    def release(self) -> None:
        """Gives the scratch back, but not the last frame."""
        if self._native is not None:
            self._native.release()

    def __repr__(self) -> str:
        return "<throng.Contacts>" if self._dim is None else f"<throng.Contacts: {self._dim}D>"
