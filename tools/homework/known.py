"""Computes what the checks of a homework know, from the wrong and the right functions in its bank, mistakes/.

    python -m tools.homework.known [HOMEWORK …]    writes course_checks/hwNN_name.json, of all homeworks by default

A module mistakes/TASK.py has `MISTAKES`, {title: wrong function}, one for each title that a Mistake of checks.py names
(`of`): its hint is that of the Mistake. `RULE_MISTAKES`, {title: (wrong function, words of its hint)}, are those that
a rule or a law finds, and `RIGHT`, {title: right function in another style}, must pass. Only the cases that students
see are computed. `make release` does it too.
A wrong function may divide by a rounding error; what it then gives depends on the processor. So all is computed on
several kinds of them, and what differs is not known: its case is named under "rounding".
"""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from course_checks import near
from course_checks.judging import judge
from course_checks.known import SEED, knowing, pack, unpack
from course_checks.reading import size
from tools.homework.sheets import answered, banks, checks_path, known_of, read_checks, references

ROOT = Path(__file__).resolve().parents[2]
CALL_SECONDS = 10.0  # more than in the tests: a value is never left out because the machine was busy
DIGITS_RIGHT, DIGITS_WRONG = 13, 7
PROCESSORS = ("Nehalem", "Haswell")  # whose sums OpenBLAS can make elsewhere, in their order
EQUAL_TOLERANCE = 1e-5  # a tenth of what a check forgives
EQUAL_RIGHT = 1e-10  # the same for right answers
N_DRAWN = 40  # cases of a task that are drawn for students
DIGITS_WAY = 7
LARGE_INPUTS, LARGE_STEP = 60, 12  # numbers in the inputs of a case, and in a quantity, that nobody compares by eye
LARGE_ANSWER = 60  # numbers in an answer; a mistake that shows in a smaller one is not told by a larger one


def known(task, bank, reference=None):
    """What is known of a task, as the file says it.

    Parameters
    ----------
    task : as its module says it
    bank : module with MISTAKES and RIGHT
    reference : module hidden/TASK.py, with `answer` and `way`

    Raises
    ------
    ValueError
        If the task names a wrong function that the bank does not have, or that is wrong in no case.
    """
    right = next(iter(bank.RIGHT.values()))
    asked = [case for case in task.cases if case.expected is None]
    expected = {case.name: pack(plain(right(*case.inputs)), DIGITS_RIGHT) for case in asked}
    drawn = {k: pack(plain(one.expected), DIGITS_RIGHT) for k, one in answered(task, reference, SEED, N_DRAWN)}
    right = {"expected": expected, "drawn": drawn}
    whole = knowing(task, {**right, "mistakes": {title: {} for title in bank.MISTAKES}})
    named, everywhere = replace(whole, drawn=()), replace(whole, cases=whole.all_cases, drawn=())
    wrong = {
        title: wrong_values(judge(everywhere if mistake.accept else named, bank.MISTAKES[title], CALL_SECONDS))
        for mistake in task.mistakes
        for title in mistake.wrong_functions
    }
    unseen = [title for title, values in wrong.items() if all(value is None for value in values.values())]
    if unseen:
        raise ValueError(f"task {task.name!r}: {unseen} give no wrong value in a case that a student sees.")
    steps = {case.name: way(reference, case) for case in whole.all_cases} if hasattr(reference, "way") else {}
    found = {**right, "way": {name: one for name, one in steps.items() if one}, "mistakes": wrong}
    return {part: values for part, values in found.items() if values or part in ("expected", "mistakes")}


def way(reference, case):
    """{name: value} of the quantities on the way to the right answer in a case; nothing if they are large."""
    if size(case.inputs) > LARGE_INPUTS:
        return {}
    return {
        name: pack(plain(value), DIGITS_WAY)
        for name, value in reference.way(*case.inputs)
        if size(value) <= LARGE_STEP
    }


def wrong_values(verdicts):
    """{case: value} of a wrong function, with None where it is right; large answers only if no small one is wrong."""
    kept = [one for one in verdicts if one.value is not None]
    small = [one for one in kept if size(one.case.expected) <= LARGE_ANSWER]
    kept = small if any(not one.right for one in small) else kept
    return {one.case.name: None if one.right else pack(one.value, DIGITS_WRONG) for one in kept}


def plain(value):
    """What a right function returned, as numbers, arrays and tuples of them."""
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    return np.asarray(value) if isinstance(value, list) or np.ndim(value) else np.asarray(value).item()


def text(knowledge):
    """The JSON of a homework, with a line for each case and each mistake."""
    tasks = []
    for name, parts in knowledge.items():
        inner = ",\n".join(f'  "{part}": {{{_lines(values)}\n  }}' for part, values in parts.items())
        tasks.append(f' "{name}": {{\n{inner}\n }}')
    return "{\n" + ",\n".join(tasks) + "\n}\n"


def _lines(values):
    return ",".join(f"\n   {_json(key)}: {_json(value)}" for key, value in values.items())


def _json(value):
    return json.dumps(value, ensure_ascii=False)


def everywhere(first, *others):
    """What is known of a task, of what several processors computed: the values that are one on all."""
    mistakes, rounding = {}, {}
    for title, values in first["mistakes"].items():
        elsewhere = [other["mistakes"][title] for other in others]
        mistakes[title] = {
            case: value
            for case, value in values.items()
            if all(case in other and alike(value, other[case]) for other in elsewhere)
        }
        if len(mistakes[title]) < len(values):
            rounding[title] = [case for case in values if case not in mistakes[title]]
    return {**first, "mistakes": mistakes, **({"rounding": rounding} if rounding else {})}


def settled(parts, before):
    """What is known about a task, with the digits that a file has already: only another value takes their place.

    What was rounding on one processor stays so on all, so that each of them writes the same bytes.
    """
    rounding = {title: list(cases) for title, cases in parts.get("rounding", {}).items()}
    there = {case for values in (*parts["mistakes"].values(), *rounding.values()) for case in values}
    for title, cases in before.get("rounding", {}).items():
        if title in parts["mistakes"]:
            both = {*rounding.get(title, ()), *(case for case in cases if case in there)}
            rounding[title] = [*(case for case in cases if case in both), *sorted(both - set(cases))]
    mistakes = {
        title: _digits(
            {case: value for case, value in values.items() if case not in rounding.get(title, ())},
            before.get("mistakes", {}).get(title, {}),
            EQUAL_TOLERANCE,
        )
        for title, values in parts["mistakes"].items()
    }
    ordered = {title: rounding[title] for title in mistakes if rounding.get(title)}
    answers = {
        part: _digits(parts[part], before.get(part, {}), EQUAL_RIGHT)
        for part in ("expected", "drawn")
        if part in parts
    }
    steps = {
        case: _digits(values, before.get("way", {}).get(case, {}), EQUAL_TOLERANCE)
        for case, values in parts.get("way", {}).items()
    }
    found = {**answers, **({"way": steps} if "way" in parts else {}), "mistakes": mistakes}
    return {**found, **({"rounding": ordered} if ordered else {})}


def _digits(values, before, tolerance):
    return {
        case: before[case] if case in before and alike(value, before[case], tolerance) else value
        for case, value in values.items()
    }


def alike(value, other, tolerance=EQUAL_TOLERANCE):
    """Whether two packed values are the same, up to what another order of a sum changes."""
    return value is other if value is None or other is None else near(unpack(value), unpack(other), tolerance)


def here(folder):
    """{task: what is known} of the homework in a folder of solutions/, as this processor computes it."""
    homework, bank, reference = read_checks(folder).homework, banks(folder), references(folder)
    return {task.name: known(task, bank[task.name], reference[task.name]) for task in homework.written}


def there(folder, processor):
    """A process that writes what is `here` as JSON, computed as another processor would."""
    variables = {**os.environ, "OPENBLAS_CORETYPE": processor}
    command = [sys.executable, "-m", "tools.homework.known", "--print", str(folder)]
    return subprocess.Popen(command, cwd=ROOT, env=variables, stdout=subprocess.PIPE, text=True)


def write(folder):
    """Writes the file with what is known of the homework in a folder of solutions/, if its checks ask for it."""
    if read_checks(folder).homework.beside is None:
        return
    processes = [there(folder, processor) for processor in PROCESSORS]
    others = [json.loads(process.communicate()[0]) for process in processes]
    first = json.loads(json.dumps(here(folder)))
    knowledge = {task: everywhere(parts, *(other[task] for other in others)) for task, parts in first.items()}
    path, before = checks_path(folder).with_suffix(".json"), known_of(folder)
    knowledge = {task: settled(parts, before.get(task, {})) for task, parts in knowledge.items()}
    path.write_text(text(knowledge), encoding="utf-8")


def write_all(root, names=()):
    """Writes what is known of the homeworks in root/solutions, or of those with these names."""
    folders = {path.parent.name: path.parent for path in sorted(Path(root, "solutions").glob("*/*.ipynb"))}
    for name in names or folders:
        if name not in folders:
            raise ValueError(f"there is no homework {name!r}; there are {', '.join(folders)}.")
        write(folders[name])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--print"]:
        print(json.dumps(here(Path(sys.argv[2]))))
    else:
        write_all(ROOT, sys.argv[1:])
