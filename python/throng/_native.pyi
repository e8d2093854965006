from typing import Any, Dict, Optional, Tuple, Union

version: str
ALL_GROUPS: int
NO_ID: int
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
        by_id: bool,
        sets: int,
        /,
    ) -> Tuple[Block, Block, Block]: ...
    def pairs(
        self, sets: int, groups: int, within: Optional[float], /
    ) -> Tuple[Block, Block]: ...
    def pairs_into(
        self, sets: int, groups: int, within: Optional[float], first: Any, second: Any, /
    ) -> int: ...
    def count_pairs(self, sets: int, groups: int, within: Optional[float], /) -> int: ...
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
