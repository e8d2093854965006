"""The pictures of docs/gallery.md: what can be asked, and what comes out.

    python3 python/examples/gallery.py FOLDER [name ...]

Each function below asks a few questions and draws the answers, with matplotlib. A picture is a PNG of at most 60 kB.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Callable, Dict, List

import matplotlib
import numpy as np

import throng
from throng import family

matplotlib.use("Agg")  # no window
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.collections import EllipseCollection, LineCollection, PatchCollection  # noqa: E402
from matplotlib.patches import Circle, Polygon, Rectangle, Wedge  # noqa: E402

GREY, BLUE, RED, GREEN = "#b8bec6", "#1f6fb4", "#d1495b", "#2e8b57"
FLOAT = np.float32


def field(rows: int = 1, columns: int = 1, size: Any = (8.0, 4.0)) -> Any:
    """A figure, and its axes without ticks, on which circles are round."""
    figure, all_axes = plt.subplots(rows, columns, figsize=size, squeeze=False, layout="tight")
    for axes in all_axes.flat:
        axes.set_aspect("equal")
        axes.set_xticks([])
        axes.set_yticks([])
        for side in axes.spines.values():
            side.set_color(GREY)
    return figure, all_axes.flat if rows * columns > 1 else all_axes[0, 0]


def discs(axes: Any, positions: Any, radii: Any, colour: Any) -> None:
    """Agents as they are, at the scale of the world."""
    sizes = np.broadcast_to(2 * np.asarray(radii, float), len(positions))
    axes.add_collection(
        EllipseCollection(sizes, sizes, np.zeros(len(positions)), units="xy", offsets=positions,
                          offset_transform=axes.transData, facecolors=colour, edgecolors="none")
    )


def limits(axes: Any, width: float, height: float) -> None:
    axes.set_xlim(0, width)
    axes.set_ylim(0, height)


def scattered(agents: int, width: float, height: float, seed: int = 1) -> Any:
    return np.random.default_rng(seed).random((agents, 2), FLOAT) * FLOAT([width, height])


def clustered(agents: int, width: float, height: float, seed: int = 1) -> Any:
    """Most agents crowd in some places."""
    random = np.random.default_rng(seed)
    centres = random.random((9, 2)) * [width, height]
    places = centres[random.integers(0, 9, agents)]
    places = places + random.normal(size=(agents, 2)) * (random.random((agents, 1)) * 6 + 0.5)
    return np.clip(places, 0.01, [width - 0.01, height - 0.01]).astype(FLOAT)


def shapes() -> Any:
    """Each shape, and the agents that it finds."""
    figure, axes = field(1, 1, (8.0, 4.2))
    positions = scattered(1600, 40, 20)
    crowd = throng.Crowd(positions, 0.18)
    discs(axes, positions, 0.18, GREY)

    def ask(asked: Any, patch: Any, name: str, at: Any) -> None:
        discs(axes, positions[crowd.query(asked)[0]], 0.18, BLUE)
        axes.add_patch(patch)
        axes.text(*at, name, ha="center", color=RED)

    style = {"fill": False, "edgecolor": RED, "linewidth": 1.5}
    ask(throng.Balls((5, 14.5), 3.2), Circle((5, 14.5), 3.2, **style), "Balls", (5, 18.2))
    ask(throng.Boxes((11, 12), (17, 17)), Rectangle((11, 12), 6, 5, **style), "Boxes", (14, 17.5))
    ask(throng.Sectors((20, 12), 6, (1, 1), np.cos(np.pi / 5)),
        Wedge((20, 12), 6, 45 - 36, 45 + 36, **style), "Sectors", (24.5, 18.2))
    corners = FLOAT([[31, 11], [36, 12], [38, 16], [33, 17.5]])
    ask(throng.Polygons(corners[None]), Polygon(corners, **style), "Polygons", (34.5, 18.2))
    edges = FLOAT([[[2.5, 1.2], [-0.8, 1.6]]])
    turned = FLOAT([5, 5]) + FLOAT([[1, 1], [1, -1], [-1, -1], [-1, 1]]) @ edges[0]
    ask(throng.OrientedBoxes((5, 5), edges), Polygon(turned, **style), "OrientedBoxes", (5, 8.6))
    ask(throng.Segments((11, 2), (18, 8)), Polygon([(11, 2), (18, 8)], **style), "Segments", (14, 8.6))
    ask(throng.Rays((21, 8), (1, -0.9), 6), Polygon([(21, 8), (27, 2.6)], **style), "Rays", (24.5, 8.6))
    way = FLOAT([6.5, 3]) / np.hypot(6.5, 3)
    across = FLOAT([-way[1], way[0]]) * 1.2
    a, b = FLOAT([31, 3]), FLOAT([37.5, 6])
    ask(throng.Capsules(a, b, 1.2), Polygon([a + across, b + across, b - across, a - across], **style),
        "Capsules", (34.5, 8.6))
    for end in (a, b):
        axes.add_patch(Circle(end, 1.2, **style))
    limits(axes, 40, 20)
    return figure


def density() -> Any:
    """How many agents a unit of area has around each of 20,000."""
    figure, axes = field(1, 1, (8.0, 4.2))
    positions = clustered(20_000, 80, 40, seed=5)
    crowd = throng.Crowd(positions)
    dense = crowd.density(1.5)
    order = np.argsort(dense)
    drawn = axes.scatter(*positions[order].T, c=dense[order], s=1.5, cmap="viridis",
                         norm=matplotlib.colors.LogNorm(), linewidths=0)
    figure.colorbar(drawn, ax=axes, shrink=0.8, label="agents a unit of area")
    limits(axes, 80, 40)
    return figure


def flock() -> Any:
    """A flock in a world that wraps, at the beginning and after 150 steps."""
    figure, both = field(1, 2, (8.0, 4.2))
    side = FLOAT(40)
    positions = scattered(900, 40, 40, seed=2)
    angles = np.random.default_rng(3).random(900) * 2 * np.pi
    speeds = np.stack((np.cos(angles), np.sin(angles)), 1).astype(FLOAT)
    crowd = throng.Crowd(bounds=((0, 0), (40, 40)), cell=3, periodic=True)
    for step in range(151):
        if step in (0, 150):
            axes = both[0 if step == 0 else 1]
            colours = np.arctan2(speeds[:, 1], speeds[:, 0])
            axes.quiver(*positions.T, *speeds.T, colours, cmap="hsv", scale=42, width=0.006, pivot="mid")
            axes.set_title(f"step {step}", fontsize=10)
            limits(axes, 40, 40)
        crowd.update(positions)
        turn = crowd.alignment(3.0, speeds) * FLOAT(0.12)
        pull = crowd.cohesion(3.0) * FLOAT(0.012)
        push = crowd.separation(1.0, "linear") * FLOAT(0.25)
        speeds += turn + pull + push
        speeds /= np.maximum(np.linalg.norm(speeds, axis=1, keepdims=True), FLOAT(1e-6))
        positions = np.mod(positions + speeds * FLOAT(0.25), side)
    return figure


def periodic() -> Any:
    """The neighbours of three agents where the world wraps."""
    figure, axes = field(1, 1, (8.0, 4.2))
    positions = scattered(1200, 40, 20, seed=4)
    crowd = throng.Crowd(positions, bounds=((0, 0), (40, 20)), cell=2, periodic=True)
    hits = crowd.neighbours(4.0, vectors=True)
    assert hits.vectors is not None
    discs(axes, positions, 0.16, GREY)
    for place, colour in (((0.7, 0.9), BLUE), ((20, 19), RED), ((28, 9), GREEN)):
        one = int(crowd.nearest(place).ids[0, 0])
        ways = hits.vectors[int(hits.offsets[one]):int(hits.offsets[one + 1])]
        # From the images of the agent, so that lines leave the world and come in on the other side.
        for x in (-40, 0, 40):
            for y in (-20, 0, 20):
                start = positions[one] + FLOAT([x, y])
                lines = np.stack((np.broadcast_to(start, ways.shape), start + ways), 1)
                axes.add_collection(LineCollection(lines, colors=colour, linewidths=0.7))
        discs(axes, positions[hits[one]], 0.2, colour)
    limits(axes, 40, 20)
    return figure


def structures() -> Any:
    """The cells of a crowd, and of the structures of throng.family, with the same agents."""
    figure, six = field(2, 3, (8.0, 5.6))
    positions = clustered(700, 40, 40, seed=3)
    half = np.where(np.arange(700) % 70 == 0, 1.6, 0.15).astype(FLOAT)
    bounds = ((0, 0), (40, 40))
    made: Any = (
        ("Crowd", throng.Crowd(positions, half, bounds=bounds, cell=1.6)),
        ("LooseTree", family.LooseTree(positions, half)),
        ("DoubleGrid", family.DoubleGrid(positions, half, bounds=bounds, cell=4)),
        ("TightQuadtree", family.TightQuadtree(positions, half, bounds=bounds, depth=6)),
        ("NestedIndex", family.NestedIndex(positions, half, bounds=bounds)),
    )
    for axes, (name, index) in zip(six, made):
        discs(axes, positions, half, GREY)
        cells = index.cells()
        boxes = [Rectangle(lo, *(hi - lo)) for lo, hi in zip(cells.lo, cells.hi)]
        depth = cells.depths / max(1, int(cells.depths.max()))
        colours = plt.get_cmap("plasma")(0.8 * depth)
        axes.add_collection(
            PatchCollection(boxes, facecolor="none", edgecolors=colours, linewidths=0.6)
        )
        axes.set_title(f"{name}: {len(cells)} cells", fontsize=9)
        limits(axes, 40, 40)
    last = six[5]
    order = made[0][1].order()
    last.plot(*positions[order].T, color=BLUE, linewidth=0.4)
    last.set_title("Crowd.order()", fontsize=9)
    limits(last, 40, 40)
    return figure


def meetings() -> Any:
    """All that five moving discs meet, and when."""
    figure, axes = field(1, 1, (8.0, 4.2))
    positions = scattered(500, 40, 20, seed=6)
    crowd = throng.Crowd(positions, 0.25)
    starts = FLOAT([[1, y] for y in (2, 6, 10, 14, 18)])
    ends = FLOAT([[39, y] for y in (6, 1, 13, 11, 16)])
    met = crowd.meetings(throng.Capsules(starts, ends, 0.5))
    discs(axes, positions, 0.25, GREY)
    axes.add_collection(LineCollection(np.stack((starts, ends), 1), colors=GREY, linewidths=1))
    way = (ends - starts)[met.questions()]
    places = starts[met.questions()] + way * met.times[:, None]
    drawn = axes.scatter(*positions[met.ids].T, c=met.times, s=26, cmap="plasma", zorder=3)
    axes.add_collection(
        EllipseCollection(np.full(len(places), 1.0), np.full(len(places), 1.0), np.zeros(len(places)),
                          units="xy", offsets=places, offset_transform=axes.transData,
                          facecolors="none", edgecolors=plt.get_cmap("plasma")(met.times), linewidths=0.8)
    )
    figure.colorbar(drawn, ax=axes, shrink=0.8, label="time")
    limits(axes, 40, 20)
    return figure


def sight() -> Any:
    """What two agents see past obstacles, in fields of view."""
    figure, axes = field(1, 1, (8.0, 4.2))
    random = np.random.default_rng(8)
    lo = random.random((22, 2)).astype(FLOAT) * FLOAT([36, 17])
    sizes = random.random((22, 2)).astype(FLOAT) * FLOAT([2.5, 2.5]) + FLOAT(0.4)
    eyes, ahead = FLOAT([[6, 10], [31, 12]]), FLOAT([[1, 0.1], [-1, -0.4]])
    free = ~np.any(np.all((lo - 0.5 < eyes[:, None]) & (eyes[:, None] < lo + sizes + 0.5), -1), 0)
    obstacles = throng.Obstacles(throng.Boxes(lo[free], (lo + sizes)[free]))
    positions = scattered(900, 40, 20, seed=9)
    crowd = throng.Crowd(positions, 0.15)
    fields = throng.Sectors(eyes, 13.0, ahead, np.cos(np.pi / 4))
    within, seen = crowd.query(fields), crowd.query_in_sight(obstacles, fields)
    discs(axes, positions, 0.15, GREY)
    for q, colour in enumerate((BLUE, RED)):
        middle = np.degrees(np.arctan2(ahead[q, 1], ahead[q, 0]))
        axes.add_patch(Wedge(eyes[q], 13, middle - 45, middle + 45, color=colour, alpha=0.08))
        discs(axes, positions[within[q]], 0.15, "white")
        rim = positions[within[q]]
        axes.scatter(*rim.T, s=6, facecolors="none", edgecolors=colour, linewidths=0.4)
        lines = [(eyes[q], positions[one]) for one in seen[q]]
        axes.add_collection(LineCollection(lines, colors=colour, linewidths=0.25, alpha=0.6))
        discs(axes, positions[seen[q]], 0.2, colour)
    boxes = [Rectangle(a, *b) for a, b in zip(lo[free], sizes[free])]
    axes.add_collection(PatchCollection(boxes, facecolor="#5b6470", edgecolor="none", zorder=2))
    limits(axes, 40, 20)
    return figure


def pairs() -> Any:
    """Discs of all sizes that overlap, and the pairs that they make."""
    figure, axes = field(1, 1, (8.0, 4.2))
    random = np.random.default_rng(12)
    positions = scattered(260, 40, 20, seed=12)
    radii = (0.2 + random.pareto(2.5, 260) * 0.35).astype(FLOAT)
    crowd = throng.Crowd(positions, radii)
    first, second = crowd.pairs(body="disc").arrays
    alone = np.ones(260, bool)
    alone[first] = alone[second] = False
    discs(axes, positions[alone], radii[alone], GREY)
    discs(axes, positions[~alone], radii[~alone], (0.12, 0.44, 0.7, 0.35))
    lines = np.stack((positions[first], positions[second]), 1)
    axes.add_collection(LineCollection(lines, colors=RED, linewidths=0.9))
    limits(axes, 40, 20)
    return figure


PICTURES: Dict[str, Callable[[], Any]] = {
    picture.__name__: picture
    for picture in (shapes, density, flock, periodic, structures, meetings, sight, pairs)
}


def save(figure: Any, path: Path) -> None:
    """With few colours, which is a third of the bytes."""
    from PIL import Image

    figure.canvas.draw()
    pixels = Image.fromarray(np.asarray(figure.canvas.buffer_rgba())[:, :, :3])
    pixels.quantize(80, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(path, optimize=True)
    plt.close(figure)


def main(folder: str, *names: str) -> None:
    Path(folder).mkdir(parents=True, exist_ok=True)
    unknown: List[str] = [name for name in names if name not in PICTURES]
    if unknown:
        raise SystemExit(f"no such picture: {', '.join(unknown)}; there are {', '.join(PICTURES)}")
    for name in names or PICTURES:
        path = Path(folder) / f"python-{name}.png"
        save(PICTURES[name](), path)
        print(f"{path}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
