"""python -m tools.course_map: draws the map of the course, and writes the tables of README and course_lib/README.

The table in lecture 00 is the only place by hand: a lecture has a row there, and its box and README's row follow. What
the library's files are is said in their docstrings.
"""

import ast
import html
import re
import textwrap
from pathlib import Path

import nbformat

from course_widgets.style import BLUE, GREEN, GREY, VERMILION
from tools.site.reference import LECTURE_LINE as NAMES_LECTURES
from tools.site.reference import places

ROOT = Path(__file__).resolve().parent.parent
PICTURE_FILE, README_FILE, LIBRARY = "lectures/figures/course_map.svg", "README.md", "course_lib/README.md"
MAP_ROW = re.compile(r"^\| \[(\d\d)\]\((\w+\.ipynb)\) \| (.+?) \| (.+?) \| (.+?) \|$", flags=re.M)
LECTURE_TABLE = re.compile(r"(?<=\n\n)\| \| lecture \|.*?\n(?=\n)", flags=re.S)

FILES = re.compile(r"(?<=\n\n)\| lecture \| idea.*?\n(?=\n)", flags=re.S)
ROUNDED = 100  # lines

IN_A_ROW, LEFT, TOP_PIXELS, BOX_STEP, BOX_WIDTH, BOX_HEIGHT = 5, 148, 12, 148, 134, 76  # of boxes, in px
LANE, BETWEEN, LINE_PIXELS = BOX_HEIGHT + 2 * TOP_PIXELS, 22, 16
FRAME = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 {height}" role="{role}" aria-labelledby="title" \
font-family="Helvetica, Arial, sans-serif" fill="{grey}">
<title id="title">The map of the course: its lectures in three acts</title>
<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" orient="auto"><path d="M0 0 8 4 0 8z"/></marker>
<rect width="900" height="{height}" fill="#fff"/>
{body}
</svg>
"""
ACTS = (  # the first lecture of each, its name, colour, ground, and what leads on to the next
    (1, "Sequences", BLUE, "#E6ECF6", "then people judge what they heard: a function of what they think"),
    (5, "The engine", VERMILION, "#F9EBE3", "the engine learns from any answer people give"),
    (7, "Judgements", GREEN, "#E3F4EC", ""),
)


def rows(root=ROOT):
    """(number, file, title, question, what one needs) of each lecture in the table of lecture 00, in order."""
    cells = nbformat.read(root / "lectures/00_start_here.ipynb", as_version=4).cells
    (table,) = [cell.source for cell in cells if cell.source.startswith("## The map of the course")]
    return MAP_ROW.findall(table)


def picture(lectures, address=None):
    """The map as SVG: a lane for each act, and in it the lectures in their order.

    address : function of a lecture's number, or None; where the box of a lecture leads
    """
    parts, y = [], 14
    for k, (first, name, colour, ground, onward) in enumerate(ACTS):
        end = ACTS[k + 1][0] if onward else 100
        inside = [(number, title) for number, _, title, *_ in lectures if first <= int(number) < end]
        places = [
            (LEFT + BOX_STEP * (i % IN_A_ROW), y + TOP_PIXELS + LANE * (i // IN_A_ROW)) for i in range(len(inside))
        ]
        height = places[-1][1] + BOX_HEIGHT + TOP_PIXELS - y
        parts.append(f'<rect x="10" y="{y}" width="880" height="{height}" rx="8" fill="{ground}"/>')
        parts.append(
            f'<g fill="{colour}">{_text(26, y + 44, "Act " + "I" * (k + 1), 19)}{_text(26, y + 66, name, 15)}</g>'
        )
        for one, place in zip(inside, places, strict=True):
            box = _box(*one, *place, colour)
            parts.append(_linked(box, address(one[0]), *one) if address else box)
        parts += [_arrow(f"M{left + BOX_WIDTH} {top + BOX_HEIGHT // 2}h12") for left, top in places[:-1]]
        y += height
        if onward:
            parts += [
                _arrow(f"M{LEFT + BOX_WIDTH // 2} {y}v{BETWEEN - 2}"),
                _text(LEFT + BOX_WIDTH // 2 + 14, y + 16, onward, 13),
            ]
            y += BETWEEN
    role = "group" if address else "img"  # nothing in a picture can be chosen
    return FRAME.format(height=y + 14, role=role, body="\n".join(parts), grey=GREY)


def _box(number, title, x, y, colour):
    lines = [number, *textwrap.wrap(title.split(": ")[0], 16)]
    words = " ".join(_text(x + BOX_WIDTH // 2, y + 19 + LINE_PIXELS * k, line, 14) for k, line in enumerate(lines))
    size = f'x="{x}" y="{y}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="5"'
    return (
        f'<rect {size} fill="#fff" stroke="{colour}" stroke-width="3"/><g text-anchor="middle" fill="#111">{words}</g>'
    )


def _linked(box, address, number, title):
    return f'<a href="{address}" aria-label="{html.escape(f"Lecture {number} {title}")}">{box}</a>'


def _text(x, y, words, size):
    return f'<text x="{x}" y="{y}" font-size="{size}">{html.escape(words)}</text>'


def _arrow(path):
    return f'<path d="{path}" stroke="{GREY}" stroke-width="1.6" fill="none" marker-end="url(#tip)"/>'


def with_table(readme, lectures):
    """README's text, with the lectures of the map in its table."""
    head = "| | lecture | the question | you need |\n|---|---|---|---|\n"
    start = "| [00](lectures/00_start_here.ipynb) | Start here | Does everything work? Map, notation, glossary | – |\n"
    told = "".join(
        f"| [{n}](lectures/{file}) | {title} | {asks} | {needs} |\n" for n, file, title, asks, needs in lectures
    )
    return LECTURE_TABLE.sub(lambda _: head + start + told, readme)


def library(root=ROOT):
    """Rows of course_lib/README's table: (lecture that derives it first, what it is, path in course_lib, lines)."""
    found = []
    for path in sorted((root / "course_lib").rglob("[!_]*.py")):
        text = path.read_text(encoding="utf-8")
        said = ast.get_docstring(ast.parse(text))
        idea = " ".join(NAMES_LECTURES.sub("", said.partition("\n\n")[0]).split()).rstrip(".")
        lines = -(-text.count("\n") // ROUNDED) * ROUNDED
        found.append(
            (min(places(said), default=("–", ""))[0], idea, path.relative_to(root / "course_lib").as_posix(), lines)
        )
    return sorted(found, key=lambda row: row[0])


def with_files(readme, files):
    """course_lib/README's text, with the library's files in its table."""
    head = "| lecture | idea | file | lines |\n|---|---|---|---|\n"
    told = "".join(f"| {n} | {idea} | [{path}]({path}) | {lines} |\n" for n, idea, path, lines in files)
    return FILES.sub(lambda _: head + told, readme)


def written(root=ROOT):
    """{path: text} of what is made from lecture 00 and from docstrings."""
    lectures = rows(root)
    readme = (root / README_FILE).read_text(encoding="utf-8")
    table = with_files((root / LIBRARY).read_text(encoding="utf-8"), library(root))
    return {PICTURE_FILE: picture(lectures), README_FILE: with_table(readme, lectures), LIBRARY: table}


if __name__ == "__main__":
    for name, text in written().items():
        (ROOT / name).write_text(text, encoding="utf-8")
