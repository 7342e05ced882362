"""The marks of a drawing as an SVG file, which is sharp at any size, and its tag.

written(marks, size)     the text of the file
image_tag(text, alt)     HTML of an image with it inside

Lecture: 00.
"""

import base64
import html
import re
from itertools import islice

import numpy as np

from course_widgets import geometry, style

OWN = ("kind", "d", "shape", "clip")  # of a mark's look: no plain attributes of an element
NAMED = {f"var(--{name})": colour for name, colour in {**geometry.COLOURS, "ink": "#000", "paper": "#fff"}.items()}
LETTER = re.compile(r"([A-Z])(\d*)")
FONT = "DejaVu Sans, Verdana, sans-serif"


def written(marks, size):
    """The text of an SVG file of marks as `geometry.read` gives them; size is its (width, height) in px."""
    wide, high = (f"{length:g}" for length in size)
    boxes = list(dict.fromkeys(dict(mark.look)["clip"] for mark in marks if "clip" in dict(mark.look)))
    clips = {box: f"c{k}" for k, box in enumerate(boxes)}
    begin = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">'
    defined = "".join(f'<clipPath id="{name}">{_rectangle(box)}</clipPath>' for box, name in clips.items())
    paper = f'<rect width="{wide}" height="{high}" fill="#fff"/>'
    drawn = "".join(_element(mark, dict(mark.look), clips) for mark in marks)
    return f'{begin}<defs>{defined}</defs>{paper}<g font-family="{FONT}">{drawn}</g></svg>'


def image_tag(text, alt, width=None):
    """HTML of an SVG file inside an image with its alternative text."""
    source = base64.b64encode(text.encode()).decode()
    wide = f' width="{width:g}"' if width else ""
    return (
        f'<img alt="{html.escape(alt)}"{wide} src="data:image/svg+xml;base64,{source}" '
        f'style="max-width:100%;{style.SUBDUED}">'
    )


def _rectangle(box):
    x, y, wide, high = box.split()
    return f'<rect x="{x}" y="{y}" width="{wide}" height="{high}"/>'


def _element(mark, look, clips):
    plain = "".join(f' {name}="{NAMED.get(value, value)}"' for name, value in look.items() if name not in OWN)
    plain += "" if "fill" in look else ' fill="none"'
    made = SHAPES[look["kind"]](mark, look, plain)
    return f'<g clip-path="url(#{clips[look["clip"]]})">{made}</g>' if "clip" in look else made


def _path(mark, look, plain):
    return f'<path d="{_outline(look["d"], mark.points / 2)}"{plain}/>'


def _marks(mark, look, plain):
    shape = np.array(look["shape"].split(), dtype=float).reshape(-1, 2)
    return f'<path d="{"".join(_outline(look["d"], shape + place) for place in mark.points / 2)}"{plain}/>'


def _text(mark, look, plain):
    (x, y), (to, down) = mark.points / 2
    long = max(1.0, np.hypot(to - x, down - y))
    angle = np.rad2deg(np.arctan2(down - y, to - x)) if abs(down - y) > 0.6 else 0
    turned = f' transform="rotate({angle:.4g} {x:g} {y:g})"' if angle else ""
    fits = f'textLength="{long:.4g}" lengthAdjust="spacingAndGlyphs"'
    return f'<text x="{x:g}" y="{y:g}" {fits}{turned}{plain}>{html.escape(mark.text)}</text>'


def _image(mark, look, plain):
    corner, right, below = mark.points / 2
    numbers = " ".join(f"{value:g}" for value in (*(right - corner), *(below - corner), *corner))
    placed = f'width="1" height="1" preserveAspectRatio="none" transform="matrix({numbers})"'
    return f'<image href="{mark.text}" {placed}{plain}/>'


SHAPES = {"path": _path, "marks": _marks, "text": _text, "image": _image}


def _outline(letters, points):
    """The d of a path: letters such as "ML3Z", each with as many points as it says."""
    made, rest = [], iter(points.tolist())
    for letter, count in LETTER.findall(letters):
        made.append(letter)
        made += [f"{x:.5g} {y:.5g} " for x, y in islice(rest, int(count or 1) if letter != "Z" else 0)]
    return "".join(made)
