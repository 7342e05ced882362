"""The marks of a drawing as an SVG file: sharp at any size, and the same bytes each time.

drawn(figure)            the file's text
written(marks, size)     that of marks which were read before

Its unit is half a pixel of the marks, so that places are whole numbers; marks that look alike share a class.

Lecture: 00.
"""

import html
import re
from itertools import islice

import numpy as np

from course_widgets import geometry
from course_widgets.style import DPI

NO_PROPERTIES = ("kind", "d", "shape", "clip")  # of a mark's look
COLOURS = {f"var(--{name})": colour for name, colour in {**geometry.COLOURS, "ink": "#000", "paper": "#fff"}.items()}
IN_PIXELS = ("stroke-width", "stroke-dasharray", "font-size")
POINTS = {"M": 1, "L": 1, "Q": 2, "C": 3}  # of each letter of a path
FONT = "svg{font-family:DejaVu Sans,Verdana,sans-serif}"  # what matplotlib measures with, and what is as wide
FINE = 3  # times as many pixels: with one, a smooth curve has corners


def drawn(figure):
    """The text of an SVG file of a matplotlib figure, which stays as it is."""
    marks = geometry.read(figure, FINE * DPI)
    return written(marks, figure.get_size_inches() * DPI, FINE)


def written(marks, size, fine=1):
    """The text of an SVG file of marks, as `geometry.read` gives them.

    size : (width, height) in px;  fine : pixels of the marks in a px
    """
    defined = Definitions()
    elements = "".join(_element(mark, dict(mark.look), defined) for mark in marks)
    (wide, high), (x, y) = size, 2 * fine * np.asarray(size)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}" height="{high:g}" viewBox="0 0 {x:g} {y:g}">'
        f'{defined}<path fill="#fff" d="M0 0h{x:g}v{y:g}H0"/><g>{elements}</g></svg>'
    )


class Definitions:
    """What is defined once and used often, by short names: looks, boxes, shapes that are copied."""

    def __init__(self):
        self.looks, self.shared = {}, {}

    def __str__(self):
        looks = "".join(f".{name}{{{rules}}}" for rules, name in self.looks.items())
        shared = "".join(f'<{tag} id="{name}"{rest}</{tag}>' for (tag, rest), name in self.shared.items())
        return f"<style>{FONT}{looks}</style>{shared}"

    def look(self, properties):
        """The attribute that gives an element these properties, in half pixels."""
        given = {name: value for name, value in properties.items() if name not in NO_PROPERTIES}
        rules = ";".join(f"{name}:{_value(name, value)}" for name, value in given.items())
        return f'class="{self.looks.setdefault(rules, _short(len(self.looks)))}"'

    def address(self, tag, rest):
        """Where an element stands that is not painted itself."""
        return f"url(#{self.shared.setdefault((tag, rest), _short(len(self.shared)))})"


def _short(number):
    return chr(97 + number % 26) + str(number // 26 or "")


def _value(name, value):
    if name not in IN_PIXELS:
        return COLOURS.get(value, value)
    doubled = " ".join(f"{2 * float(length):.3g}" for length in value.split())
    return f"{doubled}px" if name == "font-size" else doubled


# --- an element of each kind


def _element(mark, look, defined):
    made = KINDS[look["kind"]](mark, {"fill": "none", **look}, defined)
    if "clip" not in look:
        return made
    x, y, wide, high = (f"{2 * float(length):g}" for length in look["clip"].split())
    box = defined.address("clipPath", f'><path d="M{x} {y}h{wide}v{high}h-{wide}"/>')
    return f'<g clip-path="{box}">{made}</g>'  # round what is moved, so that it does not move with it


def _path(mark, look, defined):
    return f'<path {defined.look(look)} d="{_packed(_straightened(_steps(look["d"], mark.points.tolist())))}"/>'


def _marks(mark, look, defined):
    """Copies of one shape: the marker at each point of a path, which is not painted itself and stays at its last."""
    shape = np.round(2 * np.array(look["shape"].split(), float), 1).reshape(-1, 2).tolist()
    drawn = f'<path {defined.look(look)} d="{_packed(_steps(look["d"], shape))}"/>'
    copied = defined.address("marker", f' markerUnits="userSpaceOnUse" overflow="visible">{drawn}')
    places = mark.points.tolist()
    unseen = {"fill": "none", "marker-start": copied, "marker-mid": copied}
    return f'<path {defined.look(unseen)} d="{_packed(_steps(f"ML{len(places)}", [*places, places[-1]]))}"/>'


def _text(mark, look, defined):
    """A text is as long as in the figure, whatever letters the reader's machine has."""
    (x, y), (to, down) = mark.points.tolist()
    angle = np.rad2deg(np.arctan2(down - y, to - x)) if abs(down - y) > 1 else 0
    turned = f' transform="rotate({angle:.4g} {x} {y})"' if angle else ""
    placed = f'x="{x}" y="{y}" textLength="{max(1, round(np.hypot(to - x, down - y)))}"{turned}'
    return f"<text {defined.look(look)} {placed}>{html.escape(mark.text, quote=False)}</text>"


def _image(mark, look, defined):
    corner, right, below = mark.points.astype(int)
    numbers = " ".join(map(str, (*(right - corner), *(below - corner), *corner)))
    placed = f'width="1" height="1" preserveAspectRatio="none" transform="matrix({numbers})"'
    return f'<image {defined.look(look)} {placed} href="{mark.text}"/>'


KINDS = {"path": _path, "marks": _marks, "text": _text, "image": _image}


# --- the d of a path


def _steps(letters, points):
    """(letter, numbers) of each step from point to point; letters such as "ML3Z" say how many points each takes."""
    rest, pen, start = iter(points), (0, 0), (0, 0)
    for letter, repeats in re.findall(r"([A-Z])(\d*)", letters):
        if letter == "Z":
            yield "z", []
            pen = start
            continue
        for _ in range(int(repeats or 1) // POINTS[letter]):
            ends = list(islice(rest, POINTS[letter]))
            yield letter.lower(), [end - begin for place in ends for end, begin in zip(place, pen, strict=True)]
            pen = ends[-1]
            start = pen if letter == "M" else start


def _straightened(steps):
    """Steps along one straight line as one."""
    last = None
    for letter, numbers in steps:
        if last and last[0] == letter == "l" and _is_ahead(last[1], numbers):
            last = "l", [a + b for a, b in zip(last[1], numbers, strict=True)]
            continue
        if last:
            yield last
        last = letter, numbers
    yield last


def _is_ahead(before, after):
    return before[0] * after[1] == before[1] * after[0] and before[0] * after[0] + before[1] * after[1] >= 0


def _packed(steps):
    """Steps as text; a letter that repeats is left out, and so are spaces before a minus."""
    made, before = "", ""
    for letter, numbers in steps:
        made += " " if letter == before and letter != "z" else letter
        made += " ".join(f"{number:g}" for number in numbers)
        before = letter
    return made.replace(" -", "-")
