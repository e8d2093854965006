"""The pieces of SVG that all charts consist of."""

from dataclasses import dataclass
from html import escape

# Drawn around 0, 0. Those without a surface are lines, and their classes say so.
SHAPES = {
    "circle": "M-4,0a4,4 0 1 0 8,0a4,4 0 1 0 -8,0z",
    "square": "M-3.6,-3.6h7.2v7.2h-7.2z",
    "diamond": "M0,-5L5,0L0,5L-5,0z",
    "up": "M0,-4.8L4.6,3.6H-4.6z",
    "down": "M0,4.8L4.6,-3.6H-4.6z",
    "plus": "M-1.5,-4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z",
    "cross": "M-4.2,-2.1L-2.1,-4.2L0,-2.1L2.1,-4.2L4.2,-2.1L2.1,0L4.2,2.1L2.1,4.2L0,2.1L-2.1,4.2L-4.2,2.1L-2.1,0z",
    "tick": "M-1.6,-7h3.2v14h-3.2z",
    "bar": "M-5,-1.8h10v3.6h-10z",
}


@dataclass(frozen=True)
class Size:
    """The layout of a drawing. Wide ones have room for labels beside the marks, narrow ones do not."""

    name: str
    width: int
    font: float

    @property
    def wide(self):
        return self.name != "narrow"


WIDE = Size("wide", 880, 13)
NARROW = Size("narrow", 340, 11.5)


def number(value):
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def text(x, y, words, anchor="start", classes=""):
    named = f' class="{classes}"' if classes else ""
    return f'<text x="{number(x)}" y="{number(y)}" text-anchor="{anchor}"{named}>{escape(words)}</text>'


def line(x1, y1, x2, y2, classes):
    return (f'<line class="{classes}" x1="{number(x1)}" y1="{number(y1)}" '
            f'x2="{number(x2)}" y2="{number(y2)}"/>')


def shape_path(shape):
    return SHAPES.get(shape, SHAPES["circle"])


def subject_class(subject):
    """A class name from a name in the CSV."""
    return "c-" + "".join(letter if letter.isalnum() else "-" for letter in subject)


def mark(at_x, at_y, of, shape, path=None):
    """A mark that can be pointed at. Only arrow keys reach it (page.js), so that the tabulator stops once
    in each chart."""
    where = "" if path else f' transform="translate({number(at_x)} {number(at_y)})"'
    hollow = " hollow" if of.hollow else ""
    return (f'<path class="m{hollow}" d="{path or shape_path(shape)}"{where} role="img" '
            f'aria-label="{escape(of.tip)}" data-at="{of.at}" data-csv="{escape(of.exact)}"/>')


def titled(name, title, about, body):
    """The inside of a drawing, with its titles. `name` makes their ids unique. The empty title within keeps
    browsers from laying the drawing's own over the tips of its marks."""
    return (f'<title id="{name}-t">{escape(title)}</title><desc id="{name}-d">{escape(about)}</desc>'
            f"<g><title></title>{body}</g>")
