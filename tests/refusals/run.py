"""Runs the table of refusals through doors to the library: every language must refuse the same, with the same sentence.

usage: run.py [--table <file>] {--door <name> <command>...}...

README.md says what a row is, and what a door's program prints. A program that exits with 77 has said what it lacks,
and is left out.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import Dict, List, NamedTuple, Tuple

SKIPPED = 77
TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "table.tsv")
#: What a row may say of a door beside the name of an exception: it cannot be asked that.
ABSENT = "absent"


class Row(NamedTuple):
    sentence: str
    exceptions: Dict[str, str]  # by door


class Table(NamedTuple):
    groups: Dict[str, List[str]]  # doors that share names of arguments
    rows: Dict[str, Row]


def read(path: str) -> Table:
    table = Table({}, {})
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("#") or not line.strip():
                continue
            fields = line.rstrip("\n").split("\t")
            if fields[0].startswith("@"):
                table.groups[fields[0][1:]] = fields[1].split()
                continue
            if len(fields) not in (3, 4) or fields[0] in table.rows:
                raise SystemExit(f"{path}:{number}: expected a new name, a call, a sentence, and exceptions if any")
            exceptions = dict(one.split(":") for one in fields[3].split()) if len(fields) == 4 else {}
            table.rows[fields[0]] = Row(fields[2], exceptions)
    return table


def sentence_for(door: str, row: Row, table: Table) -> str:
    """The row's sentence with the names that this door has for things: {ball|throng.h: questions.shapes}."""

    def chosen(match: "re.Match[str]") -> str:
        preset, *others = match.group(1).split("|")
        named = dict(other.split(": ", 1) for other in others)
        for group in [door] + [name for name, doors in table.groups.items() if door in doors]:
            if group in named:
                return named[group]
        return preset

    return re.sub(r"\{([^}]*)\}", chosen, row.sentence)


def faults_of(door: str, output: str, table: Table) -> List[str]:
    """What differs between the table and what a door said."""
    faults = []
    said: Dict[str, str] = {}
    for line in output.splitlines():
        name, tab, sentence = line.partition("\t")
        if not tab or name in said:
            faults.append(f"this is no name and sentence, or comes twice: {line}")
        said[name] = sentence
    for name, row in table.rows.items():
        exception = row.exceptions.get(door)
        if exception == ABSENT:
            if name in said:
                faults.append(f"{name}: the table says that it cannot be asked, and it said: {said[name]}")
        elif name not in said:
            faults.append(f"{name}: is not asked")
        elif exception is not None:
            if not said[name].startswith(f"{exception}: "):
                faults.append(f"{name}: should be a {exception}, and said: {said[name]}")
        elif said[name] != sentence_for(door, row, table):
            faults.append(f"{name}\n    should say: {sentence_for(door, row, table)}\n    and said:   {said[name]}")
    faults += [f"{name}: is not in the table" for name in said if name not in table.rows]
    return faults


def arguments(words: List[str]) -> Tuple[str, Dict[str, List[str]]]:
    path = TABLE
    if words[:1] == ["--table"]:
        path, words = words[1], words[2:]
    doors: Dict[str, List[str]] = {}
    while words:
        if words[0] != "--door" or len(words) < 3:
            raise SystemExit(__doc__)
        end = words.index("--door", 1) if "--door" in words[1:] else len(words)
        doors[words[1]] = words[2:end]
        words = words[end:]
    if not doors:
        raise SystemExit(__doc__)
    return path, doors


def main() -> int:
    path, doors = arguments(sys.argv[1:])
    table = read(path)
    failed = asked = False
    for door, command in doors.items():
        done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=600)
        if done.returncode == SKIPPED:
            print(f"skipped: {door}: {' '.join((done.stdout + done.stderr).split())}")
            continue
        asked = True
        faults = faults_of(door, done.stdout, table)
        if done.returncode != 0:
            faults.append(f"ended with {done.returncode}: {done.stderr.strip()}")
        print(f"{door}: {len(done.stdout.splitlines())} refusals, {len(faults)} faults")
        for fault in faults:
            print(f"  {fault}")
        failed = failed or bool(faults)
    return 1 if failed or not asked else 0


if __name__ == "__main__":
    sys.exit(main())
