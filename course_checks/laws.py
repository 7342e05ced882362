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
    other = answer if law.change is None else _other(law, function, verdict.case.inputs, like, seconds)
    strange = sane(like) and not sane((answer, other))  # a NaN or infinity says nothing about the law
    if other is None or strange or _holds(law, answer, other):
        return ""
    was, now = reading.show(answer), reading.show(other)
    shown = f"it is {was}" if law.change is None else f"{was} becomes {now}" if now != was else f"{was} stays"
    return f"{law.says} Your function breaks this law: in the case “{verdict.case.name}” {shown}. {law.ask}"


def _holds(law, answer, other):
    """Whether the law holds; an answer with a shape that the law cannot use does not break it."""
    try:
        with np.errstate(all="ignore"):
            return near(other, answer) if law.holds is None else bool(law.holds(answer, other))
    except (IndexError, ValueError, TypeError):
        return True


def _other(law, function, inputs, like, seconds):
    """The answer to changed inputs, or None if the law does not apply to these, or the answer cannot be compared."""
    changed = law.change(*inputs)
    if changed is None:
        return None
    outcome = run(function, changed, seconds)
    if outcome.error is not None:
        return None
    try:
        return reading.read(outcome.value, like)
    except reading.Unreadable:
        return None
