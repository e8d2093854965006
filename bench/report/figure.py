"""What stands on the page for a chart or a table until drawing.js fills it."""

from html import escape


def html(chart, packed):
    """Empty where nothing was measured."""
    if chart.empty:
        return ""
    packed.add_chart(chart)
    return (f'<figure class="chart" id="{chart.key}"><figcaption><h4>{escape(chart.title)}</h4>'
            f'<p>{escape(chart.about)}</p></figcaption></figure>')


def table(sheet, packed):
    return (f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(sheet.caption)}" '
            f'data-table="{packed.add_table(sheet)}"></div>')
