"""One look for every figure of the course, and figures that carry their description.

Colours have the hues of Okabe and Ito, which colour-blind readers can tell apart, but darker: each stands out from
white by 3 : 1 at least, as a line must, and those of `WRITTEN` by 4.5 : 1, as words must (WCAG 2.2, 1.4.11 and 1.4.3).
Line styles differ as well.

Lecture: 00.
"""

import base64
import html
import io
from itertools import product

import matplotlib
import numpy as np
from cycler import cycler
from matplotlib import patheffects
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from course_lib import validation

BLUE, ORANGE, GREEN, PINK, SKY, VERMILION, GREY = (
    "#31569F",
    "#D87800",
    "#28825A",
    "#AB6894",
    "#1A9CD6",
    "#8F2F00",
    "#555555",
)
WRITTEN = (BLUE, GREEN, VERMILION, GREY)
LINES = ("-", "--", "-.", ":")
COLORS = (BLUE, ORANGE, GREEN, VERMILION, PINK, GREY, SKY)
MARKERS = ("o", "^", "s", "D", "v", "P", "X")
MOST_LOOKS = len(COLORS) * len(LINES)
DPI = 100  # pixels of CSS in an inch of a figure
LEAST_FONT, LINE_HEIGHT = 5.0, 1.15  # points; of a line of text, in font sizes
HEAT = "cividis"
# In JupyterLab's dark theme, where this number is 32 instead of 0, what has shades is dimmed, so that its paper does
# not glare, and lines become light on dark paper with the hues that they had. JupyterLab takes filters out of outputs
# that it does not trust: lectures/style/custom.css says the same for these.
DARKNESS = "var(--jp-shadow-base-lightness, 0)"
SUBDUED = f"filter:brightness(calc(1 - {DARKNESS} / 140))"
INVERTED = f"filter:invert(calc({DARKNESS} / 34)) hue-rotate(calc({DARKNESS} * 5.625deg))"
SURELY_SMALL = 16_000  # bytes of an SVG, so few that no PNG has to be tried
# Round what crosses a heat map, which has all shades: a dark line's light edge, and a white one's dark edge.
HALO = (patheffects.withStroke(linewidth=4, foreground="white"),)
DARK_EDGE = (patheffects.withStroke(linewidth=3.5, foreground=GREY),)
STYLE = {
    "axes.prop_cycle": cycler(color=[BLUE, ORANGE, GREEN, PINK]) + cycler(linestyle=LINES),
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "axes.labelsize": 10,
    "font.size": 10,
    "figure.dpi": DPI,
    "image.cmap": HEAT,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
}


def sheet(size=(7, 3), layout="constrained"):
    """An empty figure in the style of the course. It belongs to no window and no global state."""
    size = validation.matrix(size, "size", (2,))
    if (size <= 0).any():
        raise ValueError(f"size is {size.tolist()}; width and height in inches, above 0, are needed.")
    layout = validation.one_of(layout, ("constrained", "compressed", "tight", "none", None), "layout")
    with matplotlib.rc_context(STYLE):
        drawing = Figure(figsize=size, layout=layout)
        FigureCanvasAgg(drawing)
        return drawing


def figure(rows=1, columns=1, size=(7, 3), layout="constrained", **options):
    """(figure, axes) in the style of the course; `options` as matplotlib's `Figure.subplots`. Show it with `show`."""
    rows, columns = validation.integer(rows, "rows"), validation.integer(columns, "columns")
    drawing = sheet(size, layout)
    with matplotlib.rc_context(STYLE):
        return drawing, drawing.subplots(rows, columns, **options)


def looks(count, first=(), of="lines"):
    """`count` dicts of color, linestyle and marker, of which no two share colour and line style, or colour and marker.

    first : (color, linestyle, marker) of the first ones;  of : what there are so many of, for the error
    """
    if validation.integer(count, "count", least=0) > MOST_LOOKS:
        raise ValueError(
            f"there are {count} {of}, and no more than {MOST_LOOKS} can be told apart in one drawing; draw some of "
            "them, or a heat map."
        )
    found = list(first)
    for turn, color in product(range(len(LINES)), COLORS):
        used = [look for look in found if look[0] == color]
        start = turn + COLORS.index(color)
        lines = [line for line in _from(LINES, start) if line not in {look[1] for look in used}]
        marks = [mark for mark in _from(MARKERS, start) if mark not in {look[2] for look in used}]
        if lines:
            found.append((color, lines[0], marks[0]))
    return [{"color": color, "linestyle": line, "marker": mark} for color, line, mark in found[:count]]


def _from(values, start):
    return [values[(start + k) % len(values)] for k in range(len(values))]


def write_names(names, ax, axis, fontsize=10.0, rotation=0.0):
    """Names at the ticks of an axis, "x" or "y", turned and made smaller where they would overlap.

    fontsize, rotation : as long as they fit like that
    """
    names, n = [str(name) for name in names], len(names)
    box = ax.get_position()
    inches = ax.figure.get_size_inches()
    length = 72.0 * (box.width * inches[0] if axis == "x" else box.height * inches[1])
    room = length / max(n, 1)
    longest = max(map(len, names), default=0)
    size = min(fontsize, room / LINE_HEIGHT)
    if axis == "x" and rotation == 0 and 0.6 * longest * fontsize <= room:
        size = fontsize
    elif axis == "x" and (rotation == 0 or size < fontsize):
        rotation = 90.0
    if size < LEAST_FONT:
        side = "wide" if axis == "x" else "high"
        needed = inches["xy".index(axis)] * LEAST_FONT / size
        raise ValueError(
            f"names holds {n} names, which do not fit in {length / 72:.1f} inches; make the figure at least "
            f"{needed:.1f} inches {side}, or draw some of them."
        )
    turned = {"rotation": rotation, "ha": "right" if 0 < rotation < 90 else "center"} if axis == "x" else {}
    ticks = ax.set_xticks if axis == "x" else ax.set_yticks
    ticks(range(n), names, fontsize=size, **turned)
    return ax


def png(drawing):
    """The figure as PNG bytes: with two pixels in a px, and with a palette of 256 colours, a third of the size."""
    with matplotlib.rc_context(STYLE):
        drawing.set_dpi(2 * DPI)
        drawing.canvas.draw()
        drawing.set_dpi(DPI)
    picture, data = Image.fromarray(np.asarray(drawing.canvas.buffer_rgba())), io.BytesIO()
    picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(data, "PNG", optimize=True)
    return data.getvalue()


def sharp(drawing):
    """The figure as SVG bytes, or as PNG bytes where they are fewer or the SVG would lack something."""
    from course_widgets import svg  # which takes its colours from here

    if drawing.findobj(_is_special):
        return png(drawing)
    text = svg.drawn(drawing).encode()
    return text if len(text) <= SURELY_SMALL else min(text, png(drawing), key=len)


def _is_special(artist):
    """Whether an artist is cut off by a curve, or hatched."""
    return artist.get_clip_path() is not None or bool(getattr(artist, "get_hatch", str)())


def image_tag(data, alt, width):
    """HTML of an embedded SVG or PNG with its alternative text, so many px wide."""
    source = base64.b64encode(data).decode()
    kind = "svg+xml" if data.startswith(b"<svg") else "png"
    has_shades = kind == "png" or b"<image" in data
    look = f'style="max-width:100%;{SUBDUED}"' if has_shades else f'class="lines" style="max-width:100%;{INVERTED}"'
    return f'<img alt="{html.escape(alt)}" width="{width:g}" src="data:image/{kind};base64,{source}" {look}>'


class Picture:
    """A figure with its description; a notebook shows it as an image with alternative text, sharp on any screen."""

    def __init__(self, drawing, alt):
        self.data, self.alt, self.width = sharp(drawing), alt, DPI * drawing.get_figwidth()

    def __repr__(self):
        return f"{type(self).__name__}: {self.alt}"

    def _repr_html_(self):
        return image_tag(self.data, self.alt, self.width)


def show(drawing, alt):
    """The matplotlib figure as the last value of a cell: an image that carries its description.

    alt : what a reader who does not see the figure should know: what is drawn and what it shows
    """
    validation.instance(drawing, Figure, "drawing", "a matplotlib Figure")
    validation.text(alt, "alt", "a sentence that says what the figure shows")
    return Picture(drawing, " ".join(alt.split()))


def save(drawing, path, alt):
    """The figure in a file, with its description inside: .png, .svg or .pdf, by the end of the name. Returns the path.

    In an SVG the description is its title and its label for screen readers, in a PDF the subject, in a PNG a text
    chunk: what shows the file elsewhere, such as a page, still wants the text given to it. A PDF holds its fonts, as
    TrueType, which journals take.
    """
    validation.instance(drawing, Figure, "drawing", "a matplotlib Figure")
    alt = " ".join(validation.text(alt, "alt", "a sentence that says what the figure shows").split())
    path = validation.path(path, "path")
    kind = path.suffix.lower()
    if kind not in (".png", ".svg", ".pdf"):
        raise ValueError(f"path is {str(path)!r}; a name that ends in .png, .svg or .pdf is needed.")
    inside = {
        ".png": {"Description": alt},
        ".svg": {"Description": alt, "Date": None},
        ".pdf": {"Subject": alt, "CreationDate": None},
    }[kind]
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": "course", "svg.fonttype": "path", "pdf.fonttype": 42}):
        drawing.savefig(path, dpi=200, metadata=inside)
    if kind == ".svg":
        _label_svg(path, html.escape(alt))
    return path


def _label_svg(path, alt):
    """Give an SVG file a label and a title for those who do not see it."""
    before, opening, rest = path.read_text(encoding="utf-8").partition("<svg ")
    attributes, end, inside = rest.partition(">")
    labelled = f'{before}{opening}role="img" aria-label="{alt}" {attributes}{end}\n <title>{alt}</title>{inside}'
    path.write_text(labelled, encoding="utf-8")
