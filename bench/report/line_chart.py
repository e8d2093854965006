"""Lays out lines through measurements on two axes."""

from axes import log_scale, spread, zero_scale
from layout import Group, Layout, Line, Stretch, Text, Ticks

TOP, BOTTOM = 14, 46


def lay_out(chart, size):
    height = 460 if size.wide else 330
    left, right = (66, 130) if size.wide else (50, 12)
    marks = chart.marks
    x = _scale(chart.x, [mark.x for mark in marks], left, size.width - right)
    heights = [mark.y for mark in marks] + [rule.value for rule in chart.rules]
    heights += [mark.x for mark in marks] if chart.ideal else []
    y = _scale(chart.y, heights, height - BOTTOM, TOP)
    below = [Line(x.begin, y.begin, x.end, y.begin, "axis"),
             Text((x.begin + x.end) / 2, y.begin + 39, chart.x.title, "middle", "name")]
    below += [Line(x.begin, y(rule.value), x.end, y(rule.value), "rule") for rule in chart.rules]
    if chart.ideal:
        # From tick to tick, as the measured lines are: straight all the way only if both axes are of one kind.
        below += [Line(x(low), y(low), x(high), y(high), "rule") for low, high in zip(chart.x.ticks, chart.x.ticks[1:])]
        high = chart.x.ticks[-1]
        below.append(Text(x(high) - 8, y(high) - 2, chart.ideal, "end", "ruletext"))
    above = [Text(x.begin - 8, y(rule.value) + 4, rule.text, "end", "ruletext") for rule in chart.rules]
    # There is no room for words beside the lines of a narrow drawing.
    return Layout(size, height, Stretch(x.begin, x.end), Stretch(y.begin, y.end),
                  [(x.share(mark.x), y.share(mark.y)) for mark in marks], _ticks(chart, size, x, y), below,
                  above + _beside(chart, x, y) if size.wide else above, _labels(chart, x, y) if size.wide else [])


def _scale(axis, values, begin, end):
    return log_scale(values, begin, end, 0.05) if axis.log else zero_scale(values, begin, end)


def _ticks(chart, size, x, y):
    across = chart.x.ticks or x.ticks(9 if size.wide else 5)
    return [Ticks("y", x.begin, x.end, x.begin - 8, [(y.share(value), chart.y.write(value)) for value in y.ticks(9)]),
            Ticks("x", y.begin, y.end, y.begin + 18, [(x.share(value), chart.x.write(value)) for value in across])]


def _beside(chart, x, y):
    """Texts beside single marks; drawn above all lines, which would cross them out."""
    groups = []
    for index, series in enumerate(chart.series):
        texts = []
        for mark in series.marks:
            if mark.label:
                last = mark is series.marks[-1]
                texts.append(Text(x(mark.x) + (-4 if last else 4), y(mark.y) + 19, mark.label,
                                  "end" if last else "start", "beside"))
        if texts:
            groups.append(Group(index, texts))
    return groups


def _labels(chart, x, y):
    """Each line's name at its end, moved apart where ends are close. A line without a title has none."""
    ends = [(index, x(line.marks[-1].x), y(line.marks[-1].y)) for index, line in enumerate(chart.series) if line.title]
    labels = []
    for column in sorted({end for _, end, _ in ends}):
        here = [(index, place) for index, end, place in ends if end == column]
        moved = spread([place for _, place in here], 14.5, y.end + 4, y.begin - 4)
        labels += [(index, column + 10, place + 4) for (index, _), place in zip(here, moved)]
    return labels
