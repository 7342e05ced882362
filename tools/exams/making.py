"""An exam from its source: the text with its numbers put in, split into questions, and the two papers made of them.

    teaching/exams/NAME.md    the text; << warping.distance >> is a number, << chain.P|d(4) >> one with four decimals
    teaching/exams/NAME.py    QUESTIONS, {name: (function with all numbers of sheet A, function that draws others)}

In the text a question is `## N · Title (P points)`. What stands below its `### Solution` is the teacher's alone.
"""

import importlib
import re
from dataclasses import dataclass

import jinja2
import numpy as np

from teaching.exams.common import Awkward, gaussian_table

EXAMS = ("first", "second")
MOST_DRAWS = 2000
# An author reads, calculates and writes so fast; a student needs three times as long (teaching/exams/README.md).
WORDS_A_MINUTE, SECONDS_A_STEP, SECONDS_A_SENTENCE, SLOWER = 250, 8, 15, 3
QUESTION = re.compile(r"^## (\d+) · (.+) \((\d+) points\)$", flags=re.M)
PART = re.compile(r"^### (Solution|Marking|Mistakes)$", flags=re.M)
EXAMINES = re.compile(r"\*Lectures? (.+?)\.\*")
COUNTED = re.compile(r"\((\d+) steps, (\d+) sentences\)")


@dataclass(frozen=True)
class Question:
    """One question with its numbers in it; `marking` and `mistakes` are rows of their tables, without the heads."""

    number: int
    title: str
    points: int
    sheet: str
    solution: str
    marking: list
    mistakes: list

    @property
    def examines(self):
        """Lectures and sections, as the question says it."""
        return EXAMINES.search(self.sheet).group(1)

    @property
    def minutes(self):
        """Reckoned minutes of a student: reading, steps of a calculation, sentences to write."""
        steps, sentences = map(int, COUNTED.search(self.solution).groups())
        words = len(re.findall(r"\w[\w’'.-]*", self.sheet))
        return SLOWER * (words / WORDS_A_MINUTE + (steps * SECONDS_A_STEP + sentences * SECONDS_A_SENTENCE) / 60)


@dataclass(frozen=True)
class Exam:
    """A whole exam: what stands before the questions, the questions, and what stands behind them."""

    title: str
    preface: str
    questions: list
    tables: str


def numbers(name, sheet=0):
    """{question: its numbers} of an exam; sheet 0 is A, as written, and every other number draws a sheet of its own.

    Raises
    ------
    Awkward
        If the numbers of sheet A do not behave, or no others are found that do.
    """
    questions = importlib.import_module(f"teaching.exams.{name}").QUESTIONS
    if sheet == 0:
        return {key: made() for key, (made, _) in questions.items()}
    return {key: drawn(*both, np.random.default_rng([sheet, k])) for k, (key, both) in enumerate(questions.items())}


def drawn(made, other, rng):
    """Numbers from the first draw that behaves."""
    for _ in range(MOST_DRAWS):
        try:
            return made(**other(rng))
        except Awkward:
            continue
    raise Awkward(f"{MOST_DRAWS} draws of {other.__name__} gave no numbers that behave.")


def exam(root, name, sheet=0):
    """The Exam called `name` with the numbers of a sheet.

    Raises
    ------
    jinja2.UndefinedError
        If the text asks for a number that there is not.
    """
    text = (root / "teaching" / "exams" / f"{name}.md").read_text(encoding="utf-8")
    return parsed(environment().from_string(text).render(table=gaussian_table(), **numbers(name, sheet)))


def environment():
    """Jinja for texts with formulas and code in them: numbers stand in << >>, loops in lines that begin with %%."""
    made = jinja2.Environment(
        variable_start_string="<<",
        variable_end_string=">>",
        line_statement_prefix="%%",
        undefined=jinja2.StrictUndefined,
        finalize=plain,
        keep_trailing_newline=True,
    )
    made.filters.update(d=decimals, signed=signed)
    return made


def plain(value):
    """A number as it is printed: a whole one without a point, a minus sign that is one."""
    return f"{value:g}".replace("-", "−") if isinstance(value, int | float | np.number) else value


def decimals(value, places=2):
    """The number with so many decimals."""
    return f"{round(float(value), places) + 0.0:.{places}f}".replace("-", "−")


def signed(value):
    """The number as a term that is added: + 3, − 2."""
    return f"{'−' if value < 0 else '+'} {abs(value):g}"


def parsed(text):
    """The Exam in a text whose numbers stand in it.

    Raises
    ------
    ValueError
        If a question lacks a part, or the points of its marking do not add up to its own.
    """
    text = re.sub(r"^(\|.*)\n(?=[^|\n])", r"\1\n\n", text, flags=re.M)  # a loop's last line takes an empty one along
    body, _, tables = text.partition("\n## Tables\n")
    title, preface = QUESTION.split(body)[0].split("\n", 1)
    parts = QUESTION.split(body)[1:]
    questions = [question(*parts[k : k + 4]) for k in range(0, len(parts), 4)]
    return Exam(title.removeprefix("# "), preface.strip(), questions, tables.strip())


def question(number, title, points, text):
    """One Question from its heading and what stands below it."""
    sheet, *rest = PART.split(text)
    found = dict(zip(rest[::2], rest[1::2], strict=True))
    if list(found) != ["Solution", "Marking", "Mistakes"]:
        raise ValueError(f"question {number} has the parts {list(found)}; Solution, Marking and Mistakes are needed.")
    marking, mistakes = rows(found["Marking"]), rows(found["Mistakes"])
    total = sum(int(row[1]) for row in marking)
    if total != int(points):
        raise ValueError(f"question {number} is worth {points} points, but its marking adds up to {total}.")
    return Question(int(number), title, int(points), sheet.strip(), found["Solution"].strip(), marking, mistakes)


def rows(text):
    """Cells of a Markdown table's rows, without its head."""
    lines = [line.strip().strip("|") for line in text.splitlines() if line.strip().startswith("|")]
    return [[cell.strip() for cell in line.split("|")] for line in lines[2:]]


def for_students(exam):
    """Markdown of the sheet: no solutions."""
    parts = [f"# {exam.title}", exam.preface]
    parts += [f"## {q.number} · {q.title} ({q.points} points)\n\n{q.sheet}" for q in exam.questions]
    return "\n\n".join([*parts, f"## Tables\n\n{exam.tables}"]) + "\n"


def for_teachers(exam):
    """Markdown of the teacher's copy: each question with its solution, its marks, and its commonest mistakes."""
    parts = [f"# {exam.title}: solutions and marks", "Do not hand out.", summary(exam)]
    for q in exam.questions:
        parts += [f"## {q.number} · {q.title} ({q.points} points)", q.sheet, "### Solution", q.solution, "### Marking"]
        parts += [table(["for", "points", "half for"], q.marking), "### Mistakes"]
        parts += [table(["mistake", "what it gives", "earns"], q.mistakes)]
    return "\n\n".join(parts) + "\n"


def summary(exam):
    """Markdown table: question, lectures, estimated minutes of a student, points; and their sums."""
    lines = [[f"{q.number} · {q.title}", q.examines, f"{q.minutes:.0f}", q.points] for q in exam.questions]
    sums = [sum(round(q.minutes) for q in exam.questions), sum(q.points for q in exam.questions)]
    return table(["question", "lectures", "minutes, estimated", "points"], [*lines, ["total", "", *sums]])


def table(head, lines):
    """A Markdown table."""
    shown = [head, ["---"] * len(head), *lines]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in shown)
