"""The whole page, in one file that needs no other."""

import os
from html import escape

import contest
import digits
import figure
import gallery_calls as calls_of
import gallery_lines as lines_of
import gallery_obstacles as obstacles_of
import gallery_rows as rows_of
import names
import packed
import prose
import svg
import tables

HERE = os.path.dirname(os.path.abspath(__file__))
SCALED = ("frame", "update", "pairs", "box", "radius", "nearest", "large", "ray")
ASKED = ("box", "radius", "nearest", "large", "ray")
MOST_PANELS = 32


def html(table):
    duels, data = contest.lines(table.all), packed.Packed()
    parts = [_head(table, duels), _choice(table, duels, data), _summary(table, data), _charts(table, data),
             _contest(table, duels, data), _texts(table), _method(table, data)]
    return _FRAME.format(
        title=f"Throng: the shoot-out on {escape(table.all.machine)}",
        style=_read("page.css") + colours() + _panel_rules(),
        data=data.json(), script=_read("drawing.js") + _read("page.js"), body="".join(parts))


def _read(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


def colours():
    """Each structure's colour, for light and for dark."""
    def rules(scope, theme):
        dress = {subject: getattr(names.look_of(subject), theme) for subject in names.DRESSED}
        return "".join(f"{scope}.{svg.subject_class(s)}{{--c:{colour}}}" for s, colour in dress.items())
    return (rules("", "light") + "@media (prefers-color-scheme:dark){" +
            rules(":root:not([data-theme=light]) ", "dark") + "}" + rules(":root[data-theme=dark] ", "dark"))


def _head(table, duels):
    facts = table.all.facts
    known = [("Machine", table.all.machine), ("Processors", facts.get("cores")),
             ("Memory", facts.get("memory") and f"{facts['memory']} GiB"), ("Instruction set", facts.get("isa")),
             ("Compiler", facts.get("compiler")), ("Throng", facts.get("throng"))]
    known += [(names.title_of(peer), version) for peer, version in table.all.peer_versions.items()]
    known += [("Date", facts.get("date")), ("Command", facts.get("command"))]
    known.append(("Other programs", _disturbed(table)))
    items = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in known if value)
    return (f'<header id="top"><h1>Throng: the shoot-out</h1><p class="lead">Spatial indexes for crowds that move: '
            f"ours against each other and against those that are well known, on one machine, with every answer "
            f"compared before its time counts.</p>{_tiles(table, duels)}{_disturbed_note(table)}"
            f'<details class="facts"><summary>{escape(table.all.machine)}, {escape(facts.get("date", "no date"))}: '
            f"versions, as each names itself, and command</summary><dl>{items}</dl></details></header>")


def _disturbed(table):
    """The share of other programs during the measurement; empty if the CSV does not tell."""
    share = table.all.facts.get("disturbed", "").rstrip("% ")
    return f"used {share} % of the processors meanwhile" if share else ""


def _disturbed_note(table):
    said = _disturbed(table)
    return f'<p class="quiet">Other programs {escape(said)}.</p>' if said else ""


def _tiles(table, duels):
    """The main results, from the rows of the main ground."""
    ground, agents = table.main, table.agents[table.main]
    tiles = []
    reached = [(table.sixty_hertz(s, ground), s) for s in table.subjects if table.ours(s)]
    reached = [(at, subject) for at, subject in reached if at and at.bound != "fewer than"]
    if reached:
        at, subject = max(reached, key=lambda pair: pair[0].agents)
        tiles.append((f"{'≥ ' if at.bound else ''}{digits.count(float(f'{at.agents:.3g}'))}",
                      f"agents at 60 frames a second on {lines_of.threads(table.threads)}: everything moves, all "
                      f"overlapping pairs found ({names.title_of(subject)})"))
    here = [one for one in duels if one.ground == ground and one.agents == agents and
            one.threads == table.threads and not one.size]
    for task, words in (("frame", "a whole frame"), ("update", "the update alone")):
        for one in (one for one in here if one.task == task):
            tiles.append((f"{digits.times(one.ratio)}×", f"as fast as the best peer, {words}: "
                          f"{digits.time(one.ours.median_ns)} an agent against {digits.time(one.peer.median_ns)} "
                          f"({names.title_of(one.peer.subject)})"))
    if duels:
        near = sum(one.near for one in duels)
        tiles.append((f"{len(duels) - near} of {len(duels)}", f"lines on which every peer takes more than "
                      f"{contest.NEAR:g} times as long ({contest.NEAR_UPDATE:g} times for updates alone); the other "
                      f'{near} are <a href="#near">listed one by one</a>'))
    cards = "".join(f"<div><strong>{big}</strong><span>{small}</span></div>" for big, small in tiles)
    where = f"{names.ground_title(ground)}, {digits.whole(agents)} agents unless it says otherwise"
    return f'<div class="tiles">{cards}</div><p class="quiet">{where}.</p>'


def panels(key, label, choices):
    """Panels of which radio buttons show one at a time, without a script. Empty ones are left out."""
    choices = [(name, body) for name, body in choices if body]
    if len(choices) < 2:
        return "".join(body for _, body in choices)
    assert len(choices) <= MOST_PANELS, f"{key}: a panel that nothing shows"
    inputs = "".join(
        f'<input type="radio" name="{key}" id="{key}-{i}"{" checked" if i == 0 else ""}>'
        f'<label for="{key}-{i}">{escape(name)}</label>' for i, (name, _) in enumerate(choices))
    bodies = "".join(f'<div class="panel">{body}</div>' for _, body in choices)
    return f'<div class="panels" role="radiogroup" aria-label="{escape(label)}">{inputs}{bodies}</div>'


def _panel_rules():
    """The nth panel is shown while the nth button is chosen."""
    return ",".join(f".panels > input:nth-of-type({n}):checked ~ .panel:nth-of-type({n})"
                    for n in range(1, MOST_PANELS + 1)) + "{display:block}"


def _section(key, title, text, body):
    return f'<section id="{key}"><h2>{title}</h2>{f"<p>{text}</p>" if text else ""}{body}</section>' if body else ""


def _choice(table, duels, data):
    """With the largest count first that all grounds have."""
    counts = sorted({line.agents for line in duels}, reverse=True)
    whole = [agents for agents in counts
             if {line.ground for line in duels if line.agents == agents} >= set(table.grounds)]
    choices = [(f"{digits.whole(agents)} agents", figure.table(tables.choice(table, duels, agents), data))
               for agents in whole]
    return _section("choice", "When to take which", f"On {lines_of.threads(table.threads)}, the fastest of all for "
                    "each kind of work: one of ours or, in the warm colour, a peer. Below it stands how many times as "
                    "long the best of the other side takes.", panels("k", "Number of agents", choices))


def _summary(table, data):
    choices = [(names.ground_title(ground), f"<h3>{names.ground_title(ground)}, "
                f"{digits.whole(table.agents[ground])} agents</h3>{figure.table(tables.summary(table, ground), data)}")
               for ground in table.grounds]
    return _section("summary", "All at a glance", f"On {lines_of.threads(table.threads)}, each structure by its "
                    "fastest way, which stands beside the time. The best of each column is marked.",
                    panels("at", "Dimensions and scene of the table", choices))


def _charts(table, data):
    dims = sorted({dim for dim, _ in table.grounds})
    main = [ground for ground in table.grounds if ground[1] == table.main[1]]

    def html(chart):
        return figure.html(chart, data)

    def per_ground(key, *charts):
        return panels(key, "Dimensions and scene", [
            (names.ground_title(ground), "".join(html(chart(table, ground)) for chart in charts))
            for ground in table.grounds])

    def works(key, kinds, draw, places):
        def label(work, place):
            dim = place if isinstance(place, int) else place[0]
            return f"{names.WORKS[work].title} {dim}D"
        return panels(key, "Kind of work", [(label(work, place), html(draw(table, work, place)))
                                            for place in places for work in kinds])

    sections = [
        ("frame", "A frame", "The work of every game and simulation: everything has moved, and all that overlap "
         "have to be known.", per_ground("f", rows_of.sixty_chart, lines_of.frame_chart)),
        ("tail", "The slowest frames", "What players notice is not the median.",
         per_ground("p", rows_of.tail_chart)),
        ("work", "Each kind of work", "The same against the number of agents, for one kind of work at a time.",
         works("w", [w for w in SCALED if w != "frame"], lines_of.work_chart, main)),
        ("scenes", "Scenes", "Even crowds, clusters, sizes that differ, and worlds that are mostly empty.",
         works("s", SCALED, rows_of.scenes_chart, dims)),
        ("packets", "Batches", "Most programs ask one question at a time. Asked in one call, the neighbouring "
         "questions of a RowGrid or a Crowd share their work in packets; rays, and all questions to a LooseTree, share "
         "nothing but the call.", works("b", ASKED, rows_of.packets_chart, main)),
        ("calls", "Single calls", "Most programs ask one question, use the answer, and ask the next. The plain grid "
         "here is the one that most people write: a counting sort into cells of size 1, a loop over the cells of the "
         "question, and a scalar test of each agent.", panels("c", "Number of agents", [
             (f"{digits.whole(agents)} agents", html(calls_of.calls_chart(table, agents)))
             for agents in calls_of.counts(table)])),
        ("obstacles", "Walls and triangles", "What agents walk around: how far is the nearest, do two points see each "
         "other, what is hit first? Walls have no thickness here.", panels("o", "Where", [
             (obstacles_of.scene_title(scene), html(obstacles_of.obstacles_chart(table, scene)))
             for scene in obstacles_of.scenes(table)])),
        ("sweep", "Search sizes", "From boxes without agents to boxes that hold all agents.",
         per_ground("z", lines_of.sweep_chart)),
        ("threads", "Threads", "How many times as fast with more threads. Structures without a line here were "
         "measured on one only.", works("n", SCALED, lines_of.scaling_chart, main) or
         f"<p>All was measured on {lines_of.threads(table.threads)}.</p>"),
        ("memory", "Memory", "What a structure holds for each agent.", per_ground("m", rows_of.memory_chart)),
    ]
    return "".join(_section(*section) for section in sections)


def _contest(table, duels, data):
    if not duels:
        return _section("faster", "How much faster", "No peer was measured.", " ")
    reasons = contest.Reasons()
    dims = sorted({line.ground[0] for line in duels})
    near = sum(line.near for line in duels)
    behind = sum(line.ratio < 1 for line in duels)
    body = panels("r", "Dimensions", [(f"{dim}D", figure.html(rows_of.ratio_chart(table, duels, dim), data))
                                      for dim in dims])
    close = ""
    if near:
        close = (f'{figure.table(tables.near_groups(duels, reasons), data)}<h4>Line by line</h4>'
                 f'<div class="tall" id="near-lines">{figure.table(tables.near(duels, reasons), data)}</div>')
    body += (f'<h3 id="near">Where a peer is close</h3><p>On {near} of {len(duels)} lines a peer comes within '
             f"{contest.NEAR:g} times of ours, or within {contest.NEAR_UPDATE:g} times for an update alone; "
             f"on {behind} of them it is faster. All are here.</p>{close}"
            f"<details><summary>All {len(duels)} lines</summary>{figure.table(tables.contest(duels), data)}</details>")
    return _section("faster", "How much faster", "For each kind of work, scene and count, the fastest of ours "
                    "against the fastest of the peers.", body)


def _texts(table):
    texts = prose.load()
    cards = []
    for subject in table.subjects:
        if subject not in texts:
            continue
        parts = {key: prose.fill(text, table, subject) for key, text in texts[subject].items()}
        side = "ours" if table.ours(subject) else "peer"
        heads = (("what", "What it is"), ("when", "Take it for"), ("not", "Not for"))
        body = "".join(f"<dt>{head}</dt><dd>{escape(parts[key])}</dd>" for key, head in heads if parts.get(key))
        badge = "Throng" if side == "ours" else table.all.facts.get(
            subject, "written here" if table.kinds[subject] == "plain" else "peer")
        cards.append(f'<article class="card {side} {svg.subject_class(subject)}"><h3>{escape(names.title_of(subject))}'
                     f"<small>{escape(badge)}</small></h3><dl>{body}</dl></article>")
    return _section("which", "Which one, and when", "All figures in these texts come from this measurement.",
                    f'<div class="cards">{"".join(cards)}</div>')


def _method(table, data):
    text = prose.load()["method"]
    heads = (("measured", "How it was measured"), ("checked", "What was checked"), ("right", "What right means"),
             ("read", "How to read it"), ("speaks", "What speaks for us"))
    body = "".join(f"<h3>{head}</h3><p>{escape(prose.fill(text[key], table, 'crowd'))}</p>" for key, head in heads)
    body += _disturbed_note(table)
    absent = [names.title_of(s) for s in names.SUBJECTS if s not in table.subjects]
    missing = f"<p>Not measured here: {escape(', '.join(absent))}.</p>" if absent else ""
    count = sum(not row.timed for row in table.rows)
    listed = (f"<details><summary>{count} lines without a time</summary>"
              f"{figure.table(tables.left_out(table), data)}</details>") if count else ""
    body += (f"<h3>What was left out</h3><p>Lines that would have taken too long, judged by a smaller count, and "
             f"lines whose answers differ from ours have no time{'' if count else '; there are none'}.</p>"
             f"{listed}{missing}")
    return _section("method", "How it was done", "", body)


_FRAME = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
script-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<nav aria-label="Parts"><div><div class="links"><a class="brand" href="#top">Throng</a>\
<a href="#choice">When which</a><a href="#summary">Summary</a>\
<a href="#frame">Frames</a><a href="#work">Work</a><a href="#faster">Against peers</a><a href="#which">Which one</a>\
<a href="#method">Method</a></div><button type="button" id="theme" hidden>Dark</button></div></nav>
<main><noscript><p>The script in this page makes its charts and tables, and it does not run here.</p></noscript>
{body}</main>
<div id="tip" role="status" hidden></div>
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""
