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
from typing import Any, Callable, Iterator, Optional, Tuple, TypeVar

import numpy as np
import numpy.typing as npt

from throng import _native
from throng._native import ALL_GROUPS, FIRST_GLOBAL_STATIC, LARGEST, NO_GLOBAL_ID
from throng.answers import Hits, Pairs, as_array
from throng.errors import Error
from throng.global_answers import GlobalHits, GlobalIds, Meetings, NearestHits, Stats
from throng.keywords import GlobalLeaving, GlobalNearest, Lists, OfJob, OfJobCrowd, Unpack
from throng.keywords import joined, takes
from throng.native import native_class
from throng.sets import PairSets, Sets
from throng.shapes import Paths, Points, Shapes, given
from throng.share import Share

__all__ = [
    "Crowd",
    "FIRST_GLOBAL_STATIC",
    "GlobalHits",
    "Meetings",
    "NO_GLOBAL_ID",
    "NearestHits",
    "Share",
    "Stats",
    "load",
]

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
    those of one process with the whole crowd, to the bit, for any number of ranks. Agents with a half extent of
    their own that is larger than half the longest side of a cell are giants: each has a ghost on every rank.
    """

    __slots__ = ("_dim", "_native", "_ranks")

    @takes(OfJobCrowd)
    def __init__(
        self,
        comm: Any,
        *,
        bounds: Tuple[Any, Any],
        cell: Any,
        reach: float,
        **job: Unpack[OfJobCrowd],
    ) -> None:
        """Collective. comm is a communicator of mpi4py, or None for a job of this process alone.

        bounds, cell: the cells that all ranks share. reach: how far agents ask about each other.
        half_extent: that of all agents; with own_half_extents shares have one for each. imbalance: at least 1, say
        1.1, and updates balance by themselves where work is more uneven. most_agents: in means, what balance()
        gives a rank at most. periodic: whether the world wraps around at the bounds, for all axes or for each.
        threads: of this process. patience: seconds after which a rank that waits for others in vain ends the job;
        0: never.
        """
        self._ranks = _ranks_of(comm, job["patience"])
        with _abstaining(lambda: _native.abstain(self._ranks)):
            self._dim = len(bounds[0])
            if self._dim not in (2, 3):
                raise ValueError(f"bounds: expected 2 or 3 numbers each, got {self._dim}")
            self._native: Any = native_class("Distributed", self._dim)(self._ranks, job)
            self._native.configure(joined(job, bounds=bounds, cell=cell, reach=reach))

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

    def name(self, share: Share) -> None:
        """Collective. Gives ids to the agents that have none, behind those that have: the numbers that follow
        the largest in the whole crowd."""
        self._with(share, self._native.name)

    def update(self, share: Share) -> None:
        """Collective. Everything has moved: sends each agent to its owner, wherever it was, and ghosts to all
        ranks that it is within reach of. If it fails the share is as it was."""
        self._with(share, self._native.update)

    @_collective
    def set_statics(self, positions: Points, half_extents: Any = None, groups: Any = None) -> None:
        """Collective. Replaces the statics, which never move, and of which every rank gives all: the same, or
        all raise an Error of the cause "ranks_differ". Checkpoints do not have them."""
        self._native.set_statics(positions, half_extents, groups)

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

    @takes(Lists)
    def neighbours(self, radius: float, **lists: Unpack[Lists]) -> Hits:
        """The neighbours of each owned agent, by local ids: hits[i] for agent i. Static i is
        throng.FIRST_STATIC + i."""
        return Hits.of(self._native.neighbours(joined(lists, radius=radius)))

    @takes(Lists)
    def count_neighbours(self, radius: float, **lists: Unpack[Lists]) -> npt.NDArray[np.uint32]:
        """How many neighbours each owned agent has."""
        counts = self._native.count_neighbours(joined(lists, radius=radius))
        return as_array(counts, np.uint32)

    def pairs(
        self, groups: int = ALL_GROUPS, *, sets: PairSets = PairSets.AGENTS, body: str = "box"
    ) -> Pairs:
        """The pairs whose boxes, or with body="disc" whose discs, overlap, by local ids, if the first is owned:
        over all ranks each pair once."""
        return Pairs.of(self._native.pairs({"groups": groups, "sets": sets, "body": body}))

    @_collective
    def count_pairs(
        self, groups: int = ALL_GROUPS, *, sets: PairSets = PairSets.AGENTS, body: str = "box"
    ) -> int:
        """Collective. The number of such pairs in the whole crowd."""
        which = {"groups": groups, "sets": sets, "body": body}
        return int(self._native.count_pairs(which))

    @_collective
    def size(self) -> int:
        """Collective. The number of agents in the whole crowd."""
        return int(self._native.size())

    @_collective
    @takes(GlobalLeaving)
    def query(self, shapes: Shapes, **leaving: Unpack[GlobalLeaving]) -> GlobalHits:
        """Collective. The agents that each shape finds, anywhere, and statics: static i is
        FIRST_GLOBAL_STATIC + i. Each rank brings its own shapes, or none."""
        return GlobalHits.of(self._native.query(self._asked(shapes), leaving))

    @_collective
    @takes(GlobalLeaving)
    def count(
        self, shapes: Shapes, **leaving: Unpack[GlobalLeaving]
    ) -> npt.NDArray[np.uint64]:
        """Collective. How many agents each shape finds."""
        return as_array(self._native.count(False, self._asked(shapes), leaving), np.uint64)

    @_collective
    @takes(GlobalLeaving)
    def any(self, shapes: Shapes, **leaving: Unpack[GlobalLeaving]) -> npt.NDArray[np.bool_]:
        """Collective. Whether each shape finds an agent."""
        found = self._native.count(True, self._asked(shapes), leaving)
        return as_array(found, np.uint64) != 0

    @_collective
    @takes(GlobalNearest)
    def nearest(
        self, points: Points, k: int = 1, **nearest: Unpack[GlobalNearest]
    ) -> NearestHits:
        """Collective. The k agents nearest to each point, anywhere, as those of throng.Crowd.nearest()."""
        return NearestHits.of(self._native.nearest(points, joined(nearest, k=k)))

    @_collective
    def nearest_neighbours(
        self, k: int = 1, *, radius: float = LARGEST, groups: int = ALL_GROUPS, sets: Sets = Sets.ALL
    ) -> NearestHits:
        """Collective. The k agents nearest to each owned agent, at any distance."""
        how = {"k": k, "radius": radius, "groups": groups, "sets": sets}
        return NearestHits.of(self._native.nearest_neighbours(how))

    @_collective
    @takes(GlobalLeaving)
    def first(
        self, paths: Paths, **leaving: Unpack[GlobalLeaving]
    ) -> Tuple[npt.NDArray[np.float32], GlobalIds]:
        """Collective. When each path first meets an agent, and which: infinity and NO_GLOBAL_ID where it meets
        none."""
        times, ids = self._native.first(self._asked(paths, Paths), leaving)
        return as_array(times, np.float32), as_array(ids, np.uint64)

    @_collective
    @takes(GlobalLeaving)
    def meetings(self, paths: Paths, **leaving: Unpack[GlobalLeaving]) -> Meetings:
        """Collective. All agents that each path meets."""
        return Meetings.of(self._native.meetings(self._asked(paths, Paths), leaving))

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

    def _with(self, share: Share, call: Callable[[Any], None]) -> None:
        """Makes a collective call that changes the share. Once it is made there is nothing to abstain from."""
        with _abstaining(self._native.abstain):
            self._check(share)
            share._put()
            call(share._native)
        share._take()

    def _check(self, share: Share) -> None:
        if share.dim != self._dim:
            raise ValueError(f"share: expected one of {self._dim} dimensions, got {share.dim}")

    def _asked(self, shapes: Shapes, only: Any = None) -> Tuple[int, Tuple[Any, ...]]:
        asked = given(shapes, "shapes", self._dim)
        if only is not None and not isinstance(shapes, only.__args__):
            raise TypeError(f"paths: expected Segments, Rays or Capsules, got {type(shapes).__name__}")
        return asked

    def __repr__(self) -> str:
        return f"<throng.distributed.Crowd: {self._dim}D, rank {self.rank} of {self.ranks}>"


@takes(OfJob)
def load(comm: Any, folder: str, share: Share, **job: Unpack[OfJob]) -> Crowd:
    """Collective. The crowd that save() has saved, by any number of ranks, and its agents in `share`, which
    must have none, and the columns that were saved, in the same order. Settings are those of the saved crowd,
    with even cuts."""
    crowd = Crowd.__new__(Crowd)
    crowd._dim = share.dim
    crowd._ranks = _ranks_of(comm, job["patience"])
    with _abstaining(lambda: _native.abstain(crowd._ranks)):
        crowd._native = native_class("Distributed", share.dim)(crowd._ranks, job)
        share._put()
        crowd._native.load(share._native, folder)
    share._take()
    return crowd


def _ranks_of(comm: Any, patience: float) -> Any:
    if not patience >= 0.0:
        raise ValueError(f"patience: expected seconds, 0 or more, got {patience}")
    if comm is None:
        return _native.OneRank()
    try:
        from throng import _mpi
    except ImportError as error:
        raise ImportError("this build of throng has no MPI: CMake's option THRONG_MPI") from error
    return _mpi.MpiRanks(comm.py2f(), patience)
