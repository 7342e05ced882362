"""Runs the tests of a bank for every task, every mistake and every right answer in it."""

from tests.homework.graded import banks


def pytest_generate_tests(metafunc):
    name = getattr(metafunc.cls, "name", None)
    for kind, argument in (("MISTAKES", "mistake"), ("RIGHT", "right")):
        if name and argument in metafunc.fixturenames:
            found = [(task, title) for task, bank in banks(name).items() for title in getattr(bank, kind)]
            metafunc.parametrize(("task", argument), found, ids=map(": ".join, found))
            return
    if name and "task" in metafunc.fixturenames:
        metafunc.parametrize("task", banks(name))
