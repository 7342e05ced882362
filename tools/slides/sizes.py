"""How much room a piece of a slide takes, before any browser has seen it: in pixels of a slide of 1280 × 720.

The letters are measured with DejaVu Sans, one of the widest fonts that a browser may take, so that what is split here
for it is split enough for others. `tests/browser/test_slides.py` measures the slides themselves.
"""

import base64
import io
import re
from functools import cache
from math import ceil
from pathlib import Path
from textwrap import wrap

import matplotlib
from PIL import Image, ImageFont

SLIDE_WIDTH, SLIDE_HEIGHT = 1280, 720
SIDE_MARGIN, TOP_MARGIN, BOTTOM, BLOCK_GAP = 44, 22, 40, 13
CONTINUED = 32  # the line with which a slide that goes on begins
ROOM = SLIDE_HEIGHT - TOP_MARGIN - BOTTOM  # for all that stands on a slide
LINE_ROOM = SLIDE_WIDTH - 2 * SIDE_MARGIN
TEXT_FONT, TABLE_FONT, LINE_HEIGHT = 25, 21, 1.36
HEADING_FONTS = {"h1": 44, "h2": 36, "h3": 28, "h4": 25}
CODE_FONT, WRAPPED_PRINT, SMALLEST_PRINT, CODE_LINE, CODE_PADDING = 20, 17, 15, 1.28, 14
HANGING = 4  # letters by which the rest of a wrapped line of code stands further in
MONO = 0.6021  # width of a letter of DejaVu Sans Mono
PICTURE_SCALE, SMALLEST_PICTURE = 1.4, 1.1  # times its own size
PLAYER_HEIGHT = 106
ALONE = re.compile(r"\$\$.*?\$\$", re.DOTALL)  # a formula that stands alone


@cache
def font():
    """DejaVu Sans as matplotlib carries it, large, to measure with."""
    return ImageFont.truetype(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf", 100)


@cache
def text_width(text, size=TEXT_FONT):
    """Width of a text without its line breaks; formulas between dollars are guessed from their letters."""
    pieces = re.split(r"\$+(.*?)\$+", text, flags=re.DOTALL)
    words = font().getlength(" ".join("".join(pieces[::2]).split())) / 100
    return size * (words + 0.62 * sum(len(glyphs(tex)) for tex in pieces[1::2]))


def glyphs(tex):
    """What of a formula's source becomes a letter, about."""
    plain = re.sub(
        r"\\(?:text|mathrm|mathcal|mathbb|operatorname|tfrac|d?frac|hat|bar|[bB]igg?|left|right)\b", "", tex
    )
    return re.sub(r"[{}_^&\s]", "", re.sub(r"\\[A-Za-z]+|\\.", "x", plain))


def lines(text, width=LINE_ROOM, size=TEXT_FONT):
    """How many lines a text fills; a formula is not broken, and leaves more of a line empty."""
    used = 0.92 if "$" in text else 0.95
    return max(1, ceil(text_width(text, size) / (used * width)))


def text_height(text, width=LINE_ROOM, size=TEXT_FONT):
    """Height of a paragraph with the formulas in it, those within a line and those that stand alone."""
    alone = ALONE.findall(text)
    within = ALONE.sub(" ", text)
    tall = 10 if re.search(r"\$[^$]*\\(frac|sum|tfrac|int|sqrt)(?![a-z])", within) else 0
    rows = lines(within, width, size) if within.strip() else 0
    return rows * (size * LINE_HEIGHT + tall) + sum(map(formula_height, alone))


def formula_height(tex):
    """Height of a formula that stands alone."""
    rows = max((body.count(r"\\") + 1 for body in re.findall(r"\\begin.*?\\end", tex, re.DOTALL)), default=0)
    big, fraction = re.search(r"\\(sum|prod|int)(?![a-z])", tex), re.search(r"\\d?frac(?![a-z])", tex)
    limits = re.search(r"\\(sum|prod)_(\{[^{}]*\}|\w)\^", tex)
    high = 104 if limits or (big and fraction) else 86 if big else 76 if fraction else 48
    return max(high, 34 * rows + 14) + (36 if "underbrace" in tex else 0)


def print_size(text):
    """Size of letters for what code prints: as large as its longest line allows, within limits."""
    longest = max(map(len, text.splitlines()), default=1)
    fitting = (LINE_ROOM - 2 * CODE_PADDING - 6) / (MONO * max(longest, 1))
    return min(CODE_FONT, int(2 * fitting) / 2) if fitting >= SMALLEST_PRINT else WRAPPED_PRINT


def letters(size):
    """How many letters of code, or of what it prints, fill a line."""
    return int((LINE_ROOM - 2 * CODE_PADDING - 6) / (MONO * size))


def print_height(text):
    """Height of what code prints; a line too long even for the smallest letters is wrapped."""
    size = print_size(text)
    rows = sum(max(1, ceil(len(line) / letters(size))) for line in text.splitlines() or [""])
    return rows * size * CODE_LINE + 2 * CODE_PADDING


def indent(line):
    """Letters before the rest of a line of code that is wrapped."""
    return len(line) - len(line.lstrip()) + HANGING


def code_height(source):
    """Height of code, which keeps its size: a line too long is wrapped at a space, and its rest is indented."""
    options = {"drop_whitespace": True, "break_on_hyphens": False}
    rest = [(line, " " * min(indent(line), letters(CODE_FONT) // 2)) for line in source.splitlines()]
    rows = sum(max(1, len(wrap(line, letters(CODE_FONT), subsequent_indent=one, **options))) for line, one in rest)
    return rows * CODE_FONT * CODE_LINE + 2 * CODE_PADDING


def columns(rows):
    """Widths of a table's columns, as a browser chooses them: room is shared out by how much more each could use."""
    texts = [[row[k] for row in rows if k < len(row)] for k in range(max(map(len, rows)))]
    wide = [1.1 * max(text_width(text, TABLE_FONT) for text in column) for column in texts]  # heads are bold
    narrow = [1.1 * max(text_width(word, TABLE_FONT) for text in column for word in words(text)) for column in texts]
    room, more = LINE_ROOM - 26 * len(wide), sum(wide) - sum(narrow)
    if sum(wide) <= room or more <= 0:
        return wide
    return [least + (room - sum(narrow)) * (most - least) / more for least, most in zip(narrow, wide, strict=True)]


def words(text):
    """Pieces of a text between which a line may break."""
    return [text] if is_short(text) else re.findall(r"\$[^$]*\$|[^\s$]+", text)


def row_height(row, widths):
    """Height of one row of a table."""
    rows = [
        lines(text, width / 1.1, TABLE_FONT) for text, width in zip(row, widths, strict=False) if not is_short(text)
    ]
    return max(rows, default=1) * TABLE_FONT * LINE_HEIGHT + 11


def is_short(text):
    """Whether a cell of a table is so short that it is kept on one line."""
    return len(text) <= 13


def picture_size(source, width=None):
    """(width, height) in pixels of a picture given as a data address, as wide as said; None where it does not say."""
    own = _own_size(source)
    return own and (own if width is None else (float(width), own[1] * float(width) / own[0]))


def _own_size(source):
    head, _, data = source.partition(",")
    if not head.startswith("data:image/") or "base64" not in head:
        return None
    content = base64.b64decode(data)
    if "svg" in head:
        box = re.search(rb'viewBox="[\d.]+ [\d.]+ ([\d.]+) ([\d.]+)"', content)
        return (float(box.group(1)), float(box.group(2))) if box else None
    return Image.open(io.BytesIO(content)).size


def picture_heights(size):
    """(height, least): of a picture as it should be shown, and as it may be where room is short."""
    width, height = size or (850, 320)
    largest = min(LINE_ROOM / width, (ROOM - CONTINUED - BLOCK_GAP) / height)
    return height * min(PICTURE_SCALE, largest), height * min(SMALLEST_PICTURE, largest)
