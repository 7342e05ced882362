"""What a homework is graded by: its checks, and the hidden cases that stand in modules of their own.

    course_checks/hwNN_name.py          the tasks with the cases that students see
    solutions/NN_name/hidden/TASK.py    a reference: `answer`, by another method than the solution, `way`, and the
                                        `SEED` of the hidden cases (of a task without `draw`: `CASES`); never released
    solutions/NN_name/mistakes/         wrong functions and right ones, which checks are tested with (`known.py`)

They are run in the grader's process. A hidden module that fails leaves its task ungraded, and no other.
"""

import ast
import contextlib
import hashlib
import importlib
import json
import pkgutil
import sys
import types
from dataclasses import dataclass, replace
from functools import cache

import cloudpickle
import numpy as np

from course_checks.checks import Homework
from course_checks.exchange import TOLD_APART, from_data
from course_checks.judging import best_explanation, judge, verdict
from course_checks.known import read_known
from course_checks.running import Place, TimeUp
from course_checks.tasks import Task, check_tasks

HIDDEN, MISTAKES = "hidden", "mistakes"
NEVER_RELEASED = (HIDDEN, MISTAKES)
TEXT_FIELDS = ("mistakes", "laws", "about", "asks", "hints", "title", "stars", "minutes")  # of a Task, no points
ANSWER_DIGITS = 8  # of known answers
PLAIN_TYPES = (bool, int, float, complex, str, np.generic, np.ndarray)
MAX_REASON = 80  # characters of why a call was stopped
CALL_SECONDS = 10.0  # for a call of a wrong function
MIN_HIDDEN, SPARE_HIDDEN = 8, 2  # hidden cases of a task; how many more than named ones, for lucky guesses
MAX_DRAWS = 3  # draws for each case that has an answer


@dataclass(frozen=True)
class Sheet:
    """One task with all its cases, those that students see and the hidden ones; or the `problem` with the latter.

    `homework` has the checks that students see.
    """

    task: Task
    homework: Homework
    problem: str = ""

    @property
    def seconds(self):
        """The limit for one call."""
        return self.homework.seconds

    @property
    def inputs(self):
        """The arguments of each case."""
        return [case.inputs for case in self.task.all_cases]

    @property
    def asked(self):
        """Digest of what a function is asked: answers to the same can be judged again, and need not be asked for."""
        return digest_of(cloudpickle.dumps((self.task.function, self.inputs, self.seconds)))

    def judge(self, answers):
        """Verdicts on the answers that `answering.told` gave to the inputs.

        Raises
        ------
        ValueError, TypeError or KeyError
            If these are no such answers.
        """
        outcomes = [None if one is None else from_data(one) for one in answers]
        return [verdict(self.task, *both) for both in zip(self.task.all_cases, outcomes, strict=True)]

    def told(self, verdicts):
        """What students may know of verdicts on all cases: what `check` says, the mistake that it sees, its question.

        Only the cases that they see have a part in it, and no words that their code chose: it has the inputs of the
        hidden cases when it is called, and could say them.
        """
        seen = next(task for task in self.homework.tasks if task.name == self.task.name)
        named = verdicts[: len(seen.cases)]
        visible = [*named, *verdicts[len(verdicts) - len(seen.drawn) :]] if all(one.right for one in named) else named
        mistake = None if visible[0].untouched else best_explanation(seen.mistakes, visible)
        functions = {task.function for task in self.homework.tasks}
        words = self.homework.words(seen, [one if one.right else _wordless(seen, one, functions) for one in visible])
        return words, *(("", "") if mistake is None else (mistake.description, mistake.question))


def _wordless(task, one, functions):
    """A wrong Verdict without what was printed, messages, texts, and names but those of the `functions` asked for."""
    outcome = one.outcome
    if outcome is None:
        return one
    error, place = outcome.error, outcome.place
    kind = TOLD_APART.get(type(error).__name__, Exception)
    shown = replace(
        outcome,
        value=_textless(outcome.value, one.case.expected),
        error=None if error is None else kind(str(error)[:MAX_REASON] if kind is TimeUp else ""),
        place=place and Place(place.function if place.function in functions else task.function, place.line, ""),
        printed="",
        warned=(),
    )
    return replace(verdict(task, one.case, shown), question=one.question)


def _textless(value, expected):
    """A value; if it is a text, and none is expected, or something of a class of its own, without what it says."""
    if isinstance(value, tuple | list):
        return type(value)(_textless(one, None) for one in value)
    if isinstance(value, str) and not isinstance(expected, str):
        return "…"
    return value if value is None or isinstance(value, PLAIN_TYPES) else object()


def read_sheets(folder):
    """The Sheet of each task of a homework, by the grade_id of its graded cell.

    Parameters
    ----------
    folder : Path of solutions/NN_name
    """
    checks = read_checks(folder)
    with _imported(checks):
        return {f"{task.name}-check": _sheet(task, folder, checks.homework) for task in checks.homework.tasks}


def read_checks(folder):
    """The module with the checks of a homework, made anew."""
    path = checks_path(folder)
    return _module(f"{path.parent.name}.{path.stem}", path)


def checks_path(folder):
    """Path of the module with the checks of the homework in a folder of solutions/; a JSON file lies beside it."""
    return folder.parents[1] / "course_checks" / f"hw{folder.name}.py"


def checks_files(folder):
    """Paths of that module, and of the JSON file beside it if there is one."""
    path = checks_path(folder)
    return [one for one in (path, path.with_suffix(".json")) if one.is_file()]


@cache
def package(folder):
    """A package with all modules of a homework's mistakes/, which import from each other: `from .models import …`.

    Parameters
    ----------
    folder : Path of solutions/NN_name
    """
    made = types.ModuleType(str(folder / MISTAKES).replace(".", "_"))
    made.__path__ = [str(folder / MISTAKES)]
    sys.modules[made.__name__] = made
    for found in pkgutil.iter_modules(made.__path__):
        importlib.import_module(f"{made.__name__}.{found.name}")
    return made


def banks(folder):
    """{task: module with MISTAKES and RIGHT} of a homework; empty if it has no mistakes/."""
    return {name: module for name, module in vars(package(folder)).items() if hasattr(module, "MISTAKES")}


def rule_hints(bank):
    """{title: words of its hint} of the mistakes of a bank's module that a rule finds."""
    return {title: words for title, (_, words) in getattr(bank, "RULE_MISTAKES", {}).items()}


def wrong_functions(bank):
    """{title: function} of all mistakes of a bank's module, whether checks.py names them or a rule finds them."""
    return bank.MISTAKES | {title: function for title, (function, _) in getattr(bank, "RULE_MISTAKES", {}).items()}


def digest_of(what):
    """SHA-256 of bytes, or of what JSON can hold."""
    data = what if isinstance(what, bytes) else json.dumps(what).encode()
    return hashlib.sha256(data).hexdigest()


def known_of(folder):
    """What is known of a homework; empty if that has no file."""
    path = checks_path(folder)
    return read_known(path) if path.with_suffix(".json").is_file() else {}


def rounded(numbers):
    """Plain data without digits that another processor computes otherwise."""
    return json.loads(json.dumps(numbers), parse_float=lambda text: f"{float(text):.{ANSWER_DIGITS}g}")


def points_text(folder):
    """What points depend on, as text: cases that students see, code that makes them, known answers, hidden cases.

    Words of mistakes, hints and texts are no part of it, nor are digits that another processor computes otherwise.
    """
    module = ast.parse(checks_path(folder).read_text(encoding="utf-8"))
    for call in [node for node in ast.walk(module) if isinstance(node, ast.Call)]:
        call.keywords = [one for one in call.keywords if one.arg not in TEXT_FIELDS]
    lines = [ast.dump(one) for one in module.body if not _only_words(one)]
    numbers = rounded({name: [one.get("expected"), one.get("drawn")] for name, one in known_of(folder).items()})
    hidden = [path.read_text(encoding="utf-8") for path in sorted((folder / HIDDEN).glob("*.py"))]
    return json.dumps([lines, numbers, hidden])


def _only_words(statement):
    """Whether a line of the checks is a text, or gives a name to texts."""
    value = getattr(statement, "value", None)
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    return all(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in parts)


def _sheet(task, folder, homework):
    try:
        whole = replace(task, hidden=_hidden(task, _reference(task, folder)))
        check_tasks([whole])
        whole = replace(whole, mistakes=tuple(_everywhere(one, whole, folder) for one in whole.mistakes))
    except Exception as error:
        return Sheet(task, homework, f"its hidden cases fail with {type(error).__name__}: {error}")
    return Sheet(whole, homework)


def _reference(task, folder):
    return _module(f"{HIDDEN}_{task.name}", folder / HIDDEN / f"{task.name}.py")


def references(folder):
    """{task: module hidden/TASK.py} of a homework."""
    checks = read_checks(folder)
    with _imported(checks):
        return {task.name: _reference(task, folder) for task in checks.homework.written}


def _hidden(task, reference):
    """CASES; or more draws than cases have a name, so that who learnt these by heart has at most half."""
    if task.draw and not hasattr(reference, "CASES"):
        count = max(MIN_HIDDEN, len(task.cases) + SPARE_HIDDEN)
        return tuple(replace(case, name=f"hidden {k}") for k, case in answered(task, reference, reference.SEED, count))
    hidden = tuple(reference.CASES)
    if len(hidden) < len(task.cases):
        raise ValueError(f"CASES has {len(hidden)} cases; {task.name} shows {len(task.cases)}: hide as many.")
    return hidden


def answered(task, reference, seed, count):
    """(k, case) of the first cases of a task's world that have an answer: of a tie, `reference.answer` gives None."""
    if task.draw is None:
        return []
    found = {}
    for k in range(MAX_DRAWS * count):
        case = task.case(str(k), seed, k)
        answer = None if case is None else reference.answer(*case.inputs)
        if answer is not None:
            found[str(k)] = replace(case, expected=answer)
        if len(found) == count:
            return list(found.items())
    raise ValueError(f"task {task.name!r}: only {len(found)} of {MAX_DRAWS * count} drawn cases have an answer.")


def _everywhere(mistake, task, folder):
    """A mistake; if it is accepted, with what it gives in all cases of a task, which students do not see either."""
    if not mistake.accept:
        return mistake
    values = {case.name: mistake.gives(case) for case in task.all_cases} if mistake.gives else {}
    for title in mistake.wrong_functions:
        whole = replace(task, cases=task.all_cases, hidden=(), drawn=())
        verdicts = judge(whole, banks(folder)[task.name].MISTAKES[title], CALL_SECONDS)
        values |= {one.case.name: one.value for one in verdicts if one.value is not None}
    found = {**mistake.cases, **values}
    if unknown := [case.name for case in task.all_cases if case.name not in found]:
        raise ValueError(
            f"accept of {mistake.description!r} needs its values in {unknown}: give gives, or wrong_functions."
        )
    return replace(mistake, cases=found)


def _module(name, path):
    """A module made from a file, without leaving compiled code beside it."""
    module = types.ModuleType(name)
    module.__file__ = str(path)
    exec(compile(path.read_text(encoding="utf-8"), path, "exec"), vars(module))
    return module


@contextlib.contextmanager
def _imported(module):
    """Lets the code inside import a module by its name."""
    before = sys.modules.get(module.__name__)
    sys.modules[module.__name__] = module
    try:
        yield
    finally:
        del sys.modules[module.__name__]
        if before is not None:
            sys.modules[module.__name__] = before
