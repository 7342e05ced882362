"""Tables for spreadsheets, which take a text that begins like a formula for a formula, and run it."""

import csv
import io
import os
import re

NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")
FORMULA = tuple("=+-@\t\r\n＝＋－＠")


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
    if not isinstance(text, str) or NUMBER.fullmatch(text):
        return text
    return f"'{text}" if text.startswith(FORMULA) else text


def write_table(path, rows):
    """Writes rows as a CSV that a spreadsheet may open; it appears as a whole or not at all."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows([map(safe_cell, row) for row in rows])
    write_whole(path, text.getvalue())


def write_whole(path, text):
    """Writes a file, and its folder if need be, so that nobody ever finds half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    part.write_text(text, encoding="utf-8", newline="")
    os.replace(part, path)


def aligned(rows):
    """Rows of texts and numbers under each other in columns, for a terminal."""
    texts = [[str("" if cell is None else cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    lines = ("  ".join(map(str.ljust, row, widths)) for row in texts)
    return "\n".join(line.rstrip() for line in lines)
