"""What drawing.js makes charts and tables of, as JSON. Numbers, words and styles are there once, and indices stand
for them: written out wherever they are shown, they were six times as much.

    numbers   fields of the CSV, to the digit: "14=37.433" is column median_ns of line 14, "14:bytes=40.0" another
              column; a dozen in one string, between commas
    words     texts that occur often: parts of tips, small print, classes
    cells     [text, classes, small print, number] of tables
    series    [key, title, classes, shape, dash]
    tables    {head, rows}; in rows N is number N as it stands in the CSV, and -1 - N is cell N
    charts    by key. A mark is [x, y, number, words behind it in the tip, words before it ...]; the fields of a
              drawing are those of layout.py, and all that is the same in `wide` and in `narrow` is beside them

A share of the way is in units, which are `unit` of it; y of a row is its number.
"""

import json
import re

import drawing
import svg
from layout import Group, Line

# Most numbers are of this column, so it is not named.
USUAL = "median_ns"
# The widest drawing has fewer than 1,000 pixels, so that a unit is less than a tenth of one.
UNITS = 10000
IN_A_LINE = 12


class Packed:
    """Collects what the page shows."""

    def __init__(self):
        self._numbers, self._words, self._cells, self._series = {}, {}, {}, {}
        self._tables, self._charts = [], {}

    def add_table(self, sheet):
        """Its index."""
        self._tables.append(self._table(sheet.header, sheet.rows))
        return len(self._tables) - 1

    def add_chart(self, chart):
        wide, narrow = (drawing.lay_out(chart, size) for size in (svg.WIDE, svg.NARROW))
        assert (wide.places, wide.reaches) == (narrow.places, narrow.reaches), chart.key
        places = iter(wide.places)
        series = [(one.key, one.title, one.classes, one.look.shape, one.look.dash) for one in chart.series]
        packed = {
            "kind": chart.kind,
            "series": [_index(self._series, one) for one in series],
            "marks": [[self._mark(chart, mark, next(places)) for mark in series.marks] for series in chart.series],
            "ticks": [_ticks(ticks.at) for ticks in wide.ticks],
            "wide": _drawing(wide, wide),
            "narrow": _drawing(narrow, wide),
            **self._table(chart.header, chart.table),
            **self._rows(chart, wide),
        }
        hollow = [index for index, mark in enumerate(chart.marks) if mark.hollow]
        shaped = {index: mark.shape for index, mark in enumerate(chart.marks) if mark.shape}
        rare = (("hollow", hollow), ("shaped", shaped), ("meant", chart.shapes))
        packed.update((name, value) for name, value in rare if value)
        assert chart.key not in self._charts, f"two charts have the key {chart.key}"
        self._charts[chart.key] = packed

    def json(self):
        """Each table and chart is a line, so that two pages can be compared."""
        numbers = list(self._numbers)
        lines = [",".join(numbers[at:at + IN_A_LINE]) for at in range(0, len(numbers), IN_A_LINE)]
        sizes = [(size.name, size.width, size.font) for size in (svg.WIDE, svg.NARROW)]
        charts = ",\n".join(f"{_json(key)}:{_json(chart)}" for key, chart in self._charts.items())
        return (f'{{"unit":{_json(1 / UNITS)},\n"sizes":{_json(sizes)},\n"shapes":{_json(svg.SHAPES)},\n'
                f'"numbers":{_lines(lines)},\n"words":{_lines(self._words)},\n"cells":{_lines(self._cells)},\n'
                f'"series":{_lines(self._series)},\n"tables":{_lines(self._tables)},\n"charts":{{\n{charts}\n}}}}')

    def _number(self, at, exact):
        line, column = at.split(":")
        return _index(self._numbers, f"{line}={exact}" if column == USUAL else f"{at}={exact}")

    def _word(self, text):
        return _index(self._words, text)

    def _mark(self, chart, mark, place):
        before, found, behind = mark.tip.rpartition(mark.exact)
        assert found, f"the tip of {mark.at} lacks its number: {mark.tip}"
        # Structures, ways and counts recur in tips, whole tips do not.
        parts = re.split(r"(?<=[:,;] )", before)
        across, down = place
        return [_units(across), _units(down) if chart.kind == "lines" else down, self._number(mark.at, mark.exact),
                self._word(behind), *map(self._word, parts)]

    def _rows(self, chart, layout):
        """The names of rows, with their classes, and the classes of marks unless they are those of their rows."""
        if chart.kind == "lines":
            return {}
        rows = [chart.classes_of(subject) for subject in chart.row_subjects]
        packed = {"names": [[self._word(name), self._word(classes)] for name, classes in zip(chart.row_names, rows)]}
        marks = [chart.classes_of(mark.subject) for mark in chart.marks]
        if marks != [rows[mark.y] for mark in chart.marks]:
            packed["classes"] = [self._word(classes) for classes in marks]
        if chart.kind == "bars":
            packed["labels"] = [mark.label for mark in chart.marks]
        if layout.reaches:
            packed["reaches"] = {index: _units(share) for index, share in layout.reaches.items()}
        return packed

    def _table(self, header, rows):
        return {"head": header, "rows": [[self._cell(cell) for cell in row] for row in rows]}

    def _cell(self, cell):
        number = self._number(cell.at, cell.exact) if cell.at else None
        classes = " ".join(filter(None, ("n" if cell.number else "", cell.classes)))
        if number is not None and (cell.text, classes, cell.small) == (cell.exact, "n", ""):
            return number
        packed = [cell.text, self._word(classes), self._word(cell.small), number]
        if number is None:
            packed.pop()
        return -1 - _index(self._cells, tuple(packed))


def _index(known, key):
    """The place of a key among those that are known, at the end if it is new."""
    return known.setdefault(key, len(known))


def _drawing(layout, wide):
    """Ticks are named again where they are not those of the wide drawing."""
    packed = {"height": _pixels(layout.height), "x": _stretch(layout.x), "y": _stretch(layout.y), "ticks": []}
    for ticks, known in zip(layout.ticks, wide.ticks):
        packed["ticks"].append([ticks.along, *map(_pixels, (ticks.begin, ticks.end, ticks.beside))])
        if ticks.at != known.at:
            packed["ticks"][-1].append(_ticks(ticks.at))
    packed["below"] = [_piece(piece) for piece in layout.below]
    if layout.above:
        packed["above"] = [_piece(piece) for piece in layout.above]
    if layout.labels:
        packed["labels"] = [(index, _pixels(x), _pixels(y)) for index, x, y in layout.labels]
    if layout.names:
        packed["names"] = (_pixels(layout.names.x), layout.names.below, layout.names.anchor)
    return packed


def _ticks(at):
    return [part for share, words in at for part in (_units(share), words)]


def _piece(piece):
    if isinstance(piece, Line):
        return ["line", *map(_pixels, (piece.x1, piece.y1, piece.x2, piece.y2)), piece.classes]
    if isinstance(piece, Group):
        return ["group", piece.series, [_piece(text) for text in piece.texts]]
    return ["text", _pixels(piece.x), _pixels(piece.y), piece.words, piece.anchor, piece.classes]


def _stretch(stretch):
    return _pixels(stretch.begin), _pixels(stretch.end)


def _units(share):
    return round(share * UNITS)


def _pixels(value):
    return json.loads(svg.number(value))


def _json(value):
    # No text may end the element that it stands in.
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _lines(values):
    return "[\n" + ",\n".join(map(_json, values)) + "\n]"
