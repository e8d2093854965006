from typing import Any, Dict, Optional, Tuple, Union

version: str
ALL_GROUPS: int
NO_ID: int
NO_GLOBAL_ID: int
FIRST_GLOBAL_STATIC: int
NO_CONTACT: int
FIRST_STATIC: int
LARGEST: float
MOST_NEAREST: int
USUAL_EXECUTOR: str
CAUSES: Tuple[str, ...]

def isa() -> str:
    """The instruction set in use: the best of this machine, or the one that THRONG_FORCE_ISA names."""

class Block:
    """Memory of an answer, of which numpy.asarray() makes an array."""

class _Asked:
    def query(
        self, kind: int, parts: Tuple[Any, ...], groups: Any, without: Any, sets: int, /
    ) -> Tuple[Block, Block]: ...
    def query_into(
        self,
        kind: int,
        parts: Tuple[Any, ...],
        groups: Any,
        without: Any,
        sets: int,
        offsets: Any,
        ids: Any,
        /,
    ) -> int: ...
    def count(
        self, kind: int, parts: Tuple[Any, ...], groups: Any, without: Any, sets: int, out: Any, /
    ) -> Any: ...
    def any(
        self, kind: int, parts: Tuple[Any, ...], groups: Any, without: Any, sets: int, out: Any, /
    ) -> Any: ...
    def first(
        self, kind: int, parts: Tuple[Any, ...], groups: Any, without: Any, sets: int, /
    ) -> Tuple[Block, Block]: ...
    def explain(
        self, kind: int, parts: Tuple[Any, ...], groups: Any, without: Any, sets: int, /
    ) -> Dict[str, Any]: ...
    def neighbours(
        self,
        radius: float,
        with_self: bool,
        groups: int,
        later_only: bool,
        body: str,
        by_id: bool,
        sets: int,
        /,
    ) -> Tuple[Block, Block]: ...
    def neighbours_into(
        self,
        radius: float,
        with_self: bool,
        groups: int,
        later_only: bool,
        body: str,
        by_id: bool,
        sets: int,
        offsets: Any,
        ids: Any,
        /,
    ) -> int: ...
    def count_neighbours(
        self,
        radius: float,
        with_self: bool,
        groups: int,
        later_only: bool,
        body: str,
        by_id: bool,
        sets: int,
        out: Any,
        /,
    ) -> Any: ...
    def query_in_sight(
        self,
        obstacles: Any,
        hiding: int,
        kind: int,
        parts: Tuple[Any, ...],
        groups: Any,
        without: Any,
        sets: int,
        /,
    ) -> Tuple[Block, Block]: ...
    def count_in_sight(
        self,
        obstacles: Any,
        hiding: int,
        kind: int,
        parts: Tuple[Any, ...],
        groups: Any,
        without: Any,
        sets: int,
        out: Any,
        /,
    ) -> Any: ...
    def neighbours_in_sight(
        self,
        obstacles: Any,
        hiding: int,
        radius: float,
        with_self: bool,
        groups: int,
        later_only: bool,
        body: str,
        by_id: bool,
        sets: int,
        /,
    ) -> Tuple[Block, Block]: ...
    def count_neighbours_in_sight(
        self,
        obstacles: Any,
        hiding: int,
        radius: float,
        with_self: bool,
        groups: int,
        later_only: bool,
        body: str,
        by_id: bool,
        sets: int,
        out: Any,
        /,
    ) -> Any: ...
    def nearest(
        self,
        points: Any,
        k: int,
        radius: float,
        least: float,
        band: Optional[Tuple[int, float, float]],
        after: Optional[Tuple[float, int]],
        body: str,
        groups: Any,
        without: Any,
        sets: int,
        /,
    ) -> Tuple[Block, Block, Block]: ...
    def nearest_neighbours(
        self,
        k: int,
        radius: float,
        least: float,
        band: Optional[Tuple[int, float, float]],
        with_self: bool,
        groups: int,
        body: str,
        by_id: bool,
        sets: int,
        /,
    ) -> Tuple[Block, Block, Block]: ...
    def pairs(
        self, sets: int, groups: int, within: Optional[float], body: Optional[str], /
    ) -> Tuple[Block, Block]: ...
    def pairs_into(
        self, sets: int, groups: int, within: Optional[float], body: Optional[str], first: Any, second: Any, /
    ) -> int: ...
    def count_pairs(
        self, sets: int, groups: int, within: Optional[float], body: Optional[str], /
    ) -> int: ...
    def measured_neighbours(
        self,
        radius: float,
        with_self: bool,
        groups: int,
        later_only: bool,
        body: str,
        by_id: bool,
        sets: int,
        distances: bool,
        vectors: bool,
        /,
    ) -> Tuple[Block, Block, Block, Block]: ...
    def reduce(
        self,
        radius: float,
        with_self: bool,
        groups: int,
        body: str,
        how: int,
        weight: int,
        less_own: bool,
        empty: float,
        scale: float,
        values: Any,
        /,
    ) -> Block: ...
    def visit_neighbours(
        self,
        radius: float,
        with_self: bool,
        groups: int,
        later_only: bool,
        body: str,
        sets: int,
        kernel: int,
        data: int,
        /,
    ) -> None: ...
    def id_bound(self) -> int: ...
    def order(self) -> Block: ...
    def contains(self, id: Any, /) -> bool: ...
    def is_giant(self, id: int, /) -> bool: ...
    def size(self) -> int: ...
    def stats(self) -> Dict[str, Any]: ...
    def settings(self) -> Dict[str, Any]: ...
    def memory(self) -> Dict[str, int]: ...
    def save(self, path: Any, /) -> None: ...
    def to_bytes(self) -> bytes: ...
    def threads(self) -> int: ...
    def takes_doubles(self) -> bool: ...
    def executor(self) -> str: ...
    def set_team(self, threads: int, executor: Optional[str], /) -> None: ...
    def release(self) -> None: ...

class Asked2(_Asked): ...
class Asked3(_Asked): ...

class _Settable:
    def __init__(
        self,
        bounds: Any,
        cell: Any,
        origin: Any,
        periodic: Any,
        memory_cap: Optional[int],
        threads: int,
        executor: Optional[str],
        /,
    ) -> None: ...
    def update(self, positions: Any, half_extents: Any, groups: Any, /) -> None: ...
    def set_statics(self, positions: Any, half_extents: Any, groups: Any, /) -> None: ...

class _Crowd(_Settable):
    def insert(self, id: int, position: Any, half_extent: Any, group: Any, /) -> None: ...
    def erase(self, id: int, /) -> None: ...
    def move(self, id: int, position: Any, /) -> None: ...
    def edit(
        self,
        erased: Any,
        moved: Any,
        moved_positions: Any,
        inserted: Any,
        positions: Any,
        half_extents: Any,
        groups: Any,
        /,
    ) -> None: ...
    def reserve(self, agents: int, /) -> None: ...
    def clear(self) -> None: ...
    def release_all(self) -> None: ...
    def load(self, path: Any, /) -> None: ...
    def memory_cap(self) -> Optional[int]: ...
    def load_bytes(self, data: Any, /) -> None: ...

class Crowd2(_Crowd, Asked2): ...
class Crowd3(_Crowd, Asked3): ...

class _Frame:
    def number(self) -> int: ...

class Frame2(_Frame, Asked2): ...
class Frame3(_Frame, Asked3): ...

class _Published(_Settable):
    def reserve(self, agents: int, /) -> None: ...
    def frames(self) -> int: ...
    def shrink(self) -> None: ...
    def threads(self) -> int: ...
    def executor(self) -> str: ...

class Published2(_Published):
    def acquire(self) -> Optional[Frame2]: ...

class Published3(_Published):
    def acquire(self) -> Optional[Frame3]: ...

class _Contacts:
    def __init__(self) -> None: ...
    def clear(self) -> None: ...
    def memory(self) -> int: ...
    def release(self) -> None: ...

class Contacts2(_Contacts):
    def update(
        self, asked: Asked2, sets: int, groups: int, within: Optional[float], body: Optional[str], /
    ) -> Tuple[Block, Block, Block, Block, Block]: ...

class Contacts3(_Contacts):
    def update(
        self, asked: Asked3, sets: int, groups: int, within: Optional[float], body: Optional[str], /
    ) -> Tuple[Block, Block, Block, Block, Block]: ...

class _Obstacles:
    def __init__(self, threads: int, executor: Optional[str], /) -> None: ...
    def set(
        self,
        boxes: Optional[Tuple[Any, ...]],
        turned_boxes: Optional[Tuple[Any, ...]],
        thin: Optional[Tuple[Any, ...]],
        groups: Any,
        /,
    ) -> None: ...
    def put(
        self, replace: bool, id: int, kind: int, parts: Tuple[Any, ...], groups: int, /
    ) -> None: ...
    def erase(self, id: int, /) -> None: ...
    def clear(self) -> None: ...
    def release(self) -> None: ...
    def nearest(self, points: Any, within: float, groups: int, without: int, /) -> Block: ...
    def first(
        self, kind: int, parts: Tuple[Any, ...], groups: int, without: int, /
    ) -> Block: ...
    def sight(self, parts: Tuple[Any, ...], groups: int, without: int, /) -> Block: ...
    def within(self, parts: Tuple[Any, ...], groups: int, without: int, /) -> Block: ...
    def hits(
        self, kind: int, parts: Tuple[Any, ...], groups: int, without: int, /
    ) -> Block: ...
    def overlaps(
        self, kind: int, parts: Tuple[Any, ...], groups: int, without: int, /
    ) -> Block: ...
    def size(self) -> int: ...
    def contains(self, id: int, /) -> bool: ...
    def memory(self) -> int: ...
    def threads(self) -> int: ...
    def executor(self) -> str: ...

class Obstacles2(_Obstacles): ...
class Obstacles3(_Obstacles): ...

class _Lasting:
    def __init__(
        self,
        radius: float,
        skin: float,
        with_self: bool,
        groups: int,
        later_only: bool,
        sets: int,
        /,
    ) -> None: ...
    def neighbours(self, positions: Any, /) -> Tuple[Block, Block]: ...
    def candidates(self) -> Tuple[Block, Block]: ...
    def order(self) -> Block: ...
    def frames(self) -> Tuple[int, int, float]: ...
    def memory(self) -> int: ...
    def release(self) -> None: ...

class Lasting2(_Lasting):
    def update(
        self, crowd: Crowd2, positions: Any, half_extents: Any, groups: Any, /
    ) -> None: ...

class Lasting3(_Lasting):
    def update(
        self, crowd: Crowd3, positions: Any, half_extents: Any, groups: Any, /
    ) -> None: ...

class Ranks:
    def rank(self) -> int: ...
    def size(self) -> int: ...

def abstain(ranks: Ranks, /) -> None: ...

class OneRank(Ranks):
    def __init__(self) -> None: ...

class _Share:
    def __init__(
        self, half_extents: bool, groups: bool, columns: Tuple[Tuple[int, bool], ...], /
    ) -> None: ...
    def put(
        self,
        ids: Any,
        positions: Any,
        half_extents: Any,
        groups: Any,
        columns: Tuple[Any, ...],
        /,
    ) -> None: ...
    def take(
        self,
    ) -> Tuple[Block, Block, Optional[Block], Optional[Block], Tuple[bytearray, ...]]: ...
    def keep_only(self, kept: Any, /) -> None: ...
    def sizes(self) -> Tuple[int, int]: ...
    def memory(self) -> int: ...

class Share2(_Share): ...
class Share3(_Share): ...

class _Distributed:
    def __init__(self, ranks: Ranks, threads: Any, executor: Any, /) -> None: ...
    def configure(self, settings: Dict[str, Any], /) -> None: ...
    def name(self, mine: Any, /) -> None: ...
    def update(self, mine: Any, /) -> None: ...
    def set_statics(self, positions: Any, half_extents: Any, groups: Any, /) -> None: ...
    def balance(self, work: Any, /) -> None: ...
    def save(self, mine: Any, folder: str, /) -> None: ...
    def load(self, mine: Any, folder: str, /) -> None: ...
    def neighbours(
        self, radius: float, with_self: bool, groups: int, later_only: bool, sets: int, /
    ) -> Tuple[Block, Block]: ...
    def count_neighbours(
        self, radius: float, with_self: bool, groups: int, later_only: bool, sets: int, /
    ) -> Block: ...
    def pairs(self, groups: int, sets: int, body: str, /) -> Tuple[Block, Block]: ...
    def count_pairs(self, groups: int, sets: int, body: str, /) -> int: ...
    def size(self) -> int: ...
    def query(
        self, kind: int, parts: Tuple[Any, ...], groups: Any, without: Any, sets: int, /
    ) -> Tuple[Block, Block]: ...
    def count(
        self, any: bool, kind: int, parts: Tuple[Any, ...], groups: Any, without: Any, sets: int, /
    ) -> Block: ...
    def nearest(
        self,
        points: Any,
        k: int,
        radius: float,
        least: float,
        band: Optional[Tuple[float, float]],
        after: Optional[Tuple[float, int]],
        body: str,
        groups: Any,
        without: Any,
        sets: int,
        /,
    ) -> Tuple[Block, Block, Block]: ...
    def nearest_neighbours(
        self, k: int, radius: float, groups: int, sets: int, /
    ) -> Tuple[Block, Block, Block]: ...
    def first(
        self, kind: int, parts: Tuple[Any, ...], groups: Any, without: Any, sets: int, /
    ) -> Tuple[Block, Block]: ...
    def meetings(
        self, kind: int, parts: Tuple[Any, ...], groups: Any, without: Any, sets: int, /
    ) -> Tuple[Block, Tuple[Block, Block]]: ...
    def abstain(self) -> None: ...
    def owner_of(self, point: Any, /) -> int: ...
    def brick(self) -> Tuple[Tuple[int, ...], Tuple[int, ...]]: ...
    def stats(self) -> Dict[str, Any]: ...
    def memory(self) -> int: ...

class Distributed2(_Distributed): ...
class Distributed3(_Distributed): ...
