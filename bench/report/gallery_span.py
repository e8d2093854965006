"""Charts of what is reckoned for more threads than the machine has."""

import digits
import names
from chart import Axis, Chart, Mark, Series
from names import Look

# Of the crowd that most programs have; a file with all of them would have a chart for each otherwise.
GROUND = ("crowd", "uniform", 2)
FREE = "4 3"  # the dash of lines that no memory bounds


def counts(span):
    """The numbers of agents that there are charts for."""
    return sorted({row.agents for row in span.rows if (row.index, row.scene, row.dim) == GROUND})


def speedup_chart(span, agents):
    """Two lines for each kind of work: with the bound of the machine's memory, and without."""
    lines = span.lines(*GROUND, agents)
    threads = sorted({row.threads for rows in lines.values() for row in rows})
    chart = Chart(
        key=f"speedup-{agents}",
        title=f"Reckoned speed-up by number of threads, {digits.whole(agents)} agents",
        about="From the times of single blocks on one thread: an upper bound, not a measurement. Dashed: if this "
              "machine's memory were no limit.",
        kind="lines", x=Axis("threads", digits.whole, ticks=tuple(threads)),
        y=Axis("times as fast", digits.significant), series=[], ideal="as many times as threads")
    for workload, load in names.LOADS.items():
        rows = lines.get(workload, [])
        if not rows:
            continue
        if any(row.lost_memory_ms > 0 for row in rows):
            chart.series.append(_free(workload, load, rows))
        chart.series.append(_bounded(workload, load, rows))
    return chart


def _bounded(workload, load, rows):
    marks = [Mark(row.threads, row.speedup, _tip(load, row, f"{row.text['speedup']} times as fast"),
                  f"{row.line}:speedup", row.text["speedup"]) for row in rows]
    return Series(workload, load.title, load.look, True, marks)


def _free(workload, load, rows):
    """What is left without the loss to memory. Only bounded lines have names at their ends."""
    marks = []
    for row in rows:
        fast = row.speedup * row.ms / (row.ms - row.lost_memory_ms)
        words = (f"{digits.significant(fast)} times as fast without the {row.text['lost_memory_ms']} ms "
                 "that memory takes beyond the work")
        marks.append(Mark(row.threads, fast, _tip(load, row, words), f"{row.line}:lost_memory_ms",
                          row.text["lost_memory_ms"]))
    look = Look(load.look.light, load.look.dark, load.look.shape, FREE)
    return Series(f"{workload}_free", "", look, False, marks)


def _tip(load, row, words):
    return f"{load.title}: {digits.whole(row.threads)} {'thread' if row.threads == 1 else 'threads'}, {words}"
