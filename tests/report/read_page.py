"""Reads a page as a browser does: its elements, and the charts and tables that its script makes of the data in it.

packed.py says what the data is. None of its code is used here, so that a mistake in it is seen.
"""

import json
from dataclasses import dataclass
from html.parser import HTMLParser

VOID = {"meta", "link", "input", "br"}


@dataclass(frozen=True)
class Mark:
    """`places` are those in the wide and in the narrow drawing."""

    at: str
    csv: str
    tip: str
    series: str
    places: dict
    hollow: bool


@dataclass(frozen=True)
class Cell:
    """`at` and `csv` are empty where it shows no field of the CSV."""

    text: str
    classes: str
    small: str
    at: str = ""
    csv: str = ""


class Elements(HTMLParser):
    """Every element: its name, its attributes, the elements around it and the text within."""

    def __init__(self, text):
        super().__init__()
        self.all, self._open = [], []
        self.feed(text)
        self.unclosed = [element["tag"] for element in self._open]

    def handle_starttag(self, tag, attributes):
        element = {"tag": tag, "text": "", "inside": list(self._open), **dict(attributes)}
        self.all.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_endtag(self, tag):
        assert self._open[-1]["tag"] == tag, f"</{tag}> where <{self._open[-1]['tag']}> is open"
        self._open.pop()

    def handle_data(self, data):
        for element in self._open:
            element["text"] += data


class Page:
    def __init__(self, text):
        self.text = text
        self.elements = Elements(text)
        self.unclosed = self.elements.unclosed
        self.data = json.loads(self.element("data")["text"])
        self._numbers = [number.split("=") for number in ",".join(self.data["numbers"]).split(",")]
        self.charts = self.data["charts"]

    def element(self, key):
        return next(element for element in self.elements.all if element.get("id") == key)

    def series(self):
        """The keys of all series of all charts."""
        return {self.data["series"][index][0] for chart in self.charts.values() for index in chart["series"]}

    def _number(self, index):
        at, csv = self._numbers[index]
        return at if ":" in at else f"{at}:median_ns", csv

    def marks(self, key):
        chart = self.charts[key]
        unit = self.data["unit"]
        found = []
        for index, marks in zip(chart["series"], chart["marks"]):
            for across, down, number, behind, *before in marks:
                at, csv = self._number(number)
                tip = "".join(self.data["words"][word] for word in before) + csv + self.data["words"][behind]
                places = {}
                for size in ("wide", "narrow"):
                    (left, right), (low, high) = chart[size]["x"], chart[size]["y"]
                    share = down * unit if chart["kind"] == "lines" else down
                    places[size] = left + across * unit * (right - left), low + share * (high - low)
                hollow = len(found) in chart.get("hollow", ())
                found.append(Mark(at, csv, tip, self.data["series"][index][0], places, hollow))
        return found

    def all_marks(self):
        return [mark for key in self.charts for mark in self.marks(key)]

    def cells(self, table):
        """The rows of a table, or of the one beneath a chart."""
        return [[self._cell(index) for index in row] for row in table["rows"]]

    def _cell(self, index):
        if index >= 0:
            at, csv = self._number(index)
            return Cell(csv, "n", "", at, csv)
        text, classes, small, *number = self.data["cells"][-1 - index]
        where = self._number(*number) if number else ()
        return Cell(text, self.data["words"][classes], self.data["words"][small], *where)

    def _tables_within(self, key):
        return [element for element in self.elements.all
                if element.get("data-table") and any(outer.get("id") == key for outer in element["inside"])]

    def captions_within(self, key):
        """What the tables within an element are called."""
        return [element["aria-label"] for element in self._tables_within(key)]

    def cells_within(self, key):
        """All cells of the tables that stand within an element."""
        tables = [self.data["tables"][int(element["data-table"])] for element in self._tables_within(key)]
        return [cell for table in tables for row in self.cells(table) for cell in row]

    def all_cells(self):
        tables = [*self.data["tables"], *self.charts.values()]
        return [cell for table in tables for row in self.cells(table) for cell in row]
