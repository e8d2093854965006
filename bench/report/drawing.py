"""Writes a chart as SVG, for pictures. drawing.js makes the same elements on the page."""

import line_chart
import row_chart
import svg
from layout import Group, Line, Text


def lay_out(chart, size):
    return (line_chart if chart.kind == "lines" else row_chart).lay_out(chart, size)


def write(chart, layout):
    """The inside of the drawing."""
    parts = [_ticks(ticks, layout) for ticks in layout.ticks]
    parts += [_piece(chart, piece) for piece in layout.below]
    if layout.names:
        parts += [_row(chart, layout, row) for row in range(len(chart.row_names))]
    begin = 0
    for series in chart.series:
        end = begin + len(series.marks)
        parts.append(_marks(chart, series, layout, range(begin, end)))
        begin = end
    parts += [_piece(chart, piece) for piece in layout.above]
    for index, x, y in layout.labels:
        series = chart.series[index]
        parts.append(_group(chart, series, svg.text(x, y, series.title, "start", "end")))
    return "".join(parts)


def _ticks(ticks, layout):
    parts = []
    for share, words in ticks.at:
        if ticks.along == "x":
            place = layout.x.at(share)
            parts.append(svg.line(place, ticks.begin, place, ticks.end, "grid"))
            parts.append(svg.text(place, ticks.beside, words, "middle", "tick"))
        else:
            place = layout.y.at(share)
            parts.append(svg.line(ticks.begin, place, ticks.end, place, "grid"))
            parts.append(svg.text(ticks.beside, place + 4, words, "end", "tick"))
    return "".join(parts)


def _row(chart, layout, row):
    """The name of a row, and the line that its marks stand on; bars need none."""
    names, y = layout.names, layout.y.at(row)
    text = svg.text(names.x, y + names.below, chart.row_names[row], names.anchor, "row")
    track = svg.line(layout.x.begin, y, layout.x.end, y, "track") if chart.kind == "rows" else ""
    return f'<g class="{chart.classes_of(chart.row_subjects[row])}">{text}</g>{track}'


def _piece(chart, piece):
    if isinstance(piece, Group):
        return _group(chart, chart.series[piece.series], "".join(_piece(chart, text) for text in piece.texts))
    if isinstance(piece, Line):
        return svg.line(piece.x1, piece.y1, piece.x2, piece.y2, piece.classes)
    assert isinstance(piece, Text)
    return svg.text(piece.x, piece.y, piece.words, piece.anchor, piece.classes)


def _group(chart, series, body):
    """The parts that a click on the legend hides."""
    classes = f"s {series.classes}" if chart.kind == "lines" else "s"
    return f'<g class="{classes}" data-s="{series.key}">{body}</g>'


def _marks(chart, series, layout, indices):
    """A series: in charts with lines the line through its marks, too."""
    drawn = []
    if chart.kind == "lines":
        path = "L".join(f"{svg.number(x)},{svg.number(y)}" for x, y in map(layout.place, indices))
        dash = f' stroke-dasharray="{series.look.dash}"' if series.look.dash else ""
        drawn.append(f'<path class="line" d="M{path}"{dash}/>')
    for index, mark in zip(indices, series.marks):
        drawn.append(_mark(chart, series, mark, layout, index))
    return _group(chart, series, "".join(drawn))


def _mark(chart, series, mark, layout, index):
    x, y = layout.place(index)
    if chart.kind == "bars":
        begin, x = svg.number(layout.x.begin), max(x, layout.x.begin + 1)  # less than a pixel would not be seen
        bar = f"M{begin},{svg.number(y - 8)}H{svg.number(x)}v16H{begin}z"
        drawn = svg.mark(0, 0, mark, "", path=bar) + svg.text(x + 7, y + 4, mark.label, classes="value")
        return f'<g class="bar {chart.classes_of(mark.subject)}">{drawn}</g>'
    drawn = svg.mark(x, y, mark, mark.shape or series.look.shape)
    if chart.kind == "lines":
        return drawn
    if index in layout.reaches:
        drawn = svg.line(x, y, layout.x.at(layout.reaches[index]), y, "reach") + drawn
    return f'<g class="{chart.classes_of(mark.subject)}">{drawn}</g>'
