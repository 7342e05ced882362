"""Files of the grader: each is there as a whole or not at all, and one that was cut is refused by its name.

A spreadsheet takes a text that begins like a formula for a formula, and runs it: not in these tables.
"""

import csv
import io
import json
import os
import re

NUMBER_TEXT = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")
FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")


def printable(text, kept="\n\t"):
    """A text without what a terminal would obey, or would show in another order, except for what is `kept`."""
    return "".join(one if one.isprintable() or one in kept else "\N{REPLACEMENT CHARACTER}" for one in text)


def safe_cell(text):
    """A value for a cell of a CSV: an apostrophe before a text that a spreadsheet would run; numbers stay as they are.

    Parameters
    ----------
    text : text, number or None (an empty cell)

    Returns
    -------
    text or number
    """
    if text is None:
        return ""
    if not isinstance(text, str) or NUMBER_TEXT.fullmatch(text):
        return text
    return printable(f"'{text}" if text.startswith(FORMULA_STARTS) else text, kept="\n\t\r")


def write_table(path, rows):
    """Writes rows as a CSV that a spreadsheet may open; it appears as a whole or not at all."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows([map(safe_cell, row) for row in rows])
    write_whole(path, text.getvalue())


def write_whole(path, data):
    """Writes text or bytes, and the folder if need be, so that nobody ever finds half of it, nor after a crash."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(data.encode() if isinstance(data, str) else data)
    sync(part)
    os.replace(part, path)
    sync(path.parent)


def sync(path):
    """Waits until a file or a folder is on the disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


class Damaged(ValueError):
    """A file that the grader wrote was emptied or cut since; the message names it, and what to do."""


def read_json(path, kind, advice):
    """What a JSON file of ours holds.

    Parameters
    ----------
    path : Path;  kind : dict or list, which it holds;  advice : what to do if it does not

    Raises
    ------
    Damaged
        If it is no JSON, or of another kind.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise Damaged(f"{path} is damaged ({error}). {advice}") from None
    if not isinstance(found, kind):
        raise Damaged(f"{path} is damaged (it holds no {kind.__name__}). {advice}")
    return found


def aligned(rows):
    """Rows of texts and numbers under each other in columns, for a terminal."""
    texts = [[printable(str("" if cell is None else cell)).replace("\n", " ") for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    lines = ("  ".join(map(str.ljust, row, widths)) for row in texts)
    return "\n".join(line.rstrip() for line in lines)
