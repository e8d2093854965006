"""A crowd that is asked and changed."""

from __future__ import annotations

import os
from typing import Any, Dict, Optional, Sequence, Tuple, Union, overload

import numpy as np
import numpy.typing as npt

from throng import _native
from throng.answers import Hits, KeyHits
from throng.asked import Asked, path_bytes
from throng.conversion import converted
from throng.errors import Error
from throng.handles import HANDLES, Handle, HandleArray, are_handles, array_of, as_handle, rows_of
from throng.keywords import Bounds, Loading, Size, Unpack, World, takes
from throng.native import native_class
from throng.shapes import Points

__all__ = ["Bounds", "Crowd", "HalfExtents", "Ids", "Size"]

#: None: agents are points. A number: the same for all agents and axes. A tuple of numbers: one for each
#: axis, the same for all agents. A float32 array of shape (n,), (n, 2) or (n, 3), or a tuple of arrays of
#: shape (n,): one for each agent.
HalfExtents = Any
Ids = npt.NDArray[np.uint32]
Keys = npt.NDArray[np.uint64]


def _axes_of(positions: Any) -> int:
    """The number of axes of an array of positions, or of a tuple of arrays."""
    if isinstance(positions, tuple):
        return len(positions)
    expected = "positions: expected a float32 array of shape (n, 2) or (n, 3), or a tuple of arrays"
    shape = getattr(positions, "shape", None)
    if not isinstance(shape, tuple):
        raise TypeError(f"{expected}, got {type(positions).__name__}")
    if len(shape) != 2:
        raise ValueError(f"{expected}, got shape {shape}")
    return int(shape[1])


def as_positions(positions: Any, in_world: bool) -> Any:
    """Positions that have a shape: a list as an array, all else as it is."""
    if positions is None or isinstance(positions, tuple) or hasattr(positions, "shape"):
        return positions
    array = converted(positions, "positions", "float64" if in_world else "float32")
    return positions if array is None else array


def _length(argument: str, expected: str, value: Any) -> int:
    try:
        return len(value)
    except TypeError:
        raise TypeError(f"{argument}: expected {expected}, got {value!r}") from None


def made(name: str, positions: Any, world: Any) -> Tuple[int, Any, Any]:
    """For the settings of a crowd its number of dimensions, the object of the extension, and the positions."""
    positions = as_positions(positions, in_world=world["origin"] is not None)
    sizes = (world[size] for size in ("bounds", "origin", "periodic", "cell"))
    dim = dim_of(world.pop("dim"), positions, *sizes)
    return dim, native_class(name, dim)(world), positions


def dim_of(dim: Optional[int], positions: Any, bounds: Any, *sizes: Any) -> int:
    """2 or 3: the dim that was given, or the one that the other arguments have."""
    if dim is None and bounds is not None:
        pair = "a pair (lo, hi) of 2 or 3 numbers each"
        if _length("bounds", pair, bounds) != 2:
            raise ValueError(f"bounds: expected {pair}, got {bounds!r}")
        dim = _length("bounds", pair, bounds[0])
    for size in sizes:
        if dim is None and isinstance(size, Sequence):
            dim = len(size)
    if dim is None and positions is not None:
        dim = _axes_of(positions)
    if dim is None:
        raise ValueError("dim: give dim=2 or dim=3, or positions or bounds from which it follows")
    if not isinstance(dim, (int, np.integer)) or dim not in (2, 3):
        raise ValueError(f"dim: expected 2 or 3, got {dim!r}")
    return int(dim)


class Crowd(Asked):
    """An index of a whole crowd: small and large agents that move, and statics.

        crowd = throng.Crowd(positions)
        crowd = throng.Crowd(bounds=((0, 0), (100, 50)), cell=2, threads=4)
        crowd = throng.Crowd(dim=3)

    Its arguments say whether it is in the plane or in space. Bounds and cells that are not given are
    chosen at the first update(), to suit its agents, and again when these have spread or moved away;
    agents outside the bounds are kept and found.

    positions, half_extents, groups: as in update().
    bounds, cell: where the grid lies, in local coordinates, and the size of its cells; a cell needs
        bounds. docs/fit.md says how to choose them.
    origin: where local coordinates are zero, in world coordinates. With an origin, positions may be
        float64, which are world coordinates, as are numbers given to insert() and move().
    periodic: True, or a bool for each axis: on a periodic axis the world wraps around at its bounds.
    refits: False if cells must stay as the first update() has laid them.
    memory_cap: the most bytes that the crowd may take. A call that needs more raises MemoryCapError, and
        changes nothing.
    threads: the most that work on each call; 0: as many as there are processors. Crowds share them.
    executor: what the threads belong to. "tbb": oneTBB, which other packages of this process may use as
        well; "pool": threads of Throng's own; "serial": the calling thread. None is "tbb" if this
        package was built with oneTBB, else "pool".

    Calls that change it and calls that ask it wait for each other, without the GIL, so different threads
    may make them. For readers that must not wait there is PublishedCrowd. A call that fails has changed
    nothing.
    """

    __slots__ = ()

    _native: Union[_native.Crowd2, _native.Crowd3]

    @takes(World)
    def __init__(
        self,
        positions: Optional[Points] = None,
        half_extents: HalfExtents = None,
        groups: Optional[Ids] = None,
        **world: Unpack[World],
    ) -> None:
        self._dim, self._native, positions = made("Crowd", positions, world)
        if positions is not None:
            self.update(positions, half_extents, groups)
        elif half_extents is not None or groups is not None:
            raise ValueError("positions: not given, but half_extents or groups were")

    def update(
        self,
        positions: Points,
        half_extents: HalfExtents = None,
        groups: Optional[Ids] = None,
        names: Optional[Union[Ids, HandleArray, Sequence[Handle]]] = None,
    ) -> None:
        """Replaces all agents: everything has moved. Agent i is element i of the arrays, or has the id
        names[i], each once, in any order; in a crowd of handles, the handle names[i], of all agents.

        positions are float32 of shape (n, 2) or (n, 3), or a tuple of one array of shape (n,) for each
        axis; any strides will do. half_extents are how far agents reach on each side of their
        positions: a number, a tuple of one for each axis, or an array with one for each agent, of shape
        (n,) or of the shape of positions. groups is uint32 of shape (n,): a mask of the groups that each
        agent is in.

        Do not write to the arrays meanwhile.
        """
        if names is None:
            self._native.update(positions, half_extents, groups)
        elif are_handles(names):
            self._native.update_handles(positions, half_extents, groups, rows_of(names))
        else:
            self._native.update_ids(positions, half_extents, groups, names)

    def set_statics(
        self, positions: Points, half_extents: HalfExtents = None, groups: Optional[Ids] = None
    ) -> None:
        """Replaces all statics, which seldom move. In answers static i is FIRST_STATIC + i."""
        self._native.set_statics(positions, half_extents, groups)

    def insert(
        self,
        id: int,
        position: Sequence[float],
        half_extent: Optional[Size] = None,
        group: Optional[int] = None,
    ) -> None:
        """Adds one agent, under a free id. Give an extent if, and only if, the agents of the last
        update() had extents of their own, and a mask if they had masks. An id from FIRST_STATIC on
        is that of a static, which always has an extent, and a mask if other statics have masks."""
        self._native.insert(id, position, half_extent, group)

    def erase(self, id: int) -> None:
        """Removes one agent, or one static."""
        self._native.erase(id)

    def move(self, id: Union[int, Handle], position: Sequence[float]) -> None:
        """Moves one agent, named by its id or its handle, or one static; it keeps its extent and
        mask."""
        if isinstance(id, HANDLES):
            self._native.move_handle(as_handle(id), position)
        else:
            self._native.move(id, position)

    def move_many(
        self, names: Union[Ids, HandleArray, Sequence[Handle]], positions: Points
    ) -> None:
        """Moves many agents, all of them or none: the one with the id, or the handle, names[i] goes to
        position i. Ids may be those of statics. A name may come twice; its last position counts."""
        if are_handles(names):
            self._native.move_handles(rows_of(names), positions)
        else:
            self._native.move_ids(names, positions)

    def add(
        self,
        position: Sequence[float],
        half_extent: Optional[Size] = None,
        group: Optional[int] = None,
        key: Optional[int] = None,
    ) -> Handle:
        """Adds one agent, and returns a name that is given once: insert() for crowds that choose the ids.

        At the first add() the crowd must be empty. From then on its agents have handles,
        and insert(), erase(), edit() and move() by an id are refused, until clear(). Its slots are its ids:
        update() takes arrays with an element for each of `slots`, and does not look at those of empty slots.
        For agents with extents or masks of their own, begin with update() of empty arrays.

        key is a name of your own, below 2**64, that the crowd keeps for the agent: see keys().
        """
        return Handle(*self._native.add(position, half_extent, group, key))

    def add_many(
        self,
        positions: Points,
        half_extents: HalfExtents = None,
        groups: Optional[Ids] = None,
        keys: Optional[Keys] = None,
    ) -> HandleArray:
        """Adds all of these agents, or none. keys is uint64 of shape (n,). Returns an array of HANDLE_TYPE."""
        return array_of(self._native.add_many(positions, half_extents, groups, keys))

    def set_key(self, handle: Handle, key: int) -> None:
        """Changes the key of an agent."""
        self._native.set_key(as_handle(handle), key)

    def set_keys(self, handles: Union[HandleArray, Sequence[Handle]], keys: Keys) -> None:
        """Changes the keys of agents, of all or of none; of a handle that comes twice the last key counts."""
        self._native.set_keys(rows_of(handles), keys)

    def key_of(self, id: int) -> int:
        """The key of the agent that has this id now: 0 without a key, and if there is none. Statics have no
        keys: that of a static is its id."""
        return self._native.key_of(id)

    @overload
    def keys(self, ids: Hits) -> KeyHits: ...
    @overload
    def keys(self, ids: Ids) -> Keys: ...
    def keys(self, ids: Union[Hits, Ids]) -> Union[KeyHits, Keys]:
        """Answers in keys: those of an array of ids, as a new array of its shape, or those of hits.

            handles = crowd.add_many(positions, keys=names)
            for asker, near in zip(crowd.keys(crowd.order()), crowd.keys(crowd.neighbours(2))):
                ...

        The crowd looks nothing up by keys. Ask before agents are removed or added.
        """
        if isinstance(ids, Hits):
            return KeyHits(ids.offsets, self.keys(ids.ids))
        shape = np.shape(ids)
        if len(shape) != 1:
            ids = np.ravel(ids)
        keys = np.empty(len(ids), np.uint64)
        self._native.keys(ids, keys)
        return keys.reshape(shape)

    def remove(self, handle: Union[Handle, HandleArray, Sequence[Handle]]) -> None:
        """Removes an agent, or all agents of an array or a list of handles, or none of them. A handle that is
        stale, or another crowd's, is refused: Error has its index."""
        if isinstance(handle, HANDLES):
            self._native.remove(as_handle(handle))
        else:
            self._native.remove_many(rows_of(handle))

    def check(self, handle: Handle) -> None:
        """Raises Error if the handle is stale, or another crowd's. `handle in crowd` tells it as a bool."""
        self._native.check(as_handle(handle))

    def handle_of(self, id: int) -> Optional[Handle]:
        """The handle of an agent in an answer; None if there is no such agent, or agents have no handles."""
        parts = self._native.handle_of(id)
        return None if parts is None else Handle(*parts)

    @property
    def slots(self) -> int:
        """The slots of all handles are below this: the length of arrays for update()."""
        return self._native.slots()

    def __contains__(self, id: object) -> bool:
        """Whether an agent, or a static, has this id, or an agent this handle."""
        if isinstance(id, HANDLES):
            return self._native.has_handle(as_handle(id))
        return super().__contains__(id)

    def edit(
        self,
        *,
        erase: Optional[Ids] = None,
        move: Optional[Tuple[Ids, Points]] = None,
        insert: Optional[Tuple[Any, ...]] = None,
    ) -> None:
        """Removes, then moves, then adds agents: all of these edits, or none.

        erase is an array of ids, uint32; move is (ids, positions); insert is (ids, positions),
        (ids, positions, half_extents) or (ids, positions, half_extents, groups). The index of an
        error is the place of the first refused edit in that order.
        """
        self._native.edit(*edit_parts(erase, move, insert))

    def reserve(self, agents: int) -> None:
        """Takes the memory now that updates of up to this many agents need, so that the first update()
        is as fast as later ones, if agents are spread evenly and like those that the crowd has: with or
        without half extents and groups of their own. Answers stay as they are. The crowd must have
        its cells: from bounds= and cell=, or from a first update()."""
        self._native.reserve(agents)

    def clear(self) -> None:
        """Forgets all agents; keeps statics, cells and memory."""
        self._native.clear()

    def release(self) -> None:
        """Gives back the memory that is kept for the next update, questions and answers."""
        self._native.release_all()

    @property
    def threads(self) -> int:
        """The most threads that work on a call. 0 sets as many as there are processors."""
        return self._native.threads()

    @threads.setter
    def threads(self, threads: int) -> None:
        executor = None if self.executor == "serial" else self.executor
        self._native.set_team({"threads": threads, "executor": executor})

    @classmethod
    @takes(Loading)
    def load(cls, path: Union[str, os.PathLike[str]], **loading: Unpack[Loading]) -> Crowd:
        """The crowd that was saved: it gives the same answers, and takes the same edits. The file says
        whether it is in the plane or in space."""
        return cls._loaded("load", path_bytes(path), **loading)

    @classmethod
    @takes(Loading)
    def from_bytes(cls, data: Any, **loading: Unpack[Loading]) -> Crowd:
        """The same from bytes, a memoryview, an mmap or the like, which are read where they lie."""
        return cls._loaded("load_bytes", data, **loading)

    @classmethod
    def _loaded(cls, how: str, source: Any, dim: Optional[int], **settings: Any) -> Crowd:
        crowd = cls(dim=2 if dim is None else dim, **settings)
        try:
            getattr(crowd._native, how)(source)
        except Error as error:
            if dim is not None or error.cause != "other_version":
                raise
            return cls._loaded(how, source, 3, **settings)
        return crowd

    def __reduce__(self) -> Tuple[Any, ...]:
        # to_bytes() leaves out that an origin of zeros was given, and settings of this process.
        settings = {
            "origin": (0,) * self._dim if self._native.takes_doubles() else None,
            "memory_cap": self._native.memory_cap(),
            "threads": self.threads,
            "executor": "pool" if self.executor == "pool" else None,
        }
        return _unpickled, (type(self), self.to_bytes(), self._dim, settings)

    def __repr__(self) -> str:
        return f"<throng.Crowd: {described(self)}>"


def _unpickled(cls: type[Crowd], data: bytes, dim: int, settings: Dict[str, Any]) -> Crowd:
    return cls._loaded("load_bytes", data, dim, **settings)


def edit_parts(erase: Any, move: Any, insert: Any) -> Tuple[Any, ...]:
    """The arrays of a list of edits, None for those that were not given."""
    moved = (None, None) if move is None else _parts("move", move, 2, 2)
    inserted = (None,) * 4 if insert is None else _parts("insert", insert, 2, 4)
    return (erase, *moved, *inserted)


def _parts(argument: str, parts: Any, least: int, most: int) -> Tuple[Any, ...]:
    """The parts of a list of edits, None for parts that were not given."""
    if not isinstance(parts, tuple) or not least <= len(parts) <= most:
        raise TypeError(f"{argument}: expected a tuple of arrays (ids, positions, ...)")
    return parts + (None,) * (most - len(parts))


def described(asked: Asked) -> str:
    """The size and layout of a crowd, in a few words."""
    stats = asked.stats()
    words = [f"{asked.dim}D, {stats.agents} agents"]
    if stats.giants:
        words.append(f"{stats.giants} of them giants")
    if stats.statics:
        words.append(f"{stats.statics} statics")
    if any(stats.cells):
        words.append("cells of " + " x ".join(f"{side:g}" for side in stats.cell))
    words.append("1 thread" if asked.threads == 1 else f"{asked.threads} threads")
    return ", ".join(words)
