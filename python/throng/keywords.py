"""Keywords that many calls take: their names, types and defaults stand here and nowhere else.

A call with `@takes(Leaving)` and `**leaving: Unpack[Leaving]` gets all keywords of that table, those that nobody gave
with their defaults, and shows them in its signature. Type checkers know them by the table.
"""

import functools
import inspect
from typing import Annotated, Any, Callable, Dict, Literal, Mapping, Optional, Sequence, Tuple
from typing import TypedDict, TypeVar, Union, Unpack, get_type_hints

from throng._native import ALL_GROUPS, LARGEST, NO_GLOBAL_ID, NO_ID
from throng.sets import Sets

__all__ = ["Unpack"]

#: A number for all questions, or uint32 of shape (n,) with one each.
Each = Any
#: A number for all axes, or one for each.
Size = Union[float, Sequence[float]]
Bounds = Tuple[Sequence[float], Sequence[float]]
#: What an agent is.
Body = Literal["centre", "box", "disc"]
#: "ids": answer k is that of agent k, empty for ids without an agent. "storage": answer k is that of the
#: k-th agent of order(), which is the fastest.
Order = Literal["ids", "storage"]


class OneFilter(TypedDict, total=False):
    """What is not found: what is in none of these groups, and what has this id."""

    groups: Annotated[int, ALL_GROUPS]
    without: Annotated[int, NO_ID]


class Leaving(TypedDict, total=False):
    """The same, for all questions or for each, and which sets of a crowd are searched."""

    groups: Annotated[Each, ALL_GROUPS]
    without: Annotated[Each, NO_ID]
    sets: Annotated[Sets, Sets.ALL]


class InSight(Leaving, total=False):
    """And which groups of obstacles hide agents."""

    hiding: Annotated[int, ALL_GROUPS]


class GlobalLeaving(TypedDict, total=False):
    """The same of crowds over many processes."""

    groups: Annotated[Each, ALL_GROUPS]
    without: Annotated[Each, NO_GLOBAL_ID]
    sets: Annotated[Sets, Sets.ALL]


class Explained(OneFilter, total=False):
    """Those of one question."""

    sets: Annotated[Sets, Sets.ALL]


class Lists(TypedDict, total=False):
    """Which neighbours agents find."""

    with_self: Annotated[bool, False]
    groups: Annotated[int, ALL_GROUPS]
    later_only: Annotated[bool, False]
    sets: Annotated[Sets, Sets.ALL]


class Visited(Lists, total=False):
    """And what the bodies of both are."""

    body: Annotated[Body, "centre"]


class Around(Visited, total=False):
    """And in which order answers come."""

    order: Annotated[Order, "ids"]


class AroundInSight(Around, total=False):
    """And which groups of obstacles hide agents."""

    hiding: Annotated[int, ALL_GROUPS]


class Summed(TypedDict, total=False):
    """Which neighbours are summed over."""

    groups: Annotated[int, ALL_GROUPS]
    body: Annotated[Body, "centre"]


class Near(TypedDict, total=False):
    """How near, and where."""

    radius: Annotated[float, LARGEST]
    least: Annotated[float, 0.0]
    band: Annotated[Optional[Tuple[float, float]], None]
    body: Annotated[Body, "centre"]


class Upright(Near, total=False):
    """And on which axis the band is."""

    up: Annotated[Optional[int], None]


class Page(TypedDict, total=False):
    """After which of the nearest."""

    after: Annotated[Optional[Tuple[float, int]], None]


class Nearest(Upright, Page, Explained, total=False):
    """What Crowd.nearest() takes."""


class NearestOfAll(Upright, Page, OneFilter, total=False):
    """What BruteForce.nearest() takes."""


class GlobalNearest(Near, Page, GlobalLeaving, total=False):
    """What distributed.Crowd.nearest() takes."""


class NearestNeighbours(Upright, total=False):
    """What nearest_neighbours() takes."""

    with_self: Annotated[bool, False]
    groups: Annotated[int, ALL_GROUPS]
    order: Annotated[Order, "ids"]
    sets: Annotated[Sets, Sets.ALL]


class Pairing(TypedDict, total=False):
    """Which pairs."""

    within: Annotated[Optional[float], None]
    body: Annotated[Optional[Body], None]
    groups: Annotated[int, ALL_GROUPS]


class Team(TypedDict, total=False):
    """What works on calls."""

    threads: Annotated[int, 0]
    executor: Annotated[Optional[str], None]


class OfJob(TypedDict, total=False):
    """The same of a process of a job, and how long it waits for others."""

    threads: Annotated[Optional[int], 1]
    executor: Annotated[Optional[str], None]
    patience: Annotated[float, 0.0]


class OfJobCrowd(OfJob, total=False):
    """The settings of its crowd, besides those that it must be given."""

    half_extent: Annotated[Any, 0.0]
    own_half_extents: Annotated[bool, False]
    groups: Annotated[bool, False]
    imbalance: Annotated[float, 0.0]
    most_agents: Annotated[float, 2.0]
    periodic: Annotated[Union[bool, Sequence[bool]], False]


class Limits(TypedDict, total=False):
    """2 or 3 dimensions, and the most memory."""

    dim: Annotated[Optional[int], None]
    memory_cap: Annotated[Optional[int], None]


class Loading(Limits, Team, total=False):
    """What Crowd.load() takes."""


class Layout(TypedDict, total=False):
    """Where cells lie."""

    bounds: Annotated[Optional[Bounds], None]
    cell: Annotated[Optional[Size], None]
    origin: Annotated[Optional[Sequence[float]], None]
    periodic: Annotated[Union[bool, Sequence[bool]], False]


class World(Layout, Limits, Team, total=False):
    """The settings of a crowd."""

    refits: Annotated[bool, True]


def joined(named: Mapping[str, object], **more: object) -> Dict[str, object]:
    """These keywords and more."""
    return {**named, **more}


_Call = TypeVar("_Call", bound=Callable[..., Any])


def takes(table: Any) -> Callable[[_Call], _Call]:
    """For a call with the keywords of a table: see above. Others are a TypeError."""
    hints = get_type_hints(table, include_extras=True)
    defaults: Dict[str, Any] = {name: hint.__metadata__[0] for name, hint in hints.items()}
    shown = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=defaults[name], annotation=hint.__origin__
        )
        for name, hint in hints.items()
    ]

    def decorate(call: _Call) -> _Call:
        signature = inspect.signature(call)
        *own, _ = signature.parameters.values()  # without **
        place = sum(one.kind < inspect.Parameter.KEYWORD_ONLY for one in own)
        known = {*defaults, *(one.name for one in own)}

        @functools.wraps(call)
        def filled(*args: Any, **named: Any) -> Any:
            if not named.keys() <= known:
                wrong = min(named.keys() - known)
                raise TypeError(f"{call.__name__}() got an unexpected keyword argument '{wrong}'")
            return call(*args, **{**defaults, **named})

        filled.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=[*own[:place], *shown, *own[place:]]
        )
        filled.__annotations__ = {**call.__annotations__, **{one.name: one.annotation for one in shown}}
        return filled  # type: ignore[return-value]

    return decorate
