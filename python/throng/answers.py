"""The answers to a batch of questions: NumPy arrays that own their memory.

The library wrote them, and nothing is copied. When the last array of an answer is gone, its memory
serves the next answer. So a loop that releases one frame's answers before it asks for the next allocates
nothing.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Iterator, Tuple, Type, TypeVar, Union, overload

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from throng._native import Block

Ids = npt.NDArray[np.uint32]


_Element = TypeVar("_Element", bound=np.generic)


def as_array(block: Block, element: Type[_Element]) -> npt.NDArray[_Element]:
    """An array over the memory of an answer, which it keeps; its elements have that type."""
    return np.asarray(block, element)


class Hits:
    """The agents that each question found: hits[q] are the ids for question q.

    All ids are in one array, and offsets[q] says where those of question q begin.
    """

    __slots__ = ("ids", "offsets")

    offsets: npt.NDArray[np.uint64]  #: one more than there are questions
    ids: Ids

    def __init__(self, offsets: npt.NDArray[np.uint64], ids: Ids) -> None:
        self.offsets = offsets
        self.ids = ids

    @property
    def arrays(self) -> Tuple[npt.NDArray[np.uint64], Ids]:
        """For unpacking: offsets, ids = hits.arrays."""
        return self.offsets, self.ids

    def counts(self) -> npt.NDArray[np.int64]:
        """The number of hits of each question, as a new array."""
        return np.diff(self.offsets.astype(np.int64))

    def questions(self) -> npt.NDArray[np.int64]:
        """The question that found each id, as a new array."""
        return np.repeat(np.arange(len(self)), self.counts())

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, question: int) -> Ids:
        question = operator.index(question)
        count = len(self)
        if not -count <= question < count:
            raise IndexError(f"question {question} of {count}")
        if question < 0:
            question += count
        return self.ids[int(self.offsets[question]) : int(self.offsets[question + 1])]

    def __iter__(self) -> Iterator[Ids]:
        bounds = self.offsets.tolist()
        for begin, end in zip(bounds, bounds[1:]):
            yield self.ids[begin:end]

    def __repr__(self) -> str:
        return f"<throng.Hits: {len(self.ids)} ids for {len(self)} questions>"


class NearestHits:
    """The k nearest for each question, the nearest first.

    ids and distances2 have shape (questions, k). The first counts[q] slots of row q are filled; the
    others hold NO_ID, infinitely far away.
    """

    __slots__ = ("counts", "distances2", "ids")

    ids: Ids
    distances2: npt.NDArray[np.float32]  #: squares of distances, to the bit as they were compared
    counts: npt.NDArray[np.uint32]

    def __init__(
        self, ids: Ids, distances2: npt.NDArray[np.float32], counts: npt.NDArray[np.uint32]
    ) -> None:
        self.ids = ids
        self.distances2 = distances2
        self.counts = counts

    @property
    def arrays(self) -> Tuple[npt.NDArray[np.float32], Ids]:
        """For unpacking: distances2, ids = hits.arrays."""
        return self.distances2, self.ids

    def distances(self) -> npt.NDArray[np.float32]:
        """Their distances, as a new array."""
        return np.sqrt(self.distances2)

    def __len__(self) -> int:
        return len(self.counts)

    def __getitem__(self, question: int) -> Ids:
        return self.ids[question, : int(self.counts[question])]

    def __iter__(self) -> Iterator[Ids]:
        for row, count in zip(self.ids, self.counts.tolist()):
            yield row[:count]

    def __repr__(self) -> str:
        questions, k = self.ids.shape
        return f"<throng.NearestHits: {k} nearest for {questions} questions>"


class Pairs:
    """Pairs of agents whose boxes overlap, each once: first[i] and second[i]."""

    __slots__ = ("first", "second")

    first: Ids
    second: Ids

    def __init__(self, first: Ids, second: Ids) -> None:
        self.first = first
        self.second = second

    @property
    def arrays(self) -> Tuple[Ids, Ids]:
        """For unpacking: first, second = pairs.arrays."""
        return self.first, self.second

    def __len__(self) -> int:
        return len(self.first)

    @overload
    def __getitem__(self, pair: int) -> Tuple[int, int]: ...
    @overload
    def __getitem__(self, pair: slice) -> Pairs: ...
    def __getitem__(self, pair: Union[int, slice]) -> Union[Tuple[int, int], Pairs]:
        if isinstance(pair, slice):
            return Pairs(self.first[pair], self.second[pair])
        return int(self.first[pair]), int(self.second[pair])

    def __iter__(self) -> Iterator[Tuple[int, int]]:
        return zip(self.first.tolist(), self.second.tolist())

    def __repr__(self) -> str:
        return f"<throng.Pairs: {len(self)}>"


class PathHits:
    """The first hit of each path, and its time: ids[q] is NO_ID for a path without a hit.

    Time runs from 0 to 1 along a segment or capsule; at time t a ray is at origin + t * direction.
    """

    __slots__ = ("ids", "times")

    ids: Ids
    times: npt.NDArray[np.float32]  #: means nothing where there is no hit

    def __init__(self, ids: Ids, times: npt.NDArray[np.float32]) -> None:
        self.ids = ids
        self.times = times

    @property
    def arrays(self) -> Tuple[Ids, npt.NDArray[np.float32]]:
        """For unpacking: ids, times = path_hits.arrays."""
        return self.ids, self.times

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, path: int) -> Tuple[int, float]:
        return int(self.ids[path]), float(self.times[path])

    def __iter__(self) -> Iterator[Tuple[int, float]]:
        return zip(self.ids.tolist(), self.times.tolist())

    def __repr__(self) -> str:
        return f"<throng.PathHits: {len(self)} paths>"
