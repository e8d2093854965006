"""Draws a row for each structure: a bar from 0, or marks along a line."""

import svg
from axes import log_scale, zero_scale

TOP, BOTTOM = 20, 46


def draw(chart, size):
    """The inside of the drawing, and its height."""
    # Names stand beside their row where there is room, else above it.
    step = 34 if size.wide else 46
    left = 24 + 7.6 * max(map(len, chart.row_names)) if size.wide else 10
    right = (96 if size.wide else 78) if chart.kind == "bars" else (28 if size.wide else 16)
    height = TOP + step * len(chart.row_names) + BOTTOM
    values = [mark.x for mark in chart.marks] + [mark.until for mark in chart.marks if mark.until]
    values += [rule.value for rule in chart.rules]
    scale = log_scale if chart.x.log else zero_scale
    x = scale(values, left, size.width - right)

    def middle(row):
        return TOP + step * row + step * (0.5 if size.wide else 0.66)

    parts = _grid(chart, size, x, height)
    for row, (name, subject) in enumerate(zip(chart.row_names, chart.row_subjects)):
        side = "ours" if _is_ours(chart, subject) else "peer"
        place = (left - 12, middle(row) + 4, name, "end") if size.wide else (left, middle(row) - 13, name)
        parts.append(f'<g class="{side} {svg.subject_class(subject)}">{svg.text(*place, classes="row")}</g>')
        if chart.kind == "rows":
            parts.append(svg.line(x.begin, middle(row), x.end, middle(row), "track"))
    for series in chart.series:
        drawn = "".join(_mark(chart, series, mark, x, middle) for mark in series.marks)
        parts.append(f'<g class="s" data-s="{series.key}">{drawn}</g>')
    return "".join(parts), height


def _is_ours(chart, subject):
    return subject in chart.ours


def _grid(chart, size, x, height):
    foot = height - BOTTOM
    parts = []
    for value in x.ticks(8 if size.wide else 5):
        parts.append(svg.line(x(value), TOP, x(value), foot, "grid"))
        parts.append(svg.text(x(value), foot + 18, chart.x.write(value), "middle", "tick"))
    for rule in chart.rules:
        parts.append(svg.line(x(rule.value), TOP, x(rule.value), foot, "rule"))
        parts.append(svg.text(x(rule.value), TOP - 6, rule.text, "middle", "ruletext"))
    parts.append(svg.line(x.begin, foot, x.end, foot, "axis"))
    parts.append(svg.text((x.begin + x.end) / 2, foot + 39, chart.x.title, "middle", "name"))
    return parts


def _mark(chart, series, mark, x, middle):
    y = middle(mark.y)
    side = "ours" if _is_ours(chart, mark.subject) else "peer"
    colour = f"{side} {svg.subject_class(mark.subject)}"
    if chart.kind == "bars":
        end = max(x(mark.x), x.begin + 1)
        bar = f"M{svg.number(x.begin)},{svg.number(y - 8)}H{svg.number(end)}v16H{svg.number(x.begin)}z"
        drawn = svg.mark(0, 0, mark, "", path=bar)
        return f'<g class="bar {colour}">{drawn}{svg.text(end + 7, y + 4, mark.label, classes="value")}</g>'
    drawn = svg.mark(x(mark.x), y, mark, mark.shape or series.look.shape)
    if mark.until:
        drawn = svg.line(x(mark.x), y, x(mark.until), y, "reach") + drawn
    return f'<g class="{colour}">{drawn}</g>'
