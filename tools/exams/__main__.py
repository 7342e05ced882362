"""Writes the exams to dist/exams: the sheet for students, and the teacher's copy with solutions and marks.

    python -m tools.exams                     sheet A of both exams, as Markdown and as a page that prints
    python -m tools.exams --sheet 7 first     sheet 7 of the first exam: the same questions with other numbers
    python -m tools.exams --pdf               PDF files too, if there is a Chromium
    python -m tools.exams --table             the table of questions, lectures, minutes and points

Change a number in teaching/exams/first.py or second.py, and question, solution and table of mistakes follow.
"""

import argparse
import sys
from pathlib import Path

from tools.exams import making, printing

ROOT = Path(__file__).resolve().parents[2]


def write(root, name, sheet, into):
    """Writes the four files of one sheet of one exam; returns their paths."""
    exam, label = making.exam(root, name, sheet), "A" if sheet == 0 else str(sheet)
    papers = {f"{name}_{label}": making.for_students(exam), f"{name}_{label}_teacher": making.for_teachers(exam)}
    into.mkdir(parents=True, exist_ok=True)
    written = []
    for stem, text in papers.items():
        for suffix, content in ((".md", text), (".html", printing.page(text, f"sheet {label}"))):
            path = into / f"{stem}{suffix}"
            path.write_text(content, encoding="utf-8")
            written.append(path)
    return written


def main(arguments=None):
    """The command; returns its exit status."""
    parser = argparse.ArgumentParser(prog="make exams", description=__doc__.splitlines()[0])
    parser.add_argument("exams", nargs="*", metavar="EXAM", help="first, second; both if none is named")
    parser.add_argument("--sheet", type=int, default=0, help="0 is sheet A; another number draws other numbers")
    parser.add_argument("--table", action="store_true", help="print the table of questions, and write nothing")
    parser.add_argument("--pdf", action="store_true", help="PDF files too, with Chromium")
    parser.add_argument("--into", type=Path, default=ROOT / "dist" / "exams", help="folder to write to")
    given = parser.parse_args(arguments)
    unknown = [name for name in given.exams if name not in making.EXAMS]
    if unknown or given.sheet < 0:
        parser.error(f"there are the exams {', '.join(making.EXAMS)}, and sheets from 0 up")
    if given.table:
        print("\n\n".join(making.summary(making.exam(ROOT, name)) for name in given.exams or making.EXAMS))
        return 0
    written = [
        path for name in given.exams or making.EXAMS for path in write(ROOT, name, given.sheet, given.into.resolve())
    ]
    if given.pdf:
        written += printing.pdfs([path for path in written if path.suffix == ".html"])
    print("\n".join(map(str, written)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
