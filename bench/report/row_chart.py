"""Lays out a row for each structure: a bar from 0, or marks along a line."""

from axes import log_scale, zero_scale
from layout import Layout, Line, Names, Stretch, Text, Ticks

TOP, BOTTOM = 20, 46


def lay_out(chart, size):
    # Names stand beside their row where there is room, else above it.
    step, middle = (34, 0.5) if size.wide else (46, 0.66)
    left = 24 + 7.6 * max(map(len, chart.row_names)) if size.wide else 10
    right = (96 if size.wide else 78) if chart.kind == "bars" else (28 if size.wide else 16)
    height = TOP + step * len(chart.row_names) + BOTTOM
    marks = chart.marks
    values = [mark.x for mark in marks] + [mark.until for mark in marks if mark.until]
    values += [rule.value for rule in chart.rules]
    scale = log_scale if chart.x.log else zero_scale
    x = scale(values, left, size.width - right)
    first = TOP + step * middle
    foot = height - BOTTOM
    return Layout(size, height, Stretch(x.begin, x.end), Stretch(first, first + step),
                  [(x.share(mark.x), mark.y) for mark in marks],
                  [Ticks("x", TOP, foot, foot + 18,
                         [(x.share(value), chart.x.write(value)) for value in x.ticks(8 if size.wide else 5)])],
                  _below(chart, x, foot),
                  names=Names(left - 12, 4, "end") if size.wide else Names(left, -13, "start"),
                  reaches={index: x.share(mark.until) for index, mark in enumerate(marks) if mark.until})


def _below(chart, x, foot):
    pieces = []
    for rule in chart.rules:
        pieces.append(Line(x(rule.value), TOP, x(rule.value), foot, "rule"))
        pieces.append(Text(x(rule.value), TOP - 6, rule.text, "middle", "ruletext"))
    pieces.append(Line(x.begin, foot, x.end, foot, "axis"))
    pieces.append(Text((x.begin + x.end) / 2, foot + 39, chart.x.title, "middle", "name"))
    return pieces
