"""What classes of the package share that have a class of the extension behind them."""

from __future__ import annotations

import operator
from typing import Any

from throng import _native
from throng._native import NO_ID


def native_class(name: str, dim: int) -> Any:
    """The one for this number of dimensions."""
    return getattr(_native, f"{name}{dim}")


class OnThreads:
    """Has a number of dimensions, and threads that work on its calls."""

    __slots__ = ("_dim", "_native")

    _dim: int
    _native: Any

    @property
    def dim(self) -> int:
        """2 or 3."""
        return self._dim

    @property
    def threads(self) -> int:
        """The most threads that work on a call."""
        return int(self._native.threads())

    @property
    def executor(self) -> str:
        """What its threads belong to: "tbb", "pool", or with one thread "serial"."""
        return str(self._native.executor())


class Named(OnThreads):
    """Has agents or obstacles, by ids."""

    __slots__ = ()

    def __len__(self) -> int:
        """The number of agents, or of obstacles; statics do not count."""
        return int(self._native.size())

    def __contains__(self, id: object) -> bool:
        """Whether an agent, a static or an obstacle has this id."""
        try:
            number = operator.index(id)  # type: ignore[arg-type]
        except TypeError:
            return False
        return 0 <= number < NO_ID and bool(self._native.contains(number))
