"""The syllabi: what is needed was taught, sums are right, and dates of homework, project and exams agree with them."""

import re

import pytest

from tests.lectures.reading import ROOT, table_rows
from tools.exams import making

GUIDE = (ROOT / "teaching" / "README.md").read_text(encoding="utf-8")
PROJECT = (ROOT / "teaching" / "project" / "README.md").read_text(encoding="utf-8")
EXAMS = (ROOT / "teaching" / "exams" / "README.md").read_text(encoding="utf-8")
PROSE = " ".join(GUIDE.split())
NAMES = ("Twelve weeks", "Thirteen weeks", "Six weeks")
LECTURE, DAYS = r"\b(\d\d)\b", 7

every_syllabus = pytest.mark.parametrize("name", NAMES)


def text(name):
    return re.search(rf"^### {name}.*?(?=^###? )", GUIDE, flags=re.MULTILINE | re.DOTALL)[0]


def rows(name):
    return [row for row in table_rows(text(name)) if row[0].isdigit()]


def weeks(name):
    """For each week, the lectures in class."""
    cells = [re.sub(r"\d\d at home|without section \d+|in \d+ minutes", "", row[1]) for row in rows(name)]
    return [re.findall(LECTURE, cell) for cell in cells]


def needs():
    """{lecture: those that must come before it}"""
    table = re.search(r"^## Prerequisites of each lecture.*?(?=^## )", GUIDE, flags=re.MULTILINE | re.DOTALL)[0]
    return {row[0]: set(re.findall(LECTURE, row[1])) for row in table_rows(table) if row[0].isdigit()}


def is_in_order(taught):
    """Whether each lecture comes after all that it needs."""
    return all(needs()[one] <= set(taught[:k]) for k, one in enumerate(taught))


def week_of(name, lecture):
    return next(k for k, taught in enumerate(weeks(name), start=1) if lecture in taught)


@every_syllabus
def test_each_lecture_comes_after_what_it_needs(name):
    taught = [one for week in weeks(name) for one in week]
    assert len(set(taught)) == len(taught) >= 11
    assert is_in_order(taught)


@every_syllabus
def test_weeks_and_hours_add_up(name):
    minutes = [[int(cell) if cell.isdigit() else 0 for cell in (row[2], row[4])] for row in rows(name)]
    assert [row[0] for row in rows(name)] == [str(k) for k in range(1, len(minutes) + 1)]
    assert [row[5] for row in rows(name)] == [f"{sum(one) / 60 + 1e-9:.1f}" for one in minutes]
    told = re.search(r"^In total (\d+)(½?) hours", text(name), flags=re.MULTILINE)
    assert sum(map(sum, minutes)) / 60 == pytest.approx(int(told[1]) + 0.5 * bool(told[2]), abs=0.5)


def test_exams_come_after_what_they_examine():
    thirteen = weeks("Thirteen weeks")
    (week,) = [int(row[0]) for row in rows("Thirteen weeks") if row[1] == "exam 1"]
    assert f"the thirteen-week syllabus the first in week {week}" in PROSE
    assert f"in week {week} of the thirteen weeks" in EXAMS
    assert [one for taught in thirteen[: week - 1] for one in taught] == ["01", "02", "03", "05", "06"]
    long = int(re.search(r"The twelve-week syllabus has the first in week (\d+)", PROSE)[1])
    assert week_of("Twelve weeks", "06") < long and f"in week {long} of the long syllabus" in " ".join(EXAMS.split())


def test_the_project_ends_with_the_last_class_of_each_syllabus():
    """It takes 21 days from a class, so its last day is that of the class three weeks later."""
    assert "| T + 21 days | all three parts |" in PROJECT and 21 % DAYS == 0
    long, thirteen = (
        int(one) for one in re.search(r"lecture of week (\d+) .*thirteen weeks that of week (\d+)", PROJECT).groups()
    )
    for name, begins in (("Twelve weeks", long), ("Thirteen weeks", thirteen)):
        assert "10" in weeks(name)[begins - 1], "the lecture that the page names"
        assert begins + 21 // DAYS == len(weeks(name))
    assert "in the six weeks it is the second class of week 3" in PROJECT and "in the second class of week 3." in PROSE
    assert len(weeks("Six weeks")) == 3 + 21 // DAYS and weeks("Six weeks")[-1][-1] == "14"


def test_homework_of_the_six_weeks_is_due_two_weeks_after_its_own():
    assert "due two weeks later" in PROSE and "homeworks 12 and 13 are due in weeks 7 and 8" in PROSE
    given = {row[3][:2]: int(row[0]) for row in rows("Six weeks")}
    assert [given[name] + 2 for name in ("12", "13")] == [7, 8]


def test_with_a_public_holiday_all_but_11_are_left_and_have_room():
    left = [one for one in rows("Thirteen weeks") if one[1][:2] != "11"]
    assert len(left) == 13 - 1
    assert is_in_order([one for taught in weeks("Thirteen weeks") for one in taught if one != "11"])
    (question,) = [q for q in making.exam(ROOT, "second").questions if q.examines.startswith("11")]
    assert f"leave out 11, with its homework and question {question.number} of the second exam" in PROSE
    assert f"The project stays in week {week_of('Thirteen weeks', '10')}." in PROSE
