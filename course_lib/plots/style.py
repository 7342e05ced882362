"""One look for every figure of the course, and figures that carry their description.

Colours are those of Okabe and Ito, which colour-blind readers can tell apart; line styles differ as well.
Lecture: 00.
"""

import base64
import html
import io

import matplotlib
from cycler import cycler
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

BLUE, ORANGE, GREEN, PINK, SKY, VERMILION, YELLOW, GREY = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#D55E00",
    "#F0E442",
    "#595959",
)
LINES = ("-", "--", "-.", ":")
HEAT = "cividis"
STYLE = {
    "axes.prop_cycle": cycler(color=[BLUE, ORANGE, GREEN, PINK]) + cycler(linestyle=LINES),
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "axes.labelsize": 10,
    "font.size": 10,
    "figure.dpi": 100,
    "image.cmap": HEAT,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
}


def figure(rows=1, columns=1, size=(7, 3), layout="constrained", **options):
    """(figure, axes) in the style of the course; `options` as matplotlib's `Figure.subplots`.

    The figure belongs to no window and no global state: show it with `show`.

    Lecture: 00.
    """
    with matplotlib.rc_context(STYLE):
        drawing = Figure(figsize=size, layout=layout)
        FigureCanvasAgg(drawing)
        return drawing, drawing.subplots(rows, columns, **options)


def png(drawing, fast=False):
    """The figure as PNG bytes: packed fast for a widget, or with a palette of 256 colours, small for a notebook.

    Lecture: 00.
    """
    data = io.BytesIO()
    with matplotlib.rc_context(STYLE):
        drawing.savefig(data, format="png", dpi=100, pil_kwargs={"compress_level": 1})
    if fast:
        return data.getvalue()
    small = io.BytesIO()
    Image.open(data).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(small, "PNG", optimize=True)
    return small.getvalue()


def image_tag(data, alt):
    """HTML of an embedded PNG with its alternative text. Lecture: 00."""
    source = base64.b64encode(data).decode()
    return f'<img alt="{html.escape(alt)}" src="data:image/png;base64,{source}" style="max-width:100%">'


class Picture:
    """A drawn figure with its description; a notebook shows it as an image with alternative text.

    Lecture: 00.
    """

    def __init__(self, data, alt):
        self.data, self.alt = data, alt

    def __repr__(self):
        return f"Picture: {self.alt}"

    def _repr_html_(self):
        return image_tag(self.data, self.alt)


def show(drawing, alt):
    """The figure as the last value of a cell: an image that carries its description.

    Parameters
    ----------
    drawing : matplotlib Figure
    alt : str
        What a reader who does not see the figure should know: what is drawn and what it shows.

    Raises
    ------
    ValueError
        If the description is missing.

    Lecture: 00.
    """
    if not isinstance(alt, str) or not alt.strip():
        raise ValueError(f"alt is {alt!r}; say in a sentence what the figure shows.")
    return Picture(png(drawing), " ".join(alt.split()))
