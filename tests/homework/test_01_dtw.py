"""Homework 01: each known mistake is caught with its own hint, each right answer passes, and so does nothing else."""

import numpy as np
import pytest

from course_lib.homework import NoPoints
from course_lib.homework.judging import most_telling
from course_lib.sequences import StepPattern
from tests.homework import graded
from tests.homework.bank_01 import amerced, bottleneck, gaps, path, soft, vote

BANKS = {"amerced": amerced, "path": path, "bottleneck": bottleneck, "gaps": gaps, "vote": vote, "soft": soft}
CHECKS = graded.checks("01_dtw")
SOLUTION = graded.notebook("01_dtw")
EXERCISE = graded.notebook("01_dtw", folder="exercises")
TASKS = {task.name: task for task in CHECKS.homework.tasks}

every_task = pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
every_mistake = pytest.mark.parametrize(
    ("task", "function", "hint"),
    [(TASKS[name], *mistake) for name, bank in BANKS.items() for mistake in bank.MISTAKES.values()],
    ids=[f"{name}: {title}" for name, bank in BANKS.items() for title in bank.MISTAKES],
)
every_right_answer = pytest.mark.parametrize(
    ("task", "function"),
    [(TASKS[name], function) for name, bank in BANKS.items() for function in bank.RIGHT.values()],
    ids=[f"{name}: {title}" for name, bank in BANKS.items() for title in bank.RIGHT],
)


@pytest.fixture
def impatient(monkeypatch):
    """Checks that wait a second for an answer, no longer."""
    monkeypatch.setattr(CHECKS.homework, "seconds", 1.0)


def test_every_task_has_a_bank():
    assert set(BANKS) == set(TASKS)


@every_mistake
def test_mistake_is_told_its_hint(task, function, hint, impatient):
    report = CHECKS.homework.report(task, graded.named(function, task.function))
    assert report.startswith("✗")
    assert hint in report


@every_mistake
def test_mistake_loses_points(task, function, hint, impatient, capsys):
    source = graded.cell(SOLUTION, f"{task.name}-check")
    try:
        earned = graded.points(source, task.function, graded.named(function, task.function), CHECKS)
    except NoPoints:
        earned = 0.0
    assert earned < task.points


@every_right_answer
def test_right_answer_passes(task, function):
    report = CHECKS.homework.report(task, graded.named(function, task.function))
    assert report.startswith("✓"), report


@every_right_answer
def test_right_answer_earns_all_points(task, function, capsys):
    source = graded.cell(SOLUTION, f"{task.name}-check")
    assert graded.points(source, task.function, graded.named(function, task.function), CHECKS) == task.points


@every_task
def test_solution_of_the_notebook_earns_all_points(task, capsys):
    function = graded.defined_in(graded.cell(SOLUTION, f"{task.name}-answer"), task.function)
    source = graded.cell(SOLUTION, f"{task.name}-check")
    assert graded.points(source, task.function, function, CHECKS) == task.points


@every_task
def test_untouched_stub_is_not_attempted_yet(task):
    stub = graded.defined_in(graded.cell(EXERCISE, f"{task.name}-answer"), task.function)
    assert CHECKS.homework.report(task, stub) == f"○ {task.label}: not attempted yet."


@every_task
def test_untouched_stub_earns_nothing(task, capsys):
    stub = graded.defined_in(graded.cell(EXERCISE, f"{task.name}-answer"), task.function)
    with pytest.raises(NoPoints):
        graded.points(graded.cell(SOLUTION, f"{task.name}-check"), task.function, stub, CHECKS)


@every_task
def test_answers_learnt_by_heart_earn_nothing(task, capsys):
    known = {repr(case.inputs): case.expected for case in task.cases}
    by_heart = graded.named(lambda *given: known.get(repr(given), 0.0), task.function)
    assert CHECKS.homework.report(task, by_heart).startswith("✓")
    with pytest.raises(NoPoints):
        graded.points(graded.cell(SOLUTION, f"{task.name}-check"), task.function, by_heart, CHECKS)


@every_task
def test_no_known_mistake_is_dead_data(task, impatient):
    """Each mistake that the checks speak of is told to somebody in the bank."""
    told = set()
    for function, _ in BANKS[task.name].MISTAKES.values():
        verdicts = CHECKS.homework.judge(task, graded.named(function, task.function))
        told.add(id(most_telling(task.mistakes, verdicts)))
    silent = [mistake for mistake in task.mistakes if id(mistake) not in told]
    assert not silent


@pytest.mark.parametrize("name", ["amerced", "bottleneck", "gaps", "soft"])
def test_visible_answers_agree_with_all_paths(name):
    """The numbers in checks.py, against the enumeration of every path."""
    by_enumeration = BANKS[name].RIGHT.get("enumeration") or BANKS[name].RIGHT["sum over all paths"]
    for case in TASKS[name].cases:
        assert by_enumeration(*case.inputs) == pytest.approx(case.expected, abs=1e-9), case.name


def test_the_path_of_every_table_is_the_only_best_one():
    for case in TASKS["path"].cases:
        table, omega = case.inputs
        for i, j in case.expected[1:]:
            prices = sorted(way[0] for way in path.ways(table, i, j, omega))
            assert len(prices) == 1 or prices[1] - prices[0] > 0.5, case.name


def test_the_table_of_task_2_belongs_to_the_sequences_of_task_1():
    x, y, omega = next(case.inputs for case in TASKS["amerced"].cases if case.name == "by hand, ω = 3")
    table = amerced.filled(amerced.apart(x, y), lambda c, d, a, b: c + min(d, a + omega, b + omega))
    np.testing.assert_array_equal(table, CHECKS.TABLE)


def test_model_answers_of_the_letters():
    """The claims of the two model answers, computed."""
    moves = [[(1, 1, 2)], [(1, 2, 3)], [(2, 1, 3)]]
    assert StepPattern("hers, first", moves).normalizer == (1, 1)
    assert StepPattern("hers, then", [[(1, 1, 1)], *moves[1:]]).normalizer is None
    m12, m21 = 2.0, 5.0
    pattern = StepPattern("on the condition", [[(1, 1, (m12 + m21) / 3)], [(1, 2, m12)], [(2, 1, m21)]])
    assert pattern.normalizer == pytest.approx(((2 * m21 - m12) / 3, (2 * m12 - m21) / 3))
    cost = np.array([[2, 0.5], [9, 2]])
    means = {
        len(cells): sum(cost[c] for c in cells) / len(cells) for cells in [[(0, 0), (1, 1)], [(0, 0), (0, 1), (1, 1)]]
    }
    assert means == {2: 2.0, 3: 1.5}
