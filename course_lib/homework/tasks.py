"""What a homework is made of, as plain data: cases with known answers, known mistakes, hints. Lecture: 00."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from course_lib.homework import reading


@dataclass(frozen=True)
class Case:
    """One call whose answer is known: `expected`, up to `tolerance` (relative and absolute).

    `expected` also tells what kind of thing is asked for: a number, text, a truth value, an array (of whole numbers
    or of numbers, by its dtype) or a tuple of these.
    """

    name: str
    inputs: tuple
    expected: object
    tolerance: float = 1e-9


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that is known, what it looks like, and the question that leads on.

    Parameters
    ----------
    looks : continues the sentence "you got 5, …"
    ask : the next question
    on : {name of a case: the value that this mistake gives there, to five digits}
    when : when(case, value) -> bool, for the other cases; value is of the kind that is expected, of any shape
    raises : type of exception, or a tuple of them, that this mistake ends in; `when` then gets the exception
    """

    looks: str
    ask: str
    on: Mapping[str, object] = field(default_factory=dict)
    when: Callable | None = None
    raises: type | tuple = ()


@dataclass(frozen=True)
class Task:
    """A function that the student writes, with its cases, known mistakes and up to three hints."""

    name: str
    function: str
    arguments: tuple[str, ...]
    title: str
    stars: int
    minutes: int
    points: float
    cases: tuple[Case, ...]
    mistakes: tuple[Mistake, ...]
    hints: tuple[str, ...]

    @property
    def label(self):
        """Title and difficulty."""
        return f"{self.title} {'★' * self.stars}"

    @property
    def heading(self):
        """The task's heading in the notebook."""
        return f"## {self.label} ({self.minutes} min)"


def near(value, other, tolerance=1e-4):
    """Whether a value that a check has read is `other`: same shape, equal up to the tolerance. For `Mistake.when`.

    Lecture: 00.
    """
    if isinstance(value, np.ndarray):
        other = np.asarray(other, dtype=np.float64)
    return reading.agrees(value, other, tolerance)


def check_tasks(tasks):
    """Nothing, if the tasks are complete and consistent.

    Raises
    ------
    ValueError
        Which task has too many stars or hints, shares a name, or has a mistake that speaks of an unknown case, that
        gives the right answer, or that nothing could ever show.

    Lecture: 00.
    """
    names = [name for task in tasks for name in {task.name, task.function}]
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise ValueError(f"tasks share the names {doubled}; each task needs its own.")
    for task in tasks:
        _check_task(task)


def _check_task(task):
    where = f"task {task.name!r}"
    if task.stars not in (1, 2, 3) or not 1 <= len(task.hints) <= 3 or not task.cases:
        raise ValueError(f"{where} needs 1 to 3 stars, 1 to 3 hints and at least one case.")
    cases = {case.name: case for case in task.cases}
    if len(cases) < len(task.cases):
        raise ValueError(f"{where} has two cases of one name.")
    for case in task.cases:
        if len(case.inputs) != len(task.arguments):
            raise ValueError(f"{where}, case {case.name!r}: {len(case.inputs)} inputs for {task.arguments}.")
    for mistake in task.mistakes:
        _check_mistake(mistake, cases, where)


def _check_mistake(mistake, cases, where):
    if not mistake.on and mistake.when is None and not mistake.raises:
        raise ValueError(f"{where}: nothing shows the mistake {mistake.looks!r}; give on, when or raises.")
    unknown = set(mistake.on) - set(cases)
    if unknown:
        raise ValueError(f"{where}: the mistake {mistake.looks!r} speaks of the unknown cases {sorted(unknown)}.")
    if (
        mistake.on
        and not mistake.when
        and all(near(cases[name].expected, value) for name, value in mistake.on.items())
    ):
        raise ValueError(f"{where}: the mistake {mistake.looks!r} gives the right answers.")
