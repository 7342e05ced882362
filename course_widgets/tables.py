"""Tables that a cell computes and a notebook shows as such.

Lecture: 04, section 8; 05, sections 5–7; 06, sections 5–8; 07, sections 4–7; 08, sections 4 and 6; 09, section 4;
11, section 3; 12, section 4; 13, section 3.
"""

from course_widgets.extras import display


def table(head, rows, digits=3):
    """A Markdown table. head : names of the columns;  rows : words and numbers;  digits : of each float"""
    lines = [head, ["---"] * len(head), *rows]
    return display.Markdown("\n".join(f"| {' | '.join(_written(cell, digits) for cell in line)} |" for line in lines))


def _written(cell, digits):
    if not isinstance(cell, float):
        return str(cell)
    text = f"{cell:.{digits}f}"
    return text if text.strip("-0.") else text.removeprefix("-")  # no −0.00
