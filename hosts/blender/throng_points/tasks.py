"""What operators and frames do to a mesh, with its settings. Each function says in a few words what it did."""

from typing import Any

import numpy as np

from . import flocks, measures, points
from .refused import Refused

# Not "density" and "velocity": to Cycles these are names of its own for volumes, and a shader of a surface that asks
# for them finds nothing.
DENSITY = "point_density"
START, START_VELOCITY, VELOCITY = "flock_start", "flock_start_velocity", "flock_velocity"

KEYS = "the mesh has shape keys, which say where its points are, so a flock cannot move them"


def dim_of(mesh: Any) -> int:
    return 2 if mesh.throng.axes == "GROUND" else 3


def located(mesh: Any) -> Any:
    """The positions on the axes that are asked about."""
    return points.positions(mesh)[:, : dim_of(mesh)]


def density(mesh: Any) -> str:
    settings = mesh.throng
    values = measures.density(located(mesh), settings.radius, settings.kernel)
    points.write(mesh, DENSITY, "FLOAT", values)
    return f"density of {len(values)} points"


def neighbours(mesh: Any) -> str:
    # Both are looked at before one is written.
    points.attribute(mesh, "nearest", "FLOAT")
    counts, nearest = measures.neighbours(located(mesh), mesh.throng.radius)
    points.write(mesh, "neighbours", "INT", counts)
    points.write(mesh, "nearest", "FLOAT", nearest)
    return f"neighbours of {len(counts)} points"


def connect(mesh: Any, onto: Any) -> str:
    """Makes `onto` a mesh of the same points, with an edge between neighbours."""
    settings = mesh.throng
    pairs, lengths = measures.edges(located(mesh), settings.radius, settings.most_edges)
    onto.clear_geometry()
    onto.vertices.add(len(mesh.vertices))
    points.set_positions(onto, points.positions(mesh))
    onto.edges.add(len(pairs))
    onto.edges.foreach_set("vertices", pairs.ravel())
    points.write(onto, "length", "FLOAT", lengths, "EDGE")
    return f"{len(pairs)} edges"


def begin_flock(mesh: Any, frame: int) -> str:
    """The points as they are now, with their velocities, are where the flock begins in this frame."""
    if mesh.shape_keys:
        raise Refused(KEYS)
    flock = mesh.throng.flock
    velocities = points.read(mesh, VELOCITY, "FLOAT_VECTOR")
    for name in (START, START_VELOCITY):
        points.attribute(mesh, name, "FLOAT_VECTOR")
    if velocities is None:
        velocities = np.zeros((len(mesh.vertices), 3), np.float32)
        dim = dim_of(mesh)
        velocities[:, :dim] = flocks.begin(len(velocities), dim, flock.most_speed, flock.seed)
    points.write(mesh, START, "FLOAT_VECTOR", points.positions(mesh))
    points.write(mesh, START_VELOCITY, "FLOAT_VECTOR", velocities)
    points.write(mesh, VELOCITY, "FLOAT_VECTOR", velocities)
    flock.begun = flock.frame = frame
    flock.moves = True
    return f"a flock of {len(velocities)} points"


def step_flock(mesh: Any, steps: int) -> str:
    """Moves the points, without regard to frames."""
    velocities = points.read(mesh, VELOCITY, "FLOAT_VECTOR")
    if velocities is None:
        raise Refused("the flock has not begun")
    _move(mesh, points.positions(mesh), velocities, steps)
    return f"{steps} steps"


def rewind_flock(mesh: Any) -> str:
    """Puts the points back to where the flock began."""
    flock = mesh.throng.flock
    _move(mesh, *_start(mesh), 0)
    flock.frame = flock.begun
    return f"back in frame {flock.begun}"


def flock_at(mesh: Any, frame: int) -> None:
    """Puts the points where the flock is in a frame: the same in whatever order frames are asked for. Frames
    before the first are like it."""
    flock = mesh.throng.flock
    frame = max(frame, flock.begun)
    if frame < flock.frame:
        _move(mesh, *_start(mesh), frame - flock.begun)
    elif frame > flock.frame:
        step_flock(mesh, frame - flock.frame)
    flock.frame = frame


def _start(mesh: Any) -> Any:
    start = (points.read(mesh, START, "FLOAT_VECTOR"), points.read(mesh, START_VELOCITY, "FLOAT_VECTOR"))
    if any(values is None for values in start):
        raise Refused("the flock has not begun")
    return start


def _move(mesh: Any, positions: Any, velocities: Any, steps: int) -> None:
    flock = mesh.throng.flock
    rules = flocks.Rules(**{name: getattr(flock, name) for name in flocks.Rules.__dataclass_fields__})
    if mesh.shape_keys:
        raise Refused(KEYS)
    dim = dim_of(mesh)
    for _ in range(steps):
        positions[:, :dim], velocities[:, :dim] = flocks.step(positions[:, :dim], velocities[:, :dim], rules)
    points.write(mesh, VELOCITY, "FLOAT_VECTOR", velocities)
    points.set_positions(mesh, positions)
