"""What a crowd says about itself."""

from __future__ import annotations

from typing import NamedTuple, Optional, Tuple

Numbers = Tuple[float, ...]


class Stats(NamedTuple):
    """Who is in a crowd, and the cells of its grid."""

    agents: int
    giants: int  #: those of the agents who are too large for the grid
    statics: int
    id_bound: int  #: all agents' ids are smaller
    cells: Tuple[int, ...]  #: on each axis; zeros before the first update
    cell: Numbers  #: their size


class Settings(NamedTuple):
    """How a crowd's world is laid out."""

    bounds: Optional[Tuple[Numbers, Numbers]]  #: None: as the first agents have it
    cell: Optional[Numbers]
    origin: Numbers
    periodic: Tuple[bool, ...]


class Memory(NamedTuple):
    """Bytes of heap, part by part."""

    nodes: int  #: positions and ids, and extents and masks where kept
    tables: int  #: where each cell starts
    rows: int
    marks: int
    ids: int  #: where every id is
    staging: int  #: kept for the next update
    scratch: int  #: kept for the next questions
    answers: int  #: arrays of answers that came back, kept for the next

    @property
    def total(self) -> int:
        """All of them together."""
        return sum(self)


class Explanation(NamedTuple):
    """What counting the hits of a shape costs, and by which way it is done: docs/planner.md."""

    path: str  #: "none", "rows", "tiles" or "everybody"
    rows: int  #: rows with small agents that were looked into
    tested: int  #: small agents tested one by one
    copied: int  #: and taken without a test
    small: int  #: hits among small agents
    giants: int
    statics: int
    predicted_nanoseconds: float

    @property
    def hits(self) -> int:
        """How many it finds."""
        return self.small + self.giants + self.statics
