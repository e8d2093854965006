"""The parts of a crowd that a question can be about."""

from __future__ import annotations

import enum


class Sets(enum.IntFlag):
    """What a question searches: small agents, giants and statics, in any combination."""

    SMALL = 1  #: agents that fit the grid
    GIANTS = 2  #: agents that are too large for it
    AGENTS = 3
    STATICS = 4  #: elements that seldom move
    ALL = 7


class PairSets(enum.IntFlag):
    """Which pairs of overlapping boxes are wanted, by the sets of the two."""

    SMALL_SMALL = 1
    SMALL_GIANTS = 2
    GIANTS_GIANTS = 4
    AGENTS = 7
    SMALL_STATICS = 8
    GIANTS_STATICS = 16
    STATICS = 24
    ALL = 31
