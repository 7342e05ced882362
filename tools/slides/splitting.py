"""Blocks, none of which is ever cut, shared out over as many slides as they need.

    pages = split(blocks)     each a list of blocks

A new slide begins between two cells; within a cell only where the cell is longer than a slide, or before what appears
on a key. Of all ways with equally good breaks it takes the one whose slides are filled most evenly.
"""

from dataclasses import dataclass, field
from itertools import pairwise

from tools.slides.sizes import BLOCK_GAP, CONTINUED, ROOM

# What is worse than what, in the same unit. A slide more is better than a cell cut in two.
LINES_PER_SLIDE, HEADING_ALONE, LIST_CUT, CELL_CUT, COMMENT_CUT, RESULT_CUT, FOLD_CUT, UNEVEN, SHRUNK = (
    10,
    200,
    24,
    16,
    4,
    2,
    1,
    6,
    10,
)
TOO_TALL = 10_000


@dataclass(frozen=True)
class Holder:
    """What stands round several blocks on each slide: a list's or a table's beginning and end."""

    opening: str
    closing: str
    height: float = 0.0


@dataclass(frozen=True)
class Block:
    """A piece of a slide that is never cut.

    height, least : pixels, as it should be, and as it may be shrunk to
    cell, fold : the cell and the folded text that it comes from
    part : "text" or "result" of its cell
    shows : the first line of the code that a result is of, if that is on the slides
    step : it appears on a key, together with its neighbours of the same step; 0 from the beginning
    keep : it introduces what comes next
    """

    html: str
    height: float
    least: float | None = None
    cell: int = 0
    fold: int = 0
    part: str = "text"
    step: int = 0
    keep: bool = False
    kind: str = "text"
    shows: str = ""
    holder: Holder | None = field(default=None, compare=False)

    @property
    def smallest(self):
        return self.height if self.least is None else self.least


def height(blocks, smallest=False):
    """Of blocks one under the other, with their gaps, and the beginnings of lists and tables."""
    holders = {id(block.holder): block.holder for block in blocks if block.holder}
    gaps = sum(0 if a.holder and a.holder is b.holder else BLOCK_GAP for a, b in pairwise(blocks))
    own = sum(block.smallest if smallest else block.height for block in blocks)
    return own + gaps + sum(holder.height for holder in holders.values())


def room(first):
    """Pixels for blocks: a slide that continues begins with a line that says what with."""
    return ROOM if first else ROOM - CONTINUED - BLOCK_GAP


def breaking(before, after):
    """How bad it is to begin a new slide between two blocks."""
    if before.keep:
        return HEADING_ALONE
    if before.cell != after.cell:
        return COMMENT_CUT if before.part == "result" and after.part == "text" and after.kind == "text" else 0
    if before.fold != after.fold:
        return FOLD_CUT
    if before.part != after.part or before.kind == after.kind == "picture":
        return RESULT_CUT
    return LIST_CUT if before.holder and before.holder is after.holder else CELL_CUT


def filling(blocks, free):
    """How bad one slide is."""
    if height(blocks, smallest=True) > free:
        return TOO_TALL + height(blocks, smallest=True) - free
    empty = (free - height(blocks)) / free
    return LINES_PER_SLIDE + (UNEVEN * empty**2 if empty >= 0 else SHRUNK * empty**2)


def split(blocks, continued=False):
    """Slides for the blocks, each a list of them; `continued` if the first of them continues with an earlier one."""
    best = [(0.0, 0)] + [(float("inf"), 0)] * len(blocks)
    for end in range(1, len(blocks) + 1):
        for start in range(end):
            bad = best[start][0] + filling(blocks[start:end], room(start == 0 and not continued))
            bad += breaking(blocks[start - 1], blocks[start]) if start else 0
            best[end] = min(best[end], (bad, start))
    ends = [len(blocks)]
    while ends[-1]:
        ends.append(best[ends[-1]][1])
    return [blocks[start:end] for end, start in pairwise(ends)][::-1]
