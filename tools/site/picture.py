"""README's moving picture: the first explorer of lecture 01 fills its table as far as its question allows.

python -m tools.site.picture     draws it again
"""

import io

from PIL import Image

from course_lessons.dtw.explore import explore_table
from tools.notebooks import ROOT

PATH = ROOT / "lectures" / "figures" / "explore_table.gif"
CELLS = 45  # of 64: those that follow answer its question
DPI, COLOURS = 140, 32  # sharp on screens with two pixels for one
STEP_MS, LAST_MS = 200, 4000


def drawn(filled=CELLS, render=None):
    """(what the explorer says when so many cells are filled, its picture)."""
    return explore_table().drawn({"filled": filled, "band": 7}, render)


def image(figure):
    """A figure as an image."""
    png = io.BytesIO()
    figure.savefig(png, format="png", dpi=DPI)
    return Image.open(png).convert("RGB")


def moving():
    """The GIF as bytes: cell after cell, and the last for a while."""
    images = [drawn(filled, image)[1] for filled in range(CELLS + 1)]
    palette = images[-1].quantize(COLOURS, dither=Image.Dither.NONE)
    first, *others = [one.quantize(palette=palette, dither=Image.Dither.NONE) for one in images]
    gif, waits = io.BytesIO(), [STEP_MS] * CELLS + [LAST_MS]
    first.save(gif, "GIF", save_all=True, append_images=others, duration=waits, loop=0)
    return gif.getvalue()


if __name__ == "__main__":
    PATH.write_bytes(moving())
