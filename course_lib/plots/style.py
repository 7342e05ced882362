"""One look for every figure of the course, and figures that carry their description.

Colours are those of Okabe and Ito, which colour-blind readers can tell apart; line styles differ as well.
Lecture: 00.
"""

import base64
import html
import io

import matplotlib
import numpy as np
from cycler import cycler
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from course_lib import validation

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


def sheet(size=(7, 3), layout="constrained"):
    """An empty figure in the style of the course. It belongs to no window and no global state.

    Raises
    ------
    ValueError
        If the size (in inches) is no pair of positive numbers, or the layout is unknown.

    Lecture: 00.
    """
    size = validation.matrix(size, "size", (2,))
    if (size <= 0).any():
        raise ValueError(f"size is {size.tolist()}; width and height in inches, above 0, are needed.")
    layout = validation.one_of(layout, ("constrained", "compressed", "tight", "none", None), "layout")
    with matplotlib.rc_context(STYLE):
        drawing = Figure(figsize=size, layout=layout)
        FigureCanvasAgg(drawing)
        return drawing


def figure(rows=1, columns=1, size=(7, 3), layout="constrained", **options):
    """(figure, axes) in the style of the course; `options` as matplotlib's `Figure.subplots`. Show it with `show`.

    Raises
    ------
    ValueError
        As sheet, and if rows or columns are no whole numbers above 0.

    Lecture: 00.
    """
    rows, columns = validation.whole(rows, "rows"), validation.whole(columns, "columns")
    drawing = sheet(size, layout)
    with matplotlib.rc_context(STYLE):
        return drawing, drawing.subplots(rows, columns, **options)


def png(drawing, fast=False):
    """The figure as PNG bytes: packed fast for a widget, or with a palette of 256 colours, small for a notebook.

    Lecture: 00.
    """
    with matplotlib.rc_context(STYLE):
        drawing.set_dpi(100)
        drawing.canvas.draw()
    picture, data = Image.fromarray(np.asarray(drawing.canvas.buffer_rgba())).convert("RGB"), io.BytesIO()
    if fast:
        picture.save(data, "PNG", compress_level=1)
    else:
        picture.quantize(256, dither=Image.Dither.NONE).save(data, "PNG", optimize=True)
    return data.getvalue()


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
        If the drawing is no Figure, or the description is missing.

    Lecture: 00.
    """
    validation.instance(drawing, Figure, "drawing", "a matplotlib Figure")
    validation.text(alt, "alt", "a sentence that says what the figure shows")
    return Picture(png(drawing), " ".join(alt.split()))
