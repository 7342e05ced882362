"""Judges the outcome of a student's function in each case, and finds the known mistake that explains it best.

Lecture: 00.
"""

import math
import re
from dataclasses import dataclass

import numpy as np

from course_checks import reading
from course_checks.running import Outcome, TimeUp, message, run_all
from course_checks.tasks import Case

MESSAGE_CHARACTERS = 200
BY_HEART = 0.75  # fraction of the hidden cases
SINGLE_PRECISION = 1e-6  # tolerance within which 32-bit numbers may be right
SIX_DIGITS = "Right to six digits, and no further. Is something float32, approximate, or added to be safe?"
VALUE_ERROR_QUESTIONS = (  # by what the message of a ValueError mentions
    (r"empty|zero-size", "Which values reach this line? None is left: are all of them NaN, or infinite?"),
    (r"shape|broadcast|dimension|align|size|ax[ei]s|ambiguous|unpack", "Which shapes meet at this line? Print them."),
)
ERROR_QUESTIONS = {
    IndexError: "Which index is one too far? An axis of n entries ends at n − 1.",
    ZeroDivisionError: "What was divided by, and when is it zero?",
    UnboundLocalError: "Which path through your function never sets this name?",
    NameError: "Is the name spelled as in its definition, and was that cell run?",
    np.linalg.LinAlgError: "Which matrix is not positive definite, or has no inverse? Must it have one? Print it.",
    TypeError: "What is each name at this line: a number, a list, an array, None? Print its type.",
    ValueError: "Which values reach this line? Print them.",
    RecursionError: "Your function calls itself endlessly. For which arguments does it stop?",
    TimeUp: "Does every iteration of your loop come closer to its end?",
    SystemExit: "Your function should return its answer, not end the program.",
}


@dataclass(frozen=True)
class Verdict:
    """Judgement of a case: the outcome in words (`got`), the next question, and the value if it can be compared."""

    case: Case
    outcome: Outcome | None
    value: object = None
    right: bool = False
    got: str = ""
    question: str = ""

    @property
    def untouched(self):
        """Whether the call ended in a stub that has not been filled in yet."""
        return self.outcome is not None and self.outcome.untouched


def judge(task, function, seconds):
    """Verdicts on the cases with a name and, if it is right in all of them, on those that are drawn.

    After a call that does not end, the remaining cases are not run.
    """
    named = _judged(task, task.cases, function, seconds)
    return [*named, *_judged(task, task.drawn, function, seconds)] if all(one.right for one in named) else named


def _judged(task, cases, function, seconds):
    outcomes = run_all(function, [case.inputs for case in cases], seconds)
    return [verdict(task, *both) for both in zip(cases, outcomes, strict=True)]


def points(task, verdicts):
    """Points for a function, in quarters, of verdicts on all cases of a task.

    They are in proportion to the right ones among the named and the hidden cases; none unless more than half are
    right. Who is right in all cases that students see, and nobody else, gets all of them: hidden cases only tell apart
    what was learnt by heart, and that is right in fewer than `BY_HEART` of them.
    """
    hidden = verdicts[len(task.cases) : len(task.cases) + len(task.hidden)]
    graded = verdicts[: len(task.cases) + len(task.hidden)]
    seen = [*verdicts[: len(task.cases)], *verdicts[len(graded) :]]
    right = sum(one.right for one in graded)
    if 2 * right <= len(graded):
        return 0.0
    green = all(one.right for one in seen)
    if green and sum(one.right for one in hidden) >= BY_HEART * len(hidden):
        return float(task.points)
    in_proportion = math.floor(4 * task.points * right / len(graded)) / 4
    return in_proportion if green else min(in_proportion, task.points - 0.25)


def smallest(verdicts):
    """The wrong verdict with the fewest numbers in its inputs; of those with as many, the first."""
    wrong = [one for one in verdicts if not one.right and one.outcome is not None]
    return min(wrong, key=lambda one: reading.size(one.case.inputs), default=None)


def verdict(task, case, outcome):
    """The Verdict on one outcome. A function that changes its inputs is wrong, whatever it returns."""
    if outcome is None:
        return Verdict(case, outcome, got="not run, because an earlier call did not end")
    if outcome.error is not None:
        return Verdict(case, outcome, got=_stopped(task, outcome), question=_question(outcome))
    try:
        value = reading.read(outcome.value, case.expected)
    except reading.Unreadable as odd:
        printed = " Printing a result does not return it." if outcome.value is None and outcome.printed else ""
        return Verdict(case, outcome, got=odd.got, question=odd.question + printed)
    if outcome.changed is not None:
        name = task.arguments[outcome.changed]
        got = f"your function changes its input {name}, which belongs to the caller"
        return Verdict(case, outcome, got=got, question=f"Work on a copy: {name} = {name}.copy().")
    if reading.agrees(value, case.expected, case.tolerance):
        return Verdict(case, outcome, value, right=True)
    if accepted := next((one.accept for one in task.mistakes if one.forgives(value, case)), ""):
        return Verdict(case, outcome, value, right=True, got=f"counts as right ({accepted})")
    got = f"you got {reading.contrast(value, case.expected, case.tolerance)[0]}"
    nearly = SIX_DIGITS if reading.agrees(value, case.expected, SINGLE_PRECISION) else ""
    return Verdict(case, outcome, value, got=got, question=reading.quibble(value, case.expected) or nearly)


def best_explanation(mistakes, verdicts):
    """The mistake that explains most of the wrong verdicts and contradicts the fewest, or None.

    One case may agree by chance. So a mistake has to explain two of them, or all cases to which it applies. Integers
    often agree by chance: they have to agree in more than two of three cases.
    """
    scores = [_score(mistake, verdicts) for mistake in mistakes]
    best = max(scores, default=0)
    return mistakes[scores.index(best)] if best > 0 else None


def _score(mistake, verdicts):
    said = [explains(mistake, one) for one in verdicts]
    spoken = sum(_speaks_about(mistake, one) for one in verdicts)
    if said.count(1) < min(2, spoken):
        return 0
    alike = [one.value for one, agrees in zip(verdicts, said, strict=True) if agrees == 1]
    return 0 if said.count(1) <= 2 * said.count(-1) and all(map(_whole, alike)) else sum(said)


def _whole(value):
    """Whether a value consists only of integers, truth values and texts."""
    if isinstance(value, tuple):
        return all(map(_whole, value))
    if value is None or isinstance(value, str):
        return value is not None
    with np.errstate(invalid="ignore"):  # of infinities
        return bool((np.asarray(value, float) % 1 == 0).all())


def _speaks_about(mistake, verdict):
    """Whether the mistake applies to this wrong case."""
    if verdict.right or verdict.outcome is None:
        return False
    if verdict.outcome.error is not None or mistake.raises:
        return verdict.outcome.error is not None and bool(mistake.raises)
    return verdict.value is not None and (mistake.when is not None or verdict.case.name in mistake.cases)


def explains(mistake, verdict):
    """1 if the mistake leads to this wrong verdict, −1 if it leads to another one, 0 if it does not apply."""
    outcome, case, value = verdict.outcome, verdict.case, verdict.value
    if outcome is not None and outcome.error is not None:
        return int(isinstance(outcome.error, mistake.raises) and _seen(mistake, case, outcome.error))
    if value is None or mistake.raises:
        return 0
    if case.name in mistake.cases:
        if verdict.right:
            return 0 if mistake.shows(case.expected, case) else -1
        return 1 if mistake.shows(value, case) and not mistake.harmless(case) else -1
    return int(not verdict.right and mistake.when is not None and _seen(mistake, case, value))


def _seen(mistake, case, value):
    return mistake.when is None or bool(mistake.when(case, value))


def elsewhere(task, outcome):
    """Text that names the stub that was reached, if it is not the task's own."""
    place = outcome.place
    return f" (it calls {place.function}, which is still empty)" if place and place.function != task.function else ""


def _stopped(task, outcome):
    where = f" ({outcome.place})" if outcome.place else ""
    if outcome.untouched:
        return f"not attempted yet{elsewhere(task, outcome)}"
    if outcome.endless:
        return f"it was stopped, {outcome.error}{where}"
    if outcome.place is None:
        return f"it cannot be called as {task.function}({', '.join(task.arguments)}): {_said(outcome.error)}"
    return f"it stopped with {_said(outcome.error)}{where}"


def _question(outcome):
    found = next((kind for kind in ERROR_QUESTIONS if isinstance(outcome.error, kind)), None)
    of_values = VALUE_ERROR_QUESTIONS if found is ValueError else ()
    return next(
        (text for words, text in of_values if re.search(words, _said(outcome.error))), ERROR_QUESTIONS.get(found, "")
    )


def _said(error):
    text = (message(error).splitlines() or [""])[0][:MESSAGE_CHARACTERS]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
