"""What periodic worlds, half lists and bricks of ranks take, beside what is plain: a CSV of what throng_bench and
throng_ranks print, and a chart of each."""

import csv
import io
import json
import os
import re
import statistics

import digits
from chart import Axis, Chart, Mark, Rule, Series
from measurements import Malformed
from names import Look

COLUMNS = ("machine", "isa", "date", "chart", "question", "dim", "agents", "plain_ns", "ns", "runs")

# Names of benchmarks in bench/worlds, and what they are called here.
QUESTIONS = {
    "neighbours": "lists of all", "half_lists": "half lists", "counts": "counts", "pairs_within": "pairs within a distance",
    "pairs_that_overlap": "pairs that overlap", "ball_batch": "a batch of balls", "balls_one_by_one": "balls one by one",
    "nearest_8": "the 8 nearest of all", "fused_sums": "a fused kernel", "lasting_lists": "lasting lists",
}
HALVES = {"half_lists": "half lists", "pairs_within": "pairs within a distance"}
# chart: (title, what it shows, name of the value 1).
CHARTS = {
    "periodic": ("Periodic worlds beside plain ones", "How many times as long calls take about all agents where all axes are "
                 "periodic, on one thread.", "a plain world"),
    "half-lists": ("Each pair once", "How many times as long half lists take, and pairs, as lists that have each pair twice.",
                   "whole lists"),
    "ranks": ("A rank's share beside a plain grid", "How many times as long one of 64 ranks takes to update its brick, without "
              "the wire, as a plain grid of as many agents.", "a plain grid"),
}
AGENTS = 100_000  # of the worlds that throng_bench makes
UNITS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}
SHAPES = {2: ("2D", "circle"), 3: ("3D", "square")}


def gather(folder):
    """A CSV, as text, from the files of a folder: *.json of throng_bench, and ranks.txt, what `throng_ranks --cost`
    printed once for each number of agents, after a line `agents <n>`. Raises OSError, or Malformed."""
    times, facts = {}, {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".json"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                run = json.load(file)
            facts = {"machine": run["context"]["machine"], "isa": run["context"]["isa"], "date": run["context"]["date"][:10]}
            for one in run["benchmarks"]:
                if one.get("run_type") != "aggregate":
                    nanoseconds = one["real_time"] * UNITS[one["time_unit"]] / AGENTS
                    times.setdefault(one["name"].removesuffix("/manual_time"), []).append(nanoseconds)
    if not times:
        raise Malformed(f"{folder}: has no times of throng_bench")
    rows = []
    for dim in SHAPES:
        for kind, title in QUESTIONS.items():
            rows += _row("periodic", title, dim, times, f"worlds/{kind}/{dim}d/plain", f"worlds/{kind}/{dim}d/periodic")
        for kind, title in HALVES.items():
            rows += _row("half-lists", title, dim, times, f"worlds/neighbours/{dim}d/plain", f"worlds/{kind}/{dim}d/plain")
    with open(os.path.join(folder, "ranks.txt"), encoding="utf-8") as file:
        text = file.read()
    bricks = {}
    for agents, brick, plain in re.findall(r"^agents (\d+)\n.*bricks: ([\d.]+) ms, a plain grid of as many agents ([\d.]+) ms",
                                           text, re.MULTILINE):
        bricks.setdefault(int(agents) * 4 // 64, []).append((float(plain), float(brick)))
    if sum(map(len, bricks.values())) != len(re.findall("^agents ", text, re.MULTILINE)):
        raise Malformed(f"{folder}/ranks.txt: a run of throng_ranks has no times")
    for agents, runs in sorted(bricks.items()):
        plain, brick = (statistics.median(run[side] for run in runs) * 1e6 / agents for side in (0, 1))
        rows.append(("ranks", f"{digits.whole(agents)} agents a rank", 2, agents, plain, brick, len(runs)))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows((*facts.values(), *row[:4], f"{row[4]:.4f}", f"{row[5]:.4f}", row[6]) for row in rows)
    return text.getvalue()


def _row(chart, title, dim, times, plain, other):
    if plain not in times or other not in times:
        return []
    return [(chart, title, dim, AGENTS, statistics.median(times[plain]), statistics.median(times[other]), len(times[other]))]


def is_variants(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.readline().rstrip("\n") == ",".join(COLUMNS)


def read(path):
    """Rows as dictionaries, with `line`, `plain` and `times` as long. Raises Malformed, or OSError."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for line, row in enumerate(rows, 2):
        try:
            row.update(line=line, dim=int(row["dim"]), times=float(row["ns"]) / float(row["plain_ns"]))
        except (TypeError, ValueError, ZeroDivisionError):
            raise Malformed(f"{path}, line {line}: is no row of what variants take") from None
        if row["chart"] not in CHARTS or row["dim"] not in SHAPES or not row["times"] > 0:
            raise Malformed(f"{path}, line {line}: is no row of what variants take")
    if not rows:
        raise Malformed(f"{path}: holds no measurement")
    return rows


def charts(rows):
    return [_chart(key, [row for row in rows if row["chart"] == key]) for key in CHARTS]


def _chart(key, rows):
    title, about, one = CHARTS[key]
    questions = list(dict.fromkeys(row["question"] for row in rows))
    chart = Chart(key=key, title=title, about=about, kind="rows",
                  x=Axis("times as long", lambda times: f"{digits.significant(times)}×", log=False), y=None, series=[],
                  rules=[Rule(1.0, one)], row_names=questions, row_subjects=[""] * len(questions), ours=frozenset(["crowd"]))
    for dim, (name, shape) in SHAPES.items():
        marks = [Mark(row["times"], questions.index(row["question"]),
                      f"{row['question']}, {name}: {row['ns']} ns an agent, {row['plain_ns']} plain",
                      f"{row['line']}:ns", row["ns"], subject="crowd") for row in rows if row["dim"] == dim]
        if marks:
            chart.series.append(Series(name, name, Look("", "", shape), True, marks))
    return chart
