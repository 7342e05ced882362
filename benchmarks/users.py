"""Rows of what users feel: an import, a slider's step, a lecture, a mark. There is no peer: goals are durations."""

import argparse
import contextlib
import io
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

import course_lessons
from course_lessons.mixed_feedback.look_ahead import expected_absolute_volume_change, global_mutual_information
from course_lib.gp import SquaredExponential
from course_lib.judgments import Listener
from course_personaliser import Personalizer
from tools import notebooks
from tools.homework import book, box, grade, grading
from tools.homework.submissions import Submission

POSITIONS = 7  # of each slider
GRADED = ("01_dtw", "05_gp_regression", "09_unequal_raters")
HEADER = ["what users feel: processor time", "times", "median (s)", "slow end (s)", "goal (s)", ""]


@dataclass(frozen=True)
class Felt:
    """One line of the table.

    run(repeats) → seconds, one for each time that it happened. `goal` is the largest median that we are content with,
    `slowest` the largest value at the slow end, which is the given `quantile` of the times; None: no such goal.
    """

    name: str
    run: Callable
    goal: float | None = None
    slowest: float | None = None
    quantile: float = 1.0
    header, peer = HEADER, "a package of ours"

    def cells(self, repeats):
        """Measure, and give the columns of the table as text."""
        seconds = self.run(repeats)
        end = "slowest" if self.quantile == 1.0 else f"p{100 * self.quantile:.0f}"
        found = {"median": float(np.median(seconds)), end: float(np.quantile(seconds, self.quantile))}
        limits = {"median": self.goal, end: self.slowest}
        limits = {name: limit for name, limit in limits.items() if limit is not None}
        met = all(found[name] <= limit for name, limit in limits.items())
        goal = ", ".join(f"{name} ≤ {limit:g}" for name, limit in limits.items())
        times = f"{found['median']:.3g}", f"{end} {found[end]:.3g}"
        return [self.name, str(len(seconds)), *times, goal, "✓" if met else "✗"]


def processor_seconds(work):
    """Processor time of work(), here and in the processes that it starts and waits for."""
    begin = _spent()
    work()
    return _spent() - begin


def _spent():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def imports(module, repeats):
    """A new Python that imports a module; the first one, which compiles it, does not count."""
    new = partial(subprocess.run, [sys.executable, "-c", f"import {module}"], check=True)
    return [processor_seconds(new) for _ in range(repeats + 1)][1:]


def positions(control):
    """Values of every option, of both states of a box, or of places all along a slider."""
    if control.kind != "slider":
        return control.values if control.kind == "choice" else [True, False]
    return [control.values[round(place)] for place in np.linspace(0, len(control.values) - 1, POSITIONS)]


def steps(explorer):
    """Seconds of each change of one control after the other, from the start on; every value is new."""
    for name, control in explorer.controls.items():
        for value in positions(control):
            if value != explorer.values()[name]:
                yield processor_seconds(partial(explorer.set, **{name: value}))
        explorer.set(**{name: control.start})


def sliders(names, repeats):
    """Steps of all controls of these explorers, once: a second time much would be remembered."""
    return [seconds for name in names for seconds in steps(course_lessons.offered("explore")[name]())]


def lectures(paths, repeats):
    """Each lecture from top to bottom once, with its kernel's start and end."""
    return [processor_seconds(partial(notebooks.execute, path)) for path in paths]


def marks(homeworks, repeats):
    """One submission to each homework, its own solution, after another one that is not counted.

    Raises
    ------
    NoBox, ValueError
        If there can be no box here; if there is no mark.
    """
    box.require()
    with tempfile.TemporaryDirectory() as place, contextlib.redirect_stderr(io.StringIO()):
        return [[mark(homework, Path(place)) for _ in range(2)][1] for homework in homeworks]


def mark(homework, into):
    """Seconds until our own solution of a homework is graded: the grader's, and those in the box."""
    given = argparse.Namespace(root=notebooks.ROOT, into=into, again=True, unsafe=False)
    ours = Submission("ours", homework, given.root / "solutions" / homework)
    prepared = {homework: grade.prepare(given.root, homework, into)}
    (job,) = grade.jobs_of([ours], prepared, given, box.Limits())
    begin = time.process_time()
    return seconds_of(book.read(grading.grade(job)), time.process_time() - begin)


def seconds_of(found, own):
    """Processor time of a mark: the grader's own, and that of the box. ValueError if there is no mark."""
    problems = [found["problem"], *(cell["problem"] for cell in found["cells"])]
    if any(problems):
        raise ValueError(f"our own solution cannot be graded: {next(filter(None, problems))}.")
    return own + found["seconds"]


def questions(answers, asked, d=5):
    """So many next questions of a personaliser, from this number of answers on, by a made-up listener."""
    personalizer = Personalizer([(0.0, 1.0)] * d, rng=0)
    listener = Listener(np.full(d, 0.4), rng=0)
    seconds = []
    for number in range(answers + asked):
        begin = _spent()
        pair = np.array(personalizer.propose())
        if number >= answers:
            seconds.append(_spent() - begin)
        personalizer.answer(listener.judge(*pair))
    return seconds


def looks_ahead(repeats, queries=1000, references=1000):
    """Both criteria for level sets, in turn: what an answer at each query tells about all reference points."""
    rng = np.random.default_rng(0)
    X, mean = rng.uniform(size=(queries + references, 2)), rng.normal(size=queries + references)
    cov = SquaredExponential(3.0, 0.3).cross(X[:queries], X[queries:])
    own = np.full(queries, 3.0), np.full(references, 3.0)
    asked = mean[:queries], own[0], mean[queries:], own[1], cov, 0.67
    criteria = (global_mutual_information, expected_absolute_volume_change)
    return [processor_seconds(partial(criterion, *asked)) for _ in range(repeats) for criterion in criteria]


def rows(small=False):
    """The rows; `small` keeps what takes a moment."""
    explorers = list(course_lessons.offered("explore"))[: 1 if small else None]
    paths = notebooks.lectures()
    brief = [
        Felt("import course_lib.sequences", partial(imports, "course_lib.sequences"), 0.6),
        Felt("import course_lib.judgments", partial(imports, "course_lib.judgments"), 1.2),
        Felt(f"a slider's step, {len(explorers)} explorers", partial(sliders, explorers), 0.06, 0.12, 0.95),
    ]
    long = [
        Felt("a next question, from 30 answers in 5-D on", lambda _: questions(30, 20), None, 0.5, 0.95),
        Felt("a look ahead, 1,000 queries × 1,000 references", looks_ahead, 1.0),
        Felt("a next question, from 100 answers in 5-D on", lambda _: questions(100, 10)),
        Felt(f"a lecture from top to bottom, {len(paths)}", partial(lectures, paths), slowest=15.0),
        Felt(f"grading one submission, {len(GRADED)} homeworks", partial(marks, GRADED), slowest=8.0),
    ]
    return brief if small else brief + long
