"""Fair points: nothing in a student's process decides, and what the grader fails to do costs nobody a point."""

import ast
import builtins
import csv
import json
import keyword
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde
from nbgrader.coursedir import CourseDirectory
from traitlets.config.loader import PyFileConfigLoader

from course_checks import answering
from tests.classroom.boxes import BOXED, UNSAFE
from tests.homework import graded, tiny_course
from tools.homework import book, grade, release
from tools.homework.autograding import RunAndAsk
from tools.homework.nbgrading import database, generate
from tools.homework.sheets import read_sheets

RIGHT, WRONG = (f"def double(x):\n    return {factor} * x" for factor in (2, 3))


def rows(root, submitted, into, homework):
    """The table of a homework by student, and the exit status of the command."""
    places = ["--root", str(root), "--submitted", str(submitted), "--into", str(into), *UNSAFE]
    status = grade.main([*places, "--homework", homework])
    with open(into / "marks" / f"{homework}.csv", newline="", encoding="utf-8") as file:
        return {row["student"]: row for row in csv.DictReader(file)}, status


SECRET = "the hidden inputs"
SAYING = {
    "prints": "print(SECRET)",
    "raises": "raise ValueError(SECRET)",
    "raises its own": "raise type(SECRET, (Exception,), {})(SECRET)",
    "in a line": "1 / (0 if 'the hidden inputs' else 1)",
    "is called so": "exec('def the_hidden_inputs():\\n raise NotImplementedError', globals()); the_hidden_inputs()",
    "returns a text": "return SECRET",
    "returns texts": "return (SECRET, [SECRET])",
    "returns its own": "return type(SECRET, (), {'__repr__': lambda self: SECRET})()",
}


@pytest.mark.parametrize("code", SAYING.values(), ids=SAYING)
def test_what_a_student_reads_has_no_words_that_their_code_chose(code):
    names = {"SECRET": SECRET}
    exec(f"def double(*given):\n    {code}", names)
    for sheet in graded.sheets("03_mixtures").values():
        answers = list(answering.told(names["double"], sheet.inputs, 1.0, 10.0))
        told = " ".join(sheet.told(sheet.judge(json.loads(json.dumps(answers)))))
        assert told[0] in "✗○" and "hidden" not in told, told


# ------------------------------------------------------------------------------------------------ a student's names


def names_used(name):
    """Every builtin, and every name in what grades a homework, but for the functions that are asked for."""
    found = {"__import__", "__build_class__"} | {one for one in dir(builtins) if not one.startswith("_")}
    for path in [*(graded.ROOT / "solutions" / name / "hidden").glob("*.py"), Path(answering.__file__)]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            texts = [getattr(node, field, None) for field in ("id", "arg", "name", "module")]
            found |= {text.split(".")[0] for text in texts if text}
    asked = {sheet.task.function for sheet in graded.sheets(name).values()}
    return sorted(one for one in found - asked if not keyword.iskeyword(one))


def full_submission(name):
    """A cell that defines all functions of a homework, each with names of its own and not those of the notebook."""
    sheets = graded.sheets(name).values()
    answers = [graded.cell(graded.notebook(name), f"{sheet.task.name}-answer") for sheet in sheets]
    source, functions = "\n\n".join(["import numpy as np", *answers]), [sheet.task.function for sheet in sheets]
    return f"own = {{}}\nexec({source!r}, own)\nglobals().update({{name: own[name] for name in {functions!r}}})"


def shadowed(name, names):
    """The points of a full submission while each of these names is something else, all in one process."""
    grade_ids = graded.sheets(name)
    kinds = [tiny_course.graded(f"{task}-check", grade=True, locked=True, points=1) for task in grade_ids]
    cells = [new_code_cell(full_submission(name))]
    for one in names:
        cells.append(new_code_cell(f"({one}) = 'shadow'"))
        cells += [new_code_cell("0.0", metadata=kind) for kind in kinds]
        cells.append(new_code_cell(f"del ({one})"))
    book, folder = new_notebook(cells=cells), str(graded.ROOT / "solutions" / name)
    step = RunAndAsk(source=folder, timeout=600, boxed=BOXED)
    book, _ = step.preprocess(book, {"metadata": {"path": folder}})
    earned = [cell.outputs[-1].data["text/plain"] for cell in book.cells if "nbgrader" in cell.metadata]
    assert not [cell.outputs for cell in book.cells if "nbgrader" not in cell.metadata and cell.outputs]
    return {one: list(map(float, earned[k * len(kinds) :][: len(kinds)])) for k, one in enumerate(names)}


def assert_no_name_costs_a_point(name, names):
    full = [sheet.task.points for sheet in graded.sheets(name).values()]
    assert not {one: points for one, points in shadowed(name, names).items() if points != full}


def test_no_name_of_a_sample_costs_a_point():
    """Those that `answering` uses, some that students like, and each twelfth of the others."""
    names = names_used("03_mixtures")
    assert len(names) > 190
    own = {"get_ipython", "json", "answer", "told", "pickle", "Path", "run_all", "to_data", "sum", "print", "len"}
    assert own <= set(names)
    assert_no_name_costs_a_point("03_mixtures", sorted(own | set(names[::12])))


@pytest.mark.long
@pytest.mark.parametrize("name", graded.HOMEWORKS)
def test_no_name_that_a_student_takes_costs_a_point(name):
    assert_no_name_costs_a_point(name, names_used(name))


# ------------------------------------------------------------------------------ patches, and failures of the grader

PATCHES = {
    "comparisons": """
import numpy as np
from course_checks import judging, reading
np.allclose = np.array_equal = reading.agrees = lambda *given, **more: True
judging.points = lambda *given: 4.0""",
    "what is shown": """
get_ipython().display_formatter.format = lambda *given: ({'text/plain': '4.0'}, {})
print(4.0)
import builtins
builtins.repr = lambda one: '4.0'""",
}
PLANTED = """
import sys, types
fake = types.ModuleType("course_checks.answering")
fake.answer = lambda name, inputs, answers, *limits: open(answers, "w").write({text!r})
import course_checks
sys.modules[fake.__name__] = course_checks.answering = fake
"""
MALFORMED = {
    "nothing": "",
    "too few": "[null]",
}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """The rows of a tiny homework whose answers are wrong, or hidden from the grader."""
    root = tmp_path_factory.mktemp("course")
    tiny_course.make(root)
    released = nbformat.reads(release.exercises(root)["tiny/tiny.ipynb"].decode(), as_version=4)
    for student, patch in PATCHES.items():
        tiny_course.hand_in(root, student, tiny_course.with_answer(released, f"{patch}\n{WRONG}"))
    for student, text in MALFORMED.items():
        tiny_course.hand_in(root, student, tiny_course.with_answer(released, PLANTED.format(text=text) + RIGHT))
    tiny_course.hand_in(root, "no function", tiny_course.with_answer(released, "double = 7"))
    return rows(root, root / "submitted", root / "marks", "tiny")[0]


@pytest.mark.parametrize("student", PATCHES)
def test_a_patched_process_earns_nothing(tiny, student):
    assert (tiny[student]["double"], tiny[student]["problem"]) == ("0", "")


@pytest.mark.parametrize("student", MALFORMED)
def test_answers_that_nobody_can_have_given_are_a_problem(tiny, student):
    assert (tiny[student]["double"], tiny[student]["state"]) == ("", book.HAS_PROBLEM)
    assert tiny[student]["problem"].startswith("double: its answers cannot be judged: ")


def test_what_is_no_function_earns_nothing(tiny):
    assert (tiny["no function"]["double"], tiny["no function"]["problem"]) == ("0", "")


BROKEN = {
    "too few cases": (tiny_course.HIDDEN.replace("(0, 5, 7)", "(0,)"), "hide as many"),
    "a case of other arguments": (tiny_course.HIDDEN.replace("(x,), 2", "(x, x), 2"), "2 inputs for ('x',)"),
    "no cases": ("", "CASES"),
}


@pytest.mark.parametrize(("hidden", "words"), BROKEN.values(), ids=BROKEN)
def test_hidden_cases_that_are_not_as_they_must_be_are_named(tmp_path, hidden, words):
    tiny_course.make(tmp_path, hidden=hidden)
    sheet = read_sheets(tmp_path / "solutions" / "tiny")["double-check"]
    assert sheet.problem.startswith("its hidden cases fail with ")
    assert words in sheet.problem


def test_a_failure_of_the_grader_is_a_problem_and_no_lost_point(tmp_path):
    tiny_course.make(tmp_path, hidden="CASES = [1 / 0]")
    tiny_course.hand_in(tmp_path, "a", tiny_course.with_answer(tiny_course.source(), RIGHT))
    found, status = rows(tmp_path, tmp_path / "submitted", tmp_path / "marks", "tiny")
    problem = "double: its hidden cases fail with ZeroDivisionError: division by zero"
    assert (found["a"]["double"], found["a"]["problem"], status) == ("", problem, 1)
    with Gradebook(database(tmp_path / "marks" / "gradebook.db")) as gradebook:
        mark = gradebook.find_grade("double-check", "tiny", "tiny", "a")
        assert (mark.auto_score, mark.needs_manual_grade) == (None, True)


@pytest.mark.filterwarnings("ignore:Object of type")
def test_nbgraders_own_autograde_judges_alike(tmp_path):
    """With the configuration of this course, as formgrader loads it."""
    tiny_course.make(tmp_path)
    tiny_course.hand_in(tmp_path, "a", tiny_course.with_answer(tiny_course.source(), RIGHT))
    generate(tmp_path, "tiny", tmp_path / "gradebook.db")
    config = PyFileConfigLoader("nbgrader_config.py", path=str(graded.ROOT)).load_config()
    assert "hidden" in config.CourseDirectory.ignore
    config.CourseDirectory.update(root=str(tmp_path), assignment_id="tiny", student_id="a")
    config.RunAndAsk.boxed = BOXED
    Autograde(coursedir=CourseDirectory(config=config), config=config).start()
    with Gradebook(database(tmp_path / "gradebook.db")) as gradebook:
        assert gradebook.find_grade("double-check", "tiny", "tiny", "a").auto_score == 4.0
