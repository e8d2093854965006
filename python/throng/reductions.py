"""What neighbours add up to, for each agent, without a list of them."""

from __future__ import annotations

import ctypes
import math
from typing import Any, Dict, Literal, Tuple, Union

import numpy as np
import numpy.typing as npt

from throng.answers import as_array
from throng.conversion import converted
from throng.keywords import Summed, Unpack, Visited, joined, takes

#: "sum" and "mean" are those of weight times value; "gradient" is that of the sum, by the agent's own place;
#: "min" and "max" know no weight, and no NaN.
Op = Literal["sum", "mean", "min", "max", "gradient"]
#: What a neighbour at distance d counts for: "flat" 1, "linear" 1 - d / radius, "poly6"
#: (1 - d**2 / radius**2)**3, "inverse" 1 / d, and nothing at the agent's own place.
Weight = Literal["flat", "linear", "poly6", "inverse"]
Floats = npt.NDArray[np.float32]

_OPS: Dict[str, int] = {"sum": 0, "mean": 1, "min": 2, "max": 3, "gradient": 4}
_WEIGHTS: Dict[str, int] = {"flat": 0, "linear": 1, "poly6": 2, "inverse": 3}
#: The integral of each weight over a ball of radius 1, in the plane and in space.
_INTEGRALS: Dict[str, Dict[int, float]] = {
    "flat": {2: math.pi, 3: math.pi * 4 / 3},
    "linear": {2: math.pi / 3, 3: math.pi / 3},
    "poly6": {2: math.pi / 4, 3: math.pi * 64 / 315},
    "inverse": {2: math.pi * 2, 3: math.pi * 2},
}


def _number(names: Dict[str, int], argument: str, name: Any) -> int:
    if not isinstance(name, str) or name not in names:
        raise ValueError(f"{argument}: expected one of {', '.join(names)}, got {name!r}")
    return names[name]


def _floats(values: Any, argument: str) -> Any:
    """Numbers that the library can read: one for each agent, or a row."""
    if isinstance(values, np.ma.MaskedArray):
        raise TypeError(f"{argument}: a masked array, whose mask would be ignored")
    if not isinstance(values, np.ndarray) or values.dtype != np.float32:
        array = converted(values, argument, "float32")
        if array is None:
            what = getattr(values, "dtype", type(values).__name__)
            raise TypeError(f"{argument}: expected a float32 array, got {what}")
        values = array
    return np.ascontiguousarray(values)


class Reduces:
    """Sums over neighbours.

    Agents alone are summed over, small ones and giants, not statics. Results are float32 arrays by id,
    zero for ids without an agent, the same to the bit on every machine and for any number of threads.
    In periodic worlds the distance and the way to a neighbour are those of its nearest image, and each
    neighbour counts once. Where the radius reaches half around the world, lists are made first, so it takes
    longer.
    """

    __slots__ = ()

    _native: Any
    _dim: int

    @takes(Summed)
    def reduce(
        self,
        radius: float,
        values: Any,
        op: Op = "sum",
        weight: Weight = "flat",
        *,
        empty: float = 0.0,
        with_self: bool = False,
        **summed: Unpack[Summed],
    ) -> Floats:
        """Reduces the values of the neighbours of each agent to one: `values` are by id, of shape (n,) or
        (n, columns), and so is the result, for all ids that there are. `empty` is the mean, min and max of no
        neighbours. How many there are says count_neighbours(). A "gradient" is of one value for each agent, and
        of shape (n, dim): where to the sum of weight times value grows, and by how much a unit of the way. It goes
        by the distance of centres, and needs a weight that changes with it; that of "inverse" has nothing of
        neighbours nearer than 1e-10.
        """
        if op in ("min", "max") and weight != "flat":
            raise ValueError(f"weight: {op} knows none, got {weight!r}")
        values = _floats(values, "values")
        if op == "gradient":
            if weight == "flat":
                raise ValueError("weight: flat has no gradient")
            if summed["body"] != "centre":
                raise ValueError(f"body: a gradient goes by centres, got {summed['body']!r}")
            if values.ndim != 1:
                raise ValueError(f"values: expected shape (n,), got {values.shape}")
        how = (_number(_OPS, "op", op), _number(_WEIGHTS, "weight", weight))
        return self._reduced(radius, values, how, summed, empty=empty, with_self=with_self)

    @takes(Summed)
    def separation(
        self, radius: float, weight: Weight = "inverse", **summed: Unpack[Summed]
    ) -> Floats:
        """The sum over neighbours of weight times the way from the neighbour to the agent: where to, to be
        apart. With "inverse" each neighbour pushes alike, with "linear" nearer ones push more."""
        how = (_OPS["sum"], _number(_WEIGHTS, "weight", weight))
        return self._reduced(radius, None, how, summed, scale=-1.0)

    @takes(Summed)
    def cohesion(
        self, radius: float, weight: Weight = "flat", **summed: Unpack[Summed]
    ) -> Floats:
        """The way to the mean place of the neighbours; zero without neighbours."""
        how = (_OPS["mean"], _number(_WEIGHTS, "weight", weight))
        return self._reduced(radius, None, how, summed)

    @takes(Summed)
    def alignment(
        self, radius: float, velocities: Any, weight: Weight = "flat", **summed: Unpack[Summed]
    ) -> Floats:
        """The mean velocity of the neighbours, less the agent's own; zero without neighbours. `velocities` are
        by id, of shape (n, 2) or (n, 3)."""
        velocities = _floats(velocities, "velocities")
        if velocities.ndim != 2 or velocities.shape[1] != self._dim:
            shape = velocities.shape
            raise ValueError(f"velocities: expected shape (n, {self._dim}), got {shape}")
        how = (_OPS["mean"], _number(_WEIGHTS, "weight", weight))
        return self._reduced(radius, velocities, how, summed, less_own=True)

    @takes(Summed)
    def density(
        self,
        radius: float,
        masses: Any = None,
        weight: Weight = "poly6",
        *,
        with_self: bool = True,
        **summed: Unpack[Summed],
    ) -> Floats:
        """Mass in a unit of area or volume: the sum of weight times mass over the integral of the weight.
        `masses` are by id; without them each agent has 1. Agents count themselves, but for "inverse", which
        has no weight at no distance."""
        number = _number(_WEIGHTS, "weight", weight)
        if masses is None:
            # Not an array of ones: another thread may insert agents before the sum is made.
            masses = 1.0
        else:
            masses = _floats(masses, "masses")
            if masses.ndim != 1:
                raise ValueError(f"masses: expected shape (n,), got {masses.shape}")
        power = self._dim - 1 if weight == "inverse" else self._dim
        volume = _INTEGRALS[weight][self._dim] * float(radius) ** power
        if volume <= 0.0:
            raise ValueError(f"radius: expected more than zero, got {radius!r}")
        how = (_OPS["sum"], number)
        scale = 1.0 / volume
        return self._reduced(radius, masses, how, summed, scale=scale, with_self=with_self)

    @takes(Visited)
    def visit_neighbours(
        self, radius: float, kernel: Any, data: Any = None, **visited: Unpack[Visited]
    ) -> None:
        """Calls a compiled function of yours for each agent, with its neighbours as neighbours() lists them:

            void kernel(uint32_t agent, const uint32_t* ids, uint64_t count, void* data)

        `kernel` is a numba.cfunc, a function of ctypes, or an address; `data` an array, or an address. It is
        called on several threads at once, and must not raise. Ids of statics are FIRST_STATIC and more.
        """
        address = getattr(kernel, "address", kernel)
        if isinstance(address, ctypes._CFuncPtr):
            address = ctypes.cast(address, ctypes.c_void_p).value
        if not isinstance(address, int) or isinstance(address, bool) or address == 0:
            raise TypeError(f"kernel: expected a compiled function, got {type(kernel).__name__}")
        if data is None:
            data = 0
        elif isinstance(data, np.ndarray):
            data = data.ctypes.data
        self._native.visit_neighbours(joined(visited, radius=radius), address, data)

    def _reduced(
        self,
        radius: float,
        values: Union[None, float, Floats],
        how: Tuple[int, int],
        summed: Summed,
        **named: Any,
    ) -> Floats:
        usual: Dict[str, Any] = {"less_own": False, "empty": 0.0, "scale": 1.0, "with_self": False}
        what = joined(summed, radius=radius, how=how[0], weight=how[1])
        return as_array(self._native.reduce({**usual, **what, **named}, values), np.float32)
