"""Reads shootout.csv. Every deviation from the format is refused with its line and column."""

import csv
import math
import re
from dataclasses import dataclass, field

import names

COLUMNS = (
    "subject", "kind", "dim", "scene", "work", "way", "agents", "threads", "asked", "hits", "size",
    "path", "median_ns", "best_ns", "p99_ns", "runs", "bytes", "right",
)
TOO_SLOW = "too slow"


class Malformed(Exception):
    """The CSV is malformed; the text says where."""


@dataclass(frozen=True)
class Row:
    """A measurement. Times are None where nothing was timed, and `why_not` then says why."""

    subject: str
    kind: str
    dim: int
    scene: str
    work: str
    way: str
    agents: int
    threads: int
    size: float
    path: str
    median_ns: float
    p99_ns: float
    runs: int
    bytes: float
    right: str
    text: dict = field(compare=False, repr=False)  # every field as it stands in the file
    line: int = field(compare=False, default=0)

    @property
    def ground(self):
        return (self.dim, self.scene)

    @property
    def timed(self):
        return self.median_ns is not None

    @property
    def why_not(self):
        if self.timed:
            return ""
        return "wrong answers" if self.right == "no" else TOO_SLOW


@dataclass(frozen=True)
class Measurements:
    """All rows, and the machine and versions from the lines above them. Single calls and questions about obstacles,
    which compete with each other only, are kept apart."""

    facts: dict
    rows: list
    calls: list = field(default_factory=list)
    obstacles: list = field(default_factory=list)

    @property
    def machine(self):
        return self.facts.get("machine", "a machine without a name")

    @property
    def peer_versions(self):
        return {name: text for name, text in self.facts.items() if name not in names.FACTS}


class _Line:
    """One row while it is read: knows where it is, to say so."""

    def __init__(self, place, number, fields):
        self.place = f"{place}, line {number}"
        self.fields = dict(zip(COLUMNS, fields))

    def refuse(self, column, what):
        raise Malformed(f"{self.place}, column {column}: {what}")

    def word(self, column, allowed=None):
        value = self.fields[column]
        if not value:
            self.refuse(column, "is empty")
        if allowed is not None and value not in allowed:
            self.refuse(column, f"'{value}' is none of {', '.join(map(str, allowed))}")
        return value

    def name(self, column):
        """A word that needs no escaping on the page."""
        value = self.word(column)
        if not re.fullmatch("[a-z0-9_]+", value):
            self.refuse(column, f"'{value}' is no name of small letters, digits and _")
        return value

    def number(self, column, needed=False):
        """A finite number from zero up; None if the field is empty and may be."""
        value = self.fields[column]
        if not value:
            if needed:
                self.refuse(column, "is empty")
            return None
        try:
            number = float(value)
        except ValueError:
            self.refuse(column, f"'{value}' is not a number")
        if not math.isfinite(number) or number < 0:
            self.refuse(column, f"'{value}' is not a finite number from 0 up")
        return number

    def count(self, column):
        number = self.number(column, needed=True)
        if number < 1 or number != int(number):
            self.refuse(column, f"'{self.fields[column]}' is not a whole number from 1 up")
        return int(number)

    def row(self, number):
        for column in ("best_ns", "asked", "hits"):
            self.number(column)
        right = self.word("right", ("yes", "no", "-"))
        path = self.fields["path"]
        untimed = right == "no" or path == TOO_SLOW
        median = self.number("median_ns", needed=not untimed)
        if median == 0:
            self.refuse("median_ns", "is 0, which nothing takes")
        return Row(
            subject=self.name("subject"),
            kind=self.word("kind", names.KINDS),
            dim=int(self.word("dim", ("2", "3"))),
            scene=self.name("scene"),
            work=self.word("work", (*names.WORKS, *names.CALLS, *names.OBSTACLES)),
            way=self.fields["way"],
            agents=self.count("agents"),
            threads=self.count("threads"),
            size=self.number("size", needed=self.fields["work"] == "sweep" and not untimed),
            path=path,
            # Wrong answers have no speed, whatever the file may say.
            median_ns=None if untimed else median,
            p99_ns=None if untimed else self.number("p99_ns"),
            runs=int(self.number("runs") or 0),
            bytes=self.number("bytes") or None,
            right=right,
            text=self.fields,
            line=number,
        )


def read(path):
    """The measurements in a file. Raises Malformed, or OSError where it cannot be read."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return parse(file.read().splitlines(), path)
    except UnicodeDecodeError:
        raise Malformed(f"{path}: is not text in UTF-8") from None


def parse(lines, place):
    facts, begin = _facts(lines, place)
    if begin == len(lines):
        raise Malformed(f"{place}: has no header row")
    _check_header(next(csv.reader([lines[begin]])), f"{place}, line {begin + 1}")
    rows, seen = [], {}
    for number, line in enumerate(lines[begin + 1:], begin + 2):
        if not line:
            continue
        fields = next(csv.reader([line]))
        if len(fields) != len(COLUMNS):
            last = COLUMNS[min(len(fields), len(COLUMNS)) - 1]
            raise Malformed(f"{place}, line {number}, column {last}: the line ends or goes on here: "
                            f"{len(fields)} fields instead of {len(COLUMNS)}")
        row = _Line(place, number, fields).row(number)
        key = (row.subject, row.dim, row.scene, row.work, row.way, row.agents, row.threads, row.size)
        if key in seen:
            raise Malformed(f"{place}, line {number}, column subject: measured already in line {seen[key]}")
        seen[key] = number
        rows.append(row)
    calls = [row for row in rows if row.work in names.CALLS]
    obstacles = [row for row in rows if row.work in names.OBSTACLES]
    rows = [row for row in rows if row.work in names.WORKS]
    if not any(row.timed for row in rows):
        raise Malformed(f"{place}: holds no measurement")
    return Measurements(facts, rows, calls, obstacles)


def _facts(lines, place):
    facts = {}
    for index, line in enumerate(lines):
        if not line.startswith("#"):
            return facts, index
        name, comma, value = line[1:].strip().partition(",")
        if not comma:
            raise Malformed(f"{place}, line {index + 1}: '{line}' is no '# name,value'")
        facts[name.strip()] = value.strip()
    return facts, len(lines)


def _check_header(header, place):
    for column in header:
        if column not in COLUMNS:
            raise Malformed(f"{place}, column {column}: is unknown")
    for expected, found in zip(COLUMNS, header + [""] * len(COLUMNS)):
        if expected != found:
            raise Malformed(f"{place}, column {expected}: is missing or out of place")
    if len(header) > len(COLUMNS):
        raise Malformed(f"{place}, column {header[len(COLUMNS)]}: is there twice")
