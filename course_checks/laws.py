"""Tests whether a function satisfies the laws of its task: how the answer must change with the inputs. Lecture: 00."""

import time

import numpy as np

from course_checks import reading
from course_checks.running import run
from course_checks.tasks import near
from course_checks.traits import sane


def broken(task, function, verdicts, seconds):
    """A sentence about the first law that the function breaks, with the case that shows it and a question; "" if none.

    verdicts : one for each case;  seconds : limit for one call, and processor time after which no other law is tried
    """
    end = time.process_time() + seconds
    for law in task.laws:
        for one in sorted(verdicts, key=lambda verdict: reading.size(verdict.case.inputs)):
            if time.process_time() > end:
                return ""
            comparable = one.value is not None and not reading.quibble(one.value, one.case.expected)
            told = _broken(law, function, one, seconds) if comparable else ""
            if told:
                return told
    return ""


def _broken(law, function, verdict, seconds):
    """The sentence if the law is broken in this case, else ""."""
    answer, like = verdict.value, verdict.case.expected
    inputs = law.example or (law.change and law.change(*verdict.case.inputs))
    other = answer if not (law.example or law.change) else _other(function, inputs, like, seconds)
    strange = sane(like) and not sane((answer, other))  # a NaN or infinity says nothing about the law
    if other is None or strange or _holds(law, answer, other):
        return ""
    was, now = reading.show(answer), reading.show(other)
    shown = f"it is {was}" if law.change is None else f"{was} becomes {now}" if now != was else f"{was} stays"
    where = f"there it gives {now}" if law.example else f"in the case “{verdict.case.name}” {shown}"
    return f"{law.says} Your function breaks this law: {where}. {law.ask}"


def _holds(law, answer, other):
    """Whether the law holds; an answer with a shape that the law cannot use does not break it."""
    try:
        with np.errstate(all="ignore"):
            return near(other, answer) if law.holds is None else bool(law.holds(answer, other))
    except (IndexError, ValueError, TypeError):
        return True


def _other(function, inputs, like, seconds):
    """The answer to a law's inputs, or None if it does not apply (they are None), or the answer cannot be compared."""
    outcome = None if inputs is None else run(function, inputs, seconds)
    if outcome is None or outcome.error is not None:
        return None
    try:
        return reading.read(outcome.value, like)
    except reading.Unreadable:
        return None
