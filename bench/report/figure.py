"""A chart on the page: legend, drawings for wide and narrow screens, and its numbers in a table."""

from html import escape

import line_chart
import row_chart
import svg


def html(chart):
    """Empty where nothing was measured."""
    if chart.empty:
        return ""
    return (f'<figure class="chart" id="{chart.key}"><figcaption><h4>{escape(chart.title)}</h4>'
            f'<p>{escape(chart.about)}</p></figcaption>{_legend(chart)}'
            f'<div class="drawing">{drawing(chart, svg.WIDE)}{drawing(chart, svg.NARROW)}</div>'
            f'{_shapes(chart)}<details><summary>The numbers</summary>'
            f'{table(chart.header, chart.table, chart.title)}</details></figure>')


def drawing(chart, size):
    draw = line_chart.draw if chart.kind == "lines" else row_chart.draw
    body, height = draw(chart, size)
    return svg.document(size, height, f"{chart.key}-{size.name}", chart.title, chart.about, body)


def _legend(chart):
    """Buttons that hide and show lines; empty for a single line."""
    if len(chart.series) < 2:
        return ""
    buttons = []
    for side in (True, False):
        group = [_button(chart, series) for series in chart.series if series.ours == side]
        if group:
            buttons.append(f'<span class="group">{"".join(group)}</span>')
    return f'<div class="legend" role="group" aria-label="Show or hide">{"".join(buttons)}</div>'


def _button(chart, series):
    side = "ours" if series.ours else "peer"
    colour = svg.subject_class(series.key) if chart.kind == "lines" else "c-none"
    dash = f' stroke-dasharray="{series.look.dash}"' if series.look.dash else ""
    stroke = f'<path class="line" d="M1,8H27"{dash}/>' if chart.kind == "lines" else ""
    sample = (f'<svg class="sample" viewBox="0 0 28 16" aria-hidden="true">{stroke}'
              f'<path class="m" d="{svg.shape_path(series.look.shape)}" transform="translate(14 8)"/></svg>')
    return (f'<button type="button" class="{side} {colour}" data-toggle="{series.key}" '
            f'aria-pressed="true">{sample}{escape(series.title)}</button>')


def _shapes(chart):
    """The meaning of the shapes of marks, if the legend does not say it."""
    if not chart.shapes:
        return ""
    items = "".join(
        f'<span><svg class="sample" viewBox="0 0 16 16" aria-hidden="true"><path class="m" '
        f'd="{svg.shape_path(shape)}" transform="translate(8 8)"/></svg>{escape(words)}</span>'
        for shape, words in chart.shapes)
    return f'<p class="shapes ours c-crowd">{items}</p>'


def table(header, rows, caption):
    """The first cell of a row is its head."""
    heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in header)
    body = "".join(f"<tr>{''.join(_cell(cell, first) for first, cell in enumerate(row))}</tr>" for row in rows)
    return (f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption)}"><table>'
            f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>")


def _cell(cell, column):
    classes = " ".join(filter(None, ("n" if cell.number else "", cell.classes)))
    attributes = f' class="{classes}"' if classes else ""
    if cell.at:
        attributes += f' data-at="{cell.at}" data-csv="{escape(cell.exact)}"'
        if cell.text != cell.exact:
            attributes += f' title="{escape(cell.exact)} in the CSV"'
    small = f" <small>{escape(cell.small)}</small>" if cell.small else ""
    if column == 0:
        return f'<th scope="row"{attributes}>{escape(cell.text)}{small}</th>'
    return f"<td{attributes}>{escape(cell.text)}{small}</td>"
