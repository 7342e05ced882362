"""Homework 01: the numbers in its checks and the claims of its model answers, computed."""

import numpy as np
import pytest

from course_lib.sequences import StepPattern
from tests.homework import graded
from tests.homework.bank_tests import BankTests

CHECKS, bank = graded.checks("01_dtw"), graded.bank("01_dtw")
TASKS = {task.name: task for task in CHECKS.homework.tasks}


def test_the_path_of_every_table_is_the_only_best_one():
    for case in TASKS["path"].cases:
        table, omega = case.inputs
        for i, j in case.expected[1:]:
            prices = sorted(way[0] for way in bank.path.ways(table, i, j, omega))
            assert len(prices) == 1 or prices[1] - prices[0] > 0.5, case.name


def test_the_table_of_task_2_belongs_to_the_sequences_of_task_1():
    x, y, omega = next(case.inputs for case in TASKS["amerced"].cases if case.name == "by hand, ω = 3")
    table = bank.amerced.filled(bank.amerced.apart(x, y), lambda c, d, a, b: c + min(d, a + omega, b + omega))
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


class TestBank(BankTests):
    name = "01_dtw"
