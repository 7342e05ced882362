"""What every homework keeps to: notebook and checks agree on titles, minutes and points, and each task is complete."""

import re
from itertools import pairwise

import numpy as np
import pytest

from tests.homework import graded

TASKS = [(name, task) for name in graded.HOMEWORKS for task in graded.checks(name).homework.tasks]
every_homework = pytest.mark.parametrize("name", graded.HOMEWORKS)
every_task = pytest.mark.parametrize(("name", "task"), TASKS, ids=[f"{name}: {task.name}" for name, task in TASKS])
ODD = {
    "numbers": [np.nan, np.inf, -np.inf, 0.0, -1.0, 1e300],
    "arrays": [np.zeros(0), np.zeros(1), np.zeros((0, 2)), np.zeros((2, 3, 4)), -np.ones((1, 1)), np.zeros((9, 2))],
}


def headings(name):
    """Heading lines of a notebook's text."""
    text = "\n".join(cell.source for cell in graded.notebook(name).cells if cell.cell_type == "markdown")
    return [line for line in text.splitlines() if re.match(r"#{1,2} ", line)]


def graded_cells(name):
    """Metadata of the cells that are worth points, by grade_id."""
    found = [cell.metadata.get("nbgrader", {}) for cell in graded.notebook(name).cells]
    return {one["grade_id"]: one for one in found if one.get("grade")}


@every_homework
def test_there_is_one_title_and_it_tells_the_number(name):
    titles = [line for line in headings(name) if line.startswith("# ")]
    assert len(titles) == 1
    assert titles[0].startswith(f"# Homework {name[:2]} · ")


@every_homework
def test_minutes_and_points_add_up(name):
    told = re.search(r"\*\*(\d+) minutes\*\* · (\d+) points", graded.notebook(name).cells[0].source)
    assert told, "under the title: **210 minutes** · 34 points"
    minutes = [int(found) for line in headings(name) for found in re.findall(r"\((\d+) min\)", line)]
    assert sum(minutes) == int(told[1])
    assert sum(cell["points"] for cell in graded_cells(name).values()) == int(told[2])


@every_homework
def test_an_exercise_tells_where_one_stands(name):
    assert "overview(" in "".join(cell.source for cell in graded.notebook(name).cells)


@every_homework
def test_written_answers_have_a_rubric_and_a_model_answer(name):
    cells = graded.notebook(name).cells
    for before, cell in pairwise(cells):
        kind = cell.metadata.get("nbgrader", {})
        if kind.get("grade") and kind.get("solution"):
            assert "| how it is marked | points |" in before.source
            rubric = before.source.split("| how it is marked | points |")[1]
            assert sum(map(int, re.findall(r"\| (\d+) \|$", rubric, flags=re.M))) == kind["points"]
            assert "<!-- BEGIN SOLUTION -->" in cell.source


@every_task
def test_heading_and_points_are_those_of_the_checks(name, task):
    assert headings(name).count(task.heading) == 1
    assert graded_cells(name)[f"{task.name}-check"]["points"] == task.points


@every_task
def test_stub_has_the_arguments_and_a_docstring(name, task):
    stub = graded.defined_in(graded.cell(graded.notebook(name, "exercises"), f"{task.name}-answer"), task.function)
    assert stub.__code__.co_varnames[: stub.__code__.co_argcount] == task.arguments
    assert "Returns" in stub.__doc__


@every_task
def test_students_see_the_check_and_graders_more(name, task):
    seen = graded.cell(graded.notebook(name, "exercises"), f"{task.name}-check").strip()
    assert seen == f"check({task.function})"
    whole = graded.cell(graded.notebook(name), f"{task.name}-check")
    literal = f"0.0  # The points come from the grader, who has hidden/{task.name}.py."
    assert whole == f"{seen}\n### BEGIN HIDDEN TESTS\n{literal}\n### END HIDDEN TESTS"
    assert graded_cells(name)[f"{task.name}-check"]["locked"]


@every_task
def test_as_many_cases_are_hidden_as_are_seen(name, task):
    sheet = graded.sheets(name)[task.name]
    assert not sheet.problem
    assert len(sheet.task.hidden) >= len(task.cases)


@every_homework
def test_every_hidden_module_belongs_to_a_task(name):
    folder = graded.ROOT / "solutions" / name / "hidden"
    assert {path.stem for path in folder.glob("*.py")} == {task.name for one, task in TASKS if one == name}


@every_task
def test_hints_and_questions_say_something(name, task):
    assert all(len(hint) > 40 for hint in task.hints)
    assert all("?" in mistake.question for mistake in task.mistakes)


@every_task
@pytest.mark.parametrize("kind", ODD)
def test_no_odd_value_upsets_a_check(name, task, kind):
    homework = graded.checks(name).homework
    for odd in ODD[kind]:
        like = task.cases[0].expected
        value = odd.astype(like.dtype) if kind == "arrays" and isinstance(like, np.ndarray) else odd
        report = homework.report(task, lambda *given, value=value: value)
        assert report.startswith("✗"), f"{odd} is not always right"
