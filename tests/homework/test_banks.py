"""Every homework: each known mistake is told its own hint, each right answer passes, and nothing else does."""

import importlib
import pkgutil
from functools import cache

import pytest

from course_lib.homework.judging import most_telling
from tests.homework import graded

CHECKS = {name: graded.checks(name) for name in graded.HOMEWORKS}
TASKS = [(name, task) for name, checks in CHECKS.items() for task in checks.homework.tasks]


@cache
def banks(name):
    """{task: module with MISTAKES and RIGHT} of a homework, from tests/homework/bank_NN."""
    package = importlib.import_module(f"tests.homework.bank_{name[:2]}")
    modules = [importlib.import_module(f"{package.__name__}.{m.name}") for m in pkgutil.iter_modules(package.__path__)]
    return {module.__name__.split(".")[-1]: module for module in modules if hasattr(module, "MISTAKES")}


every_task = pytest.mark.parametrize(("name", "task"), TASKS, ids=[f"{name}: {task.name}" for name, task in TASKS])
every_mistake = pytest.mark.parametrize(
    ("name", "task", "function", "hint"),
    [
        pytest.param(name, task, *mistake, id=f"{name}: {task.name}: {title}")
        for name, task in TASKS
        for title, mistake in banks(name)[task.name].MISTAKES.items()
    ],
)
every_right_answer = pytest.mark.parametrize(
    ("name", "task", "function"),
    [
        pytest.param(name, task, function, id=f"{name}: {task.name}: {title}")
        for name, task in TASKS
        for title, function in banks(name)[task.name].RIGHT.items()
    ],
)


@pytest.fixture
def impatient(monkeypatch):
    """Checks that wait a second for an answer, no longer."""
    for checks in CHECKS.values():
        monkeypatch.setattr(checks.homework, "seconds", 1.0)


@pytest.mark.parametrize("name", CHECKS)
def test_every_task_has_a_bank(name):
    assert set(banks(name)) == {task.name for task in CHECKS[name].homework.tasks}


@every_mistake
def test_mistake_is_told_its_hint(name, task, function, hint, impatient):
    report = CHECKS[name].homework.report(task, graded.named(function, task.function))
    assert report.startswith("✗")
    assert hint in report


@every_mistake
def test_mistake_loses_points(name, task, function, hint):
    assert graded.points(graded.sheets(name)[task.name], function, seconds=1.0) < task.points


@every_right_answer
def test_right_answer_passes(name, task, function):
    report = CHECKS[name].homework.report(task, graded.named(function, task.function))
    assert report.startswith("✓"), report


@every_right_answer
def test_right_answer_earns_all_points(name, task, function):
    earned = graded.points(graded.sheets(name)[task.name], function)
    assert (earned, type(earned)) == (task.points, float)


@every_task
def test_solution_of_the_notebook_earns_all_points(name, task):
    function = graded.defined_in(graded.cell(graded.notebook(name), f"{task.name}-answer"), task.function)
    assert graded.points(graded.sheets(name)[task.name], function) == task.points


@every_task
def test_untouched_stub_is_not_attempted_yet(name, task):
    stub = graded.defined_in(graded.cell(graded.notebook(name, "exercises"), f"{task.name}-answer"), task.function)
    assert CHECKS[name].homework.report(task, stub) == f"○ {task.label}: not attempted yet."


@every_task
def test_untouched_stub_earns_nothing(name, task):
    stub = graded.defined_in(graded.cell(graded.notebook(name, "exercises"), f"{task.name}-answer"), task.function)
    assert graded.points(graded.sheets(name)[task.name], stub) == 0.0


@every_task
def test_answers_learnt_by_heart_earn_nothing(name, task):
    sheet = graded.sheets(name)[task.name]
    seen = (*task.cases, *sheet.task.cases[: len(task.cases)])
    known = {repr(case.inputs): case.expected for case in seen}
    by_heart = graded.named(lambda *given: known.get(repr(given), 0.0), task.function)
    assert CHECKS[name].homework.report(task, by_heart).startswith("✓")
    assert graded.points(sheet, by_heart) == 0.0


@every_task
def test_no_known_mistake_is_dead_data(name, task, impatient):
    """Each mistake that the checks speak of is told to somebody in the bank."""
    told = set()
    for function, _ in banks(name)[task.name].MISTAKES.values():
        verdicts = CHECKS[name].homework.judge(task, graded.named(function, task.function))
        told.add(id(most_telling(task.mistakes, verdicts)))
    silent = [mistake for mistake in task.mistakes if id(mistake) not in told]
    assert not silent
