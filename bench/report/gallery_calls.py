"""Single calls, one after another, against the grid that most people write."""

from dataclasses import replace

import digits
import names
from chart import Axis, Cell, Chart, Mark, Series, cell_of
from derived import subjects_in

AGAINST = "plain_grid"


def counts(table):
    """The numbers of agents that single calls were measured with."""
    return sorted({row.agents for row in table.calls})


def calls_chart(table, agents):
    """A row for each kind of call, and in it a mark for each that answers."""
    rows = [row for row in table.calls if row.agents == agents and row.timed]
    subjects = subjects_in(rows)
    calls = list(dict.fromkeys((row.work, row.size) for row in rows))
    found = {(row.subject, row.work, row.size): row for row in rows}
    titles = {(work, size): names.CALLS[work].format(digits.significant(2 * (size or 0))) for work, size in calls}
    chart = Chart(
        key=f"calls-{agents}", title=f"Single calls, {digits.whole(agents)} agents",
        about="One agent a unit of area, without extents, and questions at random places. All take turns within one "
              "run. In the table, how many times as long as the plain grid each takes.",
        kind="rows", x=Axis("time of a call", digits.time), y=None,
        series=[Series(s, names.title_of(s), names.look_of(s), _ours(rows, s)) for s in subjects],
        row_names=list(titles.values()), row_subjects=[""] * len(calls),
        ours=frozenset(s for s in subjects if _ours(rows, s)),
        header=["ns"] + [names.title_of(subject) for subject in subjects])
    for index, call in enumerate(calls):
        cells = [Cell(titles[call])]
        for series, subject in zip(chart.series, subjects):
            row, plain = found.get((subject, *call)), found.get((AGAINST, *call))
            cell = cell_of(row, "median_ns")
            if row:
                ratio = f"{digits.significant(row.median_ns / plain.median_ns)}×" if plain and row is not plain else ""
                cell = replace(cell, small=ratio)
                series.marks.append(Mark(
                    row.median_ns, index,
                    f"{names.title_of(subject)}, {titles[call]}: {row.text['median_ns']} ns{_hits(row)}",
                    f"{row.line}:median_ns", row.text["median_ns"], subject=subject))
            cells.append(cell)
        chart.table.append(cells)
    return chart


def _ours(rows, subject):
    return any(row.subject == subject and row.kind == "ours" for row in rows)


def _hits(row):
    hits, asked = (float(row.text[column] or 0) for column in ("hits", "asked"))
    return f", {digits.significant(hits / asked, 2)} hits" if asked else ""
