"""Reads span.csv, which throng_span writes: what is reckoned for more threads than the machine has."""

import csv
import math
from dataclasses import dataclass, field

from measurements import Malformed

COLUMNS = (
    "machine", "isa", "executor", "workload", "index", "scene", "dim", "agents", "threads", "ms", "speedup",
    "efficiency", "limit", "lost_serial_ms", "lost_blocks_ms", "lost_wake_ups_ms", "lost_memory_ms", "loops",
    "blocks", "longest_block_ms", "serial_ms", "runs",
)


@dataclass(frozen=True)
class Row:
    """What one call takes on one number of threads."""

    workload: str
    index: str
    scene: str
    dim: int
    agents: int
    threads: int
    ms: float
    speedup: float
    lost_memory_ms: float
    text: dict = field(compare=False, repr=False)  # every field as it stands in the file
    line: int = field(compare=False, default=0)


@dataclass(frozen=True)
class Span:
    """All rows, and the words of the first about the machine: a file is of one run."""

    rows: list

    def fact(self, name):
        return self.rows[0].text[name]

    def lines(self, index, scene, dim, agents):
        """{workload: rows by threads} of one crowd; the first row of each is that of one thread."""
        found = {}
        for row in self.rows:
            if (row.index, row.scene, row.dim, row.agents) == (index, scene, dim, agents):
                found.setdefault(row.workload, []).append(row)
        return {workload: sorted(rows, key=lambda row: row.threads) for workload, rows in found.items()}


def is_span(path):
    """Whether the file begins as throng_span's do; raises OSError where it cannot be read."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.readline().startswith("machine,")


def read(path):
    """The rows of a file. Raises Malformed, or OSError where it cannot be read."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return parse(file.read().splitlines(), path)
    except UnicodeDecodeError:
        raise Malformed(f"{path}: is not text in UTF-8") from None


def parse(lines, place):
    if not lines or tuple(next(csv.reader([lines[0]]))) != COLUMNS:
        raise Malformed(f"{place}, line 1: is not the header that throng_span writes")
    rows, seen = [], {}
    for number, line in enumerate(lines[1:], 2):
        fields = next(csv.reader([line]), [])
        if len(fields) != len(COLUMNS):
            raise Malformed(f"{place}, line {number}: {len(fields)} fields instead of {len(COLUMNS)}")
        row = _row(dict(zip(COLUMNS, fields)), number, place)
        key = (row.workload, row.index, row.scene, row.dim, row.agents, row.threads)
        if key in seen:
            raise Malformed(f"{place}, line {number}, column workload: reckoned already in line {seen[key]}")
        seen[key] = number
        rows.append(row)
    if not rows:
        raise Malformed(f"{place}: holds no reckoning")
    return Span(rows)


def _row(text, line, place):
    def number(column, low, kind=float):
        try:
            value = kind(text[column])
        except ValueError:
            value = math.nan
        if not low <= value < math.inf:
            raise Malformed(f"{place}, line {line}, column {column}: '{text[column]}' is no number from {low:g} up")
        return value

    row = Row(text["workload"], text["index"], text["scene"], number("dim", 2, int), number("agents", 1, int),
              number("threads", 1, int), number("ms", 1e-5), number("speedup", 1e-4), number("lost_memory_ms", 0),
              text, line)
    # Without it nothing would be left for the work.
    if row.lost_memory_ms >= row.ms:
        raise Malformed(f"{place}, line {line}, column lost_memory_ms: '{text['lost_memory_ms']}' is all of ms")
    return row
