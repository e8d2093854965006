"""What the library refuses, as exceptions.

Arrays of a type that does not fit raise TypeError, of a shape that does not fit ValueError; both say
which argument it is, what was expected, and what was given. What is wrong with the values in them
raises Error.
"""

from __future__ import annotations

from typing import Optional


class Error(ValueError):
    """A call was refused, and has changed nothing.

    The message is a sentence for people; the rest is for programs.
    """

    #: What was wrong, such as "not_finite", "id_unknown" or "inverted".
    cause: str
    #: The argument to blame, as the library calls it, such as "positions" or "ball"; or None.
    argument: Optional[str]
    #: Which element of it; None where it has none.
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
