"""Feedback on a homework: a page for each student, and for the teacher who made which mistake how often.

    make feedback HW=03 [ARGS="--into DIR --student NAME"]

Grade first (`make grade`) and mark the letters (`make mark`). Writes INTO/feedback/HOMEWORK/STUDENT.html, one file
that needs no other, and INTO/feedback/HOMEWORK.csv. A page holds what this student wrote, what the checks say that
students have, points, and what a person said; nothing of hidden cases, whose report in marks.json is not read here.
For Moodle and Canvas there is a zip to upload (`returning`).
With a term.toml it says how late the homework was and, from MIN_CLASS_SIZE on, the distribution of points.
"""

import argparse
import html
import re
import sys
from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import nbformat

from tools.homework import showing
from tools.homework.book import GRADEBOOK, require_whole
from tools.homework.handmarks import MARKED, Standing, read_standings
from tools.homework.letters import letter_of, source_notebook, sources_given
from tools.homework.nbgrading import CODE_STUB
from tools.homework.outcomes import RESULTS, cell_named, left_out, read_outcomes
from tools.homework.release import ROOT, homework_named, homeworks
from tools.homework.returning import FEEDBACK_FOLDER, pack
from tools.homework.reviews import of_letters
from tools.homework.rubric import Rubric, heading, read_rubrics
from tools.homework.tables import aligned, write_table, write_whole
from tools.homework.term import TERM_FILE, read_dates
from tools.homework.totals import lateness

RIGHT, PARTLY, WRONG, NOT_ATTEMPTED = "right", "partly", "wrong", "not attempted"
UNGRADED, TO_MARK = "ungraded", "to mark"
RESULT_STATES = (RIGHT, PARTLY, WRONG, NOT_ATTEMPTED, UNGRADED, TO_MARK)
STATE_WORDS = {UNGRADED: "not graded yet", TO_MARK: "not marked yet"}
ERROR_NAME = re.compile(r"\b\w*(Error|Exception|Failure)\b")
MIN_CLASS_SIZE, RANGES = 5, 5  # students of whom a class is shown, in so many ranges of points
NOT_THEIRS = "the grader failed; whoever teaches the course sees why, and it costs you nothing"
FOLDER_PATH = re.compile(r"(?<!\S)[\"']?(/|[A-Za-z]:\\)\S*[/\\]")
FEEDBACK_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>{title}</title>
<style>
  body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em; color: #1a1a1a; }}
  pre {{ white-space: pre-wrap; overflow-wrap: anywhere; background: #f3f3f3; padding: .5em; }}
  table {{ border-collapse: collapse; }} td, th {{ border: 1px solid #999; padding: .2em .5em; vertical-align: top; }}
  math:has(> semantics > mstyle) {{ display: block math; margin: .7em 0; overflow-x: auto; }}
  mstyle {{ math-style: normal; }}
  img {{ max-width: 100%; }} section {{ border-top: 1px solid #999; }}
</style>
</head>
<body>
<h1>{title}</h1>
{body}
</body>
</html>
"""


@dataclass(frozen=True)
class Part:
    """What became of one task or letter: all that its student may see, and how far it is right (`state`)."""

    title: str
    most: float
    state: str
    points: float | None = None
    answer: nbformat.NotebookNode | None = None
    shown: str = ""
    ask: str = ""
    rows: tuple = ()
    comment: str = ""
    rubric: Rubric | None = None
    readers: tuple = ()

    @property
    def score(self):
        """Points in words."""
        if self.points is None:
            return STATE_WORDS[self.state]
        return f"{self.points:g} of {self.most:g} points{', not attempted' if self.state == NOT_ATTEMPTED else ''}"


class Homework:
    """The tasks and letters of a homework, as its notebook in root/solutions says them, and the students' marks."""

    def __init__(self, into, name, root=ROOT):
        path = source_notebook(root, name)
        require_whole(Path(into, GRADEBOOK))
        self.name, self.cells = name, nbformat.read(path, as_version=4).cells
        self.given = sources_given(path)
        self.rubrics = {rubric.grade_id: rubric for rubric in read_rubrics(path)}
        self.standings, self.without = read_standings(into, name), left_out(Path(into, RESULTS, name))
        self.readers = of_letters(into, name, root)

    def parts(self, outcome):
        """A Part for each graded cell, in the order of the notebook, of one student's Outcome."""
        book = outcome.book()
        for place, cell in enumerate(self.cells):
            known = cell.metadata.get("nbgrader", {})
            if known.get("grade") and known.grade_id not in self.without:
                title, standing = heading(self.cells, place), Standing()
                standing = self.standings.get((outcome.student, known.grade_id), standing)
                if book is None:
                    yield Part(title, known.points, UNGRADED)
                elif known.grade_id in self.rubrics:
                    part = letter_part(self.letter(outcome, book, known.grade_id), title, known.points, standing)
                    readers = tuple(self.readers.get((outcome.student, known.grade_id), ()))
                    yield replace(part, rubric=self.rubrics[known.grade_id], readers=readers)
                else:
                    answer = cell_named(book, known.grade_id.removesuffix("-check") + "-answer")
                    marks = outcome.cells.get(known.grade_id, {})
                    yield function_part(answer, title, known.points, standing, marks)

    def letter(self, outcome, book, grade_id):
        """What a student wrote to one question, or None."""
        return letter_of(outcome.student, book, self.rubrics[grade_id], self.given)


def function_part(answer, title, most, standing, marks):
    """The Part of a function. `marks` is its entry in marks.json, of which only the visible cases' report is used."""
    points = standing.auto if standing.manual is None else standing.manual
    untouched = answer is None or all(line in answer.source for line in CODE_STUB.splitlines())
    state = state_of(points, most, untouched)
    said = marks.get("shown", ""), marks.get("ask", "")
    return Part(title, most, state, points, answer, *said, comment=reason_of(standing))


def letter_part(letter, title, most, standing):
    """The Part of a Letter, or of none; a mark for what the student has changed since then is not shown."""
    if letter is None:
        points = standing.manual or 0.0
        return Part(title, most, state_of(points, most, untouched=True), points, comment=reason_of(standing))
    if standing.state(letter) != MARKED:
        return Part(title, most, TO_MARK, answer=letter.cell)
    rows, comment = (), reason_of(standing)
    if standing.kept:
        rows, comment = tuple(zip(letter.rubric.rows, standing.mark.points, strict=True)), standing.mark.comment
    state = state_of(standing.manual, most)
    return Part(title, most, state, standing.manual, letter.cell, rows=rows, comment=comment)


def reason_of(standing):
    """Why somebody set the points that count, or an empty text."""
    return standing.by_reason.reason if standing.by_reason else ""


def state_of(points, most, untouched=False):
    """How far a task is right."""
    if points is None:
        return UNGRADED
    if points <= 0:
        return NOT_ATTEMPTED if untouched else WRONG
    return RIGHT if points >= most else PARTLY


def page(outcome, parts, late="", of_class=""):
    """The page of one student as HTML; `late` is a sentence, `of_class` HTML, the same for all."""
    waiting = sum(part.points is None for part in parts)
    total, most = sum(part.points or 0 for part in parts), sum(part.most for part in parts)
    lines = [f"<p><strong>{total:g} of {most:g} points</strong>{f', {waiting} still to come' if waiting else ''}.</p>"]
    lines += [f"<p>{html.escape(late)}</p>"] * bool(late) + [of_class] * bool(of_class)
    if outcome.problem:
        told = NOT_THEIRS if ERROR_NAME.search(outcome.problem) else outcome.problem
        reason = html.escape(FOLDER_PATH.sub("…/", told))
        lines.append(f"<p>What you handed in could not be graded as a whole: {reason}</p>")
    title = html.escape(f"{outcome.homework} · {outcome.student}")
    return FEEDBACK_PAGE.format(title=title, body="\n".join([*lines, *map(section, parts)]))


def distribution(all_parts):
    """Distribution of the points of all marked students as HTML; empty below MIN_CLASS_SIZE, for anonymity.

    Parameters
    ----------
    all_parts : list with a list of Parts for each student
    """
    totals = [sum(p.points for p in parts) for parts in all_parts if all(p.points is not None for p in parts)]
    most = sum(part.most for part in all_parts[0])
    if len(totals) < MIN_CLASS_SIZE or not most:
        return ""
    ends = [most * k / RANGES for k in range(RANGES + 1)]
    counts = Counter(min(int(RANGES * total / most), RANGES - 1) for total in totals)
    named = [f"{low:g} to {'' if high == most else 'below '}{high:g}" for low, high in pairwise(ends)]
    cell = "<tr><td>{}</td><td>{}</td><td aria-hidden='true'>{}</td></tr>"
    rows = [cell.format(name, counts[k], "█" * round(20 * counts[k] / len(totals))) for k, name in enumerate(named)]
    head = f"<caption>The class, {len(totals)} who are marked</caption><tr><th>points</th><th>students</th></tr>"
    return "\n".join(["<table>", head, *rows, "</table>"])


def section(part):
    """One task or letter as HTML."""
    lines = [f"<section><h2>{html.escape(part.title)}</h2>", f"<p><strong>{part.score}</strong></p>"]
    if part.answer is not None:
        code = part.answer.cell_type == "code"
        shown = showing.preformatted(part.answer.source) if code else showing.cell(part.answer)
        lines += ["<h3>Your answer</h3>", shown]
    if part.shown:
        lines += ["<h3>What the checks in your notebook say</h3>", showing.preformatted(part.shown)]
    if part.ask and part.ask not in part.shown:
        lines.append(f"<p>To think about: {html.escape(part.ask)}</p>")
    if part.shown.startswith("✓") and part.points is not None and part.points < part.most:
        lines.append("<p>Your function was also tried with other arguments; it is not right for all of them.</p>")
    if part.rows:
        lines.append(marked_rows(part.rows))
    if part.comment:
        lines += ["<h3>Comment</h3>", showing.preformatted(part.comment)]
    if part.readers:
        lines += said_by_readers(part)
    return "\n".join([*lines, "</section>"])


def marked_rows(rows):
    """The rubric with the points of each row, as HTML."""
    cells = (f"<tr><td>{showing.inline(row.what)}</td><td>{got:g} of {row.points:g}</td></tr>" for row, got in rows)
    return "\n".join(["<table><tr><th>how it is marked</th><th>points</th></tr>", *cells, "</table>"])


def said_by_readers(part):
    """What other students say of a letter, as HTML: points row by row, and words; of those who have answered."""
    reviews = [one for one in part.readers if one]
    yield "<h3>What readers of the class say</h3>"
    yield f"<p>{len(reviews)} of {len(part.readers)} have answered. These are no marks.</p>"
    if reviews:
        heads = "".join(f"<th>reader {k}</th>" for k in range(1, len(reviews) + 1))
        yield f"<table><tr><th>how it is marked</th>{heads}</tr>"
        for row, *points in zip(part.rubric.rows, *(one.points for one in reviews), strict=True):
            got = "".join(f"<td>{'' if one is None else f'{one:g} of {row.points:g}'}</td>" for one in points)
            yield f"<tr><td>{showing.inline(row.what)}</td>{got}</tr>"
        yield "</table>"
    for k, one in enumerate(reviews, start=1):
        yield f"<h4>Reader {k}</h4>{showing.preformatted(one.words)}" if one.words else ""


def summary(all_parts):
    """Rows (task, what, students): how far each task is right, and how often each hint was given.

    Parameters
    ----------
    all_parts : list with a list of Parts for each student
    """
    rows = []
    for parts in zip(*all_parts, strict=True):
        states, hints = Counter(part.state for part in parts), Counter(part.ask for part in parts if part.ask)
        rows += [(parts[0].title, state, states[state]) for state in RESULT_STATES if states[state]]
        rows += [(parts[0].title, f"hint: {ask}", count) for ask, count in hints.most_common()]
    return rows


def write_feedback(into, homework, root=ROOT, student=None, rules=None):
    """Writes the page of one student, or all pages and the summary; `rules` is the Path of term.toml, if there is one.

    Returns
    -------
    (number of pages, rows of the summary)

    Raises
    ------
    ValueError
        If nothing is graded, nobody has this name, or the rules are wrong.
    """
    read, dates = Homework(into, homework, root), rules and read_dates(rules, homeworks(root))
    parts = [(outcome, list(read.parts(outcome))) for outcome in read_outcomes(into, homework)]
    wanted = [(one, own) for one, own in parts if student in (None, one.student)]
    if not wanted:
        raise ValueError(f"student is {student!r}; there are no results of that name for {homework}.")
    all_parts = [own for _, own in parts]
    of_class = distribution(all_parts)
    for one, own in wanted:
        late = lateness(one.student, homework, one.at, dates) if dates else ""
        write_whole(Path(into, FEEDBACK_FOLDER, homework, f"{one.student}.html"), page(one, own, late, of_class))
    rows = [("task", "what", "students"), *summary(all_parts)]
    if student is None:
        write_table(Path(into, FEEDBACK_FOLDER, f"{homework}.csv"), rows)
    return len(wanted), rows


def main(arguments=None):
    """The command; returns its exit status."""
    parser = argparse.ArgumentParser(prog="make feedback", description=__doc__.splitlines()[0])
    parser.add_argument("--homework", required=True, help="its number, such as 03")
    parser.add_argument("--into", type=Path, default=ROOT, help="where gradebook.db, results/ and feedback/ are kept")
    parser.add_argument("--root", type=Path, default=ROOT, help="folder of the course, with solutions/")
    parser.add_argument("--term", type=Path, help="the rules of the term; INTO/term.toml if it is there")
    parser.add_argument("--student", help="write this one's page only, and no summary")
    given = parser.parse_args(arguments)
    rules = given.term or (given.into / TERM_FILE if (given.into / TERM_FILE).is_file() else None)
    try:
        given.homework = homework_named(given.root, given.homework)
        pages, rows = write_feedback(given.into, given.homework, given.root, given.student, rules)
        packed, others = pack(given.into, given.homework) if given.student is None else ({}, [])
    except ValueError as problem:
        parser.error(str(problem))
    if given.student is None:
        print(aligned(rows))
    for path, count in packed.items():
        print(f"{count} of them are in {path}, ready to upload")
    if others:
        print(f"Canvas would show these as files of another kind; hand them back yourself: {', '.join(others)}")
    print(f"{pages} pages in {given.into / FEEDBACK_FOLDER / given.homework}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
