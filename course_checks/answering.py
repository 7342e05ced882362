"""Calls a function of a student on the inputs that the grader sends. Lecture: 00.

This is all of the grader that runs in the student's process. It knows no right answer and compares nothing, and it
looks nothing up among the student's names but the function.
"""

import builtins
import json
import pickle
import sys
from pathlib import Path

from IPython import get_ipython

from course_checks.exchange import to_data
from course_checks.running import Outcome, run_all


def load_ipython_extension(shell):
    """Gives each cell Python's own builtins, and makes exit() end the cell, not the kernel; IPython calls this."""
    shell.events.register("pre_run_cell", lambda info: shell.user_ns.update(__builtins__=builtins))
    shell.ask_exit = sys.exit


def answer(name, inputs, answers, seconds, altogether):
    """Calls the notebook's function of this name, and writes what came out.

    name : what the function is called in the notebook; what is not there cannot be called, which is an answer too
    inputs : path of a pickled list of tuples of arguments
    answers : path that gets what `told` gives, a line of JSON each, as soon as it is there
    seconds, altogether : limits for one call and for all of them
    """
    given = pickle.loads(Path(inputs).read_bytes())
    with open(answers, "w", encoding="utf-8", buffering=1) as lines:
        for one in told(get_ipython().user_ns.get(name, missing(name)), given, seconds, altogether):
            lines.write(json.dumps(one) + "\n")


def missing(name):
    """What stands in for a function that a notebook does not define."""

    def fail(*given):
        raise NameError(f"{name} is not defined")

    return fail


def told(function, inputs, seconds, altogether):
    """What each call did, as plain data; None where it was not tried: no time was left, or one was interrupted."""
    left = len(inputs)
    try:
        for one in run_all(function, inputs, seconds, altogether):
            left -= 1
            yield None if one is None else to_data(one)
    except KeyboardInterrupt as stopped:
        yield to_data(Outcome(error=stopped))
        yield from [None] * (left - 1)
