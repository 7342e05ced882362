"""Calls a function of a student on the inputs that the grader sends. Lecture: 00.

This is the only part of the grader that runs in the student's process. It knows no right answer, compares nothing, and
accesses none of the student's names except the function.
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
    """Calls the notebook's function of this name, and writes the outcomes.

    name : name of the function in the notebook; if it is missing, the outcome is an error
    inputs : path of a pickled list of tuples of arguments
    answers : path of the file that gets each result of `told`, as one line of JSON, as soon as it is available
    seconds, altogether : limits for one call and for all of them
    """
    given = pickle.loads(Path(inputs).read_bytes())
    with open(answers, "w", encoding="utf-8", buffering=1) as lines:
        for one in told(get_ipython().user_ns.get(name, missing(name)), given, seconds, altogether):
            lines.write(json.dumps(one) + "\n")


def missing(name):
    """A substitute for a function that a notebook does not define."""

    def fail(*given):
        raise NameError(f"{name} is not defined")

    return fail


def told(function, inputs, seconds, altogether):
    """The outcome of each call as plain data; None if it was not tried (no time left, or an interrupted call)."""
    left = len(inputs)
    try:
        for one in run_all(function, inputs, seconds, altogether):
            left -= 1
            yield None if one is None else to_data(one)
    except KeyboardInterrupt as stopped:
        yield to_data(Outcome(error=stopped))
        yield from [None] * (left - 1)
