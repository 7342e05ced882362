"""Tests whether a function satisfies the laws of its task: how the answer must change with the inputs. Lecture: 00."""

import time
from functools import cache, partial

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
        at_example = cache(partial(run, function, law.example, seconds))  # one call, whatever case it is compared with
        for one in sorted(verdicts, key=lambda verdict: reading.size(verdict.case.inputs)):
            if time.process_time() > end:
                return ""
            comparable = one.value is not None and not reading.quibble(one.value, one.case.expected)
            told = _broken(law, function, one, seconds, at_example) if comparable else ""
            if told:
                return told
    return ""


def _broken(law, function, verdict, seconds, at_example):
    """The sentence if the law is broken in this case, else ""; at_example() is the Outcome of its own example."""
    answer, like = verdict.value, verdict.case.expected
    if law.example:
        other = _comparable(at_example(), like)
    elif law.change:
        inputs = law.change(*verdict.case.inputs)
        other = None if inputs is None else _comparable(run(function, inputs, seconds), like)
    else:
        other = answer
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


def _comparable(outcome, like):
    """The answer to a law's inputs, or None if there is none that can be compared."""
    if outcome.error is not None:
        return None
    try:
        return reading.read(outcome.value, like)
    except reading.Unreadable:
        return None
