"""What an index is made of, in arrays, for drawings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from throng.answers import Answer
from throng.sets import Sets

Floats = npt.NDArray[np.float32]
Words = npt.NDArray[np.uint32]


@dataclass(slots=True, eq=False, repr=False)
class Cells(Answer):
    """Cells or nodes with their boxes, the outermost before those within it.

    Of a crowd: the cells of its grid that have agents, in the order of order(), then the nodes of the tree of
    its giants.
    """

    _elements = (np.float32, np.float32, np.uint32, np.uint32)

    lo: Floats  #: of shape (n, 2) or (n, 3)
    hi: Floats
    depths: Words  #: 0: the outermost
    counts: Words  #: of the agents that a cell keeps itself, not in cells further in
    of_grid: int  #: how many cells, from the first on, are those of a crowd's grid

    def spans(self) -> npt.NDArray[np.int64]:
        """Which agents a cell of a crowd's grid has: order()[spans[c]:spans[c + 1]], and the same part of the
        arrays of agents()."""
        return np.concatenate(([0], np.cumsum(self.counts[: self.of_grid], dtype=np.int64)))

    def __len__(self) -> int:
        return len(self.counts)

    def __repr__(self) -> str:
        return f"<throng.Cells: {len(self)}>"


@dataclass(slots=True, eq=False, repr=False)
class Agents(Answer):
    """What a crowd keeps of its agents: small ones first, in the order of order(), then giants by id, then
    statics."""

    _elements = (np.uint32, np.float32, np.float32, np.uint32)

    ids: Words
    positions: Floats  #: of shape (n, 2) or (n, 3), relative to the origin, and inside periodic worlds
    half_extents: Floats  #: of the shape of positions
    groups: Words  #: ALL_GROUPS where agents have no masks

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        return f"<throng.Agents: {len(self)}>"


class Drawable:
    """What it is made of."""

    __slots__ = ()

    _native: Any

    def cells(self) -> Cells:
        """The cells of its grid that have agents, and the nodes of its giants."""
        *blocks, of_grid = self._native.cells()
        return Cells.of(blocks, of_grid)

    def agents(self, sets: Sets = Sets.ALL) -> Agents:
        """What it keeps of its agents and statics, copied: agents(Sets.GIANTS) are those too large for the
        grid."""
        return Agents.of(self._native.agents(sets))
