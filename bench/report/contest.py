"""Our best against the best peer, line by line, and which lines are close."""

import configparser
import os
from dataclasses import dataclass

import derived
import names

# A line whose ratio is below this needs a reason.
NEAR, NEAR_UPDATE = 5.0, 2.0
REASONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "reasons.ini")


@dataclass(frozen=True)
class Line:
    """`task` is the kind of work and the way of asking, such as box-shuffled."""

    task: str
    title: str
    ground: tuple
    agents: int
    threads: int
    size: float
    ours: object
    peer: object
    crowd: object = None  # Crowd's row; `ours` may be another structure's

    @property
    def ratio(self):
        return self.peer.median_ns / self.ours.median_ns

    @property
    def crowd_ratio(self):
        return self.peer.median_ns / self.crowd.median_ns if self.crowd else None

    @property
    def limit(self):
        return NEAR_UPDATE if self.task == "update" else NEAR

    @property
    def near(self):
        return self.ratio < self.limit


def _tasks(row):
    """The tasks that a row competes in: the fastest way in order or shuffled, and one call each."""
    task, title = row.work, names.WORKS[row.work].title
    if derived.is_shuffled(row):
        task, title = f"{task}-shuffled", f"{title}, shuffled"
    tasks = [(task, title)]
    if row.way in ("single", "single_shuffled") and row.work != "sweep":
        tasks.append((f"{task}-single", f"{title}, one call each"))
    return tasks


def lines(measurements):
    """A line for each task in which both one of ours and a peer have a time."""
    sides = {}
    for row in measurements.rows:
        if not row.timed or row.subject == derived.NO_CONTENDER:
            continue
        for task, title in _tasks(row):
            key = (task, title, row.ground, row.agents, row.threads, row.size)
            sides.setdefault(key, ([], []))[0 if row.kind == "ours" else 1].append(row)
    found = [Line(*key, derived.fastest(ours), derived.fastest(peers),
                  derived.fastest([row for row in ours if row.subject == "crowd"]))
             for key, (ours, peers) in sides.items() if ours and peers]
    return [line for line in found if not _said_already(line, found)]


def _said_already(line, found):
    """One call each is a line of its own only where batches changed the winner or the ratio."""
    if not line.task.endswith("-single"):
        return False
    whole = line.task[:-len("-single")]
    return any(other.task == whole and other.ours is line.ours and other.peer is line.peer
               for other in found if other.ground == line.ground and other.agents == line.agents)


class Reasons:
    """Why a peer comes close, by task and peer: [task/peer], [task/peer/scene] or [task/peer/2d] in
    reasons.ini."""

    def __init__(self, path=REASONS):
        self._parser = configparser.ConfigParser(interpolation=None)
        with open(path, encoding="utf-8") as file:
            self._parser.read_file(file)

    def of(self, line):
        work, *suffixes = line.task.split("-")
        dim, scene = line.ground
        for task in (line.task, *(f"{work}-{suffix}" for suffix in reversed(suffixes)), work):
            whole = f"{task}/{line.peer.subject}"
            for key in (f"{whole}/{scene}", f"{whole}/{dim}d", whole):
                if self._parser.has_option(key, "why"):
                    return " ".join(self._parser.get(key, "why").split())
        return "no reason known yet"

    def keys(self):
        return self._parser.sections()
