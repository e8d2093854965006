"""Single charts as SVG files, for a README: with a background of their own, since that of the page is not
known, and with the machine named."""

from html import escape

import drawing
import gallery_lines
import gallery_rows
import gallery_span
import contest
import names
import svg
import variants

INK, QUIET, GRID, PAPER = "#18202b", "#56616f", "#e9ebe9", "#fcfcfa"
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
HEAD, FOOT, SIDE = 66, 34, 20


def all_of(table):
    """(file name, SVG) of each chart that the measurements suffice for."""
    ground = table.main
    packets = next((chart for work in ("box", "radius", "nearest")
                    if not (chart := gallery_rows.packets_chart(table, work, ground)).empty), None)
    charts = [("frame", gallery_lines.frame_chart(table, ground)),
              ("agents", gallery_rows.sixty_chart(table, ground)),
              ("memory", gallery_rows.memory_chart(table, ground)),
              ("ratio", gallery_rows.ratio_chart(table, contest.lines(table.all), ground[0])),
              ("packets", packets)]
    facts = table.all.facts
    source = _source(table.all.machine, gallery_lines.threads(table.threads), facts.get("isa"), facts.get("compiler"),
                     facts.get("date", "").split("T")[0])
    return [(f"{name}.svg", picture(chart, source)) for name, chart in charts if chart and not chart.empty]


def all_of_span(span):
    """The same for what throng_span reckons: a chart for each number of agents."""
    # Of the machine its name and its processors, before the caches and how fast the memory is.
    source = _source(", ".join(span.fact("machine").split(", ")[:2]), span.fact("executor"), span.fact("isa"))
    charts = [gallery_span.speedup_chart(span, agents) for agents in gallery_span.counts(span)]
    return [(f"{chart.key}.svg", picture(chart, source)) for chart in charts if not chart.empty]


def all_of_variants(rows):
    """The same for what variants take."""
    source = _source(rows[0]["machine"], rows[0]["isa"], rows[0]["date"])
    return [(f"{chart.key}.svg", picture(chart, source)) for chart in variants.charts(rows) if not chart.empty]


def _source(*facts):
    return ", ".join(filter(None, facts))


def picture(chart, source):
    """The chart with its title, what it shows, and a line that says where its numbers come from."""
    layout = drawing.lay_out(chart, svg.WIDE)
    body = svg.titled(f"{chart.key}-wide", chart.title, chart.about, drawing.write(chart, layout))
    keys = _keys(chart)
    head = HEAD + (22 if keys else 0)
    width, tall = svg.WIDE.width + 2 * SIDE, float(svg.number(layout.height)) + head + FOOT
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{svg.number(tall)}" '
            f'viewBox="0 0 {width} {svg.number(tall)}" font-family="{FONT}" font-size="{svg.WIDE.font}" role="img">'
            f"<style>{_style(chart)}</style>"
            f'<rect width="{width}" height="{svg.number(tall)}" rx="10" fill="{PAPER}"/>'
            f'<text x="{SIDE + 4}" y="32" font-size="17" font-weight="700">{escape(chart.title)}</text>'
            f'<text x="{SIDE + 4}" y="52" class="tick">{escape(_short(chart.about))}</text>{keys}'
            f'<g transform="translate({SIDE} {head})">{body}</g>'
            f'<text x="{width - SIDE}" y="{svg.number(tall - 14)}" text-anchor="end" class="tick" font-size="11.5">'
            f"{escape(source)}</text></svg>\n")


def _short(about, most=130):
    """As many sentences as fit in a line."""
    kept = ""
    for sentence in about.split(". "):
        more = (kept + ". " if kept else "") + sentence.rstrip(".")
        if kept and len(more) > most:
            break
        kept = more
    return kept + "."


def _keys(chart):
    """The meaning of shapes, in one line; lines are named at their ends."""
    if chart.kind != "rows" or len(chart.series) < 2:
        return ""
    parts, x = [], SIDE + 10
    for series in chart.series:
        parts.append(f'<path d="{svg.shape_path(series.look.shape)}" transform="translate({x} 76)" fill="{QUIET}"/>'
                     f'<text x="{x + 10}" y="80" class="tick">{escape(series.title)}</text>')
        x += 34 + 7 * len(series.title)
    return "".join(parts)


def _style(chart):
    """The style of page.css with plain colours, which every viewer understands."""
    used = set(chart.row_subjects) | {mark.subject for mark in chart.marks} | {s.key for s in chart.series}
    looks = {subject: names.look_of(subject) for subject in names.DRESSED if subject in used}
    if chart.kind == "lines":
        looks.update((series.key, series.look) for series in chart.series)
    rules = [f"text{{fill:{INK}}}.tick,.name{{fill:{QUIET}}}.grid,.track{{stroke:{GRID}}}.axis{{stroke:{QUIET}}}"
             f".rule{{stroke:{INK};stroke-width:1.5;stroke-dasharray:2 4}}.line{{fill:none;stroke-width:1.6}}"
             f".ours .line{{stroke-width:2.6}}.m{{stroke-width:1.5}}"
             f".ruletext,.value,.ours .row,.ours .end{{font-weight:600}}"
             f".reach{{stroke-width:2}}"]
    for subject, look in looks.items():
        here, colour = f".{svg.subject_class(subject)}", look.light
        rules.append(f"{here} .line,{here} .m,{here} .reach{{stroke:{colour}}}{here} .m,{here} .end{{fill:{colour}}}")
    rules.append(f".peer .m.m,.m.m.hollow{{fill:{PAPER}}}")
    return "".join(rules)
