"""The content of a chart, apart from the drawing."""

from dataclasses import dataclass, field

import svg
from names import Look


@dataclass(frozen=True)
class Mark:
    """A measurement in a chart.

    `tip` is what pointing at it says. `at` names the field of the CSV that it shows, "line:column",
    and `exact` is what stands there.
    """

    x: float
    y: float
    tip: str
    at: str
    exact: str
    shape: str = ""  # if it differs from its series'
    label: str = ""  # written beside it
    subject: str = ""  # the subject of its colour, if it differs from its series'
    hollow: bool = False  # marks an incomplete value
    until: float = None  # draws a line to there: from the median to the slowest frames


@dataclass
class Series:
    """Marks that are shown and hidden together. One without a title has no name at its end."""

    key: str
    title: str
    look: Look
    ours: bool
    marks: list = field(default_factory=list)

    @property
    def classes(self):
        """Whose it is, and the structure whose colour it has."""
        return _classes(self.key, self.ours)


def _classes(subject, ours):
    return f"{'ours' if ours else 'peer'} {svg.subject_class(subject)}"


@dataclass(frozen=True)
class Rule:
    """A value worth a line across the chart."""

    value: float
    text: str


@dataclass(frozen=True)
class Axis:
    title: str
    write: object  # value -> text at a tick
    log: bool = True
    ticks: tuple = ()  # only these, where not every value makes sense


@dataclass
class Chart:
    """`kind` is "lines" (x and y are numbers) or "rows" (y is an index into `row_names`, and x the
    number) or "bars" (rows that begin at 0, with their values written)."""

    key: str
    title: str
    about: str
    kind: str
    x: Axis
    y: Axis
    series: list
    ideal: str = ""  # names a line where y is x
    rules: list = field(default_factory=list)
    row_names: list = field(default_factory=list)
    row_subjects: list = field(default_factory=list)
    ours: frozenset = frozenset()  # of the rows' subjects
    header: list = field(default_factory=list)  # of the table beneath
    table: list = field(default_factory=list)  # rows of Cells
    notes: list = field(default_factory=list)
    shapes: list = field(default_factory=list)  # (shape, what it stands for)

    @property
    def marks(self):
        return [mark for series in self.series for mark in series.marks]

    @property
    def empty(self):
        return not self.marks

    def classes_of(self, subject):
        """As `Series.classes`, for a row and the marks in it."""
        return _classes(subject, subject in self.ours)


@dataclass(frozen=True)
class Cell:
    """A field of a table. `at` and `exact` as in Mark."""

    text: str
    at: str = ""
    exact: str = ""
    number: bool = False
    classes: str = ""
    small: str = ""


@dataclass(frozen=True)
class Sheet:
    """A table as readers see it. The first cell of a row is its head."""

    header: list
    rows: list  # of lists of Cells
    caption: str


def cell_of(row, column):
    """A field of the CSV as it stands there, or why there is none."""
    if row is None:
        return Cell("–", small="not measured", classes="none")
    if column.endswith("_ns") and not row.timed:
        return Cell("–", small=row.why_not, classes="none")
    text = row.text[column]
    return Cell(text or "–", at=f"{row.line}:{column}", exact=text, number=True)
