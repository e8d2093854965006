"""Walls and triangles: questions about obstacles, against libraries that answer them too."""

import digits
import names
from chart import Axis, Cell, Chart, Mark, Series, cell_of
from derived import subjects_in


def scenes(table):
    """Where obstacles stand, in the order of the file."""
    return list(dict.fromkeys(row.scene for row in table.obstacles))


def scene_title(scene):
    return scene.replace("_", " ")


def obstacles_chart(table, scene):
    """A row for each kind of question, and in it a mark for each that answers; batches apart."""
    rows = [row for row in table.obstacles if row.scene == scene and row.timed]
    asked = [(subject, way) for subject in subjects_in(rows) for way in ("batch", "single")
             if any((row.subject, row.way) == (subject, way) for row in rows)]
    works = [work for work in names.OBSTACLES if any(row.work == work for row in rows)]
    found = {(row.subject, row.way, row.work): row for row in rows}
    kinds = {row.subject: row.kind for row in rows}
    titles = {(s, way): f"{names.title_of(s)}, {names.way_of(way)}" for s, way in asked}
    chart = Chart(
        key=f"obstacles-{scene}", title=f"Obstacles: {scene_title(scene)}",
        about=f"{digits.whole(max(row.agents for row in rows))} of them. All answers were compared, and all take turns "
              "within one run.",
        kind="rows", x=Axis("time of a question", digits.time), y=None,
        series=[Series(f"{s}-{way}", titles[s, way], names.look_of(s), kinds[s] == "ours") for s, way in asked],
        row_names=[names.OBSTACLES[work] for work in works], row_subjects=[""] * len(works),
        ours=frozenset(s for s, _ in asked if kinds[s] == "ours"),
        header=["ns"] + [titles[each] for each in asked])
    for index, work in enumerate(works):
        cells = [Cell(names.OBSTACLES[work])]
        for series, (subject, way) in zip(chart.series, asked):
            row = found.get((subject, way, work))
            cells.append(cell_of(row, "median_ns"))
            if row:
                series.marks.append(Mark(
                    row.median_ns, index,
                    f"{titles[subject, way]}: {names.OBSTACLES[work]}, {row.text['median_ns']} ns",
                    f"{row.line}:median_ns", row.text["median_ns"], subject=subject))
        chart.table.append(cells)
    return chart
