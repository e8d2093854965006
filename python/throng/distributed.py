"""Crowds over the processes of a job, with the answers of one process for any number of them.

    from mpi4py import MPI
    import throng.distributed as td

    crowd = td.Crowd(MPI.COMM_WORLD, bounds=world, cell=(0.5, 2.0), reach=2.0)
    share = td.Share(ids, positions, velocity=velocity)   # any part of the crowd, in any order
    for step in range(1000):
        crowd.update(share)                               # all go to their owners, and ghosts come
        near = crowd.count_neighbours(2.0)
        share.positions[: share.owned] += share["velocity"][: share.owned]

    mpirun -n 4 python3 simulation.py

Without a communicator a crowd has one rank, this process, and needs no MPI. Calls that are *collective* are
made by all ranks, in the same order: they succeed on all or on none, and raise the same error on all. Ctrl-C
does not end them, since the other ranks would wait.
"""

from __future__ import annotations

import contextlib
import functools
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple, TypeVar, Union

import numpy as np
import numpy.typing as npt

from throng import _native
from throng._native import ALL_GROUPS, LARGEST, NO_GLOBAL_ID
from throng.answers import Hits, Pairs, as_array
from throng.errors import Error
from throng.shapes import Each, Paths, Points, Shapes, kind_of

__all__ = [
    "Crowd",
    "GlobalHits",
    "Meetings",
    "NO_GLOBAL_ID",
    "NearestHits",
    "Share",
    "Stats",
    "load",
]

GlobalIds = npt.NDArray[np.uint64]

_SHARES: Dict[int, Any] = {2: _native.Share2, 3: _native.Share3}
_CROWDS: Dict[int, Any] = {2: _native.Distributed2, 3: _native.Distributed3}


class GlobalHits:
    """The agents that each question found: hits[q] are the global ids for question q."""

    __slots__ = ("ids", "offsets")

    offsets: npt.NDArray[np.uint64]  #: one more than there are questions
    ids: GlobalIds

    def __init__(self, offsets: npt.NDArray[np.uint64], ids: GlobalIds) -> None:
        self.offsets = offsets
        self.ids = ids

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, question: int) -> GlobalIds:
        question = range(len(self))[question]
        return self.ids[int(self.offsets[question]) : int(self.offsets[question + 1])]

    def __repr__(self) -> str:
        return f"<throng.distributed.GlobalHits: {len(self.ids)} ids for {len(self)} questions>"


class NearestHits:
    """The k nearest for each question, the nearest first, by global id.

    ids and distances2 have shape (questions, k). The first counts[q] slots of row q are filled; the others
    hold NO_GLOBAL_ID, infinitely far away.
    """

    __slots__ = ("counts", "distances2", "ids")

    ids: GlobalIds
    distances2: npt.NDArray[np.float32]
    counts: npt.NDArray[np.uint32]

    def __init__(self, blocks: Tuple[Any, Any, Any]) -> None:
        self.ids = as_array(blocks[0], np.uint64)
        self.distances2 = as_array(blocks[1], np.float32)
        self.counts = as_array(blocks[2], np.uint32)

    def __len__(self) -> int:
        return len(self.counts)

    def __getitem__(self, question: int) -> GlobalIds:
        return self.ids[question, : int(self.counts[question])]

    def __repr__(self) -> str:
        questions, k = self.ids.shape
        return f"<throng.distributed.NearestHits: {k} nearest for {questions} questions>"


class Meetings:
    """All agents that each path meets, by time and then by global id: path q meets ids[a:b] at times[a:b],
    where a, b = offsets[q], offsets[q + 1]."""

    __slots__ = ("ids", "offsets", "times")

    offsets: npt.NDArray[np.uint64]
    times: npt.NDArray[np.float32]
    ids: GlobalIds

    def __init__(self, offsets: Any, met: Tuple[Any, Any]) -> None:
        self.offsets = as_array(offsets, np.uint64)
        self.times = as_array(met[0], np.float32)
        self.ids = as_array(met[1], np.uint64)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, path: int) -> Tuple[npt.NDArray[np.float32], GlobalIds]:
        path = range(len(self))[path]
        part = slice(int(self.offsets[path]), int(self.offsets[path + 1]))
        return self.times[part], self.ids[part]

    def __repr__(self) -> str:
        return f"<throng.distributed.Meetings: {len(self.ids)} of {len(self)} paths>"


class Stats(NamedTuple):
    """What the latest update of this rank came to."""

    owned: int
    ghosts: int
    left: int  #: agents that went to other ranks
    came: int
    neighbours: int  #: ranks that get a message in each update
    routed: bool  #: some agents went to ranks that are no neighbours
    asked: int  #: questions of this rank since then
    answered: int  #: questions that it has answered, its own included
    imbalance: float  #: the largest work of a rank over the mean, when balance() last looked
    next_imbalance: float  #: and what the cuts of the next update make of it


class Share:
    """The agents that a rank has, in arrays by local id.

    Crowd.update() sends each agent to the rank that owns its place, and brings copies of others that are
    near: *ghosts*. Then owned agents come first, by ascending global id, and ghosts lie behind them. All
    arrays are new ones afterwards. Between updates they are yours: change what is in them, or put others
    of the same length and type in their place.
    """

    __slots__ = ("_columns", "_native", "_shapes", "groups", "half_extents", "ids", "positions")

    ids: GlobalIds  #: names of agents for all of their lives
    positions: npt.NDArray[np.float32]  #: of shape (n, 2) or (n, 3)
    half_extents: Optional[npt.NDArray[np.float32]]  #: of that shape, where agents have their own
    groups: Optional[npt.NDArray[np.uint32]]  #: where agents have masks

    def __init__(
        self,
        ids: Optional[GlobalIds],
        positions: npt.NDArray[np.float32],
        *,
        half_extents: Optional[npt.NDArray[np.float32]] = None,
        groups: Optional[npt.NDArray[np.uint32]] = None,
        with_owner: Iterable[str] = (),
        **columns: npt.NDArray[Any],
    ) -> None:
        """Each column is an array of any type without objects, with an element for each agent. It goes where
        agents and their ghosts go; those named in with_owner go with agents only, and mean nothing
        for ghosts. All ranks must have the same columns, in the same order. ids of None: Crowd.name()
        gives them out."""
        positions = np.asarray(positions)
        if positions.ndim != 2 or positions.shape[1] not in _SHARES:
            raise ValueError(f"positions: expected shape (n, 2) or (n, 3), got {positions.shape}")
        stay = set(with_owner)
        if not stay <= set(columns):
            raise ValueError(f"with_owner: no such columns: {sorted(stay - set(columns))}")
        self.ids = np.empty(0, np.uint64) if ids is None else ids
        self.positions = positions
        self.half_extents = half_extents
        self.groups = groups
        self._columns = {name: np.asarray(column) for name, column in columns.items()}
        self._shapes = {name: (array.dtype, array.shape[1:]) for name, array in self._columns.items()}
        sizes = []
        for name, (dtype, shape) in self._shapes.items():
            size = dtype.itemsize * int(np.prod(shape))
            if dtype.hasobject or size == 0:
                raise TypeError(f"{name}: expected elements of some bytes, got {dtype} of shape {shape}")
            sizes.append((size, name not in stay))
        self._native: Any = _SHARES[self.dim](
            half_extents is not None, groups is not None, tuple(sizes)
        )

    @property
    def dim(self) -> int:
        """2 or 3."""
        return int(self.positions.shape[1])

    @property
    def owned(self) -> int:
        """How many agents this rank owns since the latest update: local ids 0 ... owned - 1."""
        return int(self._native.sizes()[0])

    @property
    def ghosts(self) -> int:
        """Copies of agents that other ranks own: the next local ids."""
        return int(self._native.sizes()[1])

    @property
    def columns(self) -> Tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._columns)

    def __len__(self) -> int:
        return len(self.positions)

    def __getitem__(self, column: str) -> npt.NDArray[Any]:
        return self._columns[column]

    def __setitem__(self, column: str, values: npt.NDArray[Any]) -> None:
        dtype, shape = self._shapes[column]
        values = np.asarray(values)
        if values.dtype != dtype or values.shape[1:] != shape:
            raise TypeError(
                f"{column}: expected {dtype} of shape (n, ...) + {shape}, got {values.dtype} of shape"
                f" {values.shape}"
            )
        self._columns[column] = values

    def append(
        self,
        ids: Optional[GlobalIds],
        positions: npt.NDArray[np.float32],
        *,
        half_extents: Optional[npt.NDArray[np.float32]] = None,
        groups: Optional[npt.NDArray[np.uint32]] = None,
        **columns: npt.NDArray[Any],
    ) -> None:
        """Births, on whatever rank: they lie behind the ghosts until the next update. Takes the same arrays
        as the share has."""
        if set(columns) != set(self._columns):
            raise ValueError(f"columns: expected {sorted(self._columns)}, got {sorted(columns)}")
        if (half_extents is None) != (self.half_extents is None):
            raise ValueError("half_extents: expected as the share has them")
        if (groups is None) != (self.groups is None):
            raise ValueError("groups: expected as the share has them")
        added = {name: np.asarray(values) for name, values in columns.items()}
        for name, values in added.items():
            dtype, shape = self._shapes[name]
            if values.dtype != dtype or values.shape[1:] != shape:
                raise TypeError(f"{name}: expected {dtype} of shape (n, ...) + {shape}")
        all_ids = self.ids if ids is None else np.concatenate([self.ids, ids])
        if all_ids.dtype != np.uint64:
            raise TypeError(f"ids: expected uint64, got {np.asarray(ids).dtype}")
        positions = np.concatenate([self.positions, positions])
        if positions.dtype != np.float32:
            raise TypeError("positions: expected float32")
        if half_extents is not None and self.half_extents is not None:
            self.half_extents = np.concatenate([self.half_extents, half_extents])
        if groups is not None and self.groups is not None:
            self.groups = np.concatenate([self.groups, groups])
        self.ids, self.positions = all_ids, positions
        for name, values in added.items():
            self._columns[name] = np.concatenate([self._columns[name], values])

    def keep_only(self, kept: Union[npt.NDArray[np.uint32], npt.NDArray[np.bool_]]) -> None:
        """Deaths: removes all owned agents but these, which are ascending local ids, or one truth for each
        owned agent. Ghosts go too, and births stay."""
        kept = np.asarray(kept)
        if kept.dtype == np.bool_:
            if kept.shape != (self.owned,):
                raise ValueError(f"kept: expected shape ({self.owned},), got {kept.shape}")
            kept = np.flatnonzero(kept).astype(np.uint32)
        self._put()
        self._native.keep_only(kept)
        self._take()

    def memory(self) -> int:
        """Bytes of what the library keeps; NumPy's arrays come on top."""
        return int(self._native.memory())

    def _put(self) -> None:
        columns: List[Any] = []
        for values in self._columns.values():
            columns.append(np.ascontiguousarray(values).reshape(-1).view(np.uint8))
        lengths = {len(self.positions), *(len(values) for values in self._columns.values())}
        if len(lengths) != 1:
            raise ValueError(f"columns: expected {len(self.positions)} elements each")
        if len(self.positions) < self.owned + self.ghosts:
            raise ValueError("positions: has fewer agents than the share; keep_only() removes some")
        self._native.put(
            np.ascontiguousarray(self.ids),
            self.positions,
            self.half_extents,
            None if self.groups is None else np.ascontiguousarray(self.groups),
            tuple(columns),
        )

    def _take(self) -> None:
        ids, positions, half_extents, groups, columns = self._native.take()
        self.ids = as_array(ids, np.uint64)
        self.positions = as_array(positions, np.float32)
        if half_extents is not None:
            self.half_extents = as_array(half_extents, np.float32)
        if groups is not None:
            self.groups = as_array(groups, np.uint32)
        for (name, (dtype, shape)), column in zip(self._shapes.items(), columns):
            self._columns[name] = np.frombuffer(column, dtype).reshape((-1, *shape))

    def __repr__(self) -> str:
        return f"<throng.distributed.Share: {self.owned} owned, {self.ghosts} ghosts>"


_Call = TypeVar("_Call", bound=Callable[..., Any])


@contextlib.contextmanager
def _abstaining(abstain: Callable[[], None]) -> Iterator[None]:
    """Around a call that all ranks make: where this one was given nothing to call with, the others hear so, and
    raise an Error of the cause "ranks_differ"."""
    try:
        yield
    except Error:
        raise  # of all ranks
    except Exception:
        abstain()
        raise


def _collective(call: _Call) -> _Call:
    @functools.wraps(call)
    def together(crowd: Crowd, *args: Any, **named: Any) -> Any:
        with _abstaining(crowd._native.abstain):
            return call(crowd, *args, **named)

    return together  # type: ignore[return-value]


class Crowd:
    """A crowd over all ranks of a job.

    Owned agents find owned agents and ghosts; up to `reach` away those are all that there are. Answers are
    those of one process with the whole crowd, to the bit, for any number of ranks.
    """

    __slots__ = ("_dim", "_native", "_ranks")

    def __init__(
        self,
        comm: Any,
        *,
        bounds: Tuple[Any, Any],
        cell: Any,
        reach: float,
        half_extent: Any = 0.0,
        own_half_extents: bool = False,
        groups: bool = False,
        imbalance: float = 0.0,
        most_agents: float = 2.0,
        threads: Optional[int] = 1,
        executor: Optional[str] = None,
        patience: float = 0.0,
    ) -> None:
        """Collective. comm is a communicator of mpi4py, or None for a job of this process alone.

        bounds, cell: the cells that all ranks share. reach: how far agents ask about each other.
        half_extent: that of all agents; with own_half_extents shares have one for each. imbalance: at least 1, say
        1.1, and updates balance by themselves where work is more uneven. most_agents: in means, what balance()
        gives a rank at most. threads: of this process. patience: seconds after which a rank that waits for
        others in vain ends the job; 0: never.
        """
        self._ranks = _ranks_of(comm, patience)
        with _abstaining(lambda: _native.abstain(self._ranks)):
            self._dim = len(bounds[0])
            if self._dim not in _CROWDS:
                raise ValueError(f"bounds: expected 2 or 3 numbers each, got {self._dim}")
            self._native: Any = _CROWDS[self._dim](self._ranks, threads, executor)
            self._native.configure(
                {
                    "low": bounds[0],
                    "high": bounds[1],
                    "cell": cell,
                    "reach": reach,
                    "half_extent": half_extent,
                    "own_half_extents": own_half_extents,
                    "groups": groups,
                    "imbalance": imbalance,
                    "most_agents": most_agents,
                }
            )

    @property
    def dim(self) -> int:
        """2 or 3."""
        return self._dim

    @property
    def rank(self) -> int:
        """The number of this process in the job."""
        return int(self._ranks.rank())

    @property
    def ranks(self) -> int:
        """How many processes the job has."""
        return int(self._ranks.size())

    @_collective
    def name(self, share: Share) -> None:
        """Collective. Gives ids to the agents that have none, behind those that have: the numbers that follow
        the largest in the whole crowd."""
        self._check(share)
        share._put()
        self._native.name(share._native)
        share._take()

    @_collective
    def update(self, share: Share) -> None:
        """Collective. Everything has moved: sends each agent to its owner, wherever it was, and ghosts to all
        ranks that it is within reach of. If it fails the share is as it was."""
        self._check(share)
        share._put()
        self._native.update(share._native)
        share._take()

    @_collective
    def balance(self, work: Optional[npt.NDArray[np.uint32]] = None) -> None:
        """Collective. Cuts bricks anew, so that all ranks have about as much work: from the next update on.
        work says how much each owned agent is; by itself it is the number of its neighbours and 36."""
        self._native.balance(None if work is None else np.ascontiguousarray(work))

    @_collective
    def save(self, share: Share, folder: str) -> None:
        """Collective. Saves the agents of all ranks, births included, in a folder that all ranks see, where one
        whole checkpoint is at any time."""
        self._check(share)
        share._put()
        self._native.save(share._native, folder)

    def neighbours(
        self,
        radius: float,
        *,
        with_self: bool = False,
        groups: int = ALL_GROUPS,
        later_only: bool = False,
    ) -> Hits:
        """The neighbours of each owned agent, by local ids: hits[i] for agent i."""
        offsets, ids = self._native.neighbours(radius, with_self, groups, later_only)
        return Hits(as_array(offsets, np.uint64), as_array(ids, np.uint32))

    def count_neighbours(
        self,
        radius: float,
        *,
        with_self: bool = False,
        groups: int = ALL_GROUPS,
        later_only: bool = False,
    ) -> npt.NDArray[np.uint32]:
        """How many neighbours each owned agent has."""
        counts = self._native.count_neighbours(radius, with_self, groups, later_only)
        return as_array(counts, np.uint32)

    def pairs(self, groups: int = ALL_GROUPS) -> Pairs:
        """The pairs of agents whose boxes overlap, by local ids, if the first is owned: over all ranks each
        pair once."""
        first, second = self._native.pairs(groups)
        return Pairs(as_array(first, np.uint32), as_array(second, np.uint32))

    @_collective
    def count_pairs(self, groups: int = ALL_GROUPS) -> int:
        """Collective. The number of pairs in the whole crowd."""
        return int(self._native.count_pairs(groups))

    @_collective
    def size(self) -> int:
        """Collective. The number of agents in the whole crowd."""
        return int(self._native.size())

    @_collective
    def query(self, shapes: Shapes, *, groups: Each = ALL_GROUPS, without: Each = NO_GLOBAL_ID) -> GlobalHits:
        """Collective. The agents that each shape finds, anywhere. Each rank brings its own shapes, or none."""
        offsets, ids = self._native.query(*self._asked(shapes), groups, without)
        return GlobalHits(as_array(offsets, np.uint64), as_array(ids, np.uint64))

    @_collective
    def count(
        self, shapes: Shapes, *, groups: Each = ALL_GROUPS, without: Each = NO_GLOBAL_ID
    ) -> npt.NDArray[np.uint64]:
        """Collective. How many agents each shape finds."""
        return as_array(self._native.count(False, *self._asked(shapes), groups, without), np.uint64)

    @_collective
    def any(
        self, shapes: Shapes, *, groups: Each = ALL_GROUPS, without: Each = NO_GLOBAL_ID
    ) -> npt.NDArray[np.bool_]:
        """Collective. Whether each shape finds an agent."""
        found = self._native.count(True, *self._asked(shapes), groups, without)
        return as_array(found, np.uint64) != 0

    @_collective
    def nearest(
        self,
        points: Points,
        k: int = 1,
        *,
        radius: float = LARGEST,
        least: float = 0.0,
        band: Optional[Tuple[float, float]] = None,
        after: Optional[Tuple[float, int]] = None,
        body: str = "centre",
        groups: Each = ALL_GROUPS,
        without: Each = NO_GLOBAL_ID,
    ) -> NearestHits:
        """Collective. The k agents nearest to each point, anywhere, as those of throng.Crowd.nearest()."""
        return NearestHits(
            self._native.nearest(points, k, radius, least, band, after, body, groups, without)
        )

    @_collective
    def nearest_neighbours(
        self, k: int = 1, *, radius: float = LARGEST, groups: int = ALL_GROUPS
    ) -> NearestHits:
        """Collective. The k agents nearest to each owned agent, at any distance."""
        return NearestHits(self._native.nearest_neighbours(k, radius, groups))

    @_collective
    def first(
        self, paths: Paths, *, groups: Each = ALL_GROUPS, without: Each = NO_GLOBAL_ID
    ) -> Tuple[npt.NDArray[np.float32], GlobalIds]:
        """Collective. When each path first meets an agent, and which: infinity and NO_GLOBAL_ID where it meets
        none."""
        times, ids = self._native.first(*self._asked(paths, Paths), groups, without)
        return as_array(times, np.float32), as_array(ids, np.uint64)

    @_collective
    def meetings(
        self, paths: Paths, *, groups: Each = ALL_GROUPS, without: Each = NO_GLOBAL_ID
    ) -> Meetings:
        """Collective. All agents that each path meets."""
        return Meetings(*self._native.meetings(*self._asked(paths, Paths), groups, without))

    def owner_of(self, point: Any) -> int:
        """The rank that owns this place."""
        return int(self._native.owner_of(point))

    def brick(self) -> Tuple[Tuple[int, ...], Tuple[int, ...]]:
        """The cells of this rank: the first on each axis, and how many."""
        first, cells = self._native.brick()
        return first, cells

    def stats(self) -> Stats:
        """What the latest update of this rank came to."""
        return Stats(**self._native.stats())

    def memory(self) -> int:
        """Bytes of this rank's grid and of what updates keep; shares come on top."""
        return int(self._native.memory())

    def _check(self, share: Share) -> None:
        if share.dim != self._dim:
            raise ValueError(f"share: expected one of {self._dim} dimensions, got {share.dim}")

    def _asked(self, shapes: Shapes, only: Any = None) -> Tuple[int, Tuple[Any, ...]]:
        kind = kind_of(shapes, "shapes", self._dim)
        if only is not None and not isinstance(shapes, only.__args__):
            raise TypeError(f"paths: expected Segments, Rays or Capsules, got {type(shapes).__name__}")
        return kind, tuple(shapes)

    def __repr__(self) -> str:
        return f"<throng.distributed.Crowd: {self._dim}D, rank {self.rank} of {self.ranks}>"


def load(
    comm: Any,
    folder: str,
    share: Share,
    *,
    threads: Optional[int] = 1,
    executor: Optional[str] = None,
    patience: float = 0.0,
) -> Crowd:
    """Collective. The crowd that save() has saved, by any number of ranks, and its agents in `share`, which
    must have none, and the columns that were saved, in the same order. Settings are those of the saved crowd,
    with even cuts."""
    crowd = Crowd.__new__(Crowd)
    crowd._dim = share.dim
    crowd._ranks = _ranks_of(comm, patience)
    with _abstaining(lambda: _native.abstain(crowd._ranks)):
        crowd._native = _CROWDS[share.dim](crowd._ranks, threads, executor)
        share._put()
        crowd._native.load(share._native, folder)
    share._take()
    return crowd


def _ranks_of(comm: Any, patience: float) -> Any:
    if comm is None:
        return _native.OneRank()
    try:
        from throng import _mpi
    except ImportError as error:
        raise ImportError("this build of throng has no MPI: CMake's option THRONG_MPI") from error
    return _mpi.MpiRanks(comm.py2f(), patience)
