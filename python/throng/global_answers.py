"""What questions to a crowd of many ranks come to, and what its updates do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Tuple

import numpy as np
import numpy.typing as npt

from throng.answers import Answer

GlobalIds = npt.NDArray[np.uint64]


@dataclass(slots=True, eq=False, repr=False)
class GlobalHits(Answer):
    """The agents that each question found: hits[q] are the global ids for question q."""

    _elements = (np.uint64, np.uint64)

    offsets: npt.NDArray[np.uint64]  #: one more than there are questions
    ids: GlobalIds

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, question: int) -> GlobalIds:
        question = range(len(self))[question]
        return self.ids[int(self.offsets[question]) : int(self.offsets[question + 1])]

    def __repr__(self) -> str:
        return f"<throng.distributed.GlobalHits: {len(self.ids)} ids for {len(self)} questions>"


@dataclass(slots=True, eq=False, repr=False)
class NearestHits(Answer):
    """The k nearest for each question, the nearest first, by global id.

    ids and distances2 have shape (questions, k). The first counts[q] slots of row q are filled; the others
    hold NO_GLOBAL_ID, infinitely far away.
    """

    _elements = (np.uint64, np.float32, np.uint32)

    ids: GlobalIds
    distances2: npt.NDArray[np.float32]
    counts: npt.NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.counts)

    def __getitem__(self, question: int) -> GlobalIds:
        return self.ids[question, : int(self.counts[question])]

    def __repr__(self) -> str:
        questions, k = self.ids.shape
        return f"<throng.distributed.NearestHits: {k} nearest for {questions} questions>"


@dataclass(slots=True, eq=False, repr=False)
class Meetings(Answer):
    """All agents that each path meets, by time and then by global id: path q meets ids[a:b] at times[a:b],
    where a, b = offsets[q], offsets[q + 1]."""

    _elements = (np.uint64, np.float32, np.uint64)

    offsets: npt.NDArray[np.uint64]
    times: npt.NDArray[np.float32]
    ids: GlobalIds

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, path: int) -> Tuple[npt.NDArray[np.float32], GlobalIds]:
        path = range(len(self))[path]
        part = slice(int(self.offsets[path]), int(self.offsets[path + 1]))
        return self.times[part], self.ids[part]

    def __repr__(self) -> str:
        return f"<throng.distributed.Meetings: {len(self.ids)} of {len(self)} paths>"


class Stats(NamedTuple):
    """What the latest update of this rank came to."""

    owned: int
    ghosts: int
    giants: int  #: of the whole crowd
    statics: int
    left: int  #: agents that went to other ranks
    came: int
    neighbours: int  #: ranks that get a message in each update
    routed: bool  #: some agents went to ranks that are no neighbours
    asked: int  #: questions of this rank since then
    answered: int  #: questions that it has answered, its own included
    imbalance: float  #: the largest work of a rank over the mean, when balance() last looked
    next_imbalance: float  #: and what the cuts of the next update make of it
