"""Names of agents that come and go: a name that was used before is not mistaken for a new one."""

from __future__ import annotations

from typing import Any, NamedTuple, Union

import numpy as np
import numpy.typing as npt


class Handle(NamedTuple):
    """Names an agent of a Crowd for as long as it lives. The slot is its id in answers; the next agent in
    the same slot has another generation, and each crowd another owner."""

    slot: int
    generation: int
    owner: int


#: Of arrays with many handles: handles["slot"] are the ids, and handles[i] may be given as a Handle.
HANDLE_TYPE = np.dtype([("slot", np.uint32), ("generation", np.uint32), ("owner", np.uint32)])
HandleArray = npt.NDArray[np.void]
#: What names an agent by a handle: for isinstance().
HANDLES = (Handle, np.void)


def as_handle(handle: Any) -> Handle:
    """A handle, or an element of an array of handles."""
    if isinstance(handle, np.void) and handle.dtype == HANDLE_TYPE:
        return Handle(*handle.tolist())
    if not isinstance(handle, Handle):
        raise TypeError(f"handle: expected a Handle, got {type(handle).__name__}")
    return handle


def are_handles(names: Any) -> bool:
    """Whether these are an array or a list of handles, and not ids."""
    if isinstance(names, (list, tuple)):
        return len(names) > 0 and isinstance(names[0], HANDLES)
    return isinstance(names, np.ndarray) and names.dtype == HANDLE_TYPE


def array_of(rows: Any) -> HandleArray:
    """Handles from rows of three numbers, in the same memory."""
    numbers = np.asarray(rows, np.uint32)
    return numbers.view(HANDLE_TYPE).reshape(len(numbers))


def rows_of(handles: Union[HandleArray, Any]) -> npt.NDArray[np.uint32]:
    """Rows of three numbers from an array of handles, or a list of some."""
    if isinstance(handles, (list, tuple)):
        handles = np.array([as_handle(handle) for handle in handles], HANDLE_TYPE)
    if not isinstance(handles, np.ndarray) or handles.dtype != HANDLE_TYPE or handles.ndim != 1:
        what = getattr(handles, "dtype", type(handles).__name__)
        raise TypeError(f"handles: expected an array of HANDLE_TYPE of shape (n,), got {what}")
    return np.ascontiguousarray(handles).view(np.uint32).reshape(len(handles), 3)
