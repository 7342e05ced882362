"""Computed answers for the checks of a homework: the right ones, and those of known mistakes.

    hw01_dtw.json, beside hw01_dtw.py    {task: {"expected": {case: value}, "drawn": {k: value},
                                                "way": {case: {name: value}}, "mistakes": {title: {case: value}}}}

It is made from the bank of mistakes and the hidden references (`make release`). In it, an array is a list, an array
without entries is {"empty": shape}, a tuple is {"tuple": [...]}, and null stands for the right answer. What is listed
under "rounding", {title: [case]}, is left out: another processor computes a different value. Lecture: 00.
"""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np

SEED = 0  # of the cases that are drawn for students


def read_known(checks):
    """Contents of the JSON file beside a homework's module, whose path is `checks`; empty if that is None."""
    if checks is None:
        return {}
    path = Path(checks).with_suffix(".json")
    if not path.is_file():
        raise ValueError(f"{path} is missing; it belongs beside {Path(checks).name}, and `make release` makes it.")
    return json.loads(path.read_text(encoding="utf-8"))


def knowing(task, known):
    """The task with all right answers, and with each mistake repeated for every wrong function that it names.

    Raises ValueError if the file lacks an answer that the task needs.
    """
    try:
        cases = tuple(_answered(case, known.get("expected", {})) for case in task.cases)
        drawn = tuple(_drawn(task, k, unpack(value)) for k, value in known.get("drawn", {}).items())
        way = {
            case: tuple((name, unpack(value)) for name, value in steps.items())
            for case, steps in known.get("way", {}).items()
        }
        given = known.get("mistakes", {})
        mistakes = tuple(one for mistake in task.mistakes for one in _each(mistake, given, cases + drawn))
    except KeyError as missing:
        raise ValueError(f"task {task.name!r}: nothing is known of {missing}; `make release` computes it.") from None
    return replace(task, cases=cases, drawn=drawn, way=way, mistakes=mistakes)


def _drawn(task, k, value):
    return task.case(drawn_name(k), SEED, int(k), value)


def drawn_name(k):
    """The name of the kth case of a task's world."""
    return f"drawn {k}"


def _answered(case, expected):
    return case if case.expected is not None else replace(case, expected=unpack(expected[case.name]))


def _each(mistake, known, cases):
    """The mistake for each title in `wrong_functions`, and its rule alone for what is not in the bank."""
    right = {case.name: case.expected for case in cases}
    for title in mistake.wrong_functions:
        values = {case: right[case] if data is None else unpack(data) for case, data in known[title].items()}
        yield replace(mistake, wrong_functions=(title,), cases=values)
    if mistake.cases or mistake.gives or mistake.when or mistake.raises:
        given = {case.name: mistake.gives(case) for case in cases} if mistake.gives else {}
        yield replace(
            mistake,
            wrong_functions=(),
            cases={**given, **mistake.cases, **{case: right[case] for case in mistake.correct_cases}},
        )


def pack(value, digits):
    """A value from `read` in JSON form, with this many significant digits."""
    if isinstance(value, tuple):
        return {"tuple": [pack(one, digits) for one in value]}
    if isinstance(value, np.ndarray) and value.size == 0:
        return {"empty": list(value.shape)}
    if isinstance(value, np.ndarray):
        return [pack(one, digits) for one in value] if value.ndim else pack(value.item(), digits)
    if isinstance(value, np.generic):
        return pack(value.item(), digits)
    return float(f"{value:.{digits}g}") if isinstance(value, float) else value


def unpack(data):
    """The inverse of `pack`."""
    if isinstance(data, dict):
        return np.zeros(data["empty"]) if "empty" in data else tuple(map(unpack, data["tuple"]))
    return np.array(data) if isinstance(data, list) else data
