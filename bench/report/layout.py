"""Where everything of a chart stands in a drawing. line_chart.py and row_chart.py reckon it; drawing.py writes it as
SVG for pictures, and drawing.js draws it on the page."""

from dataclasses import dataclass, field

import svg


@dataclass(frozen=True)
class Stretch:
    """Pixels along one axis. What stands there is given as a share of the way: from 0 to 1 on a scale, and a row as its
    number. So one list of shares does for drawings of all sizes."""

    begin: float
    end: float

    def at(self, share):
        return self.begin + share * (self.end - self.begin)


@dataclass(frozen=True)
class Line:
    x1: float
    y1: float
    x2: float
    y2: float
    classes: str


@dataclass(frozen=True)
class Text:
    x: float
    y: float
    words: str
    anchor: str = "start"
    classes: str = ""


@dataclass(frozen=True)
class Group:
    """Texts of a series, by its index, which the legend hides with it."""

    series: int
    texts: list


@dataclass(frozen=True)
class Ticks:
    """Lines from `begin` to `end`, across the axis that they are `along`, each with its value."""

    along: str
    begin: float
    end: float
    beside: float  # where the values stand: their y along x, their x along y
    at: list  # (share, text)


@dataclass(frozen=True)
class Names:
    """Where rows have their names: at x, and so far below the middle of the row."""

    x: float
    below: float
    anchor: str


@dataclass
class Layout:
    """`places` are shares along x and y, of each mark in the order of `chart.marks`. A bar ends there."""

    size: svg.Size
    height: float
    x: Stretch
    y: Stretch
    places: list
    ticks: list
    below: list  # pieces that marks are drawn over
    above: list = field(default_factory=list)
    labels: list = field(default_factory=list)  # (index of a series, x, y) of its title
    names: Names = None
    reaches: dict = field(default_factory=dict)  # index of a mark -> share where the line from it ends

    def place(self, index):
        across, down = self.places[index]
        return self.x.at(across), self.y.at(down)
