"""The questions that crowds and snapshots answer."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Optional, Tuple, Union, overload

import numpy as np
import numpy.typing as npt

from throng.answers import Hits, Meetings, NearestHits, NeighbourHits, Pairs, PathHits, as_array
from throng.drawing import Drawable
from throng.keywords import Around, AroundInSight, Body, Explained, InSight, Leaving, Nearest
from throng.keywords import NearestNeighbours, Order, Pairing, Unpack, joined, takes
from throng.native import Named
from throng.reductions import Reduces
from throng.sets import PairSets
from throng.shapes import AsksByShape, Balls, Paths, Points, Sectors, Shapes, given
from throng.values import CellStats, Explanation, Memory, Settings, Stats

if TYPE_CHECKING:
    from throng._native import Asked2, Asked3
    from throng.obstacles import Obstacles

__all__ = ["Asked", "Body", "Order"]

HitsOut = Tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]
PairsOut = Tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]


def path_bytes(path: Union[str, os.PathLike[str]]) -> bytes:
    """A path in the system's encoding. A null character is refused: the system would stop there."""
    encoded = os.fsencode(path)
    if b"\0" in encoded:
        raise ValueError(f"path: has a null character in it: {path!r}")
    return encoded


def _two(out: Any, names: str) -> Any:
    """None, or a pair of arrays."""
    if out is not None and (not isinstance(out, tuple) or len(out) != 2):
        raise TypeError(f"out: expected a tuple of two arrays, {names}")
    return out


def checked(nearest: Any, dim: int) -> Any:
    """What nearest() takes; of band and up comes the axis, below and above."""
    band, up, after = nearest["band"], nearest.pop("up"), nearest.get("after")
    if band is None:
        if up is not None:
            raise TypeError("up: has no meaning without a band")
    elif not isinstance(band, tuple) or len(band) != 2:
        raise TypeError("band: expected a tuple of two lengths, below and above")
    else:
        nearest["band"] = (dim - 1 if up is None else up, *band)
    if after is not None and (not isinstance(after, tuple) or len(after) != 2):
        raise TypeError("after: expected a tuple of a squared distance and an id")
    return nearest


class Asked(Named, AsksByShape, Reduces, Drawable):
    """An index that can be asked: a Crowd, or a Snapshot of a PublishedCrowd.

    Any number of threads may ask at once; the GIL is released meanwhile.

    groups is a mask: agents that are in none of its groups are not found. without is the id of an agent
    that is not found. Queries, counts and the like also take arrays with one of these for each question.
    sets says which of small agents, giants and statics are searched.

    Positions in float32 are relative to the crowd's origin; in a crowd that was given one, positions in
    float64 are world coordinates.
    """

    __slots__ = ()

    _native: Union[Asked2, Asked3]

    # Shapes

    @overload
    def query(self, shapes: Shapes, *, out: None = ..., **leaving: Unpack[Leaving]) -> Hits: ...
    @overload
    def query(self, shapes: Shapes, *, out: HitsOut, **leaving: Unpack[Leaving]) -> int: ...
    @takes(Leaving)
    def query(
        self, shapes: Shapes, *, out: Optional[HitsOut] = None, **leaving: Unpack[Leaving]
    ) -> Union[Hits, int]:
        """The agents that each shape finds.

        Small agents come first in an answer, in the order of the grid, then giants, then statics: the
        same on every machine and with any number of threads.

        out is a tuple of contiguous arrays (offsets, ids), uint64 and uint32, with room for one offset
        more than there are shapes. Then the number of ids is returned. If ids is too short, a ValueError is
        raised, and the offsets say how long it must be. If ids is longer than the answers, up to 16
        elements behind the last answer may be overwritten too.
        """
        to = _two(out, "offsets and ids")
        found = self._native.query(given(shapes, "shapes", self.dim), leaving, to, None)
        return Hits.of(found) if out is None else int(found)

    @takes(Leaving)
    def count(
        self,
        shapes: Shapes,
        *,
        out: Optional[npt.NDArray[np.uint32]] = None,
        **leaving: Unpack[Leaving],
    ) -> npt.NDArray[np.uint32]:
        """The number of agents that each shape finds. out is uint32 and contiguous."""
        counts = self._native.count(given(shapes, "shapes", self.dim), leaving, out, None)
        return as_array(counts, np.uint32) if out is None else out

    @takes(Leaving)
    def any(
        self,
        shapes: Shapes,
        *,
        out: Optional[npt.NDArray[np.bool_]] = None,
        **leaving: Unpack[Leaving],
    ) -> npt.NDArray[np.bool_]:
        """Whether each shape finds any agent. out is bool and contiguous."""
        flags = self._native.any(given(shapes, "shapes", self.dim), leaving, out)
        return as_array(flags, np.bool_) if out is None else out

    @takes(Leaving)
    def first(self, paths: Paths, **leaving: Unpack[Leaving]) -> PathHits:
        """The first hit of each path, and its time; of several hits at that time the smallest id."""
        ids, times = self._native.first(given(paths, "paths", self.dim), leaving)
        return PathHits(as_array(ids, np.uint32), as_array(times, np.float32))

    @takes(Leaving)
    def meetings(self, paths: Paths, **leaving: Unpack[Leaving]) -> Meetings:
        """All agents that each path hits, with their times, by time, then by id."""
        return Meetings.of(self._native.meetings(given(paths, "paths", self.dim), leaving))

    @takes(Explained)
    def explain(self, shapes: Shapes, **leaving: Unpack[Explained]) -> Explanation:
        """What counting the hits of one shape costs, and by which way the planner does it."""
        return Explanation(**self._native.explain(given(shapes, "shapes", self.dim), leaving))

    def _query_shapes(self, shapes: Shapes, leaving: Leaving) -> Hits:
        return self.query(shapes, **leaving)

    # All agents

    @overload
    def neighbours(self, radius: float, *, out: None = ..., **around: Unpack[Around]) -> Hits: ...
    @overload
    def neighbours(self, radius: float, *, out: HitsOut, **around: Unpack[Around]) -> int: ...
    @overload
    def neighbours(
        self, radius: float, *, distances: bool = ..., vectors: bool = ..., **around: Unpack[Around]
    ) -> NeighbourHits: ...
    @takes(Around)
    def neighbours(
        self,
        radius: float,
        *,
        out: Optional[HitsOut] = None,
        distances: bool = False,
        vectors: bool = False,
        **around: Unpack[Around],
    ) -> Union[Hits, int]:
        """The agents within the radius of each agent, the rim included.

        body says what all of them are: "centre", "box", or "disc", whose radius is the half extent
        on x. With box or disc the distance is that between the two bodies.

        With later_only each agent finds only those that come after it in order(), and statics: of
        each two agents only one finds the other. For order see Order above, for out see query().

        With `distances` or `vectors` the hits are NeighbourHits, which have the distance between the two
        centres, or the vector from the agent to its neighbour, for each id; in periodic worlds of the
        image that is nearest.
        """
        how = joined(around, radius=radius)
        if distances or vectors:
            if out is not None:
                raise ValueError("out: not together with distances or vectors")
            offsets, ids, far, ways = self._native.measured_neighbours(how, distances, vectors)
            return NeighbourHits(
                as_array(offsets, np.uint64),
                as_array(ids, np.uint32),
                as_array(far, np.float32) if distances else None,
                as_array(ways, np.float32) if vectors else None,
            )
        found = self._native.neighbours(how, _two(out, "offsets and ids"), None)
        return Hits.of(found) if out is None else int(found)

    @takes(Around)
    def count_neighbours(
        self,
        radius: float,
        *,
        out: Optional[npt.NDArray[np.uint32]] = None,
        **around: Unpack[Around],
    ) -> npt.NDArray[np.uint32]:
        """The number of agents that neighbours() finds for each agent. out is uint32 and contiguous."""
        counts = self._native.count_neighbours(joined(around, radius=radius), out, None)
        return as_array(counts, np.uint32) if out is None else out

    @takes(InSight)
    def query_in_sight(
        self, obstacles: Obstacles, shapes: Union[Balls, Sectors], **leaving: Unpack[InSight]
    ) -> Hits:
        """The agents in each ball or field of view that its centre sees past the obstacles.

        An agent is hidden if an obstacle has a point in common with the segment to its centre. Only
        obstacles in the groups `hiding` hide anything. Their coordinates are relative to the crowd's
        origin. Periodic crowds are refused.
        """
        asked = given(shapes, "shapes", self.dim)
        return Hits.of(self._native.query(asked, leaving, None, self._past(obstacles)))

    @takes(InSight)
    def count_in_sight(
        self,
        obstacles: Obstacles,
        shapes: Union[Balls, Sectors],
        *,
        out: Optional[npt.NDArray[np.uint32]] = None,
        **leaving: Unpack[InSight],
    ) -> npt.NDArray[np.uint32]:
        """The number of agents that query_in_sight() finds. out is uint32 and contiguous."""
        asked = given(shapes, "shapes", self.dim)
        counts = self._native.count(asked, leaving, out, self._past(obstacles))
        return as_array(counts, np.uint32) if out is None else out

    @takes(AroundInSight)
    def neighbours_in_sight(
        self, obstacles: Obstacles, radius: float, **around: Unpack[AroundInSight]
    ) -> Hits:
        """neighbours() without those that obstacles hide from the agent: see query_in_sight(). Of two
        agents both see each other, or neither does."""
        how = joined(around, radius=radius)
        return Hits.of(self._native.neighbours(how, None, self._past(obstacles)))

    @takes(AroundInSight)
    def count_neighbours_in_sight(
        self,
        obstacles: Obstacles,
        radius: float,
        *,
        out: Optional[npt.NDArray[np.uint32]] = None,
        **around: Unpack[AroundInSight],
    ) -> npt.NDArray[np.uint32]:
        """The number of agents that neighbours_in_sight() finds. out is uint32 and contiguous."""
        how = joined(around, radius=radius)
        counts = self._native.count_neighbours(how, out, self._past(obstacles))
        return as_array(counts, np.uint32) if out is None else out

    def _past(self, obstacles: Obstacles) -> Any:
        if not isinstance(getattr(obstacles, "dim", None), int):
            raise TypeError(f"obstacles: expected Obstacles, got {type(obstacles).__name__}")
        if obstacles.dim != self.dim:
            raise ValueError(f"obstacles: expected {self.dim} dimensions, got {obstacles.dim}")
        return obstacles._native

    @takes(Nearest)
    def nearest(self, points: Points, k: int = 1, **nearest: Unpack[Nearest]) -> NearestHits:
        """The k agents whose centres are nearest to each point, of those within the radius.

        They come by distance, and at equal distances by id. k is at most MOST_NEAREST. Agents
        nearer than `least` are left out. A `band` says how much lower and higher than the point
        they may be, on the axis `up`: 1 or 2 for y or z, the last axis if nothing is said. With
        `after`, the squared distance and the id of one of the nearest, only those that come after
        it are found: the next page. A `body` of "box" or "disc" makes the distance that to agents'
        nearest points, zero within them: a disc's radius is the half extent on x.
        """
        how = checked(joined(nearest, k=k), self.dim)
        return NearestHits.of(self._native.nearest(points, how))

    @takes(NearestNeighbours)
    def nearest_neighbours(self, k: int = 1, **nearest: Unpack[NearestNeighbours]) -> NearestHits:
        """The k nearest to each agent; `least`, `band` and `up` are those of nearest().

        A `body` of "box" or "disc" makes the distance the one between both agents' bodies, as for
        neighbours().
        """
        how = checked(joined(nearest, k=k), self.dim)
        return NearestHits.of(self._native.nearest_neighbours(how))

    @overload
    def pairs(
        self, sets: PairSets = ..., *, out: None = ..., **pairing: Unpack[Pairing]
    ) -> Pairs: ...
    @overload
    def pairs(self, sets: PairSets = ..., *, out: PairsOut, **pairing: Unpack[Pairing]) -> int: ...
    @takes(Pairing)
    def pairs(
        self,
        sets: PairSets = PairSets.AGENTS,
        *,
        out: Optional[PairsOut] = None,
        **pairing: Unpack[Pairing],
    ) -> Union[Pairs, int]:
        """All pairs whose boxes overlap, or with body="disc" whose discs do, each once; agents in
        none of the groups are left out.

        With within, all pairs that are at most that far apart, each once: in a pair the agent that
        comes first in order() comes first. body is then as for neighbours(), and "centre" if nothing
        is said. Of pairs that overlap, in a pair across two sets the small agent comes first and the
        static last; in a pair of giants the smaller id comes first.
        out is a tuple of contiguous uint32 arrays (first, second). Then the number of pairs is
        returned; if the arrays are too short, a ValueError is raised.
        """
        found = self._native.pairs(joined(pairing, sets=sets), _two(out, "first and second"))
        return Pairs.of(found) if out is None else int(found)

    @takes(Pairing)
    def count_pairs(
        self, sets: PairSets = PairSets.AGENTS, **pairing: Unpack[Pairing]
    ) -> int:
        """The number of pairs() that there are."""
        return self._native.count_pairs(joined(pairing, sets=sets))

    def images(self, points: Points, positions: Points) -> npt.NDArray[np.int8]:
        """Through which borders of a periodic world agents see what they have found.

            at = positions
            pairs = crowd.pairs(within=2)
            images = crowd.images(at[pairs.first], at[pairs.second])
            ways = at[pairs.second] + images * period - at[pairs.first]  # to the nearest image

        Row i is how an agent at points[i] sees one at positions[i]: -1, 0 or 1 for each axis. Moved by
        so many periods, that one is where it is nearest to the point, and there it was found. A single
        point sees all. Both are as in update(), of one type; those from outside the world are first
        taken into it.
        """
        given = self._native.images(points, positions)
        return np.frombuffer(given, np.int8).reshape(-1, self.dim)

    # About itself

    def order(self) -> npt.NDArray[np.uint32]:
        """The ids of all agents in storage order, which answers have with order="storage"."""
        return as_array(self._native.order(), np.uint32)

    def is_giant(self, id: int) -> bool:
        """Whether that agent is too large for the grid."""
        return self._native.is_giant(id)

    def stats(self) -> Stats:
        """Its numbers of agents, giants and statics, and the cells of its grid."""
        return Stats(**self._native.stats())

    def cell_stats(self) -> CellStats:
        """How well its cells suit its agents. Takes as long as a first update."""
        return CellStats(**self._native.cell_stats())

    @property
    def settings(self) -> Settings:
        """How its world is laid out."""
        return Settings(**self._native.settings())

    def memory(self) -> Memory:
        """Bytes of heap, part by part."""
        return Memory(**self._native.memory())

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the whole index for Crowd.load(): to a file beside the path, which is then renamed."""
        self._native.save(path_bytes(path))

    def to_bytes(self) -> bytes:
        """The same in memory, for Crowd.from_bytes()."""
        return self._native.to_bytes()

    def __bool__(self) -> bool:
        """True, also for an empty crowd."""
        return True
