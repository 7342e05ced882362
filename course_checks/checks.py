"""Self-checks: a check says ✓, names the mistake and asks the next question, or says "not attempted yet".

    check(amerced_dtw)        runs the visible cases and prints what came out
    hint("amerced", 1)        the first of up to three hints, each revealing more
    case("amerced", 7)        the inputs of a case, by its name or number, to try a function on
    overview(f, g, …)         one line per task
    waits_for(f)              whether a cell that uses f must still wait

Lecture: 00.
"""

import copy
from functools import cached_property

import numpy as np

from course_checks import reading
from course_checks.judging import best_explanation, elsewhere, explains, judge, smallest
from course_checks.known import drawn_name, knowing, read_known
from course_checks.laws import broken
from course_checks.patterns import pattern, wrong_parts
from course_checks.tasks import check_tasks, near

CALL_SECONDS = 10.0
INPUTS_SHOWN = 260
WAY_SHOWN, WAY_TOLERANCE = 6, 1e-6  # quantities on the way to a right answer; they are stored with seven digits


class Homework:
    """The checks of one homework.

    tasks : the Tasks, in the order of the notebook;  seconds : limit for one call of a student's function
    beside : path of its module, if the JSON file beside that has some of the answers
    """

    def __init__(self, *tasks, seconds=CALL_SECONDS, beside=None):
        check_tasks(tasks)
        self.written, self.seconds, self.beside = tasks, seconds, beside

    @cached_property
    def tasks(self):
        """The tasks with the answers and mistakes of known.json."""
        known = read_known(self.beside)
        tasks = tuple(knowing(task, known.get(task.name, {})) for task in self.written)
        check_tasks(tasks)
        return tasks

    def check(self, function, task=None):
        """Runs the visible cases of the function's task and prints what came out; `task` names it if needed."""
        found = self._find(function, task)
        print(found if isinstance(found, str) else self.report(found, function))

    def hint(self, name, number):
        """Prints hint `number` of the task `name`."""
        task = self._named(name)
        if task is None:
            print(f"There is no task {name!r}. The tasks are {', '.join(one.name for one in self.tasks)}.")
        elif isinstance(number, bool) or number not in range(1, len(task.hints) + 1):
            print(f"Task {task.name!r} has the hints 1 to {len(task.hints)}; you asked for {number!r}.")
        else:
            print(f"Hint {number} of {len(task.hints)}: {task.hints[int(number) - 1]}")

    def case(self, name, which):
        """The inputs of a case of the task `name`, a tuple; `which` is its name, or its number if it was drawn."""
        task = self._named(name)
        if task is None:
            raise ValueError(f"name is {name!r}; the tasks are {', '.join(one.name for one in self.tasks)}.")
        wanted = drawn_name(which) if isinstance(which, int) else which
        found = next((one for one in task.cases + task.drawn if one.name == wanted), None)
        if found is None:
            names = ", ".join(f'"{one.name}"' for one in task.cases)
            raise ValueError(f"which is {which!r}; the cases of {name!r} are {names}, and those drawn have numbers.")
        return copy.deepcopy(found.inputs)

    def overview(self, *functions):
        """Prints one line for each function: ✓, ✗ or ○ (not attempted yet), and the title of its task."""
        for function in functions:
            task = self._find(function)
            print(task if isinstance(task, str) else _summary(task, self.judge(task, function)))

    def waits_for(self, function):
        """Whether some visible case of the function's task is still wrong; if so, print a sentence."""
        task = self._find(function)
        if not isinstance(task, str) and all(one.right for one in self.judge(task, function)):
            return False
        print(f"This cell waits until check({getattr(function, '__name__', '…')}) shows only ✓.")
        return True

    def judge(self, task, function):
        """Verdicts on the task's cases."""
        return judge(task, function, self.seconds)

    def report(self, task, function):
        """The text that `check` prints."""
        verdicts = self.judge(task, function)
        known = (
            verdicts[0].untouched or best_explanation(task.mistakes, verdicts) or all(one.right for one in verdicts)
        )
        return self.words(task, verdicts, "" if known else broken(task, function, verdicts, self.seconds))

    def words(self, task, verdicts, law=""):
        """The report on given verdicts, with a sentence on the broken law, if any."""
        if verdicts[0].untouched:
            return _summary(task, verdicts)
        told = best_explanation(task.mistakes, verdicts)
        first = next((one for one in verdicts if told and explains(told, one) > 0), None) or smallest(verdicts)
        named, drawn = verdicts[: len(task.cases)], verdicts[len(task.cases) :]
        lines = [_summary(task, verdicts)]
        for one in named:
            lines.append(_right(one) if one.right else _wrong(one, told if one is first else None))
            if one is first:
                lines += _next_step(task, one, told, () if told else _common(task, verdicts, one, law))
        if drawn and all(one.right for one in drawn):
            lines.append(f"  ✓ {len(drawn)} cases drawn at random")
        elif drawn:
            wrong = sum(not one.right for one in drawn)
            lines.append(f"  ✗ {wrong} of {len(drawn)} cases drawn at random. One with few numbers:")
            lines.append(_wrong(first, told))
            lines += _next_step(task, first, told, () if told else _common(task, verdicts, first, law))
        elif task.drawn:
            lines.append(f"  ○ {len(task.drawn)} more cases, drawn at random, follow when these are right.")
        return "\n".join(lines)

    def _named(self, name):
        """The Task of this name, or of a function of this name; None if there is none."""
        return next((task for task in self.tasks if name in (task.name, task.function)), None)

    def _find(self, function, name=None):
        """The Task of a function, or a sentence that says why there is none."""
        if not callable(function):
            got = reading.show(function)
            return f"The function itself is needed, without parentheses and arguments; this is its result, {got}."
        name = name or getattr(function, "__name__", "without a name")
        names = ", ".join(one.function for one in self.tasks)
        return self._named(name) or f"No task asks for the function {name}. The names are {names}."


def _summary(task, verdicts):
    right = sum(one.right for one in verdicts)
    if verdicts[0].untouched:
        return f"○ {task.label}: not attempted yet{elsewhere(task, verdicts[0].outcome)}."
    if right == len(verdicts):
        return f"✓ {task.label}: right in all {right} cases."
    return f"✗ {task.label}: right in {right} of {len(verdicts)} cases."


def _right(verdict):
    """The line about a right case; for an accepted answer, the reason."""
    return f"  ✓ {verdict.case.name}{': ' if verdict.got else ''}{verdict.got}"


def _wrong(verdict, told):
    """The line about a wrong case: the outcome, and a description of the known mistake, if any."""
    line = f"  ✗ {verdict.case.name}: {verdict.got}"
    if told is not None:
        return f"{line}, {told.description}."
    if verdict.value is not None:
        line += f"; {reading.contrast(verdict.value, verdict.case.expected, verdict.case.tolerance)[1]} is right"
    return f"{line}."


def _common(task, verdicts, first, law):
    """Texts for answers that no known mistake explains: the law, the pattern, and the questions of the task."""
    parts = wrong_parts(verdicts) if task.about else []
    about = task.about[parts[0]] if 0 < len(parts) < len(task.about) else ""
    names = () if law else task.arguments  # a broken law is more informative than which cases are wrong
    earliest = next(one for one in verdicts if not one.right)
    asked = task.asks.get(first.case.name, "") if first is earliest else ""
    return law, pattern(verdicts, names), about, asked


def _next_step(task, verdict, told, common):
    """Next steps: the question of a known mistake, or the common pattern and a case to work by hand."""
    lines = [told.question] if told else [verdict.question, *common, _by_hand(task, verdict)]
    outcome = verdict.outcome
    if outcome.printed:
        lines.append(f"It printed: {reading.shorten(outcome.printed)}")
    if outcome.warned:
        lines.append(f"It warned: {reading.shorten('; '.join(outcome.warned))}")
    lines.append(f'Stuck? hint("{task.name}", 1); there are {len(task.hints)}.')
    return [f"      {line}" for line in lines if line]


def _by_hand(task, verdict):
    """The case as something to try, and what a right function computes on the way."""
    shown = ""
    if not any(map(callable, verdict.case.inputs)):
        values = map(reading.show, verdict.case.inputs)
        shown = ", ".join(f"{name} = {value}" for name, value in zip(task.arguments, values, strict=True))
    if not 0 < len(shown) < INPUTS_SHOWN or "..." in shown or "…" in shown:
        which = verdict.case.name.removeprefix(drawn_name(""))
        shown = f"inputs = case({task.name!r}, {which if which.isdigit() else repr(which)})"
    tried = f"Work this case by hand, then print what your function does: {shown}"
    return "\n      ".join(filter(None, (tried, _way(task, verdict))))


def _way(task, verdict):
    """Quantities that a right function computes in this case; or which of them the answer is."""
    steps = task.way.get(verdict.case.name, ())
    for name, value in steps:
        fits = isinstance(verdict.value, np.ndarray | float) and near(verdict.value, value, WAY_TOLERANCE)
        if fits and np.any(value % 1):  # whole numbers agree by chance
            return f"Your answer is {name}: a quantity on the way, and not yet the answer."
    told = "; ".join(f"{name} {reading.show(value)}" for name, value in steps[:WAY_SHOWN])
    return told and f"On the way: {told}. Print yours: the first that differs is where it leaves the right way."
