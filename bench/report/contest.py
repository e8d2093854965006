"""Our best against the best peer, line by line, and which lines are close."""

import configparser
import os
from dataclasses import dataclass

import derived
import names

# Closer than so many times, a line needs a reason.
NEAR, NEAR_UPDATE = 5.0, 2.0
REASONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "reasons.ini")


@dataclass(frozen=True)
class Line:
    """`task` is the kind of work and how it was asked, such as box-shuffled."""

    task: str
    title: str
    ground: tuple
    agents: int
    threads: int
    size: float
    ours: object
    peer: object

    @property
    def ratio(self):
        return self.peer.median_ns / self.ours.median_ns

    @property
    def limit(self):
        return NEAR_UPDATE if self.task == "update" else NEAR

    @property
    def near(self):
        return self.ratio < self.limit


def _tasks(row):
    """What a row is a candidate for: the fastest way in order or shuffled, and one call each."""
    title = names.WORKS[row.work].title
    if derived.is_shuffled(row):
        return [(f"{row.work}-shuffled", f"{title}, shuffled")]
    tasks = [(row.work, title)]
    if row.way == "single" and row.work != "sweep":
        tasks.append((f"{row.work}-single", f"{title}, one call each"))
    return tasks


def lines(measurements):
    """A line wherever ours and a peer have a time for the same."""
    sides = {}
    for row in measurements.rows:
        if not row.timed or row.subject == derived.NO_CONTENDER:
            continue
        for task, title in _tasks(row):
            key = (task, title, row.ground, row.agents, row.threads, row.size)
            sides.setdefault(key, ([], []))[0 if row.kind == "ours" else 1].append(row)
    found = [Line(*key, derived.fastest(ours), derived.fastest(peers))
             for key, (ours, peers) in sides.items() if ours and peers]
    return [line for line in found if not _said_already(line, found)]


def _said_already(line, found):
    """One call each is a line of its own only where packets changed who wins, or by how much."""
    if not line.task.endswith("-single"):
        return False
    whole = line.task[:-len("-single")]
    return any(other.task == whole and other.ours is line.ours and other.peer is line.peer
               for other in found if other.ground == line.ground and other.agents == line.agents)


class Reasons:
    """Why a peer comes close, by task and peer: [task/peer] or [task/peer/scene] in reasons.ini."""

    def __init__(self, path=REASONS):
        self._parser = configparser.ConfigParser(interpolation=None)
        with open(path, encoding="utf-8") as file:
            self._parser.read_file(file)

    def of(self, line):
        whole = line.task.split("-")[0]
        for task in (line.task, whole):
            for key in (f"{task}/{line.peer.subject}/{line.ground[1]}", f"{task}/{line.peer.subject}"):
                if self._parser.has_option(key, "why"):
                    return " ".join(self._parser.get(key, "why").split())
        return "no reason known yet"

    def keys(self):
        return self._parser.sections()
