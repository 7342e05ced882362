"""A released exercise that nobody has touched runs to its end: no traceback, only what is still to do."""

import nbformat
import pytest
from nbclient import NotebookClient

from tests.lectures.reading import ROOT

EXERCISES = sorted((ROOT / "exercises").glob("*/*.ipynb"))


@pytest.mark.parametrize("path", EXERCISES, ids=lambda path: path.stem)
def test_untouched_exercise_runs_to_its_end(path):
    notebook = nbformat.read(path, as_version=4)
    folder = {"metadata": {"path": str(path.parent)}}
    NotebookClient(notebook, timeout=1800, startup_timeout=600, kernel_name="python3", resources=folder).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert outputs, "an exercise that shows nothing has not been run"
    assert not [output for output in outputs if output.output_type == "error"]
    assert not [output.text for output in outputs if output.get("name") == "stderr"]
