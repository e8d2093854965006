"""The names, the order and the look of the words in shootout.csv and span.csv."""

from dataclasses import dataclass

KINDS = ("ours", "peer", "plain")


@dataclass(frozen=True)
class Work:
    """A kind of work: its title, and the unit that one of its times is for."""

    title: str
    per: str
    about: str


WORKS = {
    "update": Work("Update", "agent", "everything has moved"),
    "pairs": Work("All pairs", "agent", "all pairs that overlap, each once"),
    "frame": Work("Frame", "agent", "update, then all pairs that overlap"),
    "box": Work("Box", "question", "a small box around every agent"),
    "radius": Work("Radius", "question", "a ball around every agent"),
    "nearest": Work("8 nearest", "question", "the 8 nearest of every agent"),
    "large": Work("Large box", "question", "boxes with about 10,000 hits"),
    "ray": Work("Ray", "question", "segments across a part of the world, and the agents that they hit"),
    "sweep": Work("Sweep", "question", "boxes of growing size"),
}

# Calls with one question, measured apart: throng_single_calls. What they ask about is so wide.
CALLS = {
    "single_box": "Box {} wide, ids",
    "single_count": "Box {} wide, count",
    "single_any": "Box {} wide, any",
    "single_ball": "Ball {} wide, ids",
    "single_nearest": "The nearest",
}

# Questions about walls and triangles, measured apart: throng_obstacle_contest.
OBSTACLES = {
    "obstacle_nearest": "The nearest",
    "obstacle_sight": "Sight",
    "obstacle_first": "The first hit",
}

SCENES = ("uniform", "clustered", "mixed", "sparse")

WAYS = {
    "": "",
    "single": "one by one",
    "batch": "batch",
    "single_shuffled": "one by one, shuffled",
    "batch_shuffled": "batch, shuffled",
}

# Header lines that are not versions of peers.
FACTS = ("machine", "cores", "memory", "isa", "compiler", "throng", "date", "command", "lacking",
         "disturbed")


@dataclass(frozen=True)
class Look:
    """How a structure is drawn: a colour on light and on dark ground, a shape, a dash."""

    light: str
    dark: str
    shape: str
    dash: str = ""


@dataclass(frozen=True)
class Subject:
    title: str
    look: Look


# Ours are cool and solid, peers are warm and dashed: all people can tell blue from orange, and within each
# group shapes and labels differ where hues are not enough.
SUBJECTS = {
    "crowd": Subject("Crowd", Look("#0a58ca", "#6ea8ff", "circle")),
    "row_grid": Subject("RowGrid", Look("#007f86", "#3ccfd0", "square")),
    "double_grid": Subject("DoubleGrid", Look("#5a4fcf", "#a59bff", "diamond")),
    "loose_tree": Subject("LooseTree", Look("#23805a", "#57c896", "down")),
    "tight_quadtree": Subject("TightQuadtree", Look("#7a46b8", "#c597f5", "plus")),
    "nested_index": Subject("NestedIndex", Look("#4a6785", "#9db8d4", "cross")),
    "brute_force": Subject("BruteForce", Look("#7b8794", "#8f9bab", "bar")),
    "boost_rtree": Subject("Boost R-tree", Look("#c2410c", "#ff9460", "circle", "6 3")),
    "nanoflann": Subject("nanoflann", Look("#b7791f", "#f2b84b", "square", "2 3")),
    "box2d_tree": Subject("Box2D tree", Look("#9c4a1a", "#e0996c", "diamond", "8 3 2 3")),
    "bullet_dbvt": Subject("Bullet btDbvt", Look("#b3374a", "#ff8f9c", "up", "4 3")),
    "embree": Subject("Embree", Look("#8a6d00", "#e3cc4a", "down", "10 4")),
    "plain_grid": Subject("Plain grid", Look("#6f6259", "#b8aba1", "plus", "1 3")),
    "plain_hash": Subject("Spatial hash", Look("#7d6b2f", "#c9b878", "square", "1 3")),
    "plain_sweep": Subject("Sort and sweep", Look("#8a5566", "#d9a3b5", "up", "1 3")),
    "plain_box_tree": Subject("Plain box tree", Look("#7d5a3c", "#cfa27e", "diamond", "1 3")),
    "plain_vp_tree": Subject("VP-tree", Look("#94504a", "#e39c94", "down", "1 3")),
}

# A way into the library: it has single calls, and no other work.
DOORS = {"c_api": Subject("C API", Look("#5a4fcf", "#a59bff", "diamond"))}
# These are asked about walls and triangles only.
OF_OBSTACLES = {
    "obstacles": Subject("Obstacles", Look("#0a58ca", "#6ea8ff", "circle")),
    "box2d_world": Subject("Box2D world", Look("#9c4a1a", "#e0996c", "diamond", "8 3 2 3")),
}
# Only in measurements that were recorded while the library had it.
GONE = {"old_loose_tree": Subject("LooseTree of before", Look("#2b8fc4", "#59c1f2", "up"))}
DRESSED = {**SUBJECTS, **GONE, **DOORS, **OF_OBSTACLES}

# The kinds of work whose speed-up on more threads is drawn, by their names in span.csv.
LOADS = {
    "update": Subject("Update", Look("#0a58ca", "#6ea8ff", "circle")),
    "pairs": Subject("All pairs", Look("#c2410c", "#ff9460", "square")),
    "neighbours": Subject("Neighbours", Look("#23805a", "#57c896", "diamond")),
    "balls": Subject("Balls, a batch", Look("#7a46b8", "#c597f5", "up")),
}

UNKNOWN = Look("#6f6259", "#b8aba1", "cross", "3 3")


def title_of(subject):
    """A structure that this page does not know yet goes by the name that the CSV gives it."""
    return DRESSED[subject].title if subject in DRESSED else subject


def look_of(subject):
    return DRESSED[subject].look if subject in DRESSED else UNKNOWN


def order_of(subject):
    known = list(DRESSED)
    return (known.index(subject), "") if subject in DRESSED else (len(known), subject)


def way_of(way):
    return WAYS.get(way, way.replace("_", " "))


def ground_title(ground):
    """A ground is where a measurement was made: dimensions and scene."""
    dim, scene = ground
    return f"{dim}D {scene}"
