"""Writes the final table of a term, by the rules of term.toml, and how each number came about.

    make final [ARGS="--term term.toml --into DIR --submitted DIR"]

Everything that was handed in must be graded and marked. final/ gets final.csv (every number), moodle.csv and
canvas.csv (what these platforms import), students/STUDENT.html (a calculation that a student can do again by hand),
summary.html (with plots), and audit.csv (which file, which grading, whose mark, which extension). Whatever is in one
list only, or does not add up, stops it with file and line, and nothing is written. Again it gives the same bytes.
"""

import argparse
import hashlib
import sys
from datetime import UTC
from pathlib import Path

from tools.homework import book, final_pages
from tools.homework.attempts import LATE, TAKEN, read_table
from tools.homework.collect import COLLECTED_FOLDER, COLLECTED_TABLE, to_ask
from tools.homework.grade import GRADEBOOK, alone
from tools.homework.release import ROOT, homeworks
from tools.homework.tables import printable, write_table, write_whole
from tools.homework.term import TERM_FILE, read_term
from tools.homework.toml_lines import TermError
from tools.homework.totals import final, plain, said
from tools.homework.works import read_works

FINAL_FOLDER, PAGES = "final", "students"
MAX_SHOWN = 20
OF_WORK = ("by", "file", "sha256", "handed in", "graded", "graded files", "graded by", "marked by hand")
AUDIT = ("student", "what", "points", *OF_WORK, "in time until", "days late", "rule", "extension", "group")
COLUMN = "course result"  # Canvas takes no new column that is called a final score, points or grade


def table(finals, term):
    """Rows of final.csv: every number of everybody."""
    of_homework = ("points", "maximum", "days late", "percent", "weight", "counts")
    heads = [f"{name} {what}" for name in term.homeworks for what in of_homework]
    parts = [f"{part.name} {what}" for part in term.parts for what in ("points", "percent")]
    yield ["student", *heads, "homework percent", *parts, "exact", "final", "grade"]
    for one in finals:
        cells = [cell for entry in one.entries for cell in _of_entry(entry)]
        points = [cell for _, got, percent in one.parts for cell in (plain(got), plain(percent))]
        yield [one.student, *cells, plain(one.homework), *points, plain(one.exact), f"{one.number:f}", one.grade]


def _of_entry(one):
    points, most = (one.work.total, one.work.most) if one.work else (None, None)
    return plain(points), plain(most), one.days, plain(one.percent), plain(one.weight), "yes" if one.counts else "no"


def imports(finals):
    """{name: rows} of the tables that platforms import; people by what the folders are called.

    Moodle lets one say which column is whose number (grade/import/csv/classes/load_data.php, commit 162f42f0dae3:
    `useridnumber` and `new`); Canvas wants these columns (lib/gradebook_importer.rb, commit 00b222d77ee4).
    """
    rows = [book.Row(one.student, {COLUMN: one.number}, 100, 0.0, book.IS_GRADED) for one in finals]
    return {"moodle": book.moodle({COLUMN: rows}), "canvas": book.canvas({COLUMN: rows})}


def audit(finals, term, base):
    """Rows of audit.csv: the lists, and what each number of each student was made of."""
    yield AUDIT
    yield from ([row.get(name, "") for name in AUDIT] for row in _trails(finals, term, base))


def _trails(finals, term, base):
    """The same as {column: value}."""
    for what, path in {"rules": term.file, "class": term.roster, **{one.name: one.file for one in term.parts}}.items():
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        yield {"what": what, "file": _near(path, base), "sha256": digest}
    for one in finals:
        for entry in one.entries:
            where = entry.excused or term.homeworks[entry.homework].where
            rules = {"in time until": said(entry.until, UTC), "rule": where}
            rules |= {"days late": entry.days, "extension": entry.extension}
            group = term.groups.get((one.student, entry.homework))
            rules["group"] = group.where if group else ""
            yield {"student": one.student, "what": entry.homework, **rules, **_of_work(entry.work, base)}
        for part, points, _ in one.parts:
            told = "no points" if points is None else plain(points)
            where = part.points[one.student][0]
            yield {"student": one.student, "what": part.name, "points": told, "file": part.file.name, "rule": where}


def _of_work(work, base):
    if work is None:
        return {"points": "not handed in"}
    file = work.trail["file"]
    return {**work.trail, "points": plain(work.total), "by": work.student, "file": file and _near(file, base)}


def _near(path, base):
    return path.relative_to(base).as_posix() if path.is_relative_to(base) else str(path)


def write(into, finals, term, base):
    """Writes all of final/, and removes pages of people who are not in the class any longer."""
    write_table(into / "final.csv", table(finals, term))
    write_table(into / "audit.csv", audit(finals, term, base))
    for name, rows in imports(finals).items():
        write_table(into / f"{name}.csv", rows)
    pages = {into / PAGES / f"{one.student}.html": final_pages.student_page(one, term) for one in finals}
    for left in set((into / PAGES).glob("*.html")) - set(pages):
        left.unlink()
    for path, page in pages.items():
        write_whole(path, page)
    write_whole(into / "summary.html", final_pages.summary_page(finals, term))


def remarks(finals, asked, late):
    """Lines about what counts, and somebody may want to know: nothing handed in, no time, something that failed.

    Parameters
    ----------
    finals : Finals;  asked : {student: Rows for which they must hand in again}
    late : (student, homework) of what a platform calls late without a time
    """
    known = {one.student for one in finals}
    entries = [(one.student, entry) for one in finals for entry in one.entries]
    missing = [f"{who} {entry.homework}" for who, entry in entries if not (entry.work or entry.excused)]
    missing += [f"{one.student} {part.name}" for one in finals for part, points, _ in one.parts if points is None]
    timeless = [(who, entry) for who, entry in entries if entry.work and entry.work.at is None]
    told_late = [f"{who} {one.homework}" for who, one in timeless if (one.work.student, one.homework) in late]
    timeless = [text for who, one in timeless if (text := f"{who} {one.homework}") not in told_late]
    failed = [f"{who} {row.homework}: {row.trouble}" for who, rows in asked.items() for row in rows if who in known]
    lists = {
        "count as 0, since there is nothing": missing,
        "count as in time, but are late, as the platform says; write the time to their timestamp.txt": told_late,
        "count as in time, since no time is known": timeless,
        "were asked to hand in again, and did not": failed,
    }
    for told, lines in lists.items():
        if lines:
            yield f"{len(lines)} {told}: {', '.join(lines[:MAX_SHOWN])}{', …' if len(lines) > MAX_SHOWN else ''}"


def collected(path, groups):
    """({student: Rows of what was collected, and cannot be graded}, (student, homework) of what came late, untimed)

    Raises
    ------
    TermError
        If the table of what was collected is another one.
    """
    try:
        rows = read_table(path)
        return to_ask(rows, groups), {
            (one.student, one.homework) for one in rows if (one.state, one.stated) == (TAKEN, LATE)
        }
    except ValueError as reason:
        raise TermError(str(reason)) from None


def understood(term):
    """Lines that say a Term again, so that who wrote it sees what it means."""
    shares = [("homework", term.share), *((part.name, part.share) for part in term.parts)]
    yield f"{len(term.students)} students; of 100: {', '.join(f'{name} {plain(share)}' for name, share in shares)}."
    for name, one in term.homeworks.items():
        of_it = {"extension": term.extensions, "excused": term.excused, "in a group": term.groups}
        counts = {what: sum(homework == name for _, homework in found) for what, found in of_it.items()}
        told = [f"weight {plain(one.weight)}", *(f"{count} {what}" for what, count in counts.items() if count)]
        yield f"{name} is due {said(one.due, term.zone)}: {', '.join(told)}."
    yield f"The lowest {term.drop} are dropped. A day late costs {plain(term.late.percent_per_day)} of 100."
    yield from (f"{part.name}: {part.file.name} is not there yet." for part in term.parts if not part.points)
    yield f"{term.file.name} is as it should be."


def main(arguments=None):
    """The command; returns its exit status."""
    given = options(arguments)
    try:
        if not given.term.expanduser().is_file():
            raise TermError(f"{given.term} does not exist; teaching/grading.md has an example to copy")
        term = read_term(given.term.expanduser().resolve(), homeworks(given.root), given.check)
        if given.check:
            print(*understood(term), sep="\n")
            return 0
        if not (given.into / GRADEBOOK).is_file():
            raise TermError(f"{given.into / GRADEBOOK} does not exist; `make grade` is needed")
        book.require_whole(given.into / GRADEBOOK)
        with alone(given.into):
            works, problems = read_works(given.into, given.root, given.submitted, term)
        if problems:
            raise TermError("\n".join(problems))
        finals = [final(student, works, term) for student in term.students]
        asked, late = collected(given.into / COLLECTED_FOLDER / COLLECTED_TABLE, term.groups)
    except (TermError, book.DamagedGradebook, BlockingIOError) as reason:
        lines = str(reason).splitlines()
        more = [f"and {len(lines) - MAX_SHOWN} more"] * (len(lines) > MAX_SHOWN)
        print(*map(printable, lines[:MAX_SHOWN]), *more, "Nothing was written.", sep="\n", file=sys.stderr)
        return 1
    write(given.into / FINAL_FOLDER, finals, term, given.into.resolve())
    print(
        *map(printable, remarks(finals, asked, late)),
        f"{len(finals)} final numbers are in {given.into / FINAL_FOLDER}.",
        sep="\n",
    )
    return 0


def options(arguments):
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(prog="make final", description=__doc__.splitlines()[0])
    parser.add_argument("--term", type=Path, default=ROOT / TERM_FILE, help="the rules of the term")
    parser.add_argument("--check", action="store_true", help="only read the rules, and say them again")
    parser.add_argument("--submitted", type=Path, default=ROOT / "submitted", help="folder with STUDENT/HOMEWORK/")
    parser.add_argument("--into", type=Path, default=ROOT, help="where gradebook.db and results/ are, and final/ goes")
    parser.add_argument("--root", type=Path, default=ROOT, help="folder of the course, with solutions/")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
