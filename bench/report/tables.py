"""The summary, and ours against peers, as tables."""

import derived
import digits
import names
from chart import Cell, Sheet

SUMMED_UP = ("update", "pairs", "frame", "box", "radius", "nearest", "large", "ray")


def summary(table, ground):
    """A row for each structure; the best of each column is marked."""
    columns = [_times(table, work, ground) for work in SUMMED_UP]
    columns += [_bytes(table, ground), _sixty(table, ground)]
    header = ["structure"] + [head for head, _ in columns]
    rows = []
    for index, subject in enumerate(table.subjects):
        side = "ours" if table.ours(subject) else "peer"
        name = Cell(names.title_of(subject), classes=f"subject {side}")
        rows.append([name] + [cells[index] for _, cells in columns])
    return Sheet(header, rows, f"Summary, {names.ground_title(ground)}")


def _none(table, subject, work, ground):
    return Cell("–", small=table.why_none(subject, work, ground), classes="none")


def _contends(subject):
    return subject != derived.NO_CONTENDER


def _times(table, work, ground):
    found = [(subject, table.best(subject, work, ground)) for subject in table.subjects]
    timed = [(subject, row) for subject, row in found if row and row.timed]
    size, unit = digits.unit_for(min((row.median_ns for _, row in timed), default=1.0))
    least = min((row.median_ns for subject, row in timed if _contends(subject)), default=0)
    cells = []
    for subject, row in found:
        if row is None or not row.timed:
            cells.append(_none(table, subject, work, ground))
            continue
        best = "best" if row.median_ns == least and _contends(subject) else ""
        cells.append(Cell(digits.significant(row.median_ns / size), f"{row.line}:median_ns",
                          row.text["median_ns"], True, best, names.way_of(row.way)))
    kind = names.WORKS[work]
    return f"{kind.title}, {unit} {'an agent' if kind.per == 'agent' else 'a question'}", cells


def _bytes(table, ground):
    found = [(subject, table.bytes(subject, ground)) for subject in table.subjects]
    least = min((row.bytes for subject, row in found if row and _contends(subject)), default=0)
    return "Memory, bytes an agent", [
        Cell(digits.significant(row.bytes), f"{row.line}:bytes", row.text["bytes"], True,
             "best" if row.bytes == least and _contends(subject) else "") if row
        else Cell("–", small=table.why_no_bytes(subject, ground), classes="none") for subject, row in found]


def _sixty(table, ground):
    """The best structure is the one that reaches more than any other can."""
    found = [table.sixty_hertz(subject, ground) for subject in table.subjects]
    cells = []
    for subject, at in zip(table.subjects, found):
        if at is None:
            cells.append(_none(table, subject, "frame", ground))
            continue
        others = [other for other in found if other and other is not at]
        beaten = at.bound != "fewer than" and all(at.agents > other.most for other in others)
        bound = f"to {digits.whole(at.until)}" if at.until else at.bound
        cells.append(Cell(digits.significant(at.agents), number=True, classes="best" if beaten else "", small=bound))
    return "Agents at 60 Hz", cells


CONTEST = ["work", "where", "agents", "ours, ns", "peer, ns", "ratio", "Crowd's own"]


def _contest_cells(line):
    where = names.ground_title(line.ground)
    if line.size:
        where += f", half extent {digits.significant(line.size)}"
    if line.threads > 1:
        where += f", {line.threads} threads"
    return [
        Cell(line.title), Cell(where), Cell(digits.whole(line.agents), number=True),
        _time_by(line.ours), _time_by(line.peer), _ratio(line.ratio),
        _ratio(line.crowd_ratio) if line.crowd else Cell("–", classes="none"),
    ]


def _time_by(row):
    by = ", ".join(filter(None, (names.title_of(row.subject), names.way_of(row.way))))
    return Cell(digits.significant(row.median_ns), f"{row.line}:median_ns", row.text["median_ns"], True, small=by)


def _ratio(ratio):
    return Cell(digits.significant(ratio), number=True, classes="behind" if ratio < 1 else "")


def _in_order(lines):
    works, scenes = list(names.WORKS), list(names.SCENES)
    return sorted(lines, key=lambda line: (
        works.index(line.task.split("-")[0]), line.task, line.ground[0],
        scenes.index(line.ground[1]) if line.ground[1] in scenes else len(scenes), line.agents, line.size or 0))


def contest(lines):
    return Sheet(CONTEST, [_contest_cells(line) for line in _in_order(lines)], "Ours against peers")


def near_groups(lines, reasons):
    """Where a peer is close, in short: a row for each task, peer and reason."""
    groups = {}
    for line in _in_order(lines):
        if line.near:
            groups.setdefault((line.title, line.peer.subject, reasons.of(line)), []).append(line)
    rows = []
    for (title, peer, why), close in groups.items():
        where = dict.fromkeys(names.ground_title(line.ground) for line in close)
        ratios = sorted(line.ratio for line in close)
        rows.append([Cell(title), Cell(names.title_of(peer)), Cell(digits.whole(len(close)), number=True),
                     _ratio(ratios[0]), _ratio(ratios[-1]), Cell(", ".join(where), classes="wrap"),
                     Cell(why, classes="wrap why")])
    return Sheet(["work", "peer", "lines", "closest", "farthest", "where", "why"], rows,
                 "Where a peer is close, in short")


def near(lines, reasons):
    """Lines where a peer is close, each with its reason."""
    rows = [_contest_cells(line) + [Cell(reasons.of(line), classes="wrap why")]
            for line in _in_order(lines) if line.near]
    return Sheet(CONTEST + ["why"], rows, "Where a peer is close")


def choice(table, lines, agents):
    """The fastest of all by kind of work and ground, and how far the best of the other side is behind."""
    here = {(line.task, line.ground): line for line in lines
            if line.agents == agents and line.threads == table.threads and not line.size}
    rows = []
    for work in SUMMED_UP:
        for task in (work, f"{work}-single"):
            if not any(key[0] == task for key in here):
                continue
            # Where one call each has no line of its own, batches change nothing.
            cells = [_choice_cell(here.get((task, ground), here.get((work, ground))))
                     for ground in table.grounds]
            rows.append([_choice_head(work, task)] + cells)
    return Sheet(["what you do"] + [names.ground_title(ground) for ground in table.grounds], rows,
                 f"When to take which, {digits.whole(agents)} agents")


def _choice_head(work, task):
    return Cell(names.WORKS[work].title + (", one call each" if task != work else ""),
                small=names.WORKS[work].about, classes="subject")


def _choice_cell(line):
    if line is None:
        return Cell("–", classes="none")
    first, second, ratio = line.ours, line.peer, line.ratio
    if ratio < 1:
        first, second, ratio = second, first, 1 / ratio
    times = digits.significant(ratio, 2 if ratio >= 1.1 else 3)
    return Cell(names.title_of(first.subject), small=f"{times} × {names.title_of(second.subject)}",
                classes="behind" if first is line.peer else "")


def left_out(table):
    """Lines without a time: too slow to wait for, or with other answers than ours."""
    rows = [[Cell(names.title_of(row.subject)), Cell(names.WORKS[row.work].title, small=names.way_of(row.way)),
             Cell(names.ground_title(row.ground)), Cell(digits.whole(row.agents), number=True),
             Cell(row.why_not)]
            for row in table.rows if not row.timed]
    return Sheet(["structure", "work", "where", "agents", "why"], rows, "Left out")
