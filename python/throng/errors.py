"""What the library refuses, as exceptions.

An array of a wrong type raises TypeError, one of a wrong shape ValueError. Both name the argument, what
was expected, and what was given. Wrong values in an array raise Error, as do arrays of agents and answers that
are too short or too long.
"""

from __future__ import annotations

from typing import Optional


class Error(ValueError):
    """A call was refused, and has changed nothing.

    The message is a sentence for people; the attributes are for programs.
    """

    #: The cause, such as "not_finite", "id_unknown" or "inverted".
    cause: str
    #: The argument to blame, as the library calls it, such as "positions" or "ball"; or None.
    argument: Optional[str]
    #: Which element of it, or of "no_room" the length that is needed; None where it has none.
    index: Optional[int]

    def __init__(
        self,
        message: str,
        cause: str = "",
        argument: Optional[str] = None,
        index: Optional[int] = None,
    ) -> None:
        super().__init__(message)
        self.cause = cause
        self.argument = argument
        self.index = index

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.cause, self.argument, self.index)


class MemoryCapError(Error, MemoryError):
    """A call would have taken more memory than the memory cap of its crowd allows."""


class FileError(Error, OSError):
    """A file could not be opened, read or written."""


_KINDS = {"over_memory": MemoryCapError, "io_failed": FileError}


def error_for(cause: str, argument: Optional[str], index: Optional[int], message: str) -> Error:
    """The exception for a status of the library."""
    return _KINDS.get(cause, Error)(message, cause, argument, index)
