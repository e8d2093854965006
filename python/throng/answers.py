"""The answers to a batch of questions: NumPy arrays that own their memory.

The library wrote them, and nothing is copied. When the last array of an answer is gone, its memory
serves the next answer. So a loop that releases one frame's answers before it asks for the next allocates
nothing.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Iterable, Iterator, Optional, Sequence, Tuple
from typing import Type, TypeVar, Union, overload

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from typing import Self

    from throng._native import Block

Ids = npt.NDArray[np.uint32]


_Element = TypeVar("_Element", bound=np.generic)


def as_array(block: Block, element: Type[_Element]) -> npt.NDArray[_Element]:
    """An array over the memory of an answer, which it keeps; its elements have that type."""
    return np.asarray(block, element)


class Answer:
    """Arrays over the memory of an answer: a dataclass that has the arrays first, with these elements."""

    __slots__ = ()

    _elements: ClassVar[Tuple[Type[Any], ...]]

    @classmethod
    def of(cls, blocks: Iterable[Block], *more: Any) -> Self:
        """From the memory of the arrays, and what else it has."""
        return cls(*map(as_array, blocks, cls._elements), *more)


@dataclass(slots=True, eq=False, repr=False)
class Hits(Answer):
    """The agents that each question found: hits[q] are the ids for question q.

    All ids are in one array, and offsets[q] says where those of question q begin.
    """

    _elements: ClassVar[Tuple[Type[Any], ...]] = (np.uint64, np.uint32)

    offsets: npt.NDArray[np.uint64]  #: one more than there are questions
    ids: Ids

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

    @overload
    def __getitem__(self, question: int) -> Ids: ...
    @overload
    def __getitem__(self, question: Union[slice, Sequence[int], npt.NDArray[Any]]) -> Hits: ...
    def __getitem__(self, question: Any) -> Union[Ids, Hits]:
        """The ids of one question, as a view. Or the hits of some questions: a slice, their numbers in an
        array or a list, or an array with a bool for each question."""
        if isinstance(question, slice):
            return self._slice(*question.indices(len(self)))
        if isinstance(question, (list, np.ndarray)):
            return self._of(np.asarray(question))
        question = operator.index(question)
        count = len(self)
        if not -count <= question < count:
            raise IndexError(f"question {question} of {count}")
        if question < 0:
            question += count
        return self.ids[int(self.offsets[question]) : int(self.offsets[question + 1])]

    def _slice(self, begin: int, end: int, step: int) -> Hits:
        if step != 1:
            return self._of(np.arange(begin, end, step))
        offsets = self.offsets[begin : max(begin, end) + 1]
        return Hits(offsets - offsets[0], self.ids[int(offsets[0]) : int(offsets[-1])])

    def _of(self, questions: npt.NDArray[Any]) -> Hits:
        if questions.dtype == bool:
            if questions.shape != (len(self),):
                raise IndexError(f"bools of shape {questions.shape} for {len(self)} questions")
            questions = np.flatnonzero(questions)
        elif questions.ndim != 1 or (questions.size and questions.dtype.kind not in "iu"):
            raise IndexError(
                f"expected numbers of questions, got {questions.dtype} and shape {questions.shape}"
            )
        # Negative ones count from the end, and what is out of range is an IndexError of NumPy's.
        numbers = np.arange(len(self))[questions.astype(np.int64)]
        begins = self.offsets[numbers].astype(np.int64)
        counts = self.offsets[numbers + 1].astype(np.int64) - begins
        offsets = np.concatenate(([0], np.cumsum(counts)))
        places = np.repeat(begins - offsets[:-1], counts) + np.arange(offsets[-1])
        return Hits(offsets.astype(np.uint64), self.ids[places])

    def to_csr(
        self, values: Optional[npt.NDArray[Any]] = None, columns: Optional[int] = None
    ) -> Any:
        """A scipy.sparse.csr_matrix with a row for each question: hits are one already, so the ids are not
        copied where they fit 32 bits with a sign. `values` are those of the hits, in the order of ids; without
        them all are 1. `columns` must be more than every id; without it, as many as there are rows, as of
        crowd.neighbours(), or as the largest id needs."""
        from scipy.sparse import csr_matrix

        if columns is None:
            columns = max(len(self), int(self.ids.max()) + 1 if len(self.ids) else 0)
        elif len(self.ids) and columns <= int(self.ids.max()):
            raise ValueError(f"columns: {columns}, and there is an id {int(self.ids.max())}")
        if values is None:
            values = np.ones(len(self.ids), np.float32)
        elif len(values) != len(self.ids):
            raise ValueError(f"values: expected {len(self.ids)}, got {len(values)}")
        small = max(len(self.ids), columns) <= np.iinfo(np.int32).max
        ids = self.ids.view(np.int32) if small else self.ids.astype(np.int64)
        offsets = self.offsets.astype(np.int32) if small else self.offsets.view(np.int64)
        return csr_matrix((values, ids, offsets), shape=(len(self), columns))

    def to_edge_index(self) -> npt.NDArray[np.int64]:
        """An array of shape (2, n), as graph networks take it: above the ids, from which messages come,
        below the questions, to which they go."""
        return np.stack((self.ids.astype(np.int64), self.questions()))

    def __iter__(self) -> Iterator[Ids]:
        bounds = self.offsets.tolist()
        for begin, end in zip(bounds, bounds[1:]):
            yield self.ids[begin:end]

    def __repr__(self) -> str:
        return f"<throng.Hits: {len(self.ids)} ids for {len(self)} questions>"


@dataclass(slots=True, eq=False, repr=False)
class KeyHits:
    """Hits in keys of your own: hits[q] are the keys for question q, of which offsets say where they begin."""

    offsets: npt.NDArray[np.uint64]  #: one more than there are questions
    keys: npt.NDArray[np.uint64]

    @property
    def arrays(self) -> Tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
        """For unpacking: offsets, keys = hits.arrays."""
        return self.offsets, self.keys

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, question: int) -> npt.NDArray[np.uint64]:
        """The keys of one question, as a view."""
        question = range(len(self))[operator.index(question)]
        return self.keys[int(self.offsets[question]) : int(self.offsets[question + 1])]

    def __repr__(self) -> str:
        return f"<throng.KeyHits: {len(self.keys)} keys for {len(self)} questions>"


@dataclass(slots=True, eq=False, repr=False)
class NeighbourHits(Hits):
    """Hits with the distance of each, and the vector to it: distances[i] and vectors[i] belong to ids[i].

    What was not asked for is None. Hits of some questions have neither.
    """

    _elements = (np.uint64, np.uint32, np.float32, np.float32)

    distances: Optional[npt.NDArray[np.float32]]  #: of shape (n,)
    vectors: Optional[npt.NDArray[np.float32]]  #: of shape (n, 2) or (n, 3)


@dataclass(slots=True, eq=False, repr=False)
class NearestHits(Answer):
    """The k nearest for each question, the nearest first.

    ids and distances2 have shape (questions, k). The first counts[q] slots of row q are filled; the
    others hold NO_ID, infinitely far away.
    """

    _elements = (np.uint32, np.float32, np.uint32)

    ids: Ids
    distances2: npt.NDArray[np.float32]  #: squares of distances, to the bit as they were compared
    counts: npt.NDArray[np.uint32]

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


@dataclass(slots=True, eq=False, repr=False)
class Pairs(Answer):
    """Pairs of agents whose boxes overlap, each once: first[i] and second[i]."""

    _elements = (np.uint32, np.uint32)

    first: Ids
    second: Ids

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


@dataclass(slots=True, eq=False, repr=False)
class PathHits(Answer):
    """The first hit of each path, and its time: ids[q] is NO_ID for a path without a hit.

    Time runs from 0 to 1 along a segment or capsule; at time t a ray is at origin + t * direction.
    """

    _elements = (np.uint32, np.float32)

    ids: Ids
    times: npt.NDArray[np.float32]  #: means nothing where there is no hit

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


@dataclass(slots=True, eq=False, repr=False)
class Meetings(Hits):
    """All agents that each path meets, by time, then by id, each once: path q meets the ids meetings[q], at
    the times meetings.times_of(q). Times are as in PathHits; meetings of some paths are Hits without times."""

    _elements = (np.uint64, np.uint32, np.float32)

    times: npt.NDArray[np.float32]  #: times[i] is that of ids[i]

    def times_of(self, path: int) -> npt.NDArray[np.float32]:
        """The times of one path, as a view."""
        path = range(len(self))[path]
        return self.times[int(self.offsets[path]) : int(self.offsets[path + 1])]

    def __repr__(self) -> str:
        return f"<throng.Meetings: {len(self.ids)} ids for {len(self)} paths>"
