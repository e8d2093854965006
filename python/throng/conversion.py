"""Arrays of other types, and lists: copies of them that the library can read where they lie."""

from __future__ import annotations

import array
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

_allowed = True

_BUFFERS = (list, tuple, memoryview, array.array)
_EXPORTS = ("__array_interface__", "__array__", "__dlpack__")


def set_conversions(allowed: bool) -> bool:
    """Whether arguments of other types are converted, in this process; returns what it was before.

    As long as they are, numbers of any real type are copied once, to float32 or uint32, and so are lists,
    and arrays of other packages: a float64 array is taken for a float32 array. Programs that must not copy
    millions of numbers in each frame turn this off: then such arguments are a TypeError. Arrays that
    already fit are never copied.
    """
    global _allowed
    before, _allowed = _allowed, bool(allowed)
    return before


def converted(value: Any, argument: str, element: str) -> Optional[npt.NDArray[Any]]:
    """A new array of that element type, or None where there is none: for what is no array of numbers,
    and if conversions are off. Whole numbers that the type cannot hold are a ValueError."""
    if not _allowed:
        return None
    if not isinstance(value, _BUFFERS) and not any(hasattr(value, name) for name in _EXPORTS):
        return None
    try:
        if hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
            numbers = np.from_dlpack(value)
        else:
            # Lists with whole numbers from 2^63 on would become floats.
            whole = element == "uint64" and isinstance(value, (list, tuple)) and len(value) != 0
            numbers = np.asarray(value, object) if whole else np.asarray(value)
            if whole and all(type(one) is int and 0 <= one < 2**64 for one in numbers.flat):
                return numbers.astype(element)
            if whole:
                numbers = np.asarray(value)
    except (ValueError, TypeError):  # rows of different lengths, memory of another machine
        return None
    if numbers.size == 0 and isinstance(value, list):
        return numbers.astype(element)
    if element in ("uint32", "uint64"):
        return _whole(numbers, argument, element)
    if numbers.dtype.kind not in "fiu":
        return None
    with np.errstate(over="ignore"):  # infinite: the library says which is too large
        return numbers.astype(element)


def _whole(numbers: npt.NDArray[Any], argument: str, element: str) -> Optional[npt.NDArray[Any]]:
    if numbers.dtype.kind not in "iu":
        return None
    most = np.iinfo(element).max
    wrong = np.flatnonzero(numbers < 0 if element == "uint64" else (numbers < 0) | (numbers > most))
    if len(wrong) != 0:
        bad = numbers.ravel()[wrong[0]]
        raise ValueError(
            f"{argument}[{wrong[0]}]: expected a whole number from 0 to {most}, got {bad}"
        )
    return numbers.astype(element)
