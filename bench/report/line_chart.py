"""Draws lines through measurements on two axes."""

import svg
from axes import log_scale, spread, zero_scale

TOP, BOTTOM = 14, 46


def draw(chart, size):
    """The inside of the drawing, and its height."""
    height = 460 if size.wide else 330
    left, right = (66, 130) if size.wide else (50, 12)
    marks = chart.marks
    x = _scale(chart.x, [mark.x for mark in marks], left, size.width - right)
    heights = [mark.y for mark in marks] + [rule.value for rule in chart.rules]
    heights += [mark.x for mark in marks] if chart.ideal else []
    y = _scale(chart.y, heights, height - BOTTOM, TOP)
    parts = _grid(chart, size, x, y)
    parts += [svg.line(x.begin, y(rule.value), x.end, y(rule.value), "rule") for rule in chart.rules]
    if chart.ideal:
        # From tick to tick, as the measured lines are: straight all the way only if both axes are of one kind.
        parts += [svg.line(x(low), y(low), x(high), y(high), "rule")
                  for low, high in zip(chart.x.ticks, chart.x.ticks[1:])]
        high = chart.x.ticks[-1]
        parts.append(svg.text(x(high) - 8, y(high) - 2, chart.ideal, "end", "ruletext"))
    parts += [_line(series, x, y) for series in chart.series]
    parts += [svg.text(x.begin - 8, y(rule.value) + 4, rule.text, "end", "ruletext") for rule in chart.rules]
    if size.wide:
        parts += [_beside(series, x, y) for series in chart.series]
        parts += _labels([series for series in chart.series if series.title], x, y)
    return "".join(parts), height


def _scale(axis, values, begin, end):
    return log_scale(values, begin, end, 0.05) if axis.log else zero_scale(values, begin, end)


def _grid(chart, size, x, y):
    parts = []
    for value in y.ticks(9):
        parts.append(svg.line(x.begin, y(value), x.end, y(value), "grid"))
        parts.append(svg.text(x.begin - 8, y(value) + 4, chart.y.write(value), "end", "tick"))
    for value in chart.x.ticks or x.ticks(9 if size.wide else 5):
        parts.append(svg.line(x(value), y.begin, x(value), y.end, "grid"))
        parts.append(svg.text(x(value), y.begin + 18, chart.x.write(value), "middle", "tick"))
    parts.append(svg.line(x.begin, y.begin, x.end, y.begin, "axis"))
    parts.append(svg.text((x.begin + x.end) / 2, y.begin + 39, chart.x.title, "middle", "name"))
    return parts


def _line(series, x, y):
    points = [(x(mark.x), y(mark.y), mark) for mark in series.marks]
    path = "M" + "L".join(f"{svg.number(px)},{svg.number(py)}" for px, py, _ in points)
    dash = f' stroke-dasharray="{series.look.dash}"' if series.look.dash else ""
    parts = [f'<path class="line" d="{path}"{dash}/>']
    parts += [svg.mark(px, py, mark, mark.shape or series.look.shape) for px, py, mark in points]
    return _group(series, "".join(parts))


def _beside(series, x, y):
    """Texts beside single marks; drawn above all lines, which would cross them out."""
    parts = []
    for mark in series.marks:
        if mark.label:
            last = mark is series.marks[-1]
            parts.append(svg.text(x(mark.x) + (-4 if last else 4), y(mark.y) + 19, mark.label,
                                  "end" if last else "start", "beside"))
    return _group(series, "".join(parts)) if parts else ""


def _group(series, body):
    """The parts that a click on the legend hides."""
    side = "ours" if series.ours else "peer"
    return f'<g class="s {side} {svg.subject_class(series.key)}" data-s="{series.key}">{body}</g>'


def _labels(series, x, y):
    """Each line's name at its end, moved apart where ends are close."""
    ends = [(line, x(line.marks[-1].x), y(line.marks[-1].y)) for line in series]
    parts = []
    for column in sorted({end for _, end, _ in ends}):
        here = [(line, place) for line, end, place in ends if end == column]
        moved = spread([place for _, place in here], 14.5, y.end + 4, y.begin - 4)
        for (line, _), place in zip(here, moved):
            parts.append(_group(line, svg.text(column + 10, place + 4, line.title, "start", "end")))
    return parts
