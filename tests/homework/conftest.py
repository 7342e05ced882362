"""Runs the tests of a bank for every task in it."""

from tests.homework.graded import banks


def pytest_generate_tests(metafunc):
    name = getattr(metafunc.cls, "name", None)
    if name and "task" in metafunc.fixturenames:
        metafunc.parametrize("task", banks(name))
