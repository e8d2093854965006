"""Charts with a row for each structure."""

import digits
import names
from chart import Axis, Cell, Chart, Mark, Rule, Series, cell_of
from contest import NEAR, NEAR_UPDATE
from derived import FEWEST_FRAMES, PERCENTILE_FRAMES
from names import Look

SCENE_SHAPES = ("circle", "square", "diamond", "up", "down", "plus")
WAY_SHAPES = {"batch": "circle", "single": "square", "batch_shuffled": "up", "single_shuffled": "down"}
PLAIN = {"look": Look("", "", "circle"), "ours": True}


def _fill_rows(chart, table, subjects):
    """Only structures that have a mark get a row."""
    chart.row_names = [names.title_of(subject) for subject in subjects]
    chart.row_subjects = list(subjects)
    chart.ours = frozenset(subject for subject in subjects if table.ours(subject))
    return {subject: index for index, subject in enumerate(subjects)}


def _shaped(key, title, shape):
    return Series(key, title, Look("", "", shape), True)


def sixty_chart(table, ground):
    found = {subject: table.sixty_hertz(subject, ground) for subject in table.subjects}
    found = {subject: at for subject, at in found.items() if at}
    order = sorted(found, key=lambda subject: -found[subject].agents)
    chart = Chart(
        key=f"sixty-{ground[0]}d-{ground[1]}", title=f"Agents at 60 Hz, {names.ground_title(ground)}",
        about="How many agents may move, with all overlapping pairs found, in 16.7 ms. Between two "
              "measured counts by a straight line on the chart below. ≥: the next count was too slow, or not measured.",
        kind="bars", x=Axis("agents", digits.count, log=False), y=None, series=[Series("at", "", **PLAIN)],
        header=["structure", "agents at 60 Hz", "next count measured", "there, ns an agent"])
    rows = _fill_rows(chart, table, order)
    for subject in order:
        at = found[subject]
        words = " ".join(filter(None, (at.bound, digits.significant(at.agents))))
        if at.until:
            words += f" and {digits.whole(at.until)}"
        tip = (f"{names.title_of(subject)}: {words} agents at 60 Hz; measured at "
               f"{digits.whole(at.row.agents)}: {at.row.text['median_ns']} ns an agent")
        sign = {"at least": "≥ ", "fewer than": "< ", "between": "≥ "}.get(at.bound, "")
        chart.series[0].marks.append(Mark(
            at.agents, rows[subject], tip, f"{at.row.line}:median_ns", at.row.text["median_ns"],
            label=sign + digits.count(float(f"{at.agents:.3g}")), subject=subject))
        chart.table.append([Cell(names.title_of(subject)), Cell(words, number=True),
                            cell_of(at.row, "agents"), cell_of(at.row, "median_ns")])
    return chart


def memory_chart(table, ground):
    found = {subject: table.bytes(subject, ground) for subject in table.subjects}
    found = {subject: row for subject, row in found.items() if row}
    order = sorted(found, key=lambda subject: found[subject].bytes)
    agents = digits.whole(table.agents[ground])
    chart = Chart(
        key=f"memory-{ground[0]}d-{ground[1]}", title=f"Memory an agent, {names.ground_title(ground)}",
        about=f"Bytes an agent that the structure holds, {agents} agents. Peers by counting what they allocate.",
        kind="bars", x=Axis("bytes an agent", digits.significant, log=False), y=None,
        series=[Series("bytes", "", **PLAIN)], header=["structure", "bytes an agent"])
    rows = _fill_rows(chart, table, order)
    for subject in order:
        row = found[subject]
        chart.series[0].marks.append(Mark(
            row.bytes, rows[subject], f"{names.title_of(subject)}: {row.text['bytes']} bytes an agent",
            f"{row.line}:bytes", row.text["bytes"], label=digits.significant(row.bytes), subject=subject))
        chart.table.append([Cell(names.title_of(subject)), cell_of(row, "bytes")])
    return chart


def tail_chart(table, ground):
    """The median frame and the slowest in a hundred, of structures with enough frames."""
    agents = table.tail_count(ground)
    found = {subject: table.best(subject, "frame", ground, agents) for subject in table.subjects}
    found = {s: row for s, row in found.items() if row and row.timed and row.p99_ns and row.runs >= FEWEST_FRAMES}
    order = sorted(found, key=lambda subject: found[subject].median_ns)
    chart = Chart(
        key=f"tail-{ground[0]}d-{ground[1]}", title=f"The slowest frames, {names.ground_title(ground)}",
        about=f"The median frame and the slowest, {digits.whole(agents)} agents. The line between them is how much "
              f"frames differ. Of {PERCENTILE_FRAMES} frames and more the 99th percentile stands for the slowest; "
              f"structures with fewer than {FEWEST_FRAMES} are not here.",
        kind="rows", x=Axis("time of a frame", lambda ms: digits.time(ms * 1e6)), y=None,
        series=[_shaped("median", "median", "circle"), _shaped("p99", "slowest", "tick")],
        header=["structure", "median, ns an agent", "slowest, ns an agent", "slowest is", "frames timed"])
    rows = _fill_rows(chart, table, order)
    for subject in order:
        row = found[subject]
        slowest = f"slowest of {row.runs}" if row.runs < PERCENTILE_FRAMES else "99th percentile"
        for series, column, ns, until in ((chart.series[0], "median_ns", row.median_ns, row.p99_ns),
                                          (chart.series[1], "p99_ns", row.p99_ns, None)):
            ms = ns * agents / 1e6
            what = slowest if column == "p99_ns" else series.title
            tip = (f"{names.title_of(subject)}: {what} {digits.time(ms * 1e6)} a frame; "
                   f"{row.text[column]} ns an agent")
            series.marks.append(Mark(ms, rows[subject], tip, f"{row.line}:{column}", row.text[column],
                                     subject=subject, until=until and until * agents / 1e6))
        chart.table.append([Cell(names.title_of(subject)), cell_of(row, "median_ns"),
                            cell_of(row, "p99_ns"), Cell(slowest), cell_of(row, "runs")])
    return chart


def packets_chart(table, work, ground):
    """All questions at once against one by one, in order and shuffled."""
    agents = table.agents[ground]
    rows = [row for row in table.select(work, ground, agents=agents) if row.timed and row.way in WAY_SHAPES]
    subjects = [subject for subject in table.subjects if any(row.subject == subject for row in rows)]
    ways = [way for way in WAY_SHAPES if any(row.way == way for row in rows)]
    title = names.WORKS[work].title
    chart = _dots(
        table, subjects, f"packets-{work}-{ground[0]}d-{ground[1]}",
        f"Batches against single questions: {title.lower()}, {names.ground_title(ground)}",
        f"{digits.whole(agents)} agents. A batch is all questions of a frame in one call; shuffled, they "
        "come in random order.",
        [_shaped(way, names.way_of(way), WAY_SHAPES[way]) for way in ways])
    by_key = {(row.subject, row.way): row for row in rows}
    _fill_dots(chart, subjects, [(way, names.way_of(way)) for way in ways],
               lambda subject, way: by_key.get((subject, way)))
    return chart


def scenes_chart(table, work, dim):
    """One kind of work in every scene."""
    scenes = [scene for d, scene in table.grounds if d == dim]
    count = table.common_count(work, [(dim, scene) for scene in scenes])
    rows = {(subject, scene): table.best(subject, work, (dim, scene), count)
            for subject in table.subjects for scene in scenes}
    subjects = [s for s in table.subjects if any(rows[s, scene] and rows[s, scene].timed for scene in scenes)]
    counts = [count] if count else sorted({table.agents[dim, scene] for scene in scenes})
    kind = names.WORKS[work]
    chart = _dots(
        table, subjects, f"scenes-{work}-{dim}d", f"{kind.title} in every scene, {dim}D",
        f"{' or '.join(map(digits.whole, counts))} agents; {kind.about}; each structure by its fastest way.",
        [_shaped(scene, scene, SCENE_SHAPES[i % len(SCENE_SHAPES)]) for i, scene in enumerate(scenes)])
    _fill_dots(chart, subjects, [(scene, scene) for scene in scenes], lambda s, scene: rows[s, scene])
    return chart


def _dots(table, subjects, key, title, about, series):
    chart = Chart(key=key, title=title, about=about, kind="rows", x=Axis("time", digits.time), y=None,
                  series=series)
    _fill_rows(chart, table, subjects)
    return chart


def _fill_dots(chart, subjects, columns, row_at):
    chart.header = ["ns"] + [title for _, title in columns]
    for index, subject in enumerate(subjects):
        cells = [Cell(names.title_of(subject))]
        for series, (key, title) in zip(chart.series, columns):
            row = row_at(subject, key)
            cells.append(cell_of(row, "median_ns"))
            if row and row.timed:
                series.marks.append(Mark(
                    row.median_ns, index,
                    f"{names.title_of(subject)}, {title}: {digits.whole(row.agents)} agents, "
                    f"{row.text['median_ns']} ns",
                    f"{row.line}:median_ns", row.text["median_ns"], subject=subject))
        chart.table.append(cells)


def ratio_chart(table, lines, dim):
    """How many times as long the best peer takes, a row for each task."""
    lines = [line for line in lines if line.ground[0] == dim and line.threads == table.threads and
             not line.size and line.agents == table.agents[line.ground]]
    scenes = [scene for d, scene in table.grounds if d == dim]
    works = list(names.WORKS)
    titles = dict(sorted(((line.task, line.title) for line in lines),
                         key=lambda task: (works.index(task[0].split("-")[0]), task[0])))
    chart = Chart(
        key=f"ratio-{dim}d", title=f"Our best against the best peer, {dim}D",
        about="How many times as long the fastest peer takes. "
              f"Hollow marks: less than {NEAR:g} times ({NEAR_UPDATE:g} for updates alone).",
        kind="rows", x=Axis("times as fast", lambda ratio: f"{digits.significant(ratio)}×"), y=None,
        series=[_shaped(scene, scene, SCENE_SHAPES[i % len(SCENE_SHAPES)]) for i, scene in enumerate(scenes)],
        rules=[Rule(1.0, "equal"), Rule(NEAR, f"{NEAR:g} times")],
        row_names=list(titles.values()), row_subjects=[""] * len(titles),
        ours=frozenset(subject for subject in table.subjects if table.ours(subject)),
        header=["work", "scene", "ours, ns", "by", "best peer, ns", "by", "ratio"])
    for row, task in enumerate(titles):
        for series, scene in zip(chart.series, scenes):
            for line in (one for one in lines if one.task == task and one.ground[1] == scene):
                tip = (f"{line.title}, {scene}: {digits.times(line.ratio)} times; "
                       f"{names.title_of(line.ours.subject)} {line.ours.text['median_ns']} ns, "
                       f"{names.title_of(line.peer.subject)} {line.peer.text['median_ns']} ns")
                series.marks.append(Mark(line.ratio, row, tip, f"{line.peer.line}:median_ns",
                                         line.peer.text["median_ns"], subject=line.ours.subject, hollow=line.near))
                chart.table.append([
                    Cell(line.title), Cell(scene), cell_of(line.ours, "median_ns"),
                    Cell(names.title_of(line.ours.subject)), cell_of(line.peer, "median_ns"),
                    Cell(names.title_of(line.peer.subject)), Cell(digits.significant(line.ratio), number=True)])
    return chart
