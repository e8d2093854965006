"""What one process has of a crowd that is spread over many."""

from __future__ import annotations

from typing import Any, Iterable, List, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from throng.answers import as_array
from throng.global_answers import GlobalIds
from throng.native import native_class


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
        if positions.ndim != 2 or positions.shape[1] not in (2, 3):
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
        kept = (half_extents is not None, groups is not None)
        self._native: Any = native_class("Share", self.dim)(*kept, tuple(sizes))

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
        self._columns[column] = self._fitting(column, values)

    def _fitting(self, column: str, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """An array, which can be such a column."""
        dtype, shape = self._shapes[column]
        values = np.asarray(values)
        if values.dtype != dtype or values.shape[1:] != shape:
            raise TypeError(
                f"{column}: expected {dtype} of shape (n, ...) + {shape}, got {values.dtype} of shape"
                f" {values.shape}"
            )
        return values

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
        added = {name: self._fitting(name, values) for name, values in columns.items()}
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
        owned agent. Ghosts go too, and births stay: those without ids get them from Crowd.name() first, since
        all arrays must be as long as positions."""
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
