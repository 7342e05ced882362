"""The homeworks' notebooks from top to bottom: solved, they show what is committed; untouched, what is still to do."""

import pytest

from tests.homework.graded import HOMEWORKS, ROOT, notebook
from tests.lectures.outputs import shown
from tests.warm import Warm

PLAYED = ("11_many_people", "12_asking", "13_mixed_feedback")  # dear; test_NN_….py runs their plays and looks at them


@pytest.fixture(scope="module")
def warm():
    process = Warm()
    yield process
    process.close()


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=pytest.mark.long) if one in PLAYED else one for one in HOMEWORKS]
)
def test_a_solved_homework_shows_what_is_committed(name, warm):
    """What is committed without having been run need only run."""
    cells = [cell for cell in notebook(name).cells if cell.cell_type == "code"]
    outputs = warm.outputs(ROOT / "solutions" / name / f"{name}.ipynb")
    assert len(outputs) == len(cells)
    for cell, now in zip(cells, outputs, strict=True):
        assert "error" not in shown(now), cell.source
        if cell.execution_count:
            assert shown(now) == shown(cell.outputs), f"make run NB=solutions/{name}/{name}.ipynb\n{cell.source}"


@pytest.mark.parametrize("name", HOMEWORKS)
def test_untouched_exercise_runs_to_its_end(name, warm):
    """No traceback, only what is still to do."""
    outputs = [output for cell in warm.outputs(ROOT / "exercises" / name / f"{name}.ipynb") for output in cell]
    assert outputs, "an exercise that shows nothing has not been run"
    assert not [output for output in outputs if output.output_type == "error"]
    assert not [output.text for output in outputs if output.get("name") == "stderr"]
