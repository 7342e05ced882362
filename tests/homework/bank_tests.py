"""What the bank of a homework shows: each mistake gets its own hint, each right answer passes, nothing else does.

A file test_NN_name.py has `class TestBank(BankTests): name = "NN_name"`; conftest.py runs it for every task. A test
judges the whole bank of the task, and an error lists all entries that are not as they should be.
"""

import json
from functools import cache
from itertools import islice

from course_checks import judging, near
from course_checks.exchange import to_data
from course_checks.judging import verdict
from course_checks.known import read_known, unpack
from course_checks.laws import broken
from course_checks.running import run_all
from tests.homework import graded
from tools.homework.known import wrong_values
from tools.homework.sheets import rule_hints, wrong_functions

IMPATIENT_SECONDS = 1.0  # of processor time for one call of a wrong function, some of which never end


@cache
def judged(name, task, title, right=False):
    """(what the check prints, its verdicts, points) of a function of the bank, called once in each case.

    A function that is wrong in a case with a name is not called in those that are drawn: nothing depends on them.
    """
    homework, sheet, bank = graded.checks(name).homework, graded.sheets(name)[task], graded.banks(name)[task]
    function = bank.RIGHT[title] if right else wrong_functions(bank)[title]
    seconds = homework.seconds if right else IMPATIENT_SECONDS
    shown = next(one for one in homework.tasks if one.name == task)
    calls = run_all(graded.named(function, sheet.task.function), sheet.inputs, seconds)
    outcomes = list(islice(calls, len(sheet.inputs) - len(shown.drawn)))
    seen = [verdict(shown, *both) for both in zip(shown.cases, outcomes, strict=False)]
    if all(one.right for one in seen):
        drawn = list(calls)
        seen += [verdict(shown, *both) for both in zip(shown.drawn, drawn, strict=True)]
    else:
        drawn = [None] * len(shown.drawn)
    outcomes += drawn
    sent = json.loads(json.dumps([None if one is None else to_data(one) for one in outcomes]))
    return homework.words(shown, seen), seen, judging.points(sheet.task, sheet.judge(sent))


def hint(mistake):
    """How a check prints a Mistake."""
    return f", {mistake.description}.\n      {mistake.question}\n"


def hints(task, bank):
    """{title: the hint that this mistake of the bank must get}: of a Mistake of checks.py, or of a rule."""
    return rule_hints(bank) | {title: hint(mistake) for mistake in task.mistakes for title in mistake.wrong_functions}


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

    def test_each_mistake_gets_its_hint_and_loses_points(self, task):
        one, bank = self.task(task), graded.banks(self.name)[task]
        expected = hints(one, bank)
        assert expected.keys() == wrong_functions(bank).keys()
        found = {title: judged(self.name, task, title) for title in expected}
        others = {title: report for title, (report, *_) in found.items() if expected[title] not in report}
        assert not others, "\n".join(
            f"{title!r} is not told {expected[title]!r} but:\n{others[title]}" for title in others
        )
        assert not [title for title, (report, *_) in found.items() if not report.startswith("✗")]
        assert not [title for title, (*_, points) in found.items() if not points < one.points]

    def test_right_answers_pass_and_earn_all_points(self, task):
        for title in graded.banks(self.name)[task].RIGHT:
            report, _, points = judged(self.name, task, title, right=True)
            assert report.startswith("✓"), f"{title}: {report}"
            assert (points, type(points)) == (self.task(task).points, float), title

    def test_right_answers_keep_the_laws(self, task):
        homework = graded.checks(self.name).homework
        shown = next(one for one in homework.tasks if one.name == task)
        for title, right in graded.banks(self.name)[task].RIGHT.items() if shown.laws else ():
            assert broken(shown, right, judged(self.name, task, title, right=True)[1], homework.seconds) == "", title

    def test_what_is_known_is_what_the_bank_computes(self, task):
        """What is known is current; how a right answer is computed is the business of the right answers' own test."""
        written = next(one for one in graded.checks(self.name).homework.written if one.name == task)
        known = read_known(graded.checks(self.name).__file__)[task]
        assert list(known["expected"]) == [case.name for case in written.cases if case.expected is None]
        assert list(known["mistakes"]) == [title for mistake in written.mistakes for title in mistake.wrong_functions]
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
        titles = wrong_functions(graded.banks(self.name)[task])
        told = "\n".join(judged(self.name, task, title)[0] for title in titles)
        assert not [one.description for one in self.task(task).mistakes if hint(one) not in told]

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
        known = {repr(case.inputs): case.expected for case in (*shown.cases, *shown.drawn)}
        by_heart = graded.named(lambda *given: known.get(repr(given), 0.0), shown.function)
        assert graded.checks(self.name).homework.report(shown, by_heart).startswith("✓")
        assert graded.points(sheet, by_heart) == 0.0
