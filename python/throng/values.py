"""What a crowd says about itself."""

from __future__ import annotations

from typing import NamedTuple, Optional, Tuple

Numbers = Tuple[float, ...]


class Stats(NamedTuple):
    """Numbers of agents, giants and statics, and the cells of the grid."""

    agents: int
    giants: int  #: agents that are too large for the grid
    statics: int
    id_bound: int  #: greater than the ids of all agents
    cells: Tuple[int, ...]  #: on each axis; zeros before the first update
    cell: Numbers  #: their size


class CellStats(NamedTuple):
    """How well the cells of a crowd suit its agents: docs/fit.md."""

    rows: int  #: of the grid
    cells: int
    used_rows: int  #: those that have agents
    used_cells: int
    agents: int  #: in the grid: all but giants
    outside: int  #: agents of the grid beyond its cells: they are in border cells
    company: float  #: how many others an agent has in its cell, on average
    company_afresh: float  #: the same in cells fitted to these agents now


class Settings(NamedTuple):
    """How a crowd's world is laid out."""

    bounds: Optional[Tuple[Numbers, Numbers]]  #: None: chosen at the first update
    cell: Optional[Numbers]
    origin: Numbers
    periodic: Tuple[bool, ...]
    refits: bool


class Memory(NamedTuple):
    """Bytes of heap, part by part."""

    nodes: int  #: positions and ids, and extents and masks where kept
    tables: int  #: where each cell starts
    rows: int
    marks: int
    ids: int  #: where each id is stored
    staging: int  #: kept for the next update
    scratch: int  #: kept for the next questions
    answers: int  #: arrays of answers that came back, kept for the next

    @property
    def total(self) -> int:
        """The sum of all parts."""
        return sum(self)


class Explanation(NamedTuple):
    """What counting the hits of a shape costs, and by which way the planner does it: docs/planner.md."""

    path: str  #: "none", "rows", "tiles" or "all"
    rows: int  #: rows of small agents that were searched
    tested: int  #: small agents tested one by one
    copied: int  #: small agents taken without a test
    small: int  #: hits among small agents
    giants: int
    statics: int
    predicted_nanoseconds: float  #: of the path
    #: why that path: "no_search", "only_way", "skips_rows" or "holds_all"
    reason: str
    #: of each path, or None where it is not possible
    predicted_rows: Optional[float]
    predicted_tiles: Optional[float]
    predicted_all: Optional[float]
    #: whether any() would best ask giants and statics before small agents
    large_first: bool

    @property
    def hits(self) -> int:
        """The number of agents that it finds."""
        return self.small + self.giants + self.statics
