"""Calls a function of a student on the inputs that the grader sends. Lecture: 00.

This is all of the grader that runs in the student's process. It knows no right answer and compares nothing, and it
looks nothing up among the student's names but the function.
"""

import json
import pickle
from pathlib import Path

from IPython import get_ipython

from course_lib.homework.exchange import to_data
from course_lib.homework.running import run_all


def answer(name, inputs, answers, seconds, altogether):
    """Calls the notebook's function of this name, and writes what came out.

    Parameters
    ----------
    name : what the function is called in the notebook; what is not there cannot be called, which is an answer too
    inputs : path of a pickled list of tuples of arguments
    answers : path that gets a JSON list of what `told` gives
    seconds, altogether : limits for one call and for all of them

    Lecture: 00.
    """
    given = pickle.loads(Path(inputs).read_bytes())
    found = json.dumps(told(get_ipython().user_ns.get(name), given, seconds, altogether))
    Path(answers).write_text(found, encoding="utf-8")


def told(function, inputs, seconds, altogether):
    """What each call did, as plain data; None where there was no time left to try it.

    Lecture: 00.
    """
    return [None if one is None else to_data(one) for one in run_all(function, inputs, seconds, altogether)]
