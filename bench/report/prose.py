"""Texts whose figures come from the measurements.

A sentence may hold figures in braces; one that lacks a figure is left out. A figure is

    {work}                      time at the count that is compared, 2D, uniform: "9.41 ns"
    {work:agents:scene:dim}     elsewhere; what is left empty stays as above
    {subject.work...}           of another structure
    {figure/figure}             how many times the first is of the second: "3.2"

where work may also be `bytes`, `sixty` (agents at 60 Hz), or end in `-shuffled`; `{agents}` alone
is the count that is compared, and `{fewest_frames}` and `{most_frames}` say how many were timed.
"""

import configparser
import os
import re

import digits
import names

TEXTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "texts.ini")
FIGURE = re.compile(r"\{([^{}]*)\}")
TERM = re.compile(r"(?:(?P<subject>[a-z0-9_]+)\.)?(?P<work>[a-z]+)(?P<shuffled>-shuffled)?"
                  r"(?::(?P<agents>\d*))?(?::(?P<scene>[a-z]*))?(?::(?P<dim>[23])d)?")


class _Lacking(Exception):
    """The measurements do not hold this figure."""


def load(path=TEXTS):
    parser = configparser.ConfigParser(interpolation=None)
    with open(path, encoding="utf-8") as file:
        parser.read_file(file)
    return parser


def fill(text, table, subject):
    """The text with its figures, without the sentences that lack one."""
    kept = []
    for sentence in re.split(r"(?<=[.!?])\s+", " ".join(text.split())):
        try:
            kept.append(FIGURE.sub(lambda found: _figure(found[1], table, subject), sentence))
        except _Lacking:
            continue
    return " ".join(kept)


def _figure(expression, table, subject):
    if expression == "agents":
        return digits.whole(table.agents[table.main])
    if expression in ("fewest_frames", "most_frames"):
        runs = [row.runs for row in table.rows if row.work == "frame" and row.timed]
        if not runs:
            raise _Lacking
        return digits.whole(min(runs) if expression == "fewest_frames" else max(runs))
    terms = expression.split("/")
    values = [_value(term, table, subject) for term in terms]
    if len(values) == 2:
        return digits.times(values[0] / values[1])
    work = TERM.fullmatch(expression)["work"]
    return digits.significant(values[0]) if work in ("bytes", "sixty") else digits.time(values[0])


def _value(term, table, subject):
    found = TERM.fullmatch(term)
    if not found or found["work"] not in (*names.WORKS, "bytes", "sixty"):
        raise ValueError(f"'{term}' is no figure")
    subject = found["subject"] or subject
    ground = (int(found["dim"] or table.main[0]), found["scene"] or table.main[1])
    if ground not in table.grounds:
        raise _Lacking
    if found["work"] == "sixty":
        return _needed(table.sixty_hertz(subject, ground), lambda at: at.exact).agents
    if found["work"] == "bytes":
        return _needed(table.bytes(subject, ground), bool).bytes
    agents = int(found["agents"]) if found["agents"] else None
    row = table.best(subject, found["work"], ground, agents, bool(found["shuffled"]))
    return _needed(row, lambda row: row.timed).median_ns


def _needed(thing, good):
    if thing is None or not good(thing):
        raise _Lacking
    return thing
