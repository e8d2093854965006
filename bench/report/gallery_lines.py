"""Charts with lines: time against agents, threads and sizes."""

import digits
import names
from chart import Axis, Cell, Chart, Mark, Rule, Series, cell_of
from derived import FRAME_NS, fastest, is_shuffled

SHAPES_OF_PATHS = ("circle", "square", "diamond", "up", "down", "plus", "cross")


def _series(table, subject, marks):
    return Series(subject, names.title_of(subject), names.look_of(subject), table.ours(subject), marks)


def _tip(row, *parts):
    way = f" ({names.way_of(row.way)})" if row.way else ""
    said = ", ".join((f"{digits.whole(row.agents)} agents",) + parts)
    return f"{names.title_of(row.subject)}{way}: {said}; median {row.text['median_ns']} ns"


def _per(work):
    return f"ns {'an agent' if names.WORKS[work].per == 'agent' else 'a question'}"


def _in_order(table, work, ground, subject):
    """The fastest way at each count, shuffled questions left aside."""
    rows = [row for row in table.select(work, ground, subject=subject) if not is_shuffled(row)]
    best = (fastest([row for row in rows if row.agents == agents])
            for agents in sorted({row.agents for row in rows}))
    return list(best)


def _against_agents(table, work, ground, place, chart):
    """Fills a chart with a line for each structure; `place` gives a row its mark's height and words."""
    counts = sorted({row.agents for row in table.select(work, ground)})
    chart.x = Axis("agents", digits.count, ticks=tuple(counts))
    chart.header = [_per(work)] + [f"{digits.whole(count)} agents" for count in counts]
    for subject in table.subjects:
        rows = _in_order(table, work, ground, subject)
        marks = []
        for row in rows:
            if row.timed:
                height, words = place(row)
                tip = _tip(row, words) if words else _tip(row)
                marks.append(Mark(row.agents, height, f"{tip} {_per(work)[3:]}", f"{row.line}:median_ns",
                                  row.text["median_ns"]))
        if marks:
            chart.series.append(_series(table, subject, marks))
        if rows:
            by_count = {row.agents: row for row in rows}
            chart.table.append([Cell(names.title_of(subject))] +
                               [cell_of(by_count.get(count), "median_ns") for count in counts])
    return chart


def frame_chart(table, ground):
    chart = Chart(
        key=f"frame-{ground[0]}d-{ground[1]}",
        title=f"Time of a frame, {names.ground_title(ground)}",
        about="Everything moves and all overlapping pairs are found. Lower is faster; below the line, "
              "sixty frames a second (16.7 ms).",
        kind="lines", x=None, y=Axis("time of a frame", lambda ms: digits.time(ms * 1e6)), series=[],
        rules=[Rule(FRAME_NS / 1e6, "60 Hz")])

    def place(row):
        ms = row.median_ns * row.agents / 1e6
        return ms, f"{digits.time(ms * 1e6)} a frame"
    return _against_agents(table, "frame", ground, place, chart)


def work_chart(table, work, ground):
    kind = names.WORKS[work]
    chart = Chart(
        key=f"{work}-{ground[0]}d-{ground[1]}",
        title=f"{kind.title}, {names.ground_title(ground)}",
        about=f"{kind.about[0].upper()}{kind.about[1:]}. Time {_per(work)[3:]}, each structure by its "
              "fastest way, questions in order.",
        kind="lines", x=None, y=Axis("time", digits.time), series=[])
    return _against_agents(table, work, ground, lambda row: (row.median_ns, ""), chart)


def scaling_chart(table, work, ground):
    """The speed-up with more threads, relative to the fewest measured."""
    rows = [row for row in table.rows
            if row.work == work and row.ground == ground and row.timed and not is_shuffled(row)]
    crews = {(row.subject, row.agents, row.way) for row in rows if row.threads > table.threads}
    agents = max((agents for _, agents, _ in crews), default=0)
    agents = table.agents[ground] if any(a == table.agents[ground] for _, a, _ in crews) else agents
    counts = sorted({row.threads for row in rows})
    chart = Chart(
        key=f"scaling-{work}-{ground[0]}d-{ground[1]}",
        title=f"Threads: {names.WORKS[work].title.lower()}, {names.ground_title(ground)}",
        about=f"How many times as fast as on {threads(table.threads)}, {digits.whole(agents)} agents.",
        kind="lines", x=Axis("threads", digits.whole, ticks=tuple(counts)),
        y=Axis("times as fast", digits.significant, log=False), series=[], ideal="as many times as threads",
        header=[_per(work)] + [threads(count) for count in counts])
    for subject in table.subjects:
        best = {}
        for row in rows:
            if row.subject == subject and row.agents == agents and (subject, agents, row.way) in crews:
                kept = best.get(row.threads)
                best[row.threads] = fastest([kept, row]) if kept else row
        if table.threads not in best:
            continue
        alone = best[table.threads].median_ns
        marks = []
        for count, row in sorted(best.items()):
            words = f"{threads(count)}, {digits.significant(alone / row.median_ns)} times as fast"
            marks.append(Mark(count, alone / row.median_ns, _tip(row, words), f"{row.line}:median_ns",
                              row.text["median_ns"]))
        chart.series.append(_series(table, subject, marks))
        chart.table.append([Cell(names.title_of(subject))] +
                           [cell_of(best.get(count), "median_ns") for count in counts])
    return chart


def threads(count):
    return "one thread" if count == 1 else f"{count} threads"


def sweep_chart(table, ground):
    """Boxes of growing size, and at each of the crowd's marks the way that its planner chose."""
    everything = [row for row in table.select("sweep", ground)]
    agents = max((row.agents for row in everything if row.timed), default=0)
    everything = [row for row in everything if row.agents == agents and row.size]
    sizes = sorted({row.size for row in everything})
    paths = sorted({row.path for row in everything if row.path and row.timed})
    shapes = dict(zip(paths, SHAPES_OF_PATHS))
    chart = Chart(
        key=f"sweep-{ground[0]}d-{ground[1]}",
        title=f"Boxes of growing size, {names.ground_title(ground)}, {digits.whole(agents)} agents",
        about="Time a question against half the width of the box, both by logarithm. The shapes on the "
              "line of the Crowd tell which way its planner took.",
        kind="lines", x=Axis("half extent of the box", digits.significant), y=Axis("time", digits.time),
        series=[], header=[_per("sweep")] + [digits.significant(size) for size in sizes],
        shapes=[(shape, f"planner: {path}") for path, shape in shapes.items()])
    for subject in table.subjects:
        rows = {size: fastest([row for row in everything if row.subject == subject and row.size == size])
                for size in sizes}
        marks, last = [], None
        for size, row in rows.items():
            if row and row.timed:
                words = [f"half extent {digits.significant(size)}"]
                if row.text["hits"] and float(row.text["asked"] or 0):
                    hits = float(row.text["hits"]) / float(row.text["asked"])
                    words.append(f"{digits.significant(hits) if hits else 0} hits a question")
                if row.path:
                    words.append(f"planner: {row.path}")
                marks.append(Mark(size, row.median_ns, _tip(row, *words), f"{row.line}:median_ns",
                                  row.text["median_ns"], shapes.get(row.path, ""),
                                  row.path if row.path != last else ""))
                last = row.path
        if marks:
            chart.series.append(_series(table, subject, marks))
            chart.table.append([Cell(names.title_of(subject))] +
                               [cell_of(rows[size], "median_ns") for size in sizes])
            if any(row and row.path for row in rows.values()):
                chart.table.append([Cell("– by its planner")] +
                                   [Cell(row.path if row and row.timed else "–") for row in rows.values()])
    return chart
