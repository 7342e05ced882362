"""The parts of a homework as plain data: cases with known answers, known mistakes, hints. Lecture: 00."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from course_checks import reading


@dataclass(frozen=True)
class Case:
    """One call whose answer is known: `expected`, up to `tolerance` (relative and absolute).

    `expected` also defines the type of the answer: a number, text, a truth value, an array (of integers or of numbers,
    by its dtype) or a tuple of these. If it is None, the JSON file beside has the answer.
    """

    name: str
    inputs: tuple
    expected: object = None
    tolerance: float = 1e-9


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that is known, what it looks like, and the question that leads on.

    Parameters
    ----------
    description : continues the sentence "you got 5, …";  question : the next question
    wrong_functions : titles of wrong functions in the bank that make this mistake; the file beside has their values
    cases : {name of a case: the value that this mistake gives there, to five digits}
    part : place of the one of several answers that shows it; the others may be anything
    gives : gives(case) -> the value of this mistake in any case, made from the right one
    when : when(case, value) -> bool, for the other cases; value is of the kind that is expected, of any shape
    correct_cases : names of cases in which `when` is not asked, because this mistake gives the right answer there
    raises : type of exception, or a tuple of them, that this mistake ends in; `when` then gets the exception
    accept : reason for which this answer counts as right all the same; it needs `wrong_functions` or `gives`
    """

    description: str
    question: str
    wrong_functions: tuple[str, ...] = ()
    cases: Mapping[str, object] = field(default_factory=dict)
    part: int | None = None
    gives: Callable | None = None
    when: Callable | None = None
    correct_cases: tuple[str, ...] = ()
    raises: type | tuple = ()
    accept: str = ""

    def shows(self, value, case):
        """Whether this value of a case is the one that `cases` says."""
        would_get = self.cases[case.name]
        return near(value, would_get) if self.part is None else near(value[self.part], would_get[self.part])

    def harmless(self, case):
        """Whether this mistake gives the right answer in a case."""
        return self.part is None and reading.agrees(self.cases[case.name], case.expected, case.tolerance)

    def forgives(self, value, case):
        """Whether this value counts as right: of several answers each may be this mistake's, or the right one."""
        if not self.accept or case.name not in self.cases:
            return False
        parts = [one if isinstance(one, tuple) else (one,) for one in (value, self.cases[case.name], case.expected)]
        return all(near(one, wrong) or near(one, right) for one, wrong, right in zip(*parts, strict=True))


@dataclass(frozen=True)
class Law:
    """A property of the right function for any inputs; a check mentions it if no known mistake explains the answer.

    says : a sentence, "Swap x and y: the cost stays.";  ask : the next question
    change : change(*inputs) -> other inputs, or None if the law does not apply; without it only the answer is used
    holds : holds(answer, answer to the other inputs) -> bool, both of the expected type; equality by default
    example : inputs of the law's own, which say all that it needs, in the place of `change`
    """

    says: str
    ask: str
    change: Callable | None = None
    holds: Callable | None = None
    example: tuple = ()


@dataclass(frozen=True)
class Task:
    """A function that the student writes, with its cases, known mistakes and up to three hints.

    `draw(rng, k)` gives the inputs of the kth case of the world that the grader asks in too; None if it has no such
    case. Some of its cases, with their answers, are `drawn` for students, others are `hidden` from them: who is right
    in all that students see is right in the rest. `tolerance` is that of all these cases.
    For answers that no known mistake explains it has laws; `way`, {name of a case: quantities that a right function
    computes there, as pairs of a name and a value}; `about`, a question for each of several answers, asked if only
    some of them are wrong; and `asks`, {name of a case: the question if this is the first wrong case}.
    """

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
    laws: tuple[Law, ...] = ()
    about: tuple[str, ...] = ()
    asks: Mapping[str, str] = field(default_factory=dict)
    draw: Callable | None = None
    tolerance: float = 1e-9
    drawn: tuple[Case, ...] = ()
    hidden: tuple[Case, ...] = ()
    way: Mapping[str, tuple] = field(default_factory=dict)

    @property
    def all_cases(self):
        """Those with a name, the hidden ones, those drawn for students."""
        return *self.cases, *self.hidden, *self.drawn

    def case(self, name, seed, k, expected=None):
        """The kth case of the task's world by a seed, None if there is none."""
        inputs = self.draw(np.random.default_rng([seed, k]), k)
        return None if inputs is None else Case(name, inputs, expected, self.tolerance)

    @property
    def label(self):
        """Title and difficulty."""
        return f"{self.title} {'★' * self.stars}"

    @property
    def heading(self):
        """The task's heading in the notebook."""
        return f"## {self.label} ({self.minutes} min)"


def near(value, other, tolerance=1e-4):
    """Whether a value has the same shape as `other` and is equal up to the tolerance. For `Mistake.when`."""
    if isinstance(value, np.ndarray):
        other = np.asarray(other, dtype=np.float64)
    return reading.agrees(value, other, tolerance)


def times(*factors):
    """holds(answer, other) for a `Law`: the other answer is this one times the factors, part by part."""
    if len(factors) == 1:
        return lambda one, other: near(other, factors[0] * one)
    return lambda one, other: near(other, tuple(k * part for k, part in zip(factors, one, strict=True)))


def slope_of(part, step, by=1):
    """holds(answer, other) for a `Law`: answer `part` + `by` is the derivative of `part`; `other`: a step on."""

    def holds(one, other):
        risen, slope = (other[part] - one[part]) / step, (one[part + by] + other[part + by]) / 2
        return near(risen, slope, 1e-3 * max(1.0, np.abs(slope).max()))

    return holds


def falls_by_logs_of_2(one, other):
    """holds(answer, other) for a `Law`: the other answer is smaller by log 2, some whole number of times."""
    count = (one - other) / np.log(2)
    return round(count) > 0 and abs(count - round(count)) < 1e-6


def not_finite(case, got):
    """Whether there is a NaN or an infinity in any of several answers. For `Mistake.when`."""
    return not all(np.isfinite(part).all() for part in (got if isinstance(got, tuple) else (got,)))


def array(*values):
    """A vector of numbers, or a matrix of rows. For cases."""
    return np.array(values, dtype=float)


def whole(*values):
    """A vector of integers, or a matrix of rows. For cases."""
    return np.array(values, dtype=int)


def check_tasks(tasks):
    """Raise ValueError unless the tasks are complete and consistent.

    The message names the task that has too many stars or hints, shares a name, or has a mistake that mentions an
    unknown case, gives the right answer, or could never occur.
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
    cases = {case.name: case for case in task.all_cases}
    if len(cases) < len(task.all_cases):
        raise ValueError(f"{where} has two cases with the same name.")
    for case in task.all_cases:
        if len(case.inputs) != len(task.arguments):
            raise ValueError(f"{where}, case {case.name!r}: {len(case.inputs)} inputs for {task.arguments}.")
    unknown = set(task.asks) - set(cases)
    if unknown:
        raise ValueError(f"{where} asks about the unknown cases {sorted(unknown)}.")
    for mistake in task.mistakes:
        _check_mistake(mistake, cases, where)


def _check_mistake(mistake, cases, where):
    if not any((mistake.wrong_functions, mistake.cases, mistake.gives, mistake.when, mistake.raises)):
        raise ValueError(
            f"{where}: nothing shows {mistake.description!r}; give wrong_functions, cases, gives, when or raises."
        )
    if isinstance(mistake.wrong_functions, str):
        raise ValueError(
            f"{where}: wrong_functions is the text {mistake.wrong_functions!r}; a tuple of titles is needed."
        )
    unknown = {*mistake.cases, *mistake.correct_cases} - set(cases)
    if unknown:
        raise ValueError(
            f"{where}: the mistake {mistake.description!r} speaks of the unknown cases {sorted(unknown)}."
        )
    if (
        mistake.cases
        and not mistake.when
        and all(mistake.shows(cases[name].expected, cases[name]) for name in mistake.cases)
    ):
        raise ValueError(f"{where}: the mistake {mistake.description!r} gives the right answers.")
