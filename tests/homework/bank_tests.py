"""What the bank of a homework shows: each mistake is told its own hint, each right answer passes, nothing else does.

A file test_NN_name.py has `class TestBank(BankTests): name = "NN_name"`; conftest.py runs it for every task, every
mistake and every right answer.
"""

import json
from functools import cache

from course_checks import judging, near
from course_checks.exchange import to_data
from course_checks.judging import verdict
from course_checks.known import read_known, unpack
from course_checks.laws import broken
from course_checks.running import run_all
from tests.homework import graded
from tools.homework.known import wrong_values

IMPATIENT = 1.0


@cache
def judged(name, task, title, kind="MISTAKES"):
    """(what the check prints, its verdicts, points) of a function of the bank, called once in each case."""
    homework, sheet = graded.checks(name).homework, graded.sheets(name)[task]
    function = getattr(graded.banks(name)[task], kind)[title]
    function, seconds = (function[0], IMPATIENT) if kind == "MISTAKES" else (function, homework.seconds)
    outcomes = list(run_all(graded.named(function, sheet.task.function), sheet.inputs, seconds))
    shown = next(one for one in homework.tasks if one.name == task)
    seen = [verdict(shown, *both) for both in zip(shown.cases, outcomes, strict=False)]
    sent = json.loads(json.dumps([None if one is None else to_data(one) for one in outcomes]))
    return homework.words(shown, seen), seen, judging.points(sheet.task, sheet.judge(sent))


def same(data, other, right):
    """Whether two known values are one, on whatever machine they were computed."""
    return near(*(right if one is None else unpack(one) for one in (data, other)))


class BankTests:
    """The tests of one homework, its folder in solutions/ being `name`."""

    name = None

    def task(self, task):
        return graded.sheets(self.name)[task].task

    def test_every_task_has_a_bank(self):
        assert set(graded.banks(self.name)) == set(graded.sheets(self.name))

    def test_mistake_is_told_its_hint_and_loses_points(self, task, mistake):
        report, _, points = judged(self.name, task, mistake)
        assert report.startswith("✗")
        assert graded.banks(self.name)[task].MISTAKES[mistake][1] in report
        assert points < self.task(task).points

    def test_right_answer_passes_and_earns_all_points(self, task, right):
        report, _, points = judged(self.name, task, right, "RIGHT")
        assert report.startswith("✓"), report
        assert (points, type(points)) == (self.task(task).points, float)

    def test_right_answers_keep_the_laws(self, task):
        homework = graded.checks(self.name).homework
        shown = next(one for one in homework.tasks if one.name == task)
        for title, right in graded.banks(self.name)[task].RIGHT.items() if shown.laws else ():
            assert broken(shown, right, judging.judge(shown, right, homework.seconds), homework.seconds) == "", title

    def test_what_is_known_is_what_the_bank_computes(self, task):
        """What is known is current; how a right answer is computed is the business of the right answers' own test."""
        written = next(one for one in graded.checks(self.name).homework.written if one.name == task)
        known = read_known(graded.checks(self.name).__file__)[task]
        assert list(known["expected"]) == [case.name for case in written.cases if case.expected is None]
        assert list(known["mistakes"]) == [title for mistake in written.mistakes for title in mistake.of]
        right = {case.name: case.expected for case in self.task(task).cases}
        for title, values in known["mistakes"].items():
            seen = judged(self.name, task, title)[1]
            now, slow = (
                wrong_values(seen),
                {one.case.name for one in seen if one.outcome is None or one.outcome.endless},
            )
            rounding = set(known.get("rounding", {}).get(title, ()))  # another processor, another number or none
            assert not values.keys() & rounding
            assert now.keys() - slow - rounding == values.keys() - slow, f"{title}: run make release"
            assert all(same(now[case], values[case], right[case]) for case in values.keys() & now.keys()), title

    def test_no_known_mistake_is_dead_data(self, task):
        """Each mistake that the checks speak of is told to somebody in the bank."""
        told = "\n".join(judged(self.name, task, title)[0] for title in graded.banks(self.name)[task].MISTAKES)
        assert not [one.looks for one in self.task(task).mistakes if f", {one.looks}.\n      {one.ask}\n" not in told]

    def test_solution_of_the_notebook_earns_all_points(self, task):
        source = graded.cell(graded.notebook(self.name), f"{task}-answer")
        function = graded.defined_in(source, self.task(task).function)
        assert graded.points(graded.sheets(self.name)[task], function) == self.task(task).points

    def test_untouched_stub_is_not_attempted_yet_and_earns_nothing(self, task):
        source = graded.cell(graded.notebook(self.name, "exercises"), f"{task}-answer")
        stub, one = graded.defined_in(source, self.task(task).function), self.task(task)
        assert graded.checks(self.name).homework.report(one, stub) == f"○ {one.label}: not attempted yet."
        assert graded.points(graded.sheets(self.name)[task], stub) == 0.0

    def test_answers_learnt_by_heart_earn_nothing(self, task):
        sheet = graded.sheets(self.name)[task]
        shown = next(one for one in graded.checks(self.name).homework.tasks if one.name == task)
        known = {repr(case.inputs): case.expected for case in (*shown.cases, *sheet.task.cases[: len(shown.cases)])}
        by_heart = graded.named(lambda *given: known.get(repr(given), 0.0), shown.function)
        assert graded.checks(self.name).homework.report(shown, by_heart).startswith("✓")
        assert graded.points(sheet, by_heart) == 0.0
