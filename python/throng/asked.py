"""The questions that crowds and snapshots answer."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal, Optional, Tuple, Union, overload

import numpy as np
import numpy.typing as npt

from throng._native import ALL_GROUPS, LARGEST, NO_ID
from throng.answers import Hits, Meetings, NearestHits, NeighbourHits, Pairs, PathHits, as_array
from throng.drawing import Drawable
from throng.reductions import Body, Reduces
from throng.sets import PairSets, Sets
from throng.shapes import AsksByShape, Balls, Each, Paths, Points, Sectors, Shapes, Values, kind_of
from throng.values import Explanation, Memory, Settings, Stats

if TYPE_CHECKING:
    from throng._native import Asked2, Asked3, Block
    from throng.obstacles import Obstacles

#: "ids": answer k is that of agent k, empty for ids without an agent. "storage": answer k is that of the
#: k-th agent of order(), which is the fastest.
Order = Literal["ids", "storage"]
HitsOut = Tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]
PairsOut = Tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]


def _by_id(order: str) -> bool:
    if order not in ("ids", "storage"):
        raise ValueError(f"order: expected 'ids' or 'storage', got {order!r}")
    return order == "ids"


def path_bytes(path: Union[str, os.PathLike[str]]) -> bytes:
    """A path in the system's encoding. A null character is refused: the system would stop there."""
    encoded = os.fsencode(path)
    if b"\0" in encoded:
        raise ValueError(f"path: has a null character in it: {path!r}")
    return encoded


def _two(out: Any, names: str) -> Tuple[Any, Any]:
    if not isinstance(out, tuple) or len(out) != 2:
        raise TypeError(f"out: expected a tuple of two arrays, {names}")
    return out[0], out[1]


def _nearest_hits(ids: Block, distances2: Block, counts: Block) -> NearestHits:
    return NearestHits(
        as_array(ids, np.uint32), as_array(distances2, np.float32), as_array(counts, np.uint32)
    )


def as_after(after: Optional[Tuple[float, int]]) -> Optional[Tuple[float, int]]:
    if after is not None and (not isinstance(after, tuple) or len(after) != 2):
        raise TypeError("after: expected a tuple of a squared distance and an id")
    return after


def as_band(
    band: Optional[Tuple[float, float]], up: Optional[int], dim: int
) -> Optional[Tuple[int, float, float]]:
    """What band and up come to: the axis, below and above."""
    if band is None:
        if up is not None:
            raise TypeError("up: has no meaning without a band")
        return None
    if not isinstance(band, tuple) or len(band) != 2:
        raise TypeError("band: expected a tuple of two lengths, below and above")
    return (dim - 1 if up is None else up, *band)


class Asked(AsksByShape, Reduces, Drawable):
    """An index that can be asked: a Crowd, or a Snapshot of a PublishedCrowd.

    Any number of threads may ask at once; the GIL is released meanwhile.

    groups is a mask: agents that are in none of its groups are not found. without is the id of an agent
    that is not found. Queries, counts and the like also take arrays with one of these for each question.
    sets says which of small agents, giants and statics are searched.

    Positions in float32 are relative to the crowd's origin; in a crowd that was given one, positions in
    float64 are world coordinates.
    """

    __slots__ = ("_native",)

    _native: Union[Asked2, Asked3]

    @property
    def dim(self) -> int:
        """2 or 3."""
        raise NotImplementedError

    # Shapes

    @overload
    def query(
        self,
        shapes: Shapes,
        *,
        groups: Each = ...,
        without: Each = ...,
        sets: Sets = ...,
        out: None = ...,
    ) -> Hits: ...
    @overload
    def query(
        self,
        shapes: Shapes,
        *,
        groups: Each = ...,
        without: Each = ...,
        sets: Sets = ...,
        out: HitsOut,
    ) -> int: ...
    def query(
        self,
        shapes: Shapes,
        *,
        groups: Each = ALL_GROUPS,
        without: Each = NO_ID,
        sets: Sets = Sets.ALL,
        out: Optional[HitsOut] = None,
    ) -> Union[Hits, int]:
        """The agents that each shape finds.

        Small agents come first in an answer, in the order of the grid, then giants, then statics: the
        same on every machine and with any number of threads.

        out is a tuple of contiguous arrays (offsets, ids), uint64 and uint32, with room for one offset
        more than there are shapes. Then the number of ids is returned. If ids is too short, a ValueError is
        raised, and the offsets say how long it must be. If ids is longer than the answers, up to 16
        elements behind the last answer may be overwritten too.
        """
        kind = kind_of(shapes, "shapes", self.dim)
        if out is None:
            offsets, ids = self._native.query(kind, tuple(shapes), groups, without, sets)
            return Hits(as_array(offsets, np.uint64), as_array(ids, np.uint32))
        return self._native.query_into(
            kind, tuple(shapes), groups, without, sets, *_two(out, "offsets and ids")
        )

    def count(
        self,
        shapes: Shapes,
        *,
        groups: Each = ALL_GROUPS,
        without: Each = NO_ID,
        sets: Sets = Sets.ALL,
        out: Optional[npt.NDArray[np.uint32]] = None,
    ) -> npt.NDArray[np.uint32]:
        """The number of agents that each shape finds. out is uint32 and contiguous."""
        kind = kind_of(shapes, "shapes", self.dim)
        counts = self._native.count(kind, tuple(shapes), groups, without, sets, out)
        return as_array(counts, np.uint32) if out is None else out

    def any(
        self,
        shapes: Shapes,
        *,
        groups: Each = ALL_GROUPS,
        without: Each = NO_ID,
        sets: Sets = Sets.ALL,
        out: Optional[npt.NDArray[np.bool_]] = None,
    ) -> npt.NDArray[np.bool_]:
        """Whether each shape finds any agent. out is bool and contiguous."""
        kind = kind_of(shapes, "shapes", self.dim)
        flags = self._native.any(kind, tuple(shapes), groups, without, sets, out)
        return as_array(flags, np.bool_) if out is None else out

    def first(
        self,
        paths: Paths,
        *,
        groups: Each = ALL_GROUPS,
        without: Each = NO_ID,
        sets: Sets = Sets.ALL,
    ) -> PathHits:
        """The first hit of each path, and its time; of several hits at that time the smallest id."""
        kind = kind_of(paths, "paths", self.dim)
        ids, times = self._native.first(kind, tuple(paths), groups, without, sets)
        return PathHits(as_array(ids, np.uint32), as_array(times, np.float32))

    def meetings(
        self,
        paths: Paths,
        *,
        groups: Each = ALL_GROUPS,
        without: Each = NO_ID,
        sets: Sets = Sets.ALL,
    ) -> Meetings:
        """All agents that each path hits, with their times, by time, then by id."""
        kind = kind_of(paths, "paths", self.dim)
        offsets, ids, times = self._native.meetings(kind, tuple(paths), groups, without, sets)
        return Meetings(
            as_array(offsets, np.uint64), as_array(ids, np.uint32), as_array(times, np.float32)
        )

    def explain(
        self,
        shapes: Shapes,
        *,
        groups: int = ALL_GROUPS,
        without: int = NO_ID,
        sets: Sets = Sets.ALL,
    ) -> Explanation:
        """What counting the hits of one shape costs, and by which way the planner does it."""
        kind = kind_of(shapes, "shapes", self.dim)
        return Explanation(**self._native.explain(kind, tuple(shapes), groups, without, sets))

    def _query_shapes(self, shapes: Shapes, groups: Each, without: Each, sets: Sets) -> Hits:
        return self.query(shapes, groups=groups, without=without, sets=sets)

    # All agents

    @overload
    def neighbours(
        self,
        radius: float,
        *,
        with_self: bool = ...,
        groups: int = ...,
        later_only: bool = ...,
        body: Body = ...,
        order: Order = ...,
        sets: Sets = ...,
        out: None = ...,
    ) -> Hits: ...
    @overload
    def neighbours(
        self,
        radius: float,
        *,
        with_self: bool = ...,
        groups: int = ...,
        later_only: bool = ...,
        body: Body = ...,
        order: Order = ...,
        sets: Sets = ...,
        out: HitsOut,
    ) -> int: ...
    @overload
    def neighbours(
        self,
        radius: float,
        *,
        with_self: bool = ...,
        groups: int = ...,
        later_only: bool = ...,
        body: Body = ...,
        order: Order = ...,
        sets: Sets = ...,
        distances: bool = ...,
        vectors: bool = ...,
    ) -> NeighbourHits: ...
    def neighbours(
        self,
        radius: float,
        *,
        with_self: bool = False,
        groups: int = ALL_GROUPS,
        later_only: bool = False,
        body: Body = "centre",
        order: Order = "ids",
        sets: Sets = Sets.ALL,
        out: Optional[HitsOut] = None,
        distances: bool = False,
        vectors: bool = False,
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
        how = (radius, with_self, groups, later_only, body, _by_id(order), sets)
        if distances or vectors:
            if out is not None:
                raise ValueError("out: not together with distances or vectors")
            offsets, ids, far, ways = self._native.measured_neighbours(*how, distances, vectors)
            return NeighbourHits(
                as_array(offsets, np.uint64),
                as_array(ids, np.uint32),
                as_array(far, np.float32) if distances else None,
                as_array(ways, np.float32) if vectors else None,
            )
        if out is None:
            offsets, ids = self._native.neighbours(*how)
            return Hits(as_array(offsets, np.uint64), as_array(ids, np.uint32))
        return self._native.neighbours_into(*how, *_two(out, "offsets and ids"))

    def count_neighbours(
        self,
        radius: float,
        *,
        with_self: bool = False,
        groups: int = ALL_GROUPS,
        later_only: bool = False,
        body: Body = "centre",
        order: Order = "ids",
        sets: Sets = Sets.ALL,
        out: Optional[npt.NDArray[np.uint32]] = None,
    ) -> npt.NDArray[np.uint32]:
        """The number of agents that neighbours() finds for each agent. out is uint32 and contiguous."""
        counts = self._native.count_neighbours(
            radius, with_self, groups, later_only, body, _by_id(order), sets, out
        )
        return as_array(counts, np.uint32) if out is None else out

    def query_in_sight(
        self,
        obstacles: Obstacles,
        shapes: Union[Balls, Sectors],
        *,
        groups: Each = ALL_GROUPS,
        without: Each = NO_ID,
        sets: Sets = Sets.ALL,
        hiding: int = ALL_GROUPS,
    ) -> Hits:
        """The agents in each ball or field of view that its centre sees past the obstacles.

        An agent is hidden if an obstacle has a point in common with the segment to its centre. Only
        obstacles in the groups `hiding` hide anything. Their coordinates are relative to the crowd's
        origin. Periodic crowds are refused.
        """
        kind = kind_of(shapes, "shapes", self.dim)
        past = self._past(obstacles)
        offsets, ids = self._native.query_in_sight(
            past, hiding, kind, tuple(shapes), groups, without, sets
        )
        return Hits(as_array(offsets, np.uint64), as_array(ids, np.uint32))

    def count_in_sight(
        self,
        obstacles: Obstacles,
        shapes: Union[Balls, Sectors],
        *,
        groups: Each = ALL_GROUPS,
        without: Each = NO_ID,
        sets: Sets = Sets.ALL,
        hiding: int = ALL_GROUPS,
        out: Optional[npt.NDArray[np.uint32]] = None,
    ) -> npt.NDArray[np.uint32]:
        """The number of agents that query_in_sight() finds. out is uint32 and contiguous."""
        kind = kind_of(shapes, "shapes", self.dim)
        past = self._past(obstacles)
        counts = self._native.count_in_sight(
            past, hiding, kind, tuple(shapes), groups, without, sets, out
        )
        return as_array(counts, np.uint32) if out is None else out

    def neighbours_in_sight(
        self,
        obstacles: Obstacles,
        radius: float,
        *,
        with_self: bool = False,
        groups: int = ALL_GROUPS,
        later_only: bool = False,
        body: Body = "centre",
        order: Order = "ids",
        sets: Sets = Sets.ALL,
        hiding: int = ALL_GROUPS,
    ) -> Hits:
        """neighbours() without those that obstacles hide from the agent: see query_in_sight(). Of two
        agents both see each other, or neither does."""
        how = (radius, with_self, groups, later_only, body, _by_id(order), sets)
        offsets, ids = self._native.neighbours_in_sight(self._past(obstacles), hiding, *how)
        return Hits(as_array(offsets, np.uint64), as_array(ids, np.uint32))

    def count_neighbours_in_sight(
        self,
        obstacles: Obstacles,
        radius: float,
        *,
        with_self: bool = False,
        groups: int = ALL_GROUPS,
        later_only: bool = False,
        body: Body = "centre",
        order: Order = "ids",
        sets: Sets = Sets.ALL,
        hiding: int = ALL_GROUPS,
        out: Optional[npt.NDArray[np.uint32]] = None,
    ) -> npt.NDArray[np.uint32]:
        """The number of agents that neighbours_in_sight() finds. out is uint32 and contiguous."""
        how = (radius, with_self, groups, later_only, body, _by_id(order), sets)
        counts = self._native.count_neighbours_in_sight(self._past(obstacles), hiding, *how, out)
        return as_array(counts, np.uint32) if out is None else out

    def _past(self, obstacles: Obstacles) -> Any:
        if not isinstance(getattr(obstacles, "dim", None), int):
            raise TypeError(f"obstacles: expected Obstacles, got {type(obstacles).__name__}")
        if obstacles.dim != self.dim:
            raise ValueError(f"obstacles: expected {self.dim} dimensions, got {obstacles.dim}")
        return obstacles._native

    def nearest(
        self,
        points: Points,
        k: int = 1,
        *,
        radius: float = LARGEST,
        least: float = 0.0,
        band: Optional[Tuple[float, float]] = None,
        up: Optional[int] = None,
        after: Optional[Tuple[float, int]] = None,
        body: Body = "centre",
        groups: int = ALL_GROUPS,
        without: int = NO_ID,
        sets: Sets = Sets.ALL,
    ) -> NearestHits:
        """The k agents whose centres are nearest to each point, of those within the radius.

        They come by distance, and at equal distances by id. k is at most MOST_NEAREST. Agents
        nearer than `least` are left out. A `band` says how much lower and higher than the point
        they may be, on the axis `up`: 1 or 2 for y or z, the last axis if nothing is said. With
        `after`, the squared distance and the id of one of the nearest, only those that come after
        it are found: the next page. A `body` of "box" or "disc" makes the distance that to agents'
        nearest points, zero within them: a disc's radius is the half extent on x.
        """
        found = self._native.nearest(
            points,
            k,
            radius,
            least,
            as_band(band, up, self.dim),
            as_after(after),
            body,
            groups,
            without,
            sets,
        )
        return _nearest_hits(*found)

    def nearest_neighbours(
        self,
        k: int = 1,
        *,
        radius: float = LARGEST,
        least: float = 0.0,
        band: Optional[Tuple[float, float]] = None,
        up: Optional[int] = None,
        with_self: bool = False,
        groups: int = ALL_GROUPS,
        body: Body = "centre",
        order: Order = "ids",
        sets: Sets = Sets.ALL,
    ) -> NearestHits:
        """The k nearest to each agent; `least`, `band` and `up` are those of nearest().

        A `body` of "box" or "disc" makes the distance the one between both agents' bodies, as for
        neighbours().
        """
        found = self._native.nearest_neighbours(
            k, radius, least, as_band(band, up, self.dim), with_self, groups, body, _by_id(order), sets
        )
        return _nearest_hits(*found)

    @overload
    def pairs(
        self,
        sets: PairSets = ...,
        *,
        within: Optional[float] = ...,
        body: Optional[Body] = ...,
        groups: int = ...,
        out: None = ...,
    ) -> Pairs: ...
    @overload
    def pairs(
        self,
        sets: PairSets = ...,
        *,
        within: Optional[float] = ...,
        body: Optional[Body] = ...,
        groups: int = ...,
        out: PairsOut,
    ) -> int: ...
    def pairs(
        self,
        sets: PairSets = PairSets.AGENTS,
        *,
        within: Optional[float] = None,
        body: Optional[Body] = None,
        groups: int = ALL_GROUPS,
        out: Optional[PairsOut] = None,
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
        if out is None:
            first, second = self._native.pairs(sets, groups, within, body)
            return Pairs(as_array(first, np.uint32), as_array(second, np.uint32))
        return self._native.pairs_into(
            sets, groups, within, body, *_two(out, "first and second")
        )

    def count_pairs(
        self,
        sets: PairSets = PairSets.AGENTS,
        *,
        within: Optional[float] = None,
        body: Optional[Body] = None,
        groups: int = ALL_GROUPS,
    ) -> int:
        """The number of pairs() that there are."""
        return self._native.count_pairs(sets, groups, within, body)

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

    @property
    def settings(self) -> Settings:
        """How its world is laid out."""
        return Settings(**self._native.settings())

    def memory(self) -> Memory:
        """Bytes of heap, part by part."""
        return Memory(**self._native.memory())

    @property
    def threads(self) -> int:
        """The most threads that work on a call."""
        return self._native.threads()

    @property
    def executor(self) -> str:
        """What its threads belong to: "tbb", "pool", or with one thread "serial"."""
        return self._native.executor()

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the whole index for Crowd.load(): to a file beside the path, which is then renamed."""
        self._native.save(path_bytes(path))

    def to_bytes(self) -> bytes:
        """The same in memory, for Crowd.from_bytes()."""
        return self._native.to_bytes()

    def __len__(self) -> int:
        """The number of agents; statics do not count."""
        return self._native.size()

    def __contains__(self, id: object) -> bool:
        """Whether an agent, or a static, has this id."""
        if not isinstance(id, (int, np.integer)):
            return False
        return 0 <= int(id) < NO_ID and self._native.contains(int(id))

    def __bool__(self) -> bool:
        """True, also for an empty crowd."""
        return True
